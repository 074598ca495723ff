"""What every game must keep: one suite for topple's own games and for those from outside."""

import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from topple.compiling.rng import make_rng
from topple.core.errors import BadModule, ToppleError
from topple.core.outside import blame
from topple.core.text import one_line
from topple.game.game import Game, load
from topple.game.position import Position
from topple.game.record import Record
from topple.game.trial import Trial
from topple.kernels.playout import random_game
from topple.rules.interface import (
    RUNNING,
    STATUS,
    apply,
    begin,
    playout,
    random_move,
    step,
)
from topple.testing.failing import fail_game

GAMES = 12  # random games that a check plays
WATCHED = 2  # of them as plain Python with every write watched
LONGEST = 400  # plies of a game that are looked at
WATCHED_LONGEST = 120
MOST_PLIES = 10_000  # after which the arena ends a game


class Played(NamedTuple):
    """A move of a random game, between the positions before and after it."""

    before: Position
    move: str  # with its draw
    after: Position


class Stage(NamedTuple):
    """A part of the suite."""

    name: str
    check: Callable[[Game], None]


def check_game(game: Game) -> None:
    """Check everything that the rest of topple relies on.

    Parameters
    ----------
    game : Game
        A game on a board, as `topple.load` makes it; with `compiled=False` it is checked as
        plain Python only.

    Raises
    ------
    BadModule
        If something is wrong; one line says where, in which position, and what to do.

    Examples
    --------
    >>> import topple
    >>> from topple.testing import check_game
    >>> check_game(topple.load("chain-reaction", "grid:2x2", compiled=False))
    """
    for stage in STAGES:
        run_stage(stage, game)


def run_stage(stage: Stage, game: Game) -> None:
    """Run a part of the suite; an error that the game's functions raise is told in one line.

    Raises
    ------
    BadModule
        If something is wrong.
    """
    try:
        stage.check(game)
    except BadModule:
        raise
    except ToppleError as error:
        raise BadModule(f"{game.name} on {game.board.spec}: {stage.name}: {error}") from error
    except Exception as error:
        told = blame(error)
        if told is None or not game.is_from_outside:
            raise
        raise BadModule(told) from error


def check_watched_moves(game: Game) -> None:
    """Play as plain Python, with every index and every number that is written watched."""
    trial = Trial(game)
    for seed in range(WATCHED):
        trial.play(seed, most=WATCHED_LONGEST)


def check_end(game: Game) -> None:
    """A game begins running, the same each time, and random games end."""
    start = game.start()
    if start.is_over or start.outcome is not None:
        fail_game(game, "start", "the game is over at once")
    if start != game.start():
        fail_game(game, "start", "it begins differently each time: it must depend on the board")
    for seed in range(GAMES if game.kernels.compiled else 1):
        played = np.zeros(MOST_PLIES, dtype=np.int32)
        state = game.scratch_state(start.state)
        game.run(random_game, state, make_rng(seed), game.scratch_moves(), played)
        if state[STATUS] == RUNNING:
            fail_game(
                game,
                "begin",
                f"a random game is not over after {MOST_PLIES:,} plies, where the arena ends it: "
                "set state[STATUS] in the end, or count the plies and draw",
                Position(game, state),
            )


def check_turns(game: Game) -> None:
    """Every player comes to move, and not every game is over after its first move."""
    lines = [list(random_moves(game, seed)) for seed in range(GAMES)]
    longest = max(map(len, lines))
    if longest == 1 and len(game.start().legal_moves()) > 1 and not game.has_chance:
        fail_game(
            game,
            "begin",
            "every random game is over after its first move: is state[STATUS] set too early?",
            lines[0][0].after,
        )
    movers = {played.before.player for line in lines for played in line}
    missing = [name for player, name in enumerate(game.players) if player not in movers]
    if missing and longest > game.n_players:
        fail_game(
            game,
            "begin",
            f"{missing[0]} is never to move: pass the turn on in state[PLAYER]",
            max(lines, key=len)[-1].after,
        )


def check_positions(game: Game) -> None:
    """Moves, returns, texts and copies of the positions of random games."""
    for seed in range(GAMES):
        for position in random_play(game, seed):
            check_position(game, position)


