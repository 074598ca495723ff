"""A game that was played in the arena, with all that a store keeps of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from topple.record import Record


@dataclass(frozen=True)
class Part:
    """One agent's part in a game: who it was, and what its moves have cost in all."""

    agent: str  # its name
    options: Mapping[str, Any]  # all of them, given or not
    moves: int = 0  # those it chose itself, without the opening
    seconds: float = 0.0
    simulations: int = 0
    nodes: int = 0


@dataclass(frozen=True)
class PlayedGame:
    """A game with its place in the tournament.

    `pair` names the two games that two agents play from one opening, `side`
    tells them apart: 0 where the agent that the pairing names first has the
    first seat, 1 where it has the second. Both together fix the game: agents
    that are limited by effort play the same one again.
    """

    pair: str  # 32 hexadecimal digits
    side: int
    record: Record  # its players are the agents' specs, in the order of the seats
    reason: str  # in words, why the game ended as it did
    parts: tuple[Part, Part]  # in the order of the seats
    tournament_seed: int
    opening_number: int  # counted from 0
    began: str  # UTC, ISO 8601, to the second
    seconds: float  # from the first to the last moment
    move_seconds: tuple[float, ...]  # of each move after the opening
