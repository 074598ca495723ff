"""The settings of learning: everything that determines what is learned."""

from dataclasses import dataclass
from typing import Any

from topple.core.errors import BadText, Unsupported, unknown
from topple.core.spec import Option
from topple.evaluations import evaluations_of, read_weights
from topple.game.game import Game
from topple.learning.networks import NETWORKS

GAMES, SIMULATIONS, RATE, SEED, KEEP = 10_000, 20, 0.05, 1, 70.0
EXPLORE = 0.1  # if all games are played on one board

LEARNING, FROZEN, SAME, RANDOM = "learning", "frozen", "same", "random"
OPPONENTS = {
    LEARNING: "learns as well, with weights of its own",
    FROZEN: "keeps the weights that both begin with, all 0",
    SAME: "plays with the learner's weights as they are",
    RANDOM: "draws any legal move",
}

GAMES_OPTION = Option("games", GAMES, int, "games of a simulation", least=1, most=10_000_000)
RATE_OPTION = Option(
    "rate",
    None,
    float,
    "the learning rate; 0.05 unless given, less where features are large",
    least=0,
    most=1000,
)
SEED_OPTION = Option("seed", SEED, int, "determines every game", least=0)
EXPLORE_OPTION = Option(
    "explore",
    None,
    float,
    "the chance of a random move; 0 unless given, 0.1 where the board is always the same",
    least=0,
    most=1,
)


@dataclass(frozen=True)
class LearningSettings:
    """What is learned and how. With a number, the settings determine a simulation exactly."""

    game: Game  # on the board of all games, or on any board if `on_networks`
    on_networks: bool  # each game is played on a new random network
    games: int = GAMES
    rate: float = RATE
    seed: int = SEED
    opponent: str = LEARNING  # one of OPPONENTS, or weights
    explore: float = 0.0

    @property
    def features(self) -> tuple[str, ...]:
        """The names of the game's features."""
        return tuple(self.game.evaluations.FEATURES)

    @property
    def built_in(self) -> tuple[float, ...]:
        """The weights of the game's default evaluation."""
        return next(iter(evaluations_of(self.game.name, self.game.evaluations).values())).weights

    @property
    def board_text(self) -> str:
        """The board, or a description of the networks."""
        return NETWORKS if self.on_networks else self.game.board.spec

    def identity(self) -> dict[str, Any]:
        """The settings as data: equal data means equal simulations."""
        return {
            "game": self.game.spec,
            "board": self.board_text,
            "board_digest": None if self.on_networks else self.game.board.digest,
            "features": list(self.features),
            "games": self.games,
            "rate": self.rate,
            "seed": self.seed,
            "opponent": self.opponent,
            "explore": self.explore,
        }


def check_learnable(game: Game) -> None:
    """Refuse a game in which nothing can be learned.

    Raises
    ------
    Unsupported
        If it has no features, or is not a game for two players.
    """
    if game.n_players != 2:
        raise Unsupported(f"learning is for 2 players, and {game.spec} has {game.n_players}")
    try:
        game.knowledge()
    except Unsupported:
        raise Unsupported(f"{game.name} has no features whose weights could be learned") from None


def check_opponent(text: str, game: Game) -> None:
    """Refuse an opponent that is neither one of OPPONENTS nor weights.

    Raises
    ------
    BadText
        If it is neither; the message suggests the nearest known opponent.
    """
    if text in OPPONENTS:
        return
    features = game.evaluations.FEATURES
    if "/" not in text and len(features) > 1:
        raise BadText(unknown("opponent", text, [*OPPONENTS, "/".join(features)]))
    read_weights(text, features)
