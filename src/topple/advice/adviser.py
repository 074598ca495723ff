"""How advice is found: which moves are tried, how they are rated, and what that costs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from topple.advice.baselines import SIMULATIONS, TITLES, Scores, all_baselines
from topple.advice.quick_games import QuickGames, game_seconds
from topple.advice.result import (
    Advice,
    Baseline,
    Games,
    Rated,
    difference,
    played,
    win_probability,
)
from topple.advice.sequential_halving import FRESH, SequentialHalving, rounds
from topple.advice.tokens import check_game
from topple.agents import Agent, agent
from topple.agents.decision import LOST, WON, Candidate, proven_by_status
from topple.arena.statistics.rates import Estimate
from topple.core.errors import BadText, Unsupported
from topple.core.processes import n_cores
from topple.core.stopping import Stop
from topple.game import Game, Position
from topple.rules.interface import STATUS

TOP, GAMES, LOOKS, CANDIDATES, SEED = 10, 300, 24, 64, 1
PROVER = "perfect:nodes=50000"  # the agent that looks for proven moves
MOST_PROVABLE = 1000  # vertices of a board on which it does
LONGEST = 24 * 3600.0  # seconds; longer computations are refused

Report = Callable[[int, int], None]  # receives the number of games played and of all games


@dataclass(frozen=True)
class AdviceSettings:
    """The options of `topple.advise`, with `n_draws` for its `simulations`."""

    top: int = TOP
    games: int = GAMES
    looks: int = LOOKS
    candidates: int = CANDIDATES
    seed: int = SEED
    n_draws: int = SIMULATIONS
    workers: int | None = None

    def __post_init__(self) -> None:
        for name in ("top", "games", "looks", "candidates", "n_draws"):
            if getattr(self, name) < 1:
                raise BadText(f"{name} is at least 1, not {getattr(self, name)}")
        if self.workers is not None and self.workers < 1:
            raise BadText(f"workers is at least 1, not {self.workers}")

    @property
    def n_threads(self) -> int:
        """The number of threads that play."""
        return self.workers or n_cores()


def check(position: Position, settings: AdviceSettings) -> None:
    """Refuse a position on which no advice can be given.

    Raises
    ------
    BadText
        If the game is over.
    Unsupported
        If it is another game than Spread-It, or would take too long.
    """
    check_game(position.game)
    if position.is_over:
        raise BadText(f"there is nothing to advise, the game is over: {position.result_text()}")
    seconds = expected_seconds(position, settings)
    if seconds > LONGEST:
        raise Unsupported(
            f"this would take about {seconds / 3600:,.0f} hours on {settings.n_threads} cores: "
            "give fewer tokens, games, candidates or looks"
        )


def planned_games(position: Position, settings: AdviceSettings) -> int:
    """The largest number of games that will be played."""
    n_moves = min(len(position.legal_moves()), max(settings.candidates, len(TITLES)))
    choosing = sum(n_live * n_games for n_live, n_games in rounds(n_moves))
    return choosing + min(settings.top + len(TITLES), n_moves) * settings.games


def expected_seconds(position: Position, settings: AdviceSettings) -> float:
    """A rough upper estimate of the time that advice takes."""
    each = game_seconds(position, settings.looks)
    return planned_games(position, settings) * each / settings.n_threads


def helper_agents(game: Game) -> list[Agent]:
    """The agents that propose candidates and look for proofs on a game's board."""
    return [agent("greedy"), *provers(game)]


def provers(game: Game) -> list[Agent]:
    """The agent that looks for proven moves, or none on a large board."""
    prover = agent(PROVER)
    try:
        prover.check_game(game)
    except Unsupported:
        return []
    return [prover] if game.board.n_vertices <= MOST_PROVABLE else []