def check_position(game: Game, position: Position) -> None:
    """Moves, returns and texts of one position."""
    moves = position.legal_moves()
    if list(moves) != sorted(set(moves)) or not all(0 <= m < game.sizes.moves for m in moves):
        what = f"its moves {list(moves)} must ascend, each once, from 0 to {game.sizes.moves - 1}"
        fail_game(game, "legal_moves", what, position)
    if bool(moves) == position.is_over:
        what = "a game must go on exactly while there are moves: set state[STATUS] in the end"
        fail_game(game, "begin", what, position)
    if not 0 <= position.player < game.n_players:
        fail_game(game, "begin", f"there is no player {position.player}", position)
    if (position.state < 0).any():
        fail_game(game, "begin", "a number of the position is below 0", position)
    check_returns(game, position)
    check_texts(game, position)


def check_returns(game: Game, position: Position) -> None:
    """One return for each player; they sum to zero, and none is given before the end."""
    returns = position.returns()
    if len(returns) != game.n_players or abs(sum(returns)) > 1e-12:
        fail_game(game, "outcome", f"the returns {returns} do not sum to zero", position)
    if not position.is_over and any(returns):
        fail_game(game, "outcome", f"the returns {returns} are given before the end", position)
    scores = position.scores
    if scores is not None and len(scores) != game.n_players:
        fail_game(game, "score", f"it gives {len(scores)} scores", position)
    ended = position.outcome
    if position.is_over and (ended is None or ended.returns != returns or not ended.reason):
        fail_game(game, "reason", "a game that is over needs a reason", position)


def check_texts(game: Game, position: Position) -> None:
    """What is written of a position and of its moves is read again as the same."""
    text = position.text
    if "\n" in text:
        fail_game(game, "position_text", f"its text {one_line(text)!r} is not one line", position)
    if _again(game, position, text) != position:
        what = f"its text {text!r:.200} is read as another position"
        fail_game(game, "parse_position", what, position)
    for move in position.legal_moves():
        written = game.move_text(move)
        read = [game.parse_move(written), game.parse_move(f" {written} ")]
        if read != [move, move]:
            what = f"it reads {written!r:.80}, the text of move {move}, as {read[0]}"
            fail_game(game, "parse_move", what, position)
        vertex = game.move_vertex(move)
        if vertex is not None and not 0 <= vertex < game.board.n_vertices:
            fail_game(game, "move_vertex", f"move {move} is on no vertex: {vertex}", position)
    if len(position.cells()) != game.board.n_vertices or not position.draw():
        fail_game(game, "cell_text", "there is no text for each vertex", position)


def _again(game: Game, position: Position, text: str) -> Position:
    try:
        return game.position(text)
    except ToppleError as error:
        what = f"it cannot read {text!r:.200}, which position_text wrote: {error}"
        fail_game(game, "parse_position", what, position)


def check_moves(game: Game) -> None:
    """Playing gives new positions, leaves the old, and steps lead where the whole move does."""
    for seed in range(GAMES):
        for before, move, after in random_moves(game, seed):
            _check_move(game, before, move, after)


def _check_move(game: Game, before: Position, move: str, after: Position) -> None:
    frozen = before.state.copy()
    draw = game.split_draw(move)[1]
    number = game.parse_move(move)
    if before.play(number, draw) != after:
        what = f"move {move} leads to another position the second time: use no numbers from outside"
        fail_game(game, "begin", what, before)
    if not np.array_equal(before.state, frozen):
        fail_game(game, "begin", f"move {move} changes the position before it", before)
    state = game.scratch_state(before.state, draw or 0)
    game.run(begin, state, number)
    n_steps = 0
    while game.run(step, state) >= 0:
        n_steps += 1
    if Position(game, state) != after:
        fail_game(game, "apply", f"move {move} leads elsewhere than begin and step", before)
    steps = list(before.steps(move))
    if len(steps) != n_steps or (steps and steps[-1].cells != after.cells()):
        what = f"the {n_steps} steps of move {move} do not lead to the position after it"
        fail_game(game, "step", what, before)


def check_one_vector(game: Game) -> None:
    """Moves that are played on one vector, as searches do, lead where single moves do."""
    if game.has_chance:
        return  # what is drawn there depends on the whole line
    for seed in range(GAMES):
        state = game.scratch_state(game.start().state)
        for before, move, after in random_moves(game, seed):
            game.run(apply, state, game.parse_move(move))
            if Position(game, state) != after:
                what = (
                    f"after move {move} the next one leads elsewhere if the vector is used again: "
                    "leave the scratch space (Sizes.work) as it was, all zero"
                )
                fail_game(game, "begin", what, before)


