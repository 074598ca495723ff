"""Serving: a thread that plays at one table whenever it is told to.

Threads that wait in Python hand the interpreter's lock to each other, which takes longer than
the play itself. So a thread waits in compiled code, which holds no lock: it looks at a number
every few microseconds.
"""

from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from topple.compiling.specialise import kernel
from topple.kernels.puct import PuctScratch
from topple.kernels.self_play import GumbelSettings, Numbers, Table, Wholes, advance_and_write

STOP = -1  # the order that ends serving
PAUSE = 30  # microseconds between two looks at the orders

usleep: Any = types.ExternalFunction("usleep", types.int32(types.uint32))

Orders = NDArray[np.int64]  # shape (tables,)


@kernel
def serve(
    board: Any,
    table: Table,
    scratch: PuctScratch,
    settings: GumbelSettings,
    n_state: int,
    planes: Numbers,
    views: Wholes,
    orders: Orders,
    served: Orders,
    place: int,
) -> int:
    """Advance a table each time that its order exceeds what was served; returns how often.

    Changes `served[place]` after each time. Ends when `orders[place]` is STOP.
    """
    n_served = 0
    while orders[place] != STOP:
        if orders[place] == served[place]:
            usleep(PAUSE)
        else:
            advance_and_write(board, table, scratch, settings, n_state, planes, views)
            served[place] += 1
            n_served += 1
    return n_served