class Adviser:
    """Chooses moves of a position by one set of games, and rates them by another."""

    def __init__(
        self,
        position: Position,
        settings: AdviceSettings,
        stop: Stop | None = None,
        report: Report | None = None,
    ) -> None:
        self.position, self.settings = position.seen(), settings
        self.stop, self.report = stop, report
        self.n_played = 0
        self.baselines = all_baselines(position, settings.seed, settings.n_draws)
        self.greedy = agent("greedy").choose(self.position).candidates
        self.endings = self._moves_that_end()
        self.proven = self._proven_moves()

    def run(self) -> Advice:
        """Play all games, or until stopped, and conclude."""
        settings = self.settings
        quick_games = QuickGames(self.position, settings.looks, settings.seed, settings.n_threads)
        candidates = self._candidates()
        halving = SequentialHalving(quick_games, candidates, self.endings)
        halving.run(self.stop, self._count)
        # Proven wins come first and proven losses last.
        classes = {WON: 0, LOST: 2}
        order = sorted(halving.order(), key=lambda m: classes.get(self.proven.get(m, ""), 1))
        order = order[: settings.top]
        wanted = list(dict.fromkeys([*order, *(each.choice for each in self.baselines)]))
        fresh = self._fresh_games(quick_games, [m for m in wanted if m not in self.endings])
        is_fresh = all(len(played(games)) for games in fresh.values())
        rated = self._rate(order[0], wanted, fresh if is_fresh else halving.games)
        return Advice(
            position=self.position,
            rows=tuple(rated[move] for move in order),
            baselines=tuple(
                Baseline(each.name, TITLES[each.name], rated[each.choice], each.values)
                for each in self.baselines
            ),
            seed=settings.seed,
            looks=settings.looks,
            n_draws=settings.n_draws,
            n_played=self.n_played,
            tried={move: (1 + halving.mean(move)) / 2 for move in candidates},
            is_fresh=is_fresh,
            is_complete=not self._is_stopped(),
        )

    def _is_stopped(self) -> bool:
        return self.stop is not None and self.stop.is_set()

    def _count(self, n_games: int) -> None:
        self.n_played += n_games
        if self.report is not None:
            total = max(self.n_played, planned_games(self.position, self.settings))
            self.report(self.n_played, total)

    def _moves_that_end(self) -> dict[int, int]:
        """The moves that end the game, with the result for the player to move.

        With chance no move is known to.
        """
        player, found = self.position.player, {}
        for move in sorted(each.move for each in self.greedy if self._may_end(each)):
            after = self.position.play(move)
            if after.is_over:
                gets = after.returns()[player]
                found[move] = int(gets == 1) - int(gets < 0)
        return found

    def _may_end(self, candidate: Candidate) -> bool:
        """Whether a move may end the game: a win that is shared is no proof for one player."""
        game = self.position.game
        return not game.has_chance and (candidate.proven is not None or game.n_players > 2)

    def _proven_moves(self) -> dict[int, str]:
        """The moves whose value is known, by the end of the game or by a short exact search."""
        found = {}
        player = self.position.player
        for move in self.endings:
            status = int(self.position.play(move).state[STATUS])
            found[move] = proven_by_status(status, player) or ""
        for prover in provers(self.position.game):
            for each in prover.choose(self.position).candidates:
                if each.proven is not None:
                    found[each.move] = each.proven
        return found

    def _candidates(self) -> list[int]:
        """The moves to try: all of them, or those that some method ranks highest."""
        legal, most = list(self.position.legal_moves()), self.settings.candidates
        if len(legal) <= most:
            return legal
        rankings = [sorted(legal, key=_by_score(each)) for each in self.baselines]
        rankings.append([each.move for each in self.greedy])
        won = [move for move, proof in self.proven.items() if proof == WON]
        chosen = dict.fromkeys([*won, *(each.choice for each in self.baselines)])
        for rank in range(len(legal)):
            for ranking in rankings:
                if len(chosen) < max(most, len(TITLES)):
                    chosen[ranking[rank]] = None
        return sorted(chosen)

    def _fresh_games(self, quick_games: QuickGames, moves: Sequence[int]) -> dict[int, Games]:
        """Games that did not influence the choice, after each of some moves."""
        if self._is_stopped() or not moves:
            return {move: np.zeros(0, dtype=np.int8) for move in moves}
        numbers = 0, self.settings.games
        results = quick_games.play(FRESH, moves, numbers, self.stop, self._count)
        return dict(zip(moves, results, strict=True))

    def _rate(
        self, first: int, moves: Sequence[int], games: Mapping[int, Games]
    ) -> dict[int, Rated]:
        """The moves with everything known of them; `first` is the first choice."""
        legal = self.position.legal_moves()
        ranks = {each.name: each.ranks(legal) for each in self.baselines}
        return {
            move: Rated(
                vertex=move,
                label=self.position.game.move_text(move),
                wins=self._wins(move, games),
                drawn=self._drawn(move, games),
                games=0 if move in self.endings else len(played(games[move])),
                behind=self._behind(first, move, games),
                ranks={name: by_vertex[move] for name, by_vertex in ranks.items()},
                proven=self.proven.get(move),
            )
            for move in moves
        }

    def _wins(self, move: int, games: Mapping[int, Games]) -> Estimate:
        if move in self.endings:
            value = (1 + self.endings[move]) / 2
            return Estimate(value, value, value)
        return win_probability(games[move])

    def _drawn(self, move: int, games: Mapping[int, Games]) -> float:
        if move in self.endings:
            return float(self.endings[move] == 0)
        ended = played(games[move])
        return float((ended == 0).mean()) if len(ended) else 0.0

    def _behind(self, first: int, move: int, games: Mapping[int, Games]) -> Estimate:
        """The first choice's win probability minus this move's."""
        if move == first:
            return Estimate(0.0, 0.0, 0.0)
        if first in self.endings and move in self.endings:
            value = (self.endings[first] - self.endings[move]) / 2
            return Estimate(value, value, value)
        # A move that ends the game has the same result in every game.
        n_games = max((len(each) for each in games.values()), default=0)
        pair = [
            np.full(n_games, self.endings[each], dtype=np.int8)
            if each in self.endings
            else games[each]
            for each in (first, move)
        ]
        return difference(pair[0], pair[1])


def _by_score(scores: Scores) -> Callable[[int], tuple[float, int]]:
    return lambda vertex: (-scores.values[vertex], vertex)
