"""The shelf: the networks that topple is shipped with, and those that users name."""

from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Protocol

from topple.boards.board import Board
from topple.core.errors import BadText, Unsupported
from topple.core.text import one_line
from topple.nets.net import Design
from topple.nets.net_file import TrainedNet, load_net
from topple.nets.sight import Sight

SHIPPED = Path(__file__).parent / "weights"
SUFFIX = ".npz"
MOST_LOADED = 8  # networks in memory


class NetGame(Protocol):
    """The attributes of a game that decide which network fits it."""

    name: str
    encoding: ModuleType | None

    @property
    def board(self) -> Board:
        """The board."""

    @property
    def n_players(self) -> int:
        """The number of players."""

    @property
    def spec(self) -> str:
        """The text that names the game."""

    @property
    def sight(self) -> tuple[str, Sight]:
        """The kind of board, and what a network sees of it."""


def shipped_nets() -> tuple[str, ...]:
    """The names of the networks that topple is shipped with."""
    return tuple(sorted(path.stem for path in SHIPPED.glob(f"*{SUFFIX}")))


def load_shipped() -> tuple[TrainedNet, ...]:
    """The networks that topple is shipped with.

    Raises
    ------
    BadText
        If one of them is damaged.
    """
    return tuple(map(_named, shipped_nets()))


def is_shipped(name: str) -> bool:
    """Whether a text names a shipped network, and not a file."""
    return name in shipped_nets()


def net_for(game: NetGame, name: str | None = None) -> TrainedNet:
    """The network of that name, or the game's shipped one.

    Raises
    ------
    BadText
        If there is no such network, or it is damaged or for something else.
    Unsupported
        If none is named and none is shipped, or no network can see the game.
    """
    _ = game.sight  # refuses a game that no network can see
    if name is None:
        return _shipped_for(game)
    trained = _named(name)
    _check_fit(trained, game)
    return trained


def has_net(game: NetGame) -> bool:
    """Whether a network is shipped that fits the game and its board."""
    try:
        net_for(game)
    except (BadText, Unsupported):
        return False
    return True


def _shipped_for(game: NetGame) -> TrainedNet:
    """The shipped network for a game."""
    assert game.encoding is not None
    name = str(game.encoding.net_name(game))
    trained = _named(name) if is_shipped(name) else None
    if trained is None or not fits(trained.design, game):
        raise Unsupported(
            f"no network is shipped for {game.spec} on {game.board.spec}: train one with "
            f"topple train {game.name}, and give its file as net=FILE"
        )
    return trained


def _named(name: str) -> TrainedNet:
    """The shipped network of a name, or else the one in the file of that name."""
    return _read(SHIPPED / f"{name}{SUFFIX}" if is_shipped(name) else Path(name), name)


def _read(path: Path, name: str) -> TrainedNet:
    """A network from a file, which is read again only if the file has changed."""
    try:
        changed = path.stat().st_mtime_ns
    except (OSError, ValueError):
        known = ", ".join(shipped_nets()) or "none"
        raise BadText(
            f"there is no network {one_line(name, 60)}: shipped are {known}; others are files"
        ) from None
    return _read_once(path, name, changed)


@lru_cache(MOST_LOADED)
def _read_once(path: Path, name: str, changed: int) -> TrainedNet:
    return load_net(path, name)


def planes_of(sight: Sight) -> int:
    """The planes that a network takes."""
    return sight.n_dynamic + int(sight.fixed.shape[2])


def slots_of(game: NetGame) -> int:
    """How many logits a network has for the game's board."""
    assert game.encoding is not None
    on_vertices = game.sight[1].n * int(game.encoding.ACTIONS)
    return on_vertices + int(game.encoding.board_actions(game))


def fits(design: Design, game: NetGame) -> bool:
    """Whether a network of this design can look at the game."""
    kind, sight = game.sight
    assert game.encoding is not None
    wanted = (kind, planes_of(sight), game.encoding.ACTIONS, game.encoding.board_actions(game))
    own = (design.kind, design.planes, design.actions, design.board_actions)
    return own == wanted and design.players == game.n_players


def _check_fit(trained: TrainedNet, game: NetGame) -> None:
    shown = one_line(trained.name, 60)
    if trained.game != game.name:
        raise BadText(f"the network {shown} is for {one_line(trained.game, 40)}, not {game.name}")
    if not fits(trained.design, game):
        design = trained.design
        raise BadText(
            f"the network {shown} is for {design.players} players on boards of kind {design.kind}: "
            f"it cannot see {game.spec} on {game.board.spec}"
        )
