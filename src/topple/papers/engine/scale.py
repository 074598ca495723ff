"""Scale: how many games are played of those that a paper has played."""

from math import ceil
from typing import NamedTuple

from topple.core.errors import BadText
from topple.papers.paper import Games

QUICK, FULL = "quick", "full"


class Scale(NamedTuple):
    """Quick, full, or a share of the full number of games with the full settings."""

    text: str
    share: float | None = None  # None: the quick settings

    @property
    def is_quick(self) -> bool:
        """Whether the quick settings are meant."""
        return self.share is None

    def n_games(self, games: Games) -> int:
        """Games for each pairing on each field: an even number, so that seats are shared fairly.

        >>> from topple.papers.paper import Games
        >>> games = Games("I", (), {}, full=500, quick=4)
        >>> [parse_scale(text).n_games(games) for text in ("quick", "1%", "full")]
        [4, 6, 500]
        """
        if self.share is None:
            return games.quick
        wanted = ceil(round(self.share * games.full, 6))
        return min(games.full, max(2, wanted + wanted % 2))


def parse_scale(text: str) -> Scale:
    """Read `quick`, `full` or a share such as `10%`.

    Raises
    ------
    BadText
        If it is none of these.

    Examples
    --------
    >>> parse_scale("10%")
    Scale(text='10%', share=0.1)
    """
    if text == QUICK:
        return Scale(text)
    if text == FULL:
        return Scale(text, 1.0)
    number = text.removesuffix("%")
    try:
        percent = float(number) if number != text else 0.0
    except ValueError:
        percent = 0.0
    if not 0 < percent <= 100:
        raise BadText(f"scale {text!r}: write quick, full or a share such as 10%")
    return Scale(text, percent / 100)
