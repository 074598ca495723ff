"""Spread-It: tables I to VI and what goes with them, the rates of games won and drawn."""

from collections.abc import Iterable
from typing import NamedTuple

from topple.papers.data.spread_it_games import (
    DEPTH_1,
    LOYALTIES,
    NETWORKS,
    NO_EVALUATION,
    OPEN_DEPTH_1,
    SMALL_ONLY,
    VARIANTS,
    Variant,
)
from topple.papers.data.spread_it_tables import (
    AGENT_RESULTS,
    ALPHA_BETA,
    ATTACHMENT,
    BY_CLASS,
    FULL,
    GAMES_OF_A_ROW,
    MCTS,
    ORDER,
    RANDOM,
    RANDOM_NETWORKS,
    SMALL_WORLDS,
    SUMMARIES,
    ZERO,
    AgentResult,
)
from topple.papers.paper import (
    FIRST,
    Between,
    Cell,
    Choice,
    Claim,
    Falling,
    Item,
    Number,
    Rate,
    Why,
    under,
)

WR, DR, WLR = "WR%", "DR%", "WLR%"
MCTS_FIRST, ALPHA_BETA_FIRST = f"{MCTS} – {ALPHA_BETA}", f"{ALPHA_BETA} – {MCTS}"


# -- tables I and IV ---------------------------------------------------------------------------


def agent_cells(loyalty: str) -> Iterable[Cell]:
    """How Black fared, row by row."""
    for row in AGENT_RESULTS[loyalty]:
        decided = round(GAMES_OF_A_ROW * (1 - row.draws / 100))
        yield Cell(row.name, WR, black_rate(loyalty, row), Number(row.wins, row.margin))
        yield Cell(row.name, DR, black_rate(loyalty, row, "draw"),
                   Number(row.draws, trials=GAMES_OF_A_ROW))  # fmt: skip
        yield Cell(row.name, WLR, black_rate(loyalty, row, "win-loss"),
                   Number(row.wins_of_decided, trials=decided))  # fmt: skip


def black_rate(loyalty: str, row: AgentResult, counts: str = "win") -> Rate:
    """What measures Black of a row."""
    return Rate(loyalty, row.black, (row.red,), FIRST, counts)


def boards_of(column: str) -> tuple[str, ...]:
    """The networks of a class."""
    return tuple(board for board, each in NETWORKS.items() if each == column)


AGAINST_RANDOM, RANDOM_FIRST = f"{ALPHA_BETA} – {RANDOM}", f"{RANDOM} – {ALPHA_BETA}"
MCTS_AHEAD = "MCTS wins more as Black against Alpha-Beta than Alpha-Beta against MCTS."


def agent_claims(section: str) -> tuple[Claim, ...]:
    """The order of the agents, each of two as Black."""
    return (
        Claim(
            MCTS_AHEAD,
            (Falling(((MCTS_FIRST, WR), (ALPHA_BETA_FIRST, WR))),), section,
        ),
        Claim(
            "Both win far more against Random than Random against them.",
            tuple(
                Falling(((f"{name} – {RANDOM}", WR), (f"{RANDOM} – {name}", WR)))
                for name in (MCTS, ALPHA_BETA)
            ), section,
        ),
        Claim(
            "Random wins less than 1% as Black against MCTS.",
            (Between(f"{RANDOM} – {MCTS}", WR, high=1),), section,
        ),
    )  # fmt: skip


class Decider(NamedTuple):
    """The variant at a loyalty that brings the published order about, in words."""

    variant: Variant
    decides: str
    then: str


DECIDERS = {
    ZERO: Decider(DEPTH_1, "The depth that Alpha-Beta looks ahead decides the order.",
                  "at depth 1, all else equal,"),
    FULL: Decider(OPEN_DEPTH_1, "The depth that Alpha-Beta looks ahead decides the order, together "
                  "with what an owned vertex counts.",
                  "at depth 1, where an owned vertex counts in parity alone,"),
}  # fmt: skip


def agent_why(loyalty: str) -> tuple[Why, ...]:
    """What decides who is ahead, by the choices; each is set beside the same networks."""
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
            "So does its evaluation, whose features the paper gives without scales. At depth 4 "
            "without an evaluation Alpha-Beta is behind MCTS on the very networks where it is "
            "ahead with one.",
            (ahead(), ahead(under(WR, SMALL_ONLY.label)), behind(NO_EVALUATION.label)),
            explains,
        ),
        Why(
            "Alpha-Beta of depth 4 loses hardly a game to Random; of depth 1 it does.",
            (
                Between(RANDOM_FIRST, WR, high=1.5),
                Falling(((AGAINST_RANDOM, WR), (AGAINST_RANDOM, under(WR, decider.variant.label)))),
            ),
            (AGAINST_RANDOM, RANDOM_FIRST),
        ),
    )


