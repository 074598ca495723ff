"""Computed facts: the store's name of a fact, and computing it."""

import json
import os
import time
from collections.abc import Callable
from importlib import import_module
from inspect import signature
from typing import Any

from topple.arena.store.store import Store
from topple.core.errors import BadText, unknown
from topple.papers.engine.computations import COMPUTATIONS
from topple.papers.engine.computations.estimates import ReportProgress
from topple.papers.engine.plans import Scale
from topple.papers.paper import Computed

# Parameters of computations that do not influence the result, so they are no part of its name.
HELPERS = ("report", "workers", "keep_part", "kept_part")


def fact_name(computed: Computed, scale: Scale) -> str:
    """The store's name of a fact: its computation with all arguments, defaults included.

    Raises
    ------
    BadText
        If there is no such computation, or the arguments do not fit it or are not
        plain data.

    Examples
    --------
    >>> from topple.papers.engine.plans import parse_scale
    >>> fact = Computed("values", "influence-segments", full={"last": 90}, quick={"last": 9})
    >>> fact_name(fact, parse_scale("quick")), fact_name(fact, parse_scale("full"))
    ('influence-segments {"last":9,"memory":1024}', 'influence-segments {"last":90,"memory":1024}')
    """
    parameters = signature(_function(computed))
    helpers = {name: None for name in HELPERS if name in parameters.parameters}
    try:
        bound = parameters.bind(**{**helpers, **scale.arguments(computed)})
    except TypeError as error:
        raise BadText(f"computation {computed.computation}: {error}") from None
    bound.apply_defaults()
    given = {name: value for name, value in bound.arguments.items() if name not in HELPERS}
    try:
        text = json.dumps(given, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise BadText(f"its arguments are not plain data: {error}") from None
    return f"{computed.computation} {text}"


def compute_fact(
    computed: Computed,
    scale: Scale,
    store: Store,
    report: ReportProgress | None = None,
    workers: int = 1,
) -> None:
    """Compute a fact and keep it in a store, with the core time that it took.

    A computation receives those of `report`, `workers`, `keep_part` and `kept_part`
    that it has as parameters. The last two save and look up partial results.

    Raises
    ------
    BadText
        If there is no such computation.
    """
    function = _function(computed)
    name = fact_name(computed, scale)
    parts = PartialResults(store, name)
    helpers = (report, workers, parts.keep, parts.kept)
    taken = signature(function).parameters
    offered = {
        helper: value
        for helper, value in zip(HELPERS, helpers, strict=True)
        if helper in taken and value is not None
    }
    data = function(**scale.arguments(computed), **offered)
    store.save_fact(name, data, parts.seconds)


class PartialResults:
    """Partial results of a computation in a store, so that a stopped one can be resumed."""

    def __init__(self, store: Store, name: str) -> None:
        self.store, self.name = store, name
        self._earlier: dict[str, float] = {}  # the seconds of parts from earlier runs
        self._began = self._last = _core_seconds()

    @property
    def seconds(self) -> float:
        """The core time that the computation has taken so far, earlier runs included."""
        return sum(self._earlier.values()) + _core_seconds() - self._began

    def keep(self, part: str, data: object) -> None:
        """Keep a part that has just been computed."""
        now = _core_seconds()
        self.store.save_fact(self._name_of(part), data, now - self._last)
        self._last = now

    def kept(self, part: str) -> Any:
        """The data of a part that was kept; None if there is none."""
        found = self.store.read_fact(self._name_of(part))
        if found is None:
            return None
        self._earlier[part] = found.seconds
        return found.data

    def _name_of(self, part: str) -> str:
        return f"{self.name}, part {part}"


def _core_seconds() -> float:
    """The core time of this process and of its ended child processes."""
    return time.process_time() + sum(os.times()[2:4])


def _function(computed: Computed) -> Callable[..., Any]:
    if computed.computation not in COMPUTATIONS:
        raise BadText(unknown("computation", computed.computation, COMPUTATIONS))
    module, _, name = COMPUTATIONS[computed.computation].partition(":")
    function: Callable[..., Any] = getattr(import_module(module), name)
    return function
