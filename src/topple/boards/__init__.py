"""Boards: graphs to play on.

`kinds` builds them from a text such as `grid:5x5`, `files` reads and writes them, and
`conversion` exchanges them with NetworkX. A board itself is a set of read-only arrays.
"""

from topple.boards.board import Board
from topple.boards.communities import community_sizes, modularity
from topple.boards.conversion import board_from_networkx, board_to_networkx
from topple.boards.files.portable import board_from_json, board_to_json
from topple.boards.files.writing import write_board
from topple.boards.kinds.catalogue import BOARDS, BoardKind, load_board
from topple.boards.kinds.rewiring import rewired_board
from topple.boards.layout import spring_places

__all__ = [
    "BOARDS",
    "Board",
    "BoardKind",
    "board_from_json",
    "board_from_networkx",
    "board_to_json",
    "board_to_networkx",
    "community_sizes",
    "load_board",
    "modularity",
    "rewired_board",
    "spring_places",
    "write_board",
]
