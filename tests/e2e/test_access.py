"""axe-core finds no serious fault on any view, in light and dark."""

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.e2e.playing import line_address, wait_for_theme, wait_for_turn
from tests.e2e.test_compare import set_up
from tests.e2e.watching import PHONE, WIDE, Pages

SERIOUS = ("serious", "critical")
View = Callable[[Page], None]


def play(page: Page) -> None:
    """A game of Spread-It on a network, under way."""
    go(page, "play", game="spread-it", board="florentine", players="human,human", moves="0.3.0.5")
    wait_for_turn(page, 4)


def played(page: Page) -> None:
    """A game of Hex that is over."""
    go(page, "play", game="hex", board="hex:3", players="human,human", moves="1.0.4.2.7")
    wait_for_turn(page, 5)


def infexion(page: Page) -> None:
    """A torus with a stack that is picked."""
    go(page, "play", game="infexion", board="infexion:7", players="human,human", moves="24.0")
    wait_for_turn(page, 2)
    page.locator('[data-vertex="24"] [role="button"]').click()
    expect(page.locator(".arrow-mark").first).to_be_attached()


def go(page: Page, name: str, **params: object) -> None:
    """Follow a link to a line of play."""
    page.evaluate("(hash) => { location.hash = hash; }", line_address(name, **params))


def first(page: Page) -> None:
    """The first page, ready to be played on."""
    wait_for_turn(page)


def analyse(page: Page) -> None:
    """Candidates of two agents, exact values and a review."""
    go(page, "analyse", game="hex", board="hex:3", moves="0.4")
    page.get_by_role("button", name="Ask two agents side by side").click()
    for name in ("First agent", "Second agent"):
        agent = page.get_by_role("region", name=name)
        agent.get_by_role("button", name="Think").click()
        expect(agent.get_by_role("row").nth(1)).to_be_visible()
    page.get_by_role("button", name="Solve").click()
    page.get_by_role("button", name="Review the game").click()
    expect(page.get_by_role("region", name="Exact value")).to_contain_text("Red wins")
    expect(page.get_by_role("region", name="Course of the game")).to_contain_text("found")


def compare(page: Page) -> None:
    """The list of tournaments, which has one, and what is in it."""
    page.evaluate("() => { location.hash = '#compare'; }")
    set_up(page, "Cup for all", 2)
    expect(page.get_by_text("All games are played")).to_be_visible()
    expect(page.get_by_role("img", name="Lengths of games")).to_be_visible()


def compare_list(page: Page) -> None:
    """The list of tournaments."""
    compare(page)
    page.get_by_role("link", name="All tournaments").click()
    expect(page.get_by_role("row").nth(1)).to_be_visible()


def running(page: Page) -> None:
    """A store that is played into, seen with the list of work."""
    page.evaluate("() => { location.hash = '#compare'; }")
    set_up(page, "Cup under way", 100_000)
    expect(page.get_by_role("region", name="Ratings")).to_be_visible()
    page.get_by_role("button", name="Work under way").click()
    expect(page.get_by_role("listitem").filter(has_text="Cup under way").first).to_be_visible()


def papers(page: Page) -> None:
    """The list of papers."""
    page.get_by_role("link", name="Papers").click()
    expect(page.get_by_role("article").first).to_be_visible()


def paper(page: Page) -> None:
    """One paper in full."""
    papers(page)
    page.get_by_role("article").nth(1).get_by_role("link").first.click()
    expect(page.get_by_role("link", name="All papers")).to_be_visible()


def games(page: Page) -> None:
    """The kept games, of which there is one."""
    played(page)
    keeping(page)
    page.get_by_role("dialog").get_by_role("button", name="Keep").click()
    expect(page.get_by_text("The game is kept.")).to_be_visible()
    page.get_by_role("link", name="Games").click()
    expect(page.get_by_role("row").nth(1)).to_be_visible()


def keeping(page: Page) -> None:
    """The dialog that keeps a game."""
    played(page)
    page.get_by_role("button", name="Keep").click()
    expect(page.get_by_role("dialog")).to_be_visible()


def new_game(page: Page) -> None:
    """The dialog of a new game, with the options of a game and of an agent."""
    play(page)
    page.get_by_role("button", name="New game").click()
    page.get_by_role("dialog").get_by_label("Who plays").nth(1).select_option("uct")
    for summary in page.get_by_role("dialog").locator("summary").all():
        summary.click()
    expect(page.get_by_role("button", name="Start the game")).to_be_enabled()


def new_tournament(page: Page) -> None:
    """The dialog of a tournament."""
    page.get_by_role("link", name="Compare").click()
    page.get_by_role("button", name="New tournament").click()
    expect(page.get_by_role("dialog").get_by_role("img", name="vertices")).to_be_visible()


def resigning(page: Page) -> None:
    """A question."""
    play(page)
    page.get_by_role("button", name="Resign").click()
    expect(page.get_by_role("dialog")).to_be_visible()


def help_dialog(page: Page) -> None:
    """What the keys do."""
    first(page)
    page.get_by_role("button", name="Keys and help").click()
    expect(page.get_by_role("dialog")).to_be_visible()


VIEWS: tuple[View, ...] = (
    first,
    play,
    played,
    infexion,
    analyse,
    compare,
    paper,
    games,
    keeping,
    new_game,
    new_tournament,
)
# Views whose parts others show as well, or which wait for a tournament of their own.
MORE_VIEWS: tuple[View, ...] = (compare_list, running, papers, resigning, help_dialog)


@pytest.mark.parametrize(
    "view",
    [*VIEWS, *(pytest.param(view, marks=pytest.mark.prove) for view in MORE_VIEWS)],
    ids=lambda view: view.__name__,
)
def test_no_serious_fault_of_access(pages: Pages, view: View) -> None:
    page = pages.open(
        is_still=True, size=WIDE, agent="puct:iterations=200", second="alphabeta:depth=2"
    )
    view(page)
    assert faults(page) == []
    page.emulate_media(color_scheme="dark")
    wait_for_theme(page, "dark")
    assert faults(page) == []
    page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    assert faults(page) == []
    stop_all(page)


def faults(page: Page) -> list[tuple[str, str, str]]:
    """What axe-core calls serious or worse: the rule, where, and why."""
    page.evaluate("() => document.fonts.ready")
    found: dict[str, Any] = Axe().run(page).response
    return [
        (fault["id"], str(node["target"]), node["failureSummary"])
        for fault in found["violations"]
        if fault["impact"] in SERIOUS
        for node in fault["nodes"]
    ]


def stop_all(page: Page) -> None:
    """Leave no work behind that other tests would wait for."""
    page.evaluate(
        """async () => {
          const { listJobs, stopJob, hasEnded } = await import("/js/jobs.js");
          for (const job of await listJobs()) if (!hasEnded(job)) await stopJob(job.id);
        }"""
    )
