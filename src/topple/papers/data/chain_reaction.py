"""Chain Reaction: Monte Carlo, progressive pruning and volatile search on 5×5."""

from collections.abc import Mapping

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
    MeasureRatio,
    Number,
    Paper,
    Rate,
    Why,
    under,
)

DROP = (GameField("chain-reaction", "grid:5x5"),)
KEEP = (GameField("chain-reaction:surplus=keep", "grid:5x5"),)

SAMPLES = (1, 2, 5, 10, 25, 50, 100)  # of figure 2, "between 1 and 100": the selection is ours
VOLATILE_SAMPLES = (1, 5, 25, 100)  # of figures 8 and 9, as above
TABLE_SAMPLES = (100, 50, 25, 10, 5)  # of table I and figures 4 and 5
DEPTHS = (1, 2, 3, 4)
PUBLISHED_GAMES = 2000  # of each pairing, half of them as the first player

# -- agents, by our names for them -------------------------------------------------------------

RANDOM = {"Random": "random"}
MONTE_CARLO = {f"Monte Carlo {s}": f"montecarlo:samples={s}" for s in SAMPLES}
PRUNING = {f"Progressive pruning {s}": f"pruning:samples={s}" for s in TABLE_SAMPLES}
MOST = {"Monte Carlo 100": "montecarlo:samples=100"}


def minimax(agent: str = "alphabeta", evaluation: str = "pieces") -> Mapping[str, str]:
    """Minimax at each depth."""
    return {f"Minimax {d}": f"{agent}:depth={d},evaluation={evaluation}" for d in DEPTHS}


def volatile(depth: int, scaling: str = ",scaling=times") -> Mapping[str, str]:
    """Volatile search at a depth with each number of samples."""
    text = f"volatile:depth={depth},evaluation=pieces{scaling}"
    return {f"Volatile {depth}, {s}": f"{text},samples={s}" for s in VOLATILE_SAMPLES}


MINIMAX = minimax()
VOLATILE, VOLATILE_DOWN = (
    {name: text for depth in DEPTHS for name, text in volatile(depth, scaling).items()}
    for scaling in (",scaling=times", "")
)

# -- games ------------------------------------------------------------------------------------


def gauntlet(
    name: str,
    one: Mapping[str, str],
    others: Mapping[str, str],
    full: int,
    quick: int,
    fields: tuple[GameField, ...] = DROP,
    about: str = "",
) -> GameSet:
    """One agent against each of the others."""
    agents = {**one, **others}
    return GameSet(name, fields, agents, full, quick, gauntlet=True, about=about)


def published(
    name: str, one: Mapping[str, str], others: Mapping[str, str], quick: int, about: str = ""
) -> GameSet:
    """Games that the paper played."""
    return gauntlet(name, one, others, PUBLISHED_GAMES, quick, about=about)


ABOUT_MINIMAX = (
    "The paper's minimax has α-β pruning and a piece counter: alphabeta with "
    "evaluation=pieces. Its order of moves is unknown."
)
ABOUT_VOLATILE = (
    "Scores are multiplied by pay-offs, as the paper literally says (scaling=times), also "
    "those of finished games."
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
        published(
            f"minimax {d} v volatile",
            {f"Minimax {d}": MINIMAX[f"Minimax {d}"]},
            volatile(d),
            20,
            f"{ABOUT_MINIMAX} {ABOUT_VOLATILE}",
        )
        for d in DEPTHS
    ),
    # Under other choices; the numbers of games are ours.
    gauntlet("random v Monte Carlo, keep", RANDOM, MONTE_CARLO, 400, 24, KEEP),
    gauntlet("random v pruning, keep", RANDOM, PRUNING, 400, 24, KEEP),
    gauntlet("Monte Carlo 100 v minimax, keep", MOST, MINIMAX, 400, 16, KEEP),
    gauntlet("Monte Carlo 100 v minimax, own", MOST, minimax(evaluation="own"), 400, 16),
    gauntlet("Monte Carlo 100 v minimax, plain", MOST, minimax("minimax"), 200, 12),
    gauntlet(
        "Monte Carlo 100 v minimax, 400 samples",
        {"Monte Carlo 100": "montecarlo:samples=400"},
        MINIMAX,
        200,
        12,
    ),
    gauntlet("random v volatile, down", RANDOM, VOLATILE_DOWN, 400, 10),
    *(
        gauntlet(
            f"minimax {d} v volatile, down",
            {f"Minimax {d}": MINIMAX[f"Minimax {d}"]},
            volatile(d, ""),
            400,
            12,
        )
        for d in DEPTHS
    ),
)