_ROWS = "Rows are Black – Red; rates are Black's."
TABLE_I = Item(
    "table", "I", "Zero loyalty: agent results", "V.C",
    cells=tuple(agent_cells(ZERO)),
    claims=agent_claims("V.C"),
    choices=tuple(variant.choice(ZERO) for variant in VARIANTS),
    why=agent_why(ZERO),
    notes=(
        _ROWS,
        "WLR% follows from WR% and DR%, but not in print for Alpha-Beta – Random (97.9, not 97.6) "
        "and MCTS – Alpha-Beta (74.0, not 73.2).",
    ),
)  # fmt: skip
TABLE_IV = Item(
    "table", "IV", "Full loyalty: agent results", "V.D",
    cells=tuple(agent_cells(FULL)),
    claims=agent_claims("V.D"),
    choices=tuple(variant.choice(FULL) for variant in (OPEN_DEPTH_1, *VARIANTS)),
    why=agent_why(FULL),
    notes=(_ROWS,),
)  # fmt: skip


# -- tables II, III, V and VI ------------------------------------------------------------------

IN_ORDER = "MCTS wins the most, then Alpha-Beta, then Random."
AS_BLACK, IN_BOTH_SEATS = "WR% as Black", "WR% in both seats"


def order_why(loyalty: str, *columns: str) -> tuple[Why, ...]:
    """Why agents do not stand in the published order.

    At zero loyalty many games on small worlds are drawn, and the two are close there.
    """
    decider = DECIDERS[loyalty]
    apart = [each for each in columns if (loyalty, each) != (ZERO, SMALL_WORLDS)]
    label = decider.variant.label
    return (
        Why(
            f"{decider.decides} At depth 4, the paper's, it wins more than MCTS; {decider.then} "
            "agents stand in the published order.",
            (
                *(Falling(((ALPHA_BETA, column), (MCTS, column))) for column in apart),
                *(Falling(tuple((name, under(column, label)) for name in ORDER))
                  for column in columns),
            ),
            (IN_ORDER, MCTS, ALPHA_BETA),
        ),
    )  # fmt: skip


def random_why(loyalty: str) -> Why:
    """Why Random wins less than published."""
    published = SUMMARIES[loyalty][RANDOM]
    label = DECIDERS[loyalty].variant.label
    return Why(
        "Random wins hardly a game where Alpha-Beta looks 4 moves ahead, and more where it looks "
        "one ahead.",
        (
            Between(RANDOM, AS_BLACK, high=published.value - (published.margin or 0)),
            Falling(((RANDOM, under(AS_BLACK, label)), (RANDOM, AS_BLACK))),
        ),
        (RANDOM,),
    )


def order_choices(loyalty: str) -> tuple[Choice, ...]:
    """The choices that the order is looked at under."""
    variants = {ZERO: (DEPTH_1,), FULL: (OPEN_DEPTH_1, DEPTH_1)}
    return tuple(variant.choice(loyalty) for variant in variants[loyalty])


def order_claim(section: str, *columns: str) -> Claim:
    """The agents in the published order."""
    return Claim(
        IN_ORDER,
        tuple(Falling(tuple((name, column) for name in ORDER)) for column in columns), section,
    )  # fmt: skip


def summary(number: str, loyalty: str, section: str, table: str, means: str) -> Item:
    """Table II or V."""
    return Item(
        "table", number, f"{loyalty.capitalize()} loyalty: wins over all games", section,
        cells=tuple(
            Cell(name, column, Rate(loyalty, name, seat=seat), published)
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
            f"Which games count is not said. The ± fits the 7,500 that an agent begins, and the "
            f"numbers are nearest to the means of its two rows in table {table}: {means}.",
        ),
        form="bars",
        axes=("", "wins in percent"),
    )  # fmt: skip


TABLE_II = summary("II", ZERO, "V.C", "I", "84.85, 64.25 and 2.35")
TABLE_V = summary("V", FULL, "V.D", "IV", "87.15, 52.35 and 1.0")
CLASSES = (RANDOM_NETWORKS, SMALL_WORLDS, ATTACHMENT)


def by_class(
    number: str, loyalty: str, section: str, means: str, claims: tuple[Claim, ...]
) -> Item:
    """Table III or VI."""
    return Item(
        "table", number, f"{loyalty.capitalize()} loyalty: wins by class of network", section,
        cells=tuple(
            Cell(name, column, Rate(loyalty, name, seat=FIRST, boards=boards_of(column)), published)
            for (name, column), published in BY_CLASS[loyalty].items()
        ),
        claims=(order_claim(section, *CLASSES), *claims),
        choices=order_choices(loyalty),
        why=order_why(loyalty, *CLASSES),
        notes=(
            "Wins in percent as Black against both others, on five networks of each class.",
            f"The published classes, equally many networks each, do not average to the published "
            f"numbers over all games: {means}.",
        ),
    )  # fmt: skip


def best_class(agent: str, best: str, section: str) -> Claim:
    """An agent wins more on one class than on each of the others."""
    return Claim(
        f"{agent} wins the most on {best} networks.",
        tuple(Falling(((agent, best), (agent, each))) for each in CLASSES if each != best),
        section,
    )


