"""Made-up papers of tiny games, quick to play, with something of everything."""

import sys
from types import ModuleType

import topple.papers
from topple.papers.paper import (
    Between,
    Claim,
    Computed,
    Cost,
    Fact,
    Falling,
    GameField,
    GameSet,
    Holds,
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
)

NET = "ba:n=10,m=2,seed=1"
CYCLE = "cycle:6"
HUB = ((0, 3),)  # another threshold of the hub

LEAGUE = GameSet(
    "league",
    (GameField("spread-it", NET, HUB), GameField("spread-it", CYCLE), GameField("hex", "hex:3")),
    {"clever": "greedy", "sampler": "montecarlo:samples=3", "blind": "random"},
    full=8,
    quick=6,
    plies=1,
    quick_agents={"sampler": "montecarlo:samples=2"},
)
LOYAL = GameSet(
    "loyal",
    (GameField("spread-it:loyalty=full", NET, HUB), GameField("spread-it:loyalty=full", CYCLE)),
    {"clever": "greedy", "sampler": "montecarlo:samples=3", "blind": "random"},
    full=8,
    quick=4,
    gauntlet=True,
    quick_fields=1,
)
MIRROR = GameSet(
    "mirror",
    (GameField("hex", "hex:3"),),
    {"one": "random", "two": "random"},
    full=8,
    quick=8,
    seed=3,
)
SUMS = Computed("sums", "tiny-sums", full={"n": 10}, quick={"n": 4})

TABLE = Item(
    "table",
    "II",
    "Everybody against everybody",
    "3.1",
    cells=(
        ItemCell("clever", "blind", Rate("league", "clever", ("blind",)), Number(50.0, trials=8)),
        ItemCell("clever", "second", Rate("league", "clever", seat="second"), Number(40.0, 30.0)),
        ItemCell("blind", "cycle", Rate("league", "blind", boards=(CYCLE,), counts="score")),
        ItemCell("clever", "hub", Share("league", "clever", NET, (0,)), None),
    ),
    claims=(Claim("the clever win more than none", (Between("clever", "blind", 0.0),), "3.1"),),
    choices=(ItemChoice("full loyalty", {"league": "loyal"}),),
    why=(Why("loyalty", (Between("clever", "blind [full loyalty]", 0.0, 100.0),)),),
)
FIGURE = Item(
    "figure",
    "1.2",
    "Costs",
    "4",
    cells=(
        ItemCell("sampler", "work", Cost("league", "sampler", "simulations")),
        ItemCell(
            "sampler",
            "saved",
            MeasureRatio(
                Cost("league", "sampler", "simulations", ("blind",)),
                Cost("league", "sampler", "simulations", ("clever",)),
                saved=True,
            ),
        ),
        ItemCell("one", "mirror", Rate("mirror", "one")),
        ItemCell("two", "mean", MeanRate((Rate("mirror", "two"), Rate("league", "blind")))),
        ItemCell("sum", "exact", Fact("sums", ("sum",)), Number(6.0)),
    ),
    claims=(
        Claim("sums are right", (Holds(Fact("sums", ("is_right",))),)),
        Claim("sums fall", (Falling((("sum", "exact"), ("two", "mean"))),)),
    ),
    form="curves",
    curves=("sums",),
)

PAPER = Paper(
    "tiny",
    "Tiny games",
    "Nobody",
    "nowhere",
    "spread-it",
    (TABLE, FIGURE),
    (LEAGUE, LOYAL, MIRROR),
    (SUMS,),
)

# Enough games that they can be stopped.
LONG = GameSet(
    "long", (GameField("hex", "hex:4"),), {"one": "random", "two": "random"}, full=20_000, quick=2
)
LONG_PAPER = Paper(
    "long",
    "Long",
    "Nobody",
    "nowhere",
    "hex",
    (
        Item(
            "table",
            "I",
            "",
            "1",
            (ItemCell("one", "wins", Rate("long", "one"), Number(50.0, 50.0)),),
        ),
        Item("section", "2", "", "2", (ItemCell("sum", "", Fact("slow", ("sum",))),)),
    ),
    (LONG,),
    (Computed("slow", "tiny-sums", full={"n": 10**9}, quick={"n": 5}),),
)

COMPUTATION = "tests.papers.tiny_paper:tiny_sums"


def register() -> None:
    """Register the papers of this module and their computation, for the command."""
    from topple.papers.engine.computations import COMPUTATIONS

    COMPUTATIONS[SUMS.computation] = COMPUTATION
    for paper in (PAPER, LONG_PAPER):
        module = ModuleType(f"topple.papers.data.{paper.name}")
        module.PAPER = paper  # type: ignore[attr-defined]
        sys.modules[module.__name__] = module
        topple.papers.PAPERS = (*topple.papers.PAPERS, paper.name)


def tiny_sums(n: int, report: object = None) -> dict[str, object]:
    """The sum of 0 … n − 1, and all sums on the way."""
    sums = [k * (k - 1) // 2 for k in range(1, min(n, 1000) + 1)]
    if callable(report):
        for k in range(n):
            report(k + 1, n)
    return {
        "sum": sums[-1],
        "is_right": True,
        "x": list(range(len(sums))),
        "series": {"sums": sums},
    }
