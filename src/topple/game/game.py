"""Game: rules with their options on a board, and `load`, which makes one."""

import re
from collections.abc import Callable, Mapping
from functools import cached_property
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from topple.boards import Board, board_from_networkx, load_board
from topple.boards.part import part_of
from topple.compiling.chance import write_chance
from topple.compiling.rng import make_rng
from topple.compiling.specialise import Specialised, can_keep_journal, specialised
from topple.core.errors import BadBoard, BadModule, BadText, ToppleError, Unsupported
from topple.core.outside import blame, is_from_outside
from topple.core.spec import format_spec, parse_spec, read_options, without_late
from topple.core.text import error_line
from topple.evaluations import knowledge_of, make_knowledge
from topple.game.position import Position
from topple.game.shape import check_players, check_sizes, check_tables
from topple.game.trial import try_out
from topple.kernels.playout import random_game
from topple.nets import evaluation
from topple.nets.encodings import encoding_of
from topple.nets.sight import Sight
from topple.rules import bounded, find_rules, journal, text
from topple.rules.interface import FAILED, Moves, Sizes, State, chance_at, start
from topple.rules.journal import add_journal, journal_length

if TYPE_CHECKING:
    import networkx


MOST_REHEARSED = 500  # vertices of a board on which kernels are called for the first time
_CACHED = ("judged_by_net", "rehearsed", "sight")  # properties that another game has of its own


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
        self.name: str = rules.NAME
        self.board = board
        self.options = read_options(self.name, rules.OPTIONS, options)
        if hasattr(rules, "variant"):  # other rules may play these options on this board
            rules = rules.variant(board, self.options) or rules
        self.rules = rules
        self.title: str = rules.title(self.options) if hasattr(rules, "title") else rules.TITLE
        self.players: tuple[str, ...] = rules.players(self.options)
        self.is_from_outside: bool = is_from_outside(rules.__name__)
        if self.is_from_outside:
            check_players(rules, self.players)
        tables = rules.tables(board, self.options)
        if self.is_from_outside:
            check_tables(rules, tables)
        self.tables: Any = _read_only(tables)
        self.sizes: Sizes = rules.sizes(self.tables)
        if self.is_from_outside:
            check_sizes(rules, self.sizes)
        self.chance_at: int = getattr(rules, "chance_at", chance_at)(self.tables)
        self.evaluations = knowledge_of(getattr(rules, "EVALUATIONS", self.name))
        compiled = compiled and getattr(rules, "COMPILES", True)
        self.encoding = encoding_of(getattr(rules, "ENCODING", self.name))
        is_large = self.sizes.state >= journal.LEAST
        self.journal = journal if is_large and can_keep_journal(rules) else None
        self.kernels = self._specialised(self.evaluations, compiled)
        self.view: int | None = None  # which part of the game is seen; None: all of it
        self._views: dict[int, Game] = {}

    @property
    def n_players(self) -> int:
        """The number of players."""
        return len(self.players)

    @property
    def has_chance(self) -> bool:
        """Whether moves may depend on chance."""
        return self.chance_at > 0

    @property
    def kept_options(self) -> dict[str, Any]:
        """The options as records and digests keep them."""
        return without_late(self.rules.OPTIONS, self.options)

    @property
    def spec(self) -> str:
        """The text that names this game, with those options that differ from the default.

        >>> import topple
        >>> topple.load("spread-it:loyalty=full", board="karate").spec
        'spread-it:loyalty=full'
        """
        defaults = {option.name: option.default for option in self.rules.OPTIONS}
        chosen = {name: v for name, v in self.options.items() if v != defaults[name]}
        return format_spec(self.name, (), chosen)

    def start(self) -> Position:
        """The first position."""
        state = self.scratch_state()
        self.run(start, state)
        return Position(self, state)

    def position(self, position_text: str) -> Position:
        """Read a position from text, as `Position.text` writes it.

        Raises
        ------
        BadText
            If the text cannot be read or describes no position of this game.
        """
        state = self.scratch_state()
        self.text_function("parse_position")(self, position_text, state)
        return Position(self, state)

    def move_text(self, move: int, draw: int | None = None) -> str:
        """Write a move as a person would, with its draw if one is given.

        Raises
        ------
        BadText
            If there is no such move on this board.
        """
        self._check_number(move)
        written = str(self.text_function("move_text")(self, int(move)))
        return written if draw is None else f"{written}~{draw:08x}"

    def split_draw(self, move_text: str) -> tuple[str, int | None]:
        """Separate a move's text from the draw behind it, if the game has chance.

        >>> import topple
        >>> game = topple.load("spread-it", board="path:3", accept=0.5, tokens=5)
        >>> game.split_draw("2~7f3a01c2"), game.split_draw("2")
        (('2', 2134507970), ('2', None))
        """
        match = DRAW.fullmatch(move_text.strip()) if self.has_chance else None
        return (match[1], int(match[2], 16)) if match else (move_text, None)

    def parse_move(self, move_text: str) -> int:
        """Read a move as a person writes it; a draw behind it is not looked at.

        Raises
        ------
        BadText
            If it is no move of this game on this board.
        """
        return int(self.text_function("parse_move")(self, self.split_draw(move_text)[0]))

    def move_vertex(self, move: int) -> int | None:
        """The vertex that a move is made on; None for a move without one, such as Hex's swap.

        >>> import topple
        >>> game = topple.load("infexion")
        >>> game.move_vertex(game.parse_move("SPREAD(0, 3, 1, 0)"))
        3

        Raises
        ------
        BadText
            If there is no such move on this board.
        """
        self._check_number(move)
        vertex = self.text_function("move_vertex")(self, int(move))
        return None if vertex is None else int(vertex)

    def move_target(self, move: int) -> int | None:
        """The vertex that a move leads to from its own, as Infexion's spreads do; else None.

        >>> import topple
        >>> game = topple.load("infexion")
        >>> game.move_target(game.parse_move("SPREAD(0, 3, 1, 0)"))
        10

        Raises
        ------
        BadText
            If there is no such move on this board.
        """
        self._check_number(move)
        vertex = self.text_function("move_target")(self, int(move))
        return None if vertex is None else int(vertex)

    def _check_number(self, move: int) -> None:
        if not 0 <= move < self.sizes.moves:
            raise BadText(f"there is no move {move}: moves run from 0 to {self.sizes.moves - 1}")

    def scratch_state(self, root: State | None = None, draw: int = 0) -> State:
        """A new vector, shape (sizes.state + sizes.work,), for kernels to change.

        It is all zero, or begins with the position `root`. In a game with chance `draw`, the
        draw of the move that is played next, sets the generator.
        """
        state: State = self.scratch_states(1)[0]
        if root is not None:
            state[: self.sizes.state] = root[: self.sizes.state]
        if self.has_chance:
            write_chance(state, self.chance_at, np.uint64(draw))
        return state

    def scratch_states(self, n: int) -> NDArray[np.int32]:
        """New vectors for kernels to change, shape (n, sizes.state + sizes.work), all zero.

        On large boards each is longer, by its journal.
        """
        sizes, length = self.sizes, self.sizes.state + self.sizes.work
        if self.journal is None:
            return np.zeros((n, length), dtype=np.int32)
        states = np.zeros((n, length + journal_length(sizes.state)), dtype=np.int32)
        for state in states:
            add_journal(state, sizes.state)
        return states

    def scratch_moves(self) -> Moves:
        """A new vector for kernels to write moves into, shape (sizes.moves,)."""
        return np.zeros(self.sizes.moves, dtype=np.int32)

    def run(self, kernel: Callable[..., Any], *rest: Any) -> Any:
        """Call this game's copy of a kernel with the game's tables and the arguments in `rest`.

        The user is told when the kernel has never been compiled on this machine.

        Raises
        ------
        Unsupported
            If the kernel ran out of room.
        BadModule
            If a game from outside fails; the line says where.
        """
        own = self.kernels(kernel)
        try:
            if not self.kernels.compiled:
                with np.errstate(over="ignore"):  # hashes and random numbers overflow on purpose
                    answer = own(self.tables, *rest)
            elif kernel in self.kernels.called:
                answer = own(self.tables, *rest)
            else:
                with self.kernels.first_call(kernel):
                    answer = own(self.tables, *rest)
        except Exception as error:
            if not self.is_from_outside or isinstance(error, ToppleError):
                raise
            raise BadModule(self._blame(kernel, error)) from error
        if isinstance(answer, int) and answer == FAILED:
            raise Unsupported(self.failed_text)
        return answer

    def _blame(self, kernel: Callable[..., Any], error: Exception) -> str:
        """One line on an error that a kernel of a game from outside has raised."""
        told = blame(error) or f"{self.name}: {kernel.__name__}: {error_line(error)}"
        if isinstance(error, IndexError):
            return f"{told}; an index is out of range: topple check finds it"
        return f"{told} (see topple check)"

    @property
    def failed_text(self) -> str:
        """What is said when a kernel reports that it has FAILED."""
        if self.is_from_outside:
            return (
                f"a random game of {self.name} on {self.board.spec} is not over after "
                f"{bounded.MOST_PLIES:,} plies: does some rule set state[STATUS]? (see topple "
                "check)"
            )
        return f"a cascade on {self.board.spec} is too large to follow"

    def knowledge(self, evaluation: str | None = None, weights: str | None = None) -> Any:
        """The weights and tables that kernels evaluate positions with, and new scratch space.

        Raises
        ------
        BadText
            If the game has no such evaluation, or the weights cannot be read.
        Unsupported
            If no evaluation is named and the game has none by default.
        """
        return make_knowledge(self, evaluation, weights)

    @cached_property
    def sight(self) -> tuple[str, Sight]:
        """The kind of board that a network must be for, and what it sees of this one.

        Raises
        ------
        Unsupported
            If no network can see this game.
        """
        if self.encoding is None:
            raise Unsupported(f"no network can see {self.spec} on {self.board.spec}")
        seen: tuple[str, Sight] = self.encoding.sight(self)
        return seen[0], _read_only(seen[1])

    @cached_property
    def judged_by_net(self) -> "Game":
        """This game with kernels that evaluate positions by a network."""
        judged = self._copy()
        judged.evaluations = evaluation
        judged.kernels = self._specialised(evaluation, self.kernels.compiled)
        return judged

    @cached_property
    def rehearsed(self) -> "Game":
        """This game where its kernels are called for the first time: on a part of a large board.

        The kernels are the same. On a board of squares or hexes, and where the options fit the
        whole board only, it is the game itself.
        """
        if self.board.n_vertices <= MOST_REHEARSED or self.board.form != "network":
            return self
        small = self._copy()
        small.board, small._views = part_of(self.board), {}
        try:
            small.tables = _read_only(self.rules.tables(small.board, self.options))
        except (BadBoard, BadText):
            return self
        small.sizes = self.rules.sizes(small.tables)
        small.chance_at = getattr(self.rules, "chance_at", chance_at)(small.tables)
        return small

    def as_plain(self) -> "Game":
        """This game with the same board, run as plain Python."""
        plain = self._copy()
        plain.kernels = self._specialised(self.evaluations, compiled=False)
        return plain

    def _copy(self) -> "Game":
        """A game to be changed, without what this one has computed of itself."""
        copy = Game.__new__(Game)
        kept = {name: value for name, value in self.__dict__.items() if name not in _CACHED}
        copy.__dict__.update(kept)
        return copy

    def _specialised(self, evaluations: Any, compiled: bool) -> Specialised:
        """The kernels of these rules with an evaluation."""
        # A random game of rules from outside is bounded, because they may forget to end it.
        bound = bounded if self.is_from_outside else None
        beyond = evaluations, self.encoding, bound
        return specialised(self.rules, compiled, *beyond, journal=self.journal)

    def seen_from(self, state: State) -> "Game":
        """This game as searches may see it from a position: mostly the game itself."""
        view = self.rules.view(self, state) if hasattr(self.rules, "view") else None
        if view is None:
            return self
        if view not in self._views:
            seen = Game.__new__(Game)
            seen.__dict__.update(self.__dict__)
            seen.tables, seen.view = _read_only(self.rules.view_tables(self, view)), view
            self._views[view] = seen
        return self._views[view]

    def text_function(self, name: str) -> Callable[..., Any]:
        """The rules' own text function of this name, or the default in `topple.rules.text`."""
        own = getattr(self.rules, name, None)
        if own is None:
            own = getattr(text, DEFAULT_TEXTS[name])
        return own  # type: ignore[no-any-return]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        same_rules = self.name == other.name and self.options == other.options
        return same_rules and self.board == other.board and self.view == other.view

    def __hash__(self) -> int:
        return hash((self.name, self.board))

    def __copy__(self) -> "Game":
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> "Game":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        modules = (self.rules.__name__, self.evaluations.__name__)
        return _load_again, (self.name, modules, self.board, self.options, self.kernels.compiled)

    def __repr__(self) -> str:
        return f"<Game {self.spec} on {self.board.spec}>"


