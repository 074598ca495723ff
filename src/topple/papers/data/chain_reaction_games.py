"""The games and computations of the Chain Reaction paper."""

from collections.abc import Mapping

from topple.papers.paper import Computed, Field, Games

DROP = (Field("chain-reaction", "grid:5x5"),)
KEEP = (Field("chain-reaction:surplus=keep", "grid:5x5"),)

SAMPLES = (1, 2, 5, 10, 25, 50, 100)  # of figure 2, "between 1 and 100": which of them is ours
VOLATILE_SAMPLES = (1, 5, 25, 100)  # of figures 8 and 9, as above
TABLE_SAMPLES = (100, 50, 25, 10, 5)  # of table I and figures 4 and 5
DEPTHS = (1, 2, 3, 4)
PUBLISHED_GAMES = 2000  # of each pairing, half of them as the first player

# -- agents, by the names that they have here -------------------------------------------------

RANDOM = {"Random": "random"}
MONTE_CARLO = {f"Monte Carlo {s}": f"montecarlo:samples={s}" for s in SAMPLES}
PRUNING = {f"Progressive pruning {s}": f"pruning:samples={s}" for s in TABLE_SAMPLES}
MOST = {"Monte Carlo 100": "montecarlo:samples=100"}


def minimax(agent: str = "alphabeta", evaluation: str = "pieces") -> Mapping[str, str]:
    """Minimax of each depth."""
    return {f"Minimax {d}": f"{agent}:depth={d},evaluation={evaluation}" for d in DEPTHS}


def volatile(depth: int, scaling: str = ",scaling=times") -> Mapping[str, str]:
    """Volatile search of a depth with each number of samples."""
    text = f"volatile:depth={depth},evaluation=pieces{scaling}"
    return {f"Volatile {depth}, {s}": f"{text},samples={s}" for s in VOLATILE_SAMPLES}


MINIMAX = minimax()
VOLATILE, VOLATILE_DOWN = (
    {name: text for depth in DEPTHS for name, text in volatile(depth, scaling).items()}
    for scaling in (",scaling=times", "")
)

# -- games ------------------------------------------------------------------------------------


def gauntlet(name: str, one: Mapping[str, str], others: Mapping[str, str], full: int, quick: int,
             fields: tuple[Field, ...] = DROP, about: str = "") -> Games:  # fmt: skip
    """One agent against each of the others."""
    agents = {**one, **others}
    return Games(name, fields, agents, full, quick, gauntlet=True, about=about)


def published(name: str, one: Mapping[str, str], others: Mapping[str, str], quick: int,
              about: str = "") -> Games:  # fmt: skip
    """Games that the paper has played."""
    return gauntlet(name, one, others, PUBLISHED_GAMES, quick, about=about)


ABOUT_MINIMAX = (
    "The paper's minimax has α-β pruning and a piece counter: alphabeta with "
    "evaluation=pieces. Its order of moves is not known."
)
ABOUT_VOLATILE = (
    "Scores are multiplied by pay-offs to the letter (scaling=times), those of ended games too."
)

GAMES = (
    published("random v Monte Carlo", RANDOM, MONTE_CARLO, 80),
    published("random v pruning", RANDOM, PRUNING, 80),
    published("random v minimax", RANDOM, MINIMAX, 100, ABOUT_MINIMAX),
    *(
        published(f"{name} v minimax", {name: text}, MINIMAX, 20, ABOUT_MINIMAX)
        for name, text in MONTE_CARLO.items()
    ),
    published("random v volatile", RANDOM, VOLATILE, 20, ABOUT_VOLATILE),
    *(
        published(f"minimax {d} v volatile", {f"Minimax {d}": MINIMAX[f"Minimax {d}"]},
                  volatile(d), 20, f"{ABOUT_MINIMAX} {ABOUT_VOLATILE}")
        for d in DEPTHS
    ),
    # Under other choices. How many games is ours.
    gauntlet("random v Monte Carlo, keep", RANDOM, MONTE_CARLO, 400, 24, KEEP),
    gauntlet("random v pruning, keep", RANDOM, PRUNING, 400, 24, KEEP),
    gauntlet("Monte Carlo 100 v minimax, keep", MOST, MINIMAX, 400, 16, KEEP),
    gauntlet("Monte Carlo 100 v minimax, own", MOST, minimax(evaluation="own"), 400, 16),
    gauntlet("Monte Carlo 100 v minimax, plain", MOST, minimax("minimax"), 200, 12),
    gauntlet("Monte Carlo 100 v minimax, 400 samples",
             {"Monte Carlo 100": "montecarlo:samples=400"}, MINIMAX, 200, 12),
    gauntlet("random v volatile, down", RANDOM, VOLATILE_DOWN, 400, 10),
    *(
        gauntlet(f"minimax {d} v volatile, down", {f"Minimax {d}": MINIMAX[f"Minimax {d}"]},
                 volatile(d, ""), 400, 12)
        for d in DEPTHS
    ),
)  # fmt: skip

# -- computed ---------------------------------------------------------------------------------

RULE = {"squares": 25, "rounds": [5, 10, 25]}
MEETING = {"board": "grid:5x5", "rounds": 5, "seed": 1}
COMPUTED = (
    Computed("what the rule saves", "pruning-savings", RULE, RULE),
    Computed(
        "candidates in games", "pruning-in-games",
        {**MEETING, "samples": 100, "games": 400}, {**MEETING, "samples": 25, "games": 40},
        about="Progressive pruning plays against random play, first and second in turn. The "
        "number of rounds is that of the paper's example.",
    ),
)  # fmt: skip
