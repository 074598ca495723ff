"""Spread-It, the slow twin: RULES.md section 1, rule by rule.

Vertices are 0, 1, ..., n - 1. Black is player 0 and moves first, Red is player 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

BLACK, RED = 0, 1


@dataclass(frozen=True)
class State:
    """RULES.md 1, State: what lies on each vertex, whose it is, and what is still to be played."""

    black: tuple[int, ...]  # black tokens per vertex
    red: tuple[int, ...]  # red tokens per vertex
    last: tuple[int | None, ...]  # colour of the last token that arrived, None: none ever did
    owner: tuple[int | None, ...]  # full loyalty: who owns the vertex, None: nobody
    left: tuple[int, int]  # tokens left to Black and to Red
    mover: int
    endless: bool = False  # the last cascade was found endless, or was cut


class SpreadIt:
    """RULES.md 1: put down a token, let the vertices fire, win by tokens or by vertices."""

    n_players = 2

    def __init__(
        self,
        adjacency: Sequence[Sequence[int]],
        thresholds: Sequence[int] | None = None,
        *,
        order: str = "dominance",
        loyalty: str = "zero",
        tokens: int | None = None,
        limit: int = 100_000,
    ) -> None:
        if order not in ("dominance", "index"):
            raise ValueError(f"order must be dominance or index, not {order!r}")
        if loyalty not in ("zero", "full"):
            raise ValueError(f"loyalty must be zero or full, not {loyalty!r}")
        self.adjacency = tuple(tuple(neighbours) for neighbours in adjacency)
        self.vertices = range(len(self.adjacency))
        self.degrees = tuple(len(neighbours) for neighbours in self.adjacency)
        self.thresholds = self.degrees if thresholds is None else tuple(thresholds)
        if any(threshold < 1 for threshold in self.thresholds):
            raise ValueError("every threshold must be at least 1")
        self.order = order
        self.loyalty = loyalty
        self.tokens = tokens
        self.limit = limit

    # -- the common interface ----------------------------------------------------------------

    def start(self) -> State:
        """RULES.md 1, State: an empty board, nothing owned, Black to move."""
        nothing = tuple(0 for _ in self.vertices)
        nobody = tuple(None for _ in self.vertices)
        return State(nothing, nothing, nobody, nobody, self.budgets(), BLACK)

    def player(self, state: State) -> int:
        """RULES.md 1: Black and Red alternate."""
        return state.mover

    def is_over(self, state: State) -> bool:
        """RULES.md 1, The end: an endless cascade, every vertex owned, or both budgets spent."""
        return state.endless or self.all_owned(state) or state.left == (0, 0)

    def legal_moves(self, state: State) -> list[int]:
        """RULES.md 1, A turn: any vertex; under full loyalty any unowned vertex."""
        if self.is_over(state):
            return []
        return [vertex for vertex in self.vertices if state.owner[vertex] is None]

    def play(self, state: State, move: int) -> State:
        """RULES.md 1, A turn: put down a token, let the cascade run, hand over the turn."""
        if move not in self.legal_moves(state):
            raise ValueError(f"illegal move {move!r} in {state}")
        state = self.put(state, move)
        state = self.cascade(state)
        return replace(state, mover=1 - state.mover)

    def returns(self, state: State) -> tuple[float, ...]:
        """RULES.md 1, The end: +1 and -1, or 0 and 0 for a draw."""
        winner = self.winner(state)
        if winner is None:
            return (0.0, 0.0)
        return (1.0, -1.0) if winner == BLACK else (-1.0, 1.0)

    # -- the budget --------------------------------------------------------------------------

    def budgets(self) -> tuple[int, int]:
        """RULES.md 1, Budget: 2m - n in all, Black has the odd one; `tokens` sets both."""
        if self.tokens is not None:
            return (self.tokens, self.tokens)
        n_in_all = max(0, sum(self.degrees) - len(self.vertices))  # the degrees add up to 2m
        return (n_in_all - n_in_all // 2, n_in_all // 2)

    # -- a turn ------------------------------------------------------------------------------

    def put(self, state: State, vertex: int) -> State:
        """RULES.md 1, A turn: the mover puts one of his tokens on the vertex."""
        black_left, red_left = state.left
        left = (black_left - 1, red_left) if state.mover == BLACK else (black_left, red_left - 1)
        return replace(arrive(state, vertex, state.mover), left=left)

    def cascade(self, state: State) -> State:
        """RULES.md 1, A turn and Endless cascades: fire while some vertex is ready."""
        if self.loyalty == "full":
            return self.cascade_full(state)
        return self.cascade_zero(state)

    def cascade_full(self, state: State) -> State:
        """RULES.md 1, Loyalty: a vertex fires once, so there are at most n firings."""
        while self.ready(state):
            state = self.fire(state, self.next_to_fire(state))
        return state

    def cascade_zero(self, state: State) -> State:
        """RULES.md 1, Endless cascades: stop at one colour, at a repetition, or at the limit."""
        n_firings = 0
        have_fired: set[int] = set()
        seen: set[tuple] = set()  # configurations since the cascade was found endless
        while self.ready(state):
            if n_firings == self.limit:
                return replace(state, endless=True)
            vertex = self.next_to_fire(state)
            state = self.fire(state, vertex)
            n_firings += 1
            have_fired.add(vertex)
            if self.never_ends(have_fired):
                configuration = (state.black, state.red, state.last)
                if one_colour_left(state) or configuration in seen:
                    return replace(state, endless=True)
                seen.add(configuration)
        return state

    def ready(self, state: State) -> list[int]:
        """RULES.md 1, A turn: the vertices with at least k(v) tokens (an owned one never fires)."""
        return [
            vertex
            for vertex in self.vertices
            if state.owner[vertex] is None and total(state, vertex) >= self.thresholds[vertex]
        ]

    def next_to_fire(self, state: State) -> int:
        """RULES.md 1, Which fires first: the mover's largest dominance, or the lowest index."""
        ready = self.ready(state)
        if self.order == "index":
            return min(ready)
        return min(ready, key=lambda vertex: (-dominance(state, vertex), vertex))

    def fire(self, state: State, vertex: int) -> State:
        """RULES.md 1, A turn, steps 1 to 3, and Loyalty: the vertex fires."""
        colour = winner_on(state, vertex)
        takers = [u for u in self.adjacency[vertex] if state.owner[u] is None]
        n_kept_back = self.degrees[vertex] - len(takers)  # meant for owned neighbours
        n_staying = total(state, vertex) - self.thresholds[vertex] + n_kept_back
        state = recolour(state, vertex, colour, n_staying)
        for neighbour in takers:
            state = arrive(state, neighbour, colour)
        if self.loyalty == "full":
            state = replace(state, owner=put_at(state.owner, vertex, colour))
        return state

    def never_ends(self, have_fired: set[int]) -> bool:
        """RULES.md 1, Endless cascades: every vertex has fired and k(v) <= deg(v) everywhere."""
        return len(have_fired) == len(self.vertices) and all(
            self.thresholds[vertex] <= self.degrees[vertex] for vertex in self.vertices
        )

    # -- the end -----------------------------------------------------------------------------

    def all_owned(self, state: State) -> bool:
        """RULES.md 1, The end, full: every vertex is owned."""
        return None not in state.owner

    def winner(self, state: State) -> int | None:
        """RULES.md 1, The end: who has won, None for a draw."""
        if state.endless and not one_colour_left(state):
            return None
        black, red = self.scores(state)
        if black == red:
            return None
        return BLACK if black > red else RED

    def scores(self, state: State) -> tuple[int, int]:
        """RULES.md 1, The end: tokens on the board (zero) or vertices owned (full)."""
        if self.loyalty == "full":
            return (state.owner.count(BLACK), state.owner.count(RED))
        return (sum(state.black), sum(state.red))


