"""A training run: self-play and learning in turns, checkpoints, the curve of what was learned."""

import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch

from topple.agents import Agent
from topple.agents import agent as make_agent
from topple.core.errors import BadText, ToppleError, Unsupported
from topple.core.files import write_whole, writing_whole
from topple.core.stopping import Stop
from topple.core.text import duration, one_line, plural
from topple.game import load
from topple.nets.net_file import TrainedNet, save_net
from topple.nets.shelf import net_for
from topple.training.device_play import DevicePlay
from topple.training.learner import SETTLING, Learner, Losses, draw_batch
from topple.training.lessons import Lesson
from topple.training.self_play import SelfPlay
from topple.training.settings import TrainingSettings
from topple.training.strength import pair_score
from topple.training.teacher import taught_lessons
from topple.training.window import Batch, Ring

SETTINGS, CHECKPOINT, NET, CURVE = "settings.json", "checkpoint.pt", "net.npz", "curve.jsonl"
BEFORE = "before.npz"  # the network of the checkpoint before
FIRST_BATCHES = 4  # positions to have, in batches, before anything is learned
TABLES_PER_WORKER = 3
OPPONENT = "uct:iterations=400"
SAVED_EVERY = 60.0  # seconds
MEASURED = 5  # times in a run


@dataclass
class Point:
    """One point of the curve: what a checkpoint knows of the run."""

    seconds: float
    games: int
    positions: int
    batches: int
    losses: dict[str, float]
    against: dict[str, float] = field(default_factory=dict)  # scores, 0 to 1

    def as_data(self) -> dict[str, Any]:
        """The point as plain data."""
        return asdict(self)


