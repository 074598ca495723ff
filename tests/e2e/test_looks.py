"""Looks: phone and wide, light and dark, still for those who want it so."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.playing import click, line_address, vertex, wait_for_theme, wait_for_turn
from tests.e2e.watching import PHONE, WIDE, Pages

GAME = {"game": "chain-reaction", "board": "grid:3x3", "players": "human,human"}
BEFORE_A_CASCADE = "2.1.8.3.2.2.5.7"
VIEWS = ["", line_address("play", **GAME, moves=BEFORE_A_CASCADE), "#analyse", "#games", "#compare"]
BACKGROUND = "getComputedStyle(document.body).backgroundColor"


@pytest.mark.parametrize("size", [PHONE, WIDE], ids=["phone", "wide"])
def test_nothing_is_wider_than_the_screen(pages: Pages, size: dict[str, int]) -> None:
    page = pages.open(VIEWS[1], size=size)
    keep_a_game(page)
    for view in VIEWS:
        page.goto(pages.address + view)
        page.reload()  # so that nothing of the view before is left
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.get_by_text("One moment …")).to_have_count(0)
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= size["width"], view


def keep_a_game(page: Page) -> None:
    """Have something in the list of games, which is wide."""
    page.get_by_role("button", name="Keep").click()
    page.get_by_role("dialog").get_by_role("button", name="Keep").click()
    expect(page.get_by_text("The game is kept.")).to_be_visible()


@pytest.mark.parametrize("size", [PHONE, WIDE], ids=["phone", "wide"])
def test_the_whole_board_is_in_sight_when_a_game_opens(pages: Pages, size: dict[str, int]) -> None:
    page = pages.open(line_address("play", **GAME), size=size)
    wait_for_turn(page)
    for number in (0, 8):
        expect(vertex(page, number)).to_be_in_viewport(ratio=1)


def test_dark_follows_the_system_until_it_is_chosen(pages: Pages) -> None:
    page = pages.open(scheme="dark")
    dark = page.evaluate(BACKGROUND)
    page.emulate_media(color_scheme="light")
    wait_for_theme(page, "light")
    light = page.evaluate(BACKGROUND)
    assert dark != light
    page.get_by_role("button", name="Change between light and dark").click()
    assert page.evaluate(BACKGROUND) == dark
    page.reload()
    assert page.evaluate(BACKGROUND) == dark


@pytest.mark.parametrize("is_still", [False, True], ids=["moving", "still"])
def test_tokens_fly_unless_the_person_wants_it_still(pages: Pages, is_still: bool) -> None:
    where = line_address("play", **GAME, moves=BEFORE_A_CASCADE)
    page = pages.open(where, is_still=is_still, speed=3)
    wait_for_turn(page, 8)
    count_flights(page)
    click(vertex(page, 5))
    wait_for_turn(page, 9)
    assert (page.evaluate("window.flights") == 0) == is_still


def count_flights(page: Page) -> None:
    """Count the tokens that are set flying from now on."""
    page.evaluate(
        """() => {
          window.flights = 0;
          new MutationObserver((changes) => {
            for (const change of changes)
              for (const node of change.addedNodes)
                if (node.classList?.contains("flyer")) window.flights += 1;
          }).observe(document.querySelector("main"), { childList: true, subtree: true });
        }"""
    )


def name_on_board(page: Page, name: str) -> Locator:
    """The name of a vertex, written beside it."""
    return page.locator("svg .label").get_by_text(name, exact=True)


def test_small_boards_have_all_names_and_thresholds_are_no_names(pages: Pages) -> None:
    where = line_address("play", game="spread-it", board="karate", players="human,human")
    page = pages.open(where)
    wait_for_turn(page)
    for name in range(1, 35):
        expect(name_on_board(page, str(name))).to_be_visible()
    expect(vertex_text(page, 4)).to_have_text("0/3")  # vertex 5 takes three tokens
    page.get_by_role("button", name="Show names").click()
    expect(name_on_board(page, "5")).to_be_hidden()
    vertex(page, 4).hover()
    expect(name_on_board(page, "5")).to_be_visible()
    expect(name_on_board(page, "6")).to_be_hidden()


def vertex_text(page: Page, number: int) -> Locator:
    """What is written on a vertex."""
    return page.locator(f'[data-vertex="{number}"] .pieces text')


def test_large_boards_have_the_names_of_hubs_and_of_what_is_pointed_at(pages: Pages) -> None:
    where = line_address("play", game="spread-it", board="star:100", players="human,human")
    page = pages.open(where)
    wait_for_turn(page)
    expect(name_on_board(page, "1")).to_be_visible()
    expect(name_on_board(page, "77")).to_be_hidden()
    vertex(page, 76).hover()
    expect(name_on_board(page, "77")).to_be_visible()
    page.mouse.move(5, 5)
    expect(name_on_board(page, "77")).to_be_hidden()


def test_influence_has_names_and_a_move_in_the_list_lights_its_vertex(pages: Pages) -> None:
    where = line_address(
        "play", game="influence", board="ring:12", players="human,human", moves="3"
    )
    page = pages.open(where)
    wait_for_turn(page, 1)
    expect(name_on_board(page, "9")).to_be_visible()
    page.get_by_role("group", name="Moves").get_by_role("button").last.hover()
    lit = page.locator("[data-vertex].lit")
    expect(lit).to_have_attribute("data-vertex", "3")
    page.get_by_role("heading", name="Moves").hover()
    expect(lit).to_have_count(0)


WIDTH_OF_RIM = """() => {
  const body = document.querySelector('[data-vertex="0"] .body');
  const {a} = body.getScreenCTM();
  return parseFloat(getComputedStyle(body).strokeWidth) * a;
}"""
COUNT_DRAWINGS = """() => {
  window.drawings = 0;
  new MutationObserver((all) => { window.drawings += all.length; })
    .observe(document.querySelector(".world"), { attributes: true, attributeFilter: ["style"] });
}"""


def test_rims_do_not_grow_with_the_zoom_as_the_vertices_do(pages: Pages) -> None:
    page = large_board(pages)
    before = page.evaluate(WIDTH_OF_RIM)
    for _ in range(4):
        page.get_by_role("button", name="Zoom in").click()
    expect(page.locator(".board.near")).to_be_attached()
    grown = page.evaluate(WIDTH_OF_RIM) / before
    assert grown < 2  # where the vertices are five times as large


def test_a_board_that_is_dragged_is_drawn_again_only_when_it_is_let_go(pages: Pages) -> None:
    page = large_board(pages)
    page.clock.install()
    for _ in range(3):
        page.get_by_role("button", name="Zoom in").click()
    page.clock.run_for(1000)
    box = page.locator(".board-frame").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.evaluate(COUNT_DRAWINGS)
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 6):
        page.mouse.move(x + 10 * step, y + 4 * step)
        page.clock.run_for(500)  # the hand rests
    assert page.evaluate("window.drawings") == 0
    assert "translate" in page.evaluate("document.querySelector('.board-slide').style.transform")
    page.mouse.up()
    page.clock.run_for(500)
    assert page.evaluate("window.drawings") > 0


def large_board(pages: Pages) -> Page:
    """A board of 300 vertices with names."""
    where = line_address("play", game="spread-it", board="ba:n=300,m=2", players="human,human")
    page = pages.open(where)
    wait_for_turn(page)
    return page


def test_the_board_zooms(pages: Pages) -> None:
    where = line_address("play", game="spread-it", board="florentine", players="human,human")
    page = pages.open(where)
    wait_for_turn(page)
    before = vertex(page, 0).bounding_box()
    assert before is not None
    page.get_by_role("button", name="Zoom in").click()
    page.wait_for_function(
        """(width) => document.querySelector('[data-vertex="0"] [role=button]')
             .getBoundingClientRect().width > 1.3 * width""",
        arg=before["width"],
    )
    page.get_by_role("button", name="Show all of the board").click()
    page.wait_for_function(
        """(width) => document.querySelector('[data-vertex="0"] [role=button]')
             .getBoundingClientRect().width < 1.1 * width""",
        arg=before["width"],
    )


IS_CUT = "(element) => element.scrollWidth > element.clientWidth + 1"


@pytest.mark.parametrize("size", [PHONE, WIDE], ids=["phone", "wide"])
def test_texts_of_steps_are_not_cut_off(pages: Pages, size: dict[str, int]) -> None:
    moves = "16.22.1.29.15.3.10.7.23.30.15"
    where = line_address(
        "play", game="spread-it", board="davis", players="human,human", moves=moves
    )
    page = pages.open(where, size=size)
    wait_for_turn(page, 11)
    text = page.locator(".replay-text")
    expect(text).to_contain_text("Dorothy Murchison fires black")
    assert not text.evaluate(IS_CUT)


def test_long_names_do_not_clip_the_table_of_candidates(pages: Pages) -> None:
    where = line_address("analyse", game="spread-it", board="davis")
    page = pages.open(where, size=PHONE, agent="uct:iterations=2000")
    page.get_by_role("button", name="Think", exact=True).click()
    table = page.get_by_role("region", name="Candidates")
    expect(table).to_contain_text("%")
    assert not table.evaluate(IS_CUT)
