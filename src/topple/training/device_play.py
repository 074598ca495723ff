"""Self-play whose networks run on a device for learning: tables in waves.

While the device looks at the leaves of some waves, the cores play on at the tables of the others.
Each wave has a stream of its own on the device, which works at several streams at a time: one
wave alone is too little to keep it busy.
"""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import torch

from topple.training.self_play import PlayedTable, SelfPlay
from topple.training.serving import STOP, serve
from topple.training.twin import Arcs, Twin, looked_in

WAVES = 3  # of each shape: one is looked at, the others play
PAUSE = 2e-5  # seconds until it is asked again which waves can go on

Tensor = Any


class Wave:
    """Tables whose leaves have one shape and are looked at together."""

    def __init__(self, play: SelfPlay, places: list[int], twin: Twin) -> None:
        """Take the tables at these places; `twin` is folded, and shared by all waves."""
        self.play, self.places, self.twin, self.design = play, places, twin, play.design
        self.device = twin.device
        first = play.tables[places[0]]
        self.extent, self.n = first.ring.extent, first.ring.n
        self.games = first.table.n_games
        self.n_dynamic = first.table.sight.n_dynamic
        self.orders = np.zeros(len(places), dtype=np.int64)
        self.served = np.zeros(len(places), dtype=np.int64)
        rows, design = len(places) * self.games, self.design
        pinned = self.device != "cpu"

        def room(*shape: int, kind: Any = torch.float32) -> Tensor:
            return torch.zeros(shape, dtype=kind, pin_memory=pinned)

        n_slots = self.n * design.actions + design.board_actions
        self.host = {
            "planes": room(rows, self.n, self.n_dynamic),
            "views": room(rows, kind=torch.int32),
            "logits": room(rows, n_slots),
            "results": room(rows, design.results + 1),
        }
        self.on_device = {name: tensor.to(self.device) for name, tensor in self.host.items()}
        self.seen: list[int] = []
        self.stream = torch.cuda.Stream() if pinned else None
        self.graph: Any = None
        self.is_looked_at = False
        self.refresh()

    def _tables(self) -> list[PlayedTable]:
        return [self.play.tables[place] for place in self.places]

    def refresh(self) -> None:
        """Take in the tables that are new: their boards, and where they read and write."""
        tables = self._tables()
        seen = [id(table.table) for table in tables]
        if seen == self.seen:
            return
        for i, table in enumerate(tables):
            if not self.seen or seen[i] != self.seen[i]:
                logits, results = self._rows("logits", i), self._rows("results", i)
                table.table.answer_in(logits, results)
                table.table.ask_again()
                self._rows("planes", i)[:] = 0.0  # the padding of a smaller network stays empty
                table.table.advance_and_write(self._rows("planes", i), self._rows("views", i))
        self.seen = seen
        boards = [table.ring.boards[table.board] for table in tables]
        sizes = torch.tensor([board.n for board in boards])
        tensors = {
            "fixed": torch.from_numpy(np.stack([board.fixed for board in boards])).float(),
            "matrices": self._cast(torch.from_numpy(np.stack([board.arcs for board in boards]))),
            "mask": self._cast(torch.arange(self.n) < sizes[:, None])[:, :, None, None],
        }
        for name, tensor in tensors.items():
            if name in self.on_device:
                self.on_device[name].copy_(tensor)
            else:
                self.on_device[name] = tensor.to(self.device)

    def _rows(self, name: str, i: int) -> Any:
        """The part of an array of the wave that belongs to one table."""
        return self.host[name].numpy()[i * self.games : (i + 1) * self.games]

    def serve(self, i: int) -> None:
        """Play at one table whenever the orders say so, until they say STOP."""
        table = self.play.tables[self.places[i]].table
        spaces = (table.scratch, table.gumbel, table.game.sizes.state)
        leaves = (self._rows("planes", i), self._rows("views", i))
        table.game.run(serve, table.table, *spaces, *leaves, self.orders, self.served, i)

    def has_played(self) -> bool:
        """Whether all tables have played on."""
        return bool((self.orders == self.served).all())

    def begin_look(self) -> None:
        """Let the device look at all leaves, and copy its answers back."""
        self.is_looked_at = True
        if self.stream is None:
            self._look_and_copy(self._look)
            return
        if self.graph is None:
            self._record()
        with torch.cuda.stream(self.stream):
            self._look_and_copy(self.graph.replay)

    def has_looked(self) -> bool:
        """Whether the answers are there."""
        return self.stream is None or self.stream.query()

    def end_look(self) -> None:
        """Let the tables play on with the answers."""
        self.is_looked_at = False
        self.orders += 1

    def _look_and_copy(self, look: Callable[[], None]) -> None:
        own, host = self.on_device, self.host
        for name in ("planes", "views"):
            own[name].copy_(host[name], non_blocking=True)
        look()
        for name in ("logits", "results"):
            host[name].copy_(own[name], non_blocking=True)

    def _record(self) -> None:
        """Record what the device does once, to be replayed without the cost of starting it."""
        torch.cuda.synchronize()
        with torch.cuda.stream(self.stream):
            for _ in range(3):  # chooses the fastest ways to multiply
                self._look()
        torch.cuda.synchronize()
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph, stream=self.stream):
            self._look()

    def _look(self) -> None:
        with (
            torch.no_grad(),
            torch.autocast(self.device, torch.bfloat16, enabled=self.device != "cpu"),
        ):
            logits, results = self._lattice() if self.play.is_lattice else self._network()
        self.on_device["logits"].copy_(logits)
        self.on_device["results"][:, :-1] = torch.softmax(results[:, :-1], -1)
        self.on_device["results"][:, -1] = results[:, -1]

    def _lattice(self) -> tuple[Tensor, Tensor]:
        own, design = self.on_device, self.design
        shape = (-1, *self.extent)
        planes, turned = own["planes"].reshape(*shape, self.n_dynamic), own["views"] == 1
        turned = turned[:, None, None, None]
        mirrors = own["fixed"].shape[1] > 1
        if mirrors:
            planes = torch.where(turned, planes.transpose(1, 2), planes)
        fixed = own["fixed"][0, 0].reshape(1, *self.extent, -1).expand(len(planes), -1, -1, -1)
        logits, results, _ = self.twin.lattice(self._cast(torch.cat([planes, fixed], -1)))
        if mirrors:
            n_moves = self.n * design.actions
            on_cells = logits[:, :n_moves].reshape(*shape, design.actions)
            on_cells = torch.where(turned, on_cells.transpose(1, 2), on_cells)
            logits = torch.cat([on_cells.flatten(1), logits[:, n_moves:]], -1)
        return logits, results

    def _network(self) -> tuple[Tensor, Tensor]:
        own, tables = self.on_device, len(self.places)
        planes = own["planes"].reshape(tables, self.games, self.n, self.n_dynamic)
        views = own["views"].reshape(tables, self.games)
        planes = planes.transpose(1, 2)
        fixed = own["fixed"][:, 0, :, None].expand(-1, -1, self.games, -1)
        if own["fixed"].shape[1] > 1:
            turned = views[:, None, :, None] == 1
            fixed = torch.where(turned, own["fixed"][:, 1, :, None].expand_as(fixed), fixed)
        matrices = own["matrices"]
        into = matrices[:, 1] if matrices.shape[1] > 1 else None
        arcs = Arcs(matrices[:, 0], into, own["mask"])
        planes = self._cast(torch.cat([planes, fixed], -1))
        logits, results, _ = self.twin.network(planes, arcs, views)
        return logits.flatten(0, 1), results.flatten(0, 1)

    def _cast(self, planes: Tensor) -> Tensor:
        return planes.to(looked_in(self.device))


