"""Published tables and figures: their data, their reproduction and the report on it.

`data` has the published numbers, `engine` plays, computes, measures and judges, and `report` shows
what was found. `paper` is the vocabulary of the data.
"""

from importlib import import_module

from topple.core.errors import BadText, unknown
from topple.papers.paper import Paper

PAPERS = ("spread-it", "chain-reaction", "infexion", "sds-hex", "influence")
ALL = "all"


def load_paper(name: str) -> Paper:
    """Load the paper of a name.

    Raises
    ------
    BadText
        If there is no such paper.

    Examples
    --------
    >>> load_paper("influence").game
    'influence'
    """
    if name not in PAPERS:
        raise BadText(unknown("paper", name, [*PAPERS, ALL]))
    paper: Paper = import_module(f"topple.papers.data.{name.replace('-', '_')}").PAPER
    return paper


__all__ = ["ALL", "PAPERS", "Paper", "load_paper"]
