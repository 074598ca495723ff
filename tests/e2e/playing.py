"""A person at the page: looks at the board, chooses a move, and makes it by hand."""

from collections.abc import Callable
from urllib.parse import parse_qs, unquote, urlencode

from playwright.sync_api import Locator, Page, expect

import topple
from topple.game.position import Position

# The turn has come when the moves of others are shown and something can be played, or it is over.
TURN = """(plies) => {
  const shown = document.querySelectorAll('[role=group][aria-label="Moves"] button').length - 1;
  if (shown < plies) return null;
  const again = [...document.querySelectorAll("main button")]
    .find((button) => button.textContent === "Play again");
  if (again && !again.hidden) return "over";
  return document.querySelector('[data-vertex] [aria-disabled="false"]') ? "mine" : null;
}"""
Press = Callable[[Locator], None]


def line_address(page: str, **params: object) -> str:
    """The address of a line of play, such as `#play?game=hex&board=hex:3`."""
    given = {key: value for key, value in params.items() if value not in (None, "")}
    return f"#{page}?{urlencode(given, safe=':,=')}"


def address(page: Page) -> dict[str, str]:
    """What the address in the bar says."""
    query = str(page.evaluate("location.hash")).partition("?")[2]
    return {key: values[0] for key, values in parse_qs(query).items()}


def moves_of(page: Page) -> list[int | str]:
    """The moves in the address: numbers, in a game with chance texts with their draws."""
    moves = [move for move in address(page).get("moves", "").split(".") if move]
    return [int(move) if move.isdecimal() else unquote(move) for move in moves]


def position_of(page: Page) -> Position:
    """The position that the address leads to, by the rules and without the page."""
    said = address(page)
    position = topple.load(said["game"], board=said["board"]).start()
    for move in moves_of(page):
        position = position.play(move)
    return position


def vertex(page: Page, number: int) -> Locator:
    """What stands for a vertex on the board."""
    return page.locator(f'[data-vertex="{number}"] [role="button"]')


def legal(page: Page) -> Locator:
    """All vertices that can be played on."""
    return page.locator('[data-vertex] [aria-disabled="false"]')


def click(spot: Locator) -> None:
    """Click in the middle of something, whatever lies there."""
    spot.scroll_into_view_if_needed()
    box = spot.bounding_box()
    assert box is not None
    spot.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def tap(spot: Locator) -> None:
    """Touch the middle of something."""
    spot.scroll_into_view_if_needed()
    box = spot.bounding_box()
    assert box is not None
    spot.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def wait_for_theme(page: Page, theme: str) -> None:
    """Wait until the page is light or dark; it follows the system at the next frame."""
    expect(page.locator("html")).to_have_attribute("data-theme", theme)


def wait_for_turn(page: Page, plies: int = 0) -> str:
    """Wait until so many moves are made and the person is to move; `over` if the game is."""
    return str(page.wait_for_function(TURN, arg=plies).json_value())


def make_move(page: Page, move: int, press: Press = click) -> None:
    """Make a move by hand: its vertex, then where it goes."""
    game = position_of(page).game
    start, target = game.move_vertex(move), game.move_target(move)
    assert start is not None
    press(vertex(page, start))
    if target is not None:
        expect(page.locator(".target").first).to_be_attached()
        press(vertex(page, target))


def good_move(position: Position) -> int:
    """A move that brings a game to its end: the one that looks best at once."""
    return topple.agent("greedy").choose(position, seed=1).move


def play_to_the_end(page: Page, press: Press = click) -> None:
    """Play until the game is over."""
    while wait_for_turn(page, len(moves_of(page))) == "mine":
        plies = len(moves_of(page))
        make_move(page, good_move(position_of(page)), press)
        wait_for_turn(page, plies + 1)


def assert_shown_as_played(page: Page) -> None:
    """The page says what the rules say: how it ended, and what is on every vertex."""
    position = position_of(page)
    assert position.is_over
    expect(page.get_by_role("complementary")).to_contain_text(position.result_text())
    assert_cells_shown(page, position)


def assert_cells_shown(page: Page, position: Position) -> None:
    """Every vertex is heard to bear what the rules put there."""
    names = position.game.players
    for number, cell in enumerate(position.contents()):
        heard = vertex(page, number).get_attribute("aria-label") or ""
        if cell.gone:
            assert ": taken" in heard, heard
        for name, count in zip(names, cell.counts, strict=False):
            assert (f"{count} {name}" in heard) == bool(count), (heard, cell)
        if not cell.gone and not any(cell.counts):
            held = "empty" if cell.owner is None else names[cell.owner]
            assert held in heard, (heard, cell)
