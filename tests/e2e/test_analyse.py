"""Analysing: candidates, heat, variations, exact values, branches, the course of a game."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.e2e.playing import (
    address,
    assert_cells_shown,
    line_address,
    make_move,
    moves_of,
    position_of,
    vertex,
)
from tests.e2e.watching import Pages

AGENT = "uct:iterations=400"
LONG = "uct:time=60"  # on a board that it cannot prove in that time
INTERVAL = re.compile(r"from [+−]?\d\.\d\d to [+−]?\d\.\d\d")


def open_hex(pages: Pages, moves: str = "", board: str = "hex:4", **settings: object) -> Page:
    """Open a game of Hex for analysis."""
    page = pages.open(
        line_address("analyse", game="hex", board=board, moves=moves),
        **{"agent": AGENT, **settings},  # type: ignore[arg-type]
    )
    expect(page.get_by_role("complementary", name="Analysis")).to_contain_text("to move")
    return page


def engine(page: Page, name: str = "First agent") -> Locator:
    """The part of the page where an agent is asked."""
    return page.get_by_role("region", name=name)


def candidates(page: Page, name: str = "First agent") -> Locator:
    """The buttons of the moves that an agent considers."""
    return engine(page, name).get_by_role("region", name="Candidates").get_by_role("button")


def test_an_agent_lists_candidates_with_heat_and_variation(pages: Pages) -> None:
    page = open_hex(pages, "5")
    engine(page).get_by_role("button", name="Think").click()
    expect(candidates(page)).to_have_count(15)
    row = engine(page).get_by_role("row").nth(1)
    expect(row.get_by_role("img")).to_have_attribute("aria-label", INTERVAL)
    assert_told_as_shares(engine(page))
    expect(page.locator("[data-vertex] .heat").first).to_be_attached()
    page.get_by_role("button", name="Show the heat map").click()
    expect(page.locator("[data-vertex] .heat")).to_have_count(0)
    page.get_by_role("button", name="Show the heat map").click()
    expect(page.locator("[data-vertex] .heat").first).to_be_attached()
    expect(page.locator(".badge")).to_have_count(0)
    candidates(page).first.hover()
    expect(page.locator(".badge").first).to_be_visible()
    assert page.locator(".badge").count() > 1  # the best move shows all that is expected after it
    page.get_by_role("heading", name="Moves").hover()
    expect(page.locator(".badge")).to_have_count(0)


def assert_told_as_shares(panel: Locator) -> None:
    """Visits add up to what the agent says it has played."""
    rows = panel.get_by_role("row").all()[1:]
    visits = [row.get_by_role("cell").nth(2).inner_text() for row in rows]
    numbers = [int(each.replace(",", "")) for each in visits if each != "–"]
    assert numbers == sorted(numbers, reverse=True)
    assert sum(numbers) <= 400


def test_a_candidate_is_played_and_the_agent_goes_on_thinking(pages: Pages) -> None:
    page = open_hex(pages, "5")
    engine(page).get_by_role("button", name="Think").click()
    expect(candidates(page)).to_have_count(15)
    best = candidates(page).first.inner_text()
    candidates(page).first.click()
    expect(candidates(page)).to_have_count(14)
    expect(page.get_by_role("group", name="Moves").locator("[aria-current]")).to_contain_text(best)
    assert len(moves_of(page)) == 2
    assert_cells_shown(page, position_of(page))


def test_a_long_thought_grows_and_can_be_stopped(pages: Pages) -> None:
    page = open_hex(pages, "5", "hex:7", agent=LONG)
    engine(page).get_by_role("button", name="Think").click()
    told = engine(page).get_by_role("status")
    expect(told).to_contain_text("games")
    first = told.inner_text()
    expect(told).not_to_have_text(first)
    engine(page).get_by_role("button", name="Stop").click()
    expect(told).not_to_contain_text("…")
    expect(candidates(page).first).to_be_visible()


def test_two_agents_are_asked_side_by_side(pages: Pages) -> None:
    page = open_hex(pages, "5", second="alphabeta:depth=2")
    page.get_by_role("button", name="Ask two agents side by side").click()
    for name in ("First agent", "Second agent"):
        engine(page, name).get_by_role("button", name="Think").click()
    for name in ("First agent", "Second agent"):
        expect(candidates(page, name).first).to_be_visible()
    page.get_by_role("button", name="Ask two agents side by side").click()
    expect(engine(page, "Second agent")).to_have_count(0)


def test_the_solver_tells_exact_values(pages: Pages) -> None:
    page = open_hex(pages, board="hex:3")
    solver = page.get_by_role("region", name="Exact value")
    solver.get_by_role("button", name="Solve").click()
    expect(solver.get_by_role("status")).to_contain_text("Blue wins")
    winning = solver.get_by_role("button", name="wins")
    expect(winning).to_have_count(5)  # c1 a2 b2 c2 a3
    assert sorted(text[:2] for text in winning.all_inner_texts()) == ["a2", "a3", "b2", "c1", "c2"]


def test_the_course_of_a_game_is_a_curve_with_mistakes(pages: Pages) -> None:
    page = open_hex(pages, "0.4.8.3", board="hex:3", agent="perfect")
    course = page.get_by_role("region", name="Course of the game")
    course.get_by_role("button", name="Review the game").click()
    expect(course.get_by_role("status")).to_contain_text("found")
    expect(course.get_by_role("img", name="Value for Blue over the game")).to_be_visible()
    mistakes = course.get_by_role("listitem")
    expect(mistakes.first).to_contain_text("1a1 ?")  # it loses, where b2 would have won
    mistakes.first.get_by_role("button").click()
    here = page.get_by_role("group", name="Moves").locator("[aria-current]")
    expect(here).to_have_text("1a1 ?")
    assert address(page)["at"] == "1"


def test_a_review_that_outlives_its_page_is_found_again(pages: Pages) -> None:
    page = open_hex(pages, "5.6.9.10.1.2", agent="uct:iterations=3000")
    course = page.get_by_role("region", name="Course of the game")
    course.get_by_role("button", name="Review the game").click()
    expect(course.get_by_role("button", name="Stop")).to_be_visible()
    expect(course.get_by_role("img")).to_be_visible()
    page.reload()
    expect(course.get_by_role("status")).to_contain_text("found")
    expect(course.get_by_role("img")).to_be_visible()


def test_work_under_way_is_found_and_stopped_from_anywhere(pages: Pages) -> None:
    page = open_hex(pages, "5", "hex:7", agent=LONG)
    engine(page).get_by_role("button", name="Think").click()
    expect(candidates(page).first).to_be_visible()
    page.get_by_role("button", name="Work under way").click()
    work = page.get_by_role("region", name="Work under way")
    expect(work.get_by_role("listitem").filter(has_text="at work")).to_have_count(1)
    work.get_by_role("button", name="Stop").click()
    expect(work.get_by_role("listitem").filter(has_text="at work")).to_have_count(0)
    expect(work.get_by_role("listitem").filter(has_text="stopped").first).to_be_visible()
    expect(engine(page).get_by_role("status")).not_to_contain_text("…")


def test_moves_branch_and_branches_are_made_the_main_line_or_cut(pages: Pages) -> None:
    page = open_hex(pages, "5.6")
    moves = page.get_by_role("group", name="Moves")
    page.get_by_role("button", name="One move back").click()
    expect(moves.locator("[aria-current]")).to_contain_text("b2")
    make_move_here(page, 10)
    expect(moves).to_contain_text("(")
    assert moves_of(page) == [5, 10]
    page.get_by_role("button", name="Make main line").click()
    expect(moves.get_by_role("button").nth(2)).to_contain_text("c3")
    page.get_by_role("button", name="Delete from here").click()
    expect(moves).not_to_contain_text("(")
    expect(moves).not_to_contain_text("c3")
    page.keyboard.press("ArrowRight")
    expect(moves.locator("[aria-current]")).to_contain_text("c2")


def make_move_here(page: Page, number: int) -> None:
    """Play on a vertex of the position that is shown."""
    expect(vertex(page, number)).to_have_attribute("aria-disabled", "false")
    vertex(page, number).click()
    expect(vertex(page, number)).to_have_attribute("aria-disabled", "true")


def test_a_spread_shows_where_it_goes(pages: Pages) -> None:
    where = line_address("analyse", game="infexion", board="infexion:7", moves="24.0")
    page = pages.open(where)
    expect(vertex(page, 24)).to_have_attribute("aria-disabled", "false")
    vertex(page, 24).click()
    expect(page.locator(".arrow-mark")).to_have_count(6)
    page.keyboard.press("Escape")
    expect(page.locator(".arrow-mark")).to_have_count(0)
    position = position_of(page)
    spread = next(move for move in position.legal_moves() if position.game.move_target(move))
    make_move(page, spread)
    expect(page.get_by_role("group", name="Moves").get_by_role("button")).to_have_count(4)
    assert_cells_shown(page, position.play(spread))
