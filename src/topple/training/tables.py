"""Tables: many games of self-play on one board, and what is learned from them."""

import numpy as np
from numpy.typing import NDArray

from topple.compiling.rng import make_rng
from topple.game import Game
from topple.kernels.playout import random_game
from topple.kernels.puct import PuctScratch, PuctSettings
from topple.kernels.self_play import (
    OVER,
    STOPPED,
    GumbelSettings,
    Table,
    advance_and_write,
    advance_table,
    begin_game,
    play_round,
)
from topple.nets.forward import make_scratch
from topple.nets.net import Design, Net
from topple.nets.shelf import slots_of
from topple.training.lessons import End, Lesson, make_lesson
from topple.training.settings import TrainingSettings

MOST_KEPT_CHILDREN = 16  # of a node below the root
EXPLORATION, FPU = 0.9, 0.1  # of the search below the root
SAMPLE, MOST_PLIES = 16, 10_000  # random games that tell how long games are


def visit_schedule(n_considered: int, n_simulations: int) -> NDArray[np.int32]:
    """How often the next child has been visited, for each number of children and simulation.

    Sequential halving: all children get as many visits, then the better half of them, and so on.

    >>> visit_schedule(2, 6)[2].tolist()
    [0, 0, 1, 1, 2, 2]
    >>> visit_schedule(4, 8)[4].tolist()
    [0, 0, 0, 0, 1, 1, 2, 2]
    """
    schedule = np.zeros((n_considered + 1, n_simulations), dtype=np.int32)
    for n in range(1, n_considered + 1):
        row: list[int] = []
        halvings, left, visits = max((n - 1).bit_length(), 1), n, 0
        while len(row) < n_simulations:
            for _ in range(max(1, n_simulations // (halvings * left))):
                row += [visits] * left
                visits += 1
            left = max(2, left // 2) if n > 1 else 1
        schedule[n] = row[:n_simulations]
    return schedule


class GameTable:
    """Games of self-play on one board, which a network plays."""

    def __init__(
        self, game: Game, settings: TrainingSettings, n_games: int, path: tuple[int, ...]
    ) -> None:
        """Begin the games; `path` fixes all that is drawn, below the settings' seed."""
        self.game, self.sight = game, game.sight[1]
        self.gumbel, self.estimates = gumbel_settings(settings), settings.estimates
        self.table = _make_table(game, settings, n_games, slots_of(game))
        self.scratch = PuctScratch(
            root=game.scratch_state(),
            state=game.scratch_state(),
            returns=np.zeros(game.n_players),
            path=np.zeros(self.table.path.shape[1], dtype=np.int32),
            movers=np.zeros(self.table.path.shape[1], dtype=np.int32),
            counts=np.zeros(3, dtype=np.int64),
        )
        for i in range(n_games):
            self.table.rng[i] = make_rng(settings.seed, *path, i)
            game.run(begin_game, self.table, i, self.gumbel)
        self.advance()

    @property
    def n_games(self) -> int:
        """The number of games."""
        return len(self.table.status)

    @property
    def is_empty(self) -> bool:
        """Whether no game is being played any more."""
        return bool((self.table.status == STOPPED).all())

    def advance(self) -> None:
        """Take the answers and run every game to its next leaf."""
        n_state = self.game.sizes.state
        self.game.run(advance_table, self.table, self.scratch, self.gumbel, n_state)

    def play(self, design: Design, net: Net, n_rounds: int) -> None:
        """Play rounds with a network that is evaluated here."""
        net_scratch = make_scratch(design, self.game)
        rest = (self.sight, net, net_scratch, self.game.sizes.state, n_rounds)
        self.game.run(play_round, self.table, self.scratch, self.gumbel, *rest)

    def advance_and_write(self, planes: NDArray[np.float32], views: NDArray[np.int32]) -> None:
        """Advance, and write what waits for an answer: planes of the position, and views."""
        rest = (self.scratch, self.gumbel, self.game.sizes.state, planes, views)
        self.game.run(advance_and_write, self.table, *rest)

    def ask_again(self) -> None:
        """Forget what waits for an answer: the searches go on and ask anew."""
        self.table.length[:] = 0

    def answer_in(self, answer: NDArray[np.float32], results: NDArray[np.float32]) -> None:
        """Take answers from these arrays from now on."""
        self.table = self.table._replace(answer=answer, results=results)

    def harvest(self, *, restart: bool) -> list[Lesson]:
        """The lessons of the games that are over, which are started again or stopped."""
        lessons = []
        for i in np.flatnonzero(self.table.status == OVER).tolist():
            if self.table.n_kept[i]:
                lessons.append(self._lesson(i))
            if restart:
                self.game.run(begin_game, self.table, i, self.gumbel)
            else:
                self.table.status[i] = STOPPED
        return lessons

    def _lesson(self, i: int) -> Lesson:
        table, n_kept = self.table, int(self.table.n_kept[i])
        n_state = self.game.sizes.state
        return make_lesson(
            self.game,
            table.kept[i, :n_kept, :n_state],
            table.policy[i, :n_kept].copy(),
            End(table.rewards[i], table.scores[i], table.state[i]),
            table.estimates[i, :n_kept],
            self.estimates,
        )


def gumbel_settings(settings: TrainingSettings) -> GumbelSettings:
    """The parameters of the search as its kernels take them."""
    return GumbelSettings(
        PuctSettings(EXPLORATION, FPU, 0),
        settings.simulations,
        settings.considered,
        visit_schedule(settings.considered, settings.simulations),
        settings.trust,
        settings.opening,
        settings.exploring,
        MOST_KEPT_CHILDREN,
    )


def _make_table(game: Game, settings: TrainingSettings, n_games: int, n_slots: int) -> Table:
    """An empty table."""
    sizes, n_moves = game.sizes, game.sizes.moves
    n_nodes = 1 + settings.considered + settings.simulations * min(MOST_KEPT_CHILDREN, n_moves)
    depth, width = settings.simulations + 2, sizes.state + sizes.work
    longest = min(settings.longest, longest_game(game))
    n_results = 3 if game.n_players == 2 else game.n_players

    def wholes(*shape: int) -> NDArray[np.int32]:
        return np.zeros((n_games, *shape), dtype=np.int32)

    def numbers(*shape: int) -> NDArray[np.float32]:
        return np.zeros((n_games, *shape), dtype=np.float32)

    return Table(
        state=wholes(width),
        status=wholes(),
        rng=np.zeros((n_games, 1), dtype=np.uint64),
        n_done=wholes(),
        move=wholes(n_nodes),
        first=wholes(n_nodes),
        n_children=wholes(n_nodes),
        tried=wholes(n_nodes),
        visits=wholes(n_nodes),
        mean=np.zeros((n_games, n_nodes)),
        uncertainty=np.zeros((n_games, n_nodes)),
        proof=np.zeros((n_games, n_nodes), dtype=np.int16),
        bias=numbers(n_nodes),
        worth=numbers(n_nodes),
        size=np.ones((n_games, 1), dtype=np.int64),
        n_moves=wholes(),
        moves=wholes(2 * n_moves),
        logits=numbers(2 * n_moves),
        noisy=numbers(settings.considered),
        place=wholes(settings.considered),
        leaf=wholes(width),
        path=wholes(depth),
        movers=wholes(depth),
        length=wholes(),
        answer=numbers(n_slots),
        results=numbers(n_results + 1),
        root_results=numbers(n_results),
        kept=wholes(longest, sizes.state),
        policy=np.zeros((n_games, longest, n_slots), dtype=np.uint16),
        estimates=numbers(longest, n_results),
        n_kept=wholes(),
        rewards=np.zeros((n_games, game.n_players)),
        scores=np.zeros((n_games, game.n_players)),
        aside=game.scratch_state(),
        no_counts=np.zeros(1, dtype=np.int32),
        no_numbers=np.zeros(1),
        no_keys=np.zeros(1, dtype=np.uint64),
    )


def longest_game(game: Game) -> int:
    """A number of plies that few games exceed: those that do are cut there, and count as drawn."""
    played = np.zeros(MOST_PLIES, dtype=np.int32)
    lengths = []
    for i in range(SAMPLE):
        state = game.scratch_state(game.start().state)
        lengths.append(game.run(random_game, state, make_rng(i), game.scratch_moves(), played))
    return 3 * int(max(lengths)) // 2 + 16
