"""Keeping games: their address, their record as a file, a place among the kept games."""

import json
from pathlib import Path

import networkx as nx
import pytest
from playwright.sync_api import Page, expect

from tests.e2e.playing import (
    address,
    assert_cells_shown,
    line_address,
    make_move,
    moves_of,
    position_of,
    wait_for_turn,
)
from tests.e2e.test_leaving import open_holding
from tests.e2e.watching import Pages
from topple.game.record import Record

GAME = {"game": "chain-reaction", "board": "grid:3x3", "players": "human,human"}


def open_game(pages: Pages) -> Page:
    """A game of two people after three moves."""
    page = pages.open(line_address("play", **GAME))
    for plies, move in enumerate((4, 0, 4)):
        wait_for_turn(page, plies)
        make_move(page, move)
    wait_for_turn(page, 3)
    return page


def test_a_reload_keeps_the_game(pages: Pages) -> None:
    page = open_game(pages)
    page.reload()
    wait_for_turn(page, 3)
    assert moves_of(page) == [4, 0, 4]
    assert_cells_shown(page, position_of(page))


def test_the_address_opens_the_same_position_elsewhere(pages: Pages) -> None:
    page = open_game(pages)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy address").click()
    expect(page.get_by_text("The address is copied.")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    other = pages.open("#" + copied.partition("#")[2])
    wait_for_turn(other, 3)
    assert address(other) == address(page)
    assert_cells_shown(other, position_of(page))


def test_a_kept_game_is_found_again_and_removed(pages: Pages) -> None:
    page = open_game(pages)
    page.get_by_role("button", name="Keep").click()
    page.get_by_role("textbox", name="Name").fill("The game of the week")
    page.get_by_role("dialog").get_by_role("button", name="Keep").click()
    expect(page.get_by_text("The game is kept.")).to_be_visible()
    page.reload()
    page.get_by_role("link", name="Games").click()
    row = page.get_by_role("row").filter(has_text="The game of the week")
    expect(row).to_contain_text("grid:3x3")
    row.get_by_role("button", name="The game of the week", exact=True).click()
    expect(page.get_by_role("complementary", name="Analysis")).to_be_visible()
    expect(page.get_by_role("group", name="Moves").get_by_role("button")).to_have_count(4)
    assert_cells_shown(page, position_of(page))
    page.get_by_role("link", name="Games").click()
    row.get_by_role("button", name="Remove The game of the week").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(row).to_have_count(0)


def test_a_record_is_saved_and_opened(pages: Pages, tmp_path: Path) -> None:
    page = open_game(pages)
    saved = save_file(page, "Record", tmp_path)
    record = Record.from_json(saved.read_text())
    assert (record.game, record.moves) == ("chain-reaction", ("b2", "a1", "b2"))
    page.get_by_role("link", name="Games").click()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Open a record file").click()
    chooser.value.set_files(saved)
    expect(page.get_by_role("complementary", name="Analysis")).to_be_visible()
    expect(page.get_by_role("group", name="Moves").get_by_role("button")).to_have_count(4)
    assert moves_of(page) == [4, 0, 4]
    assert_cells_shown(page, position_of(page))


def save_file(page: Page, form: str, folder: Path) -> Path:
    """Save the game in a form; gives the file."""
    page.get_by_role("button", name="Save file").click()
    with page.expect_download() as started:
        page.get_by_role("dialog").get_by_role("button", name=form, exact=True).click()
    saved = folder / started.value.suggested_filename
    started.value.save_as(saved)
    return saved


def test_the_last_position_is_saved_as_a_network(pages: Pages, tmp_path: Path) -> None:
    saved = save_file(open_game(pages), "GraphML", tmp_path)
    assert saved.name == "chain-reaction.graphml"
    graph = nx.read_graphml(saved)
    assert graph.nodes["b2"]["owner"] == "A"
    assert graph.nodes["b2"]["tokens_a"] == 2
    assert graph.nodes["a1"]["owner"] == "B"


def test_a_game_of_hex_is_saved_and_opened_as_sgf(pages: Pages, tmp_path: Path) -> None:
    page = pages.open(line_address("analyse", game="hex", board="hex:3", moves="4.0.2"))
    saved = save_file(page, "SGF", tmp_path)
    assert ";B[b2];W[a1];B[c1]" in saved.read_text()
    page.get_by_role("link", name="Games").click()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Open a record file").click()
    chooser.value.set_files(saved)
    expect(page.get_by_role("complementary", name="Analysis")).to_be_visible()
    assert moves_of(page) == [4, 0, 2]


@pytest.mark.parametrize("name", ["play", "analyse"])
def test_a_line_is_shared_when_it_is_loaded(pages: Pages, name: str, tmp_path: Path) -> None:
    page = open_holding(pages, "/view", line_address(name, **GAME, moves="4.0.4"))
    for label in ("Copy address", "Save file", "Keep"):
        expect(page.get_by_role("button", name=label)).to_have_count(0)
    page.evaluate("() => release()")
    saved = save_file(page, "Record", tmp_path)
    assert Record.from_json(saved.read_text()).moves == ("b2", "a1", "b2")


def test_a_record_that_cannot_be_read_is_refused_in_words(pages: Pages, tmp_path: Path) -> None:
    pages.forgive("400")
    page = pages.open("#games")
    bad = tmp_path / "bad.jsonl"
    bad.write_text(json.dumps({"game": "hex"}))
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Open a record file").click()
    chooser.value.set_files(bad)
    expect(page.locator(".notice")).to_contain_text("record")
