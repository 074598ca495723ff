"""Spaces of actions and observations that are cheap to copy with their random generators.

A copy of an environment must sample the same values as the original. Copying a generator takes
longer than a move, and few copies ever sample. So a space stores the seed or state of its
generator and makes the generator when it is first used.
"""

from secrets import randbits
from typing import Any

import numpy as np
from gymnasium import spaces

from topple.bridges.observation import MOST, Observer

Generator = np.random.Generator
ACTION, OBSERVATION, MASK = range(3)  # the kinds of spaces, which are seeded separately


class _Sampling:
    """A space whose generator is made when it is first used."""

    _np_random: Any  # gymnasium's name; None until the generator is made
    _origin: Any  # seeds, or the kind and state of a generator

    def begin_at(self, *seeds: int) -> None:
        """Seed the generator."""
        self._origin, self._np_random = seeds, None

    @property
    def np_random(self) -> Generator:
        """The generator that the space samples with."""
        if self._np_random is None:
            self._np_random = _generator(self._origin)
        return self._np_random  # type: ignore[no-any-return]

    @property
    def has_sampled(self) -> bool:
        """Whether the space has sampled, or a user has seeded it."""
        return self._np_random is not None

    def twin(self) -> Any:
        """A copy that samples the same values; it shares the bounds, which never change."""
        twin = _shallow(self)
        if self._np_random is not None:
            bits = self._np_random.bit_generator
            twin._origin, twin._np_random = (type(bits), bits.state), None
        return twin


def _shallow(thing: Any) -> Any:
    """The same as `copy.copy`, five times as fast."""
    twin = object.__new__(type(thing))
    twin.__dict__.update(thing.__dict__)
    return twin


def _generator(origin: Any) -> Generator:
    if not isinstance(origin[0], type):
        return Generator(np.random.PCG64(np.random.SeedSequence(origin)))
    kind, state = origin
    bits = kind(0)
    bits.state = state
    return Generator(bits)


class Actions(_Sampling, spaces.Discrete):
    """The moves, by number."""


class Numbers(_Sampling, spaces.Box):
    """An array of numbers within bounds."""


class Spaces:
    """The spaces of all agents. Observation spaces are made when they are first used."""

    def __init__(self, observer: Observer) -> None:
        self.observer = observer
        self.seed = randbits(64)
        players = range(observer.game.n_players)
        self.actions = [Actions(observer.game.sizes.moves) for _ in players]
        self.observations: dict[int, Any] = {}
        self.begin_at(self.seed)

    def begin_at(self, seed: int) -> None:
        """Seed all spaces."""
        self.seed = seed
        for player, actions in enumerate(self.actions):
            actions.begin_at(seed, player, ACTION)
        for player, space in self.observations.items():
            self._seed_observation(player, space)

    def observation(self, player: int) -> Any:
        """A player's observation space: planes of numbers, and a mask of the legal moves."""
        if player not in self.observations:
            low, high = bounds(self.observer)
            moves = self.observer.game.sizes.moves
            planes = Numbers(low, high, dtype=np.float32)
            mask = Numbers(0, 1, shape=(moves,), dtype=np.int8)
            self.observations[player] = spaces.Dict({"observation": planes, "action_mask": mask})
            self._seed_observation(player, self.observations[player])
        return self.observations[player]

    def _seed_observation(self, player: int, space: Any) -> None:
        space["observation"].begin_at(self.seed, player, OBSERVATION)
        space["action_mask"].begin_at(self.seed, player, MASK)

    def __deepcopy__(self, memo: dict[int, Any]) -> "Spaces":
        twin: Spaces = _shallow(self)
        twin.actions = [space.twin() for space in self.actions]
        # A space that has not sampled is made again from the same seed when it is used.
        twin.observations = {
            player: spaces.Dict({name: each.twin() for name, each in space.items()})
            for player, space in self.observations.items()
            if any(each.has_sampled for each in space.values())
        }
        return twin


def bounds(observer: Observer) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The least and the largest value of each number of an observation.

    Counts are at most the largest number of a position; anything else is 0 or 1.
    """
    high = np.ones(observer.shape, dtype=np.float32)
    high[[name in observer.counted for name in observer.names]] = MOST
    return np.zeros_like(high), high
