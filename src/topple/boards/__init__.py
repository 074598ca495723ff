"""Boards: graphs to play on, by name, from files and from NetworkX."""

from topple.boards.board import Board
from topple.boards.conversion import board_from_networkx, board_to_networkx
from topple.boards.files.portable import board_from_json, board_to_json
from topple.boards.files.writing import write_board
from topple.boards.kinds.catalogue import BOARDS, BoardKind, load_board
from topple.boards.layout import spring_places

__all__ = [
    "BOARDS",
    "Board",
    "BoardKind",
    "board_from_json",
    "board_from_networkx",
    "board_to_json",
    "board_to_networkx",
    "load_board",
    "spring_places",
    "write_board",
]
