"""Made-up papers of tiny games, quick to play, with something of everything."""

import sys
from types import ModuleType

import topple.papers
from topple.papers.paper import (
    Between,
    Cell,
    Choice,
    Claim,
    Computed,
    Cost,
    Fact,
    Falling,
    Field,
    Games,
    Holds,
    Item,
    MeanRate,
    Number,
    Paper,
    Rate,
    Ratio,
    Share,
    Why,
)

NET = "ba:n=10,m=2,seed=1"
CYCLE = "cycle:6"
HUB = ((0, 3),)  # another threshold of the hub

LEAGUE = Games(
    "league",
    (Field("spread-it", NET, HUB), Field("spread-it", CYCLE), Field("hex", "hex:3")),
    {"clever": "greedy", "sampler": "montecarlo:samples=3", "blind": "random"},
    full=8,
    quick=6,
    plies=1,
    quick_agents={"sampler": "montecarlo:samples=2"},
)
LOYAL = Games(
    "loyal",
    (Field("spread-it:loyalty=full", NET, HUB), Field("spread-it:loyalty=full", CYCLE)),
    {"clever": "greedy", "sampler": "montecarlo:samples=3", "blind": "random"},
    full=8,
    quick=4,
    gauntlet=True,
    quick_fields=1,
)
MIRROR = Games(
    "mirror", (Field("hex", "hex:3"),), {"one": "random", "two": "random"}, full=8, quick=8, seed=3
)
SUMS = Computed("sums", "tiny-sums", full={"n": 10}, quick={"n": 4})

TABLE = Item(
    "table",
    "II",
    "Everybody against everybody",
    "3.1",
    cells=(
        Cell("clever", "blind", Rate("league", "clever", ("blind",)), Number(50.0, trials=8)),
        Cell("clever", "second", Rate("league", "clever", seat="second"), Number(40.0, 30.0)),
        Cell("blind", "cycle", Rate("league", "blind", boards=(CYCLE,), counts="score")),
        Cell("clever", "hub", Share("league", "clever", NET, (0,)), None),
    ),
    claims=(Claim("the clever win more than none", (Between("clever", "blind", 0.0),), "3.1"),),
    choices=(Choice("full loyalty", {"league": "loyal"}),),
    why=(Why("loyalty", (Between("clever", "blind [full loyalty]", 0.0, 100.0),)),),
)
FIGURE = Item(
    "figure",
    "1.2",
    "Costs",
    "4",
    cells=(
        Cell("sampler", "work", Cost("league", "sampler", "simulations")),
        Cell("sampler", "saved",
             Ratio(Cost("league", "sampler", "simulations", ("blind",)),
                   Cost("league", "sampler", "simulations", ("clever",)), saved=True)),
        Cell("one", "mirror", Rate("mirror", "one")),
        Cell("two", "mean", MeanRate((Rate("mirror", "two"), Rate("league", "blind")))),
        Cell("sum", "exact", Fact("sums", ("sum",)), Number(6.0)),
    ),
    claims=(
        Claim("sums are right", (Holds(Fact("sums", ("is_right",))),)),
        Claim("sums fall", (Falling((("sum", "exact"), ("two", "mean"))),)),
    ),
    form="curves",
    curves=("sums",),
)  # fmt: skip

PAPER = Paper(
    "tiny", "Tiny games", "Nobody", "nowhere", "spread-it", (TABLE, FIGURE),
    (LEAGUE, LOYAL, MIRROR), (SUMS,),
)  # fmt: skip

# Enough games that they can be stopped.
LONG = Games(
    "long", (Field("hex", "hex:4"),), {"one": "random", "two": "random"}, full=20_000, quick=2
)
LONG_PAPER = Paper(
    "long", "Long", "Nobody", "nowhere", "hex",
    (Item("table", "I", "", "1", (Cell("one", "wins", Rate("long", "one"), Number(50.0, 50.0)),)),
     Item("section", "2", "", "2", (Cell("sum", "", Fact("slow", ("sum",))),))),
    (LONG,), (Computed("slow", "tiny-sums", full={"n": 10**9}, quick={"n": 5}),),
)  # fmt: skip

COMPUTATION = "tests.papers.tiny_paper:tiny_sums"


def register() -> None:
    """Let the command know the papers of this file, and their computation."""
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
