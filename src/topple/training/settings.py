"""What is trained: the game and its boards, the network's size, the search, the learning."""

from dataclasses import asdict, dataclass, fields
from typing import Any

from topple.compiling.products import LANES
from topple.core.errors import BadText
from topple.nets.net import WIDTHS


@dataclass(frozen=True)
class TrainingSettings:
    """Everything that fixes a training run, but the machine it runs on."""

    games: tuple[str, ...]  # specs of one game with options, which take turns
    boards: tuple[str, ...]  # boards, or families of boards, which take turns
    seed: int = 1
    channels: int = 64
    blocks: int = 6
    policy: int = 32
    value: int = 64
    simulations: int = 32  # for each move of self-play
    considered: int = 16  # moves at the root
    trust: float = 20.0  # logits that a difference of 1 in reward is worth, at few visits
    estimates: float = 0.04  # the share of each later position's in what is learned of the result
    opening: int = 2  # at most so many random plies
    exploring: int = 10_000  # moves of a game that are chosen with noise
    teacher: str = ""  # an agent whose games are learned from first
    taught: int = 0  # positions of its games
    parallel: int = 1024  # games at a time
    positions: int = 0  # learned from until the end; 0: no limit
    minutes: float = 0.0  # until the end; 0: no limit
    batch: int = 512
    reuse: float = 1.0  # how often a position is learned from, on average
    window: int = 500_000  # positions that are kept to learn from
    rate: float = 2e-3  # of learning; falls to `last_rate` as a cosine
    last_rate: float = 1e-4
    decay: float = 1e-4  # of weights
    longest: int = 1000  # plies that are learned from in one game

    def __post_init__(self) -> None:
        """Check what can be checked without a board.

        Raises
        ------
        BadText
            If a number is out of its range.
        """
        if not self.boards or not self.games:
            raise BadText("name a game and at least one board to train on")
        for name, (least, most) in RANGES.items():
            value = getattr(self, name)
            if not least <= value <= most:
                raise BadText(f"{name}={value} must be between {least:g} and {most:g}")
        for name in WIDTHS:
            if getattr(self, name) % LANES:
                raise BadText(f"{name}={getattr(self, name)} must be a multiple of {LANES}")
        if bool(self.teacher) != bool(self.taught):
            raise BadText("name a teacher and the positions to learn from it, or neither")
        if self.positions == 0 and self.minutes == 0:
            raise BadText("say when training ends: positions=N, minutes=M or both")

    def as_data(self) -> dict[str, Any]:
        """The settings as plain data."""
        return asdict(self)

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> "TrainingSettings":
        """The settings that `as_data` wrote.

        Raises
        ------
        BadText
            If they are not those of this version.
        """
        if set(data) != {field.name for field in fields(cls)}:
            raise BadText("the training was begun by another version of topple: begin it again")
        data = {**data, "games": tuple(data["games"]), "boards": tuple(data["boards"])}
        return cls(**data)


RANGES: dict[str, tuple[float, float]] = {
    "seed": (0, 2**62),
    "channels": (LANES, 1024),
    "blocks": (1, 64),
    "policy": (LANES, 1024),
    "value": (1, 1024),
    "simulations": (2, 1024),
    "considered": (2, 256),
    "trust": (0.1, 1000),
    "estimates": (0, 1),
    "opening": (0, 100),
    "exploring": (0, 10_000),
    "taught": (0, 10**12),
    "parallel": (1, 1 << 16),
    "positions": (0, 10**12),
    "minutes": (0, 1e6),
    "batch": (2, 1 << 16),
    "reuse": (0.01, 100),
    "window": (1, 10**8),
    "rate": (1e-6, 1),
    "last_rate": (1e-8, 1),
    "decay": (0, 1),
    "longest": (2, 10_000),
}
