"""Small boards of every game, and positions on them from which the end is near."""

from collections.abc import Iterator

import topple
from topple.agents.minimax import Minimax, MinimaxSearch
from topple.game.game import Game, random_position
from topple.game.position import Position

# Boards, and the plies after which a walk over every line is short enough.
BOARDS: dict[str, list[tuple[str, range]]] = {
    "hex": [("hex:2", range(4)), ("hex:3", range(3, 9))],
    "hex:swap=true": [("hex:2", range(4)), ("hex:3", range(4, 9))],
    "spread-it": [("path:3", range(2)), ("cycle:3", range(4)), ("star:4", range(3)),
                  ("grid:2x2", range(5)), ("complete:4", range(3, 9)), ("grid:2x3", range(4, 9))],
    "spread-it:loyalty=full": [("cycle:3", range(3)), ("grid:2x2", range(5)),
                               ("complete:4", range(3, 9)), ("grid:2x3", range(3, 9))],
    "chain-reaction": [("grid:2x2", range(4)), ("grid:2x3", range(3, 12)), ("cycle:4", range(6)),
                       ("grid:2x4", range(8, 16))],
    "chain-reaction:surplus=keep": [("grid:2x2", range(4)), ("grid:2x3", range(4, 12))],
    "infexion": [("infexion:3", range(24, 28)), ("infexion:4", range(62, 65))],
    "influence": [("segment:9", range(6)), ("segment:4+5", range(6)),
                  *((f"random-digraph:n={n},m={n},seed={n}", range(5)) for n in range(8, 15)),
                  ("segment:12", range(2, 6))],
    "influence:first=right": [("segment:8", range(5)), ("tree:n=2,c=2", range(5))],
}  # fmt: skip

MOST_NODES = 60_000


def games() -> Iterator[tuple[Game, range]]:
    """Every small board with the plies to begin from."""
    for spec, boards in BOARDS.items():
        for board, plies in boards:
            yield topple.load(spec, board), plies


def positions(game: Game, plies: range, n: int, seed: int) -> list[Position]:
    """Up to n different running positions after so many random plies."""
    found: dict[Position, None] = {}
    for i in range(4 * n):
        position = random_position(game, plies[i % len(plies)], seed + i)
        if not position.is_over:
            found[position] = None
        if len(found) == n:
            break
    return list(found)


def running_position(game: Game, n_plies: int, seed: int) -> Position:
    """The position after so many random plies, from the first seed that does not end the game."""
    for offset in range(0, 1_000_000, 1000):
        position = random_position(game, n_plies, seed + offset)
        if not position.is_over:
            return position
    raise AssertionError(f"{game} is over after {n_plies} plies")


def solve(position: Position) -> MinimaxSearch | None:
    """Plain minimax to the end of every line; None if that is too much."""
    search = Minimax(depth=100, evaluation="none").search(position, 0)
    assert isinstance(search, MinimaxSearch)
    search.advance(MOST_NODES)
    return search if search.is_done else None
