"""A game that only those win often who know what will be drawn.

The first player makes the only move. Each move but the last tosses a coin of its own that wins
once in four times; the last wins every other time. All coins of a move follow from its draw, so
whoever knows the draw mostly finds a coin that wins.
"""

from typing import Any, NamedTuple

from topple.boards.board import Board
from topple.compiling.chance import GAMMA, SURE, WORDS, drawn, read_chance, write_chance
from topple.compiling.specialise import kernel
from topple.rules.interface import HEADER, RUNNING, STATUS, WON, Moves, Sizes, State

NAME = "coins"
TITLE = "Coins"
SUMMARY = "toss a coin of your choice"
BOARD = "path:9"
OPTIONS = ()


class CoinBoard(NamedTuple):
    """The number of coins."""

    n: int


def players(options: dict[str, Any]) -> tuple[str, ...]:
    """Two, of whom the second only watches."""
    return ("Tosser", "Watcher")


def tables(board: Board, options: dict[str, Any]) -> CoinBoard:
    """A coin for each vertex."""
    return CoinBoard(board.n_vertices)


def sizes(board: CoinBoard) -> Sizes:
    """The position is the header; the scratch space is the generator."""
    return Sizes(HEADER, WORDS, board.n)


@kernel
def chance_at(board: CoinBoard) -> int:
    """The generator."""
    return HEADER


@kernel
def start(board: CoinBoard, state: State) -> None:
    """Nothing is to be set up."""
    state[STATUS] = RUNNING


@kernel
def legal_moves(board: CoinBoard, state: State, moves: Moves) -> int:
    """Any coin."""
    for coin in range(board.n):
        moves[coin] = coin
    return board.n


@kernel
def begin(board: CoinBoard, state: State, move: int) -> None:
    """Draw for each coin up to the chosen one, whose draw decides."""
    word = read_chance(state, HEADER)
    for _ in range(move + 1):
        word = word + GAMMA
    write_chance(state, HEADER, word)
    share = 0.5 if move == board.n - 1 else 0.25
    state[STATUS] = WON + int(drawn(word) >= share * SURE)
