"""Spread-It: the paper as a whole, its networks, evaluations and weights."""

from collections.abc import Iterable
from itertools import pairwise

from topple.papers.data.spread_it_figures import (
    FIGURE_4,
    FIGURE_5,
    FIGURE_6,
    FIGURE_7,
    SECTION_V_E,
    SECTION_V_F,
)
from topple.papers.data.spread_it_games import (
    ALL,
    CENTRAL_NETWORK,
    COMPUTED,
    FROZEN,
    GAMES,
    LOYALTIES,
    RIVALS,
    RIVALS_DEPTH_1,
    RIVALS_OPEN,
    RIVALS_OWN,
    RIVALS_TWO_PLIES,
    TWO_PLIES,
    Rivals,
)
from topple.papers.data.spread_it_rates import (
    SECTION_V_B,
    SECTION_V_D,
    TABLE_I,
    TABLE_II,
    TABLE_III,
    TABLE_IV,
    TABLE_V,
    TABLE_VI,
)
from topple.papers.data.spread_it_tables import HEURISTICS, KEPT, MCTS, RANDOM, SIMULATIONS, WEIGHTS
from topple.papers.paper import (
    FIRST,
    Between,
    Cell,
    Choice,
    Claim,
    Fact,
    Falling,
    Item,
    MeanRate,
    Number,
    Paper,
    Rate,
    Why,
    under,
)

# -- section V.A -------------------------------------------------------------------------------


def network_cells() -> Iterable[Cell]:
    """The size of every network, and the ranges that the paper gives."""
    published: dict[str, Number | str] = {
        "vertices": Number(24), "edges": Number(70), "top degrees": "10 and 10",
    }  # fmt: skip
    for board in ALL:
        for column in ("vertices", "edges", "tokens", "top degrees"):
            value = published.get(column) if board == CENTRAL_NETWORK else None
            yield Cell(board, column, Fact("networks", ("sizes", board, column)), value)
    for end, vertices, edges in (("fewest", 14, 19), ("most", 88, 258)):
        yield Cell(end, "vertices", Fact("networks", (end, "vertices")), Number(vertices))
        yield Cell(end, "edges", Fact("networks", (end, "edges")), Number(edges))


SECTION_V_A = Item(
    "section", "V.A", "The fifteen networks", "V.A, V.E, V.F",
    cells=tuple(network_cells()),
    notes=(
        "The paper gives the three classes, the fewest and the most vertices and edges, and the "
        "network of 24 vertices and 70 edges with its two hubs of degree 10. All else is ours: "
        "sizes on a logarithmic scale from 14 to 88, dealt to the classes in turn. The hubs' "
        "network has the first seed with these degrees.",
        "er is a random network, ws a small world, ba grows by preferential attachment. Tokens are "
        "those of both players, top degrees the two highest.",
    ),
    form="networks",
    curves=("networks",),
)  # fmt: skip


# -- table VII ---------------------------------------------------------------------------------

LINEAR, OTHER_HEURISTICS = "Linear", tuple(name for name in HEURISTICS if name != "Linear")
BOTH_LOYALTIES = ("Zero Loyalty WR%", "Full Loyalty WR%")


def heuristic_rate(loyalty: str, name: str) -> MeanRate:
    """The wins of an evaluation as Black, each of its seven opponents weighing the same."""
    return MeanRate((
        *(Rate(RIVALS.among(loyalty), name, (other,), FIRST) for other in HEURISTICS
          if other != name),
        *(Rate(RIVALS.against(loyalty, other), name, (other,), FIRST) for other in (MCTS, RANDOM)),
    ))  # fmt: skip


def rivals_choice(label: str, rivals: Rivals, about: str) -> Choice:
    """Other games of table VII in the place of its own."""
    instead = {
        name: other
        for loyalty in rivals.loyalties
        for name, other in zip(RIVALS.all_names(loyalty), rivals.all_names(loyalty), strict=True)
    }
    return Choice(label, instead, about)


