"""Spread-It's wider world on the page: chance, many players, arrows, communities, changes."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.e2e.playing import (
    address,
    assert_cells_shown,
    assert_shown_as_played,
    click,
    legal,
    line_address,
    moves_of,
    position_of,
    vertex,
    wait_for_turn,
)
from tests.e2e.server import LabServer
from tests.e2e.trial_boards import TRIAL, trial_board
from tests.e2e.watching import PHONE, Pages
from topple.boards import BOARDS
from topple.game.record import Record

CHANCE = "spread-it:tokens=4,players=3,accept=0.8"
THREE = "human,human,human"
DRAWN = re.compile(r"\w+~[0-9a-f]{8}")


@pytest.fixture(scope="module")
def trial_lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabServer]:
    """A lab that knows the boards of the tests, which this process knows as long."""
    server = LabServer(tmp_path_factory.mktemp("trial") / "folder", "tests.e2e.trial_lab")
    server.start()
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(BOARDS, TRIAL.name, TRIAL)  # type: ignore[arg-type]
        yield server
    server.stop()


@pytest.fixture
def pages(browser: Browser, trial_lab: LabServer) -> Iterator[Pages]:
    """Opens pages of that lab; the test fails if the browser complains of one of them."""
    opened = Pages(browser, trial_lab.address)
    yield opened
    assert opened.close() == []


def play(page: Page, n_moves: int | None = None) -> None:
    """Click on one legal vertex after another, until the game is over or so many are played."""
    while wait_for_turn(page, len(moves_of(page))) == "mine":
        plies = len(moves_of(page))
        if plies == n_moves:
            return
        choice = legal(page).nth(plies % legal(page).count())
        choice.focus()
        choice.press("Enter")
        wait_for_turn(page, plies + 1)


def test_a_game_of_chance_is_the_same_after_going_back_reloading_and_sharing(
    pages: Pages, tmp_path: Path
) -> None:
    where = line_address("play", game=CHANCE, board="trial:small", players=THREE)
    page = pages.open(where, speed=5)
    play(page, 4)
    assert_cells_shown(page, position_of(page))
    play(page)
    texts = moves_of(page)
    assert all(DRAWN.fullmatch(str(text)) for text in texts), texts
    assert "~" not in page.get_by_role("group", name="Moves").inner_text()
    assert_shown_as_played(page)
    ended = position_of(page)

    for name in ("To the start", "One move on", "One move on", "To the end"):
        page.get_by_role("button", name=name).click()
    wait_for_turn(page, len(texts))
    expect(page.locator(".replay-steps .running")).to_have_count(0)
    assert moves_of(page) == texts
    assert_shown_as_played(page)

    page.reload()
    wait_for_turn(page, len(texts))
    assert moves_of(page) == texts
    assert position_of(page) == ended
    assert_shown_as_played(page)

    shared = pages.open(str(page.evaluate("location.hash")), size=PHONE, scheme="dark")
    wait_for_turn(shared, len(texts))
    assert moves_of(shared) == texts
    assert_shown_as_played(shared)

    page.get_by_role("button", name="Save file").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Record").click()
    download.value.save_as(tmp_path / "game.jsonl")
    record = Record.from_json((tmp_path / "game.jsonl").read_text("utf-8").strip())
    assert list(record.moves) == texts
    assert record.replay(compiled=False).text == ended.text

    page.get_by_role("button", name="Undo").click()
    shown = page.get_by_role("group", name="Moves").get_by_role("button")
    expect(shown).to_have_count(len(texts))  # one of them is the start
    assert wait_for_turn(page, len(texts) - 1) == "mine"
    expect(page.get_by_role("button", name="Resign")).to_be_visible()
    assert moves_of(page) == texts[:-1]
    assert_cells_shown(page, position_of(page))
    play(page)
    assert moves_of(page)[: len(texts) - 1] == texts[:-1]


def test_the_same_move_after_undo_is_drawn_anew(pages: Pages) -> None:
    where = line_address("play", game=CHANCE, board="trial:small", players=THREE)
    page = pages.open(where)
    seen = set()
    for _ in range(3):
        assert wait_for_turn(page) == "mine"
        vertex(page, 0).press("Enter")
        wait_for_turn(page, 1)
        (text,) = moves_of(page)
        seen.add(text)
        page.get_by_role("button", name="Undo").click()
        expect(page.get_by_role("group", name="Moves").get_by_role("button")).to_have_count(1)
    assert len(seen) == 3


def test_analyses_and_branches_have_no_draws_before_a_move(pages: Pages) -> None:
    moves = "ann~1.bob~2.cid~3"
    where = line_address("analyse", game=CHANCE, board="trial:small", moves=moves)
    page = pages.open(where, agent="random")
    expect(page.get_by_role("complementary")).to_contain_text("to move")
    agent = page.get_by_role("region", name="First agent")
    agent.get_by_role("button", name="Think").click()
    expect(
        agent.get_by_role("region", name="Candidates").get_by_role("button").first
    ).to_be_visible()
    assert "~" not in page.locator("main").inner_text()
    agent.get_by_role("button", name=re.compile("Stop|Switch off")).click()
    vertex(page, 3).press("Enter")
    expect(page.get_by_role("group", name="Moves").get_by_role("button")).to_have_count(5)
    page.wait_for_function("() => location.hash.split('~').length === 5")
    *begun, made = moves_of(page)
    assert begun == ["ann~00000001", "bob~00000002", "cid~00000003"]
    assert str(made).startswith("dora~")


def test_a_label_with_dots_survives_the_address(pages: Pages) -> None:
    page = pages.open("#games")
    there_and_back = """async (moves) => {
      const { lineParams, readLine, formatAddress, parseAddress } = await import("/js/address.js");
      const given = { game: "spread-it", board: "karate", moves, players: [] };
      return readLine(parseAddress(formatAddress("play", lineParams(given))).params).moves;
    }"""
    moves = [3, "J. K.~7f3a01c2", "100%.2E~00000001", "7~00000002"]
    assert page.evaluate(there_and_back, moves) == moves


def test_specs_with_seeds_and_quotes_survive_the_page(pages: Pages) -> None:
    page = pages.open("#games")
    again = """async (text) => {
      const { parseSpec, formatSpec } = await import("/js/state/spec.js");
      const { name, values, options } = parseSpec(text);
      return [options, formatSpec(name, options, values)];
    }"""
    for text, seeds in (
        ("spread-it:players=3,seeds=ann=2b bob=1r", "ann=2b bob=1r"),
        ("spread-it:seeds=\"'K, J'=2b\"", "'K, J'=2b"),
    ):
        options, written = page.evaluate(again, text)
        assert options["seeds"] == seeds
        assert written == text


# Players


def test_three_play_after_filling_in_the_form(pages: Pages) -> None:
    where = line_address("play", game="spread-it", board="trial:star", players="human,human")
    page = pages.open(where)
    wait_for_turn(page)
    page.get_by_role("button", name="New game").click()
    dialog = page.get_by_role("dialog")
    if not dialog.get_by_label("Players", exact=True).is_visible():
        dialog.get_by_text("Options of Spread-It").click()
    dialog.get_by_label("Tokens", exact=True).fill("3/2/2")
    dialog.get_by_label("Players", exact=True).fill("3")
    dialog.get_by_label("Loyalty", exact=True).select_option("another …")
    dialog.get_by_label("Loyalty, another").fill("2")
    dialog.get_by_label("Seeds", exact=True).fill("ann=1g")
    dialog.get_by_label("Foresight", exact=True).select_option("none")
    seats = dialog.locator("fieldset.seat")
    expect(seats).to_have_count(3)
    for seat in range(3):
        seats.nth(seat).get_by_label("Who plays").select_option("human")
    expect(seats.nth(2)).to_contain_text("Green")
    start = dialog.get_by_role("button", name="Start the game")
    expect(start).to_be_enabled()
    start.click()
    expect(page.locator(".player-card")).to_have_count(3)
    wait_for_turn(page)
    game = address(page)["game"]
    assert dict(part.split("=", 1) for part in game.partition(":")[2].split(",")) == {
        "tokens": "3/2/2",
        "players": "3",
        "loyalty": "2",
        "seeds": "ann=1g",
        "foresight": "none",
    }
    assert address(page)["players"] == THREE
    expect(vertex(page, 0)).to_have_attribute("aria-label", re.compile("1 Green"))


def test_what_is_typed_counts_at_once_and_what_does_not_fit_is_refused(pages: Pages) -> None:
    """As a person does it: the keyboard in the field, then the mouse on the button."""
    where = line_address("play", game="spread-it", board="trial:star", players="human,human")
    page = pages.open(where)
    wait_for_turn(page)
    page.get_by_role("button", name="New game").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Options of Spread-It").click()
    start = dialog.get_by_role("button", name="Start the game")
    pages.forgive("400")  # the lab refuses what is typed below
    for name, wrong, says in (
        ("Accept", "1.5", "accept=1.5 is too large: at most 1"),
        ("Players", "9", "players=9 is too large: at most 8"),
        ("Tokens", "3/x", "tokens=3/x is not whole numbers joined by slashes"),
    ):
        field = dialog.get_by_label(name, exact=True)
        field.fill(wrong)
        expect(dialog.get_by_role("alert")).to_contain_text(says)
        expect(start).to_be_disabled()
        field.fill("")
    dialog.get_by_label("Accept", exact=True).fill("0.125")
    dialog.get_by_label("Tokens", exact=True).focus()
    page.keyboard.type("7")
    expect(start).to_be_enabled()
    click(start)
    page.wait_for_function("() => location.hash.includes('tokens')")
    assert address(page)["game"] == "spread-it:accept=0.125,tokens=7"


def test_a_game_starts_only_when_its_own_board_has_been_checked(pages: Pages) -> None:
    """Not on an answer for options that have been changed since."""
    where = line_address("play", game="spread-it", board="trial:star", players="human,human")
    page = pages.open(where)
    wait_for_turn(page)
    page.get_by_role("button", name="New game").click()
    dialog = page.get_by_role("dialog")
    start = dialog.get_by_role("button", name="Start the game")
    expect(start).to_be_enabled()
    dialog.get_by_text("Options of Spread-It").click()
    asked: list[Route] = []

    def hold(route: Route) -> None:
        asked.append(route)

    page.route("**/api/board", hold)
    for tokens in ("3", "4"):
        with page.expect_request("**/api/board"):
            dialog.get_by_label("Tokens", exact=True).fill(tokens)
    page.wait_for_timeout(100)
    first, second = asked
    with page.expect_response("**/api/board"):
        first.continue_()
    page.wait_for_timeout(100)  # in which the page would take the answer
    assert start.is_disabled()
    second.continue_()
    expect(start).to_be_enabled()


def test_those_who_share_a_win_are_all_named(pages: Pages) -> None:
    where = line_address(
        "play", game="spread-it:players=3,tokens=1", board="trial:star", players=THREE
    )
    page = pages.open(where)
    play(page)
    assert_shown_as_played(page)
    assert position_of(page).outcome is not None
    moves = ".".join(map(str, [1, 2, 3, 4, 1]))
    shared = line_address(
        "play",
        game="spread-it:players=3,tokens=2/2/1",
        board="trial:star",
        players=THREE,
        moves=moves,
    )
    page = pages.open(shared)
    wait_for_turn(page, 5)
    expect(page.locator(".status")).to_contain_text("Black, Red share the win")
    expect(page.locator(".player-card.won")).to_have_count(2)
    expect(page.get_by_text("shares the win", exact=True)).to_have_count(2)


@pytest.mark.parametrize("size", [{"width": 1440, "height": 900}, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("players", [3, 5, 8])
def test_every_colour_on_a_vertex_is_told_by_count_and_letter(
    pages: Pages, players: int, size: dict[str, int]
) -> None:
    moves = ".".join(["0"] * min(players, 7))
    game = f"spread-it:players={players},tokens=3"
    seats = ",".join(["human"] * players)
    where = line_address("play", game=game, board="trial:star", players=seats, moves=moves)
    page = pages.open(where, size=size)
    wait_for_turn(page, min(players, 7))
    sectors = page.locator('[data-vertex="0"] .sector')
    expect(sectors).to_have_count(min(players, 7))
    written = [re.sub(r"\s", "", text) for text in sectors.all_text_contents()]
    assert written == [f"1{letter}" for letter in "brgyvotp"[: min(players, 7)]]
    classes = {sector.get_attribute("class") for sector in sectors.all()}
    assert len(classes) == min(players, 7)
    heights = [
        box["height"] for text in sectors.locator("text").all() if (box := text.bounding_box())
    ]
    assert max(heights) >= 7, "the counts are too small to read"
    assert_cells_shown(page, position_of(page))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


# Networks


def test_arrows_end_at_the_rim_and_both_directions_are_apart(pages: Pages) -> None:
    where = line_address(
        "play", game="spread-it:tokens=5", board="trial:small", players="human,human"
    )
    page = pages.open(where)
    wait_for_turn(page)
    tips = page.evaluate(
        """() => {
          const spots = [...document.querySelectorAll("[data-vertex]")].map((group) => {
            const { e: x, f: y } = group.transform.baseVal.consolidate().matrix;
            return [x, y, group.querySelector(".body").r.baseVal.value];
          });
          return [...document.querySelectorAll(".edge .head")].map((head) => {
            const [, x, y] = /^M([-\\d.]+) ([-\\d.]+)/.exec(head.getAttribute("d"));
            const gaps = spots.map(([vx, vy, r]) => Math.hypot(vx - x, vy - y) - r);
            return Math.min(...gaps.map(Math.abs));
          });
        }"""
    )
    assert len(tips) == 7
    assert max(tips) < 3
    lines = [each.get_attribute("d") for each in page.locator(".edge .line").all()]
    assert len(set(lines)) == 7


def test_sinks_and_probabilities_are_shown_and_told(pages: Pages) -> None:
    where = line_address(
        "play", game="spread-it:tokens=5", board="trial:small", players="human,human"
    )
    page = pages.open(where)
    wait_for_turn(page)
    sink = vertex(page, 3)
    expect(sink).to_have_attribute("aria-label", re.compile("a sink, where tokens stay"))
    expect(page.locator(".sink-rim")).to_have_count(1)
    expect(page.locator(".unsure")).to_have_count(5)
    expect(page.locator(".share")).to_have_count(5)
    expect(vertex(page, 0)).to_have_attribute("aria-description", "sends to bob, cid (0.5)")
    vertex(page, 0).focus()
    expect(page.locator(".tip")).to_contain_text("sends to bob, cid (0.5)")
    legend = page.locator(".legend")
    expect(legend).to_contain_text("sink")
    expect(legend).to_contain_text("probability 0.25 to 1")
    dropped = line_address(
        "play",
        game="spread-it:tokens=5,accept=0.8,sinks=drop",
        board="trial:small",
        players="human,human",
    )
    page = pages.open(dropped)
    wait_for_turn(page)
    expect(vertex(page, 3)).to_have_attribute("aria-label", re.compile("leave the game"))
    expect(page.locator(".unsure")).to_have_count(7)
    expect(page.locator(".share")).to_have_count(0)  # all are the same, and the legend says it
    expect(page.locator(".legend")).to_contain_text("probability 0.8")
    vertex(page, 0).focus()
    expect(page.locator(".share")).to_have_count(2)


@pytest.mark.parametrize("is_still", [True, False], ids=["still", "moving"])
def test_a_network_that_changes_is_drawn_and_announced(pages: Pages, is_still: bool) -> None:
    where = line_address(
        "play", game="spread-it:tokens=9", board="trial:changing", players="human,human"
    )
    page = pages.open(where, is_still=is_still)
    note = page.locator(".network-note")
    board = trial_board("changing")
    edges = page.locator(".edge[data-edge]")
    wait_for_turn(page)
    expect(note).to_have_text("Network 1 of 3. The network changes after 3 more tokens.")
    expect(edges).to_have_count(len(board.successors))
    play(page, 2)
    expect(note).to_contain_text("after 1 more token.")
    play(page, 3)
    expect(note).to_have_text("Network 2 of 3. The network changes after 5 more tokens.")
    expect(edges).to_have_count(len(board.stages[0].successors))
    expect(page.locator(".edge")).to_have_count(
        len(board.stages[0].successors)
    )  # none is left over
    expect(vertex(page, 7)).to_have_attribute("aria-label", re.compile("full at 2"))
    page.get_by_role("button", name="One move back").click()
    expect(edges).to_have_count(len(board.successors))
    hidden = line_address(
        "play",
        game="spread-it:tokens=9,foresight=none",
        board="trial:changing",
        players="human,human",
    )
    page = pages.open(hidden)
    wait_for_turn(page)
    expect(page.locator(".network-note")).to_have_text("Network 1.")


def test_communities_are_drawn_with_their_names_and_who_holds_them(pages: Pages) -> None:
    where = line_address(
        "play", game="spread-it:players=3", board="trial:communities", players=THREE
    )
    holdings = [
        {"community": name, "size": 4, "vertices": [2 - i, i, 0], "tokens": [3 - i, i, 1]}
        for i, name in enumerate(("Medici", "Strozzi", "Albizzi"))
    ]
    page = pages.open("#games")

    def with_holdings(route) -> None:  # type: ignore[no-untyped-def]
        answer = route.fetch()
        route.fulfill(response=answer, body=json.dumps({**answer.json(), "holdings": holdings}))

    page.route("**/api/view", with_holdings)
    page.evaluate("(where) => { location.hash = where; }", where)
    wait_for_turn(page)
    expect(page.locator(".hull")).to_have_count(3)
    assert page.locator(".hull-name").all_text_contents() == ["Medici", "Strozzi", "Albizzi"]
    table = page.get_by_role("region", name="Who holds which community")
    expect(table.get_by_role("row")).to_have_count(4)
    cells = [
        text.split()
        for text in table.get_by_role("row").nth(1).get_by_role("cell").all_inner_texts()
    ]
    assert cells == [["2", "(3)"], ["0", "(0)"], ["0", "(1)"]]
