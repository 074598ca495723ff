"""Advice from Python: which vertex to take next, and what the usual methods would lose."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from topple.advice.baselines import SIMULATIONS, TITLES, Scores, all_baselines
from topple.advice.choosing import FRESH, Choosing, rounds
from topple.advice.contest import UNPLAYED, Contest, game_seconds
from topple.advice.result import Advice, Baseline, Games, Rated, difference, win_probability
from topple.advice.tokens import check_game
from topple.agents import Agent, agent
from topple.agents.decision import LOST, WON, proven_by_status
from topple.arena.statistics.rates import Estimate
from topple.core.errors import BadText, Unsupported
from topple.core.processes import n_cores
from topple.core.stopping import Stop
from topple.game.game import Game
from topple.game.position import Position
from topple.kernels.quick_games import play_games
from topple.kernels.seeding import count_won
from topple.rules.interface import STATUS

TOP, GAMES, LOOKS, CANDIDATES, SEED = 10, 300, 24, 64, 1
PROOF = "perfect:nodes=50000"  # what is tried to find moves that surely win
MOST_PROVABLE = 1000  # vertices of a board on which it is tried
LONGEST = 24 * 3600.0  # seconds; what would take longer is not begun

KERNELS = (play_games, count_won)  # what advice runs beside its agents

Report = Callable[[int, int], None]  # is told the games that are over, and all


@dataclass(frozen=True)
class Settings:
    """How much is spent on advice, and on what."""

    top: int = TOP
    games: int = GAMES
    looks: int = LOOKS
    candidates: int = CANDIDATES
    seed: int = SEED
    n_draws: int = SIMULATIONS
    workers: int | None = None

    def __post_init__(self) -> None:
        least = {"top": 1, "games": 1, "looks": 1, "candidates": 1, "n_draws": 1}
        for name, smallest in least.items():
            if getattr(self, name) < smallest:
                raise BadText(f"{name} is at least {smallest}, not {getattr(self, name)}")
        if self.workers is not None and self.workers < 1:
            raise BadText(f"workers is at least 1, not {self.workers}")


def advise(
    what: Game | Position,
    *,
    top: int = TOP,
    games: int = GAMES,
    looks: int = LOOKS,
    candidates: int = CANDIDATES,
    seed: int = SEED,
    simulations: int = SIMULATIONS,
    workers: int | None = None,
    stop: Stop | None = None,
    report: Report | None = None,
) -> Advice:
    """Rank the next moves of a position of Spread-It by win probability.

    The win probability of a move is the share of games won, draws counted half, if
    it is played and both sides then play as quick players do: each draws `looks`
    legal moves, looks one move ahead at each by the game's evaluation, and takes the
    best. Moves are chosen by one set of games and rated by another.

    Parameters
    ----------
    what : Game or Position
        Spread-It on any board, from the start or from a position.
    top : int
        How many moves to rate.
    games : int
        Fresh games after each of these, and after the baselines' choices.
    looks : int
        How many moves a quick player looks at; more play better and take longer.
    candidates : int
        How many moves are tried at most. Where there are more, those that the
        baselines rank highest and those that look best at once.
    seed : int
        Fixes every random choice.
    simulations : int
        Draws for the greedy choice of seeds.
    workers : int, optional
        Threads; by default one for each core. The answer does not depend on it.
    stop : threading.Event, optional
        Ends it when set: what is known so far is the answer.
    report : callable, optional
        Is told how many games are over, and how many there will be.

    Raises
    ------
    BadText
        If the game is over, or a number is out of range.
    Unsupported
        If it is another game, or would take longer than a day.

    Examples
    --------
    >>> import topple
    >>> game = topple.load("spread-it", board="karate", loyalty="full")
    >>> advice = topple.advise(game, top=3, games=20)
    >>> len(advice.rows), [each.name for each in advice.baselines]
    (3, ['degree', 'pagerank', 'betweenness', 'greedy'])
    """
    position = what.start() if isinstance(what, Game) else what
    settings = Settings(top, games, looks, candidates, seed, simulations, workers)
    check(position, settings)
    return Advising(position, settings, stop, report).run()


def check(position: Position, settings: Settings) -> None:
    """Refuse what cannot be advised on.

    Raises
    ------
    BadText
        If the game is over.
    Unsupported
        If it is another game, or would take too long.
    """
    check_game(position.game)
    if position.is_over:
        raise BadText(f"there is nothing to advise, the game is over: {position.result_text()}")
    seconds = expected_seconds(position, settings)
    if seconds > LONGEST:
        raise Unsupported(
            f"this would take about {seconds / 3600:,.0f} hours on {threads(settings)} cores: give "
            "fewer tokens, games, candidates or looks"
        )


def helpers(game: Game) -> list[Agent]:
    """The agents that are asked about candidates and proofs, as far as they can be."""
    found = [agent("greedy")]
    prover = agent(PROOF)
    try:
        prover.check_game(game)
    except Unsupported:  # too large for it
        return found
    return [*found, prover] if game.board.n_vertices <= MOST_PROVABLE else found


def threads(settings: Settings) -> int:
    """How many threads play."""
    return settings.workers or n_cores()


def planned_games(position: Position, settings: Settings) -> int:
    """How many games there will be, at most."""
    n_moves = min(len(position.legal_moves()), max(settings.candidates, len(TITLES)))
    choosing = sum(n_live * n_games for n_live, n_games in rounds(n_moves))
    return choosing + min(settings.top + len(TITLES), n_moves) * settings.games


def expected_seconds(position: Position, settings: Settings) -> float:
    """About how long it will take, at most."""
    each = game_seconds(position, settings.looks)
    return planned_games(position, settings) * each / threads(settings)


@dataclass
class Advising:
    """A position on which advice is being sought."""

    position: Position
    settings: Settings
    stop: Stop | None = None
    report: Report | None = None
    n_played: int = 0
    proven: dict[int, str] = field(default_factory=dict)  # moves whose worth is known

    def run(self) -> Advice:
        """Choose, then rate by fresh games."""
        settings, position = self.settings, self.position
        self.baselines = all_baselines(position, settings.seed, settings.n_draws)
        self.over = self._moves_that_end()
        self.proven = self._prove()
        contest = Contest(position, settings.looks, settings.seed, threads(settings))
        candidates = self._candidates()
        choosing = Choosing(contest, candidates, self.over)
        choosing.run(self.stop, self._count)
        # What is proven won comes first, what is proven lost last.
        classes = {WON: 0, LOST: 2}
        order = sorted(choosing.order(), key=lambda m: classes.get(self.proven.get(m, ""), 1))
        order = order[: settings.top]
        choices = [each.choice for each in self.baselines]
        wanted = list(dict.fromkeys([*order, *choices]))
        fresh = self._play_fresh(contest, [move for move in wanted if move not in self.over])
        is_fresh = all(len(fresh[move]) for move in wanted if move not in self.over)
        played = fresh if is_fresh else {**fresh, **choosing.games}
        rated = self._rate(order[0], wanted, played)
        return Advice(
            position=position,
            rows=tuple(rated[move] for move in order),
            baselines=tuple(
                Baseline(each.name, TITLES[each.name], rated[each.choice], each.values)
                for each in self.baselines
            ),
            seed=settings.seed,
            looks=settings.looks,
            n_draws=settings.n_draws,
            n_played=self.n_played,
            tried={move: (1 + choosing.mean(move)) / 2 for move in candidates},
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
        """The moves that end the game, with the result for the player to move."""
        player, found = self.position.player, {}
        for move in self.position.legal_moves():
            after = self.position.play(move)
            if after.is_over:
                found[move] = int(after.returns()[player])
        return found

    def _prove(self) -> dict[int, str]:
        """What exact play shows of the moves, as far as a little search goes."""
        found = {}
        player = self.position.player
        for move in self.over:
            status = int(self.position.play(move).state[STATUS])
            found[move] = proven_by_status(status, player) or ""
        for prover in helpers(self.position.game)[1:]:
            for each in prover.choose(self.position).candidates:
                if each.proven is not None:
                    found[each.move] = each.proven
        return found

    def _candidates(self) -> list[int]:
        """The moves that are tried: all, or those that some method thinks well of."""
        legal, most = list(self.position.legal_moves()), self.settings.candidates
        if len(legal) <= most:
            return legal
        ranked = [sorted(legal, key=_by(each)) for each in self.baselines]
        ranked.append([each.move for each in agent("greedy").choose(self.position).candidates])
        won = [move for move, proof in self.proven.items() if proof == WON]
        chosen = dict.fromkeys([*won, *(each.choice for each in self.baselines)])
        for place in range(len(legal)):
            for moves in ranked:
                if len(chosen) < max(most, len(TITLES)):
                    chosen[moves[place]] = None
        return sorted(chosen)

    def _play_fresh(self, contest: Contest, moves: Sequence[int]) -> dict[int, Games]:
        """Games that had no say in the choice."""
        nothing = np.zeros(0, dtype=np.int8)
        if self._is_stopped() or not moves:
            return dict.fromkeys(moves, nothing)
        limits = 0, self.settings.games
        results = contest.play(FRESH, moves, limits, self.stop, self._count)
        return {move: _played(row) for move, row in zip(moves, results, strict=True)}

    def _rate(self, first: int, moves: Sequence[int], games: dict[int, Games]) -> dict[int, Rated]:
        """The moves with all that is known of them."""
        legal = self.position.legal_moves()
        ranks = {each.name: each.ranks(legal) for each in self.baselines}
        return {
            move: Rated(
                vertex=move,
                label=self.position.game.move_text(move),
                wins=self._wins(move, games),
                drawn=self._drawn(move, games),
                games=len(games.get(move, ())),
                behind=self._behind(first, move, games),
                ranks={name: places[move] for name, places in ranks.items()},
                proven=self.proven.get(move),
            )
            for move in moves
        }

    def _wins(self, move: int, games: dict[int, Games]) -> Estimate:
        if move in self.over:
            value = (1 + self.over[move]) / 2
            return Estimate(value, value, value)
        return win_probability(games[move])

    def _drawn(self, move: int, games: dict[int, Games]) -> float:
        if move in self.over:
            return float(self.over[move] == 0)
        return float((games[move] == 0).mean()) if len(games[move]) else 0.0

    def _behind(self, first: int, move: int, games: dict[int, Games]) -> Estimate:
        """The first choice's win probability less this one's."""
        if move == first:
            return Estimate(0.0, 0.0, 0.0)
        n_games = max((len(played) for played in games.values()), default=0)
        if first in self.over and move in self.over:
            value = (self.over[first] - self.over[move]) / 2
            return Estimate(value, value, value)
        pair = [
            np.full(n_games, self.over[each], dtype=np.int8) if each in self.over else games[each]
            for each in (first, move)
        ]
        return difference(pair[0], pair[1])


def _by(scores: Scores) -> Callable[[int], tuple[float, int]]:
    return lambda vertex: (-scores.values[vertex], vertex)


def _played(row: Games) -> Games:
    played: Games = row[row != UNPLAYED]
    return played
