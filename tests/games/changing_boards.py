"""Boards that change, put together from boards that do not."""

from dataclasses import replace

import topple
from topple.boards import Board


def changing(first: str, *later: tuple[int, str]) -> Board:
    """A board that becomes other boards with the same vertices, each at a ply."""
    stages = [topple.load_board(spec).networks[0]._replace(ply=ply) for ply, spec in later]
    return replace(topple.load_board(first), stages=tuple(stages), structural=False)
