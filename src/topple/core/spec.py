"""Specs: the `name:key=value,key=value` texts that name games, boards and agents."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import isnan
from typing import Any

from topple.core.errors import BadText, unknown
from topple.core.text import shorten


@dataclass(frozen=True)
class Spec:
    """A parsed spec: a name, positional values and options, all still text.

    >>> parse_spec("ba:n=24,m=3")
    Spec(name='ba', values=(), options={'n': '24', 'm': '3'})
    >>> parse_spec("grid:5x5")
    Spec(name='grid', values=('5x5',), options={})
    >>> parse_spec('htp:cmd="wolve --size 11,12",time=5').options
    {'cmd': 'wolve --size 11,12', 'time': '5'}
    """

    name: str
    values: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)


# A part between commas. A value in quotes may contain commas, and a quote written twice.
_PART = re.compile(r'[^,="]*="(?:[^"]|"")*"[^,]*|[^,]*')
_QUOTED = re.compile(r'"((?:[^"]|"")*)"')


def parse_spec(text: str) -> Spec:
    """Split a spec into its parts. An option's value may stand in double quotes.

    Raises
    ------
    BadText
        If the name is missing, a part is empty or an option is given twice.
    """
    name, colon, rest = text.strip().partition(":")
    name = name.strip()
    if not name:
        raise BadText(f"{text!r} has no name: write name or name:key=value,key=value")
    values: list[str] = []
    options: dict[str, str] = {}
    for part in _split(rest) if colon else []:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if quoted := _QUOTED.fullmatch(value):
            value = quoted[1].replace('""', '"').strip()
        if not key or (equals and not value):
            raise BadText(f"{text!r} has an empty part: write name:key=value,key=value")
        if not equals:
            values.append(key)
        elif key in options:
            raise BadText(f"{text!r} gives {key!r} twice")
        else:
            options[key] = value
    return Spec(name, tuple(values), options)


def _split(text: str) -> list[str]:
    """Split at commas that are not in quotes."""
    parts, place = [], 0
    while place <= len(text):
        found = _PART.match(text, place)
        assert found is not None  # it matches nothing, too
        parts.append(found[0])
        place = found.end() + 1
    return parts


@dataclass(frozen=True)
class Option:
    """An option of a game, board or agent: its name, default, kind and meaning.

    `kind` is `int`, `float`, `bool` or `str`; `choices` lists the allowed
    texts of a `str`, `least` and `most` bound a number. A default of None
    means that the option is derived from the rest and may be left out.
    `reader` reads and checks a value that is more than these can say. An
    option that is `late` came after games had been stored without it: records
    and digests leave it out at its default.
    """

    name: str
    default: Any
    kind: Callable[[str], Any]
    meaning: str
    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    reader: Callable[[object], Any] | None = None
    late: bool = False

    def read(self, value: object) -> Any:
        """Turn a text or a Python value into the option's value, checked.

        Raises
        ------
        BadText
            If the value is not of the option's kind, choices or range.
        """
        if value is None and self.default is None:
            return None
        if self.reader is not None:
            return self.reader(value)
        if self.kind is bool:
            return self._read_bool(value)
        if self.kind is str:
            return self._read_choice(str(value))
        return self._read_number(value)

    def _read_bool(self, value: object) -> bool:
        known = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
        try:
            return known[str(value).lower()]
        except KeyError:
            raise BadText(f"{self.name}={value!s:.40} is neither true nor false") from None

    def _read_choice(self, value: str) -> str:
        if self.choices and value not in self.choices:
            raise BadText(unknown(f"{self.name}", value, self.choices))
        return value

    def _read_number(self, value: object) -> Any:
        shown = shorten(str(value), 40)
        try:
            if isinstance(value, bool):
                raise ValueError
            number = self.kind(str(value))
        except ValueError:
            kind = "a whole number" if self.kind is int else "a number"
            raise BadText(f"{self.name}={shown} is not {kind}") from None
        if isinstance(number, float) and isnan(number):
            raise BadText(f"{self.name}={shown} is not a number")
        if self.least is not None and number < self.least:
            raise BadText(f"{self.name}={shown} is too small: at least {self.least:,}")
        if self.most is not None and number > self.most:
            raise BadText(f"{self.name}={shown} is too large: at most {self.most:,}")
        return number


def read_options(
    what: str, options: tuple[Option, ...], given: Mapping[str, object]
) -> dict[str, Any]:
    """Check the given options against those that exist and fill in defaults.

    Raises
    ------
    BadText
        If an option does not exist (the nearest valid name is named) or a
        value is wrong.
    """
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            raise BadText(unknown(f"option of {what}", name, known))
    return {
        name: option.read(given[name]) if name in given else option.default
        for name, option in known.items()
    }


def without_late(options: tuple[Option, ...], chosen: Mapping[str, object]) -> dict[str, Any]:
    """The chosen values without those of late options at their defaults, as records keep them."""
    usual = {option.name: option.default for option in options if option.late}
    return {name: v for name, v in chosen.items() if name not in usual or v != usual[name]}


def format_spec(name: str, values: tuple[str, ...], options: Mapping[str, object]) -> str:
    """Write a spec back as text, the inverse of `parse_spec`.

    >>> format_spec("ba", (), {"n": 24, "m": 3})
    'ba:n=24,m=3'
    >>> format_spec("htp", (), {"cmd": "wolve --size 11,12"})
    'htp:cmd="wolve --size 11,12"'
    """
    parts = [*values, *(f"{key}={_quoted(option_text(value))}" for key, value in options.items())]
    return f"{name}:{','.join(parts)}" if parts else name


def option_text(value: object) -> str:
    """Write an option's value as a user would type it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _quoted(value: str) -> str:
    """A value in quotes, where it would not be read again as it is."""
    if "," not in value and not value.startswith('"'):
        return value
    return '"' + value.replace('"', '""') + '"'
