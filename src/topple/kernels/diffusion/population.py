"""Populations of agents that support hypotheses and recruit one another.

Agents are numbered. A population is a range of `order`, which lists the agents population by
population. All agents of a population act simultaneously: each sees the others as the test
left them, whichever acts first.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.compiling.rng import Rng, below
from topple.compiling.specialise import kernel

UNSET = -1  # the hypothesis of an agent that will draw one when it is next contacted
NOWHERE = -1  # the node of an agent without a population

# The states of an agent; the last two exist only during a phase.
INACTIVE, ACTIVE, RECRUITED, RELEASED = 0, 1, 2, 3

PASSIVE, ACTIVELY, DUAL = 0, 1, 2  # how agents are recruited
NONE, FREE, SENSITIVE = 0, 1, 2  # how they are released again

FINENESS = 1 << 30  # probabilities are multiples of 1 / FINENESS


class Swarm(NamedTuple):
    """The agents; every array has shape (agents,)."""

    node: NDArray[np.int32]  # the node whose population has the agent, or NOWHERE
    hypothesis: NDArray[np.int32]  # the move that the agent supports, or UNSET
    active: NDArray[np.int8]  # INACTIVE or ACTIVE
    contacted: NDArray[np.int8]  # 1 if the agent took part in a test of this iteration
    final: NDArray[np.int8]  # 1 if its move ended the game when it was last tested
    order: NDArray[np.int32]  # the agents, population by population


@kernel
def draw_chance(rng: Rng, chance: float) -> bool:
    """Draw an event of probability `chance`; draws nothing if it is 0 or 1. Changes `rng`."""
    if chance <= 0.0:
        return False
    if chance >= 1.0:
        return True
    return bool(below(rng, FINENESS) < chance * FINENESS)


@kernel
def other_agent(swarm: Swarm, first: int, n: int, place: int, rng: Rng) -> int:
    """Draw an agent from the n in `order` from `first` on, other than the one at `place`."""
    drawn = first + below(rng, n - 1)
    if drawn >= place:
        drawn += 1
    return int(swarm.order[drawn])


@kernel
def recruit(swarm: Swarm, first: int, n: int, rng: Rng, recruitment: int) -> None:
    """The diffusion phase of one population; changes hypotheses and activities in `swarm`.

    In passive recruitment, each inactive agent asks another one and takes its hypothesis
    if that one is active. In active recruitment, each active agent gives its hypothesis to
    another one that is inactive. Dual recruitment is passive first, then active. A
    recruited agent becomes active; an agent that stays inactive drops its hypothesis.
    """
    last = first + n
    if recruitment != ACTIVELY and n > 1:
        for place in range(first, last):
            agent = swarm.order[place]
            if swarm.active[agent] == INACTIVE:
                other = other_agent(swarm, first, n, place, rng)
                if swarm.active[other] == ACTIVE:
                    swarm.hypothesis[agent] = swarm.hypothesis[other]
                    swarm.active[agent] = RECRUITED
    if recruitment != PASSIVE and n > 1:
        for place in range(first, last):
            agent = swarm.order[place]
            if swarm.active[agent] == ACTIVE:
                other = other_agent(swarm, first, n, place, rng)
                if swarm.active[other] == INACTIVE:
                    swarm.hypothesis[other] = swarm.hypothesis[agent]
                    swarm.active[other] = RECRUITED
    for place in range(first, last):
        agent = swarm.order[place]
        if swarm.active[agent] == RECRUITED:
            swarm.active[agent] = ACTIVE
        elif swarm.active[agent] == INACTIVE:
            swarm.hypothesis[agent] = UNSET


@kernel
def relate(swarm: Swarm, first: int, n: int, rng: Rng, kind: int) -> None:
    """The relate phase of one population; changes hypotheses and activities in `swarm`.

    Each active agent asks another one. It becomes inactive and drops its hypothesis if the
    other is active (FREE), or if the other is active with the same hypothesis (SENSITIVE).
    """
    if kind == NONE or n < 2:
        return
    for place in range(first, first + n):
        agent = swarm.order[place]
        if swarm.active[agent] == INACTIVE:
            continue
        other = other_agent(swarm, first, n, place, rng)
        if swarm.active[other] == INACTIVE:
            continue
        if kind == FREE or swarm.hypothesis[other] == swarm.hypothesis[agent]:
            swarm.active[agent] = RELEASED
    for place in range(first, first + n):
        agent = swarm.order[place]
        if swarm.active[agent] == RELEASED:
            swarm.active[agent] = INACTIVE
            swarm.hypothesis[agent] = UNSET
