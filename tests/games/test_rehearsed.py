"""Kernels are called for the first time on a small board, however large the user's is."""

import pytest

import topple
from topple.game.game import MOST_REHEARSED, Game
from topple.game.warm_up import Warming
from topple.kernels.playout import random_game

BOARDS = [
    ("spread-it:tokens=20", "ba:n=3000,m=3,seed=1"),
    ("spread-it:loyalty=full", "ba:n=3000,m=3,seed=1"),
    ("spread-it:players=3,accept=0.7,tokens=10", "ba:n=900,m=2,seed=2"),
    ("spread-it:tokens=10", "random-digraph:n=900,m=3000,seed=1"),
    ("chain-reaction", "ba:n=900,m=2,seed=1"),
    ("influence", "random-digraph:n=900,m=1500,seed=2"),
]


def shapes(tables: tuple[object, ...]) -> list[tuple[type, str]]:
    """The types that a kernel is compiled for."""
    return [(type(each), str(getattr(each, "dtype", ""))) for each in tables]


@pytest.mark.parametrize("case", BOARDS, ids=" on ".join)
def test_a_part_of_the_board_takes_its_place(case: tuple[str, str]) -> None:
    game = topple.load(*case, compiled=False)
    small = game.rehearsed
    assert small.board.n_vertices < 20 < MOST_REHEARSED < game.board.n_vertices
    assert small.kernels is game.kernels
    assert (small.journal is None) == (game.journal is None)
    assert shapes(small.tables) == shapes(game.tables)
    position = small.start()
    for _ in range(6):
        if not position.is_over:
            position = position.play(position.legal_moves()[0])
    assert set(small.board.labels) <= set(game.board.labels)


@pytest.mark.parametrize("board", ["karate", "grid:30x30"])
def test_small_boards_and_lattices_are_taken_themselves(board: str) -> None:
    game = topple.load("spread-it", board, compiled=False)
    assert game.rehearsed is game


def test_warming_touches_no_large_board(monkeypatch: pytest.MonkeyPatch) -> None:
    game = topple.load("spread-it:tokens=20", "ba:n=3000,m=3,seed=1", compiled=False)
    run, sizes = Game.run, []

    def noted(self: Game, kernel: object, *rest: object) -> object:
        sizes.append(self.board.n_vertices)
        return run(self, kernel, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Game, "run", noted)
    Warming(game, (topple.agent("greedy"), topple.agent("uct:iterations=5")), (random_game,)).load()
    assert sizes
    assert max(sizes) < 20
