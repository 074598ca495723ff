"""Spread-It: the published numbers, and the items of the paper."""

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from topple.papers.data.spread_it_games import (
    ALL,
    ALPHA_BETA,
    ATTACHMENT,
    BY_INDEX,
    CENTRAL_NETWORK,
    COMPUTED,
    DEPTH_1,
    FROZEN,
    FULL,
    GAMES,
    LOYALTIES,
    MCTS,
    MORE_ITERATIONS,
    NETWORKS,
    NO_EVALUATION,
    OPEN_DEPTH_1,
    RANDOM,
    RANDOM_NETWORKS,
    RIVALS,
    RIVALS_DEPTH_1,
    RIVALS_OPEN,
    RIVALS_OWN,
    RIVALS_TWO_PLIES,
    SMALL_ONLY,
    SMALL_WORLDS,
    TWO_HUBS,
    TWO_PLIES,
    VARIANTS,
    ZERO,
    Rivals,
    Variant,
)
from topple.papers.paper import (
    FIRST,
    Between,
    Claim,
    Fact,
    Falling,
    Item,
    ItemCell,
    ItemChoice,
    MeanRate,
    MeasureRatio,
    Number,
    Paper,
    Rate,
    Share,
    Why,
    under,
)

ORDER = (MCTS, ALPHA_BETA, RANDOM)  # from the best to the worst, as published

GAMES_OF_A_ROW = 3750  # of tables I and IV: 250 on each of 15 networks, with one agent as Black


class AgentResult(NamedTuple):
    """A row of tables I and IV: Black's results in percent."""

    black: str
    red: str
    wins: float
    margin: float
    draws: float
    wins_of_decided: float

    @property
    def name(self) -> str:
        """The name of the row here."""
        return f"{self.black} – {self.red}"


AGENT_RESULTS = {
    ZERO: (  # table I
        AgentResult(ALPHA_BETA, MCTS, 31.0, 1.48, 4.1, 32.4),
        AgentResult(ALPHA_BETA, RANDOM, 97.5, 0.49, 0.1, 97.9),
        AgentResult(MCTS, ALPHA_BETA, 70.1, 1.46, 4.2, 74.0),
        AgentResult(MCTS, RANDOM, 99.6, 0.20, 0, 99.6),
        AgentResult(RANDOM, MCTS, 0.7, 0.26, 0.1, 0.7),
        AgentResult(RANDOM, ALPHA_BETA, 4.0, 0.62, 1.1, 4.0),
    ),
    FULL: (  # table IV
        AgentResult(ALPHA_BETA, MCTS, 13.6, 1.09, 17.6, 16.5),
        AgentResult(ALPHA_BETA, RANDOM, 91.1, 0.91, 7.8, 98.9),
        AgentResult(MCTS, ALPHA_BETA, 74.7, 1.39, 14.1, 87.0),
        AgentResult(MCTS, RANDOM, 99.6, 0.20, 0.2, 99.8),
        AgentResult(RANDOM, MCTS, 0.2, 0.14, 0.4, 0.2),
        AgentResult(RANDOM, ALPHA_BETA, 1.8, 0.42, 8.9, 1.9),
    ),
}

# Tables II and V: wins in percent over all games.
SUMMARIES = {
    ZERO: {MCTS: Number(85.3, 0.80), ALPHA_BETA: Number(64.1, 1.08), RANDOM: Number(2.38, 0.34)},
    FULL: {MCTS: Number(87.5, 0.74), ALPHA_BETA: Number(50.0, 1.13), RANDOM: Number(1.0, 0.22)},
}

# Tables III and VI: wins in percent against all others, on each class of networks.
BY_CLASS = {
    ZERO: {
        (ALPHA_BETA, RANDOM_NETWORKS): Number(65.3, 1.86),
        (ALPHA_BETA, SMALL_WORLDS): Number(63.7, 1.88),
        (ALPHA_BETA, ATTACHMENT): Number(61.3, 1.90),
        (MCTS, RANDOM_NETWORKS): Number(79.4, 1.58),
        (MCTS, SMALL_WORLDS): Number(82.5, 1.48),
        (MCTS, ATTACHMENT): Number(86.9, 1.32),
        (RANDOM, RANDOM_NETWORKS): Number(2.1, 0.56),
        (RANDOM, SMALL_WORLDS): Number(3.0, 0.66),
        (RANDOM, ATTACHMENT): Number(3.0, 0.66),
    },
    FULL: {
        (ALPHA_BETA, RANDOM_NETWORKS): Number(37.3, 1.89),
        (ALPHA_BETA, SMALL_WORLDS): Number(56.7, 1.94),
        (ALPHA_BETA, ATTACHMENT): Number(51.7, 1.95),
        (MCTS, RANDOM_NETWORKS): Number(84.7, 1.41),
        (MCTS, SMALL_WORLDS): Number(83.0, 1.47),
        (MCTS, ATTACHMENT): Number(95.0, 0.85),
        (RANDOM, RANDOM_NETWORKS): Number(0.3, 0.21),
        (RANDOM, SMALL_WORLDS): Number(1.7, 0.50),
        (RANDOM, ATTACHMENT): Number(1.2, 0.42),
    },
}

