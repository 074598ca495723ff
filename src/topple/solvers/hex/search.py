"""Depth-first search for the winner of a Hex position and a carrier, with must-play regions.

If a move loses because the opponent then wins inside a carrier, every move outside that
carrier loses as well, since the opponent does not need the cell. So each move that fails
reduces the moves to try, and when none remain, the union of the failed moves' carriers is
a carrier of the opponent. Before any move is searched, all moves are examined: those that
are decided immediately reduce the must-play region, and the others are ordered, mainly by
how small a region they leave to the opponent.

A win inside a carrier remains a win when cells captured by the loser are filled, and dead
cells never matter. The cells captured by the winner are added to its carrier.
"""

from typing import Any, NamedTuple

from topple.compiling.specialise import kernel, noinline
from topple.solvers.hex.bits import count, first
from topple.solvers.hex.connections import NONE, join
from topple.solvers.hex.fill import NOBODY, HexNetwork, Words, fill_in
from topple.solvers.hex.order import CELL_WEIGHT, REGION_WEIGHT, measure
from topple.solvers.hex.table import HexKey, HexTable, look_up, make_key, store


class HexStack(NamedTuple):
    """The path from the root to the current node; a row or number per ply."""

    stones: Words  # shape (plies, 2): including filled cells, once the node has been examined
    captured: Words  # shape (plies, 2)
    side: Words  # to move
    must: Words  # the moves that may still win
    carrier: Words  # the winner's; until there is one, the union of the failed moves' carriers
    winner: Words  # a side, or NOBODY
    best_move: Words  # a winning move, or NONE
    key: HexKey
    moves: Words  # shape (plies, 64): best first
    merits: Words  # shape (plies, 64): lower is better
    n_moves: Words
    next_move: Words  # index of the move being searched
    counts: Words  # shape (3,), below


PLY, NODES, IS_LEAVING = range(3)


class HexScratch(NamedTuple):
    """Scratch space for examining a node."""

    links: Words  # shape (2, 64)
    connections: Words  # shape (3, 64)
    found: Words  # shape (4,)
    sums: Words  # shape (2, 64)


RUNNING, DONE, FULL = range(3)


@kernel
def search(
    board: Any,
    network: HexNetwork,
    stack: HexStack,
    scratch: HexScratch,
    table: HexTable,
    look: int,
    n: int,
) -> int:
    """Examine about n more positions; return DONE, RUNNING, or FULL if the table must grow.

    Before the first call, PLY and IS_LEAVING must be 0 and the position in the first row.
    `look` is 1 if the table may answer at the root, and 0 if the winning move is wanted.
    The stack, the scratch space and the table change in place.
    """
    counts = stack.counts
    while n > 0:
        if counts[IS_LEAVING] and counts[PLY] == 0:
            return DONE
        if 4 * (table.n_entries[0] + 1) > 3 * len(table.results):
            return FULL
        before = counts[NODES]
        if counts[IS_LEAVING]:
            take_result(network, stack, table)
        else:
            enter(network, stack, scratch, table, look)
        n -= counts[NODES] - before
    return RUNNING


@kernel
def enter(
    network: HexNetwork, stack: HexStack, scratch: HexScratch, table: HexTable, look: int
) -> None:
    """Examine the current node, and descend to its first move unless it is decided."""
    ply = stack.counts[PLY]
    examine(network, stack, scratch, table, ply, look if ply == 0 else 1)
    if stack.winner[ply] == NOBODY:
        order_moves(network, stack, scratch, ply)
        look_ahead(network, stack, scratch, table, ply)
        stack.next_move[ply] = 0
        go_on(network, stack, table, ply)
    else:
        stack.counts[IS_LEAVING] = 1


@noinline
def examine(
    network: HexNetwork, stack: HexStack, scratch: HexScratch, table: HexTable, ply: int, look: int
) -> None:
    """Fill dead and captured cells, then check whether connections or the table decide."""
    stack.counts[NODES] += 1
    side = stack.side[ply]
    other = 1 - side
    stones, captured, found = stack.stones[ply], stack.captured[ply], scratch.found
    stack.best_move[ply] = NONE
    winner = fill_in(network, stones, captured, scratch.links, other)
    stack.winner[ply] = winner
    if winner != NOBODY:
        stack.carrier[ply] = captured[winner]
        return
    empty = network.cells[0] & ~(stones[0] | stones[1])
    join(network.near[side], stones[side], empty, scratch.connections, found)
    if found[0] == 0 or found[2] != NONE:  # connected already, or by one move
        stack.winner[ply] = side
        stack.best_move[ply] = found[2]
        carrier = found[1] if found[2] == NONE else found[3]
        stack.carrier[ply] = carrier | captured[side]
        return
    join(network.near[other], stones[other], empty, scratch.connections, found)
    stack.must[ply], stack.carrier[ply] = empty & found[0], found[1]
    if found[0] == 0:
        stack.winner[ply] = other
        stack.carrier[ply] |= captured[other]
        return
    make_key(network, stones, side, stack.key, ply)
    if look:
        winner = look_up(network, table, stack.key, ply, side, stack.carrier)
        stack.winner[ply] = winner
        if winner != NOBODY:
            stack.carrier[ply] |= captured[winner]


