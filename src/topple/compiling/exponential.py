"""The exponential, equal to the last bit on every machine; see `topple.compiling.logarithm`."""

from math import floor, ldexp

from topple.compiling.logarithm import LN_2
from topple.compiling.specialise import kernel

LEAST, MOST = -700.0, 700.0  # exponents outside count as these


@kernel
def exp(x: float) -> float:
    """E to the power of x, to about 15 digits near 0 and 12 at the ends.

    >>> exp(0.0), round(exp(1.0), 12)
    (1.0, 2.718281828459)
    """
    x = min(max(x, LEAST), MOST)
    doublings = floor(x / LN_2 + 0.5)
    rest = x - doublings * LN_2  # at most 0.35 away from 0
    term, total = 1.0, 1.0
    for i in range(1, 15):
        term *= rest / i
        total += term
    return ldexp(total, int(doublings))
