"""What every registered game must keep: one suite for all of them."""

import itertools
import random
from collections.abc import Iterator

import numpy as np

import topple
from topple.compiling.rng import make_rng
from topple.game.game import Game
from topple.game.position import Position
from topple.rules.interface import (
    STATUS,
    apply,
    begin,
    playout,
    random_move,
    step,
)

GAMES_PLAYED = 12
LONGEST = 400  # plies of a game that are looked at


def random_play(game: Game, seed: int) -> Iterator[Position]:
    """The positions of a random game, from the first to the last."""
    rng, position = random.Random(seed), game.start()
    yield position
    for _ in range(LONGEST):
        if position.is_over:
            return
        position = position.play(rng.choice(position.legal_moves()))
        yield position


def check_game(game: Game) -> None:
    """Assert everything that the rest of topple relies on."""
    plain = topple.load(game.name, game.board, compiled=False, **given(game))
    check_start(game)
    for seed in range(GAMES_PLAYED):
        positions = list(random_play(game, seed))
        for position in positions:
            check_position(game, position)
        check_moves(game, positions)
        check_record(game, positions)
        check_plain_twin(plain, positions[:60], seed)
    check_keys(game)


def given(game: Game) -> dict[str, object]:
    """The game's options, but for those that are derived."""
    return {name: value for name, value in game.options.items() if value is not None}


def check_start(game: Game) -> None:
    """The game begins, says who plays, and begins the same each time."""
    start = game.start()
    assert start == game.start()
    assert not start.is_over
    assert start.outcome is None
    assert 2 <= game.n_players <= 8
    assert len(set(game.players)) == game.n_players
    assert game == topple.load(game.spec, game.board)


def check_position(game: Game, position: Position) -> None:
    """Moves, returns, texts and copies of one position."""
    moves = position.legal_moves()
    assert list(moves) == sorted(set(moves)), "legal moves ascend"
    assert all(0 <= move < game.sizes.moves for move in moves)
    assert bool(moves) != position.is_over, "a game goes on exactly while there are moves"
    assert 0 <= position.player < game.n_players
    assert (position.state >= 0).all(), "no number of a position is negative"
    returns = position.returns()
    assert len(returns) == game.n_players
    assert abs(sum(returns)) < 1e-12, "returns sum to zero"
    assert position.is_over or not any(returns)
    assert game.position(position.text) == position, position.text
    assert "\n" not in position.text
    for move in moves:
        text = game.move_text(move)
        assert game.parse_move(text) == game.parse_move(f" {text} ") == move
    assert len(position.cells()) == game.board.n_vertices
    assert position.draw()
    if position.is_over:
        assert position.outcome is not None
        assert position.outcome.returns == returns
        assert position.outcome.reason


def check_moves(game: Game, positions: list[Position]) -> None:
    """Playing gives new positions, leaves the old, and steps lead where the whole move does."""
    for before, after in itertools.pairwise(positions):
        frozen = before.state.copy()
        move = next(m for m in before.legal_moves() if before.play(m) == after)
        assert before.play(game.move_text(move)) == after
        assert np.array_equal(before.state, frozen)
        state = game.scratch_state(before.state)
        game.run(begin, state, move)
        n_steps = 0
        while game.run(step, state) >= 0:
            n_steps += 1
        assert Position(game, state) == after
        steps = list(before.steps(move))
        assert len(steps) == n_steps
        if steps:
            assert steps[-1].cells == after.cells()


def check_record(game: Game, positions: list[Position]) -> None:
    """A record on one line replays to the same position."""
    moves = []
    for before, after in itertools.pairwise(positions):
        moves.append(next(m for m in before.legal_moves() if before.play(m) == after))
    record = topple.Record.of(game, moves, seed=7)
    line = record.to_json()
    assert "\n" not in line
    again = topple.Record.from_json(line)
    assert again == record
    assert again.replay() == positions[-1]
    assert (again.result is None) == (not positions[-1].is_over)


def check_plain_twin(plain: Game, positions: list[Position], seed: int) -> None:
    """The same functions uncompiled: the same moves, successors, keys and random games."""
    game = positions[0].game
    for before, after in itertools.pairwise(positions):
        twin = Position(plain, before.state)
        assert twin == before
        assert twin.legal_moves() == before.legal_moves()
        assert twin.key == before.key
        assert twin.returns() == before.returns()
        move = next(m for m in before.legal_moves() if before.play(m) == after)
        assert twin.play(move) == after
    middle = positions[len(positions) // 2]
    endings = []
    for each in (game, plain):
        state, rng, moves = each.scratch_state(middle.state), make_rng(seed), each.scratch_moves()
        if not middle.is_over:
            each.run(apply, state, each.run(random_move, state, rng, moves))
        n_plies = each.run(playout, state, rng, moves)
        endings.append((n_plies, int(state[STATUS]), int(rng[0])))
    assert endings[0] == endings[1]


def check_keys(game: Game) -> None:
    """Keys are equal exactly where positions are, among all that random games meet."""
    by_key: dict[int, Position] = {}
    met: set[Position] = set()
    for seed in range(3 * GAMES_PLAYED):
        for position in random_play(game, seed):
            met.add(position)
            assert by_key.setdefault(position.key, position) == position
    assert len(met) == len(by_key)


def check_random_moves_are_uniform(game: Game, position: Position, n_draws: int = 4000) -> None:
    """The game's own way to draw a move favours none."""
    legal = position.legal_moves()
    state, rng, moves = game.scratch_state(position.state), make_rng(3), game.scratch_moves()
    drawn = [int(game.run(random_move, state, rng, moves)) for _ in range(n_draws)]
    assert set(drawn) <= set(legal)
    counts = np.array([drawn.count(move) for move in legal])
    expected = n_draws / len(legal)
    chi_square = float(((counts - expected) ** 2 / expected).sum())
    assert chi_square < len(legal) + 5 * (2 * len(legal)) ** 0.5, (len(legal), chi_square)
