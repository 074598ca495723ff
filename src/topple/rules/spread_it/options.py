"""Spread-It's options, with the readers of those that are more than a number or a choice."""

from typing import Any

from topple.core.errors import BadText, unknown
from topple.core.spec import Option
from topple.core.text import shorten

ZERO, FULL = "zero", "full"
MOST_BUDGET = 1_000_000
MOST_LOYALTY = 100


def read_tokens(value: object) -> int | str:
    """Read the budgets: one whole number for all, or one for each joined by slashes.

    >>> read_tokens("20"), read_tokens("20/12")
    (20, '20/12')

    Raises
    ------
    BadText
        If it is neither, or a budget is out of range.
    """
    parts = str(value).split("/")
    budgets = [_read_budget(part, str(value)) for part in parts]
    if isinstance(value, bool):
        raise BadText(f"tokens={value} is not a whole number")
    return budgets[0] if len(budgets) == 1 else "/".join(map(str, budgets))


def _read_budget(part: str, whole: str) -> int:
    shown = shorten(whole, 40)
    try:
        number = int(part)
    except ValueError:
        what = "a whole number" if part == whole else "whole numbers joined by slashes"
        raise BadText(f"tokens={shown} is not {what}") from None
    if number < 1:
        raise BadText(f"tokens={shown} is too small: at least 1")
    if number > MOST_BUDGET:
        raise BadText(f"tokens={shown} is too large: at most {MOST_BUDGET:,}")
    return number


def read_loyalty(value: object) -> str:
    """Read how often a vertex can take a colour: `zero`, `full` or a whole number.

    >>> read_loyalty("2"), read_loyalty(1)
    ('2', 'full')

    Raises
    ------
    BadText
        If it is none of these.
    """
    text = str(value)
    if text in (ZERO, FULL):
        return text
    if not text.isdecimal():
        raise BadText(f"{unknown('loyalty', text, (ZERO, FULL))}, or a number of changes")
    if not 1 <= int(text) <= MOST_LOYALTY:
        raise BadText(f"loyalty={text:.40} must be zero, full or from 1 to {MOST_LOYALTY}")
    return FULL if int(text) == 1 else str(int(text))


OPTIONS = (
    Option(
        "loyalty",
        ZERO,
        str,
        "vertices fire again and again (zero), once and are owned (full), or take a colour so "
        "many times (a number)",
        choices=(ZERO, FULL),
        reader=read_loyalty,
    ),
    Option(
        "order",
        "dominance",
        str,
        "which vertex fires first: the mover's largest lead, or the lowest index",
        choices=("dominance", "index"),
    ),
    Option(
        "tokens",
        None,
        str,
        "tokens per player, or one number for each as in 20/12; by default 2m − n in all",
        reader=read_tokens,
    ),
    Option(
        "firings",
        None,
        int,
        "if thresholds differ from degrees, a cascade is cut after this many firings and counts "
        "as endless; by default 1000 (n + 100), or 100 (n + 10) with arcs or chance",
        least=1,
        most=100_000_000,
    ),
    Option("players", 2, int, "how many play", least=2, most=8, late=True),
    Option(
        "accept",
        None,
        float,
        "the probability that a token sent is taken; by default the edge's own, or 1",
        least=0,
        most=1,
        late=True,
    ),
    Option(
        "refused",
        "lost",
        str,
        "a token that is not taken is gone (lost) or stays where it was (stay)",
        choices=("lost", "stay"),
        late=True,
    ),
    Option(
        "sinks",
        "keep",
        str,
        "on a directed network, tokens on a vertex without successors stay (keep) or leave (drop)",
        choices=("keep", "drop"),
        late=True,
    ),
    Option(
        "turn", 1, int, "tokens that a player puts down in a turn", least=1, most=100, late=True
    ),
    Option(
        "seeds",
        None,
        str,
        "what lies on the board first, as in ann=2b bob=R:1r, or a CSV file: vertex,cell",
        late=True,
    ),
    Option(
        "foresight",
        "full",
        str,
        "whether searches see how the network will change (full) or not (none)",
        choices=("full", "none"),
        late=True,
    ),
)


def is_wide(options: dict[str, Any], *, directed: bool, changes: bool, uncertain: bool) -> bool:
    """Whether a game needs the rules of the wider world.

    `directed`, `changes` and `uncertain` are facts about the board.
    """
    accept = options["accept"]
    return bool(
        directed
        or changes
        or (uncertain if accept is None else accept < 1)
        or options["players"] > 2
        or options["turn"] > 1
        or options["seeds"] is not None
        or options["loyalty"] not in (ZERO, FULL)
        or isinstance(options["tokens"], str)
    )
