"""Who made which move of a record: what the shares of moves are counted from."""

from topple.arena.store.played import PlayedGame
from topple.game.game import Game

OWN_RULES = "topple.rules."


def takes_turns(game: Game) -> bool:
    """Whether players take turns until one has nothing left to do, and waits to the end.

    So it is in every game of topple's own; of others nothing is known.
    """
    return game.rules.__name__.startswith(OWN_RULES)


def movers(played: PlayedGame, first: int | None) -> list[int]:
    """The seat that made each move after the opening.

    Parameters
    ----------
    played : PlayedGame
        The game whose moves are asked about.
    first : int or None
        Who begins, in a game that `takes_turns`: then numbers of moves that are
        not those of turns give away that somebody waited, and only such a game is
        replayed. None: every game is.

    Raises
    ------
    BadRecord
        If the record must be replayed and cannot be.
    """
    record = played.record
    n = len(record.moves)
    if first is not None:
        turns = [(first + ply) % 2 for ply in range(record.opening, n)]
        if [turns.count(0), turns.count(1)] == [part.moves for part in played.parts]:
            return turns
    positions = list(record.positions())
    return [position.player for position in positions[record.opening : n]]
