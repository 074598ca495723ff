"""Game, Position and Outcome: the checked interface that people use."""

from collections.abc import Callable, Iterator, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from topple.boards import Board, board_from_networkx, load_board
from topple.compiling import specialised
from topple.errors import BadText, IllegalMove, Unsupported
from topple.rng import make_rng
from topple.rules import find_rules, text
from topple.rules.interface import (
    FAILED,
    NO_VERTEX,
    PLAYER,
    RUNNING,
    STATUS,
    WON,
    Moves,
    State,
    apply,
    begin,
    key,
    legal_moves,
    outcome,
    start,
    step,
)
from topple.spec import format_spec, parse_spec, read_options

if TYPE_CHECKING:
    import networkx

SHORT = 200  # characters of a position that an error message carries


class Outcome(NamedTuple):
    """How a game ended."""

    returns: tuple[float, ...]  # one per player
    winner: int | None  # None for a draw
    scores: tuple[int, ...] | None  # tokens, pieces, power or points, where there are any
    reason: str


class Step(NamedTuple):
    """One step of a move: a vertex fired, exploded, was spread over or was taken."""

    vertex: int
    text: str
    cells: tuple[str, ...]  # what is on each vertex after it


class Game:
    """A game with its options on a board. Make one with `topple.load`.

    >>> import topple
    >>> game = topple.load("hex", board="hex:3")
    >>> game.start().play("b2").play("a1").text
    'O../.X./... Blue'
    """

    def __init__(
        self, rules: ModuleType, board: Board, options: Mapping[str, object], compiled: bool = True
    ) -> None:
        self.rules = rules
        self.name: str = rules.NAME
        self.title: str = rules.TITLE
        self.board = board
        self.options = read_options(self.name, rules.OPTIONS, options)
        self.players: tuple[str, ...] = rules.players(self.options)
        self.tables: Any = rules.tables(board, self.options)
        self.sizes = rules.sizes(self.tables)
        self.kernels = specialised(rules, compiled)

    @property
    def n_players(self) -> int:
        """How many play."""
        return len(self.players)

    @property
    def spec(self) -> str:
        """The text that names this game with the options that are not the default.

        >>> import topple
        >>> topple.load("spread-it:loyalty=full", board="karate").spec
        'spread-it:loyalty=full'
        """
        defaults = {option.name: option.default for option in self.rules.OPTIONS}
        chosen = {name: v for name, v in self.options.items() if v != defaults[name]}
        return format_spec(self.name, (), chosen)

    def start(self) -> "Position":
        """The first position."""
        state = self.room()
        self.run(start, state)
        return Position(self, state)

    def position(self, position_text: str) -> "Position":
        """The position that a text describes, as `Position.text` writes it.

        Raises
        ------
        BadText
            If the text cannot be read or describes no position of this game.
        """
        state = self.room()
        self._text("parse_position")(self, position_text, state)
        return Position(self, state)

    def move_text(self, move: int) -> str:
        """Write a move as a person would.

        Raises
        ------
        BadText
            If there is no such move on this board.
        """
        if not 0 <= move < self.sizes.moves:
            raise BadText(f"there is no move {move}: moves run from 0 to {self.sizes.moves - 1}")
        return str(self._text("move_text")(self, int(move)))

    def parse_move(self, move_text: str) -> int:
        """Read a move as a person writes it.

        Raises
        ------
        BadText
            If it is no move of this game on this board.
        """
        return int(self._text("parse_move")(self, move_text))

    def room(self, root: State | None = None) -> State:
        """A vector for kernels to change, all zero or with a position in it."""
        state = np.zeros(self.sizes.state + self.sizes.work, dtype=np.int32)
        if root is not None:
            state[: self.sizes.state] = root[: self.sizes.state]
        return state

    def move_room(self) -> Moves:
        """A vector for kernels to write moves into."""
        return np.zeros(self.sizes.moves, dtype=np.int32)

    def run(self, kernel: Callable[..., Any], *rest: Any) -> Any:
        """Run this game's copy of a kernel on its tables and the rest of the arguments.

        A kernel that has never been compiled on this machine is announced.
        """
        own = self.kernels(kernel)
        if not self.kernels.compiled:
            with np.errstate(over="ignore"):  # hashes and random numbers wrap around
                return own(self.tables, *rest)
        if kernel in self.kernels.called:
            return own(self.tables, *rest)
        with self.kernels.first_call(kernel):
            return own(self.tables, *rest)

    def _text(self, name: str) -> Callable[..., Any]:
        """The rules' own text function, or the default."""
        own = getattr(self.rules, name, None)
        if own is None:
            own = getattr(text, DEFAULT_TEXTS[name])
        return own  # type: ignore[no-any-return]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        same_rules = self.name == other.name and self.options == other.options
        return same_rules and self.board == other.board

    def __hash__(self) -> int:
        return hash((self.name, self.board))

    def __reduce__(self) -> tuple[Any, ...]:
        return _load_again, (self.name, self.board, self.options, self.kernels.compiled)

    def __repr__(self) -> str:
        return f"<Game {self.spec} on {self.board.spec}>"


