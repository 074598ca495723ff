"""Matches and tournaments from Python: `topple.match` and `topple.tournament`."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from topple.agents import Agent, agent
from topple.arena.planning.openings import PLIES
from topple.arena.planning.plan import GAMES, MOVE_SECONDS, SEED, Limits, Plan
from topple.arena.playing.run import PROCESSES, Report, make_backend, play_plan
from topple.arena.statistics.sprt import Sprt
from topple.arena.statistics.standings import PairingTotals, Standings
from topple.arena.store.played import Result
from topple.arena.store.store import open_store
from topple.boards import Board
from topple.core.errors import BadText, Unsupported
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
        The game.
    first, second : str or Agent
        The agents. The result is from the view of the first.
    board : str or Board, optional
        The board, if `game` is a text.
    sprt : str, optional
        A sequential test, such as `"elo0=0,elo1=30"`, which ends the match as soon as
        it is decided.
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
        raise BadText("the game already has a board: give the board to topple.load instead")
    contest = game if isinstance(game, Game) else load(game, board)
    if contest.n_players > 2:
        raise Unsupported(
            f"a match is for two players, and {contest.spec} has {contest.n_players}: "
            "use topple.tournament"
        )
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

    In games of more than two players groups of as many agents meet.

    In a script, call it under `if __name__ == "__main__":`, because worker
    processes import the script, or play with `workers=0`.

    Parameters
    ----------
    contests : iterable of str or Game
        Games with their boards, as `topple.load` makes them. A text stands for a game on
        its default board.
    agents : iterable of str or Agent
        The agents.
    games : int
        Games for each pairing or group on each board.
    seed : int
        Fixes all random choices.
    plies : int
        Random moves at the beginning of each game.
    gauntlet : bool
        Play the first agent against each of the others, instead of all against all.
    move_time, game_time : float
        Seconds for a move, and for all moves of an agent in a game. An agent that
        takes longer loses the game.
    sprt : str, optional
        A sequential test that ends a match of two agents.
    workers : int, optional
        Processes that play; by default one for each core. With 0 this process plays: in a
        notebook or a debugger, or with agents and games that are defined there. An agent that
        hangs or ends the process is not contained then.
    db : path, optional
        A store for the games. Those that it already has are not played again.
    backend, address : str
        `"processes"`, or `"ray"` with the address of a cluster.
    report : callable, optional
        Called with the results of new games as they end; sometimes there are none.

    Raises
    ------
    BadText, BadBoard, Unsupported
        If an agent, game or board does not exist, or does not suit the others.
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
        return play_plan(plan, store, playing, report=_results_only(report)).standings


def _results_only(report: Callable[[Sequence[Result]], None] | None) -> Report | None:
    """Wrap a function that takes results alone."""
    if report is None:
        return None
    return lambda _, results: report(results)
