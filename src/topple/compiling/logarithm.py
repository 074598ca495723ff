"""The natural logarithm, equal to the last bit on every machine.

The system's logarithm may differ in its last bit between processors, and a search that
compares scores could then give another answer for the same seed. Additions,
multiplications, divisions and square roots are rounded alike on all processors.
"""

from topple.compiling.specialise import kernel

LN_2 = 0.6931471805599453
SQRT_HALF, SQRT_2 = 0.7071067811865476, 1.4142135623730951


@kernel
def ln(x: float) -> float:
    """The natural logarithm of a positive number, to about 15 digits.

    >>> ln(1.0), round(ln(10.0), 12)
    (0.0, 2.302585092994)
    """
    doublings = 0.0
    while x > SQRT_2:
        x *= 0.5
        doublings += 1.0
    while x < SQRT_HALF:
        x *= 2.0
        doublings -= 1.0
    # ln x = 2 artanh z, a series that converges quickly since |z| is at most 0.172.
    z = (x - 1.0) / (x + 1.0)
    square, term, total = z * z, z, z
    for i in range(3, 21, 2):
        term *= square
        total += term / i
    return doublings * LN_2 + 2.0 * total
