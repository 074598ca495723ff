"""Games told in the terminal: moves, cascades, boards and results."""

from itertools import islice

from topple.boards.board import Board, Stage
from topple.boards.conversion import arcs_of
from topple.cli.terminal.output import print_wrapped
from topple.game.position import Position
from topple.game.record import Ending
from topple.rules.interface import NO_VERTEX, begin, step

MOST_NAMED = 10  # steps of a cascade, or edges that come or go, that are named
MOST_COUNTED = 1_000_000  # steps of a cascade that are counted


def tell_move(before: Position, move: str, ply: int, after: Position, *, board: bool) -> None:
    """Tell who played what, the cascade, and the board with what changed starred.

    In a game with chance `move` has its draw.
    """
    game = before.game
    if board:
        print()
    print(f"{ply}. {game.players[before.player]} plays {before.with_draw(move)}")
    cascade = cascade_text(before, move)
    if cascade:
        print_wrapped(cascade)
    if changes := change_text(before, after):
        print_wrapped(changes)
    if board:
        show_position(after, before)


def show_position(position: Position, before: Position | None = None) -> None:
    """Draw a position with its headline."""
    print(position.draw(before))
    if position.headline:
        print_wrapped(position.headline)


def cascade_text(position: Position, move: str) -> str:
    """What a move sets off: `cascade of 2: b1 explodes, a2 explodes`; empty if nothing."""
    named = [step.text for step in islice(position.steps(move), MOST_NAMED)]
    if not named:
        return ""
    n_steps = count_steps(position, move) if len(named) == MOST_NAMED else len(named)
    if n_steps > len(named):
        named.append(f"… and {n_steps - len(named):,} more")
    number = f"more than {n_steps:,}" if n_steps == MOST_COUNTED else f"{n_steps:,}"
    return f"cascade of {number}: {', '.join(named)}"


def change_text(before: Position, after: Position) -> str:
    """Which edges come and go if another network begins: `network 2 begins: gone a – b`."""
    if before.network == after.network or after.is_over:
        return ""
    board = after.game.board
    old, new = (_edges(board, board.networks[each.network]) for each in (before, after))
    parts = [
        f"{what} {_edges_text(board, [edge for edge in edges if edge not in others])}"
        for what, edges, others in (("gone", old, new), ("new", new, old))
        if edges.keys() - others.keys()
    ]
    return f"network {after.network + 1} begins" + (f": {'; '.join(parts)}" if parts else "")


def _edges(board: Board, stage: Stage) -> dict[tuple[int, int], None]:
    """The arcs of a network, or its edges, in order."""
    arcs = ((one, other) for one, other, _ in arcs_of(stage))
    return dict.fromkeys(arc for arc in arcs if board.directed or arc[0] < arc[1])


def _edges_text(board: Board, edges: list[tuple[int, int]]) -> str:
    between = " to " if board.directed else " – "
    named = [between.join(board.labels[end] for end in edge) for edge in edges[:MOST_NAMED]]
    if edges[MOST_NAMED:]:
        named.append(f"… and {len(edges) - MOST_NAMED:,} more")
    return ", ".join(named)


def count_steps(position: Position, move: str) -> int:
    """The number of steps of a move, without the texts, which take their time."""
    game = position.game
    state = game.scratch_state(position.state, game.split_draw(move)[1] or 0)
    game.run(begin, state, game.parse_move(move))
    n_steps = 0
    while n_steps < MOST_COUNTED and game.run(step, state) != NO_VERTEX:
        n_steps += 1
    return n_steps


def standing(position: Position, n_plies: int, ending: Ending | None = None) -> str:
    """How a game stands, in one sentence: the result, or who is to move.

    `ending` is what ended the game before its rules did.
    """
    if ending is not None:
        return f"after {plies_text(n_plies)}: {ending.text(position.game.players)}"
    if position.is_over:
        return f"after {plies_text(n_plies)}: {position.result_text()}"
    mover = position.game.players[position.player]
    return f"not over after {plies_text(n_plies)}: {mover} to move"


def plies_text(n_plies: int) -> str:
    """`1 move`, `2 moves`."""
    return "1 move" if n_plies == 1 else f"{n_plies:,} moves"
