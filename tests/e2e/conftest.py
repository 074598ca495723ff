"""One browser and one lab for all tests here that a process runs; a fresh profile for each test.

They are given up when the last of these tests has run: a browser driven from the main thread
keeps an event loop there, which other tests could not start one beside.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from tests.e2e.browser import NoBrowser, is_required, launch
from tests.e2e.server import LabServer, warm_up
from tests.e2e.watching import PATIENCE, Pages

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    """What drives browsers."""
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """A browser without a window; without one, tests are skipped, but on CI they fail."""
    try:
        started = launch(playwright)
    except NoBrowser as error:
        (pytest.fail if is_required() else pytest.skip)(str(error))
    yield started
    started.close()


@pytest.fixture(scope="package")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabServer]:
    """A lab that is served, with everything compiled."""
    warm_up()
    server = LabServer(tmp_path_factory.mktemp("lab") / "folder")
    server.start()
    yield server
    server.stop()


@pytest.fixture
def pages(browser: Browser, lab: LabServer) -> Iterator[Pages]:
    """Opens pages of the lab; the test fails if the browser complains of one of them."""
    opened = Pages(browser, lab.address)
    yield opened
    assert opened.close() == []


@pytest.fixture
def page(pages: Pages) -> Page:
    """The lab's page as it opens."""
    return pages.open()
