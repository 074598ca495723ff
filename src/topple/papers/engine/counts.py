"""Counts: what a rate counts of games, and out of what."""

from collections.abc import Mapping

from topple.arena.statistics.rates import ALL, DECIDED, DRAWN, LOST, SCORED, WON

Worth = Mapping[str, float]  # of a game that was won, drawn or lost

# By the name that `topple.papers.paper.Rate` has for it.
COUNTS: Mapping[str, tuple[Worth, Worth]] = {
    "win": (WON, ALL),
    "draw": (DRAWN, ALL),
    "loss": (LOST, ALL),
    "score": (SCORED, ALL),
    "win-loss": (WON, DECIDED),
}
