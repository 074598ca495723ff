"""Matches and tournaments from Python."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from topple.agents import Agent, agent
from topple.arena.planning.openings import PLIES
from topple.arena.planning.plan import GAMES, MOVE_SECONDS, SEED, Limits, Plan
from topple.arena.playing.backends import PROCESSES, make_backend
from topple.arena.playing.run import compile_plan, planned_results, run_plan
from topple.arena.statistics.sprt import Sprt
from topple.arena.statistics.standings import PairingTotals, Standings
from topple.arena.store.played import Result
from topple.arena.store.store import open_store
from topple.boards import Board
from topple.core.errors import BadText
from topple.game.game import Game, load


def match(
    game: str | Game,
    first: str | Agent,
    second: str | Agent,
    *,
    board: str | Board | None = None,
    sprt: str | None = None,
    **options: Any,
) -> PairingTotals:
    """Play two agents against each other, each opening twice with sides swapped.

    Parameters
    ----------
    game : str or Game
        What is played.
    first, second : str or Agent
        Who plays; the result is seen by the first.
    board : str or Board, optional
        Where, if `game` is a text.
    sprt : str, optional
        A sequential test, such as `"elo0=0,elo1=30"`, that stops the match as
        soon as it is decided.
    **options
        As for `tournament`.

    Examples
    --------
    >>> import topple
    >>> result = topple.match("hex", "greedy", "random", board="hex:3", games=10, workers=1)
    >>> result.games, result.pairs.tally.games
    (10, 10)
    """
    if isinstance(game, Game) and board is not None:
        raise BadText("the game has its board already: give the board to topple.load")
    contest = game if isinstance(game, Game) else load(game, board)
    standings = tournament([contest], [first, second], sprt=sprt, **options)
    return standings.pairing_totals(_agent(first).spec, _agent(second).spec)


def _agent(given: str | Agent) -> Agent:
    return given if isinstance(given, Agent) else agent(given)


def tournament(
    contests: Iterable[str | Game],
    agents: Iterable[str | Agent],
    *,
    games: int = GAMES,
    seed: int = SEED,
    plies: int = PLIES,
    gauntlet: bool = False,
    move_time: float = MOVE_SECONDS,
    game_time: float | None = None,
    sprt: str | None = None,
    workers: int | None = None,
    db: str | Path | None = None,
    backend: str = PROCESSES,
    address: str | None = None,
    report: Callable[[Sequence[Result]], None] | None = None,
) -> Standings:
    """Play every agent against every other, on every board.

    In a script, call it under `if __name__ == "__main__":`, because worker
    processes import the script.

    Parameters
    ----------
    contests : iterable of str or Game
        Games with their boards, as `topple.load` makes them; a text is played on
        its default board.
    agents : iterable of str or Agent
        Who plays.
    games : int
        Games for each pairing on each board.
    seed : int
        Fixes every game.
    plies : int
        Random moves that each game begins with.
    gauntlet : bool
        The first agent against each of the others, not all against all.
    move_time, game_time : float
        Seconds for a move, and for all moves of an agent in a game; who takes
        longer loses.
    sprt : str, optional
        A sequential test that stops a match of two agents.
    workers : int, optional
        Processes that play; by default one for each core.
    db : path, optional
        A store that keeps every game; what it has already is not played again.
    backend, address : str
        `"processes"`, or `"ray"` with the address of a cluster.
    report : callable, optional
        Is told of the results as games end.

    Raises
    ------
    BadText, BadBoard, Unsupported
        If there is no such agent, or it cannot play a game.
    StoreError
        If the store cannot be read or written.
    """
    plan = Plan(
        games=tuple(each if isinstance(each, Game) else load(each) for each in contests),
        agents=tuple(map(_agent, agents)),
        n_games=games,
        seed=seed,
        plies=plies,
        gauntlet=gauntlet,
        limits=Limits(move_time, game_time),
        sprt=None if sprt is None else Sprt.parse(sprt),
    )
    playing = make_backend(backend, plan, workers, address)
    with open_store(db) as store:
        compile_plan(plan)
        run_plan(plan, store, playing, report)
        return Standings(planned_results(plan, store), [each.spec for each in plan.agents])
