"""What a paper's items ask of computed facts, for tests."""

import json
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from topple.papers.engine.computations import COMPUTATIONS
from topple.papers.paper import Fact, Holds, Item, Paper


def compute(name: str, **given: Any) -> Any:
    """What a computation returns, after a journey through JSON."""
    module, _, function = COMPUTATIONS[name].partition(":")
    found = getattr(import_module(module), function)(**given)
    return json.loads(json.dumps(found, allow_nan=False))


def facts_of(item: Item) -> Iterator[Fact]:
    """The facts behind an item's cells and checks."""
    yield from (cell.measure for cell in item.cells if isinstance(cell.measure, Fact))
    for said in (*item.claims, *item.why):
        yield from (check.fact for check in said.checks if isinstance(check, Holds))


def look_up(fact: Fact, known: Mapping[str, Any]) -> Any:
    """What stands where a fact says."""
    found = known[fact.computed]
    for step in fact.path:
        found = found[step]
    return found


def check_facts(paper: Paper, known: Mapping[str, Any]) -> None:
    """Every fact that an item rests on is there, and can be shown; curves can be drawn."""
    for item in paper.items:
        for fact in facts_of(item):
            found = look_up(fact, known)
            if isinstance(found, dict):
                assert set(found) == {"value", "low", "high"}, fact
                assert found["low"] <= found["value"] <= found["high"], fact
            else:
                assert isinstance(found, int | float | str | bool), fact
        for name in item.curves:
            check_curves(known[name])


def check_curves(fact: Mapping[str, Any]) -> None:
    """Every series has a number for each x."""
    assert fact["title"]
    assert len(fact["axes"]) == 2
    for series in fact["series"].values():
        parts = series.values() if isinstance(series, dict) else [series]
        assert all(len(part) == len(fact["x"]) for part in parts)
