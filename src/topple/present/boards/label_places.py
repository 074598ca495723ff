"""Where to write beside a vertex, so that texts hide as little as possible."""

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.float64]

# Down first: where nothing is in the way, all labels are below their vertices.
_AROUND = np.array(
    [(0, 1), (1, 0), (-1, 0), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)], dtype=np.float64
)
_COST_OF_TEXT, _COST_OF_VERTEX, _COST_OF_EDGE = 6.0, 4.0, 1.5


def label_places(
    places: Places, beside: list[list[int]], radius: float, boxes: dict[int, tuple[float, float]]
) -> dict[int, tuple[float, float]]:
    """Choose the middle of each text, one vertex after the other.

    Parameters
    ----------
    places
        The positions of the vertices, shape (n, 2).
    beside
        The neighbours of each vertex, in either direction.
    radius
        Of the vertices, with the gap to the text.
    boxes
        Width and height of the text of each vertex that has one.

    Returns
    -------
    dict
        The middle of each text.
    """
    middles: dict[int, tuple[float, float]] = {}
    taken = np.zeros((0, 4))  # middle and half size of the texts so far
    for vertex, box in boxes.items():
        half = np.array(box) / 2
        candidates = places[vertex] + radius * _directions() + np.sign(_AROUND) * half
        cost = _overlaps(candidates, half, taken) * _COST_OF_TEXT
        rims = np.column_stack([places, np.full((len(places), 2), 0.85 * radius)])
        cost += _overlaps(candidates, half, np.delete(rims, vertex, axis=0)) * _COST_OF_VERTEX
        cost += _edges_hidden(places[beside[vertex]] - places[vertex]) * _COST_OF_EDGE
        best = candidates[int(np.argmin(cost + 0.05 * np.arange(len(cost))))]
        middles[vertex] = (float(best[0]), float(best[1]))
        taken = np.vstack([taken, [*best, *half]])
    return middles


def _directions() -> Places:
    return np.asarray(_AROUND / np.linalg.norm(_AROUND, axis=1, keepdims=True))


def _overlaps(candidates: Places, half: Places, others: Places) -> Places:
    """How many of the other boxes each candidate box would overlap."""
    apart = np.abs(candidates[:, None, :] - others[None, :, :2])
    touching = np.all(apart < half + others[None, :, 2:], axis=2)
    return np.asarray(touching.sum(axis=1), dtype=np.float64)


def _edges_hidden(edges: Places) -> Places:
    """How many edges leave towards each candidate; those near its direction count in full."""
    if not len(edges):
        return np.zeros(len(_AROUND))
    edges = edges / np.maximum(np.linalg.norm(edges, axis=1, keepdims=True), 1e-12)
    along = np.clip((_directions() @ edges.T - 0.6) / 0.3, 0, 1)
    return np.asarray(along.sum(axis=1))
