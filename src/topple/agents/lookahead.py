"""What looking ahead with an evaluation has in common: values, outcomes, candidates."""

from collections.abc import Iterable, Sequence

from topple.agents.decision import (
    DRAWN,
    LOST,
    WON,
    Candidate,
    Decision,
    Effort,
    with_shares,
)
from topple.game.position import Position
from topple.kernels.values import DECIDED


def proven_text(value: float, is_complete: bool) -> str | None:
    """What a value proves for the player to move; `is_complete` if no evaluation had a say."""
    if value > DECIDED:
        return WON
    if value < -DECIDED:
        return LOST
    return DRAWN if is_complete else None


def root_candidates(
    moves: Sequence[int], values: Sequence[float], nodes: Sequence[int], exact: Sequence[bool]
) -> tuple[Candidate, ...]:
    """The root's moves in the order searched, with the nodes visited up to each, best first."""
    before = [0, *nodes]
    found = [
        Candidate(
            move, value, visits=after - nodes_before, exact=is_exact,
            proven=proven_text(value, False) if is_exact or value < 0 else None,
        )
        for move, value, after, nodes_before, is_exact in zip(
            moves, values, nodes, before, exact, strict=False
        )
    ]  # fmt: skip
    found.sort(key=lambda each: (-each.value, not each.exact))  # stable: the first found first
    return with_shares(found)


def undecided(position: Position, effort: Effort) -> Decision:
    """The first legal move, where no move has been looked at yet."""
    moves = position.legal_moves()
    return Decision(moves[0], 0.0, tuple(Candidate(move, 0.0) for move in moves), moves[:1], effort)


def until_none(row: Iterable[int]) -> tuple[int, ...]:
    """The moves of a variation's row up to its end mark."""
    moves = []
    for move in row:
        if move < 0:
            break
        moves.append(int(move))
    return tuple(moves)
