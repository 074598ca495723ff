"""Stochastic diffusion search on a multi-armed bandit with unknown chances."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from topple.agents.sds import RECRUITMENTS, RELATES, make_swarm
from topple.compiling.rng import Rng, below, make_rng
from topple.core.errors import BadText, unknown
from topple.kernels.diffusion.population import UNSET, Swarm, draw_chance, recruit
from topple.kernels.diffusion.population import relate as relate_agents


def sds_bandit(
    chances: Sequence[float],
    n_agents: int = 200,
    n_iterations: int = 50,
    seed: int = 0,
    recruitment: str = "passive",
    relate: str = "none",
) -> NDArray[np.int64]:
    """Find the best arm of a bandit by stochastic diffusion search.

    Parameters
    ----------
    chances : sequence of float
        The chance of winning with each arm.
    n_agents, n_iterations, seed : int
        The size of the population, the number of iterations, and the random seed.
    recruitment : str
        `passive`, `active` or `dual`.
    relate : str
        `none`, `free` or `sensitive`.

    Returns
    -------
    ndarray, shape (n_iterations + 1, arms)
        How many agents support each arm, initially and after each iteration.

    Raises
    ------
    BadText
        If a chance is not between 0 and 1, a number is too small, or a name
        is unknown.

    References
    ----------
    Section 4.2.1 of Tanay, "Game-tree exploration using stochastic diffusion
    search" (2012).

    Examples
    --------
    >>> history = sds_bandit([0.2, 0.7], seed=1)
    >>> history[0].tolist(), history[-1].tolist()
    ([..., ...], [..., ...])
    >>> bool(history[-1, 1] > history[-1, 0])
    True
    """
    _check(chances, n_agents, n_iterations)
    recruiting, relating = _known(RECRUITMENTS, recruitment), _known(RELATES, relate)
    swarm, rng = make_swarm(n_agents), make_rng(seed)
    swarm.hypothesis[:] = UNSET
    swarm.order[:] = np.arange(n_agents)
    history = np.zeros((n_iterations + 1, len(chances)), dtype=np.int64)
    with np.errstate(over="ignore"):  # the generator uses wrap-around arithmetic
        _draw_arms(swarm, len(chances), rng)
        history[0] = np.bincount(swarm.hypothesis, minlength=len(chances))
        for iteration in range(1, n_iterations + 1):
            for agent in range(n_agents):
                swarm.active[agent] = draw_chance(rng, float(chances[swarm.hypothesis[agent]]))
            recruit(swarm, 0, n_agents, rng, recruiting)
            relate_agents(swarm, 0, n_agents, rng, relating)
            _draw_arms(swarm, len(chances), rng)
            history[iteration] = np.bincount(swarm.hypothesis, minlength=len(chances))
    return history


def _draw_arms(swarm: Swarm, n_arms: int, rng: Rng) -> None:
    """Draw an arm for each agent that supports none."""
    for agent in np.flatnonzero(swarm.hypothesis == UNSET):
        swarm.hypothesis[agent] = below(rng, n_arms)


def _check(chances: Sequence[float], n_agents: int, n_iterations: int) -> None:
    if not len(chances):
        raise BadText("a bandit needs at least one arm")
    for chance in chances:
        if not 0 <= chance <= 1:
            raise BadText(f"{chance} is not a chance: it must be between 0 and 1")
    if n_agents < 1 or n_iterations < 0:
        raise BadText(
            "a bandit needs at least one agent, and the number of iterations cannot be negative"
        )


def _known(names: dict[str, int], name: str) -> int:
    if name not in names:
        raise BadText(unknown("way", name, names))
    return names[name]