# Figures 4 and 5: moves in percent on the top fifth, the rest and the lower fifth of the vertices.
# In the text a figure's numbers are separate from its bars; they are assigned to bars so that each
# bar adds up to 100.
CENTRAL = {
    ZERO: {
        (MCTS, "all games"): (19.01, 62.49, 18.49),
        (MCTS, "games won"): (18.50, 59.88, 21.62),
        (ALPHA_BETA, "all games"): (9.07, 71.53, 19.40),
        (ALPHA_BETA, "games won"): (9.50, 68.40, 22.10),
    },
    FULL: {
        (MCTS, "all games"): (30.64, 57.57, 11.78),
        (MCTS, "games won"): (30.41, 57.7, 11.86),
        (ALPHA_BETA, "all games"): (19.70, 69.63, 10.65),
        (ALPHA_BETA, "games won"): (18.88, 69.56, 11.54),
    },
}

# Figures 6 and 7: moves in percent on the two hubs, at threshold 10 and at threshold 5.
HUBS = {
    ZERO: {MCTS: (7.70, 18), ALPHA_BETA: (4.14, 11.19)},
    FULL: {MCTS: (12.50, 17.85), ALPHA_BETA: (9.60, 11.48)},
}

# Table VII: wins in percent of each evaluation, at zero and at full loyalty.
HEURISTICS = {
    "Parity": (Number(37.7, 0.93), Number(50.9, 0.96)),
    "Stability": (Number(14.1, 0.67), Number(10.9, 0.60)),
    "General": (Number(38.4, 0.93), Number(48.3, 0.96)),
    "Hubs": (Number(24.6, 0.82), Number(28.6, 0.86)),
    "Linear": (Number(49.4, 0.96), Number(62.2, 0.93)),
    "Mobility": (Number(23.9, 0.82), Number(21.8, 0.79)),
}

# Appendix B: the number of simulations, and of those that won at least 70% and were averaged.
SIMULATIONS, KEPT = 20, 8

# Section V.A: the weights of the linear combination.
WEIGHTS = {"parity": 0.27, "stability": -0.08, "mobility": 0, "hubs": 0.315, "general": 0.495}


WR, DR, WLR = "WR%", "DR%", "WLR%"
MCTS_FIRST, ALPHA_BETA_FIRST = f"{MCTS} – {ALPHA_BETA}", f"{ALPHA_BETA} – {MCTS}"


# -- tables I and IV ---------------------------------------------------------------------------


def agent_cells(loyalty: str) -> Iterable[ItemCell]:
    """Black's results, row by row."""
    for row in AGENT_RESULTS[loyalty]:
        decided = round(GAMES_OF_A_ROW * (1 - row.draws / 100))
        yield ItemCell(row.name, WR, black_rate(loyalty, row), Number(row.wins, row.margin))
        yield ItemCell(
            row.name, DR, black_rate(loyalty, row, "draw"), Number(row.draws, trials=GAMES_OF_A_ROW)
        )
        yield ItemCell(
            row.name,
            WLR,
            black_rate(loyalty, row, "win-loss"),
            Number(row.wins_of_decided, trials=decided),
        )


def black_rate(loyalty: str, row: AgentResult, counts: str = "win") -> Rate:
    """The measure of Black's games of a row."""
    return Rate(loyalty, row.black, (row.red,), FIRST, counts)


def boards_of(column: str) -> tuple[str, ...]:
    """The networks of a class."""
    return tuple(board for board, each in NETWORKS.items() if each == column)


AGAINST_RANDOM, RANDOM_FIRST = f"{ALPHA_BETA} – {RANDOM}", f"{RANDOM} – {ALPHA_BETA}"
MCTS_AHEAD = "MCTS wins more as Black against Alpha-Beta than Alpha-Beta against MCTS."


def agent_claims(section: str) -> tuple[Claim, ...]:
    """The order of the agents, with each of two as Black."""
    return (
        Claim(MCTS_AHEAD, (Falling(((MCTS_FIRST, WR), (ALPHA_BETA_FIRST, WR))),), section),
        Claim(
            "Both win far more against Random than Random against them.",
            tuple(
                Falling(((f"{name} – {RANDOM}", WR), (f"{RANDOM} – {name}", WR)))
                for name in (MCTS, ALPHA_BETA)
            ),
            section,
        ),
        Claim(
            "Random wins less than 1% as Black against MCTS.",
            (Between(f"{RANDOM} – {MCTS}", WR, high=1),),
            section,
        ),
    )


class Decider(NamedTuple):
    """The variant at a loyalty that gives the published order, in words."""

    variant: Variant
    decides: str
    then: str


DECIDERS = {
    ZERO: Decider(
        DEPTH_1, "The order depends on how deep Alpha-Beta searches.", "at depth 1, all else equal,"
    ),
    FULL: Decider(
        OPEN_DEPTH_1,
        "The order depends on how deep Alpha-Beta searches, and on what an owned vertex counts.",
        "at depth 1, with an owned vertex counting only in parity,",
    ),
}


