"""Regret: what the moves of a game have given away, compared with exact play.

The regret of a move is the value of the best move minus its own, in the unit of the game:
2 from a win to a loss, or the difference in points. A move with regret is a mistake. A
position in which not all moves are equally good is a chance to make one.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from topple.core.errors import Unsupported
from topple.core.stopping import Stop
from topple.game import Game, Position, Record
from topple.solvers import Solution
from topple.solvers.oracle import Oracle, is_settled

Turns = Sequence[tuple[Position, int]]  # positions with the moves made in them


@dataclass(frozen=True)
class JudgedMove:
    """A move compared with the best ones. Values are for the player who made it.

    They are None if the position could not be solved.
    """

    ply: int  # counted from 1
    player: int
    move: int
    best_value: int | None = None  # of the position
    value: int | None = None  # of the move
    worst_value: int | None = None  # of the worst legal move
    best_moves: tuple[int, ...] = ()

    @property
    def is_judged(self) -> bool:
        """Whether the oracle could solve the position."""
        return self.value is not None

    @property
    def regret(self) -> int | None:
        """What the move has given away."""
        if self.best_value is None or self.value is None:
            return None
        return self.best_value - self.value

    @property
    def most_regret(self) -> int:
        """The regret of the worst move; 0 if it is unknown."""
        if self.best_value is None or self.worst_value is None:
            return 0
        return self.best_value - self.worst_value

    @property
    def is_chance(self) -> bool:
        """Whether a mistake was possible."""
        return self.most_regret > 0

    @property
    def is_mistake(self) -> bool:
        """Whether the move was a mistake."""
        return bool(self.regret)

    @property
    def turns_result(self) -> bool:
        """Whether it turned a won game into a drawn or lost one, or a drawn into a lost one."""
        if self.best_value is None or self.value is None:
            return False
        return _sign(self.best_value) != _sign(self.value)


@dataclass(frozen=True)
class RegretSummary:
    """The regret of one player's moves in a game."""

    player: int
    moves: int  # whose regret is known
    unjudged: int
    chances: int
    mistakes: int
    regret: int  # total
    most_regret: int  # the largest that a move could have had
    first_mistake: int | None  # its ply
    turning_points: tuple[int, ...]  # plies of mistakes that changed the result
    thrown: int | None  # ply of the mistake that finally gave a won game away

    @property
    def mean_regret(self) -> float | None:
        """The mean regret of the judged moves; None if there are none."""
        return self.regret / self.moves if self.moves else None


@dataclass(frozen=True)
class Review:
    """The judged moves of a game, without those of the opening."""

    game: Game
    unit: str | None  # RESULT or POINTS; None if nothing was judged
    moves: tuple[JudgedMove, ...]  # in order, without the opening
    opening: int = 0
    result: tuple[float, ...] | None = None  # the return of each player; None if not over
    is_complete: bool = True  # False if stopped, so that the first moves are missing
    refusal: str | None = None  # why the oracle refused a position, if it did

    def summary(self, player: int) -> RegretSummary:
        """Summarise one player's moves."""
        own = [each for each in self.moves if each.player == player]
        mistakes = [each for each in own if each.is_mistake]
        return RegretSummary(
            player=player,
            moves=sum(each.is_judged for each in own),
            unjudged=sum(not each.is_judged for each in own),
            chances=sum(each.is_chance for each in own),
            mistakes=len(mistakes),
            regret=sum(each.regret or 0 for each in mistakes),
            most_regret=max((each.most_regret for each in own), default=0),
            first_mistake=mistakes[0].ply if mistakes else None,
            turning_points=tuple(each.ply for each in own if each.turns_result),
            thrown=self._thrown(player),
        )

    def summaries(self) -> tuple[RegretSummary, ...]:
        """Summarise each player's moves."""
        return tuple(self.summary(player) for player in range(self.game.n_players))

    def _thrown(self, player: int) -> int | None:
        """The ply of the move that gave a won game away, unless it was regained or won anyway."""
        if self.result is None or self.result[player] == max(self.result) > min(self.result):
            return None
        thrown = None
        for each in self.moves:
            if each.best_value is None or each.value is None:
                continue
            is_own = each.player == player
            was_won = each.best_value > 0 if is_own else each.best_value < 0
            is_won = each.value > 0 if is_own else each.value < 0
            if is_own and was_won and not is_won:
                thrown = each.ply
            elif was_won or is_won:
                thrown = None
        return thrown


def review(
    played: Record | Turns,
    oracle: Oracle,
    *,
    stop: Stop | None = None,
    done: Callable[[str], None] = lambda _: None,
) -> Review:
    """Judge the moves of a game with an oracle.

    Parameters
    ----------
    played : Record or sequence of (Position, move)
        The game. The moves of a record's opening, which no player chose, are left
        out.
    oracle : Oracle
        An oracle for this game on this board.
    stop : Stop, optional
        Ends the review when it is set; the review then contains only the last moves
        of the game. It goes backwards, since positions near the end are solved first
        and help with earlier ones.
    done : callable
        Called with the text of each move that was judged.

    Raises
    ------
    BadRecord
        If the record cannot be replayed.
    Unsupported
        If the oracle is for another game.

    Examples
    --------
    >>> import topple
    >>> from topple.game.record import Record
    >>> game = topple.load("hex", board="hex:2")
    >>> record = Record.of(game, ["a1", "b2", "b1", "a2"])
    >>> found = review(record, Oracle(game))
    >>> [(each.ply, each.regret) for each in found.moves]
    [(1, 2), (2, 2), (3, 2), (4, 0)]
    >>> found.summary(0).turning_points
    (1, 3)
    """
    turns, opening, result = _turns_of(played)
    game = oracle.game
    if turns and turns[0][0].game != game:
        raise Unsupported(
            f"the oracle is for {game.spec} on {game.board.spec}, not for "
            f"{turns[0][0].game.spec} on {turns[0][0].game.board.spec}"
        )
    found: list[JudgedMove] = []
    unit = refusal = None
    is_complete = True
    for ply in range(len(turns), opening, -1):
        position, move = turns[ply - 1]
        judged = JudgedMove(ply, position.player, move)
        try:
            solution = oracle.judge(position, stop)
        except Unsupported as error:
            refusal = refusal or str(error)
        else:
            if is_settled(solution):
                unit, judged = solution.unit, _judge(judged, solution)
            elif stop is not None and stop.is_set():
                is_complete = False
                break
        found.append(judged)
        done(game.move_text(move))
    return Review(game, unit, tuple(found[::-1]), opening, result, is_complete, refusal)


def _judge(move: JudgedMove, solution: Solution) -> JudgedMove:
    """A move with the values of the solution."""
    values = {each.move: each.value.least for each in solution.moves}
    return JudgedMove(
        move.ply,
        move.player,
        move.move,
        best_value=solution.value.least,
        value=values[move.move],
        worst_value=min(values.values()),
        best_moves=solution.best_moves,
    )


def _turns_of(played: Record | Turns) -> tuple[Turns, int, tuple[float, ...] | None]:
    """Positions with their moves, the length of the opening, and the result."""
    if isinstance(played, Record):
        return list(_record_turns(played)), played.opening, played.result
    result = None
    if played:
        position, move = played[-1]
        last = position.play(move)
        result = last.returns() if last.is_over else None
    return played, 0, result


def _record_turns(record: Record) -> Iterator[tuple[Position, int]]:
    positions = list(record.positions())
    for position, text in zip(positions, record.moves, strict=False):  # the last has no move
        yield position, position.game.parse_move(text)


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)
