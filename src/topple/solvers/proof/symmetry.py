"""Symmetries of a game on its board: permutations of the vertices that respect all rules.

An automorphism of the board is not enough, since rules may depend on more than
adjacency. The symmetries of each game are:

- **INFLUENCE**: the automorphisms that keep the labels. A move takes what is
  reached, which depends only on the arcs.
- **Infexion**: those that map straight lines to straight lines. The cells of
  one spread are all different, so their order does not matter.
- **Chain Reaction, `surplus=keep`**: all. Only the mover's colour moves in a
  cascade, and the numbers of pieces are an abelian sandpile: what explodes, and
  how often, is the same in every order. A cascade that never settles reaches every
  square in every order, and wins.
- **Chain Reaction, `surplus=drop`**: all, if the board is bipartite. The queue
  is processed in generations, each on one side of the board, and explosions
  change only the other side, so the order within a generation does not matter. On
  other boards it does, and only automorphisms that keep the order of each
  square's neighbours are symmetries.
- **Spread-It**: none. A tie between two vertices goes to the lower index, and
  which of them fires first may decide a third one's colour.

A user-defined game may define `symmetries(game)` in its rules; otherwise it has
only the identity.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import permutations, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.boards.board import Board
from topple.game.game import Game
from topple.rules import chain_reaction, infexion, influence

MOST = 128  # symmetries in use; more would take more time than they save
LARGEST = 36  # vertices of a board whose symmetries are searched for
MOST_STEPS = 500_000  # of such a search

Renaming = Sequence[int]  # the image of each vertex


class Symmetries(NamedTuple):
    """Symmetries of a game, the first of which is the identity.

    Element i of a state's image under symmetry s is element `places[s, i]` of the
    state, and the image of move m is `moves[s, m]`.
    """

    places: NDArray[np.int32]  # shape (symmetries, sizes.state)
    moves: NDArray[np.int32]  # shape (symmetries, sizes.moves)
    inverse: NDArray[np.int32]  # shape (symmetries,): the inverse of each
    first: int  # no symmetry changes the elements before this one


def symmetries_of(game: Game) -> Symmetries:
    """The symmetries of a game on its board.

    Raises
    ------
    ValueError
        If the symmetries of a user-defined game are wrong.

    Examples
    --------
    >>> import topple
    >>> len(symmetries_of(topple.load("chain-reaction", "grid:3x3")).places)
    8
    >>> len(symmetries_of(topple.load("spread-it", "grid:3x3")).places)
    1
    """
    own: Callable[[Game], Iterable[tuple[Sequence[int], Sequence[int]]]] | None
    own = getattr(game.rules, "symmetries", None) or _known.get(game.name)
    found = [no_symmetry(game), *(own(game) if own else ())]
    unique = list(dict.fromkeys((tuple(places), tuple(moves)) for places, moves in found))
    for places, moves in unique:
        _check(game, places, moves)
    return _with_inverses(game, unique)


def no_symmetry(game: Game) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The identity, which every game has."""
    return tuple(range(game.sizes.state)), tuple(range(game.sizes.moves))


def identity_of(game: Game) -> Symmetries:
    """The identity alone."""
    return _with_inverses(game, [no_symmetry(game)])


def _check(game: Game, places: tuple[int, ...], moves: tuple[int, ...]) -> None:
    whole, all_moves = no_symmetry(game)
    if tuple(sorted(places)) != whole or tuple(sorted(moves)) != all_moves:
        raise ValueError(f"{game.name} gives a symmetry that is no permutation")
    if places[:2] != (0, 1):
        raise ValueError(f"{game.name} gives a symmetry that moves the player or the status")


