"""Progress on stderr: what a terminal shows, what a pipe gets, and how often."""

import io
import sys
from types import SimpleNamespace

import pytest

from topple.core import progress as module
from topple.core import progress_bar
from topple.core.progress import progress


def captured(monkeypatch: pytest.MonkeyPatch, *, is_terminal: bool) -> io.StringIO:
    """A stream in the place of stderr."""
    stream = io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: is_terminal)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    return stream


def test_a_terminal_shows_what_is_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = captured(monkeypatch, is_terminal=True)
    monkeypatch.setattr(progress_bar, "REDRAWN", 0.0)
    with progress("solving hex", 9) as shown:
        shown.update(2, 9, "a3")
        shown.update(3, 9, "b3")
    assert "solving hex: b3: 3 of 9 done" in stream.getvalue()


def test_a_pipe_gets_whole_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = captured(monkeypatch, is_terminal=False)
    monkeypatch.setattr(module, "PATIENCE", 0.0)
    with progress("playing", 9, unit="games", remark=lambda: "; ahead: A") as shown:
        shown.add(2)
        shown.add(7)
    assert stream.getvalue() == "topple: playing: 2 of 9 games; ahead: A\n"


def test_short_work_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for is_terminal in (True, False):
        stream = captured(monkeypatch, is_terminal=is_terminal)
        with progress("solving hex", 9, delay=module.PATIENCE) as shown:
            shown.update(3, 9, "b3")
        assert stream.getvalue() == ""


def test_lines_grow_rarer(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = captured(monkeypatch, is_terminal=False)
    now = [0.0]
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: now[0]))
    with progress("solving hex", 2) as shown:
        for _ in range(36_000):
            now[0] += 0.1
            shown.update(1, 2, "a1")
    assert 60 <= len(stream.getvalue().splitlines()) < 80  # in an hour


def test_the_pace_is_that_of_the_games_after_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: now[0]))
    with progress("playing", 1000, done=100, unit="games", paced=True) as shown:
        assert shown.count_text() == "100 of 1,000 games"
        now[0] += 30  # the workers start
        shown.add(20)
        assert shown.count_text() == "120 of 1,000 games"
        now[0] += 10
        shown.add(80)
        assert shown.count_text() == "200 of 1,000 games, 8 a second, 1 min 40 s left"
        now[0] += 150
        shown.add(0)
        assert shown.count_text() == "200 of 1,000 games, 30.0 a minute, 26 min 40 s left"


def test_a_long_name_is_cut_and_the_count_is_not() -> None:
    shown = module.Progress("a very long name of what is done", 9, 3, "games", paced=False)
    assert shown.text(30) == "a very long nam…: 3 of 9 games"
