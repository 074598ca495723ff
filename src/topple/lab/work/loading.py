"""Loading: the rules of games as machine code, fetched in the background.

Positions are shown at once, whether or not a game has ever been compiled on this
machine: until its machine code is there, its rules run as plain Python. What has
to be compiled is compiled in a worker process.
"""

import threading
from collections.abc import Callable

from topple.core.errors import ToppleError
from topple.game.game import load
from topple.game.warm_up import RULES, cold_kernels, warm


class Loading:
    """Which games' rules run compiled in this process; the others come when they are wanted.

    Parameters
    ----------
    compile_rules : callable
        Has the rules of a game compiled elsewhere, and returns when that is done.
    """

    def __init__(self, compile_rules: Callable[[str], None]) -> None:
        self._compile_rules = compile_rules
        self._ready: set[str] = set()
        self._ended: dict[str, threading.Event] = {}
        self._lock = threading.Lock()

    def is_ready(self, game: str) -> bool:
        """Whether the rules of a game run compiled; if not, they are fetched from now on."""
        if game in self._ready:
            return True
        with self._lock:
            if game not in self._ended:
                self._ended[game] = threading.Event()
                threading.Thread(target=self._load, args=(game,), daemon=True).start()
        return game in self._ready

    def wait(self, game: str, seconds: float) -> bool:
        """Wait for the rules of a game, so many seconds at most; returns whether they are there."""
        if not self.is_ready(game):
            ended = self._ended.get(game)  # it may have ended in vain already
            if ended is not None:
                ended.wait(seconds)
        return game in self._ready

    def _load(self, name: str) -> None:
        game = load(name)
        try:
            if cold_kernels(game, RULES):
                self._compile_rules(name)
            if not cold_kernels(game, RULES):
                warm(game, RULES)
                self._ready.add(name)
        except ToppleError:
            pass  # no worker could: the rules go on as they are
        finally:
            with self._lock:
                self._ended[name].set()
                if name not in self._ready:
                    del self._ended[name]  # whoever wants them next tries again
