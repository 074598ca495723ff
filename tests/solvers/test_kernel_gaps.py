"""What single changes in the kernels of exact play would spoil, unseen by the other tests."""

import numpy as np
import pytest

from tests.solvers.test_hex_solver import SETS
from topple.solvers.hex.fill import fill_in
from topple.solvers.hex.search import DONE, FULL, IS_LEAVING, PLY, search
from topple.solvers.hex.solver import HexSolver


class Searching:
    """The search of any position of a Hex board, with one table for all."""

    def __init__(self, sets, network):
        self.sets, self.network = sets, network
        self.solving = HexSolver(sets.game).begin(sets.game.start())

    def result(self, x, o, side, look):
        """The winner and the carrier."""
        solving = self.solving
        stack, status = solving.stack, FULL
        stack.stones[0], stack.side[0] = (x, o), side
        stack.counts[PLY] = stack.counts[IS_LEAVING] = 0
        while status == FULL:
            status = self.sets.game.run(
                search, self.network, stack, solving.scratch, solving.memory.table, look, 1 << 40
            )
            assert status == DONE or solving.memory.grow()
        return int(stack.winner[0]), int(stack.carrier[0])


def check_result(sets, x, o, side, result):
    winner, carrier = result
    assert winner == sets.winner(x, o, side), (x, o, side)
    assert sets.is_carrier(x, o, side, winner, carrier), (x, o, side, carrier)


@pytest.mark.parametrize("size", [3, 4])
def test_in_a_frame_without_symmetry_the_sides_are_told_apart(size):
    sets = SETS[size]
    network = sets.network._replace(symmetric=np.zeros(1, dtype=np.int64))
    searching = Searching(sets, network)
    positions = sets.every_position() if size == 3 else sets.some_positions(150, 10)
    for x, o in positions:
        for side in (0, 1):
            check_result(sets, x, o, side, searching.result(x, o, side, look=1))
            # The same stones in the other colours, on which the other side moves.
            if size == 4 and not (sets.joined(o, 0) or sets.joined(x, 1)):
                check_result(sets, o, x, 1 - side, searching.result(o, x, 1 - side, look=1))


def test_what_the_table_tells_has_a_carrier_too():
    sets = SETS[4]
    searching = Searching(sets, sets.network)
    for x, o in sets.some_positions(400, 11):
        for side in (0, 1):
            first = searching.result(x, o, side, look=0)
            check_result(sets, x, o, side, first)
            check_result(sets, x, o, side, searching.result(x, o, side, look=1))


def test_no_cell_is_filled_for_both_sides():
    sets = SETS[4]
    fill = sets.game.kernels(fill_in)
    captured, links = np.zeros(2, dtype=np.int64), np.zeros((2, 64), dtype=np.int64)
    for x, o in sets.some_positions(2000, 11):
        stones = np.array([x, o], dtype=np.int64)
        fill(sets.network, stones, captured, links, 0)
        assert stones[0] & stones[1] == captured[0] & captured[1] == 0, (x, o)
