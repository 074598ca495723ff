"""Checking a module from outside: what it registers, stage by stage, in a process of its own.

Wrong rules may hang, or end their process: the check then says so in one line, and goes on living.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from typing import NamedTuple

import topple.agents
from topple.agents import Agent, agent_names
from topple.boards import load_board
from topple.compiling.specialise import files_of_kernels
from topple.compiling.trust import trust
from topple.core.errors import BadModule, ProcessDied, ToppleError
from topple.core.importing import import_one
from topple.core.outside import blame
from topple.core.processes import Done, as_they_come
from topple.game.game import Game, load
from topple.game.warm_up import Warming
from topple.rules import find_rules, game_names
from topple.testing.agent_checks import SMALL, check_in_game, check_options
from topple.testing.game_checks import STAGES, Stage, run_stage

SLOW = 20.0  # seconds to compile a game's rules
PATIENCE = 300.0  # seconds for a part of the check


class Job(NamedTuple):
    """What is to be checked."""

    module: str  # a name, or a file
    boards: tuple[str, ...] = ()  # beside each game's own
    compiled: bool = True


class Verdict(NamedTuple):
    """What the check of a game or an agent has found."""

    what: str  # `the game node-kayles on grid:4x4`
    failure: str | None  # None if it has passed
    note: str | None = None  # what is slow


def check_module(job: Job, done: Done) -> list[Verdict]:
    """Import a module in this process, and check what it registers.

    `done` is called with the name of each part before it begins.

    Raises
    ------
    ToppleError
        If the module cannot be imported, or registers nothing.
    """
    done("importing it")
    games, agents = set(game_names()), set(agent_names())
    import_one(job.module)
    new_games = [name for name in game_names() if name not in games]
    new_agents = [name for name in agent_names() if name not in agents]
    if not new_games and not new_agents:
        raise BadModule(
            f"{job.module} registers no game and no agent: end it with "
            "topple.register(sys.modules[__name__]) or topple.register_agent(MyAgent)"
        )
    verdicts: list[Verdict] = []
    for name in new_games:
        verdicts += check_one_game(name, job, done)
    for name in new_agents:
        verdicts.append(check_one_agent(name, new_games, job, done))
    return verdicts


def check_one_game(name: str, job: Job, done: Done) -> Iterator[Verdict]:
    """Check a game on its own board and on those that are named; if it passes, it is trusted."""
    module, has_failed = find_rules(name), False
    for board in dict.fromkeys((module.BOARD, *job.boards)):
        what = f"the game {name} on {board}"
        notes: list[str] = []
        failure = _failure(partial(_check_on, name, board, what, job, done, notes))
        has_failed = has_failed or failure is not None
        yield Verdict(what, failure, notes[0] if notes else None)
    if job.compiled and not has_failed:
        trust(module.__name__, files_of_kernels(module))


def _check_on(name: str, board: str, what: str, job: Job, done: Done, notes: list[str]) -> None:
    """Check a game as plain Python, and then compiled; what is slow is added to `notes`."""
    done(f"{what}: its first moves")
    plain = load(name, load_board(board), compiled=False)
    for stage in STAGES:
        _run(stage, plain, f"{what}, as plain Python", done)
    if job.compiled and getattr(plain.rules, "COMPILES", True):
        done(f"{what}: compiling it, every index checked")
        compiled = load(name, plain.board)
        began = time.monotonic()
        Warming(compiled).load()
        notes += compile_notes(time.monotonic() - began)
        for stage in STAGES[1:]:
            _run(stage, compiled, f"{what}, compiled", done)


def compile_notes(seconds: float) -> list[str]:
    """What is to be said of how long the rules took to compile."""
    if seconds < SLOW:
        return []
    return [
        f"its rules take {seconds:.0f} s to compile: mark helpers that are called in several "
        "places with topple.compiling.specialise.noinline, and loop over arrays, not tuples"
    ]


def _run(stage: Stage, game: Game, what: str, done: Done) -> None:
    done(f"{what}: {stage.name}")
    run_stage(stage, game)


def check_one_agent(name: str, own_games: list[str], job: Job, done: Done) -> Verdict:
    """Check an agent on small boards of topple's games, and on the module's own games."""
    what = f"the agent {name}"
    return Verdict(what, _failure(partial(_check_agent, name, own_games, what, job, done)))


def _check_agent(name: str, own_games: list[str], what: str, job: Job, done: Done) -> None:
    done(f"{what}: its options")
    agent: Agent = topple.agents.agent(name)
    check_options(agent)
    cases = [*SMALL, *((game, find_rules(game).BOARD) for game in own_games)]
    refusals = []
    for game, board in cases:
        done(f"{what}: {game} on {board}")
        refusals.append(check_in_game(agent, load(game, board, compiled=job.compiled)))
    if None not in refusals:
        raise BadModule(f"{name} refuses every game that it is offered: {refusals[0]}")


def _failure(check: Callable[[], None]) -> str | None:
    """What a check has found, in one line; None if it has passed."""
    try:
        check()
    except ToppleError as error:
        return str(error)
    except Exception as error:
        told = blame(error)
        if told is None:
            raise
        return told
    return None


def check_in_process(
    job: Job, show: Callable[[str], None], patience: float = PATIENCE
) -> list[Verdict]:
    """Check a module in a process of its own, which may hang or die.

    Parameters
    ----------
    job : Job
        What is to be checked.
    show : callable
        Called with the name of each part before it begins.
    patience : float
        Seconds for a part, after which it counts as hanging.

    Raises
    ------
    BadModule
        If the process hangs or dies; the line says in which part.
    ToppleError
        If the module cannot be imported, or registers nothing.
    """
    part, began = "starting", time.monotonic()

    def note(now: str) -> None:
        nonlocal part, began
        part, began = now, time.monotonic()
        show(now)

    with closing(as_they_come(check_module, [job], 1, note)) as coming:
        try:
            for answer in coming:
                if answer is not None:
                    return answer[1]
                if time.monotonic() - began > patience:
                    raise BadModule(
                        f"{job.module}: {part}: nothing for {patience:g} s: is there a loop "
                        "without an end? (--patience gives it longer)"
                    )
        except ProcessDied:
            raise BadModule(
                f"{job.module}: {part}: the process ended: does a kernel write beyond the end of a "
                "vector, or call itself for ever?"
            ) from None
    raise AssertionError("a check ends with an answer")
