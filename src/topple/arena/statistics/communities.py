"""Communities: how much of each community of a board the agents hold when a game is over."""

from collections import defaultdict
from typing import NamedTuple

from topple.arena.statistics.rates import Estimate, share
from topple.arena.statistics.standings import Contest
from topple.arena.store.played import PlayedGame
from topple.core.errors import BadRecord, ToppleError
from topple.game.game import Game
from topple.game.position import Position

Opening = tuple[int, int]  # a tournament's seed, and the opening's number


class Held(NamedTuple):
    """The share of a community's vertices that an agent holds at the end of its games."""

    community: str
    size: int  # vertices
    shares: dict[str, Estimate | None]  # by agent


class _Contest:
    """The communities of one contest's board, and what was held of them."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.sizes: dict[str, int] = {}
        for name in game.board.communities:
            self.sizes[name] = self.sizes.get(name, 0) + 1
        # By agent and opening: vertices held of each community, and the games played.
        self.held: dict[str, dict[Opening, list[int]]] = defaultdict(dict)
        self.games: dict[str, dict[Opening, int]] = defaultdict(dict)

    def add(self, played: PlayedGame) -> None:
        opening = (played.tournament_seed, played.opening_number)
        holdings = _last(self.game, played).holdings()
        for seat, agent in enumerate(played.record.players):
            held = self.held[agent].setdefault(opening, [0] * len(self.sizes))
            for place, holding in enumerate(holdings):
                held[place] += holding.vertices[seat]
            self.games[agent][opening] = self.games[agent].get(opening, 0) + 1

    def share(self, agent: str, place: int, size: int) -> Estimate | None:
        return share(
            (held[place], size * self.games[agent][opening])
            for opening, held in self.held[agent].items()
        )


class Communities:
    """Who holds which community at the end of the games of each contest.

    A vertex is held by its owner or, if nobody owns it, by the player who alone has most
    tokens there. Contests on boards without communities are left out. Intervals take all
    games from an opening as one unit, because they depend on each other.
    """

    def __init__(self) -> None:
        self._contests: dict[Contest, _Contest] = {}

    def add(self, contest: Contest, played: PlayedGame) -> None:
        """Count one more game of a contest.

        Raises
        ------
        BadRecord
            If it cannot be replayed.
        """
        if not played.record.board.communities:
            return
        if contest not in self._contests:
            self._contests[contest] = _Contest(played.record.load_game())
        self._contests[contest].add(played)

    def held(self, contest: Contest) -> list[Held]:
        """What was held of each community in a contest, the largest first; empty without any."""
        found = self._contests.get(contest)
        if found is None:
            return []
        rows = [
            Held(name, size, {agent: found.share(agent, place, size) for agent in found.held})
            for place, (name, size) in enumerate(found.sizes.items())
        ]
        return sorted(rows, key=lambda row: -row.size)


def _last(game: Game, played: PlayedGame) -> Position:
    """The last position of a game."""
    position = game.start()
    for ply, move in enumerate(played.record.moves, start=1):
        try:
            position = position.play(move)
        except ToppleError as error:
            raise BadRecord(str(error), ply) from None
    return position