def _with_inverses(game: Game, found: list[tuple[tuple[int, ...], tuple[int, ...]]]) -> Symmetries:
    number = {pair: s for s, pair in enumerate(found)}
    inverse = []
    for pair in found:
        back = _inverted(pair[0]), _inverted(pair[1])
        if back not in number:
            raise ValueError(f"{game.name} gives a symmetry without the one that leads back")
        inverse.append(number[back])
    places = np.array([pair[0] for pair in found], dtype=np.int32)
    moved = (places != places[0]).any(axis=0)
    return Symmetries(
        places=places,
        moves=np.array([pair[1] for pair in found], dtype=np.int32),
        inverse=np.array(inverse, dtype=np.int32),
        first=int(moved.argmax()) if moved.any() else game.sizes.state,
    )


def _inverted(permutation: Sequence[int]) -> tuple[int, ...]:
    back = [0] * len(permutation)
    for here, there in enumerate(permutation):
        back[there] = here
    return tuple(back)


# Symmetries of games.


def _with_blocks(
    game: Game, renamings: Iterable[Renaming], *blocks: int
) -> Iterator[tuple[list[int], list[int]]]:
    """The effect of renamings on states with a number per vertex in each block, and on moves."""
    for renaming in renamings:
        moves = list(range(game.sizes.moves))
        moves[: len(renaming)] = renaming
        yield _places(game, renaming, blocks), moves


def _places(game: Game, renaming: Renaming, blocks: Sequence[int]) -> list[int]:
    places = list(range(game.sizes.state))
    for block in blocks:
        for vertex, image in enumerate(renaming):
            places[block + image] = block + vertex
    return places


def _of_chain_reaction(game: Game) -> Iterator[tuple[list[int], list[int]]]:
    board, cells = game.board, chain_reaction.CELLS
    any_order = game.options["surplus"] == "keep" or is_bipartite(board)
    found = automorphisms(board, keep_order=not any_order)
    yield from _with_blocks(game, found, cells, cells + board.n_vertices)


def _of_influence(game: Game) -> Iterator[tuple[list[int], list[int]]]:
    found = automorphisms(game.board, colours=game.board.sides)
    yield from _with_blocks(game, found, influence.TAKEN)


def _of_infexion(game: Game) -> Iterator[tuple[list[int], list[int]]]:
    """Shifts of the torus; on a small one also rotations and reflections."""
    n, n_directions = game.tables.n, infexion.N_DIRECTIONS
    beside = game.tables.next_cell.reshape(n, n_directions).tolist()
    kept = tuple(range(n_directions))
    turns = [turn for turn in permutations(kept) if _carried(beside, 0, turn)]
    if n * len(turns) > MOST:
        turns = [kept]
    for cell, turn in product(range(n), turns):
        renaming = _carried(beside, cell, turn)
        spreads = (
            n + n_directions * renaming[from_] + turn[direction]
            for from_, direction in product(range(n), range(n_directions))
        )
        moves = [*renaming, *spreads]
        yield _places(game, renaming, [infexion.CELLS]), moves


def _carried(beside: list[list[int]], image: int, turn: Sequence[int]) -> list[int]:
    """The images of all cells if cell 0 goes to `image` and directions turn; [] if impossible."""
    renaming, waiting = {0: image}, [0]
    while waiting:
        cell = waiting.pop()
        for direction, neighbour in enumerate(beside[cell]):
            there = beside[renaming[cell]][turn[direction]]
            if neighbour not in renaming:
                renaming[neighbour] = there
                waiting.append(neighbour)
            elif renaming[neighbour] != there:
                return []
    return [renaming[cell] for cell in range(len(beside))]


_known: dict[str, Callable[[Game], Iterable[tuple[Sequence[int], Sequence[int]]]]] = {
    "chain-reaction": _of_chain_reaction,
    "influence": _of_influence,
    "infexion": _of_infexion,
}


# Symmetries of boards.