def agent_why(loyalty: str) -> tuple[Why, ...]:
    """The choices that the order depends on, each compared on the same networks."""
    explains = (MCTS_AHEAD, MCTS_FIRST, ALPHA_BETA_FIRST)
    decider = DECIDERS[loyalty]

    def ahead(column: str = WR) -> Falling:
        return Falling(((ALPHA_BETA_FIRST, column), (MCTS_FIRST, column)))

    def behind(choice: str) -> Falling:
        column = under(WR, choice)
        return Falling(((MCTS_FIRST, column), (ALPHA_BETA_FIRST, column)))

    return (
        Why(
            f"{decider.decides} At depth 4, the paper's, it is ahead of MCTS; {decider.then} MCTS "
            "is ahead as published.",
            (ahead(), behind(decider.variant.label)),
            explains,
        ),
        Why(
            "It also depends on the evaluation, whose features the paper gives without "
            "scales. At depth 4 without an evaluation Alpha-Beta is behind MCTS on the same "
            "networks where it is ahead with one.",
            (ahead(), ahead(under(WR, SMALL_ONLY.label)), behind(NO_EVALUATION.label)),
            explains,
        ),
        Why(
            "Alpha-Beta of depth 4 hardly loses a game to Random; at depth 1 it loses some.",
            (
                Between(RANDOM_FIRST, WR, high=1.5),
                Falling(((AGAINST_RANDOM, WR), (AGAINST_RANDOM, under(WR, decider.variant.label)))),
            ),
            (AGAINST_RANDOM, RANDOM_FIRST),
        ),
    )


_ROWS = "Rows are Black – Red; rates are Black's."
TABLE_I = Item(
    "table",
    "I",
    "Zero loyalty: agent results",
    "V.C",
    cells=tuple(agent_cells(ZERO)),
    claims=agent_claims("V.C"),
    choices=tuple(variant.choice(ZERO) for variant in VARIANTS),
    why=agent_why(ZERO),
    notes=(
        _ROWS,
        "WLR% follows from WR% and DR%, except as printed for Alpha-Beta – Random (97.9 "
        "instead of 97.6) and MCTS – Alpha-Beta (74.0 instead of 73.2).",
    ),
)
TABLE_IV = Item(
    "table",
    "IV",
    "Full loyalty: agent results",
    "V.D",
    cells=tuple(agent_cells(FULL)),
    claims=agent_claims("V.D"),
    choices=tuple(variant.choice(FULL) for variant in (OPEN_DEPTH_1, *VARIANTS)),
    why=agent_why(FULL),
    notes=(_ROWS,),
)


# -- tables II, III, V and VI ------------------------------------------------------------------

IN_ORDER = "MCTS wins the most, then Alpha-Beta, then Random."
AS_BLACK, IN_BOTH_SEATS = "WR% as Black", "WR% in both seats"


def order_why(loyalty: str, *columns: str) -> tuple[Why, ...]:
    """Why the agents are not in the published order.

    At zero loyalty many games on small worlds are drawn, and the two are close there.
    """
    decider = DECIDERS[loyalty]
    apart = [each for each in columns if (loyalty, each) != (ZERO, SMALL_WORLDS)]
    label = decider.variant.label
    return (
        Why(
            f"{decider.decides} At depth 4, the paper's, it wins more than MCTS; "
            f"{decider.then} the agents are in the published order.",
            (
                *(Falling(((ALPHA_BETA, column), (MCTS, column))) for column in apart),
                *(
                    Falling(tuple((name, under(column, label)) for name in ORDER))
                    for column in columns
                ),
            ),
            (IN_ORDER, MCTS, ALPHA_BETA),
        ),
    )


def random_why(loyalty: str) -> Why:
    """Why Random wins less than published."""
    published = SUMMARIES[loyalty][RANDOM]
    label = DECIDERS[loyalty].variant.label
    return Why(
        "Random wins hardly a game if Alpha-Beta looks 4 moves ahead, and more if it looks "
        "one move ahead.",
        (
            Between(RANDOM, AS_BLACK, high=published.value - (published.margin or 0)),
            Falling(((RANDOM, under(AS_BLACK, label)), (RANDOM, AS_BLACK))),
        ),
        (RANDOM,),
    )


def order_choices(loyalty: str) -> tuple[ItemChoice, ...]:
    """The choices under which the order is checked."""
    variants = {ZERO: (DEPTH_1,), FULL: (OPEN_DEPTH_1, DEPTH_1)}
    return tuple(variant.choice(loyalty) for variant in variants[loyalty])


def order_claim(section: str, *columns: str) -> Claim:
    """The claim that the agents are in the published order."""
    return Claim(
        IN_ORDER,
        tuple(Falling(tuple((name, column) for name in ORDER)) for column in columns),
        section,
    )


def summary(number: str, loyalty: str, section: str, table: str, means: str) -> Item:
    """Table II or V."""
    return Item(
        "table",
        number,
        f"{loyalty.capitalize()} loyalty: wins over all games",
        section,
        cells=tuple(
            ItemCell(name, column, Rate(loyalty, name, seat=seat), published)
            for name in ORDER
            for column, seat, published in (
                (AS_BLACK, FIRST, SUMMARIES[loyalty][name]),
                (IN_BOTH_SEATS, "both", None),
            )
        ),
        claims=(order_claim(section, AS_BLACK),),
        choices=order_choices(loyalty),
        why=(*order_why(loyalty, AS_BLACK), random_why(loyalty)),
        notes=(
            "The paper does not say which games count. The ± fits the 7,500 that an agent "
            "begins, and the numbers are closest to the means of its two rows in table "
            f"{table}: {means}.",
        ),
        form="bars",
        axes=("", "wins in percent"),
    )


TABLE_II = summary("II", ZERO, "V.C", "I", "84.85, 64.25 and 2.35")
TABLE_V = summary("V", FULL, "V.D", "IV", "87.15, 52.35 and 1.0")
CLASSES = (RANDOM_NETWORKS, SMALL_WORLDS, ATTACHMENT)


