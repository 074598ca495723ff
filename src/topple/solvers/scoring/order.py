"""Which of two games is better: G ≥ H if Left, moving second in G − H, does not lose.

In Milnor's universe G ≥ H, which says that Left would rather have G than H in every sum,
holds exactly where Rs(G − H) ≥ 0 (Milnor 1953; Ettinger 1996): nobody needs to look at all sums.
"""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from topple.solvers.scoring.shape import Shape

MOST = 2_000_000  # comparisons that are remembered: a few hundred megabytes

# For two shapes G and H: from which lead on G + lead ≥ H is proven, and up to which it is not so.
_proven: Final[dict[tuple["Shape", "Shape"], tuple[int, int]]] = {}


def at_least(g: "Shape", h: "Shape", lead: int) -> bool:
    """Whether G + lead ≥ H.

    Right begins in G + lead − H and has won unless Left, who moves next, gets at least 0.
    Scores are whole numbers, so Left gets at least 0 in X − Y if not Y − 1 ≥ X.
    """
    if g is h:
        return lead >= 0
    # Both shapes have Rs = 0, and G ≥ H needs both stops to be; a number has nothing else.
    if lead < 0 or g.left_stop + lead < h.left_stop:
        return False
    if lead >= h.left_stop:
        return True
    enough, too_little = _proven.get((g, h), (h.left_stop, -1))
    if lead >= enough:
        return True
    if lead <= too_little:
        return False
    holds = not _right_wins(g, h, lead)
    if len(_proven) >= MOST:
        _proven.clear()
    enough, too_little = _proven.get((g, h), (h.left_stop, -1))
    _proven[g, h] = (min(enough, lead), too_little) if holds else (enough, max(too_little, lead))
    return holds


def _right_wins(g: "Shape", h: "Shape", lead: int) -> bool:
    """Whether Right, moving first, has a move in G + lead − H after which Left loses."""
    for option in g.right:
        if at_least(h, option.shape, -(lead + option.shift) - 1):
            return True
    # No any(…), which would take a frame of its own: the recursion is deep enough.
    for option in h.left:  # noqa: SIM110 -- each a move of Right in −H
        if at_least(option.shape, g, -(lead - option.shift) - 1):
            return True
    return False
