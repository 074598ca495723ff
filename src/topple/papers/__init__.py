"""Papers: published tables and figures as data, one file for each publication."""

from importlib import import_module

from topple.core.errors import BadText, unknown
from topple.papers.paper import Paper

PAPERS = ("spread-it", "chain-reaction", "infexion", "sds-hex", "influence")
ALL = "all"


def load_paper(name: str) -> Paper:
    """The paper of a name.

    Raises
    ------
    BadText
        If there is none.

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