class DevicePlay:
    """Self-play in waves, whose network is folded anew after every round of learning."""

    def __init__(self, play: SelfPlay, twin: Twin) -> None:
        """Divide the tables of each shape into waves."""
        self.twin = Twin(play.design, 0, twin.device)
        self.take(twin)
        shapes: dict[tuple[int, int], list[int]] = {}
        for place, table in enumerate(play.tables):
            shapes.setdefault(table.ring.extent, []).append(place)
        self.waves = [
            Wave(play, part, self.twin)
            for places in shapes.values()
            for part in (places[i::WAVES] for i in range(WAVES))
            if part
        ]
        self.pool = ThreadPoolExecutor(len(play.tables))

    def take(self, twin: Twin) -> None:
        """Play with these weights from now on."""
        self.twin.fold(twin)
        if self.twin.device != "cpu":
            torch.cuda.synchronize()

    def play(self, n_rounds: int) -> None:
        """Look at the leaves of every wave `n_rounds` times; tables play on meanwhile."""
        serving = []
        for wave in self.waves:
            wave.refresh()
            wave.orders[:] = wave.served[:] = 0
            serving += [self.pool.submit(wave.serve, i) for i in range(len(wave.places))]
        try:
            waves = self.waves
            while waves:
                waves = [wave for wave in waves if not _has_ended(wave, n_rounds)]
                time.sleep(PAUSE)
        finally:
            for wave in self.waves:
                wave.orders[:] = STOP
            for each in serving:
                each.result()

    def close(self) -> None:
        """End the threads."""
        self.pool.shutdown()


def _has_ended(wave: Wave, n_rounds: int) -> bool:
    """Whether a wave has played `n_rounds` rounds; it goes on if it has not, and can."""
    if wave.is_looked_at:
        if wave.has_looked():
            wave.end_look()
    elif wave.has_played():
        if wave.orders[0] == n_rounds:
            return True
        wave.begin_look()
    return False
