"""Watching pages: whatever a browser complains of while a test runs is a fault."""

import json
import re
from typing import Any, Literal

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Response

WIDE = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}
PATIENCE = 60_000  # milliseconds that a state has to come about; all is compiled before
CALLED_OFF = "net::ERR_ABORTED"  # a page that looks away hangs up
Scheme = Literal["light", "dark"]


class Pages:
    """Opens pages, each in a browser profile of its own, and keeps what goes wrong on them."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser = browser
        self.address = address
        self.faults: list[str] = []
        self._forgiven: list[str] = []
        self._contexts: list[BrowserContext] = []

    def open(
        self,
        where: str = "",
        *,
        size: dict[str, int] = WIDE,
        scheme: Scheme = "light",
        has_touch: bool = False,
        is_still: bool = False,
        **settings: Any,
    ) -> Page:
        """Open the lab at an address such as `#games`.

        `settings` are what a person has chosen before; moves are shown without their steps
        unless `speed` says otherwise.
        """
        context = self.browser.new_context(
            viewport={"width": size["width"], "height": size["height"]},
            color_scheme=scheme,
            has_touch=has_touch,
            reduced_motion="reduce" if is_still else "no-preference",
            accept_downloads=True,
        )
        self._contexts.append(context)
        chosen = json.dumps({"speed": 0, **settings})
        context.add_init_script(
            f"localStorage.topple === undefined && localStorage.setItem('topple', '{chosen}')"
        )
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        self.watch(page)
        page.goto(self.address + where)
        return page

    def watch(self, page: Page) -> None:
        """Note what goes wrong on a page."""
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.faults.append(f"page: {error}"))
        page.on("requestfailed", self._miss)
        page.on("response", self._answer)

    def forgive(self, pattern: str) -> None:
        """Expect faults such as this in the test; all others still count."""
        self._forgiven.append(pattern)

    def close(self) -> list[str]:
        """Close all pages; gives the faults that nobody has expected."""
        for context in self._contexts:
            context.close()
        return [
            fault
            for fault in self.faults
            if not any(re.search(pattern, fault) for pattern in self._forgiven)
        ]

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.faults.append(f"console: {message.text}")

    def _miss(self, request: Request) -> None:
        if request.failure != CALLED_OFF:
            self.faults.append(f"request: {request.failure} {request.url}")

    def _answer(self, response: Response) -> None:
        if response.status >= 400:
            self.faults.append(f"answer: {response.status} {response.url}")