@kernel
def path_difference(network: HexNetwork, stack: HexStack, scratch: HexScratch, ply: int) -> int:
    """By how much the mover's shortest path is longer, in the node examined last.

    Writes the distances of its cells to `scratch.sums`.
    """
    stones, links, sums = stack.stones[ply], scratch.links, scratch.sums
    empty = network.cells[0] & ~(stones[0] | stones[1])
    difference = measure(links[0], empty, sums[0]) - measure(links[1], empty, sums[1])
    return difference if stack.side[ply] == 0 else -difference


@kernel
def order_moves(network: HexNetwork, stack: HexStack, scratch: HexScratch, ply: int) -> None:
    """List the moves of the must-play region, those near to all edges first."""
    links, sums = scratch.links, scratch.sums
    path_difference(network, stack, scratch, ply)
    n, rest = 0, stack.must[ply]
    while rest:
        cell = first(rest)
        rest &= rest - 1
        n_links = count(links[0, cell]) + count(links[1, cell])
        insert(stack, ply, n, cell, CELL_WEIGHT * (sums[0, cell] + sums[1, cell]) - n_links)
        n += 1
    stack.n_moves[ply] = n


@kernel
def insert(stack: HexStack, ply: int, n: int, move: int, merit: int) -> None:
    """Insert a move into the sorted list of n moves, after equally good ones."""
    while n > 0 and stack.merits[ply, n - 1] > merit:
        stack.merits[ply, n] = stack.merits[ply, n - 1]
        stack.moves[ply, n] = stack.moves[ply, n - 1]
        n -= 1
    stack.merits[ply, n] = merit
    stack.moves[ply, n] = move


@kernel
def look_ahead(
    network: HexNetwork, stack: HexStack, scratch: HexScratch, table: HexTable, ply: int
) -> None:
    """Examine all moves: decide the node, or reduce the must-play region and sort the rest."""
    side, n_moves, n = stack.side[ply], stack.n_moves[ply], 0
    stack.n_moves[ply] = 0
    for i in range(n_moves):
        move, merit = stack.moves[ply, i], stack.merits[ply, i]
        if not stack.must[ply] >> move & 1:
            continue
        play(stack, ply, move)
        examine(network, stack, scratch, table, ply + 1, 1)
        if stack.winner[ply + 1] == side:
            win(stack, ply, move)
            return
        if stack.winner[ply + 1] == NOBODY:
            merit += REGION_WEIGHT * count(stack.must[ply + 1])
            merit -= path_difference(network, stack, scratch, ply + 1)
            insert(stack, ply, n, move, merit)
            n += 1
        else:
            fail(stack, ply, move)
    stack.n_moves[ply] = n


@kernel
def play(stack: HexStack, ply: int, move: int) -> None:
    """Write the position after a move to the next ply."""
    side = stack.side[ply]
    stack.stones[ply + 1, side] = stack.stones[ply, side] | 1 << move
    stack.stones[ply + 1, 1 - side] = stack.stones[ply, 1 - side]
    stack.side[ply + 1] = 1 - side


@kernel
def win(stack: HexStack, ply: int, move: int) -> None:
    """Record that the side to move wins by this move, since it wins the next ply."""
    stack.winner[ply] = stack.side[ply]
    stack.best_move[ply] = move
    stack.carrier[ply] = stack.carrier[ply + 1] | 1 << move


@kernel
def fail(stack: HexStack, ply: int, move: int) -> None:
    """Record that a move loses, and with it all moves outside its refutation's carrier."""
    stack.must[ply] &= stack.carrier[ply + 1] & ~(1 << move)
    stack.carrier[ply] |= stack.carrier[ply + 1]


@noinline
def go_on(network: HexNetwork, stack: HexStack, table: HexTable, ply: int) -> None:
    """Descend to the next move that may win, or leave the node with its result."""
    must = stack.must[ply]
    if stack.winner[ply] == NOBODY:
        while stack.next_move[ply] < stack.n_moves[ply]:
            move = stack.moves[ply, stack.next_move[ply]]
            if must >> move & 1:
                play(stack, ply, move)
                stack.counts[PLY] = ply + 1
                stack.counts[IS_LEAVING] = 0
                return
            stack.next_move[ply] += 1
        stack.winner[ply] = 1 - stack.side[ply]
    winner = stack.winner[ply]
    store(network, table, stack.key, ply, stack.side[ply], winner, stack.carrier[ply])
    stack.carrier[ply] |= stack.captured[ply, winner]
    stack.counts[IS_LEAVING] = 1


@kernel
def take_result(network: HexNetwork, stack: HexStack, table: HexTable) -> None:
    """Pass a node's result to its parent."""
    ply = stack.counts[PLY] - 1
    stack.counts[PLY] = ply
    move = stack.moves[ply, stack.next_move[ply]]
    if stack.winner[ply + 1] == stack.side[ply]:
        win(stack, ply, move)
    else:
        fail(stack, ply, move)
        stack.next_move[ply] += 1
    go_on(network, stack, table, ply)
