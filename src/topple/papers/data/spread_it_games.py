"""Spread-It: the networks, the agents and the games that are played."""

from collections.abc import Mapping
from typing import NamedTuple

from topple.papers.paper import Computed, GameField, GameSet, ItemChoice

MCTS, ALPHA_BETA, RANDOM = "MCTS", "Alpha-Beta", "Random"
EVALUATIONS = ("Parity", "Stability", "General", "Hubs", "Linear", "Mobility")
RANDOM_NETWORKS, SMALL_WORLDS, ATTACHMENT = "Random", "Watts-Strogatz", "Barabási-Albert"
ZERO, FULL = LOYALTIES = ("zero", "full")

# The sizes are ours: evenly spread on a logarithmic scale and assigned to the classes in turn, so
# that the first three, six or nine networks have equally many of each class.
NETWORKS = {
    "er:n=14,m=19,seed=1": RANDOM_NETWORKS,
    "ws:n=16,k=4,p=0.1,seed=1": SMALL_WORLDS,
    "ba:n=18,m=2,seed=1": ATTACHMENT,
    "er:n=21,m=33,seed=1": RANDOM_NETWORKS,
    "ws:n=24,k=4,p=0.1,seed=1": SMALL_WORLDS,
    "ba:n=24,m=3,p=0.5,seed=1130": ATTACHMENT,
    "er:n=31,m=58,seed=1": RANDOM_NETWORKS,
    "ws:n=35,k=4,p=0.1,seed=1": SMALL_WORLDS,
    "ba:n=40,m=2,seed=1": ATTACHMENT,
    "er:n=46,m=102,seed=1": RANDOM_NETWORKS,
    "ws:n=52,k=4,p=0.1,seed=1": SMALL_WORLDS,
    "ba:n=59,m=2,seed=1": ATTACHMENT,
    "er:n=68,m=178,seed=2": RANDOM_NETWORKS,
    "ws:n=77,k=4,p=0.1,seed=1": SMALL_WORLDS,
    "ba:n=88,m=3,p=0.04,seed=5": ATTACHMENT,
}
ALL = tuple(NETWORKS)
SMALL, SMALLEST = ALL[:9], ALL[:6]  # at most 40 vertices, at most 24

# Networks as large as the small ones, from the first suitable seeds after 100.
OTHERS = (
    "er:n=14,m=19,seed=101",
    "ws:n=16,k=4,p=0.1,seed=101",
    "ba:n=18,m=2,seed=101",
    "er:n=21,m=33,seed=101",
    "ws:n=24,k=4,p=0.1,seed=101",
    "ba:n=24,m=3,p=0.5,seed=102",
    "er:n=31,m=58,seed=101",
    "ws:n=35,k=4,p=0.1,seed=101",
    "ba:n=40,m=2,seed=101",
)

# The small networks whose 2m − n is odd, with half of it, rounded down.
EVEN_TOKENS = {"er:n=21,m=33,seed=1": 22, "er:n=31,m=58,seed=1": 42, "ws:n=35,k=4,p=0.1,seed=1": 52}

CENTRAL_NETWORK = "ba:n=24,m=3,p=0.5,seed=1130"  # 24 vertices, 70 edges: sections V.E and V.F
TWO_HUBS = (5, 6)  # its vertices of degree 10
CHEAP = 5  # their threshold in section V.F
# Cascades that create tokens and have no winner must be cut; see `hub_games`.
CUT = 1000

PLAIN_MCTS = "uct:iterations=1000,solver=false,keep=false"
AGENTS = {MCTS: PLAIN_MCTS, ALPHA_BETA: "alphabeta:depth=4,evaluation=linear", RANDOM: "random"}


def game(loyalty: str, **options: object) -> str:
    """The spec of the game with a loyalty and further options.

    >>> game("zero"), game("full", order="index")
    ('spread-it', 'spread-it:loyalty=full,order=index')
    """
    given = ({"loyalty": loyalty} if loyalty == FULL else {}) | options
    text = ",".join(f"{name}={value}" for name, value in given.items())
    return f"spread-it:{text}" if text else "spread-it"


class Variant(NamedTuple):
    """The games of tables I and IV with one setting changed."""

    name: str
    label: str
    about: str
    agents: Mapping[str, str] = {}
    networks: tuple[str, ...] = SMALL
    options: Mapping[str, object] = {}  # of the game
    tokens: Mapping[str, int] = {}  # for each player, by network
    plies: int = 0
    quick: int = 2
    quick_networks: int = 6

    def fields(self, loyalty: str) -> tuple[GameField, ...]:
        """The game on each network."""
        return tuple(
            GameField(game(loyalty, **self.options, **self._tokens(board)), board)
            for board in self.networks
        )

    def _tokens(self, board: str) -> dict[str, int]:
        return {"tokens": self.tokens[board]} if board in self.tokens else {}

    def games(self, loyalty: str) -> GameSet:
        """The games at one loyalty."""
        return GameSet(
            f"{loyalty}, {self.name}",
            self.fields(loyalty),
            AGENTS | dict(self.agents),
            full=500,
            quick=self.quick,
            plies=self.plies,
            quick_fields=self.quick_networks,
            about=self.about,
        )

    def choice(self, *loyalties: str) -> ItemChoice:
        """The choice in an item that rests on the games of these loyalties."""
        return ItemChoice(
            self.label, {each: f"{each}, {self.name}" for each in loyalties}, self.about
        )


