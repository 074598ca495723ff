"""`topple analyse FILE --mistakes`: a saved game beside the oracle's word, move by move."""

from dataclasses import asdict
from typing import Any

from topple.cli.terminal.game_text import plies_text, standing
from topple.cli.terminal.output import print_json, print_table, print_wrapped
from topple.cli.terminal.record_files import SavedGame, read_one_game
from topple.cli.views.oracle import exact_text, moves_text
from topple.core.errors import BadText, Unsupported
from topple.core.progress import progress
from topple.core.stopping import noted_interrupt
from topple.core.text import WIDTH
from topple.game.warm_up import prepare
from topple.present.table import Table
from topple.solvers import MEMORY
from topple.solvers.oracle import Oracle
from topple.solvers.regret import JudgedMove, Review, Summary, review
from topple.solvers.solver import SolverKernels

FEW = 10  # moves without a judgement that are listed
UNKNOWN = "?"  # where a position could not be solved


def review_file(file: str, memory: int | None, *, as_json: bool) -> None:
    """Judge each move of a saved game and tell what it has given away.

    Raises
    ------
    BadRecord
        If the game is damaged.
    Unsupported
        If none of its positions can be solved.
    KeyboardInterrupt
        After what was judged before Ctrl-C is printed.
    """
    saved = read_one_game(file)
    found = _judge(saved, memory)
    if as_json:
        print_json(describe_review(saved, found))
    else:
        print_review(saved, found)
    if not found.is_complete:
        n_moves = len(saved.record.moves) - found.opening
        raise KeyboardInterrupt(f"stopped with the last {len(found.moves):,} of {n_moves:,} moves "
                                "judged")  # fmt: skip


def _judge(saved: "SavedGame", memory: int | None) -> "Review":
    """The review of a game, with progress and an ear for Ctrl-C."""
    record, game = saved.record, saved.load_game()
    prepare(game)
    saved.replay()
    n_moves = len(record.moves) - record.opening
    if not n_moves:
        raise BadText(f"{saved.place} has no moves to review")
    oracle = Oracle(game, memory or MEMORY)
    prepare(game, SolverKernels(type(oracle.solver)))
    with noted_interrupt() as interrupt, progress("judging moves", n_moves) as done:
        found = review(record, oracle, stop=interrupt, done=done)
    if found.is_complete and found.unit is None and found.refusal is not None:
        raise Unsupported(found.refusal)
    return found


def print_review(saved: "SavedGame", found: "Review") -> None:
    """A table of the moves, then what each player's come to."""
    game, record = found.game, saved.record
    print_wrapped(f"{game.title} on {game.board.spec}, {' against '.join(record.players)}")
    if found.opening:
        print(f"the opening: {plies_text(found.opening)} that nobody chose")
    if found.moves:
        print_moves(found)
    print_wrapped(standing(record.replay(), len(record.moves), record.ending))
    if found.moves:
        print()
        print_summaries(saved, found)


def print_moves(found: "Review") -> None:
    """Each move with its value, its regret and the best moves in its place."""
    game, shown = found.game, found.moves
    unjudged = [each.ply for each in shown if each.best_value is None]
    if len(unjudged) > FEW:
        shown = tuple(each for each in shown if each.best_value is not None)
        print(f"plies {unjudged[0]} to {unjudged[-1]}: {len(unjudged):,} moves are not judged")
    heads = ["ply", "player", "move", "value", "of move", "regret", "best"]
    rows = [[each.ply, game.players[each.player], game.move_text(each.move), *_values(found, each)]
            for each in shown]  # fmt: skip
    widths = [max([len(head), *(len(str(row[i])) for row in rows)])
              for i, head in enumerate(heads[:-1])]  # fmt: skip
    room = WIDTH - sum(widths) - 2 * len(widths)
    full = []
    for row, each in zip(rows, shown, strict=True):
        is_free = len(each.best_moves) > 1 and not each.is_chance
        full.append([*row, "all" if is_free else moves_text(game, each.best_moves, room)])
    print_table(Table.of(heads, full, right=("regret",)))


def _values(found: "Review", move: "JudgedMove") -> list[str]:
    """The value of the best move, of this move, and its regret where it has any."""
    if found.unit is None or move.best_value is None or move.value is None:
        return [UNKNOWN] * 3
    regret = f"{move.regret:,}" if move.is_mistake else ""
    return [exact_text(move.best_value, found.unit), exact_text(move.value, found.unit), regret]


def print_summaries(saved: "SavedGame", found: "Review") -> None:
    """Chances and mistakes of each player, and who threw a won game away."""
    game, parts = found.game, found.summaries()
    heads = ["player", "moves", "unjudged", "chances", "mistakes", "regret", "per move",
             "turning points"]  # fmt: skip
    rows: list[list[object]] = [
        [game.players[each.player], each.moves, each.unjudged, each.chances, each.mistakes,
         each.regret, "" if each.mean_regret is None else f"{each.mean_regret:.3f}",
         ", ".join(map(str, each.turning_points))]
        for each in parts
    ]  # fmt: skip
    shown = [i for i, head in enumerate(heads) if head != "unjudged" or any(r[i] for r in rows)]
    cells = [[row[i] for i in shown] for row in rows]
    print_table(Table.of([heads[i] for i in shown], cells, right=("per move",)))
    for each in parts:
        if each.thrown is not None:
            name = saved.record.players[each.player]
            who = game.players[each.player]
            print_wrapped(f"{who} ({name}) had a won game and threw it away with move "
                          f"{each.thrown}")  # fmt: skip


def describe_review(saved: "SavedGame", found: "Review") -> dict[str, Any]:
    """A review as data."""
    game, record = found.game, saved.record
    return {
        "game": game.spec,
        "board": game.board.spec,
        "players": list(record.players),
        "opening": found.opening,
        "unit": found.unit,
        "complete": found.is_complete,
        "result": None if record.result is None else list(record.result),
        "ending": None if record.ending is None else asdict(record.ending),
        "moves": [_describe_move(found, each) for each in found.moves],
        "summary": [_describe_summary(found, each) for each in found.summaries()],
    }


def _describe_move(found: "Review", move: "JudgedMove") -> dict[str, Any]:
    game = found.game
    return {
        "ply": move.ply,
        "player": game.players[move.player],
        "move": game.move_text(move.move),
        "judged": move.is_judged,
        "best_value": move.best_value,
        "value": move.value,
        "regret": move.regret,
        "chance": move.is_chance if move.is_judged else None,
        "best": [game.move_text(each) for each in move.best_moves],
    }


def _describe_summary(found: "Review", part: "Summary") -> dict[str, Any]:
    mean = part.mean_regret
    return {
        "player": found.game.players[part.player],
        "moves": part.moves,
        "unjudged": part.unjudged,
        "chances": part.chances,
        "mistakes": part.mistakes,
        "regret": part.regret,
        "mean_regret": None if mean is None else round(mean, 6),
        "first_mistake": part.first_mistake,
        "turning_points": list(part.turning_points),
        "thrown_away": part.thrown,
    }
