"""Populations of agents that support hypotheses and recruit one another.

Agents are numbered; a population is a stretch of `order`, in which agents of
one population stand side by side. All agents of a population act at once: what
an agent sees of another is what the test left, whoever is asked first.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.compiling.rng import Rng, below
from topple.compiling.specialise import kernel

UNSET = -1  # the hypothesis of an agent that draws one when it is next asked
NOWHERE = -1  # the node of an agent for which there is no room

# What an agent is. The last two last no longer than a phase.
INACTIVE, ACTIVE, RECRUITED, RELEASED = 0, 1, 2, 3

PASSIVE, ACTIVELY, DUAL = 0, 1, 2  # how agents are recruited
NONE, FREE, SENSITIVE = 0, 1, 2  # how they are released again

FINENESS = 1 << 30  # chances are multiples of one part in this


class Swarm(NamedTuple):
    """The agents, one number each in every array of shape (agents,)."""

    node: NDArray[np.int32]  # whose population the agent belongs to, or NOWHERE
    hypothesis: NDArray[np.int32]  # the move that it supports, or UNSET
    active: NDArray[np.int8]  # INACTIVE or ACTIVE
    contacted: NDArray[np.int8]  # 1 if it took part in a test of this iteration
    final: NDArray[np.int8]  # 1 if its move ended the game when it was last tested
    order: NDArray[np.int32]  # the agents, population by population


@kernel
def draw_chance(rng: Rng, chance: float) -> bool:
    """Draw whether something of a given chance happens; no draw where it is certain."""
    if chance <= 0.0:
        return False
    if chance >= 1.0:
        return True
    return bool(below(rng, FINENESS) < chance * FINENESS)


@kernel
def other_agent(swarm: Swarm, first: int, n: int, place: int, rng: Rng) -> int:
    """Draw another agent than the one at `place` from the n in `order` from `first` on."""
    drawn = first + below(rng, n - 1)
    if drawn >= place:
        drawn += 1
    return int(swarm.order[drawn])


@kernel
def recruit(swarm: Swarm, first: int, n: int, rng: Rng, recruitment: int) -> None:
    """The diffusion phase of one population; changes hypotheses and activities.

    Passively, each inactive agent asks another and takes its hypothesis if that
    one is active. Actively, each active agent gives its hypothesis to another
    that is inactive. In dual recruitment the passive way has priority. An agent
    that is recruited becomes active; one that stays inactive drops its hypothesis.
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
    """The relate phase of one population; changes hypotheses and activities.

    Each active agent asks another. It is released, inactive and without a
    hypothesis, if that one is active too (FREE), or if it supports the same
    hypothesis besides (SENSITIVE).
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
