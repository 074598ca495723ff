"""Self-play whose networks run on a device for learning: tables in waves.

While the device looks at the leaves of one wave, the cores play on at the tables of another.
"""

from concurrent.futures import Executor, Future
from typing import Any

import numpy as np
import torch

from topple.training.self_play import PlayedTable, SelfPlay
from topple.training.twin import Arcs, Twin

WAVES = 3  # of each shape: one is looked at, the others play
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
        rows, design = len(places) * self.games, self.design
        pinned = self.device != "cpu"

        def room(*shape: int, kind: Any = None) -> Tensor:
            return torch.zeros(shape, dtype=kind or torch.float32, pin_memory=pinned)

        n_slots = self.n * design.actions + design.board_actions
        self.planes = room(rows, self.n, self.n_dynamic)
        self.views = room(rows, kind=torch.int32)
        self.logits, self.results = room(rows, n_slots), room(rows, design.results + 1)
        self.on_device = {
            "planes": self.planes.to(self.device),
            "views": self.views.to(self.device),
            "logits": self.logits.to(self.device),
            "results": self.results.to(self.device),
        }
        self.seen: list[int] = []
        self.graph: Any = None
        self._see_boards()
        for i in range(len(places)):
            self._seat(i)

    def _tables(self) -> list[PlayedTable]:
        return [self.play.tables[place] for place in self.places]

    def _see_boards(self) -> None:
        """Put the boards of the tables on the device, if one of them is new."""
        tables = self._tables()
        seen = [id(table.table) for table in tables]
        if seen == self.seen:
            return
        self.seen = seen
        boards = [table.ring.boards[table.board] for table in tables]
        fixed = torch.from_numpy(np.stack([board.fixed for board in boards])).float()
        matrices = torch.from_numpy(np.stack([board.arcs for board in boards])).float()
        sizes = torch.tensor([board.n for board in boards])
        mask = (torch.arange(self.n) < sizes[:, None]).float()[:, None, :, None]
        tensors = {"fixed": fixed, "matrices": matrices, "mask": mask}
        for name, tensor in tensors.items():
            if name in self.on_device:
                self.on_device[name].copy_(tensor)
            else:
                self.on_device[name] = tensor.to(self.device)

    def play_on(self, pool: Executor) -> list[Future[None]]:
        """Run all tables to their next leaves, in the pool's threads."""
        return [pool.submit(self._play_table, i) for i in range(len(self.places))]

    def _play_table(self, i: int) -> None:
        """Take the answers at one table, run on, and write the leaves."""
        table = self.play.tables[self.places[i]].table
        rows, n = slice(i * self.games, (i + 1) * self.games), table.sight.n
        planes, views = self.planes.numpy()[rows], self.views.numpy()[rows]
        if n == self.n:  # the table reads its answers where the wave has them
            table.advance_and_write(planes, views)
            return
        n_moves, logits = n * self.design.actions, self.logits.numpy()[rows]
        table.table.answer[:, :n_moves] = logits[:, :n_moves]
        table.table.answer[:, n_moves:] = logits[:, self.n * self.design.actions :]
        own = np.zeros((self.games, n, self.n_dynamic), dtype=np.float32)
        table.advance_and_write(own, views)
        planes[:, :n] = own

    def _seat(self, i: int) -> None:
        """Let a new table read the wave's answers, and write its leaves."""
        table = self.play.tables[self.places[i]].table
        rows = slice(i * self.games, (i + 1) * self.games)
        own = table.table.answer if table.sight.n != self.n else self.logits.numpy()[rows]
        table.answer_in(own, self.results.numpy()[rows])
        table.table.length[:] = 0  # nothing has been asked yet: the roots are asked about now
        self._play_table(i)

    def refresh(self) -> None:
        """Take note of tables that were replaced, and write their leaves."""
        before = list(self.seen)
        self._see_boards()
        for i, (old, new) in enumerate(zip(before, self.seen, strict=True)):
            if old != new:
                self._seat(i)

    def look(self) -> None:
        """Let the device look at all leaves, and copy its answers back."""
        own = self.on_device
        own["planes"].copy_(self.planes, non_blocking=True)
        own["views"].copy_(self.views, non_blocking=True)
        if self.device == "cpu":
            self._look()
        elif self.graph is None:
            self._record()
        else:
            self.graph.replay()
        self.logits.copy_(own["logits"], non_blocking=True)
        self.results.copy_(own["results"], non_blocking=True)
        if self.device != "cpu":
            torch.cuda.current_stream().synchronize()

    def _record(self) -> None:
        """Record what the device does once, to be replayed without the cost of starting it."""
        torch.cuda.synchronize()
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            for _ in range(2):
                self._look()
        torch.cuda.synchronize()
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self._look()
        self.graph.replay()

    def _look(self) -> None:
        with (
            torch.no_grad(),
            torch.autocast(self.device, torch.bfloat16, enabled=self.device != "cpu"),
        ):
            logits, results = self._lattice() if self.play.is_lattice else self._network()
        self.on_device["logits"].copy_(logits)
        results[:, :-1] = torch.softmax(results[:, :-1], -1)
        self.on_device["results"].copy_(results)

    def _lattice(self) -> tuple[Tensor, Tensor]:
        own, design = self.on_device, self.design
        shape = (-1, *self.extent)
        planes, turned = own["planes"].reshape(*shape, self.n_dynamic), own["views"] == 1
        turned = turned[:, None, None, None]
        mirrors = own["fixed"].shape[1] > 1
        if mirrors:
            planes = torch.where(turned, planes.transpose(1, 2), planes)
        fixed = own["fixed"][0, 0].reshape(1, *self.extent, -1).expand(len(planes), -1, -1, -1)
        logits, results = self.twin.lattice(self._filled(torch.cat([planes, fixed], -1)))
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
        fixed = own["fixed"][:, :1].expand(-1, self.games, -1, -1)
        if own["fixed"].shape[1] > 1:
            turned = views[:, :, None, None] == 1
            fixed = torch.where(turned, own["fixed"][:, 1:2].expand_as(fixed), fixed)
        matrices = own["matrices"]
        into = matrices[:, 1] if matrices.shape[1] > 1 else None
        arcs = Arcs(matrices[:, 0], into, own["mask"])
        planes = self._filled(torch.cat([planes, fixed], -1))
        logits, results = self.twin.network(planes, arcs, views)
        return logits.flatten(0, 1), results.flatten(0, 1)

    def _filled(self, planes: Tensor) -> Tensor:
        """The planes, with empty ones up to the number that the network takes."""
        missing = self.design.planes - planes.shape[-1]
        planes = torch.nn.functional.pad(planes, (0, missing))
        return planes if self.device == "cpu" else planes.bfloat16()


class DevicePlay:
    """Self-play in waves, whose network is folded anew after every round of learning."""

    def __init__(self, play: SelfPlay, twin: Twin) -> None:
        """Divide the tables of each shape into waves."""
        self.twin = Twin(play.design, 0, twin.device)
        if twin.device != "cpu":
            self.twin.compile()
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

    def take(self, twin: Twin) -> None:
        """Play with these weights from now on."""
        self.twin.fold(twin)

    def play(self, n_rounds: int, pool: Executor) -> None:
        """Look at the leaves of every wave `n_rounds` times; tables play on meanwhile."""
        for wave in self.waves:
            wave.refresh()
        playing: list[list[Future[None]]] = [[] for _ in self.waves]
        for _ in range(n_rounds):
            for wave, futures in zip(self.waves, playing, strict=True):
                for future in futures:
                    future.result()
                wave.look()  # the other waves play on at the same time
                futures[:] = wave.play_on(pool)
        for futures in playing:
            for future in futures:
                future.result()
