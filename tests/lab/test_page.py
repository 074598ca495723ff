"""The page's own files: all of them are used, found early, and in the charts' colours."""

import re
from pathlib import Path

import pytest

from topple.lab.server.app import STATIC
from topple.present.colours import FAINT, GRID, INK, LINE, PALE, PAPER, VERTEX

IMPORT = re.compile(r'(?:from|import) "(\.[^"]+)"|import\("(\.[^"]+)"\)')
STATIC_IMPORT = re.compile(r'(?:from|import) "(\.[^"]+)"')
MODULES = sorted((STATIC / "js").rglob("*.js"))


def imported(module: Path, pattern: re.Pattern[str]) -> set[Path]:
    """The files that a module asks for."""
    found = pattern.finditer(module.read_text(encoding="utf-8"))
    return {(module.parent / next(filter(None, each.groups()))).resolve() for each in found}


def reached(first: list[Path], pattern: re.Pattern[str]) -> set[Path]:
    """Some modules with all that they need."""
    known, new = set(), set(first)
    while new:
        known |= new
        new = {each for module in new for each in imported(module, pattern)} - known
    return known


def test_every_import_leads_to_a_file_and_every_file_is_imported() -> None:
    used = reached([STATIC / "js" / "main.js"], IMPORT) | {STATIC / "js" / "theme.js"}
    assert used == set(MODULES)


def test_what_the_first_page_needs_is_asked_for_at_once() -> None:
    first = [STATIC / "js" / "main.js", STATIC / "js" / "play" / "page.js"]
    needed = reached(first, STATIC_IMPORT) - {first[0]}  # that one is asked for as it is
    index = (STATIC / "index.html").read_text(encoding="utf-8")
    named = re.findall(r'<link rel="modulepreload" fetchpriority="low" href="([^"]+)">', index)
    assert named == sorted(each.relative_to(STATIC).as_posix() for each in needed)


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.relative_to(STATIC).as_posix())
def test_a_module_says_what_it_is(module: Path) -> None:
    text = module.read_text(encoding="utf-8")
    assert text.startswith("/*")


def test_the_state_of_a_game_draws_nothing() -> None:
    state = [*(STATIC / "js" / "state").glob("*.js"), STATIC / "js" / "play" / "game.js"]
    used = {each.relative_to(STATIC / "js").as_posix() for each in reached(state, STATIC_IMPORT)}
    others = {each for each in used if not each.startswith("state/")}
    assert others == {"play/game.js", "jobs.js", "api.js"}


def test_pictures_follow_the_page_in_every_plain_colour_of_charts() -> None:
    text = (STATIC / "js" / "parts" / "picture.js").read_text(encoding="utf-8")
    tokens = (STATIC / "style" / "tokens.css").read_text(encoding="utf-8")
    following = dict(re.findall(r'"(#[0-9a-f]{6})": "(--\w+)"', text))
    assert set(following) == {INK, FAINT, PAPER, GRID, PALE, LINE, VERTEX}
    assert all(f"{name}:" in tokens for name in following.values())
