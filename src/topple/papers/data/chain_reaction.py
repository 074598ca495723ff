"""Chain Reaction: Monte Carlo, progressive pruning and volatile search on 5×5."""

from topple.papers.data.chain_reaction_games import (
    COMPUTED,
    DEPTHS,
    GAMES,
    PUBLISHED_GAMES,
    SAMPLES,
    TABLE_SAMPLES,
)
from topple.papers.data.chain_reaction_volatile import FIGURE_8, FIGURE_9
from topple.papers.paper import (
    Between,
    Cell,
    Choice,
    Claim,
    Cost,
    Fact,
    Falling,
    Holds,
    Item,
    Number,
    Paper,
    Rate,
    Ratio,
    Why,
    under,
)

# -- choices ----------------------------------------------------------------------------------

KEPT = "surplus kept"
KEPT_ABOUT = (
    "An exploding square keeps what it has above its capacity; by the paper's wording it is emptied"
)
KEPT_AGAINST_BOTH = Choice(
    KEPT,
    {
        "random v Monte Carlo": "random v Monte Carlo, keep",
        "Monte Carlo 100 v minimax": "Monte Carlo 100 v minimax, keep",
    },
    KEPT_ABOUT,
)

# -- figure 2 ---------------------------------------------------------------------------------


def versus_random(samples: int) -> Rate:
    """How often Monte Carlo beats random play."""
    return Rate("random v Monte Carlo", f"Monte Carlo {samples}", ("Random",))


def versus_minimax(samples: int, depth: int) -> Rate:
    """How often Monte Carlo beats minimax."""
    name = f"Monte Carlo {samples}"
    return Rate(f"{name} v minimax", name, (f"Minimax {depth}",))


OVER_90 = "Against random play Monte Carlo wins over 90% even with the fewest samples"
FIGURE_2 = Item(
    kind="figure",
    number="2",
    title="Monte Carlo against random and minimax: games won, in percent",
    section="III.B",
    cells=(
        *(Cell("random", str(s), versus_random(s)) for s in SAMPLES),
        *(Cell(f"minimax, depth {d}", str(s), versus_minimax(s, d))
          for d in DEPTHS for s in SAMPLES),
    ),
    claims=(
        Claim(
            OVER_90,
            (Between("random", "1", 90),),
            "III.B",
        ),
        Claim(
            "The fewer samples, the weaker Monte Carlo is",
            (
                Falling((("random", "100"), ("random", "10"), ("random", "1"))),
                Falling((("minimax, depth 1", "100"), ("minimax, depth 1", "1"))),
                Falling((("minimax, depth 2", "100"), ("minimax, depth 2", "1"))),
            ),
            "III.B",
        ),
    ),
    choices=(KEPT_AGAINST_BOTH,),
    why=(
        Why(
            "With 5 samples, the fewest of table I, the paper has 91.9% and so have we; one "
            "sample is weaker still, and table I has nothing on it",
            (
                Falling((("random", "5"), ("random", "1"))),
                Between("random", "5", 85),
                Between("random", "1", None, 90),
            ),
            explains=(OVER_90,),
        ),
    ),
    notes=(
        "The values are in a picture only. Whether Monte Carlo outperforms minimax is the "
        "matter of section VII.",
    ),
    form="lines",
    axes=("samples for each move", "games won, %"),
)  # fmt: skip

# -- table I ----------------------------------------------------------------------------------

PUBLISHED_WINS = {
    "Monte Carlo": (984, 980.5, 970, 937, 918.5),
    "Progressive pruning": (989.5, 980.5, 966.5, 943, 910),
}
SETS = {"Monte Carlo": "random v Monte Carlo", "Progressive pruning": "random v pruning"}


def wins_of_1000(name: str, samples: int) -> Rate:
    """Games won against random play out of 1,000, the mean of both seats."""
    return Rate(SETS[name], f"{name} {samples}", ("Random",), out_of=1000)


TABLE_I = Item(
    kind="table",
    number="I",
    title="Games won against random play out of 1,000, the mean of both seats",
    section="IV.A",
    cells=tuple(
        Cell(name, str(s), wins_of_1000(name, s), Number(wins, trials=PUBLISHED_GAMES))
        for name, row in PUBLISHED_WINS.items()
        for s, wins in zip(TABLE_SAMPLES, row, strict=True)
    ),
    choices=(Choice(KEPT, {name: f"{name}, keep" for name in SETS.values()}, KEPT_ABOUT),),
    notes=(
        "The number of rounds is not published; 5 is that of the paper's example.",
        "A move that wins at once is played without random games, which could not but agree.",
    ),
)