# -- computed ---------------------------------------------------------------------------------

RULE = {"squares": 25, "rounds": [5, 10, 25]}
MEETING = {"board": "grid:5x5", "rounds": 5, "seed": 1}
COMPUTED = (
    Computed("what the rule saves", "pruning-savings", RULE, RULE),
    Computed(
        "candidates in games",
        "pruning-in-games",
        {**MEETING, "samples": 100, "games": 400},
        {**MEETING, "samples": 25, "games": 40},
        about=(
            "Progressive pruning plays against random play, alternately first and second. The "
            "number of rounds is that of the paper's example."
        ),
    ),
)


DOWN_ABOUT = (
    "The smaller the pay-off, the smaller every score: v·w where v ≥ 0, v·(2 − w) where v < 0. "
    "A game that is over is won or lost, whatever the pay-off"
)

# -- figures 8 and 9 --------------------------------------------------------------------------


def volatile_versus_random(depth: int, samples: int) -> Rate:
    """The measure of volatile search's wins against random play."""
    return Rate("random v volatile", f"Volatile {depth}, {samples}", ("Random",))


def versus_same_depth(depth: int, samples: int) -> Rate:
    """The measure of volatile search's wins against minimax of the same depth."""
    opponents = (f"Minimax {depth}",)
    return Rate(f"minimax {depth} v volatile", f"Volatile {depth}, {samples}", opponents)


def stronger(one: str, other: str, *depths: int) -> tuple[Falling, ...]:
    """Checks that one search beats random play more often than another of the same depth."""
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
        *(
            ItemCell(f"volatile, depth {d}", str(s), volatile_versus_random(d, s))
            for d in DEPTHS
            for s in VOLATILE_SAMPLES
        ),
        *(
            ItemCell(
                f"minimax, depth {d}", str(s), Rate("random v minimax", f"Minimax {d}", ("Random",))
            )
            for d in DEPTHS
            for s in VOLATILE_SAMPLES
        ),
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
            tuple(
                Falling(((f"volatile, depth {d}", "100"), (f"volatile, depth {d}", "1")))
                for d in DEPTHS
            ),
            "VI",
        ),
    ),
    choices=(
        ItemChoice("scaled down", {"random v volatile": "random v volatile, down"}, DOWN_ABOUT),
    ),
    why=(
        Why(
            "At depth 2 the result depends on how a pay-off scales a negative score, which "
            "the paper does not say: if negative scores are scaled down as well, volatile "
            "search is stronger",
            (
                *stronger("minimax", "volatile", 2),
                Falling((("volatile, depth 2", "100 [scaled down]"), ("volatile, depth 2", "100"))),
            ),
            explains=(STRONGER_AT_2,),
        ),
    ),
    notes=("The values are only in a picture. Minimax has no samples, so its line is level.",),
    form="lines",
    axes=("samples for each move", "games won, %"),
)

FIGURE_9 = Item(
    kind="figure",
    number="9",
    title="Volatile search against minimax of the same depth: games won, in percent",
    section="VI",
    cells=tuple(
        ItemCell(f"depth {d}", str(s), versus_same_depth(d, s))
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
        ItemChoice(
            "scaled down",
            {f"minimax {d} v volatile": f"minimax {d} v volatile, down" for d in DEPTHS},
            DOWN_ABOUT,
        ),
    ),
    notes=("The values are only in a picture.",),
    form="lines",
    axes=("samples for each move", "games won, %"),
)


# -- choices ----------------------------------------------------------------------------------

KEPT = "surplus kept"
KEPT_ABOUT = (
    "An exploding square keeps the pieces above its capacity; in the paper's wording it is emptied"
)
KEPT_AGAINST_BOTH = ItemChoice(
    KEPT,
    {
        "random v Monte Carlo": "random v Monte Carlo, keep",
        "Monte Carlo 100 v minimax": "Monte Carlo 100 v minimax, keep",
    },
    KEPT_ABOUT,
)

# -- figure 2 ---------------------------------------------------------------------------------


def versus_random(samples: int) -> Rate:
    """The measure of Monte Carlo's wins against random play."""
    return Rate("random v Monte Carlo", f"Monte Carlo {samples}", ("Random",))