def is_bipartite(board: Board) -> bool:
    """Whether a board's vertices can be divided so that edges join only different sides.

    >>> import topple
    >>> is_bipartite(topple.load_board("grid:3x4")), is_bipartite(topple.load_board("cycle:5"))
    (True, False)
    """
    side: dict[int, int] = {}
    for root in range(board.n_vertices):
        waiting = [] if root in side else [root]
        side.setdefault(root, 0)
        while waiting:
            vertex = waiting.pop()
            for neighbour in board.neighbours(vertex):
                if neighbour not in side:
                    side[neighbour] = 1 - side[vertex]
                    waiting.append(neighbour)
                elif side[neighbour] == side[vertex]:
                    return False
    return True


def automorphisms(
    board: Board, *, colours: Sequence[object] = (), keep_order: bool = False, most: int = MOST
) -> list[list[int]]:
    """The permutations of a board's vertices that keep its edges, or arcs.

    If there are more than `most`, only those that fix vertex 0, or 0 and 1, and so on.
    For a board that is too large, only the identity is returned.

    Parameters
    ----------
    board : Board
        The board, of at most 36 vertices.
    colours : sequence, optional
        One colour for each vertex, which must be kept as well.
    keep_order : bool
        Whether each vertex's neighbours must keep their order.
    most : int
        The largest number to return.

    Examples
    --------
    >>> import topple
    >>> automorphisms(topple.load_board("path:3"))
    [[0, 1, 2], [2, 1, 0]]
    """
    n = board.n_vertices
    if n > LARGEST:
        return [list(range(n))]
    return _automorphisms(board, tuple(colours) or (0,) * n, keep_order, most)


@lru_cache
def _automorphisms(
    board: Board, colours: tuple[object, ...], keep_order: bool, most: int
) -> list[list[int]]:
    classes, budget = _refined(board, colours), [MOST_STEPS]
    for n_fixed in range(len(colours)):
        found = _search(board, classes, n_fixed, keep_order, most, budget)
        if found is not None:
            return found
    return [list(range(len(colours)))]


def _refined(board: Board, colours: Sequence[object]) -> list[int]:
    """Classes of vertices that refinement by neighbours cannot distinguish."""
    into: list[list[int]] = [[] for _ in colours]
    for vertex in range(len(colours)):
        for neighbour in board.neighbours(vertex):
            into[neighbour].append(vertex)
    classes = _numbered(colours)
    while True:
        seen = [
            (
                classes[v],
                tuple(sorted(classes[u] for u in board.neighbours(v))),
                tuple(sorted(classes[u] for u in into[v])),
            )
            for v in range(len(colours))
        ]
        finer = _numbered(seen)
        if max(finer, default=0) == max(classes, default=0):
            return finer
        classes = finer


def _numbered(things: Sequence[object]) -> list[int]:
    number: dict[object, int] = {}
    return [number.setdefault(thing, len(number)) for thing in things]


def _search(
    board: Board, classes: list[int], n_fixed: int, keep_order: bool, most: int, budget: list[int]
) -> list[list[int]] | None:
    """All that fix the first `n_fixed` vertices; None if too many, or if the search is too long."""
    n = len(classes)
    beside = [board.neighbours(v) for v in range(n)]
    arcs = [set(each) for each in beside]
    found: list[list[int]] = []
    renaming: list[int] = []
    waiting: list[Iterator[int]] = [iter(range(n))]
    while waiting:
        v = len(renaming)
        for w in waiting[-1]:
            budget[0] -= 1
            if (
                classes[w] == classes[v]
                and (w == v or v >= n_fixed)
                and w not in renaming
                and all(
                    (u in arcs[v]) == (renaming[u] in arcs[w])
                    and (v in arcs[u]) == (w in arcs[renaming[u]])
                    for u in range(v)
                )
            ):
                renaming.append(w)
                waiting.append(iter(range(n)))
                break
        else:
            waiting.pop()
            if renaming:
                renaming.pop()
            continue
        if len(renaming) == n:
            if not keep_order or all(
                [renaming[u] for u in beside[v]] == beside[renaming[v]] for v in range(n)
            ):
                found.append(list(renaming))
            renaming.pop()
            waiting.pop()
        if len(found) > most or budget[0] < 0:
            return None
    return found
