"""Arrays whose memory is taken page by page, as it is used.

A search may need much memory or little. Growing by copying would stop it for too
long in the middle of its time; large arrays of NumPy's take it by pages of two
megabytes, which is too much for a short search.
"""

import mmap
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

SMALL = 1 << 16  # bytes: not worth a mapping of their own


def lazy_zeros(n: int, dtype: DTypeLike) -> NDArray[Any]:
    """N zeros that take no memory until they are written to.

    Raises
    ------
    MemoryError
        If the machine does not have as much.
    """
    n_bytes = n * np.dtype(dtype).itemsize
    if n_bytes <= SMALL:
        return np.zeros(n, dtype=dtype)
    try:
        pages = _map(n_bytes)
    except (OSError, OverflowError, ValueError):
        raise MemoryError(f"{n_bytes:,} bytes") from None
    return np.frombuffer(pages, dtype=dtype)


def _map(n_bytes: int) -> mmap.mmap:
    if hasattr(mmap, "MAP_PRIVATE"):
        return mmap.mmap(-1, n_bytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return mmap.mmap(-1, n_bytes)