# -- figure 3 ---------------------------------------------------------------------------------

CANDIDATES = (5, 10, 20, 25)
ROUNDS = ("5 rounds", "10 rounds", "25 rounds")
HALF, MET = "half of the squares", "met in games"
APPROXIMATELY_30 = Number(30, margin=5)
READING_30 = '"Approximately 30%" is read as 25 to 35.'


def at_candidates(rounds: str, n: int) -> Fact:
    """What the rule saves with n candidates."""
    return Fact("what the rule saves", ("series", rounds, n - 1))


FIGURE_3 = Item(
    kind="figure",
    number="3",
    title="Random games that progressive pruning saves, in percent, by candidate moves",
    section="IV",
    cells=(
        Cell("5 rounds", HALF, Fact("what the rule saves", ("half", "5 rounds")), APPROXIMATELY_30),
        Cell("5 rounds", MET, Fact("candidates in games", ("saved",))),
        *(Cell("5 rounds", str(n), at_candidates("5 rounds", n)) for n in CANDIDATES),
        *(cell for rounds in ROUNDS[1:] for cell in (
            Cell(rounds, HALF, Fact("what the rule saves", ("half", rounds))),
            *(Cell(rounds, str(n), at_candidates(rounds, n)) for n in CANDIDATES),
        )),
        Cell("candidates", MET, Fact("candidates in games", ("candidates",))),
    ),
    claims=(
        Claim(
            "Progressive pruning never needs more random games than Monte Carlo",
            (Holds(Fact("what the rule saves", ("never_costs_more",))),),
            "IV",
        ),
    ),
    why=(
        Why(
            "A player has more moves than half of the squares: about 18 of 25. At the positions "
            "that are met the rule saves about 30% as published, but not at half of the squares, "
            "however many rounds there are",
            (
                Between("candidates", MET, 15, 20),
                Between("5 rounds", MET, 25, 35),
                *(Between(rounds, HALF, None, 25) for rounds in ROUNDS),
            ),
            explains=(HALF,),
        ),
    ),
    notes=(READING_30, "The number of rounds is not published; 5 is that of the paper's example."),
    form="curves",
    axes=("candidate moves", "random games saved, %"),
    curves=("what the rule saves",),
)  # fmt: skip

# -- figure 4 ---------------------------------------------------------------------------------

FEWER = "fewer wins by pruning"
# By how many percent table I has fewer wins in its second row, and what 2,000 games allow.
PUBLISHED_FEWER = ((-0.56, 0.72), (0.0, 0.87), (0.36, 1.12), (-0.64, 1.57), (0.93, 1.89))


def fewer_wins(samples: int) -> Ratio:
    """How many percent fewer games progressive pruning wins."""
    pruning, plain = (
        wins_of_1000(name, samples) for name in ("Progressive pruning", "Monte Carlo")
    )
    return Ratio(pruning, plain, saved=True)


FIGURE_4 = Item(
    kind="figure",
    number="4",
    title="How many percent fewer games progressive pruning wins than Monte Carlo",
    section="IV.A",
    cells=tuple(
        Cell(FEWER, str(samples), fewer_wins(samples), Number(*percent))
        for samples, percent in zip(TABLE_SAMPLES, PUBLISHED_FEWER, strict=True)
    ),
    claims=(
        Claim(
            "The two differ by less than one percent",
            tuple(Between(FEWER, str(samples), -1, 1) for samples in TABLE_SAMPLES),
            "IV.A",
        ),
    ),
    notes=(
        "The published values follow from table I, their ± from its 2,000 games a cell: so many "
        "games cannot tell a difference of one percent from none with 25 samples or fewer.",
    ),
    form="lines",
    axes=("samples for each move", "fewer wins, %"),
)

# -- figure 5 ---------------------------------------------------------------------------------


def cost(name: str, samples: int, what: str) -> Cost:
    """What a move costs against random play."""
    return Cost(SETS[name], f"{name} {samples}", what, ("Random",))


def work_saved(samples: int, what: str) -> Ratio:
    """How many percent less a move of progressive pruning costs."""
    pruning, plain = (cost(name, samples, what) for name in ("Progressive pruning", "Monte Carlo"))
    return Ratio(pruning, plain, saved=True)


