"""A tournament's settings as TOML, to be read by people and played again."""

import json
from collections.abc import Mapping
from typing import Any

WIDTH = 80


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
