"""Spread-It: figures 4 to 7 and what goes with them, the vertices that agents choose."""

from collections.abc import Iterable

from topple.papers.data.spread_it_games import (
    BY_INDEX,
    CENTRAL_NETWORK,
    DEPTH_1,
    LOYALTIES,
    MORE_ITERATIONS,
    TWO_HUBS,
    TWO_PLIES,
)
from topple.papers.data.spread_it_tables import (
    ALPHA_BETA,
    CENTRAL,
    FULL,
    HUBS,
    MCTS,
    ORDER,
    RANDOM,
    ZERO,
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
    Ratio,
    Share,
)

# -- figures 4 and 5, section V.E --------------------------------------------------------------

FIFTHS = {"Top 20%": "top", "Rest": "rest", "Lower 20%": "lowest"}
TOP = "Top 20%"
OPPONENTS = {MCTS: (ALPHA_BETA, RANDOM), ALPHA_BETA: (MCTS, RANDOM)}


def central_cells(loyalty: str) -> Iterable[Cell]:
    """Where an agent that begins moves, in all games and in those that it won.

    Each opponent by itself is ours, and so is Random.
    """
    for (name, games), published in CENTRAL[loyalty].items():
        for (column, fifth), value in zip(FIFTHS.items(), published, strict=True):
            yield Cell(f"{name}, {games}", column,
                       central_share(loyalty, name, fifth, won=games == "games won"),
                       Number(value))  # fmt: skip
    for name, others in OPPONENTS.items():
        for other in others:
            for column, fifth in FIFTHS.items():
                yield Cell(f"{name}, against {other}", column,
                           central_share(loyalty, name, fifth, other))  # fmt: skip
    for column, fifth in FIFTHS.items():
        yield Cell(f"{RANDOM}, all games", column, central_share(loyalty, RANDOM, fifth))


def central_share(
    loyalty: str, agent: str, fifth: str, *opponents: str, won: bool = False
) -> Share:
    """Black's moves on a fifth of the vertices."""
    return Share(loyalty, agent, CENTRAL_NETWORK, fifth, opponents, seat=FIRST, won=won)


def central_item(number: str, loyalty: str, claims: tuple[Claim, ...]) -> Item:
    """Figure 4 or 5."""
    return Item(
        "figure", number, f"{loyalty.capitalize()} loyalty: moves on central vertices", "V.E",
        cells=tuple(central_cells(loyalty)),
        claims=claims,
        choices=tuple(
            each.choice(loyalty) for each in (DEPTH_1, MORE_ITERATIONS, BY_INDEX, TWO_PLIES)
        ),
        notes=(
            "The games of the table of agents on the network of 24 vertices and 70 edges, with the "
            "agent as Black. A fifth is 5 vertices, by degree: 20.8% of them.",
            "In the text the figure's numbers stand apart from its bars. Each was given to a bar "
            "so that bars add up to 100 and the words of section V.E hold.",
            "Random is not in the paper: it shows what moves without any preference come to. At "
            "full loyalty a vertex that has fired is closed, and those of low degree close first.",
        ),
        form="stacked",
        axes=("", "moves in percent"),
    )  # fmt: skip


