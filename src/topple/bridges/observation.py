"""Observer: positions as planes of numbers, for programs that learn.

A plane has one number for each vertex. The planes hold everything that the rules depend on:
two different positions of a game look different.
"""

from collections.abc import Iterator
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from topple.bridges.arrivals import arrivals, changes, has_arrivals, has_changes
from topple.game import Game, Position

Planes = NDArray[np.float32]

MOST = float(2**31 - 1)  # no number of a position is larger


class Observer:
    """Turns the positions of one game into observations of its players.

    The planes of the observing player come first, followed by those of the other players in
    turn. `names` says what each plane holds: pieces, owners, vertices that are gone, in
    Spread-It's wider world also when each colour arrived and how often a vertex has taken one,
    and then numbers that are constant over their plane. The planes in `counted` hold numbers, all
    others 0 and 1.

    The board is not observed: its edges, thresholds and probabilities are the same in the whole
    game, or follow from the ply on a board that changes.

    >>> import topple
    >>> game = topple.load("infexion", board="infexion:3")
    >>> observer = Observer(game)
    >>> observer.shape
    (12, 3, 3)
    >>> observer.names[:4]
    ('own pieces', "other's pieces", 'own', "other's")
    >>> observer.observe(game.start().play("SPAWN(0, 1)"), 1)[1]
    array([[0., 1., 0.],
           [0., 0., 0.],
           [0., 0., 0.]], dtype=float32)
    """

    def __init__(self, game: Game) -> None:
        first = game.start()
        self.game = game
        self.n_counts = len(first.contents()[0].counts)  # 0 if the game counts nothing
        who = [_player_name(ahead, game.n_players) for ahead in range(game.n_players)]
        pieces = [f"{each} pieces" for each in who[: self.n_counts]]
        arrived = [f"{each} arrival" for each in who if has_arrivals(game)]
        changed = ["changes of colour"] if has_changes(game) else []
        totals = [f"{each} {name} in all" for name, _ in first.tallies() for each in who]
        counters = [name for name, _ in first.counters()]
        self.details = (bool(arrived), bool(changed))
        self.counted = frozenset([*pieces, *arrived, *changed, *totals, *counters])
        self.names: tuple[str, ...] = (
            *pieces,
            *who,
            "gone",
            *arrived,
            *changed,
            *(f"{each} turn" for each in who),
            *(f"{each} seat is the first" for each in who),
            *totals,
            *(f"{who[0]} top and bottom" for _ in first.borders()[:1]),
            *counters,
        )
        board = game.board
        extent = (board.rows, board.columns) if board.rows else (board.n_vertices,)
        self.shape: tuple[int, ...] = (len(self.names), *extent)

    def observe(self, position: Position, player: int) -> Planes:
        """The position as a player sees it: a new array of `shape`."""
        n_players, n = self.game.n_players, self.game.board.n_vertices
        order = [(player + ahead) % n_players for ahead in range(n_players)]
        planes = np.empty((len(self.names), n), dtype=np.float32)
        counts, owners, gone = position.layers()
        at = self.n_counts
        if at:
            planes[:at] = counts[order]
        planes[at : at + n_players] = owners == np.array(order)[:, None]
        planes[at + n_players] = gone
        at += n_players + 1
        for detail in self._details(position, counts, order):
            planes[at : at + len(detail)] = detail
            at += len(detail)
        planes[at:] = np.array(self._numbers(position, order))[:, None]
        return planes.reshape(self.shape)

    def _details(
        self, position: Position, counts: NDArray[np.int32], order: list[int]
    ) -> Iterator[NDArray[np.int32]]:
        """The planes after `gone` that belong to vertices."""
        has_arrivals, has_changes = self.details
        if has_arrivals:
            yield arrivals(position, counts)[order]
        if has_changes:
            yield changes(position)[None]

    def _numbers(self, position: Position, order: list[int]) -> list[int]:
        """The numbers that are constant over their plane."""
        running = not position.is_over
        return [
            *(running and position.player == each for each in order),
            *(each == 0 for each in order),
            *chain.from_iterable(
                [tally[each] for each in order] for _, tally in position.tallies()
            ),
            *(top == order[0] for top in position.borders()[:1]),
            *(number for _, number in position.counters()),
        ]


def _player_name(ahead: int, n_players: int) -> str:
    """The name of a player `ahead` turns after the observing one."""
    if ahead == 0:
        return "own"
    return "other's" if n_players == 2 else f"{ahead} ahead"
