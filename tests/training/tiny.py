"""Trainings that take no time."""

from pathlib import Path
from typing import Any

from topple.core.stopping import Stop
from topple.training.run import Training
from topple.training.settings import TrainingSettings


def tiny(**changes: Any) -> TrainingSettings:
    """Settings for Hex on nine cells with a small network."""
    chosen: dict[str, Any] = {
        "games": ("hex",), "boards": ("hex:3",), "channels": 16, "blocks": 1, "policy": 16,
        "value": 4, "simulations": 6, "considered": 4, "parallel": 8, "batch": 16,
        "positions": 300, "window": 1000, "estimates": 0.0, **changes,
    }  # fmt: skip
    return TrainingSettings(**chosen)


class Never:
    """A stop that is never set."""

    def is_set(self) -> bool:
        """Never."""
        return False


def trained(settings: TrainingSettings, folder: Path, stop: Stop | None = None) -> Training:
    """A training that has run to its end, or to the stop."""
    training = Training(settings, folder)
    try:
        training.run(stop or Never(), lambda: None)
    finally:
        training.close()
    return training
