"""Fixtures for the tests of exact play."""

import pytest

from tests.solvers.recursive_solver import PlainSolver
from topple import solvers


@pytest.fixture
def plainly(monkeypatch: pytest.MonkeyPatch) -> type[PlainSolver]:
    """Everything is solved by plain recursion; `most_moves` says how much finds room."""
    monkeypatch.setattr(solvers, "_classes", ["tests.solvers.recursive_solver:PlainSolver"])
    monkeypatch.setattr(PlainSolver, "most_moves", PlainSolver.most_moves)
    return PlainSolver