_ON_NINE = "On the nine networks with at most 40 vertices; quick uses six of them."
DEPTH_1 = Variant(
    "depth 1",
    "Alpha-Beta of depth 1",
    "Looks one move ahead instead of four; on all networks.",
    {ALPHA_BETA: "alphabeta:depth=1,evaluation=linear"},
    ALL,
    quick=6,
    quick_networks=9,
)
# At full loyalty parity counts owned vertices and nothing else. So a weight of −1 for parity
# cancels them in general, where each counts as much, and on average in stability and hubs, where
# they count by degree and by PageRank. In linear, parity then weighs 0.27 + 0.08 − 0.315 − 0.495.
OPEN_LINEAR = "-0.46/-0.08/0/0.315/0.495"
OPEN_DEPTH_1 = Variant(
    "depth 1, open vertices",
    "Alpha-Beta of depth 1, only open vertices",
    "Looks one move ahead, and an owned vertex counts only in parity; on all networks.",
    {ALPHA_BETA: f"alphabeta:depth=1,weights={OPEN_LINEAR}"},
    ALL,
    quick=6,
    quick_networks=9,
)
NO_EVALUATION = Variant(
    "no evaluation",
    "Alpha-Beta without an evaluation",
    f"Depth 4, but every unfinished position counts 0. {_ON_NINE}",
    {ALPHA_BETA: "alphabeta:depth=4,evaluation=none"},
)
MORE_ITERATIONS = Variant(
    "10,000 iterations",
    "MCTS of 10,000 iterations",
    "Ten times as many; on the six networks with at most 24 vertices.",
    {MCTS: "uct:iterations=10000,solver=false,keep=false"},
    SMALLEST,
    quick_networks=3,
)
BY_INDEX = Variant(
    "index",
    "firing by index",
    "The vertex with the lowest number fires first, the paper's other order (section III.A). "
    f"{_ON_NINE}",
    options={"order": "index"},
)
TWO_PLIES = Variant(
    "two plies",
    "two random plies",
    f"Each game begins with a random move by each side. {_ON_NINE}",
    plies=2,
)
SMALL_ONLY = Variant(
    "nine networks",
    "the small networks only",
    f"The item's own games, for comparison with the choices below. {_ON_NINE}",
    quick=6,
)
VARIANTS = (
    DEPTH_1,
    SMALL_ONLY,
    Variant(
        "depth 2",
        "Alpha-Beta of depth 2",
        f"Looks two moves ahead instead of four. {_ON_NINE}",
        {ALPHA_BETA: "alphabeta:depth=2,evaluation=linear"},
    ),
    Variant(
        "depth 3",
        "Alpha-Beta of depth 3",
        f"Looks three moves ahead instead of four. {_ON_NINE}",
        {ALPHA_BETA: "alphabeta:depth=3,evaluation=linear"},
    ),
    NO_EVALUATION,
    MORE_ITERATIONS,
    BY_INDEX,
    Variant(
        "even tokens",
        "without the extra token",
        "Where 2m − n is odd, nobody has the extra token that Black otherwise has: each "
        f"player has 22, 42 and 52 tokens on three networks. {_ON_NINE}",
        tokens=EVEN_TOKENS,
    ),
    TWO_PLIES,
    Variant(
        "other networks",
        "other networks",
        "Nine networks with the same numbers of vertices and edges, from other seeds.",
        networks=OTHERS,
    ),
)


def own_games(loyalty: str) -> GameSet:
    """The games of tables I and IV."""
    return GameSet(
        loyalty,
        tuple(GameField(game(loyalty), board) for board in ALL),
        AGENTS,
        full=500,
        quick=6,
        quick_fields=9,
        about="The networks and the scales of the features are ours. The limit of 2.5 s a move is "
        "not set: moves take a few hundredths of a second.",
    )


# -- the two hubs of section V.F ---------------------------------------------------------------


def hub_games(loyalty: str, name: str, agents: Mapping[str, str]) -> GameSet:
    """Games on the network whose two hubs have the low threshold."""
    options = {"firings": CUT} if loyalty == ZERO else {}
    thresholds = tuple((vertex, CHEAP) for vertex in TWO_HUBS)
    return GameSet(
        name,
        (GameField(game(loyalty, **options), CENTRAL_NETWORK, thresholds),),
        agents,
        full=500,
        quick=6,
        about=(
            "A cascade is cut after 1,000 firings and the game is drawn. Such a cascade creates "
            "tokens and would never end; 400 random games had the same results with a cut at "
            "20,000."
        )
        if loyalty == ZERO
        else "",
    )


