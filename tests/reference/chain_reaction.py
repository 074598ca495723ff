"""Chain Reaction, the slow twin: RULES.md section 2, rule by rule.

Squares are 0, 1, ..., n - 1; each lists its neighbours in the order in which they join the queue.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class State:
    """RULES.md 2: the pieces on each square, their colour, whose turn it is."""

    pieces: tuple[int, ...]  # pieces per square
    colour: tuple[int | None, ...]  # the player they belong to, None: the square is empty
    mover: int
    turns: int  # turns begun so far by all players together


class ChainReaction:
    """RULES.md 2: put down a piece, let full squares explode, be the last colour left."""

    def __init__(
        self,
        adjacency: Sequence[Sequence[int]],
        *,
        players: int = 2,
        surplus: str = "drop",
    ) -> None:
        if surplus not in ("drop", "keep"):
            raise ValueError(f"surplus must be drop or keep, not {surplus!r}")
        if not 2 <= players <= 8:
            raise ValueError(f"2 to 8 players can play, not {players}")
        if players > len(adjacency):
            raise ValueError(f"{players} players need as many squares, not {len(adjacency)}")
        self.adjacency = tuple(tuple(neighbours) for neighbours in adjacency)
        self.squares = range(len(self.adjacency))
        self.n_players = players
        self.surplus = surplus

    # -- the common interface ----------------------------------------------------------------

    def start(self) -> State:
        """RULES.md 2: an empty board, player 0 to move."""
        return State(tuple(0 for _ in self.squares), tuple(None for _ in self.squares), 0, 0)

    def player(self, state: State) -> int:
        """RULES.md 2: the players move in turn."""
        return state.mover

    def is_over(self, state: State) -> bool:
        """RULES.md 2, The end: every player has moved once and one colour is left."""
        return self.everyone_has_moved(state) and len(colours_left(state)) == 1

    def legal_moves(self, state: State) -> list[int]:
        """RULES.md 2, A turn: an empty square, or one that holds the mover's own pieces."""
        if self.is_over(state):
            return []
        return [square for square in self.squares if state.colour[square] in (None, state.mover)]

    def play(self, state: State, move: int) -> State:
        """RULES.md 2, A turn: put down a piece, let the cascade run, hand over the turn."""
        if move not in self.legal_moves(state):
            raise ValueError(f"illegal move {move!r} in {state}")
        state = self.put(state, move)
        state = self.cascade(state, move)
        return replace(state, mover=self.next_player(state))

    def returns(self, state: State) -> tuple[float, ...]:
        """RULES.md 2, The end: +1 for the colour left, -1/(p - 1) for each of the others."""
        (winner,) = colours_left(state)
        loss = -1.0 / (self.n_players - 1)
        return tuple(1.0 if player == winner else loss for player in range(self.n_players))

    # -- a turn ------------------------------------------------------------------------------

    def put(self, state: State, square: int) -> State:
        """RULES.md 2, A turn: the mover puts one piece on the square; his turn counts from here."""
        return replace(gain(state, square), turns=state.turns + 1)

    def cascade(self, state: State, square: int) -> State:
        """RULES.md 2, A turn: a first-in-first-out queue, left at once when the game is over.

        On a connected board every endless cascade leaves one colour, so it ends once everyone has
        moved. One that goes round in the first round (more players than edges), or in one part of
        a board in several parts, is outside the rules and refused.
        """
        queue = (square,)
        seen: set[tuple[State, tuple[int, ...]]] = set()
        while queue and not self.is_over(state):
            square, queue = queue[0], queue[1:]
            if state.pieces[square] >= self.capacity(square):
                state = self.explode(state, square)
                queue = queue + self.adjacency[square]
            if (state, queue) in seen:
                raise ValueError(f"RULES.md does not say how this cascade ends: {state}")
            seen.add((state, queue))
        return state

    def capacity(self, square: int) -> int:
        """RULES.md 2, Board: the number of neighbours."""
        return len(self.adjacency[square])

    def explode(self, state: State, square: int) -> State:
        """RULES.md 2, A turn: the pieces leave; every neighbour gains one and turns."""
        n_staying = 0
        if self.surplus == "keep":
            n_staying = state.pieces[square] - self.capacity(square)
        state = hold(state, square, n_staying)
        for neighbour in self.adjacency[square]:
            state = gain(state, neighbour)
        return state

    # -- whose turn --------------------------------------------------------------------------

    def everyone_has_moved(self, state: State) -> bool:
        """RULES.md 2, The end: the first round, in which nobody is skipped, has been played."""
        return state.turns >= self.n_players

    def next_player(self, state: State) -> int:
        """RULES.md 2, The end: who has no pieces after the first round is skipped."""
        player = (state.mover + 1) % self.n_players
        while self.everyone_has_moved(state) and player not in colours_left(state):
            player = (player + 1) % self.n_players
        return player


def put_at(values: tuple, square: int, value: object) -> tuple:
    """The same values, but for this one on the square."""
    return (*values[:square], value, *values[square + 1 :])


def hold(state: State, square: int, n_pieces: int) -> State:
    """The square holds this many pieces of the mover's colour; none: no colour."""
    return replace(
        state,
        pieces=put_at(state.pieces, square, n_pieces),
        colour=put_at(state.colour, square, state.mover if n_pieces > 0 else None),
    )


def gain(state: State, square: int) -> State:
    """The square gains one piece and turns, with all its pieces, to the mover's colour."""
    return hold(state, square, state.pieces[square] + 1)


def colours_left(state: State) -> set[int]:
    """RULES.md 2, The end: the players who have pieces."""
    return {colour for colour in state.colour if colour is not None}
