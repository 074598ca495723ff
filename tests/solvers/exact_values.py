"""What positions are worth, by plain recursion over the slow twins: no code of topple's in it."""

from collections.abc import Iterator
from typing import Any

from tests.reference.chain_reaction import ChainReaction
from tests.reference.hex import Hex
from tests.reference.infexion import Infexion
from tests.reference.influence import Influence
from tests.reference.spread_it import SpreadIt
from topple.game.game import Game
from topple.game.position import Position


def twin_of(game: Game) -> Any:
    """The slow twin of a game on its board."""
    board, options = game.board, dict(game.options)
    graph = [board.neighbours(vertex) for vertex in range(board.n_vertices)]
    if game.name == "hex":
        return Hex(board.rows, swap=options["swap"])
    if game.name == "infexion":
        return Infexion(board.rows)
    if game.name == "influence":
        return Influence(graph, board.sides, first=options["first"])
    if game.name == "chain-reaction":
        return ChainReaction(graph, players=options["players"], surplus=options["surplus"])
    known = {name: options[name] for name in ("loyalty", "order", "tokens")}
    return SpreadIt(graph, board.thresholds.tolist(), **known)


def twin_move(game: Game, move: int) -> Any:
    """A move as the twin writes it."""
    if game.name == "hex":
        return "swap-pieces" if move == game.board.n_vertices else divmod(move, game.board.rows)
    if game.name == "infexion":
        name, _, numbers = game.move_text(move).rstrip(")").partition("(")
        return (name, *map(int, numbers.split(",")))
    return move


class Values:
    """The values of a game's positions for its first player, each found once."""

    def __init__(self, game: Game) -> None:
        self.game, self.twin = game, twin_of(game)
        self.known: dict[Any, int] = {}

    def of(self, state: Any) -> int:
        """1, 0 or −1: what the first player gets from here."""
        twin = self.twin
        if twin.is_over(state):
            return int(twin.returns(state)[0])
        if state not in self.known:
            best = max if twin.player(state) == 0 else min
            children = [twin.play(state, move) for move in twin.legal_moves(state)]
            self.known[state] = best(self.of(child) for child in children)
        return self.known[state]

    def of_moves(self, state: Any) -> list[int]:
        """What each move is worth to the player who makes it."""
        sign = 1 if self.twin.player(state) == 0 else -1
        moves = self.twin.legal_moves(state)
        return [sign * self.of(self.twin.play(state, move)) for move in moves]

    def positions(self) -> Iterator[tuple[Position, Any]]:
        """Every position that is not over, as topple and as the twin see it."""
        start = self.game.start()
        waiting, met = [(start, self.twin.start())], {start}
        while waiting:
            position, state = waiting.pop()
            yield position, state
            for move in position.legal_moves():
                child = position.play(move)
                if not child.is_over and child not in met:
                    met.add(child)
                    waiting.append((child, self.twin.play(state, twin_move(self.game, move))))

    def follow(self, moves: list[int]) -> Any:
        """The twin's position after moves from the start."""
        state = self.twin.start()
        for move in moves:
            state = self.twin.play(state, twin_move(self.game, move))
        return state
