"""Games that the arena has played, as a store keeps them and as statistics read them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple

from topple.game.record import Record


@dataclass(frozen=True)
class Participant:
    """One agent in a game, with what all its moves have cost."""

    agent: str  # its name
    options: Mapping[str, Any]  # including those left at their defaults
    moves: int = 0  # that it chose itself, so without the opening
    seconds: float = 0.0
    simulations: int = 0
    nodes: int = 0


class Result(NamedTuple):
    """What statistics need of a game. Values for each player are in the order of the seats."""

    game: str  # its spec, with the options that are not the default
    board: str  # its spec
    board_digest: str
    agents: tuple[str, ...]  # their specs
    pair: str
    side: int  # the seat of the agent that the group names first
    opening_number: int
    returns: tuple[float, ...]
    ending: str | None  # set if the game did not end by its rules
    ending_player: int | None
    ending_detail: str | None  # in words, for example `RuntimeError: boom`
    plies: int
    opening: int  # plies of the opening
    moves: tuple[int, ...]  # how many each agent chose itself
    seconds: tuple[float, ...]
    simulations: tuple[int, ...]
    nodes: tuple[int, ...]
    moves_digest: str  # equal for games with the same moves
    tournament_seed: int = 0

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the best result: all of them if the game is drawn."""
        best = max(self.returns)
        return tuple(seat for seat, each in enumerate(self.returns) if each == best)


@dataclass(frozen=True)
class PlayedGame:
    """A game with its place in the tournament.

    `pair` identifies the games that a group of agents plays from one opening: with two
    players it is a pair. `side` distinguishes them: it is the seat of the agent that the
    group names first. Together they fix the game: agents that are limited by effort and
    not by time would repeat it exactly.
    """

    pair: str  # 32 hexadecimal digits
    side: int
    record: Record  # its players are the agents' specs, in the order of the seats
    reason: str  # why the game ended as it did, in words
    participants: tuple[Participant, ...]  # in the order of the seats
    tournament_seed: int
    opening_number: int  # counted from 0
    began: str  # UTC, ISO 8601, to the second
    seconds: float  # from the first to the last moment
    move_seconds: tuple[float, ...]  # of each move after the opening

    @property
    def contest_key(self) -> tuple[object, ...]:
        """The same for games with the same rules, options and board, which need not be loaded."""
        record = self.record
        options = tuple(sorted(record.options.items()))
        return record.game, options, record.board.spec, record.board.digest

    def result(self, spec: str) -> Result:
        """What statistics need of the game; `spec` is the game's name with its options."""
        record, parts = self.record, self.participants
        assert record.result is not None
        return Result(
            game=spec,
            board=record.board.spec,
            board_digest=record.board.digest,
            agents=record.players,
            pair=self.pair,
            side=self.side,
            opening_number=self.opening_number,
            returns=record.result,
            ending=None if record.ending is None else record.ending.by,
            ending_player=None if record.ending is None else record.ending.player,
            ending_detail=None if record.ending is None else record.ending.detail,
            plies=len(record.moves),
            opening=record.opening,
            moves=tuple(part.moves for part in parts),
            seconds=tuple(part.seconds for part in parts),
            simulations=tuple(part.simulations for part in parts),
            nodes=tuple(part.nodes for part in parts),
            moves_digest=moves_digest(record.moves),
            tournament_seed=self.tournament_seed,
        )


def moves_digest(moves: Sequence[str]) -> str:
    """A fingerprint of a game's moves: see `Result.moves_digest`.

    >>> moves_digest(["a1", "b2"]) == moves_digest(["a1 b2"])
    False
    """
    return digest_of(json.dumps(list(moves), separators=(",", ":")))


def digest_of(moves: str) -> str:
    """The fingerprint of a game's moves, given as the JSON that a store keeps."""
    return sha256(moves.encode("utf-8", "surrogatepass")).hexdigest()[:16]
