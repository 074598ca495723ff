"""A position of a game, the moves that can be played in it, and how the game ended."""

import operator
import secrets
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from topple.core.errors import BadText, IllegalMove, Unsupported
from topple.core.text import shorten
from topple.evaluations.interface import evaluate
from topple.game.drawing import draw_cells
from topple.rules.interface import (
    FAILED,
    NO_VERTEX,
    PLAYER,
    RUNNING,
    STATUS,
    State,
    apply,
    begin,
    key,
    legal_moves,
    outcome,
    score,
    step,
    winners,
)
from topple.rules.text import Cell, Counters, Layers, Tallies, layers_of

if TYPE_CHECKING:
    from topple.game.game import Game

DRAWS = 1 << 32  # draws of a move are below
SHORT = 200  # characters of a position that an error message carries


class Outcome(NamedTuple):
    """How a game ended."""

    returns: tuple[float, ...]  # one per player
    winner: int | None  # None for a draw, or if several share the win
    scores: tuple[int, ...] | None  # tokens, pieces, power or points, where there are any
    reason: str
    winners: tuple[int, ...] = ()  # who won, alone or together; empty for a draw

    @property
    def leads(self) -> tuple[int, ...] | None:
        """Each player's score less the best of the others', where there are scores.

        For two players this is the score difference, seen from either side.
        """
        if self.scores is None:
            return None
        return tuple(
            own - max(self.scores[:player] + self.scores[player + 1 :])
            for player, own in enumerate(self.scores)
        )


class Holding(NamedTuple):
    """What the players hold of one of the board's communities."""

    community: str
    size: int  # vertices
    vertices: tuple[int, ...]  # that each player holds
    tokens: tuple[int, ...]  # of each player there


class Step(NamedTuple):
    """One step of a move: a vertex fired or exploded, or was spread over or taken."""

    vertex: int
    text: str
    cells: tuple[str, ...]  # what is on each vertex after it


class Scene(NamedTuple):
    """The board in the middle of a move: when it is made, or after one of its steps."""

    vertex: int | None  # the vertex that acted; None when the move has just been made
    text: str  # what happened there
    contents: tuple[Cell, ...]  # what is on each vertex at that point


