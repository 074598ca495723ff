"""Names in tables: letters for agents, and texts that distinguish contests."""

from collections import Counter
from collections.abc import Iterable
from string import ascii_uppercase

from topple.arena.statistics.standings import Contest, Standings


def letter(place: int) -> str:
    """The name of the agent in a place, counted from 0: A to Z, then AA, AB, …

    >>> [letter(place) for place in (0, 25, 26, 51, 52)]
    ['A', 'Z', 'AA', 'AZ', 'BA']
    """
    before, last = divmod(place, len(ascii_uppercase))
    return (letter(before - 1) if before else "") + ascii_uppercase[last]


def letters(agents: Iterable[str]) -> dict[str, str]:
    """A letter for each agent, in the order given.

    >>> letters(["uct:iterations=1000", "random"])
    {'uct:iterations=1000': 'A', 'random': 'B'}
    """
    return {agent: letter(place) for place, agent in enumerate(dict.fromkeys(agents))}


def ranked(standings: Standings, contest: Contest | None = None) -> list[str]:
    """The agents, the best rated first."""
    ratings = standings.ratings(contest)
    rated = [] if ratings is None else [row.agent for row in ratings.rows]
    return list(dict.fromkeys([*rated, *standings.agents_in(contest)]))


def contest_texts(contests: Iterable[Contest]) -> dict[Contest, str]:
    """Contests in words; different boards of one name also get their fingerprints.

    >>> list(contest_texts([Contest("hex", "hex:5", "c0ffee")]).values())
    ['hex on hex:5']
    """
    listed = list(contests)
    texts = {each: f"{each.game} on {each.board}" for each in listed}
    common = Counter(texts.values())
    return {
        each: text if common[text] == 1 else f"{text} ({each.board_digest})"
        for each, text in texts.items()
    }
