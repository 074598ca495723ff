"""Who wins a Hex position, and inside which carrier: depth first, with must-play regions.

If a move loses because the other side then wins inside a carrier, every move
outside that carrier loses as well: the other side does not need the cell. So
each move that fails leaves fewer moves to try, and when none is left, the union of
the failed moves' carriers is one for the other side. Before any of them is searched,
all moves are looked at: those that are decided at once cut the must-play region, and
the rest are ordered, above all by how small a region they leave to the other side.

A win inside a carrier stays a win when cells are filled that the loser captured, and
dead cells never matter; the cells that the winner captured are added to its carrier.
"""

from typing import Any, NamedTuple

from topple.compiling.specialise import kernel, noinline
from topple.solvers.hex.bits import count, first
from topple.solvers.hex.connections import NONE, join
from topple.solvers.hex.fill import NOBODY, Network, Words, fill_in
from topple.solvers.hex.order import CELL_WEIGHT, REGION_WEIGHT, measure
from topple.solvers.hex.table import Key, Table, look_up, make_key, store


class Stack(NamedTuple):
    """The path from the root to the node in hand; a row or number per ply."""

    stones: Words  # shape (plies, 2): filled, once a node has been looked at
    captured: Words  # shape (plies, 2)
    side: Words  # to move
    must: Words  # the moves that may still win
    carrier: Words  # the winner's; before there is one, what the failed moves' losses rest on
    winner: Words  # a side, or NOBODY
    best_move: Words  # that wins, or NONE
    key: Key
    moves: Words  # shape (plies, 64): the best first
    merits: Words  # shape (plies, 64): the lower the better
    n_moves: Words
    next_move: Words  # index of the move in hand
    counts: Words  # shape (3,), below


PLY, NODES, IS_LEAVING = range(3)


class Room(NamedTuple):
    """Where a node is worked on."""

    links: Words  # shape (2, 64)
    connections: Words  # shape (3, 64)
    found: Words  # shape (4,)
    sums: Words  # shape (2, 64)


RUNNING, DONE, FULL = range(3)


@kernel
def search(
    board: Any, network: Network, stack: Stack, room: Room, table: Table, look: int, n: int
) -> int:
    """Look at about n more positions; returns DONE, RUNNING, or FULL if the table is.

    Begins with PLY and IS_LEAVING at 0 and the position in the first row. `look` is
    1 if the table may answer for it at once, 0 if the winning move is wanted.
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
            enter(network, stack, room, table, look)
        n -= counts[NODES] - before
    return RUNNING


@kernel
def enter(network: Network, stack: Stack, room: Room, table: Table, look: int) -> None:
    """Look at the node in hand, and go on to its first move if that does not decide it."""
    ply = stack.counts[PLY]
    examine(network, stack, room, table, ply, look if ply == 0 else 1)
    if stack.winner[ply] == NOBODY:
        order_moves(network, stack, room, ply)
        look_ahead(network, stack, room, table, ply)
        stack.next_move[ply] = 0
        go_on(network, stack, table, ply)
    else:
        stack.counts[IS_LEAVING] = 1


@noinline
def examine(network: Network, stack: Stack, room: Room, table: Table, ply: int, look: int) -> None:
    """Fill what can be filled, and see whether connections or the table decide."""
    stack.counts[NODES] += 1
    side = stack.side[ply]
    other = 1 - side
    stones, captured, found = stack.stones[ply], stack.captured[ply], room.found
    stack.best_move[ply] = NONE
    winner = fill_in(network, stones, captured, room.links, other)
    stack.winner[ply] = winner
    if winner != NOBODY:
        stack.carrier[ply] = captured[winner]
        return
    empty = network.cells[0] & ~(stones[0] | stones[1])
    join(network.near[side], stones[side], empty, room.connections, found)
    if found[0] == 0 or found[2] != NONE:  # joined in any case, or by one move
        stack.winner[ply] = side
        stack.best_move[ply] = found[2]
        carrier = found[1] if found[2] == NONE else found[3]
        stack.carrier[ply] = carrier | captured[side]
        return
    join(network.near[other], stones[other], empty, room.connections, found)
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
def measure_ways(network: Network, stack: Stack, room: Room, ply: int) -> int:
    """Measure the node looked at last; returns how much longer its mover's way is."""
    stones, links, sums = stack.stones[ply], room.links, room.sums
    empty = network.cells[0] & ~(stones[0] | stones[1])
    ways = measure(links[0], empty, sums[0]) - measure(links[1], empty, sums[1])
    return ways if stack.side[ply] == 0 else -ways