class Position:
    """A position of a game. It never changes: `play` returns a new one.

    >>> import topple
    >>> position = topple.load("chain-reaction", board="grid:2x2").start()
    >>> position.player, position.is_over, position.legal_moves()
    (0, False, (0, 1, 2, 3))
    >>> position.play("a1") == position.play(0)
    True
    """

    __slots__ = ("__weakref__", "_moves", "game", "state")
    game: "Game"
    state: State  # read-only, shape (sizes.state,)
    _moves: tuple[int, ...] | None

    def __init__(self, game: "Game", state: State) -> None:
        own = state[: game.sizes.state].copy()
        own.setflags(write=False)
        if own[STATUS] == FAILED:
            raise Unsupported(game.failed_text)
        object.__setattr__(self, "game", game)
        object.__setattr__(self, "state", own)
        object.__setattr__(self, "_moves", None)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a position never changes: play returns a new one")

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
            moves = self.game.scratch_moves()
            n = 0
            if not self.is_over:
                n = self.game.run(legal_moves, self.game.scratch_state(self.state), moves)
            object.__setattr__(self, "_moves", tuple(moves[:n].tolist()))
        assert self._moves is not None
        return self._moves

    def check_move(self, move: int | str) -> int:
        """Return the number of a move, given as a number or as text, if it is legal here.

        Raises
        ------
        BadText
            If the text is no move of the game.
        IllegalMove
            If the move may not be played in this position.
        """
        number = self.game.parse_move(move) if isinstance(move, str) else _whole_number(move)
        if self.is_over:
            raise IllegalMove(f"the game is over: {self.result_text()}")
        if number not in self.legal_moves():
            known = 0 <= number < self.game.sizes.moves
            written = self.game.move_text(number) if known else f"move {number}"
            name, here = self.game.players[self.player], shorten(self.text, SHORT)
            raise IllegalMove(f"{written} is not legal for {name} in {here}")
        return number

    def play(self, move: int | str, draw: int | None = None) -> "Position":
        """The position after a move, given as a number or as text.

        In a game with chance everything that is drawn follows from the move's draw, a whole
        number below 2³²: `draw`, or what stands in the text behind a tilde, or a new one.

        Raises
        ------
        BadText
            If the text is no move of the game, or there is no such draw.
        IllegalMove
            If the move may not be played in this position.
        """
        number = self.check_move(move)
        state = self.game.scratch_state(self.state, self._draw_of(move, draw))
        self.game.run(apply, state, number)
        return Position(self.game, state)

    def _draw_of(self, move: int | str, draw: int | None) -> int:
        """The draw of a move: given, or in its text, or a new one; 0 without chance."""
        if draw is None and isinstance(move, str):
            draw = self.game.split_draw(move)[1]
        if draw is None:
            return new_draw() if self.game.has_chance else 0
        if not self.game.has_chance:
            raise BadText(f"{self.game.spec} has no chance, so its moves have no draws")
        if not 0 <= draw < DRAWS:
            raise BadText(f"a draw is a whole number from 0 to {DRAWS - 1:,}: not {draw:,}")
        return draw

    def with_draw(self, move: int | str, draw: int | None = None) -> str:
        """The text of a move as records keep it: with its draw in a game with chance.

        A draw that is not given is a new one. Playing the text leads to the same position
        every time.
        """
        number = self.check_move(move)
        drawn = self._draw_of(move, draw)
        return self.game.move_text(number, drawn if self.game.has_chance else None)

    @property
    def network(self) -> int:
        """The index of the board's network at this point, on a board that changes; else 0."""
        own = getattr(self.game.rules, "network", None)
        return 0 if own is None else int(own(self.game, self.state))

    def seen(self) -> "Position":
        """This position as a search may see it: mostly the position itself."""
        game = self.game.seen_from(self.state)
        return self if game is self.game else Position(game, self.state)

    def steps(self, move: int | str) -> Iterator[Step]:
        """The consequences of a move one at a time: firings, explosions, spreads.

        >>> import topple
        >>> corner = topple.load("chain-reaction", board="grid:2x2").position("A1,A1,A1,B1 A 2")
        >>> [step.text for step in corner.steps("a1")]
        ['a1 explodes', 'b1 explodes']
        """
        for vertex, told, state in self._follow(move):
            if vertex is not None:
                yield Step(vertex, told, self._cells(state))

    def scenes(self, move: int | str) -> Iterator[Scene]:
        """The board when a move is made, and then after each of its steps.

        >>> import topple
        >>> corner = topple.load("chain-reaction", board="grid:2x2").position("A1,A1,A1,B1 A 2")
        >>> [(scene.text, scene.contents[0].counts) for scene in corner.scenes("a1")]
        [('', (2, 0)), ('a1 explodes', (0, 0)), ('b1 explodes', (1, 0))]
        """
        for vertex, told, state in self._follow(move):
            yield Scene(vertex, told, self._contents(state))

    def _follow(self, move: int | str) -> Iterator[tuple[int | None, str, State]]:
        """The state when a move is made and after each step, with the vertex and what it did."""
        number = self.check_move(move)
        game, n = self.game, self.game.sizes.state
        state = game.scratch_state(self.state, self._draw_of(move, None))
        game.run(begin, state, number)
        yield None, "", state
        while True:
            before = state[:n].copy()
            vertex = int(game.run(step, state))
            if vertex == NO_VERTEX:
                return
            yield vertex, game.text_function("step_text")(game, before, vertex, state[:n]), state

    def returns(self) -> tuple[float, ...]:
        """One return per player; all 0 while the game is not over."""
        returns = np.zeros(self.game.n_players)
        self.game.run(outcome, self.game.scratch_state(self.state), returns)
        return tuple(returns.tolist())

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it is not over."""
        if not self.is_over:
            return None
        bits = winners(int(self.state[STATUS]))
        who = tuple(player for player in range(self.game.n_players) if bits >> player & 1)
        reason = self.game.text_function("reason")(self.game, self.state)
        winner = who[0] if len(who) == 1 else None
        return Outcome(self.returns(), winner, self.scores, reason, who)

    @property
    def scores(self) -> tuple[int, ...] | None:
        """Tokens, pieces, power or points of each player, where the game has any."""
        if not hasattr(self.game.rules, "score"):
            return None
        scores = np.zeros(self.game.n_players)
        self.game.run(score, self.game.scratch_state(self.state), scores)
        return tuple(int(each) for each in scores)

    def evaluate(
        self, evaluation: str | None = None, weights: str | None = None, player: int | None = None
    ) -> float:
        """Evaluate the position for a player, by default the player to move.

        Parameters
        ----------
        evaluation : str, optional
            One of the game's evaluations, by default its first.
        weights : str, optional
            Weights of the game's features instead: numbers separated by slashes.
        player : int, optional
            The player whose view is taken; by default the player to move.

        Raises
        ------
        BadText
            If there is no such evaluation or player.
        Unsupported
            If the position is over, or the game has no evaluation by default.

        >>> import topple
        >>> hex3 = topple.load("hex", board="hex:3")
        >>> hex3.position("X../.../... Red").evaluate("none")
        0.0
        """
        if self.is_over:
            raise Unsupported(f"the game is over: {self.result_text()}")
        chosen = self.player if player is None else player
        if not 0 <= chosen < self.game.n_players:
            raise BadText(
                f"there is no player {chosen}: players are 0 to {self.game.n_players - 1}"
            )
        knowledge = self.game.knowledge(evaluation, weights)
        return float(
            self.game.run(evaluate, self.game.scratch_state(self.state), chosen, knowledge)
        )

    def result_text(self) -> str:
        """One line on how the game ended, or "not over"; no reason if the rules give none."""
        outcome = self.outcome
        if outcome is None:
            return "not over"
        names = [self.game.players[player] for player in outcome.winners]
        who = f"{', '.join(names)} share the win" if len(names) > 1 else "draw"
        who = f"{names[0]} wins" if len(names) == 1 else who
        return f"{who}: {outcome.reason}" if hasattr(self.game.rules, "reason") else who

    @property
    def key(self) -> int:
        """A 64-bit hash: equal positions have equal keys."""
        n = self.game.sizes.state
        return int(self.game.run(key, self.game.scratch_state(self.state), n))

    @property
    def text(self) -> str:
        """The position as text that `Game.position` reads."""
        return str(self.game.text_function("position_text")(self.game, self.state))

    @property
    def headline(self) -> str:
        """One line about the position: scores and what else matters."""
        return str(self.game.text_function("headline")(self.game, self.state))

    def cells(self) -> tuple[str, ...]:
        """What is on each vertex, as short text."""
        return self._cells(self.state)

    def _cells(self, state: State) -> tuple[str, ...]:
        cell_text = self.game.text_function("cell_text")
        return tuple(
            cell_text(self.game, state, vertex) for vertex in range(self.game.board.n_vertices)
        )

    def contents(self) -> tuple[Cell, ...]:
        """What is on each vertex, as numbers: its owner, what lies there, whether it is gone.

        >>> import topple
        >>> topple.load("infexion").start().play("SPAWN(0, 0)").contents()[0]
        Cell(owner=0, counts=(1, 0), gone=False)
        """
        return self._contents(self.state)

    def _contents(self, state: State) -> tuple[Cell, ...]:
        cell = self.game.text_function("cell")
        # A list gives its numbers faster than an array, and there are many vertices.
        numbers = state.tolist()
        return tuple(cell(self.game, numbers, v) for v in range(self.game.board.n_vertices))

    def layers(self) -> Layers:
        """The contents of all vertices as arrays.

        >>> import topple
        >>> topple.load("infexion").start().play("SPAWN(0, 0)").layers().counts[:, :3]
        array([[1, 0, 0],
               [0, 0, 0]], dtype=int32)
        """
        own = getattr(self.game.rules, "layers", None)
        return layers_of(self.contents()) if own is None else own(self.game, self.state)

    def tallies(self) -> Tallies:
        """What is counted for each player: tokens on the board and left, pieces, power, points.

        >>> import topple
        >>> topple.load("infexion").start().play("SPAWN(0, 0)").tallies()
        (('power', (1, 0)),)
        """
        counted: Tallies = self.game.text_function("tallies")(self.game, self.state)
        if not counted and (scores := self.scores) is not None:
            return (("score", scores),)
        return counted

    def holdings(self) -> tuple[Holding, ...]:
        """Who holds which of the board's communities; empty on a board that has none.

        A vertex is held by its owner or, if nobody owns it, by the player who alone has most
        tokens there.

        >>> import topple
        >>> from dataclasses import replace
        >>> board = replace(topple.load_board("path:4"), communities=("a", "a", "b", "b"))
        >>> topple.load("spread-it", board=board, tokens=1).start().play("2").holdings()
        (Holding(community='a', size=2, vertices=(1, 0), tokens=(1, 0)), \
Holding(community='b', size=2, vertices=(0, 0), tokens=(0, 0)))
        """
        names = self.game.board.communities
        if not names:
            return ()
        n_players, cells = self.game.n_players, self.contents()
        found = []
        for name in dict.fromkeys(names):
            here = [cell for cell, own in zip(cells, names, strict=True) if own == name]
            holders = [_holder(cell) for cell in here]
            vertices = tuple(holders.count(player) for player in range(n_players))
            counts = [cell.counts or (0,) * n_players for cell in here]
            tokens = tuple(map(sum, zip(*counts, strict=True)))
            found.append(Holding(name, len(here), vertices, tokens))
        return tuple(found)

    def counters(self) -> Counters:
        """Counts that belong to no player: actions, players who have moved.

        >>> import topple
        >>> topple.load("infexion").start().play("SPAWN(0, 0)").counters()
        (('actions', 1),)
        """
        counted: Counters = self.game.text_function("counters")(self.game, self.state)
        return counted

    def borders(self) -> tuple[int, ...]:
        """The players who own the board's top and bottom, and left and right; empty in most games.

        >>> import topple
        >>> hex3 = topple.load("hex", board="hex:3", swap=True).start()
        >>> hex3.borders(), hex3.play("b2").play("swap-pieces").borders()
        ((0, 1), (1, 0))
        """
        owners: tuple[int, ...] = self.game.text_function("borders")(self.game, self.state)
        return owners

    def draw(self, before: "Position | None" = None) -> str:
        """Draw the position for a terminal, with a star at each cell that differs from `before`."""
        if hasattr(self.game.rules, "picture"):
            return str(self.game.rules.picture(self.game, self.state))
        changed = before.cells() if before is not None else None
        return draw_cells(self.game.board, self.cells(), changed, self._limits())

    def _limits(self) -> list[int] | None:
        """Where each vertex is full in the present network, 0 at sinks; None if nothing changes."""
        if not hasattr(self.game.rules, "network"):
            return None
        stage = self.game.board.networks[self.network]
        limits: list[int] = np.where(
            np.diff(stage.successor_start) > 0, stage.thresholds, 0
        ).tolist()
        return limits

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.game == other.game and bool(np.array_equal(self.state, other.state))

    def __hash__(self) -> int:
        return hash(self.state.tobytes())

    def __copy__(self) -> "Position":
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> "Position":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Position, (self.game, self.state)

    def __str__(self) -> str:
        return self.draw()

    def __repr__(self) -> str:
        return f"<Position {self.game.name} {shorten(self.text, SHORT)}>"


def _holder(cell: Cell) -> int | None:
    """The player who owns a vertex, or who alone has most there."""
    if cell.owner is not None or not any(cell.counts):
        return cell.owner
    most = max(cell.counts)
    return cell.counts.index(most) if cell.counts.count(most) == 1 else None


def new_draw() -> int:
    """A draw that nobody can foresee."""
    return secrets.randbits(32)


def _whole_number(move: object) -> int:
    try:
        if isinstance(move, bool):
            raise TypeError
        return operator.index(move)  # type: ignore[arg-type]
    except TypeError:
        raise BadText(f"{move!r:.80} is not a move: a move is a text or a whole number") from None
