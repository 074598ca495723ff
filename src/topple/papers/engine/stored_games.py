"""What a store has of one set of games, read once for all measures of it."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from topple.arena.planning.plan import Plan
from topple.arena.playing.game import Costs
from topple.arena.playing.run import may_have, planned_results
from topple.arena.statistics.centrality import Groups, central_groups
from topple.arena.statistics.choices import movers, takes_turns
from topple.arena.statistics.pairs import WIN, Pairs
from topple.arena.statistics.standings import Standings, outcome
from topple.arena.store.played import Result
from topple.arena.store.store import Key, Store
from topple.game.record import FORFEITS
from topple.papers.engine.plans import Scale
from topple.papers.paper import GameSet


class ChosenVertices(NamedTuple):
    """The vertices that an agent chose in one game."""

    pair: str
    agent: int  # the place of its name among those of the games
    opponent: int
    seat: int
    won: bool
    vertices: tuple[int, ...]


class GameEnding(NamedTuple):
    """How one game ended for an agent."""

    place: int  # of the field
    pair: str
    seat: int
    result: str  # won, drawn or lost, as in `Pairs`
    reason: str  # in the words of the rules


class _Game(NamedTuple):
    """Who played a game, where, and how it ended."""

    place: int  # of its field
    seats: tuple[tuple[int, int], tuple[int, int]]  # agent and opponent in each seat
    results: tuple[str, str]  # in each seat


class StoredGames:
    """The games of one set that a store has at a scale.

    Agents go by the paper's names. Two names may stand for the same agent, which then
    plays itself. Results are read when this is made; moves and reasons when they
    are first needed.
    """

    def __init__(self, games: GameSet, scale: Scale, plan: Plan, store: Store) -> None:
        self.games, self.plan, self.store = games, plan, store
        self.agents = scale.agents(games)
        self.fields = scale.fields(games)
        self.names = list(self.agents)
        self.n_games, self.seconds, self.n_forfeits = 0, 0.0, 0
        self._standings = [Standings() for _ in self.fields]
        self._costs: defaultdict[tuple[int, int], list[Costs]] = defaultdict(list)
        self._games: dict[Key, _Game] = {}
        self._chosen: dict[int, list[ChosenVertices]] = {}
        for result in planned_results(plan, store):
            self._add(result)

    def _add(self, result: Result) -> None:
        self.n_games += 1
        self.seconds += sum(result.seconds)
        self.n_forfeits += result.ending in FORFEITS
        place = self._places[result.game, result.board_digest]
        self._standings[place].add(result)
        seats = self._seats(result.agents, result.side)
        results = outcome(result, 0), outcome(result, 1)
        self._games[result.pair, result.side] = _Game(place, seats, results)
        costs = zip(result.moves, result.seconds, result.simulations, result.nodes, strict=True)
        for both, cost in zip(seats, costs, strict=True):
            self._costs[both].append(Costs(*cost))

    @cached_property
    def _places(self) -> dict[tuple[str, str], int]:
        """The place of each field by its game and board."""
        return {(game.spec, game.board.digest): i for i, game in enumerate(self.plan.games)}

    @cached_property
    def _pairings(self) -> dict[frozenset[str], tuple[int, ...]]:
        agents = self.plan.agents
        return {frozenset(agents[i].spec for i in two): two for two in self.plan.groups}

    def _seats(self, specs: Sequence[str], side: int) -> tuple[tuple[int, int], tuple[int, int]]:
        """The agent and its opponent in each seat, given the agents of the pairing."""
        one, two = self._pairings[frozenset(specs)]
        return ((two, one), (one, two)) if side else ((one, two), (two, one))

    def opponents_of(self, agent: str, among: Sequence[str] = ()) -> list[str]:
        """The opponents of an agent in these games, all or only those named in `among`."""
        own = self.names.index(agent)
        others = {two[1 - two.index(own)] for two in self.plan.groups if own in two}
        there = [self.names[place] for place in sorted(others)]
        return [name for name in there if not among or name in among]

    def pairs(self, agent: str, opponents: Sequence[str] = (), boards: Sequence[str] = ()) -> Pairs:
        """An agent's results; empty `opponents` or `boards` mean all of them."""
        return sum(
            (
                self._pairs_on(agent, opponent, place)
                for place in self.places_of(boards)
                for opponent in self.opponents_of(agent, opponents)
            ),
            Pairs(),
        )

    def _pairs_on(self, agent: str, opponent: str, place: int) -> Pairs:
        own, other = self.names.index(agent), self.names.index(opponent)
        one, two = self.plan.agents[own].spec, self.plan.agents[other].spec
        pairs = self._standings[place].pairs(one, two)
        # Where an agent plays itself, the stored results are those of the name that comes first.
        return pairs.reversed() if one == two and own > other else pairs

    def places_of(self, boards: Sequence[str] = ()) -> list[int]:
        """The places of the fields with these boards; of all fields if none is named."""
        return [i for i, each in enumerate(self.fields) if not boards or each.board in boards]

    def costs(self, agent: str, opponents: Sequence[str] = ()) -> list[Costs]:
        """The cost of an agent's moves, game by game."""
        own = self.names.index(agent)
        return [
            cost
            for opponent in self.opponents_of(agent, opponents)
            for cost in self._costs[own, self.names.index(opponent)]
        ]

    def groups(self, place: int) -> Groups:
        """The vertices of a field's board by degree, in fifths."""
        return central_groups(self.plan.games[place].board)

    def chosen_vertices(
        self, agent: str, opponents: Sequence[str], place: int
    ) -> Iterator[ChosenVertices]:
        """The vertices that an agent chose on a field, game by game."""
        if place not in self._chosen:
            self._chosen[place] = list(self._read_vertices(place))
        own = self.names.index(agent)
        others = [self.names.index(name) for name in self.opponents_of(agent, opponents)]
        return (
            each for each in self._chosen[place] if each.agent == own and each.opponent in others
        )

    def _read_vertices(self, place: int) -> Iterator[ChosenVertices]:
        game = self.plan.games[place]
        first = game.start().player if takes_turns(game) else None
        vertex_of: dict[str, int | None] = {}  # the same few move texts come up again and again
        may_be_ours = may_have(replace(self.plan, games=(game,)))
        for played in self.store.games(may_be_ours):
            found = self._games.get((played.pair, played.side))
            if found is None or found.place != place:
                continue
            chosen: tuple[list[int], list[int]] = ([], [])
            texts = played.record.moves[played.record.opening :]
            for text, seat in zip(texts, movers(played, first), strict=True):
                if text not in vertex_of:
                    vertex_of[text] = game.move_vertex(game.parse_move(text))
                if (vertex := vertex_of[text]) is not None:
                    chosen[seat].append(vertex)
            for seat, (agent, opponent) in enumerate(found.seats):
                won = found.results[seat] == WIN
                vertices = tuple(chosen[seat])
                yield ChosenVertices(played.pair, agent, opponent, seat, won, vertices)

    def endings(self, agent: str, opponents: Sequence[str] = ()) -> Iterator[GameEnding]:
        """How an agent's games ended, and why."""
        own = self.names.index(agent)
        wanted = [(own, self.names.index(name)) for name in self.opponents_of(agent, opponents)]
        for key, game in self._games.items():
            for seat, both in enumerate(game.seats):
                if both in wanted:
                    reason = self._reasons[key]
                    yield GameEnding(game.place, key[0], seat, game.results[seat], reason)

    @cached_property
    def _reasons(self) -> dict[Key, str]:
        """Why each game ended."""
        reasons = self.store.reasons(may_have(self.plan))
        return {key: reason for key, reason in reasons if key in self._games}
