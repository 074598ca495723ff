"""Boards: graphs to play on, by name, from files and from NetworkX."""

from topple.boards.board import Board
from topple.boards.conversion import board_from_networkx, board_to_networkx
from topple.boards.drawing import draw_board
from topple.boards.kinds import BOARDS, BoardKind, load_board
from topple.boards.layout import spring_places
from topple.boards.portable import board_from_json, board_to_json
from topple.boards.writing import write_board

__all__ = [
    "BOARDS",
    "Board",
    "BoardKind",
    "board_from_json",
    "board_from_networkx",
    "board_to_json",
    "board_to_networkx",
    "draw_board",
    "load_board",
    "spring_places",
    "write_board",
]