FIGURE_5 = Item(
    kind="figure",
    number="5",
    title="Seconds for a move against random play",
    section="IV.A",
    cells=tuple(
        Cell(name, str(s), cost(name, s, "seconds")) for name in SETS for s in TABLE_SAMPLES
    ),
    claims=(
        Claim(
            "Progressive pruning takes less time than Monte Carlo",
            (Falling((("Monte Carlo", "100"), ("Progressive pruning", "100"))),),
            "IV.A",
        ),
    ),
    notes=("The paper drew the time of all games, in a picture only.",),
    form="lines",
    axes=("samples for each move", "seconds for a move"),
)

SECTION_IV_A = Item(
    kind="section",
    number="IV.A",
    title="What progressive pruning saves in games against random play, in percent",
    section="IV.A",
    cells=(
        *(Cell("random games", str(s), work_saved(s, "simulations"), APPROXIMATELY_30)
          for s in TABLE_SAMPLES),
        *(Cell("time", str(s), work_saved(s, "seconds")) for s in TABLE_SAMPLES),
    ),
    notes=(
        f"Figure 5 is said to confirm what section IV expects. {READING_30}",
        "A move takes some time whatever the samples, so that less of the time is saved than "
        "of the random games where these are few.",
    ),
)  # fmt: skip

# -- section VII ------------------------------------------------------------------------------

WON = "won"
BETTER_THAN_SHALLOW = "With moderate search Monte Carlo outperforms minimax of depths 1 and 2"
BETTER_THAN_DEEP = "With moderate search it outperforms minimax of depths 3 and 4"
SECTION_VII = Item(
    kind="section",
    number="VII",
    title="Monte Carlo with 100 samples against minimax: games won, in percent",
    section="VII",
    cells=(
        Cell("random", WON, versus_random(100), Number(98.4, trials=PUBLISHED_GAMES)),
        *(Cell(f"minimax, depth {d}", WON, versus_minimax(100, d)) for d in DEPTHS),
    ),
    claims=(
        *(
            Claim(text, tuple(Between(f"minimax, depth {d}", WON, 50) for d in depths), "VII")
            for text, depths in ((BETTER_THAN_SHALLOW, (1, 2)), (BETTER_THAN_DEEP, (3, 4)))
        ),
    ),
    choices=(
        KEPT_AGAINST_BOTH,
        Choice(
            "own pieces",
            {"Monte Carlo 100 v minimax": "Monte Carlo 100 v minimax, own"},
            "Minimax counts its own pieces only, not its lead in pieces",
        ),
        Choice(
            "plain minimax",
            {"Monte Carlo 100 v minimax": "Monte Carlo 100 v minimax, plain"},
            "Minimax takes the first square among equals; with α-β that may be another one",
        ),
        Choice(
            "400 samples",
            {"Monte Carlo 100 v minimax": "Monte Carlo 100 v minimax, 400 samples"},
            "Four times the samples that the paper took at most",
        ),
    ),
    why=(
        Why(
            "Monte Carlo is the paper's: it beats random play as often. But minimax of depths 2, 3 "
            "and 4 beats it whatever becomes of a surplus, however pieces are counted and "
            "whichever of equal moves is taken, and at depths 3 and 4 also with four times the "
            "samples: no choice that the paper leaves open turns this round",
            (
                Between("random", WON, 90),
                *(Between(f"minimax, depth {d}", column, None, 50)
                  for d in (2, 3, 4)
                  for column in (WON, *(under(WON, choice) for choice in
                                        (KEPT, "own pieces", "plain minimax")))),
                *(Between(f"minimax, depth {d}", under(WON, "400 samples"), None, 50)
                  for d in (3, 4)),
            ),
            explains=(BETTER_THAN_SHALLOW, BETTER_THAN_DEEP),
        ),
    ),
    notes=("The published number is that of table I.",),
)  # fmt: skip

PAPER = Paper(
    name="chain-reaction",
    title="Highly Volatile Game Tree Search in Chain Reaction",
    authors="Dafydd Jenkins and Colin Frayn",
    source="University of Birmingham",
    game="chain-reaction",
    items=(
        FIGURE_2, FIGURE_3, TABLE_I, FIGURE_4, FIGURE_5, SECTION_IV_A, FIGURE_8, FIGURE_9,
        SECTION_VII,
    ),
    games=GAMES,
    computed=COMPUTED,
    about="All games are on 5×5 from the empty board, with seats swapped after each game.",
)  # fmt: skip
