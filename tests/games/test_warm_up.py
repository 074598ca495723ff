"""Compiling ahead: what several processes need is compiled once."""

import threading
from pathlib import Path
from typing import Any

import pytest

from topple.game import warm_up
from topple.game.game import Game, load
from topple.game.warm_up import Warming


class Part:
    """Something to compile that notices when it is compiled twice at the same time."""

    def __init__(self) -> None:
        self.inside = self.most = self.n_compiled = 0

    def kernels(self, game: Game) -> Any:
        """One kernel of the rules, whichever."""
        return warm_up.RULES[:1]

    def warm(self, game: Game) -> None:
        """Take some time over it."""
        self.n_compiled += 1
        self.inside += 1
        self.most = max(self.most, self.inside)
        threading.Event().wait(0.02)
        self.inside -= 1


def test_the_same_game_is_never_compiled_twice_at_the_same_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warm_up, "cold_kernels", lambda game, kernels: list(kernels))
    monkeypatch.setattr(warm_up, "cache_folder", lambda: tmp_path)
    game, part = load("hex"), Part()
    gate = threading.Barrier(3)

    def compile_it() -> None:
        gate.wait()
        Warming(game, (part,), rules=()).compile(lambda kernel: None)

    threads = [threading.Thread(target=compile_it) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert part.n_compiled == 3  # each one believed that it was needed
    assert part.most == 1
