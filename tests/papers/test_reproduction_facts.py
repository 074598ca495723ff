"""Computed facts: what they are kept under, and who has computed them."""

from dataclasses import replace

import pytest

from tests.papers.tiny_paper import COMPUTATION, LOYAL, PAPER, SUMS
from topple.arena.store.store import open_store
from topple.papers.engine.computations import COMPUTATIONS
from topple.papers.engine.computing import fact_name
from topple.papers.engine.plans import ScaledPaper, parse_scale
from topple.papers.engine.tasks import Task, fact_versions

QUICK = parse_scale("quick")


@pytest.fixture(autouse=True)
def computations(monkeypatch: pytest.MonkeyPatch) -> None:
    """The paper's computation, known as all others are."""
    monkeypatch.setitem(COMPUTATIONS, SUMS.computation, COMPUTATION)


def test_a_fact_is_kept_under_the_defaults_of_its_computation_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from tests.papers import tiny_paper

    assert fact_name(SUMS, QUICK) == 'tiny-sums {"n":4}'

    def changed(n: int, step: int = 2, report: object = None) -> None:
        """Another default than that of a fact which was kept must make another fact."""

    monkeypatch.setattr(tiny_paper, "tiny_sums", changed)
    assert fact_name(SUMS, QUICK) == 'tiny-sums {"n":4,"step":2}'
    assert fact_name(replace(SUMS, quick={"step": 2, "n": 4}), QUICK) == fact_name(SUMS, QUICK)


def test_facts_of_another_version_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    tasks = [Task(ScaledPaper(PAPER, QUICK), what) for what in (SUMS, LOYAL)]
    with open_store(None) as store:
        assert fact_versions(tasks, store) == set()
        monkeypatch.setattr("topple.arena.store.facts.__version__", "0.0.1")
        store.save_fact(fact_name(SUMS, QUICK), {"sum": 6})
        store.save_fact("another fact", {"sum": 6})
        assert fact_versions(tasks, store) == {"0.0.1"}
