"""What several test files share."""

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from topple import rules, solvers

EXAMPLE = Path(__file__).parent.parent / "docs" / "examples" / "node_kayles.py"


@pytest.fixture
def node_kayles() -> Iterator[ModuleType]:
    """The example game of the documentation, registered while a test runs."""
    spec = importlib.util.spec_from_file_location("node_kayles", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["node_kayles"] = module
    spec.loader.exec_module(module)
    yield module
    del rules._modules["node-kayles"], sys.modules["node_kayles"]


@pytest.fixture
def plain_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let everything be solved by the plain solver of the tests."""
    monkeypatch.setattr(solvers, "_classes", ["tests.solvers.plain_solver:PlainSolver"])
