"""A Hex board on which other programs set stones, of either colour in any order."""

from typing import NamedTuple

from topple.bridges.hex.notation import BLACK, COLOURS, RESIGN, SWAPS, WHITE
from topple.core.errors import BadText, IllegalMove
from topple.game import Game, Position, load
from topple.rules.hex import SWAP, SWAPPED
from topple.rules.interface import PLAYER, STATUS, WON, State, apply

COLOUR_NAMES = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}
LETTERS = "BW"


class PlayedMove(NamedTuple):
    """A stone on a vertex, a swap or a resignation."""

    colour: int
    text: str  # a cell, SWAP or RESIGN
    vertex: int | None = None


def read_colour(text: str) -> int:
    """Read `b`, `black`, `w` or `white`, in either case.

    Raises
    ------
    BadText
        If it is none of them.
    """
    if text.lower() not in COLOUR_NAMES:
        raise BadText(f"{text!r:.40} is no colour: write b, black, w or white")
    return COLOUR_NAMES[text.lower()]


class StoneBoard:
    """A Hex board with the stones, swaps and resignations so far, in order.

    A colour is a side of the board: Black joins top and bottom, whoever plays it. A swap
    changes no stone; the players exchange their colours.
    """

    def __init__(self, size: int, *, swap: bool = False) -> None:
        self.game: Game = load("hex", f"hex:{size}", swap=swap)
        self.history: list[PlayedMove] = []

    @property
    def size(self) -> int:
        """The number of rows."""
        return self.game.board.rows

    @property
    def stones(self) -> dict[str, int]:
        """The colour of each cell with a stone."""
        return {each.text: each.colour for each in self.history if each.vertex is not None}

    @property
    def is_swapped(self) -> bool:
        """Whether the players have exchanged their colours."""
        return any(move.text == SWAP for move in self.history)

    @property
    def turn(self) -> int:
        """The colour to play next, which a swap does not change."""
        if not self.history:
            return BLACK
        last = self.history[-1]
        return last.colour if last.text == SWAP else 1 - last.colour

    def play(self, colour: int, text: str) -> PlayedMove:
        """Set a stone, swap or resign.

        Raises
        ------
        BadText
            If the text is not a move.
        IllegalMove
            If the cell is taken, or swapping is not possible now.
        """
        move = self._read(colour, text.lower())
        if move.text == SWAP and not self._may_swap(colour):
            raise IllegalMove(f"{text:.40} is for the second move, after the other colour's stone")
        if move.vertex is not None and move.text in self.stones:
            raise IllegalMove(f"{move.text} is taken")
        self.history.append(move)
        return move

    def _read(self, colour: int, text: str) -> PlayedMove:
        if text in SWAPS:
            return PlayedMove(colour, SWAP)
        if text == RESIGN:
            return PlayedMove(colour, RESIGN)
        vertex = self.game.board.vertex_of.get(text)
        if vertex is None:
            last = self.game.board.labels[-1]
            raise BadText(
                f"{text!r:.40} is no move: write a cell from a1 to {last}, {SWAP} or {RESIGN}"
            )
        return PlayedMove(colour, text, vertex)

    def _may_swap(self, colour: int) -> bool:
        return len(self.history) == 1 and self.stones == {self.history[0].text: 1 - colour}

    def undo(self) -> None:
        """Take the last move back.

        Raises
        ------
        IllegalMove
            If there is none.
        """
        if not self.history:
            raise IllegalMove("there is no move to take back")
        self.history.pop()

    def clear(self) -> None:
        """Empty the board."""
        self.history = []

    @property
    def winner(self) -> int | None:
        """The colour that has joined its sides, or whose opponent has resigned."""
        status = int(self._state()[STATUS])
        if status >= WON:
            return status - WON
        if self.history and self.history[-1].text == RESIGN:
            return 1 - self.history[-1].colour
        return None

    def free_cells(self) -> list[str]:
        """The cells without a stone, row by row."""
        stones = self.stones
        return [label for label in self.game.board.labels if label not in stones]

    def position(self, colour: int) -> Position:
        """The position with a colour to move, for any numbers of stones."""
        # Without the swap rule it makes no difference who has which colour.
        has_swap_rule = bool(self.game.tables.swap)
        swapped = int(has_swap_rule and (self.is_swapped or self._was_mirrored()))
        state = self._state()
        state[PLAYER], state[SWAPPED] = colour ^ swapped, swapped
        if state[STATUS] >= WON:
            state[STATUS] = WON + (int(state[STATUS]) - WON ^ swapped)
        return Position(self.game, state)

    def _was_mirrored(self) -> bool:
        """Whether the only stone is White's: another program has replayed a mirrored swap.

        It must not be swapped again, so the position is one after a swap.
        """
        return list(self.stones.values()) == [WHITE]

    def _state(self) -> State:
        """The state with colours as players, as if nobody had swapped."""
        state = self.game.scratch_state()
        for move in self.history:
            if move.vertex is not None:
                state[PLAYER] = move.colour
                self.game.run(apply, state, move.vertex)
        return state

    def draw(self) -> list[str]:
        """The board as lines of text.

        >>> board = StoneBoard(2)
        >>> _ = board.play(BLACK, "b1")
        >>> print("\\n".join(board.draw()))
            a b
         1  . B
          2  . .
        Black joins top and bottom, White left and right; White to move
        """
        stones, size = self.stones, self.size
        rows = [
            [LETTERS[stones[cell]] if cell in stones else "." for cell in labels]
            for labels in zip(*[iter(self.game.board.labels)] * size, strict=True)
        ]
        heads = " ".join(label.rstrip("1") for label in self.game.board.labels[:size])
        lines = [f"{' ' * row}{row + 1:>2}  {' '.join(cells)}" for row, cells in enumerate(rows)]
        sides = f"{COLOURS[BLACK]} joins top and bottom, {COLOURS[WHITE]} left and right"
        return [f"    {heads}", *lines, f"{sides}; {COLOURS[self.turn]} to move"]