def check_records(game: Game) -> None:
    """A record of one line replays to the same position."""
    for seed in range(GAMES):
        line = list(random_moves(game, seed))
        record = Record.of(game, [played.move for played in line], seed=7)
        written = record.to_json()
        again = Record.from_json(written)
        last = line[-1].after
        is_same = (
            "\n" not in written
            and again == record
            and again.replay(compiled=game.kernels.compiled) == last
        )
        if not is_same or (again.result is None) != (not last.is_over):
            fail_game(game, "move_text", "a saved game is not read as the same game", last)


def check_plain_twin(game: Game) -> None:
    """The same functions uncompiled: the same moves, successors, keys and random games."""
    if not game.kernels.compiled:
        return
    plain = game.as_plain()
    for seed in range(GAMES):
        line = list(random_moves(game, seed))[:60]
        for played in line:
            _check_twin(game, plain, played)
        _check_endings(game, plain, line[len(line) // 2].before, seed)


def _check_twin(game: Game, plain: Game, played: Played) -> None:
    before, move, after = played
    twin = Position(plain, before.state)
    pairs: dict[str, tuple[Any, Any]] = {
        "legal_moves": (twin.legal_moves(), before.legal_moves()),
        "key": (twin.key, before.key),
        "outcome": (twin.returns(), before.returns()),
    }
    for name, (expected, found) in pairs.items():
        if expected != found:
            what = f"compiled it gives {found}, as plain Python {expected}"
            fail_game(game, name, what, before)
    successor = twin.play(move)
    if not np.array_equal(successor.state, after.state):
        what = (
            f"move {move} leads to {after.text:.100} compiled and to {successor.text:.100} as "
            "plain Python: is every index in range, every number whole and within 32 bits?"
        )
        fail_game(game, "begin", what, before)


def _check_endings(game: Game, plain: Game, middle: Position, seed: int) -> None:
    endings = []
    for each in (game, plain):
        state, rng, moves = each.scratch_state(middle.state), make_rng(seed), each.scratch_moves()
        if not middle.is_over:
            each.run(apply, state, each.run(random_move, state, rng, moves))
        n_plies = each.run(playout, state, rng, moves)
        endings.append((n_plies, int(state[STATUS]), int(rng[0])))
    if endings[0] != endings[1]:
        what = "a random game from here ends differently compiled than as plain Python"
        fail_game(game, "playout", what, middle)


def check_keys(game: Game) -> None:
    """Keys are equal exactly where positions are, among all that random games meet."""
    by_key: dict[int, Position] = {}
    for seed in range(3 * GAMES):
        for position in random_play(game, seed):
            known = by_key.setdefault(position.key, position)
            if known != position:
                what = f"{known.text:.100} has the same key as another position"
                fail_game(game, "key", what, position)
    if len(set(by_key.values())) < len(by_key):
        fail_game(game, "key", "equal positions have different keys")


def check_loading(game: Game) -> None:
    """The game's spec names the game."""
    again = load(game.spec, game.board, compiled=game.kernels.compiled)
    if game != again or hash(game) != hash(again):
        fail_game(game, "OPTIONS", f"{game.spec} is loaded as another game from its own options")


STAGES = (
    Stage("moves watched as plain Python", check_watched_moves),
    Stage("start and end", check_end),
    Stage("positions and texts", check_positions),
    Stage("turns", check_turns),
    Stage("moves and steps", check_moves),
    Stage("one vector for many moves", check_one_vector),
    Stage("saved games", check_records),
    Stage("keys", check_keys),
    Stage("loading", check_loading),
    Stage("compiled as plain Python", check_plain_twin),
)


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


def check_random_moves_are_uniform(game: Game, position: Position, n_draws: int = 4000) -> None:
    """Check that the game's own way to draw a move favours none.

    Raises
    ------
    BadModule
        If it does.
    """
    legal = position.legal_moves()
    state, rng, moves = game.scratch_state(position.state), make_rng(3), game.scratch_moves()
    drawn = [int(game.run(random_move, state, rng, moves)) for _ in range(n_draws)]
    if not set(drawn) <= set(legal):
        fail_game(game, "random_move", "it draws moves that are not legal", position)
    counts = np.array([drawn.count(move) for move in legal])
    expected = n_draws / len(legal)
    chi_square = float(((counts - expected) ** 2 / expected).sum())
    if chi_square >= len(legal) + 5 * (2 * len(legal)) ** 0.5:
        what = f"it favours some of {len(legal)} moves (chi square {chi_square:.0f})"
        fail_game(game, "random_move", what, position)