def versus_minimax(samples: int, depth: int) -> Rate:
    """The measure of Monte Carlo's wins against minimax."""
    name = f"Monte Carlo {samples}"
    return Rate(f"{name} v minimax", name, (f"Minimax {depth}",))


OVER_90 = "Against random play Monte Carlo wins over 90% even with the fewest samples"
FIGURE_2 = Item(
    kind="figure",
    number="2",
    title="Monte Carlo against random and minimax: games won, in percent",
    section="III.B",
    cells=(
        *(ItemCell("random", str(s), versus_random(s)) for s in SAMPLES),
        *(
            ItemCell(f"minimax, depth {d}", str(s), versus_minimax(s, d))
            for d in DEPTHS
            for s in SAMPLES
        ),
    ),
    claims=(
        Claim(OVER_90, (Between("random", "1", 90),), "III.B"),
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
            "With 5 samples, the fewest in table I, our value agrees with the paper's 91.9%; "
            "one sample is weaker still, and table I does not include it",
            (
                Falling((("random", "5"), ("random", "1"))),
                Between("random", "5", 85),
                Between("random", "1", None, 90),
            ),
            explains=(OVER_90,),
        ),
    ),
    notes=(
        "The values are only in a picture. Section VII is about whether Monte Carlo "
        "outperforms minimax.",
    ),
    form="lines",
    axes=("samples for each move", "games won, %"),
)

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
        ItemCell(name, str(s), wins_of_1000(name, s), Number(wins, trials=PUBLISHED_GAMES))
        for name, row in PUBLISHED_WINS.items()
        for s, wins in zip(TABLE_SAMPLES, row, strict=True)
    ),
    choices=(ItemChoice(KEPT, {name: f"{name}, keep" for name in SETS.values()}, KEPT_ABOUT),),
    notes=(
        "The number of rounds is not published; 5 is that of the paper's example.",
        "A move that wins immediately is played without random games, which could only confirm it.",
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
        ItemCell(
            "5 rounds", HALF, Fact("what the rule saves", ("half", "5 rounds")), APPROXIMATELY_30
        ),
        ItemCell("5 rounds", MET, Fact("candidates in games", ("saved",))),
        *(ItemCell("5 rounds", str(n), at_candidates("5 rounds", n)) for n in CANDIDATES),
        *(
            cell
            for rounds in ROUNDS[1:]
            for cell in (
                ItemCell(rounds, HALF, Fact("what the rule saves", ("half", rounds))),
                *(ItemCell(rounds, str(n), at_candidates(rounds, n)) for n in CANDIDATES),
            )
        ),
        ItemCell("candidates", MET, Fact("candidates in games", ("candidates",))),
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
            "Players have more moves than half of the squares: about 18 of 25. At the "
            "positions that occur the rule saves about 30%, as published, but not at half of "
            "the squares, with any number of rounds",
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
)

# -- figure 4 ---------------------------------------------------------------------------------

FEWER = "fewer wins by pruning"
# By how many percent table I has fewer wins in its second row, and what 2,000 games allow.
PUBLISHED_FEWER = ((-0.56, 0.72), (0.0, 0.87), (0.36, 1.12), (-0.64, 1.57), (0.93, 1.89))


def fewer_wins(samples: int) -> MeasureRatio:
    """How many percent fewer games progressive pruning wins."""
    pruning, plain = (
        wins_of_1000(name, samples) for name in ("Progressive pruning", "Monte Carlo")
    )
    return MeasureRatio(pruning, plain, saved=True)


FIGURE_4 = Item(
    kind="figure",
    number="4",
    title="How many percent fewer games progressive pruning wins than Monte Carlo",
    section="IV.A",
    cells=tuple(
        ItemCell(FEWER, str(samples), fewer_wins(samples), Number(*percent))
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
        "The published values follow from table I, and their ± from its 2,000 games in each "
        "cell: with 25 samples or fewer, that is too few games to distinguish a difference of "
        "one percent from none.",
    ),
    form="lines",
    axes=("samples for each move", "fewer wins, %"),
)

# -- figure 5 ---------------------------------------------------------------------------------


def cost(name: str, samples: int, what: str) -> Cost:
    """What a move costs against random play."""
    return Cost(SETS[name], f"{name} {samples}", what, ("Random",))


