"""The learner: a network that follows what the search found, batch by batch."""

from collections.abc import Iterable
from math import cos, pi
from typing import Any, NamedTuple

import torch

from topple.nets.net import Design, Net
from topple.training.settings import TrainingSettings
from topple.training.twin import Arcs, Looked, Twin
from topple.training.window import LATTICES, Batch, Ring

AVERAGE = 0.995  # of the weights, from one batch to the next
LEAD_SHARE, FATES_SHARE = 0.25, 0.5  # of the loss
CLIP = 1.0  # the largest norm of a gradient
SETTLING = 16  # batches that a network looks at before it goes on learning

Tensor = Any


class Losses(NamedTuple):
    """Means over a batch."""

    policy: float  # less the entropy of what is learned: 0 is perfect
    value: float
    lead: float
    fates: float


class Learner:
    """A network, its optimiser, and the running average of its weights that plays in the end."""

    def __init__(self, design: Design, settings: TrainingSettings, device: str) -> None:
        self.design, self.settings, self.device = design, settings, device
        self.twin = Twin(design, settings.seed, device)
        self.average = Twin(design, settings.seed, device)
        self.optimiser = torch.optim.AdamW(
            self.twin.learned(),
            lr=settings.rate,
            weight_decay=settings.decay,
            betas=(0.9, 0.98),
            fused=device != "cpu",
        )
        self.n_batches = 0
        # Learning has a stream of its own on a device, which plays meanwhile.
        self.stream = None if device == "cpu" else torch.cuda.Stream()

    def learn(self, batch: Batch, extent: tuple[int, int], progress: float) -> Losses:
        """Take one step; `progress`, from 0 to 1, lowers the rate of learning."""
        with torch.cuda.stream(self.stream):
            return Losses(*self._step(batch, extent, self._rate(progress)).tolist())

    def _step(self, batch: Batch, extent: tuple[int, int], rate: float) -> Tensor:
        """Take one step at a rate of learning; returns the losses."""
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        target = torch.as_tensor(batch.policy, device=self.device)
        policy, value, lead, fates = self._losses(batch, target, extent)
        loss = policy + value + LEAD_SHARE * lead + FATES_SHARE * fates
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.twin.learned(), CLIP)
        self.optimiser.step()
        self.n_batches += 1
        self._follow()
        entropy = -torch.special.xlogy(target, target).sum(-1).mean()
        return torch.stack([policy - entropy, value, lead, fates]).detach()

    def _rate(self, progress: float) -> float:
        """The rate of learning: a short rise, then a cosine."""
        settings = self.settings
        share = (1 + cos(pi * min(max(progress, 0.0), 1.0))) / 2
        warm = min(1.0, (self.n_batches + 1) / 100)
        return warm * (settings.last_rate + (settings.rate - settings.last_rate) * share)

    def _losses(
        self, batch: Batch, target: Tensor, extent: tuple[int, int]
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        logits, results, fates = self.look(batch, extent)
        outcome = torch.as_tensor(batch.results, device=self.device)
        lead = torch.as_tensor(batch.lead, device=self.device)
        mask = torch.as_tensor(batch.mask, device=self.device)
        off = (fates - torch.as_tensor(batch.fates, device=self.device)) * mask
        return (
            -(target * torch.log_softmax(logits, -1)).sum(-1).mean(),
            -(outcome * torch.log_softmax(results[:, :-1], -1)).sum(-1).mean(),
            torch.nn.functional.smooth_l1_loss(results[:, -1], lead),
            (off.square().sum(-1) / mask.sum(-1)).mean(),
        )

    def look(self, batch: Batch, extent: tuple[int, int], *, training: bool = True) -> Looked:
        """What the network that learns makes of a batch."""
        with torch.autocast(self.device, torch.bfloat16, enabled=self.device != "cpu"):
            planes = torch.as_tensor(batch.planes, device=self.device)
            if self.design.kind in LATTICES:
                return self.twin.lattice(planes.unflatten(1, extent), training=training)
            arcs = arcs_on(batch, self.device)
            views = torch.as_tensor(batch.views, device=self.device)[:, None]
            looked = self.twin.network(planes[:, :, None], arcs, views, training=training)
            logits, results, fates = (tensor[:, 0] for tensor in looked)
            padded = -1e4 * (1 - arcs.mask[:, :, 0, 0]).repeat_interleave(self.design.actions, 1)
            logits[:, : padded.shape[1]] += padded
            return Looked(logits, results, fates)

    def _follow(self) -> None:
        """Let the average follow the weights, quickly at first."""
        keep = min(AVERAGE, (1 + self.n_batches) / (10 + self.n_batches))
        with torch.no_grad():
            own = self.twin.state()
            for name, tensor in self.average.state().items():
                tensor.lerp_(own[name], 1 - keep)

    def net(self) -> Net:
        """The averaged network as compiled kernels take it."""
        return self.average.export()

    def state(self) -> dict[str, Any]:
        """All that is needed to go on learning: tensors and numbers."""
        return {
            "twin": self.twin.state(),
            "average": self.average.state(),
            "optimiser": self.optimiser.state_dict(),
            "n_batches": self.n_batches,
        }

    @property
    def is_settled(self) -> bool:
        """Whether the network can learn; one that was taken in must settle first."""
        return self.twin.is_settled

    def take_in(self, net: Net) -> None:
        """Begin with the weights of an exported network."""
        self.twin.take_in(net)
        self.average.take_in(net)

    def settle(self, batches: Iterable[tuple[Batch, tuple[int, int]]]) -> None:
        """Fit the normalisations of a network that was taken in to these batches."""
        with torch.cuda.stream(self.stream), torch.no_grad():
            for batch, extent in batches:
                self.look(batch, extent, training=False)
            self.twin.settle()
            self.average.load(self.twin.state())

    def begin_with(self, state: dict[str, Any]) -> None:
        """Take over the weights of another training, but nothing else of it."""
        self.twin.load(state["average"])
        self.average.load(state["average"])

    def load(self, state: dict[str, Any]) -> None:
        """Go on from a saved state."""
        self.twin.load(state["twin"])
        self.average.load(state["average"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.n_batches = int(state["n_batches"])


def arcs_on(batch: Batch, device: str) -> Arcs:
    """The arcs of a batch of networks as tensors on a device."""
    matrices = torch.as_tensor(batch.arcs, device=device).float()
    mask = torch.as_tensor(batch.mask, device=device)[:, :, None, None]
    return Arcs(matrices[:, 0], matrices[:, 1] if matrices.shape[1] > 1 else None, mask)


def draw_batch(rings: list[Ring], numbers: Any, n: int) -> tuple[Batch, tuple[int, int]]:
    """Draw a batch from one of the rings, each as likely as the positions added to it."""
    added = [ring.n_added for ring in rings]
    ring = rings[int(numbers.choice(len(rings), p=[each / sum(added) for each in added]))]
    return ring.batch(numbers, n), ring.extent
