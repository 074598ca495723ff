"""Positions as networks with tokens and owners as attributes, for Gephi and NetworkX."""

from pathlib import Path
from typing import Any

from topple.boards.conversion import board_to_networkx
from topple.boards.files.writing import network_ending, network_text
from topple.core.files import write_whole
from topple.game.position import Position
from topple.rules.text import Cell

NOBODY = "nobody"


def position_to_networkx(position: Position) -> Any:
    """A position as a NetworkX graph whose nodes are the board's labels.

    Nodes have the attributes `owner`, a player's name or `nobody`; if the game counts tokens,
    `tokens` in all and `tokens_NAME` of each player; if vertices have left the board, `taken`;
    `x` and `y`, with y pointing down; and those of the board. The graph has the attributes
    `game`, `board`, `position`, `to_move` and `result`.

    >>> import topple
    >>> game = topple.load("spread-it:loyalty=full", board="ba:n=6,m=2,seed=1")
    >>> graph = position_to_networkx(game.start().play("2"))
    >>> node = graph.nodes["2"]
    >>> node["tokens"], node["tokens_black"], node["tokens_red"], node["owner"]
    (1, 1, 0, 'nobody')
    >>> graph.graph["to_move"]
    'Red'
    """
    game = position.game
    graph = board_to_networkx(game.board)
    contents = position.contents()
    some_gone = any(cell.gone for cell in contents)
    for label, cell, (x, y) in zip(
        game.board.labels, contents, game.board.coordinates.tolist(), strict=True
    ):
        graph.nodes[label].update(_attributes(game.players, cell), x=x, y=y)
        if some_gone:
            graph.nodes[label]["taken"] = cell.gone
    graph.graph.update(
        game=game.spec,
        board=game.board.spec,
        position=position.text,
        to_move=NOBODY if position.is_over else game.players[position.player],
        result=position.result_text(),
    )
    return graph


def _attributes(players: tuple[str, ...], cell: Cell) -> dict[str, Any]:
    """The attributes for the contents of a vertex."""
    owner = NOBODY if cell.owner is None else players[cell.owner]
    if not cell.counts:
        return {"owner": owner}
    own = zip(players, cell.counts, strict=True)
    return {
        "owner": owner,
        "tokens": sum(cell.counts),
        **{f"tokens_{name.lower()}": count for name, count in own},
    }


def position_text(position: Position, ending: str) -> str:
    """A position as the text of a network file; `ending` names the format, such as `.graphml`."""
    return network_text(position_to_networkx(position), ending)


def write_position(position: Position, path: str | Path) -> None:
    """Write a position as GraphML, GEXF, GML or node-link JSON, by the ending of `path`.

    Raises
    ------
    BadText
        If the ending is no known format.
    Unsupported
        If the format cannot hold attributes of vertices.
    ToppleError
        If the file cannot be written.
    """
    path = Path(path)
    write_whole(path, position_text(position, network_ending(path)).encode())
