"""Plain minimax over positions, to hold the searches to: slow, and easy to believe.

Values are those of the player to move at the root. A game decided `ply` moves
from there counts ±(1,000,000 − ply), a draw 0, and what the depth cuts off its
evaluation. Who moves is asked at every position: a player may move twice.
"""

from collections.abc import Callable, Sequence

from topple.evaluations.interface import ordered_moves
from topple.game.position import Position

DECIDED = 1_000_000.0

Moves = Callable[[Position], Sequence[int]]
Leaf = Callable[[Position, int], float]  # a position's value for a player


def legal(position: Position) -> Sequence[int]:
    """All moves."""
    return position.legal_moves()


def worthwhile(position: Position) -> Sequence[int]:
    """The moves that the game finds worth looking at, in its order."""
    game, moves = position.game, position.game.scratch_moves()
    n = game.run(ordered_moves, game.scratch_state(position.state), moves)
    return [int(move) for move in moves[:n]]


def evaluated(position: Position, player: int) -> float:
    """The game's own evaluation, by default its first."""
    return position.evaluate(player=player)


def minimax(position: Position, depth: int, moves: Moves = legal, leaf: Leaf = evaluated) -> float:
    """The value of a position, looking `depth` moves ahead."""
    return _value(position, depth, position.player, 0, moves, leaf)


def move_values(
    position: Position, depth: int, moves: Moves = legal, leaf: Leaf = evaluated
) -> dict[int, float]:
    """The value of each move in its order, looking `depth` moves ahead, this one included."""
    player = position.player
    return {
        move: _value(position.play(move), depth - 1, player, 1, moves, leaf)
        for move in moves(position)
    }


def _value(
    position: Position, depth: int, player: int, ply: int, moves: Moves, leaf: Leaf
) -> float:
    outcome = position.outcome
    if outcome is not None:
        if outcome.winner is None:
            return 0.0
        return DECIDED - ply if outcome.winner == player else ply - DECIDED
    if depth == 0:
        return leaf(position, player)
    values = [
        _value(position.play(move), depth - 1, player, ply + 1, moves, leaf)
        for move in moves(position)
    ]
    return max(values) if position.player == player else min(values)
