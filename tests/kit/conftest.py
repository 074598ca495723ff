"""A register that a test may fill, and a folder to write modules into."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from topple import agents, rules
from topple.core import outside
from topple.game import trial


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The current folder, empty; what is imported and registered in a test is forgotten."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(rules, "_modules", dict(rules._modules))
    monkeypatch.setattr(agents, "_classes", dict(agents._classes))
    monkeypatch.setattr(outside, "_roots", set(outside._roots))
    monkeypatch.setattr(trial, "_tried", set())
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", None)).startswith(str(tmp_path)):
            del sys.modules[name]
