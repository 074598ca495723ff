"""Records of games: one line of JSON each, which replays to the same position anywhere."""

import json
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from topple import __version__
from topple.boards import Board, board_from_json, board_to_json
from topple.core.errors import BadRecord, ToppleError
from topple.game.game import Game
from topple.game.position import Position
from topple.rules import find_rules

FORMAT = 1
LONGEST = 64 * 1024 * 1024  # characters of a record
LONGEST_NAME = 200
MOST_MOVES = 1_000_000
REQUIRED = ("format", "game", "options", "board", "players", "moves", "result")
# An export adds `arena` with facts about the tournament; it is not read back.
KEYS = {*REQUIRED, "topple", "seed", "opening", "ending", "arena"}


# Why a game ended before its rules ended it: the named player loses, except that `length` is
# a draw.
RESIGNATION, CRASH, TIME, ILLEGAL, LENGTH = "resignation", "crash", "time", "illegal", "length"
FORFEITS = (CRASH, TIME, ILLEGAL)  # the player failed to make a legal move in time
ENDINGS = {
    RESIGNATION: "{} resigned",
    CRASH: "{} failed",
    TIME: "{} ran out of time",
    ILLEGAL: "{} gave an illegal move",
    LENGTH: "the game was cut",
}


@dataclass(frozen=True)
class Ending:
    """Why a game ended before its rules ended it.

    >>> Ending("time", 1, "took 2.1 s").text(("Red", "Blue"))
    'Red wins: Blue ran out of time (took 2.1 s)'
    """

    by: str  # one of ENDINGS
    player: int | None = None  # the loser, or None for a draw
    detail: str = ""

    def __post_init__(self) -> None:
        if self.by not in ENDINGS:
            raise BadRecord(f"unknown ending {self.by!r:.40}: choose from {', '.join(ENDINGS)}")
        if (self.player is None) != (self.by == LENGTH):
            has = "has no" if self.by == LENGTH else "has a"
            raise BadRecord(f"a game that ends by {self.by} {has} loser")
        if self.player is not None and self.player < 0:
            raise BadRecord(f"there is no player {self.player}")
        if not self.detail.isprintable() or len(self.detail) > LONGEST_NAME:
            raise BadRecord(f"the ending's detail {self.detail!r:.60} is too long or not plain")

    def returns(self, n_players: int) -> tuple[float, ...]:
        """One return per player: −1 for the loser, while the others share 1; all 0 for a draw."""
        if self.player is None:
            return (0.0,) * n_players
        share = 1.0 / (n_players - 1)
        return tuple(-1.0 if i == self.player else share for i in range(n_players))

    def text(self, players: Sequence[str]) -> str:
        """One line on how the game ended and why, in the form of `Position.result_text`."""
        others = [name for i, name in enumerate(players) if i != self.player]
        if self.player is None:
            who = "draw"
        else:
            who = f"{others[0]} wins" if len(others) == 1 else f"{', '.join(others)} share the win"
        return f"{who}: {self.reason(players)}"

    def reason(self, players: Sequence[str]) -> str:
        """Why the game ended."""
        why = ENDINGS[self.by]
        if self.player is not None:
            why = why.format(players[self.player])
        return f"{why} ({self.detail})" if self.detail else why


