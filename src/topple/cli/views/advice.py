"""Advice as tables and sentences in 80 columns."""

from collections.abc import Sequence
from pathlib import Path

from topple.advice.baselines import TITLES
from topple.advice.result import Advice, Baseline, Rated
from topple.advice.words import (
    conclusion,
    interval_text,
    joined,
    losses,
    method,
    short,
    verdict,
)
from topple.cli.terminal.output import WIDTH, print_table, print_wrapped
from topple.core.streams import plain_line
from topple.core.text import one_line
from topple.present.numbers import percent

HEADS = ("degree", "PageRank", "betw.", "greedy")  # as long as there is room
LETTERS = ("D", "P", "B", "G")  # as in the picture, where there is not
RIGHT = ("wins", "95% interval", "drawn", "loses", "interval")
GAP = 2  # letters between two columns


def print_advice(advice: Advice, network: str, *, versus: bool, out: Path | None) -> None:
    """Print the moves, the baselines and what can be concluded."""
    position = advice.position
    game, board = position.game, position.game.board
    who = game.players[position.player]
    print_wrapped(f"{game.title}, {game.options['loyalty']} loyalty, on "
                  f"{one_line(board.spec, 60)}: {board.n_vertices:,} vertices, "
                  f"{board.n_edges:,} edges; seed {advice.seed}")  # fmt: skip
    print_wrapped(f"{who} to move; {position.headline}")
    print()
    print_moves(advice)
    print()
    print_baselines(advice, versus=versus)
    print()
    print_wrapped(plain_line(conclusion(advice)), indent=0)
    if versus:
        print_wrapped(plain_line(losses(advice)), indent=0)
    print_wrapped(method(advice), indent=0)
    print(f"picture: {out}" if out is not None else "With a picture: add --out advice.svg")


def print_moves(advice: Advice) -> None:
    """The moves, each with its place by every baseline."""
    has_proofs = any(row.proven for row in advice.rows)
    rows = [_move(place, row, has_proofs) for place, row in enumerate(advice.rows, start=1)]
    first = ["rank", "vertex", "wins", "95% interval", "drawn", *(["proven"] * has_proofs)]
    if width([[*first, *HEADS], *rows]) <= WIDTH:
        print_table([*first, *HEADS], rows, RIGHT)
        return
    print_table([*first, *LETTERS], rows, RIGHT)
    print(f"{', '.join(LETTERS)}: places by {joined(list(TITLES.values()))}")


def width(rows: Sequence[Sequence[object]]) -> int:
    """How wide a table is."""
    columns = [max(len(str(cell)) for cell in column) for column in zip(*rows, strict=True)]
    return sum(columns) + GAP * (len(columns) - 1)


def _move(place: int, row: Rated, has_proofs: bool) -> list[object]:
    return [
        place, plain_line(short(row.label)), percent(row.wins.value), interval_text(row.wins),
        f"{100 * row.drawn:.0f}%", *([row.proven or ""] * has_proofs),
        *(row.ranks[name] for name in TITLES),
    ]  # fmt: skip


def print_baselines(advice: Advice, *, versus: bool) -> None:
    """Whom the baselines take, and how that fares."""
    heads = ["baseline", "takes", "wins", "95% interval"]
    rows = [_baseline(each, advice.first, versus) for each in advice.baselines]
    print_table([*heads, "loses", "interval", ""] if versus else heads, rows, RIGHT)


def _baseline(each: Baseline, first: Rated, versus: bool) -> list[object]:
    wins = each.choice.wins
    label = plain_line(short(each.choice.label))
    cells: list[object] = [each.title, label, percent(wins.value), interval_text(wins)]
    if not versus:
        return cells
    loss = f"{100 * each.loss.value:.1f}".replace("-", "−")
    return [*cells, loss, interval_text(each.loss), verdict(each, first)]
