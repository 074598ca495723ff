"""Products of rows and weights, the inner loop of networks, as fast as the processor allows.

Numba does not keep sums in registers while it loops over the inputs, so this loop is written in
LLVM's own language: four rows and 16 channels at a time, one fused multiplication and addition
(one rounding) for each product. Inputs are added in their order. So the result is the same to
the last bit on every machine, and in plain Python, where `add_products` runs as it stands.
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topple.core.lazy import lazy_module

extending = lazy_module("numba.extending")
numba_core = lazy_module("numba.core")
ir = lazy_module("llvmlite.ir")

ROWS = 4  # rows at a time
LANES = 16  # channels at a time: the weights' columns must be a multiple

Rows = NDArray[np.float32]
Four = tuple[Any, Any, Any, Any]  # four whole numbers


def add_products(
    sources: Rows,
    rows: Four,
    weights: Rows,
    at: int,
    out: Rows,
    first: int,
    channel: int,
) -> None:
    """Add the products of four rows with a part of the weights to four rows of `out`.

    Parameters
    ----------
    sources
        A table of rows; its width is the number of inputs.
    rows
        The four rows of the table.
    weights, at
        The weights; row `at` is that of the first input.
    out, first, channel
        What is changed: rows `first` to `first` + 3, columns `channel` to `channel` + 15.
    """
    columns = slice(channel, channel + LANES)
    for i, row in enumerate(rows):
        total = out[first + i, columns]
        for j in range(sources.shape[1]):
            total = fused(sources[row, j], weights[at + j, columns], total)
        out[first + i, columns] = total


def fused(factor: Any, factors: Rows, addends: Rows) -> Rows:
    """The float32 numbers nearest to `factor` · `factors` + `addends`, rounded once.

    >>> fused(np.float32(3), np.array([5], dtype=np.float32), np.array([1], dtype=np.float32))
    array([16.], dtype=float32)
    """
    products, others = np.float64(factor) * factors, addends.astype(np.float64)  # exact
    totals = products + others
    parts = totals - products
    rests = (products - (totals - parts)) + (others - parts)
    # What a sum in float64 has lost may decide how it is rounded: an odd last bit remembers it.
    even = (rests != 0.0) & (totals.view(np.int64) % 2 == 0)
    nearer = np.nextafter(totals, np.copysign(np.inf, rests))
    rounded: Rows = np.where(even, nearer, totals).astype(np.float32)
    return rounded


@cache
def register_products() -> None:
    """Let Numba compile `add_products` to the loop that `_emit` writes."""

    @extending.intrinsic
    def emitted(  # type: ignore[no-untyped-def]
        context, sources, rows, weights, at, out, first, channel
    ):
        types = (sources, rows, weights, at, out, first, channel)

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            _emit(context, builder, types, values)
            return context.get_dummy_value()

        return numba_core.types.void(*types), generate

    def call(sources, rows, weights, at, out, first, channel):  # type: ignore[no-untyped-def]
        emitted(sources, rows, weights, at, out, first, channel)

    extending.overload(add_products)(
        lambda sources, rows, weights, at, out, first, channel: call  # the same names, by contract
    )


def _emit(context: Any, builder: Any, types: Any, values: Any) -> None:
    """Write the loop over the inputs; the sums stay in registers until it ends."""
    unpack = numba_core.cgutils.unpack_tuple
    sources, weights, out = (
        context.make_array(types[i])(context, builder, values[i]) for i in (0, 2, 4)
    )
    rows, at, first, channel = (values[i] for i in (1, 3, 5, 6))
    word, vector = ir.IntType(64), ir.VectorType(ir.FloatType(), LANES)

    def row_of(array: Any, row: Any, column: Any) -> Any:
        """A pointer to a number of an array with two axes."""
        width = unpack(builder, array.shape)[1]
        return builder.gep(array.data, [builder.add(builder.mul(row, width), column)])

    def load(pointer: Any, kind: Any) -> Any:
        loaded = builder.load(builder.bitcast(pointer, kind.as_pointer()))
        loaded.align = 4
        return loaded

    zero, one = ir.Constant(word, 0), ir.Constant(word, 1)
    inputs = [row_of(sources, row, zero) for row in unpack(builder, rows)]
    places = [row_of(out, builder.add(first, ir.Constant(word, i)), channel) for i in range(ROWS)]
    before = [load(place, vector) for place in places]
    width = unpack(builder, sources.shape)[1]
    fuse = numba_core.cgutils.get_or_insert_function(
        builder.module, ir.FunctionType(vector, [vector] * 3), f"llvm.fma.v{LANES}f32"
    )
    entry = builder.block
    loop, end = builder.append_basic_block("loop"), builder.append_basic_block("end")
    builder.branch(loop)
    builder.position_at_end(loop)
    j = builder.phi(word)
    j.add_incoming(zero, entry)
    sums = [builder.phi(vector) for _ in range(ROWS)]
    factors = load(row_of(weights, builder.add(at, j), channel), vector)
    spread = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    none = ir.Constant(vector, ir.Undefined)
    for total, start, row in zip(sums, before, inputs, strict=True):
        number = load(builder.gep(row, [j]), ir.FloatType())
        alone = builder.insert_element(none, number, ir.Constant(ir.IntType(32), 0))
        factor = builder.shuffle_vector(alone, none, spread)
        total.add_incoming(start, entry)
        total.add_incoming(builder.call(fuse, [factor, factors, total]), loop)
    following = builder.add(j, one)
    j.add_incoming(following, loop)
    builder.cbranch(builder.icmp_signed("<", following, width), loop, end)
    builder.position_at_end(end)
    for total, place in zip(sums, places, strict=True):
        last = total.incomings[1][0]
        builder.store(last, builder.bitcast(place, vector.as_pointer())).align = 4
