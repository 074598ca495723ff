"""How many positions a game may come to: what tells a board that can be solved from others.

A bound that is quickly counted, as a power of 10. Search meets far fewer, about one in a hundred.
"""

from collections.abc import Callable
from math import log10

from topple.core.errors import Unsupported
from topple.game.position import Position
from topple.rules import hex as hex_rules
from topple.rules import infexion
from topple.rules.spread_it.board import LEFT

FEASIBLE = 9.0  # 10 to this power: some millions of entries, minutes


def check_size(position: Position) -> None:
    """Refuse a position from which more can come than can be solved; a game unknown here passes.

    Raises
    ------
    Unsupported
        If so, saying how much is feasible and what to do instead.

    Examples
    --------
    >>> import topple
    >>> check_size(topple.load("chain-reaction", "grid:3x4").start())
    >>> check_size(topple.load("chain-reaction").start())
    Traceback (most recent call last):
        ...
    topple.core.errors.Unsupported: chain-reaction on grid:5x5 may have 10^18 positions, and about \
10^9 can be solved (such as grid:3x4): set a time limit for bounds, or ask an agent such as uct
    """
    count, example = _counts.get(position.game.name, (None, ""))
    power = count(position) if count else 0.0
    if power > FEASIBLE:
        game = position.game
        raise Unsupported(
            f"{game.spec} on {game.board.spec} may have 10^{power:.0f} positions, and about "
            f"10^{FEASIBLE:.0f} can be solved (such as {example}): set a time limit for bounds, "
            "or ask an agent such as uct"
        )


def _in_chain_reaction(position: Position) -> float:
    """A square is empty, or has one to capacity − 1 pieces of either colour."""
    return sum(log10(max(2 * int(degree) - 1, 1)) for degree in position.game.board.degrees)


def _in_spread_it(position: Position) -> float:
    """A vertex holds less than its threshold in two colours; or it is owned, if it can be."""
    board, state = position.game.board, position.state
    owners = 2 if position.game.tables.full else 0
    left = int(state[LEFT] + state[LEFT + 1])
    by_vertex = sum(log10(k * (k + 1) // 2 + owners) for k in board.thresholds.tolist())
    return min(by_vertex, left * log10(board.n_vertices))


def _in_infexion(position: Position) -> float:
    """A cell is empty, or has a stack of one to size − 1 of either colour; each action counts."""
    size, n = position.game.board.rows, position.game.board.n_vertices
    left = size * n - int(position.state[infexion.ACTIONS])
    return min(n * log10(2 * size - 1) + log10(left), left * log10(position.game.sizes.moves))


def _in_hex(position: Position) -> float:
    """A cell that is empty now will be empty, or bear a stone of either side."""
    n_empty = position.game.board.n_vertices - int(position.state[hex_rules.STONES])
    return n_empty * log10(3)


_counts: dict[str, tuple[Callable[[Position], float], str]] = {
    "chain-reaction": (_in_chain_reaction, "grid:3x4"),
    "spread-it": (_in_spread_it, "grid:3x3"),
    "infexion": (_in_infexion, "infexion:3"),
    "hex": (_in_hex, "hex:4"),
}
