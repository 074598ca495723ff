"""The layout of networks: coordinates at which to draw their vertices."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from topple.boards.board import Board
from topple.boards.kinds.shapes import ring_places
from topple.core.lazy import lazy_module

nx = lazy_module("networkx")
sparse = lazy_module("scipy.sparse")
csgraph = lazy_module("scipy.sparse.csgraph")
distance = lazy_module("scipy.spatial.distance")

Places = NDArray[np.float64]

# Up to these numbers of vertices the two slower methods take a second or two.
MAX_KAMADA_KAWAI = 150
MAX_SPRING = 2000
# Only this many components, the largest ones, are laid out; the others are drawn as rings.
MAX_LAID_OUT = 40
N_PIVOTS = 40
COMPONENT_GAP = 1.5


def spring_places(board: Board) -> NDArray[np.float64]:
    """Lay out a network, with joined vertices about one unit apart.

    Small networks are laid out by Kamada and Kawai's method, larger ones by springs,
    and those above `MAX_SPRING` vertices by distances to a few pivots, so that no
    network takes more than a few seconds. The same board always has the same layout.

    Parameters
    ----------
    board
        Any board; the direction of arcs does not matter.

    Returns
    -------
    ndarray of shape (n, 2)
        x to the right, y down.

    References
    ----------
    Brandes and Pich, Eigensolver methods for progressive multidimensional
    scaling of large data, 2006, for the pivots.

    Examples
    --------
    >>> from topple.boards import load_board
    >>> spring_places(load_board("ba:n=24,m=3,seed=1")).shape
    (24, 2)
    """
    links = _links(board)
    _, component = csgraph.connected_components(links, directed=False)
    order = np.argsort(component, kind="stable")
    members = np.split(order, np.cumsum(np.bincount(component))[:-1])
    members.sort(key=len, reverse=True)  # stable, so that equal sizes stay in vertex order
    parts = [
        _component_places(links[vertices][:, vertices], board.n_vertices)
        if number < MAX_LAID_OUT and len(vertices) > 2
        else ring_places(len(vertices))
        for number, vertices in enumerate(members)
    ]
    places = np.zeros((board.n_vertices, 2))
    for vertices, part in zip(members, _side_by_side(parts), strict=True):
        places[vertices] = part
    places.setflags(write=False)
    return places


def _links(board: Board) -> Any:
    """The board's edges, of all its networks, as a symmetric sparse matrix of ones."""
    n = board.n_vertices
    links = sparse.csr_array((n, n))
    for network in board.networks:
        heads, starts = network.successors, network.successor_start
        links = links + sparse.csr_array((np.ones(len(heads)), heads, starts), shape=(n, n))
    return ((links + links.T) > 0).astype(np.float64)


def _component_places(links: Any, n_board: int) -> Places:
    """Lay out one connected component, about one unit per edge.

    The size of the whole board decides how much time each component may take.
    """
    places = _pivot_places(links)
    if n_board <= MAX_KAMADA_KAWAI:
        places = _kamada_kawai_places(links, places)
    elif n_board <= MAX_SPRING:
        places = _force_places(links, places)
    return _upright(_unit_edges(links, places))


def _pivot_places(links: Any) -> Places:
    """Project the distances to some vertices far from each other onto a plane."""
    n = links.shape[0]
    nearest = np.full(n, np.inf)
    columns = []
    pivot = int(np.argmax(np.diff(links.indptr)))
    for _ in range(min(n, N_PIVOTS)):
        distances = csgraph.dijkstra(links, indices=pivot, unweighted=True)
        columns.append(distances)
        nearest = np.minimum(nearest, distances)
        pivot = int(np.argmax(nearest))  # the vertex farthest from all pivots so far
    squares = np.column_stack(columns) ** 2
    centred = squares - squares.mean(axis=0) - squares.mean(axis=1, keepdims=True) + squares.mean()
    _, axes = np.linalg.eigh(centred.T @ centred)
    places = centred @ axes[:, -2:]
    # Vertices with equal distances would coincide; a little noise separates them.
    scatter = np.random.default_rng(n).uniform(-1, 1, (n, 2))
    spread = np.abs(places).max() or 1.0
    return np.asarray(places / spread + 0.02 * scatter)


def _kamada_kawai_places(links: Any, places: Places) -> Places:
    graph = nx.from_scipy_sparse_array(links)
    found = nx.kamada_kawai_layout(graph, pos=dict(enumerate(places)))
    return np.array([found[vertex] for vertex in range(len(places))])


def _force_places(links: Any, places: Places) -> Places:
    """Push vertices apart and pull joined ones together, a little less in each round.

    This is Fruchterman and Reingold's method, started from a rough layout.
    """
    tails, heads = links.nonzero()
    ideal = 1 / np.sqrt(len(places))
    for temperature in np.linspace(0.08, 0.002, 60):
        push = ideal**2 / (distance.cdist(places, places, "sqeuclidean") + 1e-9)
        moves = places * push.sum(axis=1, keepdims=True) - push @ places
        pull = places[heads] - places[tails]
        pull *= np.linalg.norm(pull, axis=1, keepdims=True) / ideal
        np.add.at(moves, tails, pull)
        # Gravity keeps vertices at the edge from drifting away.
        moves -= 0.5 * ideal * (places - places.mean(axis=0))
        length = np.linalg.norm(moves, axis=1, keepdims=True) + 1e-9
        places = places + moves / length * np.minimum(length, temperature)
    return places


def _unit_edges(links: Any, places: Places) -> Places:
    """Scale so that the median edge is one unit long."""
    tails, heads = links.nonzero()
    lengths = np.linalg.norm(places[tails] - places[heads], axis=1)
    return places / (float(np.median(lengths)) or 1.0)


def _upright(places: Places) -> Places:
    """Centre the layout, turn its longest axis level, and fix which way is right and down."""
    centred = places - places.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    turned = centred @ axes[:, ::-1]
    # An axis may point either way; the skew of the vertices along it decides.
    signs = np.where((turned**3).sum(axis=0) < 0, -1.0, 1.0)
    return np.asarray(turned * signs)


def _side_by_side(parts: list[Places]) -> list[Places]:
    """Arrange components side by side in rows, the largest first."""
    boxes = [np.ptp(part, axis=0) + COMPONENT_GAP for part in parts]
    widest = max(box[0] for box in boxes)
    wide = max(widest, 1.3 * np.sqrt(sum(box[0] * box[1] for box in boxes)))
    placed = []
    x = y = row_height = 0.0
    for part, (width, height) in zip(parts, boxes, strict=True):
        if x > 0 and x + width > wide:
            x, y, row_height = 0.0, y + row_height, 0.0
        placed.append(part - part.min(axis=0) + [x, y])
        x += width
        row_height = max(row_height, height)
    return placed
