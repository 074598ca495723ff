"""Prover and Inquiry: what is proven about sums of pieces, and questions about them."""

from collections.abc import Callable, Generator, Iterable
from typing import Any

from topple.core.errors import BadText
from topple.solvers.segments.heat import heat_piece, settle_piece
from topple.solvers.segments.pieces import (
    NOTHING,
    TAKEN_FROM_RING,
    make_pieces,
    make_thermographs,
    ring_code,
    segment_code,
)
from topple.solvers.segments.search import (
    FULL,
    NODES,
    OPEN,
    YES,
    SumStack,
    look,
    make_stack,
    prove,
)
from topple.solvers.segments.table import (
    ENTRY_BYTES,
    FIRST_SIZE,
    FULLEST,
    LARGEST_SIZE,
    copy_entries,
    make_table,
)
from topple.solvers.solution import Bounds
from topple.solvers.solver import CONTRADICTION, MEGABYTE, MemoryFull

MOST_VERTICES = 600  # of a sum; since means are at most 1/5 a vertex, its bounds fit into a byte
WORTH_GROWING = 1.2  # a table that cannot grow by this factor is full
TRIMMED_PART = 3  # dominated moves are removed up to a third of the longest length

Run = Callable[..., Any]  # `Game.run`
Sum = tuple[int, ...]  # codes, ascending, without a piece and its negative
Answer = Generator[None, None, bool]
Work = Generator[None, None, None]


class Prover:
    """Walls and scores of single pieces and a table of sums, which all questions share.

    `run` is `Game.run` of an INFLUENCE game, and no piece has more than `longest` vertices.
    If it is `trusting`, pieces with unknown walls are bounded by Theorem 20.
    """

    def __init__(self, run: Run, longest: int, memory: int, *, trusting: bool = True) -> None:
        self.run = run
        self.longest = longest
        self.memory = memory
        self.pieces = make_pieces(longest)
        self.heat = make_thermographs(self.pieces, trusting=trusting)
        self.table = make_table(FIRST_SIZE)
        self.scores: list[tuple[int, int]] = [(0, 0), (-1, -1)]  # Ls and Rs of S_0, S_1, … in C₋
        self.n_trimmed = 1  # dominated moves are removed up to this length

    @property
    def n_settled(self) -> int:
        """The length up to which single segments are solved."""
        return len(self.scores) - 1

    @property
    def n_positions(self) -> int:
        """The number of sums in the table."""
        return int(self.table.counts[0])

    @property
    def most_entries(self) -> int:
        """The number of sums at which the table must grow."""
        return int(FULLEST * len(self.table.entries))

    def grow(self) -> None:
        """Replace the table by a larger one; both exist while the entries are copied.

        Raises
        ------
        MemoryFull
            If the memory does not allow it.
        """
        n = len(self.table.entries)
        allowed = self.memory * MEGABYTE // ENTRY_BYTES - n
        larger = min(2 * n, allowed, LARGEST_SIZE)
        if larger < WORTH_GROWING * n:
            raise MemoryFull
        table = make_table(larger)
        self.run(copy_entries, self.table.entries, table)
        self.table = table

    def n_slots_for(self, n: int) -> int:
        """The size of a table for n sums; 0 if the memory does not allow it."""
        slots = max(FIRST_SIZE, int(n / FULLEST) + 1)
        allowed = self.memory * MEGABYTE // ENTRY_BYTES
        # The size to which it would have grown beside a smaller table.
        return min(2 * slots, max(slots, allowed - n)) if slots <= allowed else 0

    def reduced(self, codes: Iterable[int]) -> Sum:
        """A sum without pairs of a piece and its negative, which cancel (Corollary 15)."""
        left: dict[int, int] = {}
        for code in codes:
            opposite = int(self.pieces.negative[code])
            if left.get(opposite, 0):
                left[opposite] -= 1
            else:
                left[code] = left.get(code, 0) + 1
        return tuple(sorted(code for code, n in left.items() for _ in range(n)))

    def negative(self, sum_: Iterable[int]) -> Sum:
        """The negative of a reduced sum."""
        return tuple(sorted(int(self.pieces.negative[code]) for code in sum_))

    def size(self, sum_: Iterable[int]) -> int:
        """The number of vertices of a sum."""
        return sum(int(self.pieces.size[code]) for code in sum_)

    def moves(self, code: int) -> list[tuple[int, Sum]]:
        """Left's moves on a piece that are not removed: the gain, and what remains."""
        pieces, start = self.pieces, int(self.pieces.move_start[code])
        return [
            (
                int(pieces.move_gain[i]),
                tuple(
                    int(c) for c in (pieces.move_first[i], pieces.move_second[i]) if c != NOTHING
                ),
            )
            for i in range(start, start + int(pieces.move_count[code]))
        ]

    def keep_moves(self, code: int, kept: list[int]) -> None:
        """Remove Left's moves on a piece, except those at the given indices of `moves`."""
        pieces, start = self.pieces, int(self.pieces.move_start[code])
        for array in (pieces.move_gain, pieces.move_first, pieces.move_second):
            array[start : start + len(kept)] = array[[start + i for i in kept]]
        pieces.move_count[code] = len(kept)


