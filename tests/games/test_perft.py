"""Perft counts beside those that the slow twins wrote into `tests/perft/`."""

import json
from pathlib import Path
from typing import Any

import pytest

import topple
from tests.games.pairs import GAMES
from topple.boards.board import make_board
from topple.game.perft import divide, perft
from topple.game.position import Position

CASES = [
    (game, case)
    for game in GAMES
    for case in json.loads(
        (Path(__file__).parents[1] / "perft" / f"{game}.json").read_text("utf-8")
    )
]


def load_case(game: str, case: dict[str, Any]) -> topple.Game:
    """The game of a case; thresholds among its options belong to the board."""
    options = dict(case["options"])
    board = topple.load_board(case["board"])
    thresholds = options.pop("thresholds", None)
    if thresholds:
        neighbours = [board.neighbours(v) for v in range(board.n_vertices)]
        board = make_board(board.spec, neighbours, thresholds=thresholds)
    return topple.load(game, board, **options)


def how_games_end(position: Position, depth: int) -> list[int]:
    """Wins of each player, then draws, among the games that end with exactly that move."""
    n_players = position.game.n_players
    counts = [0] * (n_players + 1)
    if position.is_over:
        if depth == 0:
            winner = position.outcome.winner
            counts[n_players if winner is None else winner] += 1
        return counts
    if depth == 0:
        return counts
    for move in position.legal_moves():
        for i, count in enumerate(how_games_end(position.play(move), depth - 1)):
            counts[i] += count
    return counts


@pytest.mark.parametrize(("game", "case"), CASES, ids=lambda x: x if isinstance(x, str) else "")
def test_perft_equals_the_twins_count(game: str, case: dict[str, Any]) -> None:
    position = load_case(game, case).start()
    for depth, leaves in enumerate(case["leaves"], start=1):
        counted = perft(position, depth)
        assert counted == leaves, f"{case} depth {depth}: {list(divide(position, depth))}"


@pytest.mark.parametrize(("game", "case"), CASES, ids=lambda x: x if isinstance(x, str) else "")
def test_games_end_as_the_twin_says(game: str, case: dict[str, Any]) -> None:
    """Wins and draws by depth, as deep as can be played move by move."""
    position = load_case(game, case).start()
    depths = [depth for depth, leaves in enumerate(case["leaves"], start=1) if leaves <= 3000]
    assert depths
    for depth in depths:
        finished = case["finished"][depth - 1]
        assert how_games_end(position, depth) == finished, f"{case} depth {depth}"


def test_infexion_has_the_published_counts() -> None:
    position = topple.load("infexion").start()
    assert [perft(position, depth) for depth in (1, 2, 3, 4)] == [49, 2_352, 124_656, 6_480_642]


def test_divide_adds_up_to_perft() -> None:
    position = topple.load("chain-reaction", "grid:2x3").start()
    parts = dict(divide(position, 4))
    assert len(parts) == 6
    assert sum(parts.values()) == perft(position, 4)


def test_a_finished_game_has_no_successors() -> None:
    over = topple.load("hex", "hex:1").start().play("a1")
    assert [perft(over, depth) for depth in (0, 1, 2)] == [1, 0, 0]


@pytest.mark.parametrize("depth", [-1, 101])
def test_absurd_depths_are_refused(depth: int) -> None:
    with pytest.raises(topple.BadText, match="depth"):
        perft(topple.load("hex", "hex:2").start(), depth)
