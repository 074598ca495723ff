"""The plan of a tournament. It fixes every game, whoever plays it and when."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from topple.agents import Agent
from topple.arena.planning.openings import PLIES, openings
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

    pair: str  # identifies the two games from one opening with sides swapped
    side: int  # 0: the pairing's first agent has the first seat
    game: int  # index into the plan's games
    seats: tuple[int, int]  # indices into the plan's agents, first player first
    opening: tuple[int, ...]
    opening_number: int

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
    """Games on boards, agents, and how often each pairing of agents meets.

    Every pairing plays the same openings, each with sides swapped. A game depends on its
    own agents, board, seed and opening alone: it stays the same when a plan has more
    games, more agents, or lists them in another order.

    Raises
    ------
    BadText, Unsupported
        If the plan cannot be played.
    """

    games: tuple[Game, ...]  # each with its board
    agents: tuple[Agent, ...]
    n_games: int = GAMES  # per pairing and board
    seed: int = SEED
    plies: int = PLIES  # of random opening
    gauntlet: bool = False  # the first agent against all others, not all against all
    limits: Limits = field(default_factory=Limits)
    sprt: "Sprt | None" = None

    def __post_init__(self) -> None:
        self._check_agents()
        for game in self.games:
            if game.n_players != 2:
                raise Unsupported(
                    f"the arena is for two players, and {game.spec} has {game.n_players}"
                )
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
        if self.sprt and (len(self.agents) > 2 or len(self.games) > 1):
            raise BadText("a sequential test is for a match: two agents on one board")

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
            if len(specs) > 2 and specs.count(spec) > 1:
                raise BadText(f"agent {spec} is named twice: name it once")
            if len(spec) > LONGEST_NAME:
                raise BadText(
                    f"an agent's text of {len(spec)} characters does not fit into a record"
                )

    @cached_property
    def pairings(self) -> list[tuple[int, int]]:
        """The agents of each pairing, in an order that does not depend on how agents are listed."""
        everyone = range(len(self.agents))
        met = ((0, i) for i in everyone[1:]) if self.gauntlet else combinations(everyone, 2)
        return [(min(two, key=self._rank), max(reversed(two), key=self._rank)) for two in met]

    def _rank(self, agent: int) -> str:
        return json.dumps(_agent_identity(self.agents[agent]), sort_keys=True)

    @property
    def n_fixtures(self) -> int:
        """The number of games in the plan."""
        return len(self.games) * len(self.pairings) * self.n_games

    def fixtures(self) -> Iterator[Fixture]:
        """Every game, opening by opening, so that all pairings grow evenly."""
        drawn = [openings(game, self.seed, self.plies) for game in self.games]
        opening: tuple[int, ...] = ()
        for number, game, pairing, pair in self._pairs():
            if pairing == self.pairings[0]:
                opening = next(drawn[game]).moves
            for side in self._sides(number, pairing):
                seats = pairing if side == 0 else (pairing[1], pairing[0])
                yield Fixture(pair, side, game, seats, opening, number)

    def game_keys(self) -> Iterator[tuple[str, int]]:
        """The key of each fixture in order, without drawing openings."""
        for number, _, pairing, pair in self._pairs():
            for side in self._sides(number, pairing):
                yield pair, side

    def has(self, result: "Result") -> bool:
        """Whether a result is of a game of this plan."""
        contest, agents = (result.game, result.board_digest), frozenset(result.agents)
        game, pairing = self._contests.get(contest), self._pairing_of.get(agents)
        number = result.opening_number
        if game is None or pairing is None or number >= (self.n_games + 1) // 2:
            return False
        sides = self._sides(number, pairing)
        return result.side in sides and result.pair == self._pair(game, pairing, number)

    @cached_property
    def _contests(self) -> dict[tuple[str, str], int]:
        return {(game.spec, game.board.digest): i for i, game in enumerate(self.games)}

    @cached_property
    def _pairing_of(self) -> dict[frozenset[str], tuple[int, int]]:
        return {frozenset(self.agents[i].spec for i in pair): pair for pair in self.pairings}

    def _sides(self, number: int, pairing: tuple[int, int]) -> tuple[int, ...]:
        """The sides from which an opening is played.

        These are both, except for the last opening of an odd number of games: there the
        agent that was named first has the first seat.
        """
        if 2 * number + 1 < self.n_games:
            return (0, 1)
        return (0,) if pairing[0] < pairing[1] else (1,)

    def _pairs(self) -> Iterator[tuple[int, int, tuple[int, int], str]]:
        """The opening's number, the game, the pairing and the identifier of every pair."""
        for number in range((self.n_games + 1) // 2):
            for game in range(len(self.games)):
                for pairing in self.pairings:
                    yield number, game, pairing, self._pair(game, pairing, number)

    def _pair(self, game: int, pairing: tuple[int, int], number: int) -> str:
        """The identifier of two games, a digest of all that fixes them."""
        played = self.games[game]
        return _digest(
            played.name,
            played.kept_options,
            played.board.digest,
            [_agent_identity(self.agents[i]) for i in pairing],
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


def _agent_identity(agent: Agent) -> list[Any]:
    return [agent.NAME, agent.options]


def _digest(*parts: Any) -> str:
    written = json.dumps(parts, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(written.encode()).hexdigest()[:32]