def by_class(
    number: str, loyalty: str, section: str, means: str, claims: tuple[Claim, ...]
) -> Item:
    """Table III or VI."""
    return Item(
        "table",
        number,
        f"{loyalty.capitalize()} loyalty: wins by class of network",
        section,
        cells=tuple(
            ItemCell(
                name, column, Rate(loyalty, name, seat=FIRST, boards=boards_of(column)), published
            )
            for (name, column), published in BY_CLASS[loyalty].items()
        ),
        claims=(order_claim(section, *CLASSES), *claims),
        choices=order_choices(loyalty),
        why=order_why(loyalty, *CLASSES),
        notes=(
            "Wins in percent as Black against both others, on five networks of each class.",
            "The published classes have equally many networks, but do not average to the "
            f"published numbers over all games: {means}.",
        ),
    )


def best_class(agent: str, best: str, section: str) -> Claim:
    """The claim that an agent wins more on one class than on each of the others."""
    return Claim(
        f"{agent} wins the most on {best} networks.",
        tuple(Falling(((agent, best), (agent, each))) for each in CLASSES if each != best),
        section,
    )


TABLE_III = by_class(
    "III",
    ZERO,
    "V.C",
    "MCTS 82.9, in table II 85.3; Alpha-Beta 63.4 and 64.1; Random 2.7 and 2.38",
    (best_class(MCTS, ATTACHMENT, "V.C"),),
)
TABLE_VI = by_class(
    "VI",
    FULL,
    "V.D",
    "MCTS 87.6, in table V 87.5; Alpha-Beta 48.6 and 50.0; Random 1.1 and 1.0",
    (
        best_class(MCTS, ATTACHMENT, "V.D"),
        best_class(ALPHA_BETA, SMALL_WORLDS, "V.D"),
        Claim(
            "Alpha-Beta wins the least on Random networks.",
            tuple(
                Falling(((ALPHA_BETA, each), (ALPHA_BETA, RANDOM_NETWORKS)))
                for each in (SMALL_WORLDS, ATTACHMENT)
            ),
            "V.D",
        ),
    ),
)


# -- section V.D: one loyalty beside the other -------------------------------------------------

COMPARED = (MCTS_FIRST, ALPHA_BETA_FIRST, AGAINST_RANDOM)
MORE_AT_FULL = "MCTS wins more against Alpha-Beta at full loyalty than at zero loyalty."
WORSE_AT_FULL = "Alpha-Beta does worse at full loyalty."


def loyalty_cells() -> Iterable[ItemCell]:
    """Rows of tables I and IV side by side."""
    for loyalty in LOYALTIES:
        for row in AGENT_RESULTS[loyalty]:
            if row.name in COMPARED:
                yield ItemCell(
                    row.name,
                    f"{WR}, {loyalty}",
                    black_rate(loyalty, row),
                    Number(row.wins, row.margin),
                )
                yield ItemCell(
                    row.name,
                    f"{DR}, {loyalty}",
                    black_rate(loyalty, row, "draw"),
                    Number(row.draws, trials=GAMES_OF_A_ROW),
                )


def _more(row: str, rate: str, more: str, less: str, choice: str | None = None) -> Falling:
    """A check that a rate is larger at one loyalty than at the other, perhaps under a choice."""
    columns = (f"{rate}, {loyalty}" for loyalty in (more, less))
    named = (each if choice is None else under(each, choice) for each in columns)
    return Falling(tuple((row, column) for column in named))


SECTION_V_D = Item(
    "section",
    "V.D",
    "Full loyalty beside zero loyalty",
    "V.C, V.D",
    cells=tuple(loyalty_cells()),
    claims=(
        Claim(MORE_AT_FULL, (_more(MCTS_FIRST, WR, FULL, ZERO),), "V.D"),
        Claim(WORSE_AT_FULL, tuple(_more(row, WR, ZERO, FULL) for row in COMPARED[1:]), "V.D"),
        Claim(
            "Both draw more at full loyalty.",
            tuple(_more(row, DR, FULL, ZERO) for row in COMPARED),
            "V.D",
        ),
    ),
    choices=(
        ItemChoice(
            OPEN_DEPTH_1.label,
            {**DEPTH_1.choice(ZERO).instead, **OPEN_DEPTH_1.choice(FULL).instead},
            OPEN_DEPTH_1.about,
        ),
        DEPTH_1.choice(ZERO, FULL),
    ),
    why=(
        Why(
            "With Alpha-Beta of depth 4 it is the other way round. At depth 1, with an owned "
            "vertex counting only in parity, it does worse at full loyalty and MCTS does "
            "better, as published.",
            (
                _more(ALPHA_BETA_FIRST, WR, FULL, ZERO),
                _more(MCTS_FIRST, WR, FULL, ZERO, OPEN_DEPTH_1.label),
                *(_more(row, WR, ZERO, FULL, OPEN_DEPTH_1.label) for row in COMPARED[1:]),
            ),
            (MORE_AT_FULL, WORSE_AT_FULL, *(f"{WR}, {each}" for each in LOYALTIES)),
        ),
    ),
    notes=(_ROWS,),
)


# -- section V.B: draws ------------------------------------------------------------------------

