"""How soon the lab's page is there, and how soon a click is answered on it, in a real browser.

    python -m benchmarks.lab_page [--opens 5] [--clicks 30]

A lab of its own is started as a user starts it. The page is opened several times: when
something is first painted, and when the board can be played on. Then a game for two people
is clicked through on a network of 100 vertices, first alone, then while an analysis and a
tournament run; a click is answered when the board shows what it has led to.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import Any
from urllib.request import Request, urlopen

from playwright.sync_api import Browser, Page, sync_playwright

from tests.e2e.browser import launch
from tests.e2e.server import LabServer

BOARD = "ba:n=100,m=3,seed=1"
LINE = {"game": "spread-it", "board": BOARD}
GAME = f"#play?game=spread-it&board={BOARD}&players=human,human"
ANALYSIS = {"kind": "think", **LINE, "agent": "uct:time=110", "seconds": 110.0}
CUP = {"kind": "tournament", "name": "load", "games": ["hex"], "boards": ["hex:7"],
       "agents": ["uct:time=0.1", "alphabeta:time=0.1"], "games_per_pairing": 4000}  # fmt: skip

READY = "() => document.querySelector('[data-vertex] [aria-disabled=\"false\"]')"
PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
# Presses a vertex; answers how many milliseconds later the move is on the board and painted.
CLICK = """(vertex) => new Promise((done) => {
  const moves = document.querySelector('[role=group][aria-label="Moves"]');
  const before = moves.childElementCount + moves.textContent.length;
  const began = performance.now();
  const look = () => {
    const changed = moves.childElementCount + moves.textContent.length !== before;
    if (changed && document.querySelector('[data-vertex] [aria-disabled="false"]'))
      requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
    else requestAnimationFrame(look);
  };
  const body = document.querySelector(`[data-vertex="${vertex}"] [role="button"]`);
  body.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 0 }));
  look();
})"""


def open_page(browser: Browser, address: str, where: str = "") -> Page:
    """The page in a fresh profile, with moves shown at once."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.add_init_script("localStorage.setItem('topple', '{\"speed\": 0}')")
    page = context.new_page()
    page.goto(address + where)
    page.wait_for_function(READY)
    return page


def opening_times(browser: Browser, address: str, opens: int) -> tuple[list[float], list[float]]:
    """Milliseconds until something is painted, and until the board can be played on."""
    paints, boards = [], []
    for _ in range(opens):
        page = open_page(browser, address)
        boards.append(float(page.evaluate("performance.now()")))
        paints.append(float(page.evaluate(PAINT)))
        page.context.close()
    return paints, boards


def click_times(browser: Browser, address: str, clicks: int) -> list[float]:
    """Milliseconds until each click is answered."""
    page = open_page(browser, address, GAME)
    times = [float(page.evaluate(CLICK, 7 * i % 100)) for i in range(clicks)]
    page.context.close()
    return times


def ask(address: str, path: str, body: dict[str, Any] | None = None) -> Any:
    """Call the API."""
    headers = {"X-Topple": "1", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(f"{address}api/{path}", data, headers)) as answer:
        return json.load(answer)


def states(address: str) -> str:
    """What the jobs are at, to show that they were at work all the time."""
    return ", ".join(f"{job['kind']} {job['state']}" for job in ask(address, "jobs"))


def tell(what: str, times: Sequence[float]) -> None:
    """One line of the table."""
    late = quantiles(times, n=20)[-1] if len(times) > 1 else times[0]
    print(f"{what:36} {len(times):4} {median(times):8.0f} {late:8.0f} {max(times):8.0f}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--opens", type=int, default=5)
    parser.add_argument("--clicks", type=int, default=30)
    wishes = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        lab = LabServer(Path(folder) / "lab")
        lab.start()
        browser = launch(playwright)
        print(f"{'milliseconds':36} {'n':>4} {'median':>8} {'95%':>8} {'most':>8}")
        paints, boards = opening_times(browser, lab.address, wishes.opens)
        tell("first paint", paints)
        tell("board to play on", boards)
        click_times(browser, lab.address, 5)  # so that the game is compiled
        tell("click answered, alone", click_times(browser, lab.address, wishes.clicks))
        for job in (ANALYSIS, CUP):
            ask(lab.address, "jobs", job)
        while "queued" in states(lab.address):
            time.sleep(0.1)
        before = states(lab.address)
        tell("click answered, beside work", click_times(browser, lab.address, wishes.clicks))
        print(f"work before: {before}\nwork after:  {states(lab.address)}")
        browser.close()
        lab.stop()


if __name__ == "__main__":
    main()
