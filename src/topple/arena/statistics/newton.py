"""Newton's method for likelihoods that are concave, as those of rating models are."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_MOST_STEPS = 200
_PRECISION = 1e-9  # of the gradient, in games


class Slopes(NamedTuple):
    """The log-likelihood, its gradient and its curvature (the information) at one place."""

    likelihood: float
    gradient: Array
    information: Array


def climb(
    parameters: Array, free: NDArray[np.bool_], slopes: Callable[[Array], Slopes]
) -> tuple[Array, Array]:
    """Maximise a likelihood by Newton's method, changing only the parameters that are free.

    Returns the place of the maximum and the information there.
    """
    here = slopes(parameters)
    for _ in range(_MOST_STEPS):
        if np.abs(here.gradient[free]).max() < _PRECISION:
            break
        step = np.zeros(len(parameters))
        step[free] = np.linalg.solve(here.information[np.ix_(free, free)], here.gradient[free])
        # Far from the maximum the step may be too long, but its direction is right.
        while (there := slopes(parameters + step)).likelihood < here.likelihood:
            step /= 2
            if np.abs(step).max() < _PRECISION:
                return parameters, here.information  # the step is below the precision of numbers
        parameters, here = parameters + step, there
    return parameters, here.information


def sandwich(information: Array, meat: Array, free: NDArray[np.bool_]) -> Array:
    """The sandwich covariance of the parameters that are free; zero for the others."""
    those = np.ix_(free, free)
    bread = np.linalg.inv(information[those])
    covariance = np.zeros_like(information)
    covariance[those] = bread @ meat[those] @ bread
    return covariance