ENDS = {
    ZERO: {"endless, no winner": "an endless cascade", "equal tokens": "the budgets are spent"},
    FULL: {
        "equal, all owned": "every vertex is owned",
        "equal, tokens spent": "the budgets are spent",
    },
}
PAIRINGS = ((MCTS, ALPHA_BETA), (MCTS, RANDOM), (ALPHA_BETA, RANDOM))
SECTION_V_B = Item(
    "section",
    "V.B",
    "How drawn games end",
    "V.B",
    cells=(
        *(
            ItemCell(
                f"{one}, {other}",
                f"{loyalty}: {end}",
                Rate(loyalty, one, (other,), counts="draw", reason=reason),
            )
            for one, other in PAIRINGS
            for loyalty, ends in ENDS.items()
            for end, reason in ends.items()
        ),
        *(
            ItemCell(
                f"{one}, {other}",
                f"zero: drawn on {each}",
                Rate(ZERO, one, (other,), counts="draw", boards=boards_of(each)),
            )
            for one, other in PAIRINGS
            for each in CLASSES
        ),
    ),
    claims=(
        Claim(
            "At zero loyalty a draw is an endless game that neither colour wins; games with "
            "equal numbers of tokens are less than 1%.",
            tuple(
                Between(f"{one}, {other}", "zero: equal tokens", high=1) for one, other in PAIRINGS
            ),
            "V.B",
        ),
    ),
    notes=(
        "Percentages of all games, whoever begins. The paper does not say what a draw is at "
        "full loyalty.",
        "How many games are drawn depends on the networks, which are ours.",
    ),
)


# -- figures 4 and 5, section V.E --------------------------------------------------------------

FIFTHS = {"Top 20%": "top", "Rest": "rest", "Lower 20%": "lowest"}
TOP = "Top 20%"
OPPONENTS = {MCTS: (ALPHA_BETA, RANDOM), ALPHA_BETA: (MCTS, RANDOM)}


def central_cells(loyalty: str) -> Iterable[ItemCell]:
    """Where an agent moves as Black, in all games and in those that it won.

    Cells of single opponents and of Random are ours.
    """
    for (name, games), published in CENTRAL[loyalty].items():
        for (column, fifth), value in zip(FIFTHS.items(), published, strict=True):
            yield ItemCell(
                f"{name}, {games}",
                column,
                central_share(loyalty, name, fifth, won=games == "games won"),
                Number(value),
            )
    for name, others in OPPONENTS.items():
        for other in others:
            for column, fifth in FIFTHS.items():
                yield ItemCell(
                    f"{name}, against {other}", column, central_share(loyalty, name, fifth, other)
                )
    for column, fifth in FIFTHS.items():
        yield ItemCell(f"{RANDOM}, all games", column, central_share(loyalty, RANDOM, fifth))


def central_share(
    loyalty: str, agent: str, fifth: str, *opponents: str, won: bool = False
) -> Share:
    """The share of Black's moves on a fifth of the vertices."""
    return Share(loyalty, agent, CENTRAL_NETWORK, fifth, opponents, seat=FIRST, won=won)


def central_item(number: str, loyalty: str, claims: tuple[Claim, ...]) -> Item:
    """Figure 4 or 5."""
    return Item(
        "figure",
        number,
        f"{loyalty.capitalize()} loyalty: moves on central vertices",
        "V.E",
        cells=tuple(central_cells(loyalty)),
        claims=claims,
        choices=tuple(
            each.choice(loyalty) for each in (DEPTH_1, MORE_ITERATIONS, BY_INDEX, TWO_PLIES)
        ),
        notes=(
            "The games of the table of agents on the network of 24 vertices and 70 edges, with the "
            "agent as Black. A fifth is 5 vertices, by degree: 20.8% of them.",
            "In the text the figure's numbers are separate from its bars. We assigned each to "
            "a bar so that bars add up to 100 and the statements of section V.E hold.",
            "Random is not in the paper: it shows the shares without any preference. At full "
            "loyalty a vertex that has fired is closed, and vertices of low degree close "
            "first.",
        ),
        form="stacked",
        axes=("", "moves in percent"),
    )


FIGURE_4 = central_item(
    "4",
    ZERO,
    (
        Claim(
            "MCTS has no strong preference: about 20% of its moves go to the top fifth, in all "
            "games and in those that it wins (read as 15 to 25).",
            tuple(Between(f"{MCTS}, {games}", TOP, 15, 25) for games in ("all games", "games won")),
            "V.E",
        ),
        Claim(
            "Alpha-Beta chooses the top fifth less often than by chance.",
            (Between(f"{ALPHA_BETA}, all games", TOP, high=20),),
            "V.E",
        ),
    ),
)
FIGURE_5 = central_item(
    "5",
    FULL,
    (
        Claim(
            "MCTS prefers the top fifth: about 30% of its moves, in all games and in those that "
            "it wins (read as more than 25).",
            tuple(Between(f"{MCTS}, {games}", TOP, low=25) for games in ("all games", "games won")),
            "V.E, V.G",
        ),
        Claim(
            "Alpha-Beta chooses the top fifth in about 20% of its moves (read as 15 to 25).",
            (Between(f"{ALPHA_BETA}, all games", TOP, 15, 25),),
            "V.E",
        ),
    ),
)
SECTION_V_E = Item(
    "section",
    "V.E",
    "Moves on the top fifth at both loyalties",
    "V.E",
    cells=tuple(
        ItemCell(
            name,
            loyalty,
            central_share(loyalty, name, "top"),
            Number(CENTRAL[loyalty][name, "all games"][0]) if name != RANDOM else None,
        )
        for name in ORDER
        for loyalty in LOYALTIES
    ),
    claims=(
        Claim(
            "MCTS and Alpha-Beta choose the top fifth more often at full loyalty.",
            tuple(Falling(((name, FULL), (name, ZERO))) for name in (MCTS, ALPHA_BETA)),
            "V.E",
        ),
    ),
    choices=(DEPTH_1.choice(ZERO, FULL),),
    notes=("The first bars of figures 4 and 5, in percent, side by side.",),
    form="bars",
    axes=("", "moves in percent"),
)