def heuristic_order(column: str, groups: tuple[tuple[str, ...], ...]) -> tuple[Falling, ...]:
    """Each of a group wins more than each of the next."""
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
    """What decides the order of the evaluations, at either loyalty."""
    zero, column = BOTH_LOYALTIES
    counted, left_out = (under(column, label) for label in (TWO_PLIES.label, OPEN_ONLY))
    own = under(zero, OWN_VALUES)
    return (
        Why(
            "What stability, hubs and mobility count at zero loyalty decides the order. With "
            "ours, the lead over the other player, hubs and stability win more than published. "
            "The paper speaks of a value for each player: where these three count the player's "
            "own alone, and all tokens on a vertex one short of firing are unstable, parity and "
            "general are ahead of hubs and mobility, and stability is last, as published; linear "
            "is ahead of general.",
            (
                *(Between(name, each, low=least)
                  for name, least in (("Stability", 20), ("Hubs", 28))
                  for each in (zero, under(zero, TWO_PLIES.label))),
                *heuristic_order(own, GROUPS_AT_ZERO[1:]),
                Falling(((LINEAR, own), ("General", own))),
            ),
            (zero, ORDER_AT_ZERO, ALL_BELOW_40),
        ),
        Why(
            "What an owned vertex counts at full loyalty decides the order; the paper does not "
            "say. Where stability, hubs and general count it, general and hubs are ahead of "
            "parity. Where parity alone does, the order is the published one: linear, parity, "
            "general, and behind them stability; hubs and mobility behind parity.",
            (
                *(Falling(((name, each), ("Parity", each)))
                  for each in (column, counted) for name in ("General", "Hubs")),
                Falling(tuple((name, left_out)
                              for name in (LINEAR, "Parity", "General", "Stability"))),
                *(Falling((("Parity", left_out), (name, left_out)))
                  for name in ("Hubs", "Mobility")),
            ),
            (column, LINEAR_FIRST, ORDER_AT_FULL),
        ),
    )  # fmt: skip


TABLE_VII = Item(
    "table", "VII", "Alpha-Beta: its evaluations", "Appendix C",
    cells=tuple(
        Cell(name, column, heuristic_rate(loyalty, name), value)
        for name, published in HEURISTICS.items()
        for column, loyalty, value in zip(BOTH_LOYALTIES, LOYALTIES, published, strict=True)
    ),
    claims=(
        Claim(LINEAR_FIRST,
              tuple(Falling(((LINEAR, column), (name, column)))
                    for column in BOTH_LOYALTIES for name in OTHER_HEURISTICS), "Appendix C"),
        Claim(ALL_BELOW_40,
              tuple(Between(name, BOTH_LOYALTIES[0], high=40) for name in OTHER_HEURISTICS),
              "Appendix C"),
        Claim(ORDER_AT_ZERO, heuristic_order(BOTH_LOYALTIES[0], GROUPS_AT_ZERO), "Appendix C"),
        Claim(ORDER_AT_FULL,
              heuristic_order(BOTH_LOYALTIES[1], ((LINEAR,), ("Parity",), ("General",), ("Hubs",),
                                                  ("Mobility",), ("Stability",))),
              "Appendix C"),
    ),
    choices=(
        rivals_choice(TWO_PLIES.label, RIVALS_TWO_PLIES,
                      "Each game begins with a random move of either side, so that no two are the "
                      "same. On the nine networks of at most 40 vertices; quick takes three."),
        rivals_choice("depth 1", RIVALS_DEPTH_1,
                      "One move ahead instead of four. On the nine networks of at most 40 "
                      "vertices; quick takes three."),
        rivals_choice(OPEN_ONLY, RIVALS_OPEN,
                      "At full loyalty an owned vertex counts in parity alone, and in all but "
                      "mobility otherwise. Else as with two random plies."),
        rivals_choice(OWN_VALUES, RIVALS_OWN,
                      "Stability, hubs and mobility count what is the player's own and not the "
                      "lead in it, so does linear; unstable are all tokens on a vertex one short "
                      "of firing. Else as with two random plies."),
    ),
    why=heuristic_why(),
    notes=(
        "Wins as Black against the five others, MCTS and Random, each weighing the same.",
        "Two evaluations always play the same game from the empty board: one game for each seat "
        "and network stands for the paper's 100. How sure the measured numbers are follows from "
        "the games that were played.",
        "The paper's 15 · 700 games are 10,500, which the ± fits, not 15,000. Its words have all "
        "others below 50% at full loyalty; its table has parity at 50.9.",
    ),
    form="bars",
    axes=("", "wins in percent"),
)  # fmt: skip


# -- appendix B --------------------------------------------------------------------------------

