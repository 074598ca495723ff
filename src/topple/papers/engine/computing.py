"""Computing: the facts of a paper that are computed, each kept under what it was made from."""

import json
from collections.abc import Callable, Mapping
from importlib import import_module
from inspect import signature
from typing import Any

from topple.core.errors import BadText, unknown
from topple.papers.engine.computations import COMPUTATIONS
from topple.papers.engine.computations.repeats import Told
from topple.papers.engine.scale import Scale
from topple.papers.paper import Computed

# What a computation may take by these names without being another one for it.
HELPERS = ("report", "workers", "keep_part", "kept_part")


def arguments_of(computed: Computed, scale: Scale) -> Mapping[str, Any]:
    """What a computation is given at a scale; a share of the full one is the full one."""
    return computed.quick if scale.is_quick else computed.full


def fact_name(computed: Computed, scale: Scale) -> str:
    """What a fact is kept under: its computation and all that this was given, defaults too.

    Raises
    ------
    BadText
        If there is no such computation, or it takes something else, or no plain data.

    Examples
    --------
    >>> from topple.papers.engine.scale import parse_scale
    >>> fact = Computed("values", "influence-segments", full={"last": 90}, quick={"last": 9})
    >>> fact_name(fact, parse_scale("quick")), fact_name(fact, parse_scale("full"))
    ('influence-segments {"last":9,"memory":1024}', 'influence-segments {"last":90,"memory":1024}')
    """
    taken = signature(_function(computed))
    helpers = {name: None for name in HELPERS if name in taken.parameters}
    try:
        bound = taken.bind(**{**helpers, **arguments_of(computed, scale)})
    except TypeError as error:
        raise BadText(f"computation {computed.computation}: {error}") from None
    bound.apply_defaults()
    given = {name: value for name, value in bound.arguments.items() if name not in HELPERS}
    try:
        text = json.dumps(given, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise BadText(f"what it is given is not plain data: {error}") from None
    return f"{computed.computation} {text}"


def compute(computed: Computed, scale: Scale, report: Told | None = None, **helpers: Any) -> Any:
    """Compute a fact.

    `report` and the helpers are given to computations that take them by these names.

    Raises
    ------
    BadText
        If there is no such computation.
    """
    function = _function(computed)
    arguments = dict(arguments_of(computed, scale))
    for name, helper in {"report": report, **helpers}.items():
        if helper is not None and name in signature(function).parameters:
            arguments[name] = helper
    return function(**arguments)


def _function(computed: Computed) -> Callable[..., Any]:
    if computed.computation not in COMPUTATIONS:
        raise BadText(unknown("computation", computed.computation, COMPUTATIONS))
    module, _, name = COMPUTATIONS[computed.computation].partition(":")
    function: Callable[..., Any] = getattr(import_module(module), name)
    return function
