"""Advice as tables and sentences in 80 columns."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from topple.advice.baselines import TITLES
from topple.advice.result import Advice
from topple.advice.words import (
    INTERVAL,
    POINTS,
    conclusion,
    losses,
    method,
    parties,
    short,
    subject,
    verdict,
)
from topple.cli.terminal.output import print_table, print_wrapped, terminal_width
from topple.core.streams import plain_line
from topple.core.text import joined, one_line
from topple.present.table import COUNT, FIGURE, PERCENT, Column, Table

HEADS = ("degree", "PageRank", "betw.", "greedy")  # as long as there is room
LETTERS = ("D", "P", "B", "G")  # as in the picture, where there is not


def print_advice(advice: Advice, network: str, *, versus: bool, out: Path | None) -> None:
    """Print the moves, the baselines and what can be concluded."""
    position = advice.position
    game, board = position.game, position.game.board
    who = game.players[position.player]
    lines = "arcs" if board.directed else "edges"
    print_wrapped(
        f"{subject(advice)}, on {one_line(board.spec, 60)}: "
        f"{board.n_vertices:,} vertices, {board.n_edges:,} {lines}; seed {advice.seed}"
    )
    print_wrapped(f"{who} to move; {position.headline}")
    if told := parties(advice):
        print_wrapped(told)
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
    """The moves, each with its rank by every baseline."""
    table = _moves_table(advice, HEADS)
    if table.width > terminal_width():
        note = f"{', '.join(LETTERS)}: ranks by {joined(list(TITLES.values()))}"
        table = replace(_moves_table(advice, LETTERS), notes=[note])
    print_table(table)


def _moves_table(advice: Advice, heads: Sequence[str]) -> Table:
    """The moves; the heads are those of the baselines' columns."""
    columns = [
        Column("rank", COUNT),
        Column("vertex"),
        Column("wins", PERCENT),
        Column("95% interval", INTERVAL),
        Column("drawn", FIGURE),
        Column("proven", is_optional=True),
        *(Column(head, COUNT) for head in heads),
    ]
    rows = [
        (
            rank,
            plain_line(short(row.label)),
            row.wins.value,
            row.wins,
            f"{100 * row.drawn:.0f}%",
            row.proven or "",
            *(row.ranks[name] for name in TITLES),
        )
        for rank, row in enumerate(advice.rows, start=1)
    ]
    return Table(columns, rows)


def print_baselines(advice: Advice, *, versus: bool) -> None:
    """What the baselines take, and how well that does."""
    columns = [
        Column("baseline"),
        Column("takes"),
        Column("wins", PERCENT),
        Column("95% interval", INTERVAL),
        *([Column("loses", POINTS), Column("interval", INTERVAL), Column("")] if versus else []),
    ]
    rows = []
    for each in advice.baselines:
        wins, label = each.choice.wins, plain_line(short(each.choice.label))
        loss = (each.loss.value, each.loss, verdict(each, advice.first)) if versus else ()
        rows.append((each.title, label, wins.value, wins, *loss))
    print_table(Table(columns, rows))