class Training:
    """A run in a folder, which a later process can go on with."""

    def __init__(
        self,
        settings: TrainingSettings,
        folder: Path,
        device: str = "cpu",
        workers: int = 1,
        begin: str | None = None,
    ) -> None:
        """Begin, or go on from the checkpoint in the folder.

        `begin` is a network or the folder of another training, with whose weights a new one
        begins.

        Raises
        ------
        BadText
            If the folder holds a run with other settings, or a damaged one.
        Unsupported
            If PyTorch cannot use the device.
        """
        if device != "cpu" and not (device.startswith("cuda") and torch.cuda.is_available()):
            raise Unsupported(f"PyTorch finds no device {device}: --device cpu works")
        self.settings, self.folder, self.device = settings, folder, device
        self.workers = workers
        torch.manual_seed(settings.seed)
        if device == "cpu":
            torch.set_num_threads(1)  # the other workers play meanwhile
        self.games = self.positions = 0
        self.seconds = 0.0  # of earlier processes
        self.owed = 0.0  # batches to be learned
        self.recent: list[Losses] = []
        self.points: list[dict[str, Any]] = []
        saved = self._saved()
        resumed = saved["games"] if saved else 0
        self.play = SelfPlay(settings, workers * TABLES_PER_WORKER, resumed)
        self.learner = Learner(self.play.design, settings, device)
        # Only now it is certain that there is something to train.
        write_whole(folder / SETTINGS, json.dumps(settings.as_data(), indent=1).encode())
        if saved:
            self._resume(saved)
        if begin is not None and self.learner.n_batches == 0:
            self._begin_with(begin)
        self.device_play = None if device == "cpu" else DevicePlay(self.play, self.learner.twin)
        self.pool = ThreadPoolExecutor(workers)
        self.learning = ThreadPoolExecutor(1)  # with a device; here learning is one of the workers
        self.began = self.saved = time.monotonic()

    def _saved(self) -> dict[str, Any] | None:
        """The checkpoint in the folder, if there is one of these settings."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ToppleError(f"{self.folder} cannot be made: {error.strerror}") from None
        path = self.folder / SETTINGS
        if path.exists():
            try:
                earlier = TrainingSettings.from_data(json.loads(path.read_text("utf-8")))
            except (ValueError, TypeError, RecursionError, OSError):
                raise BadText(f"{path} cannot be read: train in another folder") from None
            if _endless(earlier) != _endless(self.settings):
                raise BadText(
                    f"{self.folder} holds a training with other settings: name another folder"
                )
        checkpoint = self.folder / CHECKPOINT
        if not checkpoint.exists():
            return None
        try:
            saved: dict[str, Any] = torch.load(checkpoint, self.device, weights_only=True)
            numbers = {"games": int, "positions": int, "seconds": float}
            return {**saved, **{name: kind(saved[name]) for name, kind in numbers.items()}}
        except Exception:
            raise self._damaged(CHECKPOINT) from None

    def _begin_with(self, begin: str) -> None:
        if not Path(begin).is_dir():
            self._begin_with_net(begin)
            return
        try:
            saved = torch.load(Path(begin) / CHECKPOINT, self.device, weights_only=True)
            self.learner.begin_with(saved["learner"])
        except Exception:
            raise BadText(f"{begin} holds no training of such a network to begin with") from None

    def _begin_with_net(self, name: str) -> None:
        trained = net_for(self.play.tables[0].table.game, name)
        if trained.design != self.play.design:
            blocks, channels = trained.design.blocks, trained.design.channels
            raise BadText(
                f"the network {one_line(name, 60)} has another design: begin with it needs "
                f"--blocks {blocks} --channels {channels}"
            )
        self.learner.take_in(trained.net)

    def _resume(self, saved: dict[str, Any]) -> None:
        try:
            self.learner.load(saved["learner"])
        except Exception:  # whatever PyTorch makes of what is there
            raise self._damaged(CHECKPOINT) from None
        self.games, self.positions = saved["games"], saved["positions"]
        self.seconds = saved["seconds"]
        try:
            lines = (self.folder / CURVE).read_text("utf-8").splitlines()
            self.points = [Point(**json.loads(line)).as_data() for line in lines]
        except FileNotFoundError:
            pass
        except (ValueError, TypeError, RecursionError, OSError):
            raise self._damaged(CURVE) from None

    def _damaged(self, name: str) -> BadText:
        return BadText(f"{self.folder / name} is damaged: train in another folder")

    @property
    def elapsed(self) -> float:
        """Seconds of training, those of earlier processes included."""
        return self.seconds + time.monotonic() - self.began

    @property
    def progress(self) -> float:
        """How much of the training is done, from 0 to 1."""
        settings, shares = self.settings, []
        if settings.positions:
            shares.append(self.positions / settings.positions)
        if settings.minutes:
            shares.append(self.elapsed / (60 * settings.minutes))
        return min(max(shares), 1.0)

    def run(self, stop: Stop, report: Callable[[], None], n_pairs: int = 0) -> None:
        """Train until the end or until `stop` is set; saves at the end, whatever happens.

        Now and then the network plays `n_pairs` pairs of games against others.
        """
        if self.progress == 1:
            return  # an earlier process has come to the end
        measured = self.progress
        try:
            if self.positions < self.settings.taught:
                self._follow_teacher(stop, report)
            while self.progress < 1 and not stop.is_set():
                self.cycle()
                report()
                if n_pairs and self.progress - measured >= 1 / MEASURED:
                    self.save()
                    self.measure(n_pairs)
                    measured = self.progress
                self._save_now_and_then()
        finally:
            self.save()
        if n_pairs and not stop.is_set():
            self.measure(n_pairs)

    def cycle(self) -> None:
        """Play about one move of every game, and learn what is owed."""
        n_rounds = self.settings.simulations + 1
        n_batches = int(self.owed)
        if self.device_play is not None:
            self.device_play.take(self.learner.twin)
            learning = self.learning.submit(self._learn, n_batches)
            self.device_play.play(n_rounds)
        else:
            net = self.learner.twin.export()
            learning = self.pool.submit(self._learn, n_batches)
            self.play.play(net, n_rounds, self.pool)
        learning.result()
        self.owed -= n_batches
        self._harvest()

    def _harvest(self) -> None:
        for lesson, ring, board in self.play.harvest():
            self._take(lesson, ring, board)

    def _take(self, lesson: Lesson, ring: Ring, board: int) -> None:
        """Take a game's lesson in; how much is owed of learning grows with it."""
        settings = self.settings
        ring.add(lesson, board)
        self.games += 1
        self.positions += len(lesson.views)
        self.owed += len(lesson.views) * settings.reuse / settings.batch
        if self.positions < FIRST_BATCHES * settings.batch:
            self.owed = 0.0

    def _follow_teacher(self, stop: Stop, report: Callable[[], None]) -> None:
        """Learn from the teacher's games until there are as many positions as asked for."""
        settings, seats = self.settings, self.play.seats
        seed = f"{settings.seed} {self.games}"
        coming = taught_lessons(settings.teacher, seats, seed, settings.longest, self.workers)
        with closing(coming):
            for lessons in coming:
                for lesson, seat, board in lessons:
                    game = load(seats[seat].game, board=board)
                    self._take(lesson, *self.play.place(game, seats[seat]))
                n_batches = int(self.owed)
                self._learn(n_batches)
                self.owed -= n_batches
                report()
                self._save_now_and_then()
                if self.positions >= settings.taught or stop.is_set():
                    return

    def _learn(self, n_batches: int) -> None:
        rings = [ring for ring in self.play.rings.values() if ring.size]
        first = self.learner.n_batches

        def draw(i: int) -> tuple[Batch, tuple[int, int]]:
            numbers = np.random.default_rng([self.settings.seed, i])
            return draw_batch(rings, numbers, self.settings.batch)

        if n_batches and not self.learner.is_settled:
            self.learner.settle(draw(i) for i in range(SETTLING))
        # On a device the other threads draw batches ahead; here they have games to play.
        ahead = map if self.device_play is None else self.pool.map
        for batch, extent in ahead(draw, range(first, first + n_batches)):
            self.recent.append(self.learner.learn(batch, extent, self.progress))
        del self.recent[:-200]

    @property
    def losses(self) -> Losses:
        """Means over the latest batches."""
        if not self.recent:
            return Losses(0.0, 0.0, 0.0, 0.0)
        return Losses(*np.mean(np.array(self.recent), axis=0).tolist())

    def _save_now_and_then(self) -> None:
        if time.monotonic() - self.saved > SAVED_EVERY:
            self.save()

    def save(self) -> None:
        """Write checkpoint, network and curve; each file is replaced only once it is whole."""
        if (self.folder / NET).exists():
            write_whole(self.folder / BEFORE, (self.folder / NET).read_bytes())
        state = {
            "learner": self.learner.state(),
            "games": self.games,
            "positions": self.positions,
            "seconds": self.elapsed,
        }
        with writing_whole(self.folder / CHECKPOINT) as stream:
            torch.save(state, stream)
        save_net(self.folder / NET, self.trained())
        point = Point(
            self.elapsed, self.games, self.positions, self.learner.n_batches, self.losses._asdict()
        )
        self.points.append(point.as_data())
        self.write_curve()
        self.saved = time.monotonic()

    def trained(self) -> TrainedNet:
        """The averaged network with how it was made."""
        made = {
            "settings": self.settings.as_data(),
            "games": self.games,
            "positions": self.positions,
            "batches": self.learner.n_batches,
            "seconds": round(self.elapsed, 1),
        }
        name = self.play.tables[0].table.game.name
        return TrainedNet(name, self.play.design, self.learner.net(), made)

    def summary(self) -> str:
        """How far the run is, in a few words."""
        losses = self.losses
        return (
            f"{self.games:,} games, {self.positions:,} positions, "
            f"losses {losses.policy:.2f} and {losses.value:.2f}"
        )

    def text(self) -> str:
        """What was learned, in a few lines."""
        design, lines = self.play.design, []
        lines.append(f"trained for {duration(self.elapsed)}: {self.summary()}")
        against = self.points[-1]["against"] if self.points else {}
        for name, score in against.items():
            other = "the checkpoint before" if name == "before" else name
            own = f"puct:iterations={self.settings.simulations}"
            lines.append(f"{own} with it scores {score:.0%} against {other}")
        size = (self.folder / NET).stat().st_size / 1e6
        layers = f"{plural(design.blocks, 'block')} of {design.channels} channels"
        lines.append(f"network: {self.folder / NET} ({layers}, {size:.1f} MB)")
        return "\n".join(lines)

    def write_curve(self) -> None:
        """Write all points of the curve."""
        lines = "".join(f"{json.dumps(point)}\n" for point in self.points)
        write_whole(self.folder / CURVE, lines.encode())

    def measure(self, n_pairs: int, opponent: str = OPPONENT) -> dict[str, float]:
        """Play against the checkpoint before and against another agent; adds to the curve."""
        others = {opponent: make_agent(opponent)}
        if (self.folder / BEFORE).exists():
            others["before"] = self._player(BEFORE)
        agent, scores = self._player(NET), {}
        for name, other in others.items():
            scores[name] = self._score(agent, other, n_pairs)
        if self.points:
            self.points[-1]["against"] = scores
            self.write_curve()
        return scores

    def _player(self, name: str) -> Agent:
        """The agent that plays with a network of the folder."""
        net = str(self.folder / name)
        return make_agent("puct", iterations=self.settings.simulations, net=net)

    def _score(self, agent: Agent, other: Agent, n_pairs: int) -> float:
        games = [table.table.game for table in self.play.tables]

        def score(i: int) -> float:
            return pair_score(games[i % len(games)], agent, other, i)

        return float(np.mean(list(self.pool.map(score, range(n_pairs)))))

    def close(self) -> None:
        """End the threads."""
        self.pool.shutdown()
        self.learning.shutdown()
        if self.device_play is not None:
            self.device_play.close()


def _endless(settings: TrainingSettings) -> dict[str, Any]:
    """The settings without what may change between two processes: when the training ends."""
    return {**settings.as_data(), "positions": 0, "minutes": 0}
