"""Going elsewhere at any moment: an answer that comes late changes nothing of where one went."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.playing import line_address, moves_of, wait_for_turn
from tests.e2e.watching import Pages

GAME = {"game": "hex", "board": "hex:3", "players": "human,human"}
# Answers to `path` are held, whole, until `release`, behind which no more than microtasks come:
# the page has done with them before it hears of anything else, such as that its address changed.
HOLD = """(path) => {
  const send = window.fetch;
  const held = [];
  let isHolding = true;
  window.fetch = async (address, options) => {
    const answer = await send(address, options);
    if (!isHolding || !address.startsWith(`/api${path}`)) return answer;
    const body = await answer.text();
    await new Promise((go) => held.push(go));
    const { ok, status, headers } = answer;
    return { ok, status, headers, text: async () => body };
  };
  window.held = held;
  window.release = () => { isHolding = false; for (const go of held) go(); };
}"""
IS_HELD = "() => held.length > 0"


def open_holding(pages: Pages, path: str, where: str) -> Page:
    """Open a page that waits for an answer which has come but is held back."""
    page = pages.open("#games")
    expect(page.get_by_role("heading", name="Kept games")).to_be_visible()
    page.evaluate(HOLD, path)
    go(page, where)
    page.wait_for_function(IS_HELD)
    return page


def go(page: Page, where: str) -> None:
    """Follow a link."""
    page.evaluate("(hash) => { location.hash = hash; }", where)


@pytest.mark.parametrize(
    ("name", "path"), [("play", "/view"), ("play", "/board"), ("analyse", "/board")]
)
def test_a_line_that_opens_late_does_not_take_the_address_back(
    pages: Pages, name: str, path: str
) -> None:
    page = open_holding(pages, path, line_address(name, **GAME))
    there = line_address(name, **GAME, moves="4.0.2")
    page.evaluate("(hash) => { location.hash = hash; release(); }", there)
    expect(page.get_by_role("group", name="Moves").get_by_role("button")).to_have_count(4)
    assert moves_of(page) == [4, 0, 2]


def test_a_move_under_way_does_not_take_the_address_back(pages: Pages) -> None:
    page = pages.open(line_address("play", **GAME, moves="4"))
    wait_for_turn(page, 1)
    page.get_by_role("button", name="Undo").evaluate(
        "(button, hash) => { location.hash = hash; button.click(); }",
        line_address("play", **GAME, moves="8.7.6.5"),
    )
    wait_for_turn(page, 4)
    assert moves_of(page) == [8, 7, 6, 5]


def test_an_analysis_that_was_left_before_it_opened_is_forgotten(pages: Pages) -> None:
    page = pages.open(line_address("analyse", **GAME, moves="4.0"))
    moves = page.get_by_role("group", name="Moves").get_by_role("button")
    expect(moves).to_have_count(3)
    page.evaluate(HOLD, "/view")
    go(page, line_address("analyse", **GAME, moves="8"))
    page.wait_for_function(IS_HELD)
    go(page, line_address("analyse", **GAME, moves="4.0"))
    expect(moves).to_have_count(3)
    page.evaluate("() => release()")
    assert moves_of(page) == [4, 0]
    page.get_by_role("link", name="Games").click()
    page.get_by_role("link", name="Analyse").click()
    expect(page.get_by_role("complementary", name="Analysis")).to_contain_text("to move")
    expect(moves).to_have_count(3)
    assert moves_of(page) == [4, 0]


def test_papers_that_come_late_do_not_replace_another_page(pages: Pages) -> None:
    page = open_holding(pages, "/papers", "#papers")
    go(page, line_address("play", **GAME, moves="4"))
    wait_for_turn(page, 1)
    page.evaluate("() => release()")
    assert wait_for_turn(page, 1) == "mine"
