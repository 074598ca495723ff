"""Regret: what the moves of a game have given away, by the oracle's word.

The regret of a move is the value of the best move less its own, in the unit of
the game: from a win to a loss it is 2, in a game of points so many points. A
move with regret is a mistake. Where not all moves are equally good there was
a chance to make one.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from topple.core.errors import Unsupported
from topple.core.stopping import Stop
from topple.game.game import Game
from topple.game.position import Position
from topple.game.record import Record
from topple.solvers import Solution
from topple.solvers.oracle import Oracle, is_settled

Turns = Sequence[tuple[Position, int]]  # positions with the moves that were made there


@dataclass(frozen=True)
class JudgedMove:
    """A move beside the oracle's. Values are for the player who made it.

    They are None where the position could not be solved.
    """

    ply: int  # counted from 1
    player: int
    move: int
    best_value: int | None = None  # of the position
    value: int | None = None  # of the move
    worst_value: int | None = None  # of any move there was
    best_moves: tuple[int, ...] = ()

    @property
    def is_judged(self) -> bool:
        """Whether the oracle could say."""
        return self.value is not None

    @property
    def regret(self) -> int | None:
        """What the move has given away."""
        if self.best_value is None or self.value is None:
            return None
        return self.best_value - self.value

    @property
    def most_regret(self) -> int:
        """What could have been given away; 0 where it is not known."""
        if self.best_value is None or self.worst_value is None:
            return 0
        return self.best_value - self.worst_value

    @property
    def is_chance(self) -> bool:
        """Whether a mistake was possible."""
        return self.most_regret > 0

    @property
    def is_mistake(self) -> bool:
        """Whether it was one."""
        return bool(self.regret)

    @property
    def turns_result(self) -> bool:
        """Whether it turned a won game into a drawn or lost one, or a drawn into a lost one."""
        if self.best_value is None or self.value is None:
            return False
        return _sign(self.best_value) != _sign(self.value)


@dataclass(frozen=True)
class Summary:
    """One player's part in a game, as the oracle sees it."""

    player: int
    moves: int  # that were judged
    unjudged: int
    chances: int
    mistakes: int
    regret: int  # in all
    most_regret: int  # that a single move could have had
    first_mistake: int | None  # its ply
    turning_points: tuple[int, ...]  # plies of the mistakes that changed the result
    thrown: int | None  # ply of the mistake that gave a won game away for good

    @property
    def mean_regret(self) -> float | None:
        """Regret for each move that was judged; None without any."""
        return self.regret / self.moves if self.moves else None


@dataclass(frozen=True)
class Review:
    """A game beside the oracle's word, move by move; the opening belongs to nobody."""

    game: Game
    unit: str | None  # RESULT or POINTS; None where nothing was judged
    moves: tuple[JudgedMove, ...]  # in order, without the opening
    opening: int = 0
    result: tuple[float, ...] | None = None  # a return for each player; None: not over
    is_complete: bool = True  # False: stopped, and the first moves are missing
    refusal: str | None = None  # why a position was refused, where one was

    def summary(self, player: int) -> Summary:
        """What one player's moves come to."""
        own = [each for each in self.moves if each.player == player]
        mistakes = [each for each in own if each.is_mistake]
        return Summary(
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

    def summaries(self) -> tuple[Summary, ...]:
        """What each player's moves come to."""
        return tuple(self.summary(player) for player in range(self.game.n_players))

    def _thrown(self, player: int) -> int | None:
        """The move that gave a won game away, unless it came back or was won after all."""
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
    """Set the moves of a game beside the oracle's.

    Parameters
    ----------
    played : Record or sequence of (Position, move)
        What was played. The moves of a record's opening were nobody's choice
        and are left out.
    oracle : Oracle
        One for this game on this board.
    stop : Stop, optional
        A sign to stop: the review then has the last moves of the game, as many as
        are done. It goes backwards, for the end is solved soonest and helps with
        what comes before.
    done : callable
        Told of each move that was looked at.

    Raises
    ------
    BadRecord
        If the record does not replay.
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
        raise Unsupported(f"the oracle is for {game.spec} on {game.board.spec}, not for "
                          f"{turns[0][0].game.spec} on {turns[0][0].game.board.spec}")  # fmt: skip
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
    """A move with its place among all that there were."""
    values = {each.move: each.value.least for each in solution.moves}
    return JudgedMove(
        move.ply, move.player, move.move,
        best_value=solution.value.least,
        value=values[move.move],
        worst_value=min(values.values()),
        best_moves=solution.best_moves,
    )  # fmt: skip


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
