"""Results of games that were just played, as a store will tell them."""

from topple.arena.played import PlayedGame
from topple.arena.store_rows import Result, moves_digest


def result_of(played: PlayedGame, game: str) -> Result:
    """What statistics need of a game; `game` is its spec."""
    record, (first, second) = played.record, played.parts
    assert record.result is not None
    return Result(
        game=game,
        board=record.board.spec,
        board_digest=record.board.digest,
        agents=(record.players[0], record.players[1]),
        pair=played.pair,
        side=played.side,
        opening_number=played.opening_number,
        returns=(record.result[0], record.result[1]),
        ending=None if record.ending is None else record.ending.by,
        ending_player=None if record.ending is None else record.ending.player,
        plies=len(record.moves),
        opening=record.opening,
        moves=(first.moves, second.moves),
        seconds=(first.seconds, second.seconds),
        simulations=(first.simulations, second.simulations),
        nodes=(first.nodes, second.nodes),
        moves_digest=moves_digest(record.moves),
    )
