"""Finding a browser, and installing one where there is none."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.e2e.browser import (
    NAMES,
    NONE,
    VARIABLE,
    NoBrowser,
    find_browser,
    install,
)

# Knows no package until the lists are brought up to date; then its Chromium says its version.
APT = """#!/bin/sh
echo "$@" >> {folder}/asked
case "$*" in
  *update) touch {folder}/updated ;;
  *install*) test -e {folder}/updated || exit 100
    printf '#!/bin/sh\\necho Chromium 1' > {folder}/chromium; chmod +x {folder}/chromium ;;
esac
"""

ROOT = Path(__file__).parents[2]


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A machine without a browser; gives what stands for Playwright on it."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(VARIABLE, raising=False)
    return SimpleNamespace(chromium=SimpleNamespace(executable_path=str(tmp_path / "own")))


def put(path: Path, script: str) -> Path:
    """A program made of a few lines."""
    path.write_text(script)
    path.chmod(0o755)
    return path


def test_a_machine_without_a_browser_is_told_so_in_one_sentence(bare: Any) -> None:
    with pytest.raises(NoBrowser, match="`make browser` installs Chromium"):
        find_browser(bare)


def test_the_named_browser_comes_before_the_systems_and_that_before_playwrights(
    bare: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = put(tmp_path / "own", "#!/bin/sh\n")
    assert find_browser(bare) == str(own)
    put(tmp_path / NAMES[0], "#!/bin/sh\nexit 1\n")  # a stand-in that does not run
    system = put(tmp_path / NAMES[1], "#!/bin/sh\n")
    assert find_browser(bare) == str(system)
    named = put(tmp_path / "named", "#!/bin/sh\n")
    monkeypatch.setenv(VARIABLE, str(named))
    assert find_browser(bare) == str(named)


def test_chromium_is_installed_without_a_question(bare: Any, tmp_path: Path) -> None:
    put(tmp_path / "apt-get", APT.format(folder=tmp_path))
    put(tmp_path / "sudo", '#!/bin/sh\ntest "$1" = -n && shift && exec "$@"\n')
    for name in ("env", "touch", "chmod", "sh"):
        (tmp_path / name).symlink_to(f"/usr/bin/{name}")
    install()
    asked = (tmp_path / "asked").read_text().splitlines()
    assert [line.split()[1] for line in asked] == ["install", "update", "install"]
    assert "--yes --no-install-recommends chromium" in asked[0]
    assert find_browser(bare) == str(tmp_path / "chromium")


def test_playwright_brings_its_own_where_there_are_no_packages(
    bare: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = f'#!/bin/sh\necho "$@" > {tmp_path}/asked\n'
    monkeypatch.setattr(sys, "executable", str(put(tmp_path / "python", script)))
    install()
    assert (tmp_path / "asked").read_text().strip() == "-m playwright install chromium"


@pytest.mark.parametrize(("ci", "status"), [("", 0), ("true", 1)])
def test_without_a_browser_tests_are_skipped_but_not_on_ci(
    ci: str, status: int, tmp_path: Path
) -> None:
    environment = {**os.environ, VARIABLE: str(tmp_path / "none"), "CI": ci}
    ran = subprocess.run(
        [sys.executable, "-m", "tests.e2e.browser"],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == status
    told = f"{NONE}; the tests that need one are skipped\n" if not status else f"{NONE}\n"
    assert ran.stdout + ran.stderr == told
