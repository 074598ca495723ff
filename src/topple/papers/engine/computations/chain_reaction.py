"""Computations of the Chain Reaction paper: how many random games progressive pruning saves.

References
----------
.. [1] D. Jenkins and C. Frayn, "Highly volatile game tree search in Chain
   Reaction", section IV.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from topple.agents import agent
from topple.agents.montecarlo import capacity
from topple.game.game import Game, load
from topple.papers.engine import measuring
from topple.papers.engine.computations.estimates import ReportProgress, no_report
from topple.papers.engine.findings import Measured

GAME, RIVAL = "chain-reaction", "random"


def savings(squares: int, rounds: Sequence[int]) -> dict[str, Any]:
    """The percentage of random games that the rule saves for each number of candidates.

    Returns curves over the number of candidates, one for each number of rounds; the values
    for `half` the squares; and whether pruning `never_costs_more`.

    Examples
    --------
    >>> found = savings(25, [5])
    >>> found["x"][19], found["series"]["5 rounds"][19], found["half"]["5 rounds"]
    (20, 30.0, 16.0)
    """
    candidates = list(range(1, squares + 1))
    series = {_label(n): [saved(each, squares, n) for each in candidates] for n in rounds}
    return {
        "x": candidates,
        "series": series,
        "half": {_label(n): saved(squares / 2, squares, n) for n in rounds},
        "never_costs_more": all(percent >= 0 for each in series.values() for percent in each),
    }


def _label(rounds: int) -> str:
    return f"{rounds} rounds"


def saved(candidates: float, squares: int, rounds: int) -> float:
    """The percentage of random games that are saved for a number of candidates.

    >>> saved(5, 25, 5), saved(10, 25, 5), saved(25, 25, 5)
    (0.0, 10.0, 40.0)
    """
    going_on = (min(candidates, capacity(squares, done, rounds)) for done in range(rounds))
    return round(100 * (1 - sum(going_on) / (rounds * candidates)), 9)


class TurnCost(NamedTuple):
    """The number of legal moves in a turn, and the random games that each agent plays for it."""

    moves: int
    plain: int
    pruned: int


def in_games(
    board: str, samples: int, rounds: int, games: int, seed: int, report: ReportProgress = no_report
) -> dict[str, Any]:
    """What pruning saves at the positions that arise when a pruning player meets random play.

    Returns estimates, with games as samples: the mean number of `candidates` in a turn, and
    the percentage of random games `saved`.
    """
    game = load(GAME, board)
    played = []
    for number in range(games):
        played.append(list(turns(game, samples, rounds, number % 2, seed + number)))
        report(number + 1, games)
    moves = ((float(sum(t.moves for t in each)), len(each)) for each in played)
    work = ((float(sum(t.pruned for t in each)), sum(t.plain for t in each)) for each in played)
    return {
        "candidates": _estimate(measuring.mean_cost(moves)),
        "saved": _estimate(measuring.saved(measuring.mean_cost(work))),
        "games": games,
    }


def turns(game: Game, samples: int, rounds: int, seat: int, seed: int) -> Iterator[TurnCost]:
    """Play one game of a pruning player against random play; yields the player's turns."""
    plain = agent(f"montecarlo:samples={samples}").begin(seed)
    pruning = agent(f"pruning:samples={samples},rounds={rounds}").begin(seed)
    rival = agent(RIVAL).begin(seed + 1)
    position, ply = game.start(), 0
    while not position.is_over:
        if position.player == seat:
            decision = pruning.choose(position, ply)
            work = plain.choose(position, ply).effort.simulations
            yield TurnCost(len(position.legal_moves()), work, decision.effort.simulations)
        else:
            decision = rival.choose(position, ply)
        position, ply = position.play(decision.move), ply + 1


def _estimate(found: Measured | None) -> dict[str, Any]:
    assert found is not None  # every game has turns
    return {"value": found.value, "low": found.low, "high": found.high, "games": found.games}
