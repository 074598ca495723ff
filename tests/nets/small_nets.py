"""Small networks of random weights that fit a game."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from topple.game.game import Game
from topple.nets.net import Design, random_net
from topple.nets.net_file import TrainedNet, save_net
from topple.nets.shelf import planes_of


def small_design(game: Game, **sizes: int) -> Design:
    """A design that fits a game: one block of few channels, unless `sizes` says otherwise."""
    kind, sight = game.sight
    assert game.encoding is not None
    chosen = {"channels": 16, "blocks": 1, "policy": 16, "value": 4, **sizes}
    board_actions = game.encoding.board_actions(game)
    actions = game.encoding.ACTIONS
    return Design(kind, planes_of(sight), actions, board_actions, game.n_players, **chosen)


def small_net(game: Game, seed: int = 1, scale: float = 1.0, **sizes: int) -> TrainedNet:
    """A network of random weights for a game."""
    design = small_design(game, **sizes)
    made: dict[str, Any] = {"seed": seed}
    return TrainedNet(game.name, design, random_net(design, seed, scale), made)


def save_small(path: Path, game: Game, seed: int = 1, scale: float = 1.0, **sizes: int) -> str:
    """Write a network of random weights for a game; returns the file's name."""
    save_net(path, small_net(game, seed, scale, **sizes))
    return str(path)


def ship_small(folder: Path, games: Iterable[Game], **sizes: int) -> Path:
    """A folder of small networks that can stand in for the shipped ones of these games."""
    folder.mkdir(exist_ok=True)
    for game in games:
        assert game.encoding is not None
        save_small(folder / f"{game.encoding.net_name(game)}.npz", game, **sizes)
    return folder
