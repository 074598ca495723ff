"""What every registered game must keep: one suite for all of them."""

import random
from collections.abc import Iterator
from typing import NamedTuple

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


class Played(NamedTuple):
    """A move of a random game, between the positions before and after it."""

    before: Position
    move: str  # with its draw
    after: Position


def random_play(game: Game, seed: int) -> Iterator[Position]:
    """The positions of a random game, from the first to the last."""
    yield game.start()
    for played in random_moves(game, seed):
        yield played.after


def random_moves(game: Game, seed: int) -> Iterator[Played]:
    """The moves of a random game."""
    rng, position = random.Random(seed), game.start()
    for _ in range(LONGEST):
        if position.is_over:
            return
        move = rng.choice(position.legal_moves())
        text = position.with_draw(move, rng.getrandbits(32) if game.has_chance else None)
        after = position.play(text)
        yield Played(position, text, after)
        position = after


def check_game(game: Game) -> None:
    """Assert everything that the rest of topple relies on."""
    plain = topple.load(game.name, game.board, compiled=False, **given(game))
    check_start(game)
    for seed in range(GAMES_PLAYED):
        for position in random_play(game, seed):
            check_position(game, position)
        line = list(random_moves(game, seed))
        check_moves(game, line)
        check_record(game, line)
        check_plain_twin(plain, line[:60], seed)
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


def check_moves(game: Game, line: list[Played]) -> None:
    """Playing gives new positions, leaves the old, and steps lead where the whole move does."""
    for before, move, after in line:
        frozen = before.state.copy()
        draw = game.split_draw(move)[1]
        assert before.play(game.parse_move(move), draw) == after
        assert np.array_equal(before.state, frozen)
        state = game.scratch_state(before.state, draw or 0)
        game.run(begin, state, game.parse_move(move))
        n_steps = 0
        while game.run(step, state) >= 0:
            n_steps += 1
        assert Position(game, state) == after
        steps = list(before.steps(move))
        assert len(steps) == n_steps
        if steps:
            assert steps[-1].cells == after.cells()


def check_record(game: Game, line: list[Played]) -> None:
    """A record on one line replays to the same position."""
    record = topple.Record.of(game, [played.move for played in line], seed=7)
    written = record.to_json()
    assert "\n" not in written
    again = topple.Record.from_json(written)
    assert again == record
    assert again.replay() == line[-1].after
    assert (again.result is None) == (not line[-1].after.is_over)


def check_plain_twin(plain: Game, line: list[Played], seed: int) -> None:
    """The same functions uncompiled: the same moves, successors, keys and random games."""
    game = line[0].before.game
    for before, move, after in line:
        twin = Position(plain, before.state)
        assert twin == before
        assert twin.legal_moves() == before.legal_moves()
        assert twin.key == before.key
        assert twin.returns() == before.returns()
        assert twin.play(move) == after
    middle = line[len(line) // 2].before
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