WON_70, LEARNS_NOTHING = "won at least 70%, in percent", "a second copy that learns nothing"
ORDER_OF_WEIGHTS = "General weighs the most, then hubs, parity, mobility and stability."
SCALED, AS_LEARNED = "weight, scaled", "weight, as learned"
SECTION_B = Item(
    "section", "B", "Learning the weights of the linear combination", "Appendix B, V.A",
    cells=(
        *(Cell(name, SCALED, Fact("learning", ("scaled", name)), Number(value))
          for name, value in WEIGHTS.items()),
        *(Cell(name, AS_LEARNED, Fact("learning", ("weights", name))) for name in WEIGHTS),
        Cell("simulations", WON_70, Fact("learning", ("kept_share",)),
             Number(100 * KEPT / SIMULATIONS, trials=SIMULATIONS)),
        Cell("simulations", "won at least 70%", Fact("learning", ("kept",))),
        Cell("simulations", "in all", Fact("learning", ("simulations",))),
        Cell("simulations", "averaged", Fact("learning", ("averaged",))),
    ),
    claims=(
        Claim(ORDER_OF_WEIGHTS,
              (Falling(tuple((name, SCALED) for name in
                             ("general", "hubs", "parity", "mobility", "stability"))),), "V.A"),
    ),
    choices=(
        Choice(LEARNS_NOTHING, {"learning": FROZEN},
               "It keeps the weights that both begin with, all 0: it takes wins, avoids losses and "
               "moves at random otherwise."),
    ),
    why=(
        Why("How many simulations win 70% of their games depends on the second copy: hardly any "
            "where it learns as well, nearly all where it learns nothing. The published 8 of 20 "
            "lie between.",
            (Between("simulations", WON_70, high=100 * (KEPT - 1) / SIMULATIONS),
             Between("simulations", under(WON_70, LEARNS_NOTHING),
                     low=100 * (KEPT + 1) / SIMULATIONS)),
            (WON_70,)),
        Why("So do the weights: hubs weigh more against a copy that learns, mobility more "
            "against one that does not. What the paper's copy did is not said.",
            (Falling((("hubs", SCALED), ("hubs", under(SCALED, LEARNS_NOTHING)))),
             Falling((("mobility", under(SCALED, LEARNS_NOTHING)), ("mobility", SCALED)))),
            (SCALED, ORDER_OF_WEIGHTS)),
    ),
    notes=(
        "The printed update multiplies the weight by the correction, which would leave a weight of "
        "0 at 0 for ever. LMS adds it, and so does this.",
        "The scales of the features are ours, and with them those of the weights. So the weights "
        "of each simulation are also taken in a unit in which their sizes add up to 1.16, as those "
        "of the published ones do, and then averaged.",
        "The paper's weights are the means of the 8 simulations of 20 in which the learner won at "
        "least 70%. That all are averaged where fewer than two do so is ours.",
        "Also ours: weights begin at 0. The second copy learns too, with weights of its own; the "
        "paper has a copy of the learner and does not say. Each game has a new network: of its 15 "
        "to 25 vertices the paper speaks, not of its class, one of three, nor of two or three "
        "edges for each vertex.",
    ),
    form="curves",
    curves=("learning",),
)  # fmt: skip

PAPER = Paper(
    name="spread-it",
    title="Spread-It: A Strategic Game of Competitive Diffusion through Social Networks",
    authors="Shimon Ben-Ishay, Alon Sela, Irad E. Ben-Gal",
    source="IEEE Transactions on Games, June 2019, pages 129-141, doi:10.1109/TG.2018.2806302",
    game="spread-it",
    items=(
        SECTION_V_A, TABLE_I, TABLE_II, TABLE_III, TABLE_IV, TABLE_V, TABLE_VI, SECTION_V_B,
        SECTION_V_D, FIGURE_4, FIGURE_5, SECTION_V_E, FIGURE_6, FIGURE_7, SECTION_V_F, TABLE_VII,
        SECTION_B,
    ),
    games=GAMES,
    computed=COMPUTED,
    about="MCTS is plain UCT: it proves nothing and keeps no tree between moves. Alpha-Beta always "
    "searches its full depth. Black has the extra token where 2m − n is odd. Where the paper gives "
    "no number, as with the scales of its features, ours are in docs/evaluations.md.",
)  # fmt: skip
