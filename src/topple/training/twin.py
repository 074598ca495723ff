"""The network in PyTorch: what learns, with the same weights by the same names.

After each layer stands a normalisation over the batch, which is folded into the layer's weights
when the network is exported. Positions of a lattice are looked at by convolutions, all from the
first view: what the second view sees mirrored is mirrored before. Networks are looked at by dense
matrices of their arcs, padded to one size.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from topple.nets.net import Design, Net, make_net
from topple.nets.sight import GRID_DIRECTIONS, HEX_DIRECTIONS, SUM_SCALE, Sight

MOMENTUM = 0.05  # of the running mean and variance
EPSILON = 1e-5
DIRECTIONS = {"hexes": HEX_DIRECTIONS, "torus": HEX_DIRECTIONS, "grid": GRID_DIRECTIONS}

Tensor = Any


class Looked(NamedTuple):
    """What a twin makes of positions; the last axis of each tensor is named here."""

    logits: Tensor  # slots
    results: Tensor  # logits of the results and, last, the lead
    fates: Tensor  # vertices: whose they will be, −1 to 1; only learned, never exported


@dataclass(frozen=True)
class Arcs:
    """The arcs of boards, padded to n vertices, as matrices of shape (boards, n, n).

    A row holds the vertices that a vertex looks at: its successors, and its predecessors.
    """

    out: Tensor
    into: Tensor | None  # of a digraph
    mask: Tensor  # shape (boards, n, 1, 1): 1 for vertices, 0 for padding


class Normal:
    """The state of a normalisation: running mean and variance, and what is learned."""

    def __init__(self, channels: int, gain: float) -> None:
        self.gain = torch.nn.Parameter(torch.full((channels,), gain))
        self.shift = torch.nn.Parameter(torch.zeros(channels))
        self.mean = torch.zeros(channels)
        self.variance = torch.ones(channels)
        self.is_folded = False  # then only the shift is added
        self.moments: list[tuple[Tensor, Tensor]] | None = None  # of batches to settle on

    def __call__(self, x: Tensor, mask: Tensor | None, *, training: bool) -> Tensor:
        """Normalise over all axes but the last; padding does not count."""
        if self.moments is not None:
            self.moments.append(_moments(x.float(), mask))
        if self.is_folded:
            return x + self.shift.to(x.dtype)
        if not training:
            mean, variance = self.mean, self.variance
        else:
            mean, variance = _moments(x.float(), mask)
            with torch.no_grad():
                self.mean.lerp_(mean.detach(), MOMENTUM)
                self.variance.lerp_(variance.detach(), MOMENTUM)
        scale = self.gain * torch.rsqrt(variance + EPSILON)
        return x * scale.to(x.dtype) + (self.shift - mean * scale).to(x.dtype)

    def take_in(self, bias: NDArray[np.float32]) -> None:
        """Only add a bias, until what is normalised has been seen."""
        with torch.no_grad():
            self.gain.fill_(1.0)
            self.shift.copy_(torch.from_numpy(bias))
            self.mean.zero_()
            self.variance.fill_(1.0 - EPSILON)
        self.moments = []

    def settle(self) -> None:
        """Normalise from now on by the batches seen; what comes out of them stays the same."""
        assert self.moments
        means, variances = (torch.stack(each) for each in zip(*self.moments, strict=True))
        self.moments = None
        with torch.no_grad():
            self.mean.copy_(means.mean(0))
            self.variance.copy_(variances.mean(0) + means.var(0, correction=0))
            self.gain.copy_(torch.sqrt(self.variance + EPSILON))
            self.shift.add_(self.mean)


def _moments(x: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor]:
    axes = tuple(range(x.dim() - 1))
    if mask is None:
        variance, mean = torch.var_mean(x, dim=axes, correction=0)
        return mean, variance
    count = mask.expand(*x.shape[:-1], 1).sum()
    mean = (x * mask).sum(axes) / count
    variance = (((x - mean) * mask) ** 2).sum(axes) / count
    return mean, variance


class Twin:
    """A network that learns. `parameters` are its weights by name, `normals` its normalisations."""

    def __init__(self, design: Design, seed: int, device: str = "cpu") -> None:
        self.design, self.device = design, device
        numbers = np.random.default_rng(seed)
        self.parameters: dict[str, Tensor] = {}
        fate = {"fate": (design.channels, 1), "fate_bias": (1,)}
        for name, shape in (design.shapes() | fate).items():
            if name in ("stem_bias", "mix_bias"):
                continue  # the normalisation has its own
            values = np.zeros(shape)
            if not name.endswith("_bias"):
                small = name in ("move", "result", "board_move", "pool", "fate")
                spread = np.sqrt((0.5 if small else 2.0) / max(shape[-2], 1))
                values = numbers.normal(0.0, spread, shape)
            tensor = torch.tensor(values, dtype=torch.float32, device=device)
            self.parameters[name] = torch.nn.Parameter(tensor)
        self.mixtures: list[Tensor] = []  # of a folded twin
        layers = 1 + 2 * design.blocks
        # The last layer of a block begins small, so that a deep network begins as a shallow one.
        self.normals = [
            Normal(design.channels, 0.2 if i and i % 2 == 0 else 1.0) for i in range(layers)
        ]
        for normal in self.normals:
            normal.gain = torch.nn.Parameter(normal.gain.detach().to(device))
            normal.shift = torch.nn.Parameter(normal.shift.detach().to(device))
            normal.mean, normal.variance = normal.mean.to(device), normal.variance.to(device)

    def _weights(self, layer: int) -> Tensor:
        """The weights of the stem, which is layer 0, or of a layer of a block."""
        return self.parameters["stem"] if layer == 0 else self.parameters["mix"][layer - 1]

    def _mixture(self, layer: int) -> Tensor:
        """The weights of a layer as they are multiplied; made once where they are folded."""
        if self.mixtures:
            return self.mixtures[layer]
        if self.design.kind in DIRECTIONS:
            return _convolution(self._weights(layer), DIRECTIONS[self.design.kind])
        return self._weights(layer)

    def learned(self) -> list[Tensor]:
        """All that an optimiser changes."""
        normals = [each for normal in self.normals for each in (normal.gain, normal.shift)]
        return [*self.parameters.values(), *normals]

    def state(self) -> dict[str, Tensor]:
        """All tensors by name, to be saved."""
        state = dict(self.parameters)
        for i, normal in enumerate(self.normals):
            for part in ("gain", "shift", "mean", "variance"):
                state[f"normal_{i}_{part}"] = getattr(normal, part)
        return state

    def load(self, state: dict[str, Tensor]) -> None:
        """Take over the tensors that `state` returned."""
        with torch.no_grad():
            for name, tensor in self.state().items():
                tensor.copy_(state[name])
        for normal in self.normals:
            normal.moments = None

    def lattice(self, planes: Tensor, *, training: bool = False) -> Looked:
        """Look at planes of shape (positions, rows, columns, planes)."""
        wraps = self.design.kind == "torus"

        def mix(x: Tensor, layer: int) -> Tensor:
            return _convolve(x, self._mixture(layer), wraps=wraps)

        hidden = self._blocks(planes, mix, None, (1, 2), training=training)
        looked = self._heads(hidden.flatten(1, 2)[:, :, None], None)
        return Looked(*[tensor[:, 0] for tensor in looked])

    def network(
        self, planes: Tensor, arcs: Arcs, reversed_: Tensor | None = None, *, training: bool = False
    ) -> Looked:
        """Look at planes of shape (boards, n, games, planes).

        `reversed_`, (boards, games), is 1 where a digraph is seen with its arcs reversed.
        """

        lists = [each for each in (arcs.out, arcs.into) if each is not None]
        shares = [1 / each.sum(-1).clamp(min=1)[:, :, None, None] for each in lists]

        def gather(x: Tensor, i: int) -> list[Tensor]:
            total = torch.matmul(lists[i], x.flatten(2)).unflatten(2, x.shape[2:])
            return [total * shares[i].to(x.dtype), total * SUM_SCALE]

        def mix(x: Tensor, layer: int) -> Tensor:
            seen = gather(x, 0)
            if arcs.into is not None:
                into = gather(x, 1)
                if reversed_ is not None:
                    turned = reversed_[:, None, :, None] > 0
                    both = [
                        (torch.where(turned, b, a), torch.where(turned, a, b))
                        for a, b in zip(seen, into, strict=True)
                    ]
                    seen, into = [each[0] for each in both], [each[1] for each in both]
                seen = [*seen, *into]
            return torch.cat([x, *seen], dim=-1) @ self._mixture(layer).to(x.dtype)

        planes = planes * arcs.mask.to(planes.dtype)
        hidden = self._blocks(planes, mix, arcs.mask, (1,), training=training)
        return self._heads(hidden, arcs.mask)

    def _blocks(
        self,
        planes: Tensor,
        mix: Any,
        mask: Tensor | None,
        board: tuple[int, ...],
        *,
        training: bool,
    ) -> Tensor:
        """The hidden numbers behind the last block; `board` names the axes of the vertices."""
        normals = self.normals

        def rectify(x: Tensor) -> Tensor:
            x = torch.relu(x)
            return x if mask is None else x * mask.to(x.dtype)

        hidden = rectify(normals[0](mix(planes, 0), mask, training=training))
        for block in range(self.design.blocks):
            first, second = 1 + 2 * block, 2 + 2 * block
            inner = rectify(normals[first](mix(hidden, first), mask, training=training))
            added = normals[second](mix(inner, second), mask, training=training)
            fed = _pool(inner, mask, board) @ self.parameters["pool"][block].to(inner.dtype)
            hidden = rectify(hidden + added + fed)
        return hidden

    def _heads(self, hidden: Tensor, mask: Tensor | None) -> Looked:
        """What follows, by boards and games, from numbers (boards, n, games, channels)."""
        weights = {
            name: each.to(hidden.dtype)
            for name, each in self.parameters.items()
            if name not in ("stem", "mix", "pool")
        }
        pooled = _pool(hidden, mask, (1,))
        moves = torch.relu(
            hidden @ weights["policy"] + pooled @ weights["policy_pool"] + weights["policy_bias"]
        )
        logits = (moves @ weights["move"] + weights["move_bias"]).transpose(1, 2).flatten(2)
        pooled = pooled.squeeze(1)
        board = pooled @ weights["board_move"] + weights["board_move_bias"]
        value = torch.relu(pooled @ weights["value"] + weights["value_bias"])
        results = value @ weights["result"] + weights["result_bias"]
        fates = torch.tanh(hidden @ weights["fate"] + weights["fate_bias"])
        fates = fates.squeeze(-1).transpose(1, 2)
        return Looked(torch.cat([logits, board], dim=-1).float(), results.float(), fates.float())

    def fold(self, other: "Twin") -> None:
        """Become a copy of another twin with its normalisations folded, which cannot learn."""
        with torch.no_grad():
            for name, tensor in self.parameters.items():
                tensor.copy_(other.parameters[name])
            for i, (own, normal) in enumerate(zip(self.normals, other.normals, strict=True)):
                scale = normal.gain * torch.rsqrt(normal.variance + EPSILON)
                self._weights(i).mul_(scale)
                own.shift.copy_(normal.shift - normal.mean * scale)
                own.is_folded = True
            self._fold_mixtures()

    def take_in(self, net: Net) -> None:
        """Become an exported network again, which can learn once `settle` was called.

        What was not exported, whose each vertex will be, is learned anew.
        """
        with torch.no_grad():
            for name, tensor in self.parameters.items():
                array = getattr(net, name, None)
                tensor.copy_(torch.zeros(()) if array is None else torch.from_numpy(array.copy()))
        for normal, bias in zip(self.normals, (net.stem_bias, *net.mix_bias), strict=True):
            normal.take_in(bias.copy())

    @property
    def is_settled(self) -> bool:
        """Whether it can learn."""
        return all(normal.moments is None for normal in self.normals)

    def settle(self) -> None:
        """Learn from now on; a few batches have been looked at since a network was taken in."""
        for normal in self.normals:
            normal.settle()

    def _fold_mixtures(self) -> None:
        """Bring the layers up to date in place: recorded graphs go on using them."""
        old, self.mixtures = self.mixtures, []
        kind, layers = looked_in(self.device), range(len(self.normals))
        new = [self._mixture(layer).detach().to(kind) for layer in layers]
        for own, each in zip(old, new, strict=False):
            own.copy_(each)
        self.mixtures = old or new

    def export(self) -> Net:
        """The network as compiled kernels take it: normalisations folded into the weights."""
        folded = Twin(self.design, 0, self.device)
        folded.fold(self)
        arrays = {name: _array(each) for name, each in folded.parameters.items()}
        shifts = [_array(normal.shift) for normal in folded.normals]
        return make_net({**arrays, "stem_bias": shifts[0], "mix_bias": np.stack(shifts[1:])})


def _array(tensor: Tensor) -> NDArray[np.float32]:
    array: NDArray[np.float32] = tensor.detach().float().cpu().numpy()
    return array


def _pool(x: Tensor, mask: Tensor | None, board: tuple[int, ...]) -> Tensor:
    """Mean and maximum over the axes of the vertices, which stay with length 1."""
    if mask is None:
        mean = x.mean(board, keepdim=True)
    else:
        mean = x.sum(board, keepdim=True) / mask.sum(1, keepdim=True).to(x.dtype)
    return torch.cat([mean, x.amax(board, keepdim=True)], dim=-1)


def looked_in(device: str) -> Any:
    """The numbers that a device multiplies fastest."""
    return torch.float32 if device == "cpu" else torch.bfloat16


def _convolution(weights: Tensor, offsets: Any) -> Tensor:
    """The weights of all taps as the kernel of a convolution, (out, in, 3, 3)."""
    own = weights.unflatten(0, (len(offsets), -1))
    taps = {3 * (1 + down) + 1 + right: own[i] for i, (down, right) in enumerate(offsets)}
    none = torch.zeros_like(own[0])
    kernel = torch.stack([taps.get(i, none) for i in range(9)]).unflatten(0, (3, 3))
    return kernel.permute(3, 2, 0, 1).contiguous(memory_format=torch.channels_last)


def _convolve(x: Tensor, kernel: Tensor, *, wraps: bool) -> Tensor:
    """Mix each cell with its neighbours, (positions, rows, columns, channels)."""
    planes = x.permute(0, 3, 1, 2)
    padding = 1
    if wraps:
        planes, padding = torch.nn.functional.pad(planes, (1, 1, 1, 1), mode="circular"), 0
    mixed = torch.nn.functional.conv2d(planes, kernel.to(x.dtype), padding=padding)
    return mixed.permute(0, 2, 3, 1)


def arc_matrices(sight: Sight, n: int) -> NDArray[np.uint8]:
    """The arcs of each list of a board as matrices of n rows and columns, (lists, n, n)."""
    matrices = np.zeros((sight.n_lists, n, n), dtype=np.uint8)
    for each in range(sight.n_lists):
        start = sight.neighbour_start[each * (sight.n + 1) : (each + 1) * (sight.n + 1)]
        tails = np.repeat(np.arange(sight.n), np.diff(start))
        np.add.at(matrices[each], (tails, sight.neighbours[start[0] : start[-1]]), 1)
    return matrices