# -- figures 6 and 7, section V.F --------------------------------------------------------------

AS_DEGREE, BELOW_DEGREE = "Threshold = Degree", "Threshold << Degree"


def hub_share(games: str, agent: str) -> Share:
    """The share of Black's moves on the two hubs."""
    return Share(games, agent, CENTRAL_NETWORK, TWO_HUBS, seat=FIRST)


def hub_choice(*loyalties: str) -> ItemChoice:
    """The choice of depth 1 for Alpha-Beta, with thresholds of both kinds."""
    instead = {
        name: f"{name}, depth 1"
        for loyalty in loyalties
        for name in (loyalty, f"{loyalty}, cheap hubs")
    }
    return ItemChoice(DEPTH_1.label, instead, "Looks one move ahead instead of four.")


def hub_item(number: str, loyalty: str) -> Item:
    """Figure 6 or 7."""
    games = {AS_DEGREE: loyalty, BELOW_DEGREE: f"{loyalty}, cheap hubs"}
    return Item(
        "figure",
        number,
        f"{loyalty.capitalize()} loyalty: moves on two hubs",
        "V.F",
        cells=tuple(
            ItemCell(name, column, hub_share(games[column], name), Number(value))
            for name, published in HUBS[loyalty].items()
            for column, value in zip(games, published, strict=True)
        ),
        claims=tuple(
            Claim(
                f"{name} prefers the hubs when their threshold is low.",
                (Falling(((name, BELOW_DEGREE), (name, AS_DEGREE))),),
                "V.F",
            )
            for name in HUBS[loyalty]
        ),
        choices=(hub_choice(loyalty),),
        notes=(
            "The two vertices of degree 10, with that threshold and with 5. As in section V.E the "
            "agent is Black, against the other agent and Random in 250 games each.",
        ),
        form="bars",
        axes=("", "moves in percent"),
    )


FIGURE_6, FIGURE_7 = hub_item("6", ZERO), hub_item("7", FULL)
SECTION_V_F = Item(
    "section",
    "V.F",
    "How many times as often moves go to the hubs when their threshold is low",
    "V.F",
    cells=tuple(
        ItemCell(
            name,
            loyalty,
            MeasureRatio(hub_share(f"{loyalty}, cheap hubs", name), hub_share(loyalty, name)),
        )
        for name in (MCTS, ALPHA_BETA)
        for loyalty in LOYALTIES
    ),
    claims=(
        Claim(
            "Low thresholds matter more at zero loyalty than at full loyalty, to both agents.",
            tuple(Falling(((name, ZERO), (name, FULL))) for name in (MCTS, ALPHA_BETA)),
            "V.F",
        ),
    ),
    notes=(
        "From figures 6 and 7. The published numbers give 2.3 and 1.4 for MCTS, and 2.7 and "
        "1.2 for Alpha-Beta.",
    ),
)


# -- section V.A -------------------------------------------------------------------------------


def network_cells() -> Iterable[ItemCell]:
    """The size of every network, and the ranges that the paper gives."""
    published: dict[str, Number | str] = {
        "vertices": Number(24),
        "edges": Number(70),
        "top degrees": "10 and 10",
    }
    for board in ALL:
        for column in ("vertices", "edges", "tokens", "top degrees"):
            value = published.get(column) if board == CENTRAL_NETWORK else None
            yield ItemCell(board, column, Fact("networks", ("sizes", board, column)), value)
    for end, vertices, edges in (("fewest", 14, 19), ("most", 88, 258)):
        yield ItemCell(end, "vertices", Fact("networks", (end, "vertices")), Number(vertices))
        yield ItemCell(end, "edges", Fact("networks", (end, "edges")), Number(edges))


SECTION_V_A = Item(
    "section",
    "V.A",
    "The fifteen networks",
    "V.A, V.E, V.F",
    cells=tuple(network_cells()),
    notes=(
        "The paper gives the three classes, the fewest and the most vertices and edges, and "
        "the network of 24 vertices and 70 edges with its two hubs of degree 10. Everything "
        "else is ours: sizes evenly spread on a logarithmic scale from 14 to 88, assigned to "
        "the classes in turn. The network with the hubs has the first seed that gives these "
        "degrees.",
        "er is a random network, ws a small world, ba grows by preferential attachment. Tokens are "
        "those of both players, top degrees the two highest.",
    ),
    form="networks",
    curves=("networks",),
)


# -- table VII ---------------------------------------------------------------------------------

LINEAR, OTHER_HEURISTICS = "Linear", tuple(name for name in HEURISTICS if name != "Linear")
BOTH_LOYALTIES = ("Zero Loyalty WR%", "Full Loyalty WR%")


def heuristic_rate(loyalty: str, name: str) -> MeanRate:
    """The wins of an evaluation as Black, with equal weight for its seven opponents."""
    return MeanRate(
        (
            *(
                Rate(RIVALS.among(loyalty), name, (other,), FIRST)
                for other in HEURISTICS
                if other != name
            ),
            *(
                Rate(RIVALS.against(loyalty, other), name, (other,), FIRST)
                for other in (MCTS, RANDOM)
            ),
        )
    )


