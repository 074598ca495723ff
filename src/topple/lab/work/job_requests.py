"""Asking: what a request for a job needs, checked before it is put into the queue."""

import secrets
from collections.abc import Sequence
from typing import Any, NamedTuple

from topple.agents import Agent
from topple.arena.planning.settings import plan_of
from topple.boards import board_to_json
from topple.core.errors import BadBoard, BadText, ToppleError
from topple.game.game import Game
from topple.lab import limits
from topple.lab.data.allowed import named_agent
from topple.lab.data.position_cache import Lines, Reached
from topple.lab.server.forms import LineForm, ReviewForm, SolveForm, ThinkForm, TournamentForm
from topple.lab.settings import Lab
from topple.solvers import check_solvable, solver_for

MOST_SEED = 1_000_000_000


class Asked(NamedTuple):
    """A job as it goes into the queue."""

    kind: str
    title: str
    task: dict[str, Any]
    seconds: float | None
    urgent: bool = False


def prepared(lab: Lab, form: ThinkForm | ReviewForm | SolveForm | TournamentForm) -> Asked:
    """A job made of what a request asks for.

    Raises
    ------
    ToppleError
        If it cannot be done, in one line that says why.
    """
    if isinstance(form, TournamentForm):
        return _tournament(lab, form)
    if isinstance(form, ThinkForm):
        return _think(lab.lines, form)
    if isinstance(form, ReviewForm):
        return _review(lab.lines, form)
    return _solve(lab.lines, form)


def _think(lines: Lines, form: ThinkForm) -> Asked:
    reached, agent = _reached(lines, form), named_agent(form.agent)
    _refuse_over(reached)
    agent.check_game(reached.position.game)
    return Asked("think", f"{agent.spec} thinks", {
        **_line(reached), "agent": agent.spec, "seed": _seed(form.seed), "seconds": form.seconds,
    }, form.seconds, form.turn)  # fmt: skip


def _review(lines: Lines, form: ReviewForm) -> Asked:
    reached, agent = _reached(lines, form), named_agent(form.agent)
    agent.check_game(reached.position.game)
    plies = len(reached.moves)
    # Even a hasty look at each position takes its time.
    seconds = max(form.seconds, 0.1 * plies)
    return Asked("review", f"{agent.spec} reviews {plies} moves", {
        **_line(reached), "agent": agent.spec, "seed": _seed(form.seed), "seconds": form.seconds,
    }, seconds)  # fmt: skip


def _solve(lines: Lines, form: SolveForm) -> Asked:
    reached = _reached(lines, form)
    _refuse_over(reached)
    game = reached.position.game
    check_solvable(solver_for(game, memory=1), reached.position, is_limited=True)
    return Asked("solve", f"solving {game.spec} on {game.board.spec:.60}", {
        **_line(reached), "seconds": form.seconds,
    }, form.seconds)  # fmt: skip


def _reached(lines: Lines, form: LineForm) -> Reached:
    return lines.reach(lines.game(form.game, form.board), form.moves)


def _refuse_over(reached: Reached) -> None:
    if reached.position.is_over:
        raise BadText(f"the game is over: {reached.position.result_text()}")


def _line(reached: Reached) -> dict[str, Any]:
    game = reached.position.game
    return {
        "game": game.spec,
        "board": board_to_json(game.board),
        "moves": list(reached.moves),
    }


def _seed(seed: int | None) -> int:
    return secrets.randbelow(MOST_SEED) if seed is None else seed


def _tournament(lab: Lab, form: TournamentForm) -> Asked:
    games, agents = _contests(lab.lines, form), [named_agent(text) for text in form.agents]
    settings = {
        "agents": [agent.spec for agent in agents],
        "contests": [
            {"game": game.spec, "board": game.board.spec, "digest": game.board.digest}
            for game in games
        ],
        "games": form.games_per_pairing,
        "plies": form.plies,
        "seed": form.seed,
        "move-time": limits.SECONDS,
    }
    plan = plan_of(settings, {game.board.digest: game.board for game in games})
    if plan.n_fixtures > limits.TOURNAMENT_GAMES:
        raise BadText(f"{plan.n_fixtures:,} games are too many: at most "
                      f"{limits.TOURNAMENT_GAMES:,}")  # fmt: skip
    _refuse_slow(agents)
    store = lab.kept.own_store(form.name)
    lab.kept.remember_asked(form.name, form.model_dump(exclude={"kind"}), plan.n_fixtures)
    return Asked("tournament", form.name, {
        "settings": settings,
        "boards": {game.board.digest: board_to_json(game.board) for game in games},
        "store": str(store.path),
        "workers": lab.jobs.n_tables,
    }, None)  # fmt: skip


def _refuse_slow(agents: Sequence[Agent]) -> None:
    """An agent that takes longer for a move than the lab allows would lose every game."""
    for agent in agents:
        if (agent.options.get("time") or 0) > limits.SECONDS:
            raise BadText(f"{agent.spec} takes too long for a move: at most {limits.SECONDS:g} s")


def _contests(lines: Lines, form: TournamentForm) -> list[Game]:
    """Every game on each of the boards that it can be played on, by default on its own.

    Raises
    ------
    BadBoard
        If a game suits none of the boards, or a board none of the games.
    """
    if not form.boards:
        return [lines.game(game, None) for game in form.games]
    fitting: list[Game] = []
    reasons: dict[str, ToppleError] = {}
    used: set[str] = set()
    for game in form.games:
        suited = []
        for board in form.boards:
            try:
                suited.append(lines.game(game, board))
                used.add(board)
            except BadBoard as error:
                reasons[game] = reasons[board] = error
        if not suited:
            raise reasons[game]
        fitting += suited
    for board in form.boards:
        if board not in used:
            raise reasons[board]
    return fitting