def _read_only(tables: Any) -> Any:
    """The tables with read-only arrays: a writable one would be another type to Numba."""
    for part in tables:
        if isinstance(part, np.ndarray):
            part.setflags(write=False)
    return tables


DRAW = re.compile(r"(.*)~([0-9a-f]{1,8})", re.DOTALL)
DEFAULT_TEXTS = {
    "move_text": "vertex_text",
    "parse_move": "parse_vertex",
    "move_vertex": "default_move_vertex",
    "move_target": "default_move_target",
    "cell_text": "default_cell_text",
    "cell": "default_cell",
    "tallies": "default_tallies",
    "counters": "default_counters",
    "borders": "default_borders",
    "headline": "default_headline",
    "position_text": "default_position_text",
    "parse_position": "default_parse_position",
    "reason": "default_reason",
    "step_text": "default_step_text",
}


def load(
    game: str,
    /,
    board: "str | Board | networkx.Graph | None" = None,
    *,
    compiled: bool = True,
    files: bool = True,
    **options: object,
) -> Game:
    """Load a game by name, on a board of your choice.

    Parameters
    ----------
    game : str
        A name as `topple games` lists it, perhaps with options:
        `spread-it:loyalty=full`.
    board : str, Board or NetworkX graph, optional
        A board, its text as `topple boards` lists them, or the path of a network's
        file. Each game has a default.
    compiled : bool
        False runs the same rules as plain Python, which is slow and for debugging.
    files : bool
        Whether options may name files to be read, as in `seeds=start.csv`.
    **options
        The game's options.

    Raises
    ------
    BadText
        If the game, the board or an option does not exist.
    BadBoard
        If the game cannot be played on the board.
    BadModule
        If a game from outside is found to be wrong in its first moves, which are tried as
        plain Python.

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
    chosen = {**spec.options, **options}
    if files and hasattr(rules, "read_files"):
        chosen = rules.read_files(chosen)
    loaded = Game(rules, board, chosen, compiled)
    if loaded.is_from_outside:
        try_out(loaded)
    return loaded


def _load_again(
    name: str, modules: tuple[str, str], board: Board, options: dict[str, Any], compiled: bool
) -> Game:
    for module in modules:
        import_module(module)  # a game from outside registers itself
    return Game(find_rules(name), board, options, compiled)


def random_position(game: Game, n_plies: int, seed: int) -> Position:
    """The position after `n_plies` random moves, or fewer if the game ends before."""
    state, played = game.scratch_state(game.start().state), np.zeros(n_plies, dtype=np.int32)
    game.run(random_game, state, make_rng(seed), game.scratch_moves(), played)
    return Position(game, state)