def rivals_choice(label: str, rivals: Rivals, about: str) -> ItemChoice:
    """The choice of other games for those of table VII."""
    instead = {
        name: other
        for loyalty in rivals.loyalties
        for name, other in zip(RIVALS.all_names(loyalty), rivals.all_names(loyalty), strict=True)
    }
    return ItemChoice(label, instead, about)


def heuristic_order(column: str, groups: tuple[tuple[str, ...], ...]) -> tuple[Falling, ...]:
    """Checks that each of a group wins more than each of the next group."""
    return tuple(
        Falling(((better, column), (worse, column)))
        for group, following in pairwise(groups)
        for better in group
        for worse in following
    )


LINEAR_FIRST = "The linear combination wins the most at both loyalties."
ORDER_AT_FULL = "The order at full loyalty: linear, parity, general, hubs, mobility, stability."
ALL_BELOW_40 = "All others win less than 40% at zero loyalty."
ORDER_AT_ZERO = (
    "The order at zero loyalty: linear; general and parity; hubs and mobility; stability."
)
GROUPS_AT_ZERO = ((LINEAR,), ("General", "Parity"), ("Hubs", "Mobility"), ("Stability",))
OPEN_ONLY = "only open vertices, two random plies"
OWN_VALUES = "own values, two random plies"


def heuristic_why() -> tuple[Why, ...]:
    """What the order of the evaluations depends on, at either loyalty."""
    zero, column = BOTH_LOYALTIES
    counted, left_out = (under(column, label) for label in (TWO_PLIES.label, OPEN_ONLY))
    own = under(zero, OWN_VALUES)
    return (
        Why(
            "At zero loyalty the order depends on what stability, hubs and mobility count. "
            "Ours count the lead over the other player, and with them hubs and stability win "
            "more than published. The paper speaks of a value for each player: if these three "
            "count only the player's own value, and all tokens on a vertex one short of "
            "firing are unstable, then parity and general are ahead of hubs and mobility, "
            "stability is last, as published, and linear is ahead of general.",
            (
                *(
                    Between(name, each, low=least)
                    for name, least in (("Stability", 20), ("Hubs", 28))
                    for each in (zero, under(zero, TWO_PLIES.label))
                ),
                *heuristic_order(own, GROUPS_AT_ZERO[1:]),
                Falling(((LINEAR, own), ("General", own))),
            ),
            (zero, ORDER_AT_ZERO, ALL_BELOW_40),
        ),
        Why(
            "At full loyalty the order depends on which features count an owned vertex; the "
            "paper does not say. If stability, hubs and general count it, general and hubs "
            "are ahead of parity. If only parity does, the order is as published: linear, "
            "parity, general, and then stability, with hubs and mobility behind parity.",
            (
                *(
                    Falling(((name, each), ("Parity", each)))
                    for each in (column, counted)
                    for name in ("General", "Hubs")
                ),
                Falling(
                    tuple((name, left_out) for name in (LINEAR, "Parity", "General", "Stability"))
                ),
                *(
                    Falling((("Parity", left_out), (name, left_out)))
                    for name in ("Hubs", "Mobility")
                ),
            ),
            (column, LINEAR_FIRST, ORDER_AT_FULL),
        ),
    )


TABLE_VII = Item(
    "table",
    "VII",
    "Alpha-Beta: its evaluations",
    "Appendix C",
    cells=tuple(
        ItemCell(name, column, heuristic_rate(loyalty, name), value)
        for name, published in HEURISTICS.items()
        for column, loyalty, value in zip(BOTH_LOYALTIES, LOYALTIES, published, strict=True)
    ),
    claims=(
        Claim(
            LINEAR_FIRST,
            tuple(
                Falling(((LINEAR, column), (name, column)))
                for column in BOTH_LOYALTIES
                for name in OTHER_HEURISTICS
            ),
            "Appendix C",
        ),
        Claim(
            ALL_BELOW_40,
            tuple(Between(name, BOTH_LOYALTIES[0], high=40) for name in OTHER_HEURISTICS),
            "Appendix C",
        ),
        Claim(ORDER_AT_ZERO, heuristic_order(BOTH_LOYALTIES[0], GROUPS_AT_ZERO), "Appendix C"),
        Claim(
            ORDER_AT_FULL,
            heuristic_order(
                BOTH_LOYALTIES[1],
                ((LINEAR,), ("Parity",), ("General",), ("Hubs",), ("Mobility",), ("Stability",)),
            ),
            "Appendix C",
        ),
    ),
    choices=(
        rivals_choice(
            TWO_PLIES.label,
            RIVALS_TWO_PLIES,
            "Each game begins with a random move by each side, so that no two games are the "
            "same. On the nine networks with at most 40 vertices; quick uses three.",
        ),
        rivals_choice(
            "depth 1",
            RIVALS_DEPTH_1,
            "Looks one move ahead instead of four. On the nine networks with at most 40 "
            "vertices; quick uses three.",
        ),
        rivals_choice(
            OPEN_ONLY,
            RIVALS_OPEN,
            "At full loyalty an owned vertex counts only in parity; in the item's own games "
            "it counts in everything except mobility. The other settings are those of two "
            "random plies.",
        ),
        rivals_choice(
            OWN_VALUES,
            RIVALS_OWN,
            "Stability, hubs, mobility and linear count the player's own value and not the "
            "lead in it; all tokens on a vertex one short of firing are unstable. The other "
            "settings are those of two random plies.",
        ),
    ),
    why=heuristic_why(),
    notes=(
        "Wins as Black against the five others, MCTS and Random, all with equal weight.",
        "Two evaluations always play the same game from the empty board: one game for each "
        "seat and network stands for the paper's 100. The intervals of the measured numbers "
        "follow from the games that were played.",
        "The paper's 15 · 700 games are 10,500, which fits the ±, not 15,000. Its text says "
        "that all others are below 50% at full loyalty; its table has parity at 50.9.",
    ),
    form="bars",
    axes=("", "wins in percent"),
)


