"""The tasks of worker processes: compile, draw boards, think, review, solve, play, report.

A task is plain data. It sends what it has found so far again and again, and the last word counts.
Every task ends soon after `stop` is set.
"""

import base64
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from cachetools import LRUCache
from typing_extensions import TypedDict

from topple.agents import Agent
from topple.arena.planning.settings import plan_of
from topple.arena.playing.run import PROCESSES, make_backend, play_plan
from topple.arena.report.data import tournament_data
from topple.arena.report.naming import contest_texts, letters, ranked
from topple.arena.report.plots import plot_costs, plot_crosstable, plot_lengths, plot_ratings
from topple.arena.statistics.standings import Standings
from topple.arena.store.store import open_store
from topple.boards import board_from_json, board_to_json
from topple.compiling.specialise import quietly
from topple.core.errors import ToppleError
from topple.core.processes import Done
from topple.core.stopping import Stop
from topple.core.text import error_line, one_line
from topple.game import Game, Position, load
from topple.game.warm_up import Display, prepare
from topple.lab import limits
from topple.lab.data.allowed import named_agent, named_board, named_game, read_upload
from topple.lab.data.search_results import (
    SolutionResult,
    decision_data,
    solution_data,
    unit_of,
)
from topple.lab.work.reviewing import Deadline, Review, ReviewResult, line_positions
from topple.papers.engine.judging import judge_items
from topple.papers.engine.plans import parse_scale, select_items
from topple.papers.report.data import findings_data
from topple.solvers import Solving, advance_until, check_solvable, solver_for
from topple.solvers.solver import SolverKernels

Task = Mapping[str, Any]

REPORT_SECONDS = 0.25  # between two results of a review or an exact search
STANDINGS_SECONDS = 1.0  # between two standings of a tournament, at least
STANDINGS_SHARE = 10  # at least this many times as long is spent playing as on standings

_games: LRUCache[tuple[str, str], Game] = LRUCache(16)  # their code is loaded


class TaskOutput(Protocol):
    """Where a task sends what it finds."""

    def send(self, latest: Any) -> None:
        """Send what has been found so far; it replaces what was sent before."""

    def note(self, text: str | None) -> None:
        """Say what the task waits for, None when it goes on; its clock stops meanwhile."""


class BoardResult(TypedDict):
    """A board that a worker has made, with the places of its vertices."""

    data: str | dict[str, Any]
    notes: list[str]
    places: list[list[float]]


class SolvingResult(SolutionResult):
    """What is proven so far, and how much of the search is done."""

    progress: list[Any]


class TournamentResult(TypedDict):
    """The standings of a tournament while it is played."""

    played: int
    of: int
    standings: dict[str, Any] | None


class ReportResult(TypedDict):
    """The standings of a store, the letters of its agents, and charts as SVG."""

    standings: dict[str, Any] | None
    letters: dict[str, str]
    plots: dict[str, str]
    tournaments: list[dict[str, Any]]


def run_task(kind: str, task: Task, output: TaskOutput, stop: Stop) -> str | None:
    """Do a task; returns what went wrong in one line, None if nothing did."""
    try:
        with quietly():
            KINDS[kind](task, output, stop)
    except ToppleError as error:
        return one_line(error, 400)
    except MemoryError:
        return "there is not enough memory for this: lower its limits"
    except Exception as error:  # a fault of ours: the page shows it, and the worker goes on
        return f"the lab failed at this: {error_line(error, 300)}"
    return None


def _noted(output: TaskOutput) -> Display:
    """Shows on the page that something is compiled."""

    @contextmanager
    def display(what: str, n_kernels: int) -> Iterator[Done]:
        output.note(f"compiling {what} for this machine (once) …")
        yield lambda kernel: None
        output.note(None)

    return display


def _game_of(task: Task) -> Game:
    board = board_from_json(task["board"])
    key = task["game"], board.digest
    if key not in _games:
        _games[key] = named_game(task["game"], board)
    return _games[key]


def _last_position(game: Game, moves: Sequence[int | str]) -> Position:
    *_, last = deque(line_positions(game, moves), maxlen=1)  # the others may be large
    return last


def _game_and_agent(task: Task, output: TaskOutput) -> tuple[Game, Agent]:
    """The game and the agent of a task, with all their code loaded."""
    game, agent = _game_of(task), named_agent(task["agent"])
    agent.check_game(game)
    prepare(game, agent, display=_noted(output))
    return game, agent


def rules(task: Task, output: TaskOutput, stop: Stop) -> None:
    """Compile the rules of a game, so that the server can load them."""
    prepare(load(task["game"]), display=_noted(output))
    output.send(True)


def board(task: Task, output: TaskOutput, stop: Stop) -> None:
    """Make a board from its spec, an uploaded file or its data, and lay it out."""
    if "spec" in task:
        found = named_board(task["spec"])
    elif "file" in task:
        content = base64.b64decode(task["content"])
        found = read_upload(task["file"], content, task["directed"], task["strict"])
    else:
        found = board_from_json(task["data"])
    result: BoardResult = {
        "data": board_to_json(found),
        "notes": list(found.notes),
        "places": np.asarray(found.coordinates).tolist(),
    }
    output.send(result)


