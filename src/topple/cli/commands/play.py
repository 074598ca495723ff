"""`topple play`: a game in the terminal."""

from pathlib import Path
from typing import Annotated

import typer

from topple.cli.options import BoardText, Seed, chosen_seed
from topple.cli.terminal.agent_turn import play_turn
from topple.cli.terminal.dialogue import Dialogue
from topple.cli.terminal.game_text import show_position, standing, tell_move
from topple.cli.terminal.output import print_wrapped, wrapped
from topple.cli.terminal.players import is_player
from topple.cli.terminal.record_files import (
    SavedGame,
    check_writable,
    file_exists,
    read_one_game,
    write_record,
)
from topple.cli.terminal.session import Session
from topple.core.errors import BadText, Resigned, ToppleError
from topple.game.game import Game, load
from topple.game.warm_up import prepare


def play(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="The game, perhaps with options.")
    ] = None,
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PLAYER",
            help="In order of their turns: human, or an agent such as uct:iterations=1000. "
            "Empty seats are random.",
        ),
    ] = None,
    *,
    board: BoardText = None,
    seed: Seed = None,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="FILE", help="Write the game to a file.")
    ] = None,
    load: Annotated[
        str | None, typer.Option("--load", metavar="FILE", help="Go on from a saved game.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Let --save replace a file.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "--no-board", help="Draw no boards.")] = False,
) -> None:
    """Play a game in the terminal.

    You play against random players unless others are named; `topple agents`
    lists them.

    Type a move, or `help` for what else can be said: hint, undo, save, load …
    """
    game, names = _sort_arguments(game, players or [], load)
    saved = _read(load)
    chosen = _choose_game(game, board, saved)
    if seed is None and saved is not None:
        seed = saved.record.seed
    session = Session(chosen, names, chosen_seed(seed))
    if save is not None:
        _check_save(session, save, force=force)
    prepare(chosen)
    if saved is None:
        prepare(chosen, *session.agents)
        session.begin()
    else:
        session.resume(saved)
    _play_to_the_end(session, save, force=force, board=not quiet)


def _sort_arguments(
    game: str | None, players: list[str], load: str | None
) -> tuple[str | None, list[str]]:
    """Tell game from players: a saved game need not be named."""
    if load is not None and game is not None and is_player(game):
        return None, [game, *players]
    return game, players or ["human"]


def _read(load: str | None) -> SavedGame | None:
    if load is None:
        return None

    return read_one_game(load)


def _choose_game(text: str | None, board: str | None, saved: SavedGame | None) -> Game:
    """The game that is named, or the saved one."""
    if saved is None:
        if text is None:
            raise BadText("name a game, for example topple play hex; topple games lists them")
        return load(text, board)
    if board is not None:
        raise BadText("--board and --load exclude each other: a saved game has its board")
    game = saved.load_game()
    if text is not None and load(text, game.board) != game:
        raise BadText(f"the saved game is {game.spec}, not {text}: leave the name out")
    return game


def _check_save(session: Session, save: Path, *, force: bool) -> None:
    """Refuse before a person's game what would be refused after it."""
    check_writable(save)
    if session.has_human and save.exists() and not force:
        raise file_exists(save)


def _play_to_the_end(session: Session, save: Path | None, *, force: bool, board: bool) -> None:
    """Play until the game is over or left; what was played is saved in any case."""
    game = session.game
    head = f"{game.title} on {game.board.spec}, seed {session.seed}: {_seating(session)}"
    print(head if game.n_players == 2 else wrapped(head))
    try:
        if board:
            show_position(session.position)
        _take_turns(session, board=board)
        print_wrapped(standing(session.position, len(session.moves), session.ending))
    except KeyboardInterrupt:
        print()  # the prompt's line ends here
        raise
    finally:
        if save is not None:
            _save(session, save, force=force)


def _seating(session: Session) -> str:
    """`Blue human, Red random`."""
    pairs = zip(session.game.players, session.seats, strict=True)
    return ", ".join(f"{colour} {seat.name}" for colour, seat in pairs)


def _take_turns(session: Session, *, board: bool) -> None:
    """Let everyone move in turn; a person may look back when the game is over."""
    dialogue = Dialogue(session, board=board)
    while not session.is_left:
        position = session.position
        if position.is_over and not session.has_human:
            return
        if position.is_over:
            print_wrapped(position.result_text())
            dialogue.turn()
            continue
        player = session.on_turn.player
        if player is None:
            dialogue.turn()
            continue
        player.line = session.moves
        try:
            move = position.check_move(play_turn(player, position, len(session.moves)))
        except Resigned:
            session.give_up()
            continue
        except ToppleError as error:
            if not player.agent.RUNS_PROGRAMS:
                raise
            session.fail(error)
            continue
        session.play(move)
        told = session.written[-1]
        tell_move(position, told, len(session.moves), session.position, board=board)


def _save(session: Session, save: Path, *, force: bool) -> None:
    write_record(session.record(), save, force=force)
    print(f"saved to {save}")
