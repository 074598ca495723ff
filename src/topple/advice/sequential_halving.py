"""Sequential halving: choosing among many moves with ever more games for ever fewer moves."""

from collections.abc import Mapping, Sequence

import numpy as np

from topple.advice.quick_games import QuickGames, Report
from topple.advice.result import UNPLAYED, Games, played
from topple.core.stopping import Stop

FIRST_GAMES = 24  # for each move in the first round
FEW = 10  # moves that need no further round

CHOOSING, FRESH = 0, 1  # the stages of advice, which play different games


def rounds(n_moves: int) -> list[tuple[int, int]]:
    """The number of moves in each round, and of games after each.

    >>> rounds(34), rounds(4)
    ([(34, 24), (17, 48), (9, 96)], [(4, 24)])
    """
    found, games = [(n_moves, FIRST_GAMES)], FIRST_GAMES
    while n_moves > FEW:
        n_moves, games = -(-n_moves // 2), 2 * games
        found.append((n_moves, games))
    return found


class SequentialHalving:
    """Rounds of games, after each of which the better half of the moves goes on.

    References
    ----------
    .. [1] Z. Karnin, T. Koren and O. Somekh, "Almost optimal exploration in
       multi-armed bandits", ICML 2013.
    """

    def __init__(
        self,
        quick_games: QuickGames,
        moves: Sequence[int],
        known: Mapping[int, int] | None = None,
    ) -> None:
        """`known` are moves that end the game, with their results: no games follow them."""
        self.quick_games, self.moves, self.known = quick_games, list(moves), known or {}
        # The results of each move by the number of the game, UNPLAYED where it does not count.
        self.games: dict[int, Games] = {move: np.zeros(0, dtype=np.int8) for move in moves}
        self.reached = dict.fromkeys(moves, 0)  # rounds that each move has completed

    def run(self, stop: Stop | None = None, report: Report | None = None) -> None:
        """Play all rounds, or until `stop` is set.

        A round that is cut short does not count, since some of its moves have played more games
        than others. Only in the first round, without which nothing would be known, the games
        count that were played after every move.
        """
        n_before = 0
        for n_live, n_games in rounds(len(self.moves)):
            live = self.order()[:n_live]
            playing = sorted(move for move in live if move not in self.known)
            numbers = n_before, n_before + n_games
            results = self.quick_games.play(CHOOSING, playing, numbers, stop, report)
            is_cut_short = stop is not None and stop.is_set()
            if is_cut_short:
                if n_before > 0:
                    return
                results[:, (results == UNPLAYED).any(axis=0)] = UNPLAYED
            for move, row in zip(playing, results, strict=True):
                self.games[move] = np.concatenate([self.games[move], row])
            if is_cut_short:
                return
            for move in live:
                self.reached[move] += 1
            n_before += n_games

    def mean(self, move: int) -> float:
        """The mean result of a move so far, or 0 if nothing is known."""
        games = played(self.games[move])
        return self.known.get(move, float(games.mean()) if len(games) else 0.0)

    def order(self) -> list[int]:
        """The moves, best first: by rounds completed, then by mean result."""
        return sorted(self.moves, key=lambda move: (-self.reached[move], -self.mean(move), move))
