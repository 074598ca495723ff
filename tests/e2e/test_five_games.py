"""A person plays each of the five games to its end against an agent, by mouse."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.playing import (
    assert_shown_as_played,
    click,
    line_address,
    play_to_the_end,
    position_of,
    tap,
    vertex,
)
from tests.e2e.watching import PHONE, WIDE, Pages

GAMES = [
    ("spread-it", "ba:n=8,m=2,seed=1", "uct:iterations=30"),
    ("spread-it:loyalty=full", "florentine", "random"),
    ("chain-reaction", "grid:3x3", "uct:iterations=30"),
    ("infexion", "infexion:5", "random"),
    ("hex", "hex:4", "uct:iterations=30"),
    ("influence", "segment:13", "uct:iterations=30"),
]


def open_game(pages: Pages, game: str, board: str, agent: str, **how: object) -> Page:
    """Open a game of a person, who begins, against an agent."""
    where = line_address("play", game=game, board=board, players=f"human,{agent}")
    return pages.open(where, **how)  # type: ignore[arg-type]


@pytest.mark.parametrize(("game", "board", "agent"), GAMES, ids=[game for game, *_ in GAMES])
def test_a_game_is_played_to_its_end_by_mouse(
    pages: Pages, game: str, board: str, agent: str
) -> None:
    page = open_game(pages, game, board, agent)
    play_to_the_end(page, click)
    assert_shown_as_played(page)
    expect(page.get_by_role("button", name="Resign")).to_be_hidden()
    page.get_by_role("button", name="Play again").click()
    expect(page.get_by_role("group", name="Moves").get_by_role("button")).to_have_count(1)


def test_how_hex_ended_stands_over_the_board_with_the_chain(pages: Pages) -> None:
    where = line_address(
        "play", game="hex", board="hex:3", players="human,human", moves="0.2.3.5.6"
    )
    page = pages.open(where, size=PHONE)
    expect(page.locator("p.result")).to_be_in_viewport()
    expect(page.locator("p.result")).to_have_text(position_of(page).result_text())
    chain = page.locator("[data-vertex].chain")
    assert [each.get_attribute("data-vertex") for each in chain.all()] == ["0", "3", "6"]
    page.get_by_role("button", name="One move back").click()
    expect(chain).to_have_count(0)
    expect(page.locator("p.result")).to_be_hidden()


def test_influence_shows_in_the_end_who_took_what(pages: Pages) -> None:
    where = line_address(
        "play", game="influence", board="segment:5", players="human,human", moves="1.4"
    )
    page = pages.open(where)
    expect(page.locator("p.result")).to_have_text(position_of(page).result_text())
    takers = {0: "Left", 1: "Left", 2: "Left", 3: "Right", 4: "Right"}
    for number, taker in takers.items():
        expect(vertex(page, number)).to_have_attribute(
            "aria-label", f"{number + 1}: taken by {taker}"
        )
    expect(page.locator("[data-vertex] .token")).to_have_count(5)


def test_infexion_is_played_to_its_end_by_touch_on_a_phone(pages: Pages) -> None:
    page = open_game(
        pages, "infexion", "infexion:4", "random", size=PHONE, scheme="dark", has_touch=True
    )
    play_to_the_end(page, tap)
    assert_shown_as_played(page)


def test_chain_reaction_is_played_to_its_end_by_keyboard_alone(pages: Pages) -> None:
    page = open_game(pages, "chain-reaction", "grid:2x3", "random", size=WIDE)
    reach_the_board(page)
    play_to_the_end(page, lambda spot: walk_and_press(page, spot))
    assert_shown_as_played(page)
    assert position_of(page).is_over


def focused(page: Page) -> int:
    """The vertex that has the focus; -1 if none has."""
    return int(
        page.evaluate(
            "() => Number(document.activeElement.closest('[data-vertex]')?.dataset.vertex ?? -1)"
        )
    )


def reach_the_board(page: Page) -> None:
    """Tab from the top of the page until a vertex has the focus."""
    expect(page.locator('[data-vertex] [tabindex="0"]')).to_have_count(1)
    for _ in range(30):
        if focused(page) >= 0:
            return
        page.keyboard.press("Tab")
    raise AssertionError("the tab key does not lead to the board")


def walk_and_press(page: Page, spot: object) -> None:
    """Go to a vertex by arrow keys and press Enter; the board is two rows by three columns."""
    wanted = int(
        spot.evaluate("(body) => Number(body.closest('[data-vertex]').dataset.vertex)")  # type: ignore[attr-defined]
    )
    while (here := focused(page)) != wanted:
        assert here >= 0
        if here // 3 != wanted // 3:
            page.keyboard.press("ArrowDown" if wanted > here else "ArrowUp")
        else:
            page.keyboard.press("ArrowRight" if wanted > here else "ArrowLeft")
    page.keyboard.press("Enter")
