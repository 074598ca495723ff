"""What searches find, as plain data for the page: decisions, exact values, mistakes."""

from math import isfinite
from typing import Literal

from typing_extensions import TypedDict

from topple.agents import Agent, Candidate, Decision
from topple.game import Game, Position
from topple.lab import limits
from topple.lab.data.views import PlaceReply, place_data
from topple.solvers import POINTS, Solution, find_solver
from topple.solvers.wording import move_value_text, outlook

Unit = Literal["return", "evaluation", "score"]
RETURN: Unit = "return"
EVALUATION: Unit = "evaluation"
SCORE: Unit = "score"
SIMULATED = ("iterations", "samples", "playouts")  # options of agents that play games out

LEAST_VISITS = 30  # random games of a candidate, below which its value says next to nothing


class CandidateResult(PlaceReply):
    """A move that an agent has considered."""

    value: float | None
    visits: int
    share: float
    prior: float | None  # how likely a network finds the move
    interval: list[float | None] | None
    exact: bool
    proven: str | None
    judged: bool  # whether there was enough search for its value to say something


class EffortResult(TypedDict):
    """What a decision has cost."""

    simulations: int
    nodes: int
    depth: int
    seconds: float


class DecisionResult(PlaceReply):
    """An agent's decision; values are for the player to move."""

    value: float | None
    proven: str | None
    judged: bool  # whether the move itself is, and so the choice between the candidates
    unit: Unit
    variation: list[PlaceReply]
    candidates: list[CandidateResult]
    effort: EffortResult


class MoveValueResult(PlaceReply):
    """A move with its exact value, or the bounds that are proven."""

    value: int | list[int]
    text_value: str


class SolutionResult(TypedDict):
    """What is proven of a position; a value that is not proven is a pair of bounds."""

    solved: bool
    unit: Unit
    value: int | list[int]
    value_text: str
    best: list[int]
    line: list[PlaceReply]
    moves: list[MoveValueResult]
    limit: str | None
    positions: int
    nodes: int


def unit_of(agent: Agent, game: Game) -> Unit:
    """What an agent's values are measured in: results, evaluations or points of the game."""
    if agent.NAME == "perfect":
        return SCORE if find_solver(game).HAS_SCORES else RETURN
    is_evaluated = any(option.name == "evaluation" for option in agent.OPTIONS)
    is_simulated = any(option.name in SIMULATED for option in agent.OPTIONS)
    return EVALUATION if is_evaluated and not is_simulated else RETURN


def decision_data(game: Game, decision: Decision, unit: Unit) -> DecisionResult:
    """An agent's decision; values are for the player to move."""
    effort = decision.effort
    judged = judged_moves(decision)
    return {
        **place_data(game, decision.move),
        "value": number(decision.value),
        "proven": decision.proven,
        "judged": decision.move in judged or decision.proven is not None,
        "unit": unit,
        "variation": [place_data(game, move) for move in decision.variation[: limits.VARIATION]],
        "candidates": [
            _candidate(game, each, is_judged=each.move in judged)
            for each in decision.candidates[: limits.CANDIDATES]
        ],
        "effort": {
            "simulations": effort.simulations,
            "nodes": effort.nodes,
            "depth": effort.depth,
            "seconds": round(effort.seconds, 3),
        },
    }


def judged_moves(decision: Decision) -> set[int]:
    """The candidates whose values say something.

    Of an agent that plays games out these are the proven ones and those with many games; of any
    other agent they are all.
    """
    is_simulated = any(each.interval is not None for each in decision.candidates)
    return {
        each.move
        for each in decision.candidates
        if not is_simulated or each.proven is not None or each.visits >= LEAST_VISITS
    }


def _candidate(game: Game, candidate: Candidate, *, is_judged: bool) -> CandidateResult:
    interval = candidate.interval
    return {
        **place_data(game, candidate.move),
        "value": number(candidate.value),
        "visits": candidate.visits,
        "share": round(candidate.share, 6),
        "prior": None if candidate.prior is None else number(candidate.prior),
        "interval": None if interval is None else [number(end) for end in interval],
        "exact": candidate.exact,
        "proven": candidate.proven,
        "judged": is_judged,
    }


def number(value: float) -> float | None:
    """A number with six decimals; None for infinity, which JSON does not have."""
    return round(value, 6) if isfinite(value) else None


def solution_data(solution: Solution) -> SolutionResult:
    """What is proven of a position; a value that is not proven is a pair of bounds."""
    game = solution.position.game
    return {
        "solved": solution.is_exact,
        "unit": SCORE if solution.unit == POINTS else RETURN,
        "value": _bounds(solution.value),
        "value_text": outlook(solution),
        "best": list(solution.best_moves),
        "line": [place_data(game, move) for move in solution.line[: limits.VARIATION]],
        "moves": [
            {
                **place_data(game, each.move),
                "value": _bounds(each.value),
                "text_value": move_value_text(each.value, solution.unit),
            }
            for each in solution.moves
        ],
        "limit": solution.limit,
        "positions": solution.n_positions,
        "nodes": solution.n_nodes,
    }


def _bounds(bounds: tuple[int, int]) -> int | list[int]:
    least, most = bounds
    return least if least == most else [least, most]


def value_for_first(position: Position, value: float) -> float | None:
    """A value for the player to move as one for player 0; None with more than two players."""
    if position.player == 0:
        return number(value)
    return number(-value) if position.game.n_players == 2 else None
