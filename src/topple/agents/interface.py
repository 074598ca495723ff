"""Agent and Player: what all search methods have in common."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Any, ClassVar

from topple.agents.decision import Decision
from topple.agents.search import Search, parts
from topple.compiling.rng import make_rng
from topple.compiling.specialise import Kernel
from topple.core.errors import BadModule, IllegalMove, Unsupported
from topple.core.outside import place_of
from topple.core.spec import Option, format_spec, read_options
from topple.core.stopping import Stop
from topple.game import Game, Position

REPORT_EVERY = 0.1  # seconds between two interim decisions
# Interim decisions may take at most one part in so many of the time of a search.
INTERIM_SHARE = 5.0

TIME = Option("time", None, float, "seconds for each move", least=0.001, most=86_400)
EVALUATION = Option("evaluation", None, str, "one of the game's evaluations, by default its first")
WEIGHTS = Option("weights", None, str, "weights of the game's features instead, separated by /")


class Agent(ABC):
    """A search method with its options. Make one with `topple.agent`.

    An agent has no memory: for the same position and seed it decides the same,
    unless it is limited by time. `begin` returns a `Player` that can remember
    what it found earlier in the same game.
    """

    NAME: ClassVar[str]
    SUMMARY: ClassVar[str]
    OPTIONS: ClassVar[tuple[Option, ...]] = ()
    KERNELS: ClassVar[tuple[Kernel, ...]] = ()  # compiled ahead
    MOST_PLAYERS: ClassVar[int] = 8
    PLAYS_CHANCE: ClassVar[bool] = False  # whether it reckons with moves that depend on chance
    NEEDS_NET: ClassVar[bool] = False  # whether it plays only where a network fits the game
    RUNS_PROGRAMS: ClassVar[bool] = False  # external ones; pages and lists must not offer it

    def __init__(self, **options: object) -> None:
        self.options: dict[str, Any] = read_options(self.NAME, self.OPTIONS, options)

    @property
    def spec(self) -> str:
        """The text that names this agent, with those options that differ from the defaults.

        >>> import topple
        >>> topple.agent("montecarlo:samples=50").spec
        'montecarlo:samples=50'
        """
        defaults = {option.name: option.default for option in self.OPTIONS}
        chosen = {name: v for name, v in self.options.items() if v != defaults[name]}
        return format_spec(self.NAME, (), chosen)

    @abstractmethod
    def search(self, position: Position, seed: int, memory: object = None) -> Search:
        """Begin a search of a position that is not over.

        `memory` is what `Search.memory` returned at this player's last move, or None.
        """

    def check_game(self, game: Game) -> None:
        """Refuse a game that lacks what this agent needs.

        Raises
        ------
        Unsupported
            If something is missing; the message says what.
        """
        if game.n_players > self.MOST_PLAYERS:
            raise Unsupported(
                f"{self.NAME} is for {self.MOST_PLAYERS} players, "
                f"and {game.spec} has {game.n_players}"
            )
        if game.has_chance and not self.PLAYS_CHANCE:
            raise Unsupported(
                f"{self.NAME} does not reckon with chance, which {game.spec} has: "
                "greedy, montecarlo, pruning, uct and sds-tree do"
            )
        if any(option is EVALUATION for option in self.OPTIONS):
            self.knowledge(game)

    def knowledge(self, game: Game) -> Any:
        """What the kernels need to evaluate positions."""
        return game.knowledge(self.options["evaluation"], self.options["weights"])

    def kernels(self, game: Game) -> tuple[Kernel, ...]:
        """The kernels that a search of this game runs, to be compiled ahead."""
        return self.KERNELS

    def warm(self, game: Game) -> None:
        """Compile or load what a search of this game needs, before any clock runs."""
        if not all(kernel in game.kernels.called for kernel in self.kernels(game)):
            self.rehearse(game.rehearsed)

    def rehearse(self, game: Game) -> None:
        """Call every kernel once, with little to do."""
        search = self.search(game.start(), 0)
        search.advance(1)
        search.decision()

    def time_for_move(self, position: Position, memory: object) -> float | None:
        """Seconds for this move; None without a time limit."""
        seconds: float | None = self.options.get("time")
        return seconds

    def choose(self, position: Position, seed: int = 0) -> Decision:
        """Search a position to the limits of the options, and decide.

        Raises
        ------
        IllegalMove
            If the game is over.
        Unsupported
            If the game lacks what this agent needs.
        """
        return self.begin(seed).search_to_the_end(position, seed)

    def think(
        self, position: Position, seed: int = 0, stop: Stop | None = None
    ) -> Iterator[Decision]:
        """Search as `choose` does, but yield interim decisions; the last one is final.

        Setting `stop`, for example a `threading.Event`, ends the search: the next
        decision is then the final one.
        """
        yield from self.begin(seed).think_with(position, seed, stop=stop)

    def begin(self, seed: int = 0) -> "Player":
        """Begin a game; the seed determines all random choices in it."""
        return Player(self, seed)

    def __repr__(self) -> str:
        return f"<Agent {self.spec}>"


class Player:
    """An agent in one game, which can remember what it found at its last move."""

    def __init__(self, agent: Agent, seed: int) -> None:
        self.agent = agent
        self.seed = seed
        self.memory: object = None
        self.line: Sequence[int] | None = None  # the game's moves so far, if they are recorded
        self._game: Game | None = None  # the last game that was checked

    def choose(self, position: Position, ply: int) -> Decision:
        """Choose the move at a ply of the game, counted from 0."""
        return self.search_to_the_end(position, self.seed_at(ply))

    def think(self, position: Position, ply: int, stop: Stop | None = None) -> Iterator[Decision]:
        """Choose as `choose` does, but yield interim decisions, until `stop` is set."""
        yield from self.think_with(position, self.seed_at(ply), stop=stop)

    def seed_at(self, ply: int) -> int:
        """The seed of one move of the game."""
        return int(make_rng(self.seed, ply)[0])

    def search_to_the_end(self, position: Position, seed: int) -> Decision:
        """Search to the limits with a given seed."""
        return list(self.think_with(position, seed, every=None))[-1]

    def think_with(
        self,
        position: Position,
        seed: int,
        every: float | None = REPORT_EVERY,
        stop: Stop | None = None,
    ) -> Iterator[Decision]:
        """Search with a given seed, yielding a decision about every `every` seconds.

        However the search ends, its memory is kept for the next move.
        """
        self._check(position)
        began = last = perf_counter()
        deadline = self._deadline(position, began)
        # Drop the reference: the search takes the memory over and may free parts of it.
        memory, self.memory = self.memory, None
        search = self._begin_search(position, seed, memory)
        del memory
        try:
            for _ in parts(search, deadline):
                if stop is not None and stop.is_set():
                    break
                if every is None:
                    continue
                if perf_counter() - last >= max(every, INTERIM_SHARE * search.closing_time()):
                    yield self._decision(search).timed(perf_counter() - began)
                    last = perf_counter()
            decision = self._decision(search)
        finally:
            self.memory = search.memory()
            search.close()
        yield decision.timed(perf_counter() - began)

    def _begin_search(self, position: Position, seed: int, memory: object) -> Search:
        try:
            search = self.agent.search(position.seen(), seed, memory)
        except MemoryError:
            raise Unsupported(
                f"{self.agent.spec} needs more memory than this machine has: lower its limits"
            ) from None
        if not isinstance(search, Search):
            raise BadModule(
                f"{place_of(type(self.agent).search)}: search of {self.agent.NAME} gives "
                f"{search!r:.60}: return a topple.agents.Search"
            )
        if callable(search.is_done):
            raise BadModule(
                f"{place_of(search.is_done)}: is_done of {type(search).__name__} is a method: mark "
                "it with @property"
            )
        return search

    def _decision(self, search: Search) -> Decision:
        """What a search decides."""
        decision = search.decision()
        if not isinstance(decision, Decision):
            raise BadModule(
                f"{place_of(type(search).decision)}: decision of {self.agent.NAME} gives "
                f"{decision!r:.60}: return a topple.agents.Decision"
            )
        return decision

    def _check(self, position: Position) -> None:
        """Refuse a position that cannot be searched; compile the kernels if necessary."""
        if position.is_over:
            raise IllegalMove(f"the game is over: {position.result_text()}")
        if position.game is not self._game:
            self.agent.check_game(position.game)
            self._game = position.game
        self.agent.warm(position.game)

    def _deadline(self, position: Position, began: float) -> float | None:
        """The time by which to move; immediately if there is only one legal move."""
        seconds = self.agent.time_for_move(position, self.memory)
        if seconds is None:
            return None
        return began + (seconds if len(position.legal_moves()) > 1 else 0.0)