def think(task: Task, output: TaskOutput, stop: Stop) -> None:
    """Ask an agent about a position; each of its decisions is sent."""
    game, agent = _game_and_agent(task, output)
    position = _last_position(game, task["moves"])
    unit = unit_of(agent, game)
    for decision in agent.think(position, task["seed"], Deadline(stop, task["seconds"])):
        output.send(decision_data(game, decision, unit))


def review(task: Task, output: TaskOutput, stop: Stop) -> None:
    """Ask an agent about every position of a game, and mark the mistakes."""
    game, agent = _game_and_agent(task, output)
    course = Review(game, agent, task["moves"], task["seed"], stop)
    sent = 0.0

    def send(found: ReviewResult) -> None:
        nonlocal sent
        if time.monotonic() - sent >= REPORT_SECONDS:
            sent = time.monotonic()
            output.send(found)

    course.run(task["seconds"], send)
    output.send(course.result())


def solve(task: Task, output: TaskOutput, stop: Stop) -> None:
    """Solve a position and each of its moves, as far as the time allows."""
    game = _game_of(task)
    solver = solver_for(game, limits.MEMORY)
    prepare(game, display=_noted(output))
    position = _last_position(game, task["moves"])
    check_solvable(solver, position, is_limited=True)
    prepare(game, SolverKernels(type(solver)), display=_noted(output))
    solving = solver.begin(position, each=True)
    sent = time.monotonic()

    def send(now: Solving) -> None:
        nonlocal sent
        result: SolvingResult = {
            **solution_data(now.solution()),
            "progress": list(now.progress()),
        }
        output.send(result)
        sent = time.monotonic()

    def send_sometimes(now: Solving) -> None:
        if time.monotonic() - sent >= REPORT_SECONDS:
            send(now)

    advance_until(solving, time.perf_counter() + task["seconds"], stop, send_sometimes)
    send(solving)


def tournament(task: Task, output: TaskOutput, stop: Stop) -> None:
    """Play those games of a tournament that its store lacks."""
    boards = {digest: board_from_json(data) for digest, data in task["boards"].items()}
    plan = plan_of(task["settings"], boards)
    next_time, n_sent = 0.0, -1

    def send(standings: Standings) -> None:
        nonlocal next_time, n_sent
        began = time.monotonic()
        n_sent = standings.games
        data = tournament_data(standings) if n_sent else None
        result: TournamentResult = {"played": n_sent, "of": plan.n_fixtures, "standings": data}
        output.send(result)
        now = time.monotonic()
        next_time = now + max(STANDINGS_SECONDS, STANDINGS_SHARE * (now - began))

    def send_sometimes(standings: Standings, _: object) -> None:
        if time.monotonic() >= next_time and standings.games != n_sent:
            send(standings)

    backend = make_backend(PROCESSES, plan, task["workers"])
    with open_store(Path(task["store"]), check=False) as store:
        run = play_plan(
            plan, store, backend, report=send_sometimes, stop=stop, display=_noted(output)
        )
    send(run.standings)


def report(task: Task, output: TaskOutput, stop: Stop) -> None:
    """The standings of a store, with charts."""
    with open_store(Path(task["store"]), read_only=True, check=False) as store:
        standings = Standings(store.results())
        tournaments = [settings for _, settings, _ in store.tournaments()]
    result: ReportResult = {
        "standings": None,
        "letters": {},
        "plots": {},
        "tournaments": tournaments,
    }
    if standings.games:
        names, texts = letters(ranked(standings)), contest_texts(standings.contests)
        charts = {
            "ratings": plot_ratings(standings, names),
            "costs": plot_costs(standings, names),
            "lengths": plot_lengths(standings, texts),
        }
        for place, (contest, text) in enumerate(texts.items(), start=1):
            if len(standings.agents_in(contest)) > 2:
                charts[f"crosstable-{place}"] = plot_crosstable(standings, names, contest, text)
        result["standings"], result["letters"] = tournament_data(standings), names
        result["plots"] = {
            name: chart.picture("svg").decode() for name, chart in charts.items() if chart
        }
    output.send(result)


def papers(task: Task, output: TaskOutput, stop: Stop) -> None:
    """What a store says of papers; with `charts`, their charts too."""
    chosen = select_items(task["paper"], {}, parse_scale(task["scale"]))
    path = None if task["store"] is None else Path(task["store"])
    with open_store(path, read_only=path is not None, check=False) as store:
        findings = [judge_items(plans, items, store) for plans, items in chosen]
    data = findings_data(findings)
    # Imported here because this imports matplotlib, which is heavy, and most tasks draw nothing.
    from topple.papers.report.charts import chart_of

    for paper, paper_data in zip(findings, data, strict=True):
        charts = {}
        for found in paper.items if task["charts"] else ():
            chart = chart_of(found, paper.paper)
            if chart is not None:
                charts[found.item.name] = chart.picture("svg").decode()
        paper_data["charts"] = charts
    output.send(data)


KINDS: Mapping[str, Callable[[Task, TaskOutput, Stop], None]] = {
    "rules": rules,
    "board": board,
    "think": think,
    "review": review,
    "solve": solve,
    "tournament": tournament,
    "report": report,
    "papers": papers,
}
