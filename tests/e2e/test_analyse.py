"""Analysing: candidates, heat, variations, exact values, branches, the course of a game."""

import re

from playwright.sync_api import Locator, Page, expect

import topple
from tests.e2e.playing import (
    address,
    assert_cells_shown,
    line_address,
    make_move,
    moves_of,
    position_of,
    vertex,
)
from tests.e2e.watching import PHONE, Pages

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
    row_name = candidates(page).first.inner_text()
    candidates(page).first.hover()
    expect(page.locator(".badge").first).to_be_visible()
    lit = f'[data-vertex="{position_of(page).game.board.labels.index(row_name)}"].lit'
    expect(page.locator(lit)).to_have_count(1)
    assert page.locator(".badge").count() > 1  # the best move shows all that is expected after it
    page.get_by_role("heading", name="Moves").hover()
    expect(page.locator(".badge")).to_have_count(0)


def test_too_little_search_is_said_and_not_coloured(pages: Pages) -> None:
    where = line_address("analyse", game="spread-it", board="ba:n=60,m=2,seed=1")
    page = pages.open(where, agent="uct:iterations=60")
    expect(page.get_by_role("complementary", name="Analysis")).to_contain_text("to move")
    engine(page).get_by_role("button", name="Think").click()
    told = engine(page).get_by_role("status")
    expect(told).to_contain_text("Too little search to say · 60 games")
    expect(candidates(page)).to_have_count(30)
    values = [row.get_by_role("cell").first.inner_text() for row in rows(page)]
    assert set(values) == {"–"}
    expect(page.locator("[data-vertex] .heat")).to_have_count(0)
    expect(engine(page)).to_contain_text("topple advise")
    engine(page).get_by_role("button", name="Fewer candidates").click()  # pruning:samples=100
    expect(told).to_contain_text(re.compile(r"^[+−]\d\.\d\d · "))
    expect(page.locator("[data-vertex] .heat").first).to_be_attached()
    expect(engine(page).get_by_role("button", name="Fewer candidates")).to_have_count(0)


def test_more_search_makes_candidates_comparable(pages: Pages) -> None:
    page = open_hex(pages, agent="uct:iterations=25")
    engine(page).get_by_role("button", name="Think").click()
    more = engine(page).get_by_role("button", name="More search")
    for iterations in (100, 400):
        more.filter(has_text=f"iterations={iterations}").click()
    expect(engine(page).get_by_role("status")).to_contain_text(re.compile(r"^[+−]\d\.\d\d · 400"))
    expect(more).to_be_hidden()


def assert_told_as_shares(panel: Locator) -> None:
    """Visits add up to what the agent says it has played."""
    rows = panel.get_by_role("row").all()[1:]
    visits = [row.get_by_role("cell").nth(2).inner_text() for row in rows]
    numbers = [int(each.replace(",", "")) for each in visits if each != "–"]
    assert numbers == sorted(numbers, reverse=True)
    assert sum(numbers) <= 400


def test_the_heat_map_shows_the_prior_of_a_network(pages: Pages) -> None:
    page = open_hex(pages, "5", agent="policy")
    expect(page.get_by_role("group", name="What the heat map shows")).to_have_count(0)
    engine(page).get_by_role("button", name="Think").click()
    expect(candidates(page)).to_have_count(15)
    priors = priors_of(page)
    best = max(priors, key=priors.__getitem__)
    expect(engine(page).get_by_role("status")).to_contain_text("(win chance ")
    told = [row.get_by_role("cell").last.inner_text() for row in rows(page)]
    assert told[0] == f"{100 * priors[best]:.0f}%"
    choice = page.get_by_role("group", name="What the heat map shows")
    expect(choice.get_by_role("radio", name="value")).to_be_checked()
    expect(page.locator(".heat.prior")).to_have_count(0)
    choice.get_by_role("radio", name="value").press("ArrowRight")
    expect(choice.get_by_role("radio", name="prior")).to_be_checked()
    expect(page.locator(".heat:not(.prior)")).to_have_count(0)
    expect(page.locator(f'[data-vertex="{best}"] .heat.prior')).to_have_attribute("opacity", "0.90")
    expect(page.get_by_role("log")).to_contain_text(f"the prior: {spoken(page, priors)}.")
    assert not moves_of(page)[1:]  # the arrow went through the choices, not through the game
    page.reload()  # the choice is remembered
    engine(page).get_by_role("button", name="Think").click()
    expect(page.locator(".heat.prior").first).to_be_attached()


