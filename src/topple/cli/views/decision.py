"""An agent's decision in the terminal: its moves, its expectation and what it cost."""

from collections.abc import Callable, Sequence
from math import isfinite
from typing import Any

from topple.agents import Agent
from topple.agents.decision import Candidate, Decision, Effort
from topple.cli.terminal.output import print_table, print_wrapped
from topple.evaluations.interface import LARGEST
from topple.game import Game, Position
from topple.nets.evaluation import NET, SCALE
from topple.present.table import FIGURE, Column, Table

MOST_EXPECTED = 20  # moves of an expected continuation that are named


def print_decision(
    position: Position,
    decision: Decision,
    n_moves: int,
    exact: Callable[[int], str] = lambda _: "",
) -> None:
    """The best moves in a table, the expected continuation, and the effort.

    `exact` gives the exact value of a move, where it is known.
    """
    game = position.game
    print_candidates(game, decision.candidates[:n_moves], exact)
    n_left = len(decision.candidates) - n_moves
    if n_left > 0:
        print(f"… and {n_left:,} more")
    texts = [game.move_text(move) for move in decision.variation[:MOST_EXPECTED]]
    if len(decision.variation) > MOST_EXPECTED:
        texts.append("…")
    print_wrapped(joined_moves(texts), first="expected: ")
    print_wrapped(effort_text(decision.effort), first="effort: ")


def print_candidates(
    game: Game, candidates: Sequence[Candidate], exact: Callable[[int], str] = lambda _: ""
) -> None:
    """A table of moves; empty columns are left out."""
    columns = [
        Column("move"),
        Column("value", FIGURE, is_optional=True),
        Column("95% interval", is_optional=True),
        Column("share", FIGURE, is_optional=True),
        Column("prior", FIGURE, is_optional=True),
        Column("proven", is_optional=True),
        Column("exact", is_optional=True),
    ]
    rows = [[*_row(game, candidate), exact(candidate.move)] for candidate in candidates]
    print_table(Table(columns, rows))


def worth_text(candidate: Candidate) -> str:
    """The value of a move, or an upper bound on it."""
    value = value_text(candidate.value)
    return value if candidate.exact else f"≤ {value}"


def outlook_text(game: Game, agent: Agent, decision: Decision) -> str:
    """What a decision promises: its proof or value, and the chance to win, if a network sees one.

    >>> import topple
    >>> hex3, seer = topple.load("hex", "hex:3"), topple.agent("policy")
    >>> outlook_text(hex3, seer, Decision(0, 0.5, (Candidate(0, 0.5),), (), Effort()))
    '+0.500, a win chance of 75%'
    """
    if decision.proven:
        return decision.proven
    best = decision.candidates[0]
    chance = win_chance(game, agent, best.value)
    return (
        worth_text(best) if chance is None else f"{worth_text(best)}, a win chance of {chance:.0%}"
    )


def win_chance(game: Game, agent: Agent, value: float) -> float | None:
    """The chance to win that a network's value stands for, a draw counted as a half.

    None if the value is no network's, or the game is decided.
    """
    if agent.options.get("evaluation") == NET:
        return None if abs(value) > LARGEST else (1 + value / SCALE) / 2
    if not agent.NEEDS_NET:
        return None
    n = game.n_players
    return (1 + (n - 1) * value) / n


def _row(game: Game, candidate: Candidate) -> list[str]:
    interval = candidate.interval
    return [
        game.move_text(candidate.move),
        worth_text(candidate),
        "" if interval is None else " to ".join(map(value_text, interval)),
        f"{candidate.share:.1%}" if candidate.visits else "",
        "" if candidate.prior is None else f"{candidate.prior:.1%}",
        candidate.proven or "",
    ]


def value_text(value: float) -> str:
    """A value with its sign; that of a decided game as its result.

    >>> value_text(0.125), value_text(-1240.0), value_text(999_997.0)
    ('+0.125', '-1,240', 'won')
    """
    if abs(value) > LARGEST:
        return "won" if value > 0 else "lost"
    return f"{value:+,.0f}" if abs(value) >= 1000 else f"{value:+.3f}"


def effort_text(effort: Effort) -> str:
    """The cost of a decision.

    >>> from topple.agents import Effort
    >>> effort_text(Effort(simulations=2000, depth=9, seconds=0.04))
    '2,000 simulations, depth 9 in 0.040 s (50,000 simulations/s)'
    """
    counts = {"simulations": effort.simulations, "nodes": effort.nodes}
    parts = [f"{n:,} {name}" for name, n in counts.items() if n]
    took = f"{effort.seconds:.3f} s"
    if not parts:
        return took
    if effort.depth:
        parts.append(f"depth {effort.depth:,}")
    name, n = next((name, n) for name, n in counts.items() if n)
    speed = f" ({n / effort.seconds:,.0f} {name}/s)" if effort.seconds > 0 else ""
    return f"{', '.join(parts)} in {took}{speed}"


def joined_moves(texts: Sequence[str]) -> str:
    """Moves one after another; where some of them contain commas, with semicolons."""
    return ("; " if any("," in text for text in texts) else ", ").join(texts)


def describe_decision(
    position: Position,
    decision: Decision,
    n_moves: int,
    exact: Callable[[int], dict[str, Any]] = lambda _: {},
) -> dict[str, Any]:
    """A decision as data; `exact` adds fields to a move."""
    game, effort = position.game, decision.effort
    return {
        "move": game.move_text(decision.move),
        "value": _number(decision.value),
        "proven": decision.proven,
        **exact(decision.move),
        "candidates": [
            {**_describe(game, each), **exact(each.move)} for each in decision.candidates[:n_moves]
        ],
        "variation": [game.move_text(move) for move in decision.variation],
        "effort": {
            "simulations": effort.simulations,
            "nodes": effort.nodes,
            "depth": effort.depth,
            "seconds": round(effort.seconds, 6),
        },
    }


def _describe(game: Game, candidate: Candidate) -> dict[str, Any]:
    interval = candidate.interval
    return {
        "move": game.move_text(candidate.move),
        "value": _number(candidate.value),
        "exact": candidate.exact,
        "interval": None if interval is None else list(interval),
        "visits": candidate.visits,
        "share": candidate.share,
        "prior": candidate.prior,
        "proven": candidate.proven,
    }


def _number(value: float) -> float | None:
    """A number for JSON, which has no infinity."""
    return value if isfinite(value) else None
