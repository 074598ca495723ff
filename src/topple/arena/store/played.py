"""A game that was played in the arena, with all that a store keeps of it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple

from topple.game.record import Record


@dataclass(frozen=True)
class Part:
    """One agent's part in a game: who it was, and what its moves have cost in all."""

    agent: str  # its name
    options: Mapping[str, Any]  # all of them, given or not
    moves: int = 0  # those it chose itself, without the opening
    seconds: float = 0.0
    simulations: int = 0
    nodes: int = 0


class Result(NamedTuple):
    """What statistics need of a game; two values are in the order of the seats."""

    game: str  # its spec, with the options that are not the default
    board: str  # its spec
    board_digest: str
    agents: tuple[str, str]  # their specs
    pair: str
    side: int  # the seat of the agent that the pairing names first
    opening_number: int
    returns: tuple[float, float]
    ending: str | None  # what ended it before its rules did
    ending_player: int | None
    plies: int
    opening: int  # plies that were given
    moves: tuple[int, int]  # how many each has chosen
    seconds: tuple[float, float]
    simulations: tuple[int, int]
    nodes: tuple[int, int]
    moves_digest: str  # equal for games that are move for move the same


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

    def result(self, spec: str) -> Result:
        """What statistics need of the game; `spec` names what was played."""
        record, (first, second) = self.record, self.parts
        assert record.result is not None
        return Result(
            game=spec,
            board=record.board.spec,
            board_digest=record.board.digest,
            agents=(record.players[0], record.players[1]),
            pair=self.pair,
            side=self.side,
            opening_number=self.opening_number,
            returns=(record.result[0], record.result[1]),
            ending=None if record.ending is None else record.ending.by,
            ending_player=None if record.ending is None else record.ending.player,
            plies=len(record.moves),
            opening=record.opening,
            moves=(first.moves, second.moves),
            seconds=(first.seconds, second.seconds),
            simulations=(first.simulations, second.simulations),
            nodes=(first.nodes, second.nodes),
            moves_digest=moves_digest(record.moves),
        )


def moves_digest(moves: Sequence[str]) -> str:
    """A fingerprint of a game's moves, as `Result.moves_digest` has it.

    >>> moves_digest(["a1", "b2"]) == moves_digest(["a1 b2"])
    False
    """
    return digest_of(json.dumps(list(moves), separators=(",", ":")))


def digest_of(moves: str) -> str:
    """The fingerprint of a game's moves, written as the JSON that a store keeps."""
    return sha256(moves.encode("utf-8", "surrogatepass")).hexdigest()[:16]