@dataclass(frozen=True)
class Record:
    """A game as it was played, with everything that is needed to replay it.

    `players` are the names of the agents or people who played. `result` has one return
    per player, or is None for a game that is not over. The first `opening` moves were
    given, not chosen by the players. `ending` says why the game ended before its rules
    ended it, if it did.

    >>> import topple
    >>> game = topple.load("hex", board="hex:2")
    >>> record = Record.of(game, ["b1", "a1", "a2"], players=("Ann", "Bob"))
    >>> record.result
    (1.0, -1.0)
    >>> Record.from_json(record.to_json()).replay() == record.replay()
    True
    """

    game: str
    options: Mapping[str, Any]
    board: Board
    players: tuple[str, ...]
    moves: tuple[str, ...]
    result: tuple[float, ...] | None
    seed: int | None = None
    opening: int = 0
    ending: Ending | None = None
    version: str = field(default=__version__, compare=False)

    def __post_init__(self) -> None:
        for name in self.players:  # they are shown on terminals and pages
            if not name.isprintable() or len(name) > LONGEST_NAME:
                raise BadRecord(f"the player's name {name!r:.60} is too long or not plain text")
        if not 0 <= self.opening <= len(self.moves):
            raise BadRecord(
                f"its opening of {self.opening} moves is not within its {len(self.moves):,} moves"
            )
        loser = None if self.ending is None else self.ending.player
        if loser is not None and loser >= len(self.players):
            last = len(self.players) - 1
            raise BadRecord(f"player {loser} is said to lose, but the players are 0 to {last}")

    @classmethod
    def of(
        cls,
        game: Game,
        moves: Sequence[int | str],
        players: Sequence[str] | None = None,
        seed: int | None = None,
        *,
        opening: int = 0,
        ending: Ending | None = None,
    ) -> "Record":
        """Make the record of a game by playing its moves.

        Raises
        ------
        BadText, IllegalMove
            If a move cannot be read or played.
        BadRecord
            If `opening` or `ending` does not fit the moves.
        """
        position = game.start()
        written = []
        for move in moves:
            written.append(position.with_draw(move))
            position = position.play(written[-1])
        return cls.at(position, written, players, seed, opening=opening, ending=ending)

    @classmethod
    def at(
        cls,
        last: Position,
        moves: Sequence[str],
        players: Sequence[str] | None = None,
        seed: int | None = None,
        *,
        opening: int = 0,
        ending: Ending | None = None,
    ) -> "Record":
        """Make the record of a game whose `moves` have already been played and led to `last`.

        Raises
        ------
        BadRecord
            If `opening` or `ending` does not fit the moves.
        """
        game = last.game
        result = last.returns() if last.is_over else None
        if ending is not None:
            _check_not_over(ending, last, len(moves))
            result = ending.returns(game.n_players)
        return cls(
            game=game.name,
            options=chosen_options(game),
            board=game.board,
            players=tuple(game.players if players is None else players),
            moves=tuple(moves),
            result=result,
            seed=seed,
            opening=opening,
            ending=ending,
        )

    def load_game(self, *, compiled: bool = True) -> Game:
        """The game that was played.

        Raises
        ------
        BadRecord
            If there is no such game, or not with these options or on this board.
        """
        try:
            return Game(find_rules(self.game), self.board, self.options, compiled)
        except ToppleError as error:
            raise BadRecord(str(error)) from None

    def positions(self, *, compiled: bool = True) -> Iterator[Position]:
        """Replay the game: yield every position, from the first to the last.

        Raises
        ------
        BadRecord
            At a move that cannot be played, or at the end if the moves lead to
            another result.
        """
        game = self.load_game(compiled=compiled)
        self._check_players(game)
        position = game.start()
        yield position
        for ply, move in enumerate(self.moves, start=1):
            try:
                position = position.play(move)
            except ToppleError as error:
                raise BadRecord(str(error), ply) from None
            yield position
        self.check_end(position)

    def replay(self, *, compiled: bool = True) -> Position:
        """Replay the game and return the last position; every move and the result are checked.

        Raises
        ------
        BadRecord
            As for `positions`.
        """
        (position,) = deque(self.positions(compiled=compiled), maxlen=1)
        return position

    def check_end(self, last: Position) -> None:
        """Check the players and the result against the position that the moves lead to.

        Raises
        ------
        BadRecord
            If the record claims another result, or another number of players.
        """
        self._check_players(last.game)
        played = last.returns() if last.is_over else None
        if self.ending is not None:
            _check_not_over(self.ending, last, len(self.moves))
            played = self.ending.returns(last.game.n_players)
        if self.result == played:
            return
        claim = "not over" if self.result is None else f"returns {list(self.result)}"
        truth = "not over" if played is None else f"returns {list(played)}"
        raise BadRecord(
            f"the record claims {claim}, but the moves lead to: {truth}", len(self.moves)
        )

    def _check_players(self, game: Game) -> None:
        if len(self.players) != game.n_players:
            raise BadRecord(
                f"it names {len(self.players)} players, but the game has {game.n_players}"
            )

    def to_json(self) -> str:
        """The record as one JSON object on one line."""
        parts = self.to_data()
        for key, usual in (("opening", 0), ("ending", None)):  # most games have none
            if parts[key] == usual:
                del parts[key]
        return json.dumps(parts, ensure_ascii=False)

    def to_data(self, board: Any = None) -> dict[str, Any]:
        """Every part of the record as plain JSON data.

        `board` is the result of `board_to_json`, if the caller has it already.
        """
        return {
            "format": FORMAT,
            "topple": self.version,
            "game": self.game,
            "options": dict(self.options),
            "board": board_to_json(self.board) if board is None else board,
            "players": list(self.players),
            "seed": self.seed,
            "opening": self.opening,
            "moves": list(self.moves),
            "ending": None if self.ending is None else asdict(self.ending),
            "result": None if self.result is None else list(self.result),
        }

    @classmethod
    def from_json(cls, line: str) -> "Record":
        """Read a record from JSON; its moves are not checked before it is replayed.

        Raises
        ------
        BadRecord
            If it is not JSON, or a part is missing or has the wrong type.
        """
        if len(line) > LONGEST:
            raise BadRecord(f"a record of {len(line):,} characters is too long")
        try:
            data = read_json(line)
        except ValueError as error:
            raise BadRecord(f"the record is not JSON: {error}") from None
        return cls.from_data(data)

    @classmethod
    def from_data(cls, data: Any, board: Board | None = None) -> "Record":
        """Read a record from the output of `to_data`, which may have been changed since.

        `board` is the board that the data describes, if the caller has it already.

        Raises
        ------
        BadRecord
            As for `from_json`.
        """
        parts = _read_parts(data)
        try:
            board = board_from_json(parts["board"]) if board is None else board
        except ToppleError as error:
            raise BadRecord(f"its board: {error}") from None
        return cls(
            game=_text(parts, "game"),
            options=_options(parts["options"]),
            board=board,
            players=_texts(parts, "players"),
            moves=_texts(parts, "moves"),
            result=_result(parts["result"]),
            seed=_seed(parts.get("seed")),
            opening=_opening(parts.get("opening", 0)),
            ending=_ending(parts.get("ending")),
            version=str(parts.get("topple", ""))[:40],
        )