TABLE_III = by_class(
    "III", ZERO, "V.C",
    "MCTS 82.9, in table II 85.3; Alpha-Beta 63.4 and 64.1; Random 2.7 and 2.38",
    (best_class(MCTS, ATTACHMENT, "V.C"),),
)  # fmt: skip
TABLE_VI = by_class(
    "VI", FULL, "V.D",
    "MCTS 87.6, in table V 87.5; Alpha-Beta 48.6 and 50.0; Random 1.1 and 1.0",
    (
        best_class(MCTS, ATTACHMENT, "V.D"),
        best_class(ALPHA_BETA, SMALL_WORLDS, "V.D"),
        Claim(
            "Alpha-Beta wins the least on Random networks.",
            tuple(
                Falling(((ALPHA_BETA, each), (ALPHA_BETA, RANDOM_NETWORKS)))
                for each in (SMALL_WORLDS, ATTACHMENT)
            ), "V.D",
        ),
    ),
)  # fmt: skip


# -- section V.D: one loyalty beside the other -------------------------------------------------

COMPARED = (MCTS_FIRST, ALPHA_BETA_FIRST, AGAINST_RANDOM)
MORE_AT_FULL = "MCTS wins more against Alpha-Beta at full loyalty than at zero loyalty."
WORSE_AT_FULL = "Alpha-Beta fares worse at full loyalty."


def loyalty_cells() -> Iterable[Cell]:
    """Rows of tables I and IV side by side."""
    for loyalty in LOYALTIES:
        for row in AGENT_RESULTS[loyalty]:
            if row.name in COMPARED:
                yield Cell(row.name, f"{WR}, {loyalty}", black_rate(loyalty, row),
                           Number(row.wins, row.margin))  # fmt: skip
                yield Cell(row.name, f"{DR}, {loyalty}", black_rate(loyalty, row, "draw"),
                           Number(row.draws, trials=GAMES_OF_A_ROW))  # fmt: skip


def _more(row: str, rate: str, more: str, less: str, choice: str | None = None) -> Falling:
    """A rate is larger at one loyalty than at the other, perhaps under a choice."""
    columns = (f"{rate}, {loyalty}" for loyalty in (more, less))
    named = (each if choice is None else under(each, choice) for each in columns)
    return Falling(tuple((row, column) for column in named))


SECTION_V_D = Item(
    "section", "V.D", "Full loyalty beside zero loyalty", "V.C, V.D",
    cells=tuple(loyalty_cells()),
    claims=(
        Claim(MORE_AT_FULL,
              (_more(MCTS_FIRST, WR, FULL, ZERO),), "V.D"),
        Claim(WORSE_AT_FULL,
              tuple(_more(row, WR, ZERO, FULL) for row in COMPARED[1:]), "V.D"),
        Claim("Both draw more at full loyalty.",
              tuple(_more(row, DR, FULL, ZERO) for row in COMPARED), "V.D"),
    ),
    choices=(
        Choice(OPEN_DEPTH_1.label,
               {**DEPTH_1.choice(ZERO).instead, **OPEN_DEPTH_1.choice(FULL).instead},
               OPEN_DEPTH_1.about),
        DEPTH_1.choice(ZERO, FULL),
    ),
    why=(
        Why(
            "With Alpha-Beta of depth 4 it is the other way round. Of depth 1, where an owned "
            "vertex counts in parity alone, it fares worse at full loyalty, and MCTS better, as "
            "published.",
            (
                _more(ALPHA_BETA_FIRST, WR, FULL, ZERO),
                _more(MCTS_FIRST, WR, FULL, ZERO, OPEN_DEPTH_1.label),
                *(_more(row, WR, ZERO, FULL, OPEN_DEPTH_1.label) for row in COMPARED[1:]),
            ),
            (MORE_AT_FULL, WORSE_AT_FULL, *(f"{WR}, {each}" for each in LOYALTIES)),
        ),
    ),
    notes=(_ROWS,),
)  # fmt: skip


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
    "section", "V.B", "How drawn games end", "V.B",
    cells=(
        *(Cell(f"{one}, {other}", f"{loyalty}: {end}",
               Rate(loyalty, one, (other,), counts="draw", reason=reason))
          for one, other in PAIRINGS
          for loyalty, ends in ENDS.items()
          for end, reason in ends.items()),
        *(Cell(f"{one}, {other}", f"zero: drawn on {each}",
               Rate(ZERO, one, (other,), counts="draw", boards=boards_of(each)))
          for one, other in PAIRINGS for each in CLASSES),
    ),
    claims=(
        Claim("At zero loyalty a draw is an endless game that no colour wins; equal numbers of "
              "tokens are less than 1% of the games.",
              tuple(Between(f"{one}, {other}", "zero: equal tokens", high=1)
                    for one, other in PAIRINGS),
              "V.B"),
    ),
    notes=(
        "In percent of all games, whoever begins. What a draw is at full loyalty is not said.",
        "How many games are drawn depends on the networks, which are ours.",
    ),
)  # fmt: skip