@kernel
def order_moves(network: Network, stack: Stack, room: Room, ply: int) -> None:
    """List the moves of the must-play region, those that are near all edges first."""
    links, sums = room.links, room.sums
    measure_ways(network, stack, room, ply)
    n, rest = 0, stack.must[ply]
    while rest:
        cell = first(rest)
        rest &= rest - 1
        n_links = count(links[0, cell]) + count(links[1, cell])
        insert(stack, ply, n, cell, CELL_WEIGHT * (sums[0, cell] + sums[1, cell]) - n_links)
        n += 1
    stack.n_moves[ply] = n


@kernel
def insert(stack: Stack, ply: int, n: int, move: int, merit: int) -> None:
    """Put a move to its place among the n first, behind those that are as good."""
    while n > 0 and stack.merits[ply, n - 1] > merit:
        stack.merits[ply, n] = stack.merits[ply, n - 1]
        stack.moves[ply, n] = stack.moves[ply, n - 1]
        n -= 1
    stack.merits[ply, n] = merit
    stack.moves[ply, n] = move


@kernel
def look_ahead(network: Network, stack: Stack, room: Room, table: Table, ply: int) -> None:
    """Look at every move's outcome: decide, or cut the must-play region and order the rest."""
    side, n_moves, n = stack.side[ply], stack.n_moves[ply], 0
    stack.n_moves[ply] = 0
    for i in range(n_moves):
        move, merit = stack.moves[ply, i], stack.merits[ply, i]
        if not stack.must[ply] >> move & 1:
            continue
        play(stack, ply, move)
        examine(network, stack, room, table, ply + 1, 1)
        if stack.winner[ply + 1] == side:
            win(stack, ply, move)
            return
        if stack.winner[ply + 1] == NOBODY:
            merit += REGION_WEIGHT * count(stack.must[ply + 1])
            merit -= measure_ways(network, stack, room, ply + 1)
            insert(stack, ply, n, move, merit)
            n += 1
        else:
            fail(stack, ply, move)
    stack.n_moves[ply] = n


@kernel
def play(stack: Stack, ply: int, move: int) -> None:
    """Write the position after a move to the next ply."""
    side = stack.side[ply]
    stack.stones[ply + 1, side] = stack.stones[ply, side] | 1 << move
    stack.stones[ply + 1, 1 - side] = stack.stones[ply, 1 - side]
    stack.side[ply + 1] = 1 - side


@kernel
def win(stack: Stack, ply: int, move: int) -> None:
    """The side to move wins by this move, for it wins the next ply."""
    stack.winner[ply] = stack.side[ply]
    stack.best_move[ply] = move
    stack.carrier[ply] = stack.carrier[ply + 1] | 1 << move


@kernel
def fail(stack: Stack, ply: int, move: int) -> None:
    """A move loses, and with it all moves outside the carrier of its refutation."""
    stack.must[ply] &= stack.carrier[ply + 1] & ~(1 << move)
    stack.carrier[ply] |= stack.carrier[ply + 1]


@noinline
def go_on(network: Network, stack: Stack, table: Table, ply: int) -> None:
    """Go down with the next move that may win, or leave the node with what is proven."""
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
def take_result(network: Network, stack: Stack, table: Table) -> None:
    """Hand a node's result up to the node above."""
    ply = stack.counts[PLY] - 1
    stack.counts[PLY] = ply
    move = stack.moves[ply, stack.next_move[ply]]
    if stack.winner[ply + 1] == stack.side[ply]:
        win(stack, ply, move)
    else:
        fail(stack, ply, move)
        stack.next_move[ply] += 1
    go_on(network, stack, table, ply)