FIGURE_4 = central_item(
    "4", ZERO,
    (
        Claim("MCTS has no strong preference: about 20% of its moves go to the top fifth, in all "
              "games and in those that it wins (read as 15 to 25).",
              tuple(Between(f"{MCTS}, {games}", TOP, 15, 25)
                    for games in ("all games", "games won")), "V.E"),
        Claim("Alpha-Beta chooses the top fifth less often than by chance.",
              (Between(f"{ALPHA_BETA}, all games", TOP, high=20),), "V.E"),
    ),
)  # fmt: skip
FIGURE_5 = central_item(
    "5", FULL,
    (
        Claim("MCTS prefers the top fifth: about 30% of its moves, in all games and in those that "
              "it wins (read as more than 25).",
              tuple(Between(f"{MCTS}, {games}", TOP, low=25)
                    for games in ("all games", "games won")), "V.E, V.G"),
        Claim("Alpha-Beta chooses the top fifth in about 20% of its moves (read as 15 to 25).",
              (Between(f"{ALPHA_BETA}, all games", TOP, 15, 25),), "V.E"),
    ),
)  # fmt: skip
SECTION_V_E = Item(
    "section", "V.E", "Moves on the top fifth at both loyalties", "V.E",
    cells=tuple(
        Cell(name, loyalty, central_share(loyalty, name, "top"),
             Number(CENTRAL[loyalty][name, "all games"][0]) if name != RANDOM else None)
        for name in ORDER
        for loyalty in LOYALTIES
    ),
    claims=(
        Claim("MCTS and Alpha-Beta choose the top fifth more often at full loyalty.",
              tuple(Falling(((name, FULL), (name, ZERO))) for name in (MCTS, ALPHA_BETA)), "V.E"),
    ),
    choices=(DEPTH_1.choice(ZERO, FULL),),
    notes=("The first bars of figures 4 and 5, in percent, side by side.",),
    form="bars",
    axes=("", "moves in percent"),
)  # fmt: skip


# -- figures 6 and 7, section V.F --------------------------------------------------------------

AS_DEGREE, BELOW_DEGREE = "Threshold = Degree", "Threshold << Degree"


def hub_share(games: str, agent: str) -> Share:
    """Black's moves on the two hubs."""
    return Share(games, agent, CENTRAL_NETWORK, TWO_HUBS, seat=FIRST)


def hub_choice(*loyalties: str) -> Choice:
    """Alpha-Beta of depth 1, with thresholds of both kinds."""
    instead = {
        name: f"{name}, depth 1"
        for loyalty in loyalties
        for name in (loyalty, f"{loyalty}, cheap hubs")
    }
    return Choice(DEPTH_1.label, instead, "One move ahead instead of four.")


def hub_item(number: str, loyalty: str) -> Item:
    """Figure 6 or 7."""
    games = {AS_DEGREE: loyalty, BELOW_DEGREE: f"{loyalty}, cheap hubs"}
    return Item(
        "figure", number, f"{loyalty.capitalize()} loyalty: moves on two hubs", "V.F",
        cells=tuple(
            Cell(name, column, hub_share(games[column], name), Number(value))
            for name, published in HUBS[loyalty].items()
            for column, value in zip(games, published, strict=True)
        ),
        claims=tuple(
            Claim(f"{name} prefers the hubs when their threshold is low.",
                  (Falling(((name, BELOW_DEGREE), (name, AS_DEGREE))),), "V.F")
            for name in HUBS[loyalty]
        ),
        choices=(hub_choice(loyalty),),
        notes=(
            "The two vertices of degree 10, with that threshold and with 5. As in section V.E the "
            "agent is Black, against the other agent and Random in 250 games each.",
        ),
        form="bars",
        axes=("", "moves in percent"),
    )  # fmt: skip


FIGURE_6, FIGURE_7 = hub_item("6", ZERO), hub_item("7", FULL)
SECTION_V_F = Item(
    "section", "V.F", "How many times as often low thresholds draw moves to the hubs", "V.F",
    cells=tuple(
        Cell(name, loyalty,
             Ratio(hub_share(f"{loyalty}, cheap hubs", name), hub_share(loyalty, name)))
        for name in (MCTS, ALPHA_BETA)
        for loyalty in LOYALTIES
    ),
    claims=(
        Claim("Low thresholds matter more at zero loyalty than at full loyalty, to both agents.",
              tuple(Falling(((name, ZERO), (name, FULL))) for name in (MCTS, ALPHA_BETA)), "V.F"),
    ),
    notes=("From figures 6 and 7. The published numbers come to 2.3 and 1.4 for MCTS, to 2.7 and "
           "1.2 for Alpha-Beta.",),
)  # fmt: skip
