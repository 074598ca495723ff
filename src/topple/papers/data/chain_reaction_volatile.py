"""Chain Reaction: volatile search, figures 8 and 9."""

from topple.papers.data.chain_reaction_games import DEPTHS, VOLATILE_SAMPLES
from topple.papers.paper import Between, Cell, Choice, Claim, Falling, Item, Rate, Why

DOWN_ABOUT = (
    "The smaller the pay-off, the smaller every score: v·w where v ≥ 0, v·(2 − w) where v < 0. "
    "A game that is over is won or lost, whatever the pay-off"
)

# -- figures 8 and 9 --------------------------------------------------------------------------


def versus_mover(depth: int, samples: int) -> Rate:
    """How often volatile search beats random play."""
    return Rate("random v volatile", f"Volatile {depth}, {samples}", ("Random",))


def versus_same_depth(depth: int, samples: int) -> Rate:
    """How often volatile search beats minimax of the same depth."""
    opponents = (f"Minimax {depth}",)
    return Rate(f"minimax {depth} v volatile", f"Volatile {depth}, {samples}", opponents)


def stronger(one: str, other: str, *depths: int) -> tuple[Falling, ...]:
    """That one search beats random play more often than another of the same depth."""
    return tuple(
        Falling(((f"{one}, depth {d}", "100"), (f"{other}, depth {d}", "100"))) for d in depths
    )


STRONGER_AT_2 = "With many samples it is stronger than minimax at depth 2 as well"
FIGURE_8 = Item(
    kind="figure",
    number="8",
    title="Volatile search against random play: games won, in percent",
    section="VI",
    cells=(
        *(Cell(f"volatile, depth {d}", str(s), versus_mover(d, s))
          for d in DEPTHS for s in VOLATILE_SAMPLES),
        *(Cell(f"minimax, depth {d}", str(s), Rate("random v minimax", f"Minimax {d}", ("Random",)))
          for d in DEPTHS for s in VOLATILE_SAMPLES),
    ),
    claims=(
        Claim(
            "With many samples it is stronger than minimax at depth 1",
            stronger("volatile", "minimax", 1),
            "VI",
        ),
        Claim(STRONGER_AT_2, stronger("volatile", "minimax", 2), "VI"),
        Claim(
            "At depths 3 and 4 it is weaker than minimax",
            stronger("minimax", "volatile", 3, 4),
            "VI",
        ),
        Claim(
            "The more samples, the stronger it is",
            tuple(Falling(((f"volatile, depth {d}", "100"), (f"volatile, depth {d}", "1")))
                  for d in DEPTHS),
            "VI",
        ),
    ),
    choices=(
        Choice("scaled down", {"random v volatile": "random v volatile, down"}, DOWN_ABOUT),
    ),
    why=(
        Why(
            "At depth 2 all hangs on how a pay-off scales a score below zero, which the paper "
            "does not say: scaled down as well, volatile search is the stronger for it",
            (
                *stronger("minimax", "volatile", 2),
                Falling((("volatile, depth 2", "100 [scaled down]"), ("volatile, depth 2", "100"))),
            ),
            explains=(STRONGER_AT_2,),
        ),
    ),
    notes=(
        "The values are in a picture only. Minimax has no samples: its line is level, one and "
        "the same value.",
    ),
    form="lines",
    axes=("samples for each move", "games won, %"),
)  # fmt: skip

FIGURE_9 = Item(
    kind="figure",
    number="9",
    title="Volatile search against minimax of the same depth: games won, in percent",
    section="VI",
    cells=tuple(
        Cell(f"depth {d}", str(s), versus_same_depth(d, s))
        for d in DEPTHS
        for s in VOLATILE_SAMPLES
    ),
    claims=(
        Claim(
            "With many samples it is stronger than minimax at depth 1",
            (Between("depth 1", "100", 50),),
            "VI",
        ),
        Claim(
            "At depths 2, 3 and 4 it is weaker than minimax",
            tuple(Between(f"depth {d}", "100", None, 50) for d in (2, 3, 4)),
            "VI",
        ),
        Claim(
            "The more samples, the stronger it is",
            tuple(Falling(((f"depth {d}", "100"), (f"depth {d}", "1"))) for d in DEPTHS),
            "VI",
        ),
    ),
    choices=(
        Choice(
            "scaled down",
            {f"minimax {d} v volatile": f"minimax {d} v volatile, down" for d in DEPTHS},
            DOWN_ABOUT,
        ),
    ),
    notes=("The values are in a picture only.",),
    form="lines",
    axes=("samples for each move", "games won, %"),
)
