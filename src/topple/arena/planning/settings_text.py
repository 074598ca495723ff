"""A tournament's settings as TOML, to be read by people and played again."""

import json
import shlex
from collections.abc import Mapping
from typing import Any

WIDTH = 80
FLAGS = ("games", "seed", "plies", "sprt", "move-time", "game-time")  # of `topple match`


def settings_text(settings: Mapping[str, Any]) -> str:
    """Write settings, plain data, as TOML; lists of tables come last, as TOML wants it.

    >>> print(settings_text({"contests": [{"game": "hex"}], "agents": ["random"], "seed": 7}))
    agents = ["random"]
    seed = 7
    <BLANKLINE>
    [[contests]]
    game = "hex"
    """
    tables = {key: value for key, value in settings.items() if _is_tables(value)}
    lines = _lines({key: value for key, value in settings.items() if key not in tables})
    for key, rows in tables.items():
        for row in rows:
            lines += ["", f"[[{_key(key)}]]", *_lines(row)]
    return "\n".join(lines)


def match_command(settings: Mapping[str, Any]) -> str | None:
    """The command that plays a match with a sequential test; None if settings are of no such.

    >>> match_command({"agents": ["uct", "random"], "games": 500, "sprt": "elo0=0,elo1=30",
    ...                "contests": [{"game": "hex", "board": "hex:5"}]})
    'topple match hex uct random --board hex:5 --games 500 --sprt elo0=0,elo1=30'
    """
    match settings:
        case {"agents": [str(first), str(second)], "contests": [{"game": str(game), **where}],
              "sprt": str()}:  # fmt: skip
            words = ["topple", "match", game, first, second]
            options = {"board": where.get("board"), **{name: settings.get(name) for name in FLAGS}}
            for name, value in options.items():
                words += [] if value is None else [f"--{name}", str(value)]
            return shlex.join(words)
    return None


def _is_tables(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def _lines(values: Mapping[str, Any]) -> list[str]:
    return [_line(key, value) for key, value in values.items() if value is not None]


def _line(key: str, value: object) -> str:
    """A key with its value; a long list has a line for each part."""
    line = f"{_key(key)} = {_value(value)}"
    if len(line) <= WIDTH or not isinstance(value, list):
        return line
    parts = "".join(f"    {_value(each)},\n" for each in value)
    return f"{_key(key)} = [\n{parts}]"


def _key(key: str) -> str:
    plain = key.isascii() and key.replace("-", "").replace("_", "").isalnum()
    return key if plain else json.dumps(key)


def _value(value: object) -> str:
    """Texts, numbers and lists are written in TOML as in JSON."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(_lines(value)) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(each) for each in value) + "]"
    return json.dumps(value, ensure_ascii=False)
