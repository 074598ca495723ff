"""Ledger: what a store has of one set of games, read once, whatever is measured from it."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from topple.arena.planning.plan import Plan
from topple.arena.playing.run import may_have, planned_results
from topple.arena.statistics.centrality import Groups, central_groups
from topple.arena.statistics.choices import movers, takes_turns
from topple.arena.statistics.pairs import WIN, Pairs
from topple.arena.statistics.standings import Standings, outcome
from topple.arena.store.played import Result
from topple.arena.store.store import Key, Store
from topple.game.record import FORFEITS
from topple.papers.engine.plans import scale_agents, scale_fields
from topple.papers.engine.scale import Scale
from topple.papers.paper import Field, Games


class Work(NamedTuple):
    """What an agent's moves in one game have cost in all."""

    moves: int
    seconds: float
    simulations: int
    nodes: int


class Turns(NamedTuple):
    """The vertices that an agent chose in one game."""

    pair: str
    agent: int  # the place of its name among those of the games
    opponent: int
    seat: int
    won: bool
    vertices: tuple[int, ...]


class End(NamedTuple):
    """How one game ended for an agent."""

    place: int  # of the field
    pair: str
    seat: int
    result: str  # won, drawn or lost, as pairs have it
    reason: str  # in the game's words


class _Entry(NamedTuple):
    """A game, in short."""

    place: int  # of its field
    seats: tuple[tuple[int, int], tuple[int, int]]  # agent and opponent, seat by seat
    results: tuple[str, str]  # of the seats


class Ledger:
    """The games of one set that a store has at a scale.

    Agents go by the paper's names: two of them may be the same agent, who then
    plays itself. All that needs no moves is read at once.
    """

    def __init__(self, games: Games, scale: Scale, plan: Plan, store: Store) -> None:
        self.games, self.plan, self.store = games, plan, store
        self.agents = scale_agents(games, scale)
        self.fields: tuple[Field, ...] = scale_fields(games, scale)
        self.names = list(self.agents)
        self.n_games, self.seconds, self.n_forfeits = 0, 0.0, 0
        self._standings = [Standings() for _ in self.fields]
        self._works: defaultdict[tuple[int, int], list[Work]] = defaultdict(list)
        self._entries: dict[Key, _Entry] = {}
        self._chosen: dict[int, list[Turns]] = {}
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
        self._entries[result.pair, result.side] = _Entry(place, seats, results)
        for seat, opposed in enumerate(seats):
            self._works[opposed].append(
                Work(result.moves[seat], result.seconds[seat], result.simulations[seat],
                     result.nodes[seat])
            )  # fmt: skip

    @cached_property
    def _places(self) -> dict[tuple[str, str], int]:
        """The number of a field, by its game and board."""
        return {(game.spec, game.board.digest): i for i, game in enumerate(self.plan.games)}

    @cached_property
    def _pairings(self) -> dict[frozenset[str], tuple[int, int]]:
        agents = self.plan.agents
        return {frozenset(agents[i].spec for i in two): two for two in self.plan.pairings}

    def _seats(self, specs: Sequence[str], side: int) -> tuple[tuple[int, int], tuple[int, int]]:
        """Who sat in each seat, with the opponent."""
        one, two = self._pairings[frozenset(specs)]
        return ((two, one), (one, two)) if side else ((one, two), (two, one))

    def met(self, agent: str, opponents: Sequence[str] = ()) -> list[str]:
        """Those of the opponents, or of all others, that an agent plays against here."""
        own = self.names.index(agent)
        others = {two[1 - two.index(own)] for two in self.plan.pairings if own in two}
        there = [self.names[place] for place in sorted(others)]
        return [name for name in there if not opponents or name in opponents]

    def pairs(self, agent: str, opponents: Sequence[str] = (), boards: Sequence[str] = ()) -> Pairs:
        """An agent's results, over all opponents and boards or over some."""
        return sum(
            (
                self._encounter(agent, opponent, place)
                for place in self.places_of(boards)
                for opponent in self.met(agent, opponents)
            ),
            Pairs(),
        )

    def _encounter(self, agent: str, opponent: str, place: int) -> Pairs:
        own, other = self.names.index(agent), self.names.index(opponent)
        one, two = self.plan.agents[own].spec, self.plan.agents[other].spec
        pairs = self._standings[place].pairs(one, two)
        # An agent that plays itself is seen by the one whose name comes first.
        return pairs.reversed() if one == two and own > other else pairs

    def places_of(self, boards: Sequence[str] = ()) -> list[int]:
        """The numbers of the fields with some boards, or of all."""
        return [i for i, each in enumerate(self.fields) if not boards or each.board in boards]

    def works(self, agent: str, opponents: Sequence[str] = ()) -> list[Work]:
        """What an agent's moves have cost, game by game."""
        own = self.names.index(agent)
        return [
            work
            for opponent in self.met(agent, opponents)
            for work in self._works[own, self.names.index(opponent)]
        ]

    def groups(self, place: int) -> Groups:
        """The vertices of a field's board by degree, in fifths."""
        return central_groups(self.plan.games[place].board)

    def turns(self, agent: str, opponents: Sequence[str], place: int) -> Iterator[Turns]:
        """The vertices that an agent chose on a field, game by game."""
        if place not in self._chosen:
            self._chosen[place] = list(self._read_turns(place))
        own = self.names.index(agent)
        others = [self.names.index(name) for name in self.met(agent, opponents)]
        return (
            each for each in self._chosen[place] if each.agent == own and each.opponent in others
        )

    def _read_turns(self, place: int) -> Iterator[Turns]:
        game = self.plan.games[place]
        first = game.start().player if takes_turns(game) else None
        vertex_of: dict[str, int | None] = {}  # games are long and their moves few
        may_be_ours = may_have(replace(self.plan, games=(game,)))
        for played in self.store.games(may_be_ours):
            entry = self._entries.get((played.pair, played.side))
            if entry is None or entry.place != place:
                continue
            chosen: tuple[list[int], list[int]] = ([], [])
            texts = played.record.moves[played.record.opening :]
            for text, seat in zip(texts, movers(played, first), strict=True):
                if text not in vertex_of:
                    vertex_of[text] = game.move_vertex(game.parse_move(text))
                if (vertex := vertex_of[text]) is not None:
                    chosen[seat].append(vertex)
            for seat, (agent, opponent) in enumerate(entry.seats):
                won = entry.results[seat] == WIN
                yield Turns(played.pair, agent, opponent, seat, won, tuple(chosen[seat]))

    def ends(self, agent: str, opponents: Sequence[str] = ()) -> Iterator[End]:
        """How an agent's games ended, and why."""
        own = self.names.index(agent)
        met = [(own, self.names.index(name)) for name in self.met(agent, opponents)]
        for key, entry in self._entries.items():
            for seat, opposed in enumerate(entry.seats):
                if opposed in met:
                    reason = self._reasons[key]
                    yield End(entry.place, key[0], seat, entry.results[seat], reason)

    @cached_property
    def _reasons(self) -> dict[Key, str]:
        """Why each game ended; read only where somebody asks."""
        found = self.store.reasons(may_have(self.plan))
        return {key: reason for key, reason in found if key in self._entries}