DEFAULT_TEXTS = {
    "move_text": "vertex_text",
    "parse_move": "parse_vertex",
    "cell_text": "default_cell_text",
    "headline": "default_headline",
    "position_text": "default_position_text",
    "parse_position": "default_parse_position",
    "scores": "default_scores",
    "reason": "default_reason",
    "step_text": "default_step_text",
}


class Position:
    """A position of a game. It never changes: `play` gives a new one.

    >>> import topple
    >>> position = topple.load("chain-reaction", board="grid:2x2").start()
    >>> position.player, position.is_over, position.legal_moves()
    (0, False, (0, 1, 2, 3))
    >>> position.play("a1") == position.play(0)
    True
    """

    __slots__ = ("__weakref__", "_moves", "game", "state")
    game: Game
    state: State  # read-only, shape (sizes.state,)
    _moves: tuple[int, ...] | None

    def __init__(self, game: Game, state: State) -> None:
        own = state[: game.sizes.state].copy()
        own.setflags(write=False)
        if own[STATUS] == FAILED:
            raise Unsupported(f"a cascade on {game.board.spec} is too large to follow")
        object.__setattr__(self, "game", game)
        object.__setattr__(self, "state", own)
        object.__setattr__(self, "_moves", None)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a position never changes: play gives a new one")

    @property
    def player(self) -> int:
        """The index of the player to move."""
        return int(self.state[PLAYER])

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.state[STATUS] != RUNNING)

    def legal_moves(self) -> tuple[int, ...]:
        """The legal moves, ascending; none when the game is over."""
        if self._moves is None:
            moves = self.game.move_room()
            n = 0
            if not self.is_over:
                n = self.game.run(legal_moves, self.game.room(self.state), moves)
            object.__setattr__(self, "_moves", tuple(moves[:n].tolist()))
        assert self._moves is not None
        return self._moves

    def check_move(self, move: int | str) -> int:
        """The number of a move given as number or text, if it is legal here.

        Raises
        ------
        BadText
            If the text is no move of the game.
        IllegalMove
            If the move may not be played in this position.
        """
        number = self.game.parse_move(move) if isinstance(move, str) else int(move)
        if self.is_over:
            raise IllegalMove(f"the game is over: {self.result_text()}")
        if number not in self.legal_moves():
            written = self.game.move_text(number)
            name, here = self.game.players[self.player], shorten(self.text)
            raise IllegalMove(f"{written} is not legal for {name} in {here}")
        return number

    def play(self, move: int | str) -> "Position":
        """The position after a move, given as number or text.

        Raises
        ------
        BadText
            If the text is no move of the game.
        IllegalMove
            If the move may not be played in this position.
        """
        number = self.check_move(move)
        state = self.game.room(self.state)
        self.game.run(apply, state, number)
        return Position(self.game, state)

    def steps(self, move: int | str) -> Iterator[Step]:
        """What follows from a move, one step at a time: firings, explosions, spreads.

        >>> import topple
        >>> corner = topple.load("chain-reaction", board="grid:2x2").position("A1,A1,A1,B1 A 2")
        >>> [step.text for step in corner.steps("a1")]
        ['a1 explodes', 'b1 explodes']
        """
        number = self.check_move(move)
        game, n = self.game, self.game.sizes.state
        state = game.room(self.state)
        game.run(begin, state, number)
        while True:
            before = state[:n].copy()
            vertex = int(game.run(step, state))
            if vertex == NO_VERTEX:
                return
            told = game._text("step_text")(game, before, vertex, state[:n])
            yield Step(vertex, told, self._cells(state))

    def returns(self) -> tuple[float, ...]:
        """One return per player; all 0 while the game is not over."""
        returns = np.zeros(self.game.n_players)
        self.game.run(outcome, self.game.room(self.state), returns)
        return tuple(returns.tolist())

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it is not over."""
        if not self.is_over:
            return None
        status = int(self.state[STATUS])
        winner = status - WON if status >= WON else None
        reason = self.game._text("reason")(self.game, self.state)
        return Outcome(self.returns(), winner, self.scores, reason)

    @property
    def scores(self) -> tuple[int, ...] | None:
        """Tokens, pieces, power or points of each player, where the game has any."""
        scores: tuple[int, ...] | None = self.game._text("scores")(self.game, self.state)
        return scores

    def result_text(self) -> str:
        """One line on how the game ended, or that it has not."""
        outcome = self.outcome
        if outcome is None:
            return "not over"
        who = "draw" if outcome.winner is None else f"{self.game.players[outcome.winner]} wins"
        return f"{who}: {outcome.reason}"

    @property
    def key(self) -> int:
        """A 64-bit hash: equal positions have equal keys."""
        n = self.game.sizes.state
        return int(self.game.run(key, self.game.room(self.state), n))

    @property
    def text(self) -> str:
        """The position as text that `Game.position` reads."""
        return str(self.game._text("position_text")(self.game, self.state))

    @property
    def headline(self) -> str:
        """One line about the position: scores and what else matters."""
        return str(self.game._text("headline")(self.game, self.state))

    def cells(self) -> tuple[str, ...]:
        """What is on each vertex, as short text."""
        return self._cells(self.state)

    def _cells(self, state: State) -> tuple[str, ...]:
        cell_text = self.game._text("cell_text")
        return tuple(
            cell_text(self.game, state, vertex) for vertex in range(self.game.board.n_vertices)
        )

    def draw(self, before: "Position | None" = None) -> str:
        """The position for a terminal; cells that differ from `before` bear a star."""
        from topple.drawing import draw_cells

        changed = before.cells() if before is not None else None
        return draw_cells(self.game.board, self.cells(), changed)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.game == other.game and bool(np.array_equal(self.state, other.state))

    def __hash__(self) -> int:
        return hash(self.state.tobytes())

    def __reduce__(self) -> tuple[Any, ...]:
        return Position, (self.game, self.state)

    def __str__(self) -> str:
        return self.draw()

    def __repr__(self) -> str:
        return f"<Position {self.game.name} {shorten(self.text)}>"


def shorten(long: str) -> str:
    """Cut a text that is too long for a message."""
    return long if len(long) <= SHORT else f"{long[: SHORT - 1]}…"


def load(
    game: str,
    board: "str | Board | networkx.Graph | None" = None,
    *,
    compiled: bool = True,
    **options: object,
) -> Game:
    """Load a game by name, on a board of your choice.

    Parameters
    ----------
    game : str
        A name as `topple games` lists it, perhaps with options:
        `spread-it:loyalty=full`.
    board : str, Board or NetworkX graph, optional
        A board or its text, as `topple boards` lists them. Each game has one
        by default.
    compiled : bool
        False runs the same rules as plain Python: slow, for debugging.
    **options
        The game's options.

    Raises
    ------
    BadText
        If the game, the board or an option does not exist.
    BadBoard
        If the game cannot be played on the board.

    Examples
    --------
    >>> import topple
    >>> topple.load("spread-it", board="ba:n=24,m=3,seed=1", loyalty="full")
    <Game spread-it:loyalty=full on ba:n=24,m=3,seed=1>
    """
    spec = parse_spec(game)
    rules = find_rules(spec.name)
    if spec.values:
        raise BadText(f"{game!r} has a part without a value: write {spec.name}:option=value")
    twice = sorted(set(spec.options) & set(options))
    if twice:
        raise BadText(f"option {twice[0]} is given twice")
    if board is None:
        board = rules.BOARD
    if isinstance(board, str):
        board = load_board(board)
    elif not isinstance(board, Board):
        board = board_from_networkx(board)
    return Game(rules, board, {**spec.options, **options}, compiled)


def _load_again(name: str, board: Board, options: dict[str, Any], compiled: bool) -> Game:
    return Game(find_rules(name), board, options, compiled)


def random_position(game: Game, n_plies: int, seed: int) -> Position:
    """The position after so many random moves, fewer if the game ends before."""
    from topple.kernels.playout import random_game

    state, played = game.room(game.start().state), np.zeros(n_plies, dtype=np.int32)
    game.run(random_game, state, make_rng(seed), game.move_room(), played)
    return Position(game, state)