def put_at(values: tuple, vertex: int, value: object) -> tuple:
    """The same values, but for this one at the vertex."""
    return (*values[:vertex], value, *values[vertex + 1 :])


def total(state: State, vertex: int) -> int:
    """The tokens of both colours on the vertex."""
    return state.black[vertex] + state.red[vertex]


def arrive(state: State, vertex: int, colour: int) -> State:
    """One token of this colour arrives at the vertex."""
    last = put_at(state.last, vertex, colour)
    if colour == BLACK:
        return replace(state, last=last, black=put_at(state.black, vertex, state.black[vertex] + 1))
    return replace(state, last=last, red=put_at(state.red, vertex, state.red[vertex] + 1))


def recolour(state: State, vertex: int, colour: int, n_tokens: int) -> State:
    """The vertex now holds this many tokens, all of this colour; none of them has arrived."""
    return replace(
        state,
        black=put_at(state.black, vertex, n_tokens if colour == BLACK else 0),
        red=put_at(state.red, vertex, n_tokens if colour == RED else 0),
    )


def winner_on(state: State, vertex: int) -> int:
    """RULES.md 1, step 1: the colour with more tokens; at a tie the last that arrived."""
    if state.black[vertex] == state.red[vertex]:
        return state.last[vertex]
    return BLACK if state.black[vertex] > state.red[vertex] else RED


def dominance(state: State, vertex: int) -> int:
    """RULES.md 1, Which fires first: the mover's tokens minus the opponent's."""
    black_lead = state.black[vertex] - state.red[vertex]
    return black_lead if state.mover == BLACK else -black_lead


def one_colour_left(state: State) -> bool:
    """RULES.md 1, Endless cascades: exactly one colour lies on the board."""
    return (sum(state.black) == 0) != (sum(state.red) == 0)
