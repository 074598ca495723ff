"""Comparing: a tournament set up on the page, watched, stopped, gone on with; games of a store."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.playing import address, assert_cells_shown, moves_of, position_of
from tests.e2e.watching import PHONE, WIDE, Pages


def set_up(page: Page, name: str, games: int) -> None:
    """Fill in a tournament of two agents on a small board of Hex, and start it."""
    page.get_by_role("button", name="New tournament").click()
    form = page.get_by_role("dialog", name="New tournament")
    form.get_by_role("textbox", name="Name").fill(name)
    form.get_by_role("spinbutton", name="Games per pairing").fill(str(games))
    form.get_by_role("button", name="Remove this agent").nth(1).click()
    form.get_by_role("radio", name="Hex").click()
    form.get_by_role("slider", name="N, slider").fill("4")
    expect(form.get_by_role("img", name="Board hex:4, 16 vertices")).to_be_visible()
    form.get_by_role("button", name="Start the tournament").click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()


@pytest.mark.parametrize("size", [PHONE, WIDE], ids=["phone", "wide"])
def test_a_small_tournament_is_watched_to_its_end(pages: Pages, size: dict[str, int]) -> None:
    page = pages.open("#compare", size=size)
    name = f"Cup of {size['width']}"
    set_up(page, name, 6)
    expect(page.get_by_text("All games are played: 6 of 6 games")).to_be_visible()
    ratings = page.get_by_role("region", name="Ratings")
    expect(ratings.get_by_role("row")).to_have_count(3)
    expect(ratings.get_by_role("row").nth(1)).to_contain_text("uct:iterations=200")
    crosstable = page.get_by_role("region", name="Crosstable of hex")
    expect(crosstable).to_contain_text(re.compile(r"\d+% to \d+%"))
    expect(page.get_by_role("img", name="Ratings in Elo with 95% intervals")).to_be_visible()
    expect(page.get_by_role("img", name="Lengths of games")).to_be_visible()
    expect(page.get_by_role("heading", name="Games (6)")).to_be_visible()
    expect(page.get_by_role("button", name="Go on")).to_be_hidden()
    page.get_by_role("link", name="All tournaments").click()
    expect(page.get_by_role("row").filter(has_text=name)).to_contain_text("6")


def test_a_tournament_outlives_its_page_is_stopped_and_goes_on(pages: Pages) -> None:
    page = pages.open("#compare")
    set_up(page, "Long cup", 5000)
    told = page.get_by_role("status").filter(has_text="5,000 games")
    expect(told).to_contain_text("Playing")
    expect(page.get_by_role("region", name="Ratings")).to_be_visible()
    page.reload()
    expect(told).to_contain_text("Playing")
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(told).to_contain_text("Stopped")
    played = games_told(told.inner_text())
    assert 0 < played < 5000
    page.get_by_role("link", name="All tournaments").click()
    expect(page.get_by_role("row").filter(has_text="Long cup")).to_contain_text("unfinished: ")
    page.go_back()
    expect(told).to_contain_text("Stopped")
    page.get_by_role("button", name="Go on").click()
    expect(told).to_contain_text("Playing")
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(told).to_contain_text("Stopped")
    assert games_told(told.inner_text()) >= played  # no game is played again


def games_told(text: str) -> int:
    """The number of games played, as the page tells it."""
    return int(text.partition(": ")[2].partition(" of ")[0].replace(",", ""))


def test_a_game_of_a_store_is_opened(pages: Pages) -> None:
    page = pages.open("#compare")
    set_up(page, "Cup to open", 2)
    games = page.get_by_role("region", name="Games", exact=True)
    expect(games.get_by_role("row")).to_have_count(3)
    plies = int(games.get_by_role("row").nth(1).get_by_role("cell").last.inner_text())
    games.get_by_role("row").nth(1).get_by_role("button").click()
    expect(page.get_by_role("complementary", name="Analysis")).to_be_visible()
    expect(page.get_by_role("group", name="Moves").get_by_role("button")).to_have_count(plies + 1)
    assert len(moves_of(page)) == plies
    assert "uct:iterations=200" in address(page)["players"]
    position = position_of(page)
    assert position.is_over
    assert_cells_shown(page, position)
    page.go_back()
    expect(page.get_by_role("heading", name="Cup to open")).to_be_visible()


def test_a_store_that_is_not_there_is_said_to_be_missing(pages: Pages) -> None:
    pages.forgive("404")
    page = pages.open("#compare?store=nope")
    expect(page.get_by_role("alert")).to_contain_text("no store of that name")
    expect(page.get_by_text("Working out the standings")).to_have_count(0)
    page.get_by_role("link", name="All tournaments").click()
    expect(page.get_by_role("heading", name="Compare agents")).to_be_visible()


def test_a_tournament_that_cannot_be_is_refused_in_words(pages: Pages) -> None:
    pages.forgive("400")
    page = pages.open("#compare")
    page.get_by_role("button", name="New tournament").click()
    form = page.get_by_role("dialog", name="New tournament")
    form.get_by_role("textbox", name="Name").fill("../etc")
    expect(form.get_by_role("img")).to_have_accessible_name(re.compile("vertices"))
    form.get_by_role("button", name="Start the tournament").click()
    expect(form.get_by_role("alert")).to_contain_text("a store's name has at most 80")
    form.get_by_role("textbox", name="Name").fill("")
    form.get_by_role("button", name="Start the tournament").click()
    expect(form.get_by_role("alert")).to_have_text("Give the tournament a name.")
