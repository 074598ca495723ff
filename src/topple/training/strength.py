"""Strength: short matches that tell whether a network in training gets better."""

from itertools import count

from topple.agents import Agent
from topple.game import Game, Position
from topple.game.game import random_position

OPENING = 2  # random plies before both sides of a pair
LONGEST = 5000  # plies of a game


def pair_score(game: Game, agent: Agent, other: Agent, seed: int) -> float:
    """The share of the points that `agent` takes of games from one opening, one in each seat.

    All other seats are `other`'s.
    """
    opening = next(
        position
        for n in count()
        if not (position := random_position(game, OPENING, seed + n * 1_000_003)).is_over
    )
    seats = range(game.n_players)
    return sum(_result(opening, agent, other, own, seed) for own in seats) / len(seats)


def _result(position: Position, agent: Agent, other: Agent, own: int, seed: int) -> float:
    """1 if `agent`, who plays as player `own`, wins, 0 if it loses, else an equal share."""
    n = position.game.n_players
    players = [agent.begin(seed) if i == own else other.begin(seed) for i in range(n)]
    for ply in range(LONGEST):
        if position.is_over:
            break
        player = players[position.player]
        position = position.play(player.choose(position, ply).move)
    return ((n - 1) * float(position.returns()[own]) + 1) / n if position.is_over else 1 / n
