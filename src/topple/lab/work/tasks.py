"""What is done in worker processes: thinking, reviewing, solving, playing, reporting.

A task is plain data. What comes of it is told bit by bit through `say`; what
was said last counts. All of it stops soon after `stop` is set.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from topple.agents import Agent
from topple.boards import board_from_json
from topple.core.errors import ToppleError
from topple.core.stopping import Stop
from topple.game.game import Game, load
from topple.game.position import Position
from topple.game.warm_up import RULES
from topple.lab import limits
from topple.lab.data.allowed import named_agent, named_game
from topple.lab.data.recent import Recent
from topple.lab.data.search_results import (
    decision_data,
    mistake_data,
    number,
    solution_data,
    unit_of,
    value_for_first,
)
from topple.lab.work.compiling import Say, compile_agent, compile_contest, compile_rules, once

Task = Mapping[str, Any]

REPORT = 0.25  # seconds between two words about a review or an exact search
STANDINGS = 1.0  # seconds between two standings of a tournament, at least
SPARING = 10  # times as long is played as the standings take
LEAST_LOOK = 0.02  # seconds for each position of a review

_games: Recent[tuple[str, str], Game] = Recent(16)


class Until:
    """A sign to stop: when it is asked for, or when the time is over."""

    def __init__(self, stop: Stop, seconds: float) -> None:
        self.stop, self.deadline = stop, time.monotonic() + seconds

    def is_set(self) -> bool:
        """Whether it is time to stop."""
        return self.stop.is_set() or time.monotonic() >= self.deadline


def game_of(task: Task) -> Game:
    """The game of a task; one that was played lately has its code loaded."""
    board = board_from_json(task["board"])
    key = task["game"], board.digest
    found = _games.get(key)
    if found is None:
        found = named_game(task["game"], board)
        _games.put(key, found)
    return found


def positions_of(game: Game, moves: Sequence[int]) -> Iterator[Position]:
    """Every position of a line, from the first to the last."""
    position = game.start()
    yield position
    for move in moves:
        position = position.play(move)
        yield position


def last_position(game: Game, moves: Sequence[int]) -> Position:
    """Where a line leads; the positions on the way are not kept, for they may be large."""
    *_, last = deque(positions_of(game, moves), maxlen=1)
    return last


def game_and_agent(task: Task, say: Say) -> tuple[Game, Agent]:
    """Who is asked about what, with all their code loaded."""
    game, agent = game_of(task), named_agent(task["agent"])
    agent.check_game(game)
    compile_agent(game, agent, say)
    return game, agent


def rules(task: Task, say: Say, stop: Stop) -> None:
    """Compile the rules of a game, so that others can load them."""
    compile_rules(load(task["game"]), say)
    say(True)


def board(task: Task, say: Say, stop: Stop) -> None:
    """Make a board, and lay it out."""
    from topple.lab.work.board_jobs import make

    say(make(task))


def think(task: Task, say: Say, stop: Stop) -> None:
    """Ask an agent about a position; each decision is told as it comes."""
    game, agent = game_and_agent(task, say)
    position = last_position(game, task["moves"])
    unit = unit_of(agent, game)
    for decision in agent.think(position, task["seed"], Until(stop, task["seconds"])):
        say(decision_data(game, decision, unit))


def review(task: Task, say: Say, stop: Stop) -> None:
    """Ask an agent about every position of a game, and mark what was given away."""
    game, agent = game_and_agent(task, say)
    moves, n = task["moves"], len(task["moves"]) + 1
    unit = unit_of(agent, game)
    share = max(LEAST_LOOK, task["seconds"] / n)
    values: list[float | None] = [None] * n
    mistakes: list[dict[str, Any]] = []
    told = 0.0
    for ply, position in enumerate(positions_of(game, moves)):
        if stop.is_set():
            return
        if position.is_over:
            values[ply] = number(position.returns()[0])
        else:
            decisions = agent.think(position, task["seed"], Until(stop, share))
            decision = list(decisions)[-1]
            values[ply] = value_for_first(position, decision.value)
            if ply < len(moves):
                found = mistake_data(position, decision, moves[ply], ply + 1, unit)
                mistakes += [found] if found else []
        if ply + 1 == n or time.monotonic() - told >= REPORT:
            told = time.monotonic()
            say({"values": values, "mistakes": mistakes, "unit": unit, "done": ply + 1, "of": n})


def solve(task: Task, say: Say, stop: Stop) -> None:
    """Solve a position and each of its moves, as far as the time goes."""
    from topple.solvers import Solving, advance_until, check_solvable, solver_for

    game = game_of(task)
    solver = solver_for(game, limits.MEMORY)
    with once(game, [*RULES, *solver.KERNELS], say):
        position = last_position(game, task["moves"])
        check_solvable(solver, position, is_limited=True)
        solver.warm()
    solving = solver.begin(position, each=True)
    told = time.monotonic()

    def report(now: Solving) -> None:
        nonlocal told
        if time.monotonic() - told >= REPORT:
            say({**solution_data(now.solution()), "progress": list(now.progress())})
            told = time.monotonic()

    advance_until(solving, time.perf_counter() + task["seconds"], stop, report)
    say({**solution_data(solving.solution()), "progress": list(solving.progress())})


def tournament(task: Task, say: Say, stop: Stop) -> None:
    """Play what a store lacks of a tournament."""
    from topple.arena.planning.settings import plan_of
    from topple.arena.playing.backends import PROCESSES, make_backend
    from topple.arena.playing.run import planned_results, run_plan
    from topple.arena.statistics.standings import Standings
    from topple.arena.store.store import open_store

    boards = {digest: board_from_json(data) for digest, data in task["boards"].items()}
    plan = plan_of(task["settings"], boards)
    agents = [agent.spec for agent in plan.agents]
    for game in plan.games:
        compile_contest(game, plan.agents, say)
    with open_store(Path(task["store"]), check=False) as store:
        standings = Standings(planned_results(plan, store), agents)
        telling = _Telling(say, plan.n_fixtures, standings)
        telling.tell()

        def report(results: Any) -> None:
            for result in results:
                standings.add(result)
            telling.tell_now_and_then()

        run_plan(plan, store, make_backend(PROCESSES, plan, task["workers"]), report, stop)
        telling.tell()


class _Telling:
    """Standings of a tournament, told now and then."""

    def __init__(self, say: Say, of: int, standings: Any) -> None:
        self.say, self.of, self.standings = say, of, standings
        self.next, self.told = 0.0, -1

    def tell_now_and_then(self) -> None:
        """Tell the standings if there is something new and it is time to."""
        if time.monotonic() >= self.next and self.standings.games != self.told:
            self.tell()

    def tell(self) -> None:
        """Tell the standings."""
        from topple.arena.report.data import tournament_data

        began = time.monotonic()
        self.told = self.standings.games
        data = tournament_data(self.standings) if self.told else None
        self.say({"played": self.told, "of": self.of, "standings": data})
        now = time.monotonic()
        self.next = now + max(STANDINGS, SPARING * (now - began))


def report(task: Task, say: Say, stop: Stop) -> None:
    """The standings of a store, with charts."""
    from topple.arena.report.data import tournament_data
    from topple.arena.report.naming import contest_texts, letters, ranked
    from topple.arena.report.plots import plot_costs, plot_crosstable, plot_lengths, plot_ratings
    from topple.arena.statistics.standings import Standings
    from topple.arena.store.store import open_store

    with open_store(Path(task["store"]), read_only=True, check=False) as store:
        standings, asked = Standings(store.results()), store.tournaments()
    if not standings.games:
        say({"standings": None, "plots": {}, "tournaments": [settings for _, settings, _ in asked]})
        return
    names, texts = letters(ranked(standings)), contest_texts(standings.contests)
    charts = {
        "ratings": plot_ratings(standings, names),
        "costs": plot_costs(standings, names),
        "lengths": plot_lengths(standings, texts),
    }
    for place, (contest, text) in enumerate(texts.items(), start=1):
        if len(standings.agents_in(contest)) > 2:
            charts[f"crosstable-{place}"] = plot_crosstable(standings, names, contest, text)
    say(
        {
            "standings": tournament_data(standings),
            "letters": names,
            "plots": {
                name: chart.picture("svg").decode() for name, chart in charts.items() if chart
            },
            "tournaments": [settings for _, settings, _ in asked],
        }
    )


def papers(task: Task, say: Say, stop: Stop) -> None:
    """What a store says of papers; with `charts`, their charts too."""
    from topple.arena.store.store import open_store
    from topple.papers.engine.judging import judge_items
    from topple.papers.engine.plans import parse_scale, select_items
    from topple.papers.report.data import findings_data
    from topple.papers.report.figures import figure_of

    chosen = select_items(task["paper"], {}, parse_scale(task["scale"]))
    path = None if task["store"] is None else Path(task["store"])
    with open_store(path, read_only=path is not None, check=False) as store:
        findings = [judge_items(plans, items, store) for plans, items in chosen]
    told = findings_data(findings)
    for paper, data in zip(findings, told, strict=True):
        charts = {}
        for found in paper.items if task["charts"] else ():
            chart = figure_of(found, paper.paper)
            if chart is not None:
                charts[found.item.name] = chart.picture("svg").decode()
        data["charts"] = charts
    say(told)


KINDS: Mapping[str, Callable[[Task, Say, Stop], None]] = {
    "rules": rules,
    "board": board,
    "think": think,
    "review": review,
    "solve": solve,
    "tournament": tournament,
    "report": report,
    "papers": papers,
}


def do(kind: str, task: Task, say: Say, stop: Stop) -> str | None:
    """Do a task; returns what went wrong in one line, None if nothing did."""
    from topple.compiling.specialise import quietly
    from topple.core.text import one_line

    try:
        with quietly():
            KINDS[kind](task, say, stop)
    except ToppleError as error:
        return one_line(error, 400)
    except MemoryError:
        return "there is not enough memory for this: lower its limits"
    except Exception as error:  # a fault of ours: the page says so, and the worker goes on
        return f"the lab failed at this: {type(error).__name__}: {one_line(error, 300)}"
    return None
