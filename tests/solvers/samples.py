"""Parameters of which `make test` runs a few and `make prove` runs all."""

from collections.abc import Iterable
from typing import Any

import pytest


def few_of(values: Iterable[Any], *few: Any) -> list[Any]:
    """The values as parameters; all but the few given ones are marked `prove`."""
    return [
        value if value in few else pytest.param(value, marks=pytest.mark.prove) for value in values
    ]
