"""The oracle's answer in the terminal: exact values, regret and the best moves."""

from collections.abc import Sequence
from threading import Event
from typing import Annotated, Any

import typer

from topple.cli.terminal.output import print_wrapped, terminal_width
from topple.cli.views.decision import joined_moves
from topple.cli.views.solution import exact_or_none
from topple.core.progress import progress
from topple.game import Game, Position
from topple.game.warm_up import prepare
from topple.solvers import MEMORY, RESULT, Bounds, Solution
from topple.solvers.oracle import Oracle, is_settled
from topple.solvers.solver import SolverKernels
from topple.solvers.wording import points_text

Memory = Annotated[
    int | None,
    typer.Option(
        "--memory",
        metavar="MB",
        min=1,
        help="Megabytes for what the oracle remembers; 1,024 unless given.",
    ),
]

RESULTS = {1: "won", 0: "drawn", -1: "lost"}


def exact_text(value: int, unit: str) -> str:
    """An exact value: a result in a word, points with their sign.

    >>> exact_text(-1, "result"), exact_text(3, "points"), exact_text(0, "points")
    ('lost', '+3', '0')
    """
    if unit == RESULT:
        return RESULTS[value]
    return points_text(value, signed=True)


def bounds_text(bounds: Bounds, unit: str) -> str:
    """An exact value, or where it is proven to lie.

    >>> from topple.solvers import Bounds
    >>> bounds_text(Bounds(1, 1), "result"), bounds_text(Bounds(-2, 4), "points")
    ('won', '−2 to +4')
    """
    least, most = (exact_text(end, unit) for end in bounds)
    return least if least == most else f"{least} to {most}"


def moves_text(game: Game, moves: Sequence[int], room: int | None = None) -> str:
    """As many moves as fit, then how many more there are."""
    room = terminal_width() if room is None else room
    texts = [game.move_text(move) for move in moves]
    whole = joined_moves(texts)
    for n_shown in range(len(texts) - 1, 0, -1):
        if len(whole) <= room:
            break
        whole = f"{joined_moves(texts[:n_shown])} and {len(texts) - n_shown:,} more"
    return whole


class OracleAnswer:
    """The oracle's answer about a position, to compare agents' moves with."""

    def __init__(self, position: Position, memory: int | None) -> None:
        """Refuse what is too large for an exact answer, and compile what is needed."""
        self.position = position
        self.oracle = Oracle(position.game, memory or MEMORY)
        self.oracle.check(position)
        solver = self.oracle.solver
        prepare(solver.game, SolverKernels(type(solver)))
        self.solution: Solution | None = None

    def ask(self, interrupt: Event) -> None:
        """Solve the position, or find what can be proven before Ctrl-C."""
        with progress("solving", 1) as done:
            self.solution = self.oracle.judge(self.position, interrupt)
            done("")

    @property
    def found(self) -> Solution:
        """What the oracle has answered."""
        assert self.solution is not None
        return self.solution

    def value(self, move: int) -> Bounds:
        """What a move is worth to the player to move."""
        return next(each.value for each in self.found.moves if each.move == move)

    def regret(self, move: int) -> int | None:
        """What a move gives away; None where that is not proven."""
        best, own = self.found.value, self.value(move)
        return best.least - own.least if best.is_exact and own.is_exact else None

    def move_text(self, move: int) -> str:
        """The value of a move in a table."""
        return bounds_text(self.value(move), self.found.unit)

    def print_answer(self) -> None:
        """The value of the position and its best moves, or how much is proven."""
        found = self.found
        value = bounds_text(found.value, found.unit)
        why = "the memory was full" if found.limit == "memory" else "it was stopped"
        if not found.is_exact:
            print(f"oracle: {value} is proven, then {why}")
            return
        best = moves_text(self.position.game, found.best_moves, 3 * terminal_width())
        rest = "" if is_settled(found) else f" and perhaps others, {why}"
        print_wrapped(f"{value}; best: {best}{rest}", first="oracle: ")

    def print_move(self, move: int) -> None:
        """The exact value of an agent's move and what it gives away."""
        regret = self.regret(move)
        value = self.move_text(move)
        print(f"exact: {value}" if regret is None else f"exact: {value}, regret {regret:,}")

    def described(self) -> dict[str, Any]:
        """The answer as data."""
        found, game = self.found, self.position.game
        return {
            "unit": found.unit,
            "value": exact_or_none(found.value),
            "bounds": list(found.value),
            "best": [game.move_text(move) for move in found.best_moves],
            "limit": found.limit,
            "positions": found.n_positions,
        }

    def describe_move(self, move: int) -> dict[str, Any]:
        """The exact value of a move and its regret, as data."""
        return {"exact_value": exact_or_none(self.value(move)), "regret": self.regret(move)}
