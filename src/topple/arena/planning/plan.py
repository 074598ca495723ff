"""Plan: what a tournament plays. It fixes every game, whoever plays it and when."""

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

SEED = 1  # unless another is asked for: the same command gives the same games
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
    """When an agent has lost by time, whatever limits it sets itself."""

    move_seconds: float = MOVE_SECONDS
    game_seconds: float | None = None  # for all of one agent's moves in a game


class Fixture(NamedTuple):
    """One game that is to be played: all that a worker must be told."""

    pair: str  # names the two games from one opening, sides swapped
    side: int  # 0: the pairing's first agent has the first seat
    game: int  # which of the plan's games
    seats: tuple[int, int]  # which of its agents, first player first
    opening: tuple[int, ...]
    opening_number: int

    @property
    def key(self) -> tuple[str, int]:
        """What identifies the game, in any store and for all time."""
        return self.pair, self.side

    @property
    def seed(self) -> int:
        """What fixes every random choice in the game."""
        return int(_digest(self.pair, self.side)[:15], 16)


@dataclass(frozen=True)
class Plan:
    """Games on boards, agents, and how often each two of them meet.

    Every pairing plays from the same openings, each with sides swapped. A game
    is fixed by its own agents, board, seed and opening alone: more games, more
    agents or another order of them leave it as it is.
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
        except Exception as error:  # an agent of somebody else's
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
                    f"{game.spec} on {seen[key]} and on {game.board.spec} is the same: name it once"
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
        """Who meets whom, in an order that does not depend on how the agents are listed."""
        everyone = range(len(self.agents))
        met = ((0, i) for i in everyone[1:]) if self.gauntlet else combinations(everyone, 2)
        return [(min(two, key=self._rank), max(reversed(two), key=self._rank)) for two in met]

    def _rank(self, agent: int) -> str:
        return json.dumps(_agent_identity(self.agents[agent]), sort_keys=True)

    @property
    def n_fixtures(self) -> int:
        """The number of all games."""
        return len(self.games) * len(self.pairings) * self.n_games

    def fixtures(self) -> Iterator[Fixture]:
        """Every game, opening by opening, so that all tables fill evenly."""
        drawn = [openings(game, self.seed, self.plies) for game in self.games]
        opening: tuple[int, ...] = ()
        for number, game, pairing, pair in self._pairs():
            if pairing == self.pairings[0]:
                opening = next(drawn[game]).moves
            for side in self._sides(number, pairing):
                seats = pairing if side == 0 else (pairing[1], pairing[0])
                yield Fixture(pair, side, game, seats, opening, number)

    def game_keys(self) -> Iterator[tuple[str, int]]:
        """What names each game, in the order of the fixtures, without drawing openings."""
        for number, _, pairing, pair in self._pairs():
            for side in self._sides(number, pairing):
                yield pair, side

    def has(self, result: "Result") -> bool:
        """Whether a game is one of this plan's."""
        contest, agents = (result.game, result.board_digest), frozenset(result.agents)
        game, pairing = self._contests.get(contest), self._encounters.get(agents)
        number = result.opening_number
        if game is None or pairing is None or number >= (self.n_games + 1) // 2:
            return False
        sides = self._sides(number, pairing)
        return result.side in sides and result.pair == self._pair(game, pairing, number)

    @cached_property
    def _contests(self) -> dict[tuple[str, str], int]:
        return {(game.spec, game.board.digest): i for i, game in enumerate(self.games)}

    @cached_property
    def _encounters(self) -> dict[frozenset[str], tuple[int, int]]:
        return {frozenset(self.agents[i].spec for i in pair): pair for pair in self.pairings}

    def _sides(self, number: int, pairing: tuple[int, int]) -> tuple[int, ...]:
        """The sides from which an opening is played: both, but for the last of an odd number.

        Then the agent that was named first begins.
        """
        if 2 * number + 1 < self.n_games:
            return (0, 1)
        return (0,) if pairing[0] < pairing[1] else (1,)

    def _pairs(self) -> Iterator[tuple[int, int, tuple[int, int], str]]:
        """Number of the opening, game and pairing of every pair, and its name."""
        for number in range((self.n_games + 1) // 2):
            for game in range(len(self.games)):
                for pairing in self.pairings:
                    yield number, game, pairing, self._pair(game, pairing, number)

    def _pair(self, game: int, pairing: tuple[int, int], number: int) -> str:
        """What names two games, made of all that fixes them."""
        played = self.games[game]
        return _digest(
            played.name,
            played.options,
            played.board.digest,
            [_agent_identity(self.agents[i]) for i in pairing],
            self.seed,
            self.plies,
            number,
            # A test that stops early takes games back: they must be its own.
            None if self.sprt is None else str(self.sprt),
        )

    def settings(self) -> dict[str, Any]:
        """The plan as plain data, from which `topple.arena.planning.settings` makes it again."""
        given: dict[str, Any] = {
            "agents": [agent.spec for agent in self.agents],
            "games": self.n_games,
            "seed": self.seed,
            "plies": self.plies,
            "gauntlet": self.gauntlet,
            "move-time": self.limits.move_seconds,
            "game-time": self.limits.game_seconds,
            "sprt": None if self.sprt is None else str(self.sprt),
            "contests": [_contest(game) for game in self.games],
        }
        return {name: value for name, value in given.items() if value is not None}


def _contest(game: Game) -> dict[str, str]:
    contest = {"game": game.spec, "board": game.board.spec}
    # A file may change, and a graph has no text that makes it again.
    return contest if game.board.structural else contest | {"digest": game.board.digest}


def _agent_identity(agent: Agent) -> list[Any]:
    return [agent.NAME, agent.options]


def _digest(*parts: Any) -> str:
    written = json.dumps(parts, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(written.encode()).hexdigest()[:32]
