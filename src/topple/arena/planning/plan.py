"""The plan of a tournament. It fixes every game, whoever plays it and when."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import combinations, combinations_with_replacement, permutations
from math import ceil, comb
from typing import TYPE_CHECKING, Any, NamedTuple

from topple.agents import Agent
from topple.arena.planning.draws import Draws, draw_source
from topple.arena.planning.openings import PLIES, Opening, openings
from topple.core.errors import BadText, ToppleError, Unsupported
from topple.core.spec import Option
from topple.game.game import Game
from topple.game.record import LONGEST_NAME

if TYPE_CHECKING:
    from topple.arena.statistics.sprt import Sprt
    from topple.arena.store.played import Result

SEED = 1  # the default, so that the same command plays the same games
GAMES = 100  # per pairing and board
MOST_GAMES = 10_000_000
MOST_GROUPS = 100_000
MOVE_SECONDS = 600.0


GAMES_OPTION = Option(
    "games", GAMES, int, "games for each pairing on each board", least=1, most=MOST_GAMES
)
SEED_OPTION = Option("seed", SEED, int, "fixes every game", least=0, most=2**62)
PLIES_OPTION = Option(
    "plies", PLIES, int, "random moves that each game begins with", least=0, most=1000
)
GAUNTLET_OPTION = Option(
    "gauntlet", False, bool, "whether the first agent plays against each of the others alone"
)
MOVE_TIME_OPTION = Option(
    "move-time",
    MOVE_SECONDS,
    float,
    "seconds for a move; an agent that takes longer loses the game",
    least=0.001,
    most=1e6,
)
GAME_TIME_OPTION = Option(
    "game-time",
    None,
    float,
    "seconds for all moves of an agent in a game; one that takes longer loses it",
    least=0.001,
    most=1e6,
)
NUMBERS = (
    GAMES_OPTION,
    SEED_OPTION,
    PLIES_OPTION,
    GAUNTLET_OPTION,
    MOVE_TIME_OPTION,
    GAME_TIME_OPTION,
)


@dataclass(frozen=True)
class Limits:
    """Time limits; an agent that exceeds one loses the game."""

    move_seconds: float = MOVE_SECONDS
    game_seconds: float | None = None  # for all of one agent's moves in a game


class Fixture(NamedTuple):
    """A game to be played, with all that a worker needs beyond the plan."""

    pair: str  # identifies the games of a group from one opening, one for each side
    side: int  # the seat of the group's first agent
    game: int  # index into the plan's games
    seats: tuple[int, ...]  # indices into the plan's agents, first player first
    opening: tuple[int, ...]
    opening_number: int
    draws: Draws | None = None  # of a game with chance

    def draw(self, ply: int) -> int | None:
        """The draw of a move; None without chance."""
        return None if self.draws is None else self.draws.at(ply)

    def move_texts(self, game: Game, moves: Sequence[int]) -> tuple[str, ...]:
        """The moves of the fixture as records keep them, with their draws."""
        return tuple(game.move_text(move, self.draw(ply)) for ply, move in enumerate(moves))

    @property
    def key(self) -> tuple[str, int]:
        """Identifies the game in every store, and forever."""
        return self.pair, self.side

    @property
    def seed(self) -> int:
        """Fixes every random choice in the game."""
        return int(_digest(self.pair, self.side)[:15], 16)


@dataclass(frozen=True)
class Plan:
    """Games on boards, agents, and how often each group of agents meets.

    A group has as many agents as a game has players: for two it is a pairing. Every group
    plays the same openings, in a game with chance with the same draws, and each opening once
    for each rotation of the seats, so that every agent has every seat: with two players the
    sides are swapped. A game depends on its own agents, board, seed and opening alone: it
    stays the same when a plan has more games, more agents, or lists them in another order.

    Raises
    ------
    BadText, Unsupported
        If the plan cannot be played.
    """

    games: tuple[Game, ...]  # each with its board
    agents: tuple[Agent, ...]
    n_games: int = GAMES  # per group and board
    seed: int = SEED
    plies: int = PLIES  # of random opening
    gauntlet: bool = False  # the first agent against all others, not all against all
    limits: Limits = field(default_factory=Limits)
    sprt: "Sprt | None" = None

    def __post_init__(self) -> None:
        self._check_agents()
        self._check_players()
        for game in self.games:
            for agent in self.agents:
                self._check_game(agent, game)
        self._check_boards()
        if not self.games:
            raise BadText("no game is named: name one with --game, for example --game hex")
        given = (
            self.n_games,
            self.seed,
            self.plies,
            self.gauntlet,
            self.limits.move_seconds,
            self.limits.game_seconds,
        )
        for option, value in zip(NUMBERS, given, strict=True):
            option.read(value)
        if self.sprt and self.n_players > 2:
            raise BadText("a sequential test is for two players")
        if self.sprt and (len(self.agents) > 2 or len(self.games) > 1):
            raise BadText("a sequential test is for a match: two agents on one board")

    def _check_players(self) -> None:
        for game in self.games:
            if game.n_players != self.n_players:
                raise Unsupported(
                    f"{self.games[0].spec} has {self.n_players} players and {game.spec} has "
                    f"{game.n_players}: play a tournament for each"
                )
        n_agents, others = len(self.agents), self.n_players - self.gauntlet
        if n_agents >= self.n_players and comb(n_agents - self.gauntlet, others) > MOST_GROUPS:
            raise Unsupported(
                f"{n_agents} agents form more than {MOST_GROUPS:,} groups of {self.n_players}: "
                "name fewer agents"
            )

    def _check_game(self, agent: Agent, game: Game) -> None:
        try:
            agent.check_game(game)
        except ToppleError:
            raise
        except Exception as error:  # an agent from outside topple
            raise Unsupported(
                f"{agent.spec} cannot tell whether it can play {game.spec}: "
                f"{type(error).__name__}: {error}"
            ) from None

    def _check_boards(self) -> None:
        seen: dict[tuple[str, str], str] = {}
        for game in self.games:
            key = game.spec, game.board.digest
            if key in seen:
                raise BadText(
                    f"{game.spec} on {seen[key]} and on {game.board.spec} are the same: "
                    "name it once"
                )
            seen[key] = game.board.spec

    def _check_agents(self) -> None:
        specs = [agent.spec for agent in self.agents]
        if len(specs) < 2:
            raise BadText(f"agents named: {len(specs)}; a tournament needs two or more")
        for spec in specs:
            if max(len(specs), self.n_players) > 2 and specs.count(spec) > 1:
                raise BadText(f"agent {spec} is named twice: name it once")
            if len(spec) > LONGEST_NAME:
                raise BadText(
                    f"an agent's text of {len(spec)} characters does not fit into a record"
                )

    @property
    def n_players(self) -> int:
        """The number of players, which is the same in all games."""
        return self.games[0].n_players if self.games else 2

    @cached_property
    def groups(self) -> list[tuple[int, ...]]:
        """The agents that meet, in an order that does not depend on how agents are listed.

        They are all different agents, unless there are fewer agents than players: then
        every agent is in every group, and some of them more than once.
        """
        everyone, n = range(len(self.agents)), self.n_players
        if len(everyone) < n:
            filled = combinations_with_replacement(everyone, n - len(everyone))
            met = [(*everyone, *more) for more in filled]
        elif self.gauntlet:
            met = [(0, *others) for others in combinations(everyone[1:], n - 1)]
        else:
            met = list(combinations(everyone, n))
        return [tuple(sorted(group, key=self._rank)) for group in met]

    def _rank(self, agent: int) -> str:
        return json.dumps(_agent_identity(self.agents[agent]), sort_keys=True)

    @property
    def n_fixtures(self) -> int:
        """The number of games in the plan."""
        return len(self.games) * len(self.groups) * self.n_games

    @property
    def n_openings(self) -> int:
        """The number of openings of each game."""
        return ceil(self.n_games / self.n_players)

    def fixtures(self) -> Iterator[Fixture]:
        """Every game, opening by opening, so that all groups grow evenly."""
        drawn = [openings(game, self.seed, self.plies) for game in self.games]
        opening, draws = Opening(()), None
        for number, game, group, pair in self._rounds():
            if group == self.groups[0]:
                opening = next(drawn[game])
                draws = self._draws(game, number, opening)
            table = around_table(group, number)
            for side in self._sides(number, table):
                seats = table[len(table) - side :] + table[: len(table) - side]
                yield Fixture(pair, side, game, seats, opening.moves, number, draws)

    def _draws(self, game: int, number: int, opening: Opening) -> Draws | None:
        """The draws of all games from an opening; None without chance."""
        played = self.games[game]
        if not played.has_chance:
            return None
        return Draws(opening.draws, draw_source(played, self.seed, self.plies, number))

    def game_keys(self) -> Iterator[tuple[str, int]]:
        """The key of each fixture in order, without drawing openings."""
        for number, _, group, pair in self._rounds():
            for side in self._sides(number, around_table(group, number)):
                yield pair, side

    def has(self, result: "Result") -> bool:
        """Whether a result is of a game of this plan."""
        game = self._contests.get((result.game, result.board_digest))
        group = self._group_of.get(tuple(sorted(result.agents)))
        number = result.opening_number
        if game is None or group is None or number >= self.n_openings:
            return False
        sides = self._sides(number, around_table(group, number))
        return result.side in sides and result.pair == self._pair(game, group, number)

    @cached_property
    def _contests(self) -> dict[tuple[str, str], int]:
        return {(game.spec, game.board.digest): i for i, game in enumerate(self.games)}

    @cached_property
    def _group_of(self) -> dict[tuple[str, ...], tuple[int, ...]]:
        return {tuple(sorted(self.agents[i].spec for i in group)): group for group in self.groups}

    def _sides(self, number: int, table: tuple[int, ...]) -> tuple[int, ...]:
        """The sides from which an opening is played by a group, given around the table.

        These are all, except for the last opening if the number of games leaves fewer for
        it: then the agent that was named first begins in the first seat, and moves on by
        a seat in each further game.
        """
        n = self.n_players
        left = self.n_games - n * number
        if left >= n:
            return tuple(range(n))
        first = -table.index(min(table))
        return tuple((first + turn) % n for turn in range(left))

    def _rounds(self) -> Iterator[tuple[int, int, tuple[int, ...], str]]:
        """The opening's number, the game, the group and the identifier of its games."""
        for number in range(self.n_openings):
            for game in range(len(self.games)):
                for group in self.groups:
                    yield number, game, group, self._pair(game, group, number)

    def _pair(self, game: int, group: tuple[int, ...], number: int) -> str:
        """The identifier of the games of a group from an opening, a digest of all that fixes them.

        With two players these are a pair.
        """
        played = self.games[game]
        return _digest(
            played.name,
            played.kept_options,
            played.board.digest,
            [_agent_identity(self.agents[i]) for i in group],
            self.seed,
            self.plies,
            number,
            # A sequential test removes surplus games, so they must not belong to other plans.
            None if self.sprt is None else str(self.sprt),
        )

    def settings(self) -> dict[str, Any]:
        """The plan as plain data, from which `settings.plan_of` can make it again."""
        given: dict[str, Any] = {
            "agents": [agent.spec for agent in self.agents],
            "games": self.n_games,
            "seed": self.seed,
            "plies": self.plies,
            "gauntlet": self.gauntlet,
            "move-time": self.limits.move_seconds,
            "game-time": self.limits.game_seconds,
            "sprt": None if self.sprt is None else str(self.sprt),
            "contests": [_contest_settings(game) for game in self.games],
        }
        return {name: value for name, value in given.items() if value is not None}


def _contest_settings(game: Game) -> dict[str, str]:
    contest = {"game": game.spec, "board": game.board.spec}
    # A file may change, and a board from a graph cannot be made from its text.
    return contest if game.board.structural else contest | {"digest": game.board.digest}


def around_table(group: tuple[int, ...], number: int) -> tuple[int, ...]:
    """A group in the order in which it sits around the table in an opening.

    Rotations do not change who moves after whom. So the orders take turns from opening to
    opening: with three players there are two, and with two players just one.

    >>> around_table((4, 7, 9), 0), around_table((4, 7, 9), 1)
    ((4, 7, 9), (4, 9, 7))
    """
    orders = _orders(len(group))
    return tuple(group[place] for place in orders[number % len(orders)])


@cache
def _orders(n: int) -> list[tuple[int, ...]]:
    """The orders around a table, shuffled, so that few openings have orders of all kinds."""
    orders = [(0, *others) for others in permutations(range(1, n))]
    return orders[:1] + sorted(orders[1:], key=lambda order: _digest(*order))


def _agent_identity(agent: Agent) -> list[Any]:
    return [agent.NAME, agent.options]


def _digest(*parts: Any) -> str:
    written = json.dumps(parts, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(written.encode()).hexdigest()[:32]
