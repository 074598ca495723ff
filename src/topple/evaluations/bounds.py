"""Evaluations stay below what decided games count."""

from topple.compiling.specialise import kernel
from topple.evaluations.interface import LARGEST

MOST = LARGEST - 1.0


@kernel
def bounded(value: float) -> float:
    """Cut a value so that it stays between −LARGEST and LARGEST; −0 becomes 0."""
    return min(max(value, -MOST), MOST) + 0.0