# -- appendix B --------------------------------------------------------------------------------

WON_70, LEARNS_NOTHING = "won at least 70%, in percent", "a second copy that learns nothing"
ORDER_OF_WEIGHTS = "General has the largest weight, then hubs, parity, mobility and stability."
SCALED, AS_LEARNED = "weight, scaled", "weight, as learned"
SECTION_B = Item(
    "section",
    "B",
    "Learning the weights of the linear combination",
    "Appendix B, V.A",
    cells=(
        *(
            ItemCell(name, SCALED, Fact("learning", ("scaled", name)), Number(value))
            for name, value in WEIGHTS.items()
        ),
        *(ItemCell(name, AS_LEARNED, Fact("learning", ("weights", name))) for name in WEIGHTS),
        ItemCell(
            "simulations",
            WON_70,
            Fact("learning", ("kept_share",)),
            Number(100 * KEPT / SIMULATIONS, trials=SIMULATIONS),
        ),
        ItemCell("simulations", "won at least 70%", Fact("learning", ("kept",))),
        ItemCell("simulations", "in all", Fact("learning", ("simulations",))),
        ItemCell("simulations", "averaged", Fact("learning", ("averaged",))),
    ),
    claims=(
        Claim(
            ORDER_OF_WEIGHTS,
            (
                Falling(
                    tuple(
                        (name, SCALED)
                        for name in ("general", "hubs", "parity", "mobility", "stability")
                    )
                ),
            ),
            "V.A",
        ),
    ),
    choices=(
        ItemChoice(
            LEARNS_NOTHING,
            {"learning": FROZEN},
            "The copy keeps the weights that both begin with, all 0: it takes wins, avoids "
            "losses and otherwise moves at random.",
        ),
    ),
    why=(
        Why(
            "How many simulations win 70% of their games depends on the second copy: hardly "
            "any if it learns as well, nearly all if it learns nothing. The published 8 of 20 "
            "lie in between.",
            (
                Between("simulations", WON_70, high=100 * (KEPT - 1) / SIMULATIONS),
                Between(
                    "simulations", under(WON_70, LEARNS_NOTHING), low=100 * (KEPT + 1) / SIMULATIONS
                ),
            ),
            (WON_70,),
        ),
        Why(
            "The weights depend on it too: hubs get more weight against a copy that learns, "
            "mobility against one that does not. The paper does not say what its copy did.",
            (
                Falling((("hubs", SCALED), ("hubs", under(SCALED, LEARNS_NOTHING)))),
                Falling((("mobility", under(SCALED, LEARNS_NOTHING)), ("mobility", SCALED))),
            ),
            (SCALED, ORDER_OF_WEIGHTS),
        ),
    ),
    notes=(
        "The printed update multiplies the weight by the correction, which would leave a "
        "weight of 0 at 0 for ever. LMS adds the correction, and so do we.",
        "The scales of the features are ours, and so are those of the weights. The weights of "
        "each simulation are therefore also scaled so that their absolute values add up to "
        "1.16, like those of the published weights, and then averaged.",
        "The paper's weights are the means of the 8 simulations of 20 in which the learner "
        "won at least 70%. That all are averaged if fewer than two do so is ours.",
        "Also ours: weights begin at 0. The second copy learns too, with weights of its own; "
        "the paper has a copy of the learner and does not say whether it learns. Each game "
        "has a new network: the paper gives its 15 to 25 vertices, but not its class, one of "
        "three, nor its two or three edges for each vertex.",
    ),
    form="curves",
    curves=("learning",),
)

PAPER = Paper(
    name="spread-it",
    title="Spread-It: A Strategic Game of Competitive Diffusion through Social Networks",
    authors="Shimon Ben-Ishay, Alon Sela, Irad E. Ben-Gal",
    source="IEEE Transactions on Games, June 2019, pages 129-141, doi:10.1109/TG.2018.2806302",
    game="spread-it",
    items=(
        SECTION_V_A,
        TABLE_I,
        TABLE_II,
        TABLE_III,
        TABLE_IV,
        TABLE_V,
        TABLE_VI,
        SECTION_V_B,
        SECTION_V_D,
        FIGURE_4,
        FIGURE_5,
        SECTION_V_E,
        FIGURE_6,
        FIGURE_7,
        SECTION_V_F,
        TABLE_VII,
        SECTION_B,
    ),
    games=GAMES,
    computed=COMPUTED,
    about="MCTS is plain UCT: it proves nothing and keeps no tree between moves. Alpha-Beta always "
    "searches its full depth. Black has the extra token where 2m − n is odd. Where the paper gives "
    "no number, as with the scales of its features, ours are in docs/evaluations.md.",
)
