"""Boards to train on: fixed ones, and families from which boards are drawn."""

import re
from dataclasses import dataclass
from random import Random

from topple.boards import Board, load_board
from topple.core.errors import BadText
from topple.learning.networks import draw_network

NETWORKS = re.compile(r"networks:(\d+)-(\d+)")
RANGE = re.compile(r"(?<![\d.])(\d+)-(\d+)(?![\d.])")
SEED = re.compile(r"\bseed=new\b")
MOST_SEED = 1_000_000_000


@dataclass(frozen=True)
class BoardFamily:
    """A board, or boards drawn at random, as a text names them.

    `networks:14-60` is random networks of three classes, as Spread-It's paper has them. In any
    other text a range such as `9-11` stands for a number drawn from it, and `seed=new` for a
    new seed.

    >>> BoardFamily("hex:9").is_fixed, BoardFamily("hex:5-9").is_fixed
    (True, False)
    """

    text: str

    @property
    def is_fixed(self) -> bool:
        """Whether the text names one board only."""
        return not (RANGE.search(self.text) or SEED.search(self.text))

    def draw(self, source: Random) -> Board:
        """Draw a board.

        Raises
        ------
        BadText
            If the text names no board.
        """
        if found := NETWORKS.fullmatch(self.text):
            least, most = int(found[1]), int(found[2])
            if not 8 <= least <= most <= 1000:
                raise BadText(f"{self.text}: networks have from 8 to 1000 vertices")
            return draw_network(source, least, most)

        def drawn(found: re.Match[str]) -> str:
            least, most = int(found[1]), int(found[2])
            if least > most:
                raise BadText(f"{self.text}: the range {found[0]} runs backwards")
            return str(source.randint(least, most))

        text = RANGE.sub(drawn, self.text)
        return load_board(SEED.sub(f"seed={source.randrange(MOST_SEED)}", text))
