"""Recent: what was used last, as much of it as there is room for."""

from collections import OrderedDict
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Recent(Generic[Key, Value]):
    """A bounded memory that several threads may use: what was not asked for longest goes first.

    >>> recent = Recent(2)
    >>> for name in "abc":
    ...     recent.put(name, name.upper())
    >>> recent.get("a"), recent.get("c")
    (None, 'C')
    """

    def __init__(self, room: int) -> None:
        self.room = room
        self._kept: OrderedDict[Key, Value] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key) -> Value | None:
        """What is kept under a key; None if nothing is."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def put(self, key: Key, value: Value) -> None:
        """Keep something; what was used least lately makes room for it."""
        with self._lock:
            self._kept[key] = value
            self._kept.move_to_end(key)
            while len(self._kept) > self.room:
                self._kept.popitem(last=False)
