"""Choosing: which items of which papers are meant by what somebody types."""

from collections.abc import Mapping, Sequence

from topple.core.errors import BadText
from topple.papers import ALL, PAPERS, load_paper
from topple.papers.engine.plans import Plans
from topple.papers.engine.scale import Scale
from topple.papers.engine.tasks import Chosen
from topple.papers.paper import Item, Paper

ROMANS = ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))


def choose(name: str, number_of: Mapping[str, str | None], scale: Scale) -> Chosen:
    """The items of a paper, or of all, that are meant.

    Parameters
    ----------
    name : str
        A paper, or `all`.
    number_of : mapping of str to str
        Which table, figure or section is meant, by kind; at most one. Without it
        all of them are.

    Raises
    ------
    BadText
        If there is no such paper, or no such item in it.
    """
    asked = {kind: number for kind, number in number_of.items() if number is not None}
    if len(asked) > 1:
        raise BadText(f"name one {' or '.join(asked)} at a time")
    if asked and name == ALL:
        raise BadText(f"name the paper whose {next(iter(asked))} is meant, not all of them")
    papers = [load_paper(each) for each in PAPERS] if name == ALL else [load_paper(name)]
    return [
        (
            Plans(paper, scale),
            find_items(paper, *next(iter(asked.items()))) if asked else paper.items,
        )
        for paper in papers
    ]


def find_items(paper: Paper, kind: str, number: str) -> Sequence[Item]:
    """The item of a kind and number; tables are found by Roman and other numerals alike.

    Raises
    ------
    BadText
        If the paper has none.
    """
    there = [item for item in paper.items if item.kind == kind]
    found = [item for item in there if item.number.casefold() == number.strip().casefold()]
    if not found and kind == "table":
        found = [item for item in there if _numeral(item.number) == _numeral(number)]
    if found:
        return found
    what = f"{paper.name} has no {kind} {number!r:.40}"
    if there:
        raise BadText(f"{what}: it has {', '.join(item.number for item in there)}")
    raise BadText(f"{what}, but {', '.join(item.name for item in paper.items)}")


def _numeral(text: str) -> str:
    """A number up to 39 in the Arabic form; any other text as it is.

    >>> _numeral("iv"), _numeral("4"), _numeral("4.2")
    ('4', '4', '4.2')
    """
    known = {_roman(n): str(n) for n in range(1, 40)}
    text = text.strip()
    return known.get(text.upper(), text)


def _roman(number: int) -> str:
    text = ""
    for value, sign in ROMANS:
        while number >= value:
            text, number = text + sign, number - value
    return text