HUB_GAMES = tuple(
    hub_games(loyalty, name, agents)
    for loyalty in LOYALTIES
    for name, agents in (
        (f"{loyalty}, cheap hubs", AGENTS),
        (f"{loyalty}, cheap hubs, depth 1", AGENTS | dict(DEPTH_1.agents)),
    )
)


# -- the evaluations of table VII --------------------------------------------------------------


class Rivals(NamedTuple):
    """The games of table VII: search depth, networks, openings and evaluations."""

    name: str
    depth: int
    networks: tuple[str, ...]
    plies: int
    pair_games: int  # of two evaluations on a network; 2 if they always play the same game
    quick_networks: int = 3
    options: Mapping[str, str] = {}  # for evaluations other than topple's own of that name
    loyalties: tuple[str, ...] = LOYALTIES

    def agents(self) -> dict[str, str]:
        """Alpha-beta with each evaluation."""
        return {name: f"alphabeta:depth={self.depth},{self._option(name)}" for name in EVALUATIONS}

    def _option(self, name: str) -> str:
        return self.options.get(name, f"evaluation={name.lower()}")

    def games(self, loyalty: str) -> tuple[GameSet, ...]:
        """The games among the evaluations, and their games against MCTS and Random."""
        fields = tuple(GameField(game(loyalty), board) for board in self.networks)
        among = GameSet(
            self.among(loyalty),
            fields,
            self.agents(),
            full=self.pair_games,
            quick=2,
            plies=self.plies,
            quick_fields=self.quick_networks,
            about="From the empty board two of these agents always play the same game. So two "
            "games of a pairing on a network, one for each seat, stand for the paper's 200: "
            "only one in a hundred of its games is played."
            if self.plies == 0
            else "",
        )
        against = (
            GameSet(
                self.against(loyalty, name),
                fields,
                {name: AGENTS[name]} | self.agents(),
                full=200,
                quick=2,
                gauntlet=True,
                plies=self.plies,
                quick_fields=self.quick_networks,
            )
            for name in (MCTS, RANDOM)
        )
        return (among, *against)

    def among(self, loyalty: str) -> str:
        """The name of the games among the evaluations."""
        return f"{loyalty}, evaluations{self.name}"

    def against(self, loyalty: str, other: str) -> str:
        """The name of their games against MCTS or Random."""
        return f"{loyalty}, evaluations and {other}{self.name}"

    def all_names(self, loyalty: str) -> list[str]:
        """The names of all three sets of games."""
        return [self.among(loyalty), *(self.against(loyalty, name) for name in (MCTS, RANDOM))]


RIVALS = Rivals("", 4, ALL, 0, 2, quick_networks=6)
RIVALS_TWO_PLIES = Rivals(", two plies", 4, SMALL, 2, 200)
RIVALS_DEPTH_1 = Rivals(", depth 1", 1, SMALL, 0, 2)
RIVALS_OPEN = Rivals(
    ", open vertices",
    4,
    SMALL,
    2,
    200,
    options={
        "Stability": "weights=-1/1/0/0/0",
        "Hubs": "weights=-1/0/0/1/0",
        "General": "weights=-1/0/0/0/1",
        "Linear": f"weights={OPEN_LINEAR}",
    },
    loyalties=(FULL,),
)
RIVALS_OWN = Rivals(
    ", own values",
    4,
    SMALL,
    2,
    200,
    options={
        name: f"evaluation=own-{name.lower()}"
        for name in ("Stability", "Hubs", "Mobility", "Linear")
    },
)


# -- all of them -------------------------------------------------------------------------------

GAMES = (
    *(own_games(loyalty) for loyalty in LOYALTIES),
    *(variant.games(loyalty) for variant in VARIANTS for loyalty in LOYALTIES),
    OPEN_DEPTH_1.games(FULL),
    *HUB_GAMES,
    *(
        games
        for rivals in (RIVALS, RIVALS_TWO_PLIES, RIVALS_DEPTH_1, RIVALS_OPEN, RIVALS_OWN)
        for loyalty in rivals.loyalties
        for games in rivals.games(loyalty)
    ),
)

FROZEN = "learning, a copy that learns nothing"
_BOARDS = {"boards": list(ALL)}
COMPUTED = (
    Computed("networks", "networks", full=_BOARDS, quick=_BOARDS),
    *(
        Computed(
            name,
            "lms-learning",
            full={"simulations": 20, "games": 10_000, "opponent": opponent},
            quick={"simulations": 4, "games": 1_000, "opponent": opponent},
            about=f"20 simulations of 10,000 games are from the paper. {about}",
        )
        for name, opponent, about in (
            ("learning", "learning", "That the second copy learns as well is ours."),
            (FROZEN, "frozen", "That the second copy learns nothing is ours."),
        )
    ),
)
