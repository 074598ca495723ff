"""Finds a browser for the tests, or installs one: `python -m tests.e2e.browser`.

Without a browser these tests are skipped, but on CI (`CI=true`) they fail.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Playwright, sync_playwright

VARIABLE = "TOPPLE_BROWSER"
NAMES = ("chromium", "chromium-browser", "google-chrome")
NONE = (
    f"no browser for the tests of the lab's page: `make browser` installs Chromium, "
    f"or {VARIABLE} can name one"
)
QUIET = (  # the page alone speaks to a network, and that is the loopback
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
)


class NoBrowser(Exception):
    """There is no browser on this machine."""


def is_required() -> bool:
    """Whether tests that need a browser must run: on CI they may not be skipped."""
    return os.environ.get("CI", "") not in ("", "0", "false")


def find_browser(playwright: Playwright) -> str:
    """The browser's path: the one that is named, the system's, or Playwright's own.

    Raises
    ------
    NoBrowser
        If none of them runs.
    """
    for path in _candidates(playwright):
        if _runs(path):
            return path
    raise NoBrowser(NONE)


def _candidates(playwright: Playwright) -> Iterator[str]:
    named = os.environ.get(VARIABLE)
    if named:
        yield named
        return
    yield from filter(None, map(shutil.which, NAMES))
    yield playwright.chromium.executable_path


def _runs(path: str) -> bool:
    """Whether a browser starts at all; some systems have a stand-in that does not."""
    if not Path(path).is_file():
        return False
    asked = subprocess.run([path, "--version"], capture_output=True, check=False)
    return asked.returncode == 0


def launch(playwright: Playwright) -> Browser:
    """Start the browser, without a window."""
    return playwright.chromium.launch(executable_path=find_browser(playwright), args=list(QUIET))


def install() -> None:
    """Install Chromium from the system's packages, or else the one that Playwright brings."""
    if shutil.which("apt-get") and _install_package():
        return
    print("installing Playwright's own Chromium ...", flush=True)
    _try([sys.executable, "-m", "playwright", "install", "chromium"])


def _install_package() -> bool:
    if os.geteuid() == 0:
        rights = []
    elif shutil.which("sudo"):
        rights = ["sudo", "-n"]
    else:
        return False
    print("installing Chromium with apt-get ...", flush=True)
    apt = [*rights, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "--quiet=2"]
    get = [*apt, "install", "--yes", "--no-install-recommends", "chromium"]
    if _try(get):
        return True
    _try([*apt, "update"])  # a bare machine has no lists of packages yet
    return _try(get)


def _try(command: list[str]) -> bool:
    """Whether a command succeeds; what it prints is discarded, since another way may succeed."""
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def main() -> None:
    """Install a browser if there is none, or say in one line that there is none.

    Exits with status 1 without a browser on CI.
    """
    with sync_playwright() as playwright:
        try:
            find_browser(playwright)
            return
        except NoBrowser:
            pass
        if not os.environ.get(VARIABLE):
            install()
        try:
            print(f"the tests use {find_browser(playwright)}")
        except NoBrowser as error:
            if is_required():
                sys.exit(str(error))
            print(f"{error}; the tests that need one are skipped", flush=True)


if __name__ == "__main__":
    main()
