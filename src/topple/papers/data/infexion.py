"""Infexion: random, greedy, minimax and α–β against each other, and the work that α–β saves."""

from collections.abc import Mapping

from topple.papers.paper import (
    FIRST,
    SECOND,
    Between,
    Check,
    Claim,
    Computed,
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

BOARD = (GameField("infexion", "infexion:7"),)
RANDOM, GREEDY, MINIMAX, ALPHABETA = AGENTS = ("Random", "Greedy", "MiniMax", "α–β")
SECONDS, QUICK_SECONDS = 180, 3  # for each side and game
PUBLISHED_GAMES = 10  # of a pairing, as the report has at least 5 with either colour

# -- games ------------------------------------------------------------------------------------

NO_OPTIMISATION = ",skip=false,width=1000000000"


def players(seconds: int, minimax_seconds: int, options: str = "") -> Mapping[str, str]:
    """The four algorithms, with their seconds for a game."""
    return {
        RANDOM: "random",
        GREEDY: "greedy",
        MINIMAX: f"frontier:game_time={minimax_seconds},resolve=minimax{options}",
        ALPHABETA: f"frontier:game_time={seconds}",
    }


def everyone(name: str, share: int = 1, options: str = "", about: str = "") -> GameSet:
    """Games of every algorithm against every other; minimax has 1/`share` of the time."""
    return GameSet(
        name,
        BOARD,
        players(SECONDS, SECONDS // share, options),
        PUBLISHED_GAMES,
        PUBLISHED_GAMES,
        quick_agents=players(QUICK_SECONDS, QUICK_SECONDS // share, options),
        about=about,
    )


ABOUT_TIME = (
    f"A turn gets the rest of {SECONDS} s ({QUICK_SECONDS} s in quick games) divided by the "
    "turns that remain of 343 actions. The agents keep to this themselves: the arena sets no "
    "limit, so that nobody loses by a few milliseconds."
)
GAMES = (
    everyone("table 1", about=ABOUT_TIME),
    everyone("table 1, no optimisation", options=NO_OPTIMISATION, about=ABOUT_TIME),
    everyone("table 1, a third of the time", share=3, about=ABOUT_TIME),
    GameSet(
        "MiniMax and α–β in 3 s",
        BOARD,
        {name: text for name, text in players(3, 3).items() if name in (MINIMAX, ALPHABETA)},
        100,
        20,
        about="More games than the report's, in less time: 3 s for each side and game.",
    ),
)

# -- computed ---------------------------------------------------------------------------------

FULL_TREES = {"positions": 60, "every": 12, "seed": 1}
QUICK_TREES = {"positions": 12, "every": 16, "seed": 1}


def trees(name: str, about: str = "", **given: int | bool) -> Computed:
    """Trees that are searched by alpha-beta and by minimax."""
    return Computed(name, "resolve-times", {**FULL_TREES, **given}, {**QUICK_TREES, **given}, about)


COMPUTED = (
    trees(
        "trees",
        "The size of the published trees is unknown; ours have 100,000 nodes, with at most "
        "10,000 expanded at each depth. Positions come from games between small searches.",
        nodes=100_000,
    ),
    trees("trees, plain Python", nodes=100_000, compiled=False),
    trees("trees, ten times the nodes", nodes=1_000_000),
    trees("trees, all moves", nodes=100_000, skip=False),
)

# -- choices of table 1 -----------------------------------------------------------------------

CHOICES = (
    ItemChoice(
        "no optimisation",
        {"table 1": "table 1, no optimisation"},
        "MiniMax has none of the five optimisations: all moves, spawns first, and no limit on "
        "the nodes of a depth. The depth that the time limit cuts short is still expanded "
        "best first",
    ),
    ItemChoice(
        "a third of the time",
        {"table 1": "table 1, a third of the time"},
        "MiniMax has a third of the time: with 180 s for 172 turns, searching the tree for "
        "0.7 s in each turn would leave about that much to build it",
    ),
)

# -- table 1 ----------------------------------------------------------------------------------


def wins(agent: str, *opponents: str, seat: str = "both", counts: str = "win") -> Rate:
    """How often an algorithm wins, in percent."""
    return Rate("table 1", agent, opponents, seat=seat, counts=counts)


TOTAL = "Total Win Rate"
PUBLISHED_TOTALS = {RANDOM: 0, GREEDY: 33, MINIMAX: 66, ALPHABETA: 100}
PAIRINGS = tuple((one, other) for n, one in enumerate(AGENTS) for other in AGENTS[:n])


def row_cell(place: int, one: str, other: str) -> ItemCell:
    """A cell of the table: won every game against agents before it, lost the others."""
    percent = 100 if other in AGENTS[:place] else 0
    return ItemCell(one, other, wins(one, other), Number(percent, trials=PUBLISHED_GAMES))


NOT_ALL = 99  # percent; an interval below it means that some games were not won
BEST_TO_WORST = "From best to worst: α–β, MiniMax, Greedy, Random"
THE_TWO = f"{ALPHABETA}, {MINIMAX}"  # a row


def same_player(checks: tuple[Check, ...], explains: tuple[str, ...]) -> Why:
    """Why α–β does not win every game against MiniMax, if the checks show that."""
    return Why(
        "On the same tree MiniMax finds the same move as α–β, and here searching the tree "
        "takes a small part of the time for a turn, not two thirds of it: otherwise the two "
        "are the same player",
        (Holds(Fact("trees", ("same",))), Holds(Fact("trees", ("minor",))), *checks),
        explains,
    )


TABLE_1 = Item(
    kind="table",
    number="1",
    title="Games won by the row against the column, in percent",
    section="Performance Evaluation",
    cells=(
        *(
            row_cell(n, one, other)
            for n, one in enumerate(AGENTS)
            for other in AGENTS
            if other != one
        ),
        *(
            ItemCell(agent, TOTAL, wins(agent), Number(percent, trials=3 * PUBLISHED_GAMES))
            for agent, percent in PUBLISHED_TOTALS.items()
        ),
        ItemCell(
            ALPHABETA, "MiniMax, 3 s a side", Rate("MiniMax and α–β in 3 s", ALPHABETA, (MINIMAX,))
        ),
    ),
    claims=(
        Claim(
            BEST_TO_WORST,
            (Falling(tuple((agent, TOTAL) for agent in reversed(AGENTS))),),
            "Performance Evaluation",
        ),
    ),
    choices=CHOICES,
    why=(
        same_player(
            (
                Between(ALPHABETA, MINIMAX, high=NOT_ALL),
                *(
                    Between(one, other, 50)
                    for one in (MINIMAX, ALPHABETA)
                    for other in (RANDOM, GREEDY)
                ),
            ),
            (BEST_TO_WORST, MINIMAX, ALPHABETA),
        ),
    ),
    notes=(
        "The table prints W and L for won and lost every time, in at least 5 games with "
        "either colour; here there are 10 games.",
        'The report does not say which of the five optimisations "normal MiniMax" has. It '
        "says that MiniMax loses because it takes longer to search the tree that was built, "
        "so we let both build the same tree; the other reading is a choice.",
    ),
)

# -- who begins, and draws --------------------------------------------------------------------

AND_OF_THE_TWO = "So does α–β against MiniMax"
SEATS = Item(
    kind="section",
    number="Performance Evaluation",
    title="Games won by the first named as either colour, and draws, in percent",
    section="Performance Evaluation",
    cells=tuple(
        cell
        for one, other in PAIRINGS
        for cell in (
            ItemCell(
                f"{one}, {other}", "as Red", wins(one, other, seat=FIRST), Number(100, trials=5)
            ),
            ItemCell(
                f"{one}, {other}", "as Blue", wins(one, other, seat=SECOND), Number(100, trials=5)
            ),
            ItemCell(f"{one}, {other}", "draws", wins(one, other, counts="draw")),
            ItemCell(
                f"{one}, {other}",
                "points",
                wins(one, other, counts="score"),
                Number(100, trials=PUBLISHED_GAMES),
            ),
        )
    ),
    claims=(
        Claim(
            "The same side wins, whoever begins",
            tuple(
                Between(f"{one}, {other}", column, 50)
                for one, other in PAIRINGS[:-1]
                for column in ("as Red", "as Blue")
            ),
            "Performance Evaluation",
        ),
        Claim(
            AND_OF_THE_TWO,
            tuple(Between(THE_TWO, column, 50) for column in ("as Red", "as Blue")),
            "Performance Evaluation",
        ),
    ),
    choices=CHOICES,
    why=(same_player((Between(THE_TWO, "points", high=NOT_ALL),), (AND_OF_THE_TWO, THE_TWO)),),
    notes=(
        "The report mentions no draws. A game is drawn if neither side is ahead by 2 power "
        "when it ends; points count a draw as half a win, so that winning every game gives "
        "all of them.",
    ),
)

# -- 0.01 s against 0.7 s ---------------------------------------------------------------------

FASTER = "MiniMax by α–β"
PLAIN, TEN_TIMES = "plain Python", "1,000,000 nodes"


def seconds(agent: str) -> Fact:
    """The mean time to search a finished tree."""
    return Fact("trees", ("seconds", agent))


def nodes(agent: str) -> Fact:
    """The mean number of nodes searched."""
    return Fact("trees", ("nodes", agent))


SEARCH = Item(
    kind="section",
    number="Search Optimizations",
    title="Finding the best move in a finished tree: seconds and nodes searched",
    section="Search Optimizations, 3",
    cells=(
        ItemCell(ALPHABETA, "seconds", seconds("alphabeta"), Number(0.01, margin=0.005)),
        ItemCell(MINIMAX, "seconds", seconds("minimax"), Number(0.7, margin=0.05)),
        ItemCell(
            FASTER,
            "seconds",
            MeasureRatio(seconds("minimax"), seconds("alphabeta")),
            Number(70, margin=35),
        ),
        ItemCell(ALPHABETA, "nodes", nodes("alphabeta")),
        ItemCell(MINIMAX, "nodes", nodes("minimax")),
        ItemCell(FASTER, "nodes", MeasureRatio(nodes("minimax"), nodes("alphabeta"))),
        ItemCell("MiniMax, % of a turn", "seconds", Fact("trees", ("share",))),
    ),
    claims=(
        Claim(
            "α–β finds the same move and value as MiniMax",
            (Holds(Fact("trees", ("same",))),),
            "Search Optimizations, 3",
        ),
        Claim(
            "It is many times faster",
            (Between(FASTER, "seconds", 5), Between(FASTER, "nodes", 5)),
            "Search Optimizations, 3",
        ),
    ),
    choices=(
        ItemChoice(
            PLAIN,
            {"trees": "trees, plain Python"},
            "The same search of the same trees, not compiled",
        ),
        ItemChoice(
            TEN_TIMES, {"trees": "trees, ten times the nodes"}, "Trees of ten times the size"
        ),
        ItemChoice(
            "all moves",
            {"trees": "trees, all moves"},
            "Spawns before spreads, and no move left out: shows what the first two "
            "optimisations gain",
        ),
    ),
    why=(
        Why(
            "Compiled code searches a tree hundreds of times faster: as plain Python the same "
            "search takes as long as published, to the order of magnitude",
            (
                Between(ALPHABETA, "seconds", high=0.001),
                Between(MINIMAX, "seconds", high=0.07),
                Between(ALPHABETA, under("seconds", PLAIN), 0.001, 0.1),
                Between(MINIMAX, under("seconds", PLAIN), 0.07, 7),
            ),
            explains=(ALPHABETA, MINIMAX),
        ),
        Why(
            "The speed-up grows with the size of the tree, which is not published: with ten "
            "times the nodes it is larger",
            (
                Between(FASTER, "seconds", high=35),
                Falling(((FASTER, under("seconds", TEN_TIMES)), (FASTER, "seconds"))),
            ),
            explains=(FASTER,),
        ),
    ),
    notes=(
        "Both published times have one digit, so their ratio, 70, is uncertain by 35 either way.",
        "Each search is repeated, and the fastest run counts.",
    ),
)

PAPER = Paper(
    name="infexion",
    title="Approach to Infexion",
    authors="not named",
    source="a project report on an agent for the game",
    game="infexion",
    items=(TABLE_1, SEATS, SEARCH),
    games=GAMES,
    computed=COMPUTED,
    about=(
        "α–β is the agent frontier with all of the report's optimisations: spreads before spawns, "
        "useless spreads left out, and at each depth the best nodes first, at most 10,000 of "
        "them."
    ),
)
