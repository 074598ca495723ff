"""Settings: all that fixes what is learned."""

from dataclasses import dataclass
from typing import Any

from topple.boards import Board
from topple.boards.kinds.catalogue import find_kind
from topple.core.errors import BadText, Unsupported, unknown
from topple.core.spec import Option
from topple.evaluations import evaluations_of, read_weights
from topple.game.game import Game, load
from topple.learning.networks import CLASSES, NETWORKS

GAMES, SIMULATIONS, RATE, SEED, KEEP = 10_000, 20, 0.05, 1, 70.0
EXPLORE = 0.1  # where all games are played on one board

LEARNING, FROZEN, SAME, RANDOM = "learning", "frozen", "same", "random"
OPPONENTS = {
    LEARNING: "learns as well, with weights of its own",
    FROZEN: "keeps the weights that both begin with, all 0",
    SAME: "plays with the learner's weights as they are",
    RANDOM: "draws any legal move",
}

_games = Option("games", GAMES, int, "games of a simulation", least=1, most=10_000_000)
_rate = Option("rate", None, float, "the learning rate", least=0, most=1000)
_seed = Option("seed", SEED, int, "fixes every game", least=0)
_explore = Option("explore", None, float, "the chance of a random move", least=0, most=1)


@dataclass(frozen=True)
class Settings:
    """What is learned and how; a number more, and a simulation is fixed to the last bit."""

    game: Game  # on the board of all games, or on any where each has a network of its own
    on_networks: bool
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
        """The board, or what the networks are like."""
        return NETWORKS if self.on_networks else self.game.board.spec

    def identity(self) -> dict[str, Any]:
        """All that fixes the simulations, as data: the same, the same simulations."""
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


def make_settings(
    game: str | Game,
    board: str | Board | None = None,
    *,
    games: int = GAMES,
    rate: float | None = None,
    seed: int = SEED,
    opponent: str = LEARNING,
    explore: float | None = None,
) -> Settings:
    """Check what is wanted; a rate that is not given is 0.05, for large features less.

    Raises
    ------
    BadText
        If a value makes no sense.
    Unsupported
        If the game has no features, or not two players.

    Examples
    --------
    >>> settings = make_settings("chain-reaction", "grid:3x3", rate=0.001)
    >>> settings.features, settings.board_text, settings.explore
    (('pieces', 'own'), 'grid:3x3', 0.1)
    """
    if isinstance(game, Game) and board is not None:
        raise BadText("the game has its board already: give the board to topple.load")
    chosen = game if isinstance(game, Game) else load(game, board)
    check_learnable(chosen)
    kind = find_kind(chosen.rules.BOARD).name
    on_networks = isinstance(game, str) and board is None and kind in CLASSES
    if opponent not in OPPONENTS:
        _check_weights(opponent, chosen)
    if explore is None:
        explore = 0.0 if on_networks else EXPLORE
    settings = Settings(
        chosen, on_networks, _games.read(games), _rate.read(RATE if rate is None else rate),
        _seed.read(seed), opponent, _explore.read(explore),
    )  # fmt: skip
    if rate is not None:
        return settings
    from topple.learning.simulation import with_fitting_rate

    return with_fitting_rate(settings)


def check_learnable(game: Game) -> None:
    """Refuse a game in which there is nothing to learn.

    Raises
    ------
    Unsupported
        If it has no features, or not two players.
    """
    if game.n_players != 2:
        raise Unsupported(f"learning is for 2 players, and {game.spec} has {game.n_players}")
    try:
        game.knowledge()
    except Unsupported:
        raise Unsupported(f"{game.name} has no features whose weights could be learned") from None


def _check_weights(text: str, game: Game) -> None:
    """Refuse an opponent that is neither known nor weights."""
    features = game.evaluations.FEATURES
    if "/" not in text and len(features) > 1:
        raise BadText(unknown("opponent", text, [*OPPONENTS, "/".join(features)]))
    read_weights(text, features)
