"""`topple perft`: leaf counts, the rules' fingerprint."""

import time
from typing import Annotated, Any

import typer

from topple.cli.options import BoardText, Json
from topple.cli.terminal.output import print_json
from topple.core.errors import BadText, Unsupported
from topple.core.progress import progress
from topple.core.stopping import interruptibly
from topple.game import Game, Position, load
from topple.game.perft import DEEPEST
from topple.game.perft import perft as count
from topple.game.warm_up import prepare
from topple.kernels.perft import count_leaves
from topple.rules.interface import apply, legal_moves, start


def perft(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game, perhaps with options.")],
    *,
    depth: Annotated[int, typer.Option("--depth", metavar="N", help="The number of moves.")],
    board: BoardText = None,
    position: Annotated[
        str | None,
        typer.Option(
            "--position", metavar="TEXT", help="Count from this position, not from the first."
        ),
    ] = None,
    divided: Annotated[bool, typer.Option("--divide", help="Count below each first move.")] = False,
    as_json: Json = False,
) -> None:
    """Count the sequences of N legal moves: the rules' fingerprint."""
    chosen = load(game, board)
    check_certain(chosen)
    given = None if position is None else chosen.position(position)
    check_depth(depth, least=1 if divided else 0)
    prepare(chosen, rules=(start, legal_moves, apply, count_leaves))
    began = time.perf_counter()
    counts = count_below(given or chosen.start(), depth)
    seconds = time.perf_counter() - began
    result: dict[str, Any] = {
        "game": chosen.spec,
        "board": chosen.board.spec,
        "depth": depth,
        "leaves": sum(counts.values()),
        "seconds": round(seconds, 6),
    }
    if divided:
        result["moves"] = counts
    if as_json:
        print_json(result)
    else:
        print_counts(result)


def check_certain(game: Game) -> None:
    """Refuse a game with chance, whose moves lead to no certain position."""
    if game.has_chance:
        raise Unsupported(
            f"{game.spec} on {game.board.spec} has chance, so there is no perft: its moves lead to "
            "no certain position"
        )


def check_depth(depth: int, least: int) -> None:
    """Refuse a depth before anything is compiled for it."""
    if not least <= depth <= DEEPEST:
        raise BadText(f"depth {depth} is not from {least} to {DEEPEST}")


def count_below(position: Position, depth: int) -> dict[str, int]:
    """The count below each first move; at depth 0 the position itself is the one leaf."""
    if depth == 0:
        return {"": 1}
    game, moves = position.game, position.legal_moves()
    counts: dict[str, int] = {}
    with progress(f"counting {game.name} to depth {depth}", len(moves)) as done:
        for move in moves:
            written = game.move_text(move)
            counts[written] = interruptibly(count, position.play(move), depth - 1)
            done(written)
    return counts


def print_counts(result: dict[str, Any]) -> None:
    """The counts for people: those of the moves, if wanted, then the sum."""
    for move, leaves in result.get("moves", {}).items():
        print(f"{move}: {leaves:,}")
    what = f"{result['game']} on {result['board']}, depth {result['depth']}"
    print(f"{what}: {result['leaves']:,} leaves in {result['seconds']:.3f} s")
