"""Parts: what a long computation keeps before its end, to go on from there if it is stopped."""

import os
import time
from typing import Any

from topple.arena.store.store import Store


class Parts:
    """The parts of one computed fact, in a store, under names beside that of the fact."""

    def __init__(self, store: Store, name: str) -> None:
        self.store, self.name = store, name
        self._earlier: dict[str, float] = {}  # the seconds of parts that were there
        self._began = self._last = _core_seconds()

    @property
    def seconds(self) -> float:
        """Of one core, for all that the fact has taken so far."""
        return sum(self._earlier.values()) + _core_seconds() - self._began

    def keep(self, part: str, data: object) -> None:
        """Keep a part that has just been computed."""
        now = _core_seconds()
        self.store.save_fact(self._name_of(part), data, now - self._last)
        self._last = now

    def kept(self, part: str) -> Any:
        """A part that was kept; None if it was not."""
        found = self.store.read_fact(self._name_of(part))
        if found is None:
            return None
        self._earlier[part] = found.seconds
        return found.data

    def _name_of(self, part: str) -> str:
        return f"{self.name}, part {part}"


def _core_seconds() -> float:
    """What this process and those that it has started have computed so far."""
    return time.process_time() + sum(os.times()[2:4])
