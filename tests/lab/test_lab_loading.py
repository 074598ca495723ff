"""Positions are shown before anything is compiled, and are the same as afterwards."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from topple.boards import board_to_json, load_board
from topple.core.errors import StoreError, ToppleError
from topple.game.game import load
from topple.lab import limits
from topple.lab.data.position_cache import Lines, NotReady
from topple.lab.data.views import view_data
from topple.lab.server.responses import refusal
from topple.lab.work import compiling, loading, tasks
from topple.lab.work.loading import Loading
from topple.lab.work.worker_process import Hand

GAMES = {
    "spread-it": "karate",
    "spread-it:loyalty=full": "florentine",
    "chain-reaction:players=3": "grid:3x3",
    "infexion": "infexion:4",
    "hex:swap=true": "hex:4",
    "influence": "segment:12",
}


class Cold(Loading):
    """Nothing is ever compiled."""

    def is_ready(self, game: str) -> bool:
        """No game is."""
        return False

    def wait(self, game: str, seconds: float) -> bool:
        """In vain."""
        return False


def cold_lines() -> Lines:
    return Lines(lambda _: None, Cold(lambda _: None))


def views(lines: Lines, game: str) -> Iterator[Any]:
    """What a page is told on the way through a game."""
    moves: list[int] = []
    while len(moves) < 40:
        reached = lines.reach(lines.game(game, GAMES[game]), moves)
        view = view_data(reached, "board", steps=True)
        yield view
        if view["over"]:
            return
        moves.append(view["legal"][7 * len(moves) % len(view["legal"])]["move"])


@pytest.mark.parametrize("game", GAMES)
def test_plain_rules_show_what_compiled_ones_show(game: str) -> None:
    for plain, compiled in zip(
        views(cold_lines(), game), views(Lines(lambda _: None), game), strict=True
    ):
        assert plain == compiled


def test_a_cold_lab_compiles_nothing_itself() -> None:
    lines = cold_lines()
    reached = lines.reach(lines.game("hex", "hex:5"), [0, 1, 2])
    assert not reached.position.game.kernels.compiled


def test_positions_that_were_met_plainly_are_gone_on_from_with_machine_code() -> None:
    lines = cold_lines()
    moves = list(range(10))
    plain = lines.reach(lines.game("hex", "hex:5"), moves)
    lines._loading = None  # it has been loaded
    game = lines.game("hex", "hex:5")
    reached = lines.reach(game, moves)
    assert reached.position.game is game
    assert reached.before is not None
    assert reached.before.game is game
    assert reached.position == plain.position


def test_what_is_too_long_for_plain_rules_waits_for_the_compiler(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "PLAIN_SECONDS", -1.0)
    lines = cold_lines()
    with pytest.raises(NotReady, match="hex is being compiled"):
        lines.reach(lines.game("hex", "hex:5"), [0])
    monkeypatch.setattr(Cold, "wait", lambda *_: True)
    reached = lines.reach(lines.game("hex", "hex:5"), [0])
    assert reached.position.game.kernels.compiled


def test_a_line_that_takes_long_goes_on_with_the_next_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "LINE_SECONDS", -1.0)
    lines = Lines(lambda _: None)
    game = lines.game("hex", "hex:5")
    for replayed in (1, 2):
        with pytest.raises(NotReady, match=f"{replayed} of 4 moves are replayed"):
            lines.reach(game, [0, 1, 2, 3])
    assert len(lines.reach(game, [0, 1, 2]).moves) == 3
    assert len(lines.reach(game, [0, 1, 2, 3]).moves) == 4


def test_rules_are_compiled_elsewhere_and_then_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    cold = [True]
    asked: list[str] = []

    def compile_rules(name: str) -> None:
        asked.append(name)
        cold.clear()

    monkeypatch.setattr(loading, "cold_kernels", lambda *_: cold)
    found = Loading(compile_rules)
    assert found.wait("hex", 60)
    assert found.is_ready("hex")
    assert asked == ["hex"]


def test_when_nobody_can_compile_the_rules_stay_plain_and_it_is_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    def compile_rules(name: str) -> None:
        asked.append(name)
        raise ToppleError("too many jobs are waiting")

    monkeypatch.setattr(loading, "cold_kernels", lambda *_: [True])
    found = Loading(compile_rules)
    assert not found.wait("hex", 60)
    assert not found.wait("hex", 60)
    assert asked == ["hex", "hex"]


class Told:
    """What a task says."""

    def __init__(self) -> None:
        self.latest: list[Any] = []
        self.notes: list[str | None] = []

    def __call__(self, latest: Any) -> None:
        self.latest.append(latest)

    def note(self, text: str | None) -> None:
        self.notes.append(text)


THINK = {"game": "hex", "board": board_to_json(load_board("hex:3")), "moves": [4],
         "agent": "greedy", "seed": 1, "seconds": 5.0}  # fmt: skip


def test_a_worker_says_when_it_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "cold_kernels", lambda *_: [True])
    told = Told()
    assert tasks.do("think", THINK, told, threading.Event()) is None
    assert told.notes == ["compiling hex for this machine (once) …", None]
    assert told.latest


def test_a_worker_says_nothing_when_all_is_there() -> None:
    told = Told()
    tasks.do("think", THINK, told, threading.Event())
    again = Told()
    tasks.do("think", THINK, again, threading.Event())
    assert again.notes == []


def test_two_workers_do_not_compile_the_same_game_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "cold_kernels", lambda *_: [True])
    game, inside, most = load("hex"), [0], [0]
    gate = threading.Barrier(3)

    def compile_it() -> None:
        gate.wait()
        with compiling.once(game, (), Told()):
            inside[0] += 1
            most[0] = max(most[0], inside[0])
            threading.Event().wait(0.02)
            inside[0] -= 1

    threads = [threading.Thread(target=compile_it) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]


def test_no_clock_runs_while_something_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    hand = Hand.__new__(Hand)
    hand.is_told_to_stop, hand.task, hand._seconds = False, "a", 1.0
    said = [b'{"id": "a", "note": "compiling"}']

    class Pipe:
        """What a worker has said."""

        def poll(self) -> bool:
            return bool(said)

        def recv_bytes(self) -> bytes:
            return said.pop()

    monkeypatch.setattr(hand, "connection", Pipe(), raising=False)
    hand._set_clock(-1.0)
    assert hand.is_overdue
    hand.take()
    assert not hand.is_overdue
    assert hand.due is not None
    waits_until = hand.due
    said.append(b'{"id": "a", "note": null}')
    hand.take()
    assert hand.due < waits_until


def test_what_is_being_made_ready_is_worth_asking_for_again() -> None:
    told = refusal(503, NotReady("hex is being compiled"))
    assert (told.status_code, told.headers["retry-after"]) == (503, "1")
    assert "retry-after" not in refusal(503, StoreError("it is damaged")).headers