def work_saved(samples: int, what: str) -> MeasureRatio:
    """How many percent less a move of progressive pruning costs."""
    pruning, plain = (cost(name, samples, what) for name in ("Progressive pruning", "Monte Carlo"))
    return MeasureRatio(pruning, plain, saved=True)


FIGURE_5 = Item(
    kind="figure",
    number="5",
    title="Seconds for a move against random play",
    section="IV.A",
    cells=tuple(
        ItemCell(name, str(s), cost(name, s, "seconds")) for name in SETS for s in TABLE_SAMPLES
    ),
    claims=(
        Claim(
            "Progressive pruning takes less time than Monte Carlo",
            (Falling((("Monte Carlo", "100"), ("Progressive pruning", "100"))),),
            "IV.A",
        ),
    ),
    notes=("The paper shows the time of all games, only in a picture.",),
    form="lines",
    axes=("samples for each move", "seconds for a move"),
)

SECTION_IV_A = Item(
    kind="section",
    number="IV.A",
    title="What progressive pruning saves in games against random play, in percent",
    section="IV.A",
    cells=(
        *(
            ItemCell("random games", str(s), work_saved(s, "simulations"), APPROXIMATELY_30)
            for s in TABLE_SAMPLES
        ),
        *(ItemCell("time", str(s), work_saved(s, "seconds")) for s in TABLE_SAMPLES),
    ),
    notes=(
        f"The paper says that figure 5 confirms what section IV expects. {READING_30}",
        "Part of the time for a move does not depend on the samples, so with few samples less "
        "time is saved than random games.",
    ),
)

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
        ItemCell("random", WON, versus_random(100), Number(98.4, trials=PUBLISHED_GAMES)),
        *(ItemCell(f"minimax, depth {d}", WON, versus_minimax(100, d)) for d in DEPTHS),
    ),
    claims=(
        *(
            Claim(text, tuple(Between(f"minimax, depth {d}", WON, 50) for d in depths), "VII")
            for text, depths in ((BETTER_THAN_SHALLOW, (1, 2)), (BETTER_THAN_DEEP, (3, 4)))
        ),
    ),
    choices=(
        KEPT_AGAINST_BOTH,
        ItemChoice(
            "own pieces",
            {"Monte Carlo 100 v minimax": "Monte Carlo 100 v minimax, own"},
            "Minimax counts its own pieces only, not its lead in pieces",
        ),
        ItemChoice(
            "plain minimax",
            {"Monte Carlo 100 v minimax": "Monte Carlo 100 v minimax, plain"},
            "Minimax takes the first of equally good squares; with α-β it may take another one",
        ),
        ItemChoice(
            "400 samples",
            {"Monte Carlo 100 v minimax": "Monte Carlo 100 v minimax, 400 samples"},
            "Four times the largest number of samples in the paper",
        ),
    ),
    why=(
        Why(
            "Our Monte Carlo matches the paper's: it beats random play as often. But minimax "
            "of depths 2, 3 and 4 beats it, whatever happens to surplus pieces, however "
            "pieces are counted and whichever of equal moves is taken; at depths 3 and 4 it "
            "does so even against four times the samples. No choice that the paper leaves "
            "open reverses this",
            (
                Between("random", WON, 90),
                *(
                    Between(f"minimax, depth {d}", column, None, 50)
                    for d in (2, 3, 4)
                    for column in (
                        WON,
                        *(under(WON, choice) for choice in (KEPT, "own pieces", "plain minimax")),
                    )
                ),
                *(
                    Between(f"minimax, depth {d}", under(WON, "400 samples"), None, 50)
                    for d in (3, 4)
                ),
            ),
            explains=(BETTER_THAN_SHALLOW, BETTER_THAN_DEEP),
        ),
    ),
    notes=("The published number is that of table I.",),
)

PAPER = Paper(
    name="chain-reaction",
    title="Highly Volatile Game Tree Search in Chain Reaction",
    authors="Dafydd Jenkins and Colin Frayn",
    source="University of Birmingham",
    game="chain-reaction",
    items=(
        FIGURE_2,
        FIGURE_3,
        TABLE_I,
        FIGURE_4,
        FIGURE_5,
        SECTION_IV_A,
        FIGURE_8,
        FIGURE_9,
        SECTION_VII,
    ),
    games=GAMES,
    computed=COMPUTED,
    about="All games are on 5×5 from the empty board, with seats swapped after each game.",
)
