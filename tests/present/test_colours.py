"""The players' colours stay apart for every eye, and what is written on them can be read."""

import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import topple.lab
from topple.present.boards import positions
from topple.present.boards.positions import player_colours
from topple.rules.spread_it.wide.rules import PLAYERS

Numbers = NDArray[np.float64]

STYLE = Path(topple.lab.__file__).parent / "static" / "style" / "tokens.css"
LOOKS = Path(topple.lab.__file__).parent / "static" / "js" / "board" / "looks.js"
LETTERS = tuple("ABCDEFGH")

# Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB.
EYES = {
    "all cones": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
XYZ = np.array(
    [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
) / np.array([[0.95047], [1.0], [1.08883]])

# The least distance (CIEDE2000) that two colours of a game may have; 10 is plain at a glance.
FOR_SPREAD_IT, FOR_SEATS = 18.0, 12.5
LEAST_CONTRAST = 4.5  # of text, as WCAG asks


def linear(colour: str) -> Numbers:
    """A colour such as `#53cb94` in linear RGB."""
    parts = np.array([*bytes.fromhex(colour[1:])]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def lab(rgb: Numbers) -> Numbers:
    """CIELAB of linear RGB."""
    x, y, z = (np.cbrt(n) if n > 0.008856 else 7.787 * n + 16 / 116 for n in XYZ @ rgb)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def seen(colour: str, eye: str) -> Numbers:
    """What an eye makes of a colour, in CIELAB."""
    return lab(np.clip(EYES[eye] @ linear(colour), 0, 1))


def distance(one: Numbers, other: Numbers) -> float:
    """CIEDE2000 (Sharma, Wu and Dalal 2005)."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    chroma = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * np.sqrt(chroma**7 / (chroma**7 + 25**7))
    c1, c2 = np.hypot(stretch * a1, b1), np.hypot(stretch * a2, b2)
    h1 = np.degrees(np.arctan2(b1, stretch * a1)) % 360
    h2 = np.degrees(np.arctan2(b2, stretch * a2)) % 360
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    hue = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2))
    middle = (h1 + turn / 2) % 360 if c1 * c2 else h1 + h2
    light, c = (l1 + l2) / 2, (c1 + c2) / 2
    t = 1 - 0.17 * np.cos(np.radians(middle - 30)) + 0.24 * np.cos(np.radians(2 * middle))
    t += 0.32 * np.cos(np.radians(3 * middle + 6)) - 0.2 * np.cos(np.radians(4 * middle - 63))
    of_light = 1 + 0.015 * (light - 50) ** 2 / np.sqrt(20 + (light - 50) ** 2)
    of_chroma, of_hue = 1 + 0.045 * c, 1 + 0.015 * c * t
    turned = -2 * np.sqrt(c**7 / (c**7 + 25**7))
    turned *= np.sin(np.radians(60 * np.exp(-(((middle - 275) / 25) ** 2))))
    parts = ((l2 - l1) / of_light, (c2 - c1) / of_chroma, hue / of_hue)
    return float(np.sqrt(sum(part**2 for part in parts) + turned * parts[1] * parts[2]))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((2.0776, 0.0795, -1.135), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_distances_are_those_that_are_published(
    one: tuple[float, ...], other: tuple[float, ...], expected: float
) -> None:
    assert distance(np.array(one), np.array(other)) == pytest.approx(expected, abs=1e-4)


def of_the_page(theme: str) -> dict[str, tuple[str, str]]:
    """The players' colours and inks in a theme of the page, by the colours' names."""
    light, dark = STYLE.read_text("utf-8").split(':root[data-theme="dark"]')
    found = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", light))
    if theme == "dark":
        found |= dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", dark.partition("}")[0]))
    return {name: (found[name], found[f"{name}-ink"]) for name in found if f"{name}-ink" in found}


def by_name() -> dict[str, str]:
    """The page's colour of each player's name, and of each seat by its number."""
    text = LOOKS.read_text("utf-8")
    named = text.partition("BY_NAME = {")[2].partition("}")[0]
    seats = re.findall(r'"(\w+)"', text.partition("BY_SEAT = [")[2].partition("]")[0])
    return dict(re.findall(r'(\w+): "(\w+)"', named)) | dict(zip(LETTERS, seats, strict=True))


def colours_of(theme: str, players: tuple[str, ...]) -> list[tuple[str, str]]:
    """The colours of some players and the inks on them."""
    if theme == "pictures":
        return [player_colours(players, player) for player in range(len(players))]
    return [of_the_page(theme)[by_name()[player]] for player in players]


THEMES = ("light", "dark", "pictures")


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(
    ("players", "least"), [(PLAYERS, FOR_SPREAD_IT), (LETTERS, FOR_SEATS)], ids=["names", "seats"]
)
def test_eight_players_can_be_told_apart(
    players: tuple[str, ...], least: float, theme: str, eye: str
) -> None:
    fills = [fill for fill, _ in colours_of(theme, players)]
    for (one, first), (other, second) in combinations(zip(players, fills, strict=True), 2):
        apart = distance(seen(first, eye), seen(second, eye))
        assert apart >= least, f"{one} and {other} are {apart:.1f} apart"


def contrast(one: str, other: str) -> float:
    """The ratio of two colours' luminances, as WCAG defines it."""
    low, high = sorted(float(XYZ[1] @ linear(colour)) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("players", [PLAYERS, LETTERS], ids=["names", "seats"])
def test_what_is_written_on_a_colour_can_be_read(theme: str, players: tuple[str, ...]) -> None:
    for player, (fill, ink) in zip(players, colours_of(theme, players), strict=True):
        assert contrast(fill, ink) >= LEAST_CONTRAST, player


def test_pictures_have_the_colours_of_the_page() -> None:
    page = of_the_page("light")
    for name in ("BLACK", "RED", "BLUE", "GREEN", "ORANGE", "TEAL", "VIOLET", "YELLOW", "PINK"):
        assert getattr(positions, name) == page[name.lower()]


def test_every_player_has_a_letter_of_their_own() -> None:
    assert len({name[0] for name in PLAYERS}) == len(PLAYERS) == 8