class Inquiry:
    """Questions to a prover that can be interrupted.

    Its methods are generators, which yield when the granted nodes are used up and
    continue from there.
    """

    def __init__(self, prover: Prover, n_vertices: int) -> None:
        self.prover = prover
        n_codes = len(prover.pieces.size)
        self.stack = make_stack(n_vertices, n_codes, plies=n_vertices // 2 + 2)
        self.glance = make_stack(n_vertices, n_codes, plies=1)
        self.granted = 0  # nodes until the next pause

    @property
    def n_nodes(self) -> int:
        """The number of positions visited."""
        return int(self.stack.counts[NODES])

    def advance(self, work: Work, n: int) -> tuple[bool, str | None]:
        """Continue work for about n nodes; return whether it has ended, and by which limit."""
        self.granted = n
        try:
            next(work)
        except StopIteration:
            return True, None
        except MemoryFull:
            return True, "memory"
        return False, None

    def bounds(self, sum_: Sum) -> Bounds:
        """What is known about Ls; the current question is not affected."""
        return self._look(self.glance, sum_)

    def right_bounds(self, sum_: Sum) -> Bounds:
        """What is known about Rs."""
        return -self.bounds(self.prover.negative(sum_))

    def _look(self, stack: SumStack, sum_: Sum) -> Bounds:
        stack.rows[0, : len(sum_)] = sum_
        stack.n_pieces[0] = len(sum_)
        self.prover.run(look, self.prover.pieces, stack, self.prover.table)
        least, most, size = (int(row[0]) for row in (stack.low, stack.high, stack.size))
        if not -size <= least <= most <= size or (least + size) % 2 or (most + size) % 2:
            raise BadText(CONTRADICTION)
        return Bounds(least, most)

    def at_least(self, sum_: Sum, threshold: int) -> Answer:
        """Whether Ls ≥ threshold."""
        if self.granted <= 0:
            yield
        self.granted -= 1
        low, high = self._look(self.stack, sum_)
        threshold += (threshold + self.prover.size(sum_)) % 2
        if low >= threshold or high < threshold:
            return low >= threshold
        self.stack.threshold[0] = threshold
        while True:
            before = self.n_nodes
            prover = self.prover
            answer = prover.run(
                prove,
                prover.pieces,
                self.stack,
                prover.table,
                prover.most_entries,
                max(self.granted, 0),
            )
            self.granted -= self.n_nodes - before
            if answer == FULL:
                prover.grow()
            elif answer == OPEN:
                yield
            else:
                return bool(answer == YES)

    def right_at_least(self, sum_: Sum, threshold: int) -> Answer:
        """Whether Rs ≥ threshold, that is, not Ls ≥ 1 − threshold of the negative."""
        return not (yield from self.at_least(self.prover.negative(sum_), 1 - threshold))

    def left_score(self, sum_: Sum) -> Generator[None, None, int]:
        """Find Ls by asking for higher and higher thresholds."""
        low, high = self.bounds(sum_)
        while low < high:
            yield from self.at_least(sum_, low + 2)
            low, high = self.bounds(sum_)
        return low

    def right_score(self, sum_: Sum) -> Generator[None, None, int]:
        """Find Rs."""
        return -(yield from self.left_score(self.prover.negative(sum_)))

    def settle(self, longest: int) -> Work:
        """Solve single segments up to a length; bounds of sums are derived from theirs."""
        while self.prover.n_settled < longest:
            yield from self.settle_next()

    def settle_next(self) -> Work:
        """Solve the next single segment, and remove dominated moves of a shorter one."""
        prover = self.prover
        length = prover.n_settled + 1
        plus, minus = segment_code(length), segment_code(length, minus=True)
        prover.run(heat_piece, prover.pieces, prover.heat, plus)
        left = yield from self.left_score((minus,))
        right = yield from self.right_score((minus,))
        if prover.n_settled < length:  # no other inquiry has settled it meanwhile
            prover.run(settle_piece, prover.pieces, prover.heat, minus, left, right)
            prover.scores.append((left, right))
            ring = length + TAKEN_FROM_RING
            if ring % 2 == 0 and ring <= prover.longest:
                code = ring_code(ring, prover.longest)
                prover.run(heat_piece, prover.pieces, prover.heat, code)
        while prover.n_trimmed < length // TRIMMED_PART:
            short = prover.n_trimmed + 1
            for code in sorted({segment_code(short), segment_code(short, minus=True)}):
                yield from self._trim(code)
            prover.n_trimmed = max(prover.n_trimmed, short)

    def _trim(self, code: int) -> Work:
        """Remove the moves on a piece that another move dominates in every sum.

        H ≥ K if Rs(H − K) ≥ 0; of equal moves the last is kept.
        """
        moves = self.prover.moves(code)
        kept: list[int] = []
        for i, move in enumerate(moves):
            rivals = [moves[j] for j in (*kept, *range(i + 1, len(moves)))]
            for rival in rivals:
                if (yield from self._dominates(rival, move)):
                    break
            else:
                kept.append(i)
        if self.prover.moves(code) == moves:
            self.prover.keep_moves(code, kept)

    def _dominates(self, better: tuple[int, Sum], worse: tuple[int, Sum]) -> Answer:
        gain, rest = better
        lost, other = worse
        difference = self.prover.reduced((*rest, *self.prover.negative(other)))
        return (yield from self.right_at_least(difference, lost - gain))
