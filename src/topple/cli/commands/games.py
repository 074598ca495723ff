"""`topple games`: what can be played."""

import sys
from collections.abc import Callable, Iterable, Iterator
from types import ModuleType
from typing import TypeVar

from topple.agents.catalogue import default_players, describe_game
from topple.cli.options import Json
from topple.cli.terminal.output import print_json, print_wrapped
from topple.core.errors import BadModule
from topple.core.spec import Option, option_text
from topple.core.streams import plain_line
from topple.rules import add_installed, find_rules, game_names

Found = TypeVar("Found")


def games(as_json: Json = False) -> None:
    """List the games with their boards and options."""
    add_installed()
    modules = list(found(find_rules, game_names()))
    if as_json:
        print_json([describe_game(rules) for rules in modules], indent=2)
        return
    for rules in modules:
        print_game(rules)
        print()
    print("Of several values the first is the default. Write options behind the name:")
    print("topple play spread-it:loyalty=full,order=index")


def found(find: Callable[[str], Found], names: Iterable[str]) -> Iterator[Found]:
    """What is registered under these names; a line on stderr for what cannot be imported."""
    for name in names:
        try:
            yield find(name)
        except BadModule as error:
            print(f"topple: {plain_line(str(error))}", file=sys.stderr)


def print_game(rules: ModuleType) -> None:
    """A game for people."""
    print_wrapped(f"{rules.NAME}: {rules.SUMMARY}")
    print(f"    played by {' and '.join(default_players(rules))} on {rules.BOARD}")
    for option in rules.OPTIONS:
        print_option(option)


def print_option(option: Option) -> None:
    """An option for people: `order=dominance|index: which vertex fires first`."""
    print_wrapped(option.meaning, first=f"    {option.name}{value_text(option)}: ", indent=8)


def value_text(option: Option) -> str:
    """The values of an option, its default first: `=2 (2 to 8)`."""
    choices = list(map(str, option.choices)) or ["true", "false"] * (option.kind is bool)
    default = "" if option.default is None else option_text(option.default)
    if option.kind is float and default:
        default = f"{option.default:.4g}"
    if choices:
        return "=" + "|".join(sorted(choices, key=lambda choice: choice != default))
    return f"={default or '…'}{range_text(option)}"


def range_text(option: Option) -> str:
    """The range of a number: ` (2 to 8)`."""
    if option.least is None:
        return ""
    if option.most is None or option.most >= 2**31:
        return f" (from {option.least:,})"
    most = int(option.most) if option.most == int(option.most) else option.most
    return f" ({option.least:,} to {most:,})"
