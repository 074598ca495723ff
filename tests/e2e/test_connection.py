"""A connection that is lost is told, tried again, and found again; so is what the lab keeps.

Work that ended with the lab has stopped, and pages that were open say so.
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.playing import (
    assert_cells_shown,
    line_address,
    make_move,
    moves_of,
    position_of,
    wait_for_turn,
)
from tests.e2e.server import LabServer
from tests.e2e.test_compare import games_told, set_up
from tests.e2e.watching import Pages

GAME = {"game": "hex", "board": "hex:3", "players": "human,human"}
LOST = "The connection to the lab is lost."


def test_a_move_made_offline_is_played_when_the_lab_is_back(pages: Pages) -> None:
    pages.forgive("ERR_INTERNET_DISCONNECTED")
    page = pages.open(line_address("play", **GAME))
    wait_for_turn(page)
    page.context.set_offline(True)
    make_move(page, 4)
    expect(page.get_by_role("status").filter(has_text=LOST)).to_be_visible()
    page.context.set_offline(False)
    wait_for_turn(page, 1)
    expect(page.get_by_text(LOST)).to_have_count(0)
    expect(page.get_by_text("The lab is back.")).to_be_visible()
    assert moves_of(page) == [4]
    assert_cells_shown(page, position_of(page))


@pytest.fixture
def own_lab(tmp_path: Path) -> Iterator[LabServer]:
    """A lab that the test may stop and start."""
    server = LabServer(tmp_path / "folder")
    yield server
    server.stop()


def test_a_lab_that_is_started_again_has_kept_all(
    browser: Browser, own_lab: LabServer, tmp_path: Path
) -> None:
    store = tmp_path / "cup.db"
    match = ["match", "hex", "random", "greedy", "--board", "hex:3", "--games", "4"]
    command = [sys.executable, "-m", "topple", *match, "--workers", "1", "--db", str(store)]
    subprocess.run(command, check=True, capture_output=True)
    own_lab.start(store)
    pages = Pages(browser, own_lab.address)
    pages.forgive("ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET")
    page = pages.open(line_address("play", **GAME, moves="4"))
    wait_for_turn(page, 1)
    page.get_by_role("button", name="Keep").click()
    page.get_by_role("textbox", name="Name").fill("Before the night")
    page.get_by_role("dialog").get_by_role("button", name="Keep").click()
    expect(page.get_by_text("The game is kept.")).to_be_visible()
    own_lab.stop()
    page.get_by_role("link", name="Games").click()
    expect(page.get_by_role("status").filter(has_text=LOST)).to_be_visible()
    own_lab.start(store)
    expect(page.get_by_role("row").filter(has_text="Before the night")).to_be_visible()
    expect(page.get_by_text(LOST)).to_have_count(0)
    page.get_by_role("link", name="Compare").click()
    page.get_by_role("row").filter(has_text="cup").get_by_role("button").click()
    expect(page.get_by_role("heading", name="Games (4)")).to_be_visible()
    assert pages.close() == []


def test_work_that_a_killed_lab_has_lost_is_stopped_and_goes_on(
    browser: Browser, own_lab: LabServer
) -> None:
    own_lab.start()
    pages = Pages(browser, own_lab.address)
    pages.forgive(
        "ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|404|ERR_INCOMPLETE"
    )
    cup = pages.open("#compare")
    set_up(cup, "Long cup", 5000)
    told = cup.get_by_role("status").filter(has_text="5,000 games")
    expect(told).to_contain_text("Playing")
    game = pages.open(line_address("analyse", game="hex", board="hex:5", moves="0.6.12.18.24"))
    course = game.get_by_role("region", name="Course of the game")
    course.get_by_label("for", exact=True).select_option("5 min")
    course.get_by_role("button", name="Review the game").click()
    expect(course.get_by_role("status")).to_contain_text("of 6 positions")
    own_lab.kill()
    expect(cup.get_by_text(LOST)).to_be_visible()
    own_lab.start()
    expect(told).to_contain_text("Stopped")
    expect(course.get_by_role("status")).to_contain_text("Stopped")
    expect(course.get_by_role("button", name="Review the game")).to_be_enabled()
    played = games_told(told.inner_text())
    cup.get_by_role("button", name="Go on").click()
    expect(told).to_contain_text("Playing")
    cup.get_by_role("button", name="Stop", exact=True).click()
    expect(told).to_contain_text("Stopped")
    assert games_told(told.inner_text()) >= played
    assert pages.close() == []
