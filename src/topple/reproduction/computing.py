"""Computing: the facts of a paper that are computed, each kept under what it was made from."""

import json
from collections.abc import Callable, Mapping
from importlib import import_module
from inspect import signature
from typing import Any

from topple.errors import BadText, unknown
from topple.papers.paper import Computed
from topple.reproduction.computations import COMPUTATIONS
from topple.reproduction.scale import Scale

Told = Callable[[int, int], None]  # how much is done, out of how much


def arguments_of(computed: Computed, scale: Scale) -> Mapping[str, Any]:
    """What a computation is given at a scale; a share of the full one is the full one."""
    return computed.quick if scale.is_quick else computed.full


def fact_name(computed: Computed, scale: Scale) -> str:
    """What a fact is kept under: its computation and all that this was given.

    >>> from topple.reproduction.scale import parse_scale
    >>> fact = Computed("nim", "sums", full={"n": 9, "by": "hand"}, quick={"n": 3})
    >>> fact_name(fact, parse_scale("quick")), fact_name(fact, parse_scale("full"))
    ('sums {"n":3}', 'sums {"by":"hand","n":9}')
    """
    given = json.dumps(dict(arguments_of(computed, scale)), sort_keys=True, separators=(",", ":"))
    return f"{computed.computation} {given}"


def compute(computed: Computed, scale: Scale, report: Told | None = None, **helpers: Any) -> Any:
    """Compute a fact.

    `report` and the helpers are given to computations that take them by these names.

    Raises
    ------
    BadText
        If there is no such computation.
    """
    if computed.computation not in COMPUTATIONS:
        raise BadText(unknown("computation", computed.computation, COMPUTATIONS))
    module, _, name = COMPUTATIONS[computed.computation].partition(":")
    function: Callable[..., Any] = getattr(import_module(module), name)
    arguments = dict(arguments_of(computed, scale))
    for name, helper in {"report": report, **helpers}.items():
        if helper is not None and name in signature(function).parameters:
            arguments[name] = helper
    return function(**arguments)