def test_the_prior_of_a_cell_is_the_sum_over_its_moves(pages: Pages) -> None:
    where = line_address("analyse", game="infexion", board="infexion:5", moves="0.6.12.3")
    page = pages.open(where, agent="policy", heatOf="prior")
    expect(page.get_by_role("complementary", name="Analysis")).to_contain_text("to move")
    engine(page).get_by_role("button", name="Think").click()
    expect(page.locator(".heat.prior").first).to_be_attached()
    position, priors = position_of(page), priors_of(page)
    stacks = {position.game.move_vertex(move) for move in position.legal_moves()
              if position.game.move_target(move) is not None}  # fmt: skip
    assert stacks & set(priors)
    most = max(priors.values())
    shown = page.locator(".heat-key")
    expect(shown).to_contain_text(f"{100 * most:.0f}%")
    for vertex_shown, prior in priors.items():
        disc = page.locator(f'[data-vertex="{vertex_shown}"] .heat')
        if prior > 0.04 * most:
            drawn = float(disc.first.get_attribute("opacity") or 0)
            assert abs(drawn - (0.12 + 0.78 * prior / most)) < 0.011


def priors_of(page: Page) -> dict[int, float]:
    """How likely the network finds each vertex of the position, asked without the page."""
    position = position_of(page)
    sums: dict[int, float] = {}
    for each in topple.agent("policy").choose(position).candidates:
        place = position.game.move_vertex(each.move)
        assert each.prior is not None
        if place is not None:
            sums[place] = sums.get(place, 0.0) + each.prior
    return sums


def rows(page: Page) -> list[Locator]:
    """The rows of the candidates."""
    return engine(page).get_by_role("row").all()[1:]


def spoken(page: Page, priors: dict[int, float]) -> str:
    """The three likeliest vertices as a screen reader hears them."""
    labels = position_of(page).game.board.labels
    first = sorted(priors, key=lambda place: -priors[place])[:3]
    return ", ".join(f"{labels[place]} {100 * priors[place]:.0f}%" for place in first)


def test_a_network_is_offered_only_where_one_is_shipped(pages: Pages) -> None:
    page = open_hex(pages, agent="puct:time=2")
    expect(engine(page)).to_contain_text("puct:time=2")
    page = pages.open(
        line_address("analyse", game="influence", board="segment:9"), agent="puct:time=2"
    )
    expect(engine(page)).to_contain_text("uct:time=2")
    expect(engine(page)).not_to_contain_text("puct:time=2")
    names = engine(page).get_by_label("Agent").locator("option").all_inner_texts()
    assert {"puct", "policy"}.isdisjoint(names)
    engine(page).get_by_role("button", name="Think").click()
    expect(candidates(page).first).to_be_visible()
    expect(page.get_by_role("group", name="What the heat map shows")).to_have_count(0)


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
    expect(mistakes.first).to_contain_text("1a1 ??")  # it loses, where b2 would have won
    page.set_viewport_size(PHONE)
    mistakes.first.get_by_role("button").click()
    here = page.get_by_role("group", name="Moves").locator("[aria-current]")
    expect(here).to_have_text("1a1 ??")
    assert address(page)["at"] == "1"
    remark = page.get_by_role("status").filter(has_text="Blue's a1 is a blunder")
    expect(remark).to_contain_text("it gives away 2.00. Better: ")
    expect(remark).to_be_in_viewport()
    box = remark.bounding_box()
    head = page.locator("header.top").bounding_box()
    assert box is not None
    assert head is not None
    assert box["y"] >= head["y"] + head["height"]  # the head does not cover it
    expect(page.locator('[data-vertex="0"].mistaken')).to_be_in_viewport()
    expect(page.locator("[data-vertex].better")).to_have_count(1)
    page.get_by_role("button", name="One move on").click()
    expect(page.locator("[data-vertex].mistaken")).to_have_count(0)
    expect(remark).to_be_hidden()


def test_a_review_weighs_what_is_in_doubt_and_says_how_sure_it_is(pages: Pages) -> None:
    page = open_hex(pages, "0.15.3.5.12.6.4.13", agent="uct:iterations=1000")
    course = page.get_by_role("region", name="Course of the game")
    course.get_by_role("button", name="Review the game").click()
    expect(course.get_by_role("status")).to_contain_text("found beyond doubt")
    first = course.get_by_role("listitem").first
    expect(first).to_contain_text(re.compile(r"(slip|mistake|blunder): gives away \d\.\d\d"))


def test_a_review_by_a_network_tells_the_win_chance(pages: Pages) -> None:
    page = open_hex(pages, "0.5.1.6.2", agent="puct:iterations=200")
    course = page.get_by_role("region", name="Course of the game")
    course.get_by_role("button", name="Review the game").click()
    expect(course.get_by_role("status")).to_contain_text("found")
    chart = course.get_by_role("img", name="Win chance of Blue over the game")
    expect(chart).to_contain_text("100%")
    expect(chart).to_contain_text("win chance of Blue")
    value = topple.agent("puct:iterations=200").choose(position_of(page)).value
    chance = (1 - value) / 2  # Red is to move
    expect(course.get_by_role("status")).to_contain_text(f"win chance {100 * chance:.0f}% for Blue")
    page.reload()
    expect(chart).to_be_visible()


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
    at_work = work.get_by_role("listitem").filter(has_text="at work")
    expect(at_work).to_contain_text("thinks about Hex on hex:7, move 2")
    expect(at_work).to_have_count(1)
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