def _check_not_over(ending: Ending, last: Position, ply: int) -> None:
    """Refuse an ending for a game that its rules have ended."""
    if last.is_over:
        result = last.result_text()
        raise BadRecord(f"the record ends by {ending.by}, but the game is over: {result}", ply)


def chosen_options(game: Game) -> dict[str, Any]:
    """A game's options for its record, without those whose value is None."""
    return {name: value for name, value in game.kept_options.items() if value is not None}


def read_json(text: str) -> Any:
    """Read strict JSON: no repeated key in an object, and no NaN or Infinity.

    Raises
    ------
    ValueError
        If it is not JSON.
    """
    try:
        return json.loads(text, object_pairs_hook=_no_key_twice, parse_constant=_no_constant)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _read_parts(parts: Any) -> dict[str, Any]:
    if not isinstance(parts, dict):
        raise BadRecord("the record is not a JSON object")
    missing = [key for key in REQUIRED if key not in parts]
    if missing:
        raise BadRecord(f"the record lacks {', '.join(missing)}")
    if parts["format"] != FORMAT or isinstance(parts["format"], bool):
        raise BadRecord(
            f"the record has format {parts['format']!r:.40}: this version reads format {FORMAT}"
        )
    strange = sorted(set(parts) - KEYS)
    if strange:
        raise BadRecord(f"the record has an unknown part {strange[0]!r:.40}")
    return parts


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    parts = dict(pairs)
    if len(parts) < len(pairs):
        raise ValueError("an object has the same key twice")
    return parts


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


def _text(parts: Mapping[str, Any], key: str) -> str:
    if not isinstance(parts[key], str):
        raise BadRecord(f"its {key} is not text")
    return str(parts[key])


def _texts(parts: Mapping[str, Any], key: str) -> tuple[str, ...]:
    values = parts[key]
    if not isinstance(values, list) or len(values) > MOST_MOVES:
        raise BadRecord(f"its {key} are not a list of at most {MOST_MOVES:,} texts")
    for number, value in enumerate(values, start=1):
        if not isinstance(value, str):
            raise BadRecord(f"{value!r:.40} is not text", number if key == "moves" else None)
    return tuple(values)


def _options(value: object) -> dict[str, Any]:
    plain = (str, int, float, bool)
    if not isinstance(value, dict) or not all(isinstance(v, plain) for v in value.values()):
        raise BadRecord("its options are not an object of texts and numbers")
    return value


def _result(value: object) -> tuple[float, ...] | None:
    if value is None:
        return None
    numbers = isinstance(value, list) and all(
        isinstance(each, int | float) and not isinstance(each, bool) for each in value
    )
    if not isinstance(value, list) or not numbers:
        raise BadRecord("its result is neither null nor a list of numbers")
    try:
        return tuple(float(each) for each in value)
    except OverflowError:
        raise BadRecord("its result has a number that is too large") from None


def _seed(value: object) -> int | None:
    if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
        raise BadRecord("its seed is neither null nor a whole number")
    return value


def _opening(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise BadRecord("its opening is not a number of moves")
    return value


def _ending(value: object) -> Ending | None:
    if value is None:
        return None
    if not isinstance(value, dict) or not set(value) <= {"by", "player", "detail"}:
        raise BadRecord("its ending is not an object of by, player and detail")
    by, player, detail = value.get("by"), value.get("player"), value.get("detail", "")
    whole = isinstance(player, int) and not isinstance(player, bool) and player >= 0
    if not isinstance(by, str) or not isinstance(detail, str) or not (whole or player is None):
        raise BadRecord("a part of its ending has the wrong type")
    return Ending(by, player, detail)
