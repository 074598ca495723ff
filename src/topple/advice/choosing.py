"""Choosing among many moves by ever more games for ever fewer of them."""

from collections.abc import Mapping, Sequence

import numpy as np

from topple.advice.contest import UNPLAYED, Contest, Report
from topple.advice.result import Games
from topple.core.stopping import Stop

FIRST_GAMES = 24  # for each move, in the first round
FEW = 10  # moves that need no further round

CHOOSING, FRESH = 0, 1  # the stages: games of one have no part in the other


def rounds(n_moves: int) -> list[tuple[int, int]]:
    """How many moves play in each round, and how many games each.

    >>> rounds(34), rounds(4)
    ([(34, 24), (17, 48), (9, 96)], [(4, 24)])
    """
    found, games = [(n_moves, FIRST_GAMES)], FIRST_GAMES
    while n_moves > FEW:
        n_moves, games = -(-n_moves // 2), 2 * games
        found.append((n_moves, games))
    return found


class Choosing:
    """Sequential halving: after each round the better half goes on, with twice the games.

    References
    ----------
    .. [1] Z. Karnin, T. Koren and O. Somekh, "Almost optimal exploration in
       multi-armed bandits", ICML 2013.
    """

    def __init__(
        self, contest: Contest, moves: Sequence[int], known: Mapping[int, int] | None = None
    ) -> None:
        """`known` are moves that end the game, with their results: no games follow them."""
        self.contest, self.moves, self.known = contest, list(moves), known or {}
        self.games: dict[int, Games] = {move: np.zeros(0, dtype=np.int8) for move in moves}
        self.reached = dict.fromkeys(moves, 0)  # rounds that each has played

    def run(self, stop: Stop | None = None, report: Report | None = None) -> None:
        """Play all rounds, or until it is enough."""
        n_played = 0
        for n_live, n_games in rounds(len(self.moves)):
            live = self.order()[:n_live]
            playing = sorted(move for move in live if move not in self.known)
            limits = n_played, n_played + n_games
            results = self.contest.play(CHOOSING, playing, limits, stop, report)
            for move, ended in zip(playing, results, strict=True):
                self.games[move] = np.concatenate([self.games[move], ended[ended != UNPLAYED]])
            if stop is not None and stop.is_set():
                return  # a round that is cut short counts for nobody
            for move in live:
                self.reached[move] += 1
            n_played += n_games

    def mean(self, move: int) -> float:
        """The mean result so far; nothing known is even."""
        games = self.games[move]
        return self.known.get(move, float(games.mean()) if len(games) else 0.0)

    def order(self) -> list[int]:
        """The moves, best first: who has come further, then who has won more."""
        return sorted(self.moves, key=lambda move: (-self.reached[move], -self.mean(move), move))
