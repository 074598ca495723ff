"""The cache of positions: plain and compiled rules agree, and lines go on where they were known."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from topple.core.errors import BadText, StoreError, ToppleError
from topple.lab import limits
from topple.lab.data import position_cache
from topple.lab.data.position_cache import CompiledRules, PositionCache, RetryLater
from topple.lab.data.views import view_data
from topple.lab.server.errors import error_response

PATIENCE = 600.0  # seconds
GAMES = {
    "spread-it": "karate",
    "spread-it:loyalty=full": "florentine",
    "chain-reaction:players=3": "grid:3x3",
    "infexion": "infexion:4",
    "hex:swap=true": "hex:4",
    "influence": "segment:12",
}


class NeverCompiled(CompiledRules):
    """No rules are ever compiled."""

    def is_ready(self, game: str) -> bool:
        """Say no."""
        return False

    def wait(self, game: str, seconds: float) -> bool:
        """Say no at once."""
        return False


def plain_cache() -> PositionCache:
    return PositionCache(lambda _: None, NeverCompiled(lambda _: None))


def views(cache: PositionCache, game: str) -> Iterator[Any]:
    """The views of a game, one after each move."""
    moves: list[int] = []
    while len(moves) < 40:
        line = cache.replay(cache.game(game, GAMES[game]), moves)
        view = view_data(line, "board", with_steps=True)
        yield view
        if view["over"]:
            return
        moves.append(view["legal"][7 * len(moves) % len(view["legal"])]["move"])


@pytest.mark.parametrize("game", GAMES)
def test_plain_rules_show_what_compiled_ones_show(game: str) -> None:
    for plain, compiled in zip(
        views(plain_cache(), game), views(PositionCache(lambda _: None), game), strict=True
    ):
        assert plain == compiled


def test_the_server_itself_compiles_nothing() -> None:
    cache = plain_cache()
    line = cache.replay(cache.game("hex", "hex:5"), [0, 1, 2])
    assert not line.position.game.kernels.compiled


def test_positions_reached_with_plain_rules_are_continued_with_compiled_ones() -> None:
    cache = plain_cache()
    moves = list(range(10))
    plain = cache.replay(cache.game("hex", "hex:5"), moves)
    cache._compiled_rules = None  # it has been loaded
    game = cache.game("hex", "hex:5")
    line = cache.replay(game, moves)
    assert line.position.game is game
    assert line.before is not None
    assert line.before.game is game
    assert line.position == plain.position


def test_a_line_that_is_too_long_for_plain_rules_waits_for_compiled_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "PLAIN_SECONDS", -1.0)
    cache = plain_cache()
    with pytest.raises(RetryLater, match="hex is being compiled"):
        cache.replay(cache.game("hex", "hex:5"), [0])
    monkeypatch.setattr(NeverCompiled, "wait", lambda *_: True)
    line = cache.replay(cache.game("hex", "hex:5"), [0])
    assert line.position.game.kernels.compiled


def test_a_line_that_takes_long_goes_on_with_the_next_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "LINE_SECONDS", -1.0)
    cache = PositionCache(lambda _: None)
    game = cache.game("hex", "hex:5")
    for replayed in (1, 2):
        with pytest.raises(RetryLater, match=f"{replayed} of 4 moves are replayed"):
            cache.replay(game, [0, 1, 2, 3])
    assert len(cache.replay(game, [0, 1, 2]).moves) == 3
    assert len(cache.replay(game, [0, 1, 2, 3]).moves) == 4


def test_rules_are_compiled_elsewhere_and_then_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    cold = [True]
    asked: list[str] = []

    def compile_rules(name: str) -> None:
        asked.append(name)
        cold.clear()

    monkeypatch.setattr(position_cache, "cold_kernels", lambda *_: cold)
    found = CompiledRules(compile_rules)
    assert found.wait("hex", 60)
    assert found.is_ready("hex")
    assert asked == ["hex"]


def test_rules_that_nobody_can_compile_stay_plain_and_are_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    def compile_rules(name: str) -> None:
        asked.append(name)
        raise ToppleError("too many jobs are waiting")

    monkeypatch.setattr(position_cache, "cold_kernels", lambda *_: [True])
    found = CompiledRules(compile_rules)
    assert not found.wait("hex", 60)
    assert not found.wait("hex", 60)
    assert asked == ["hex", "hex"]


def test_a_load_that_fails_keeps_nobody_waiting_and_is_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    failed = threading.Event()

    def fails(name: str) -> None:
        failed.set()
        raise BadText(f"{name} cannot be loaded")

    monkeypatch.setattr(position_cache, "load", fails)
    rules = CompiledRules(lambda _: None)
    assert not rules.wait("hex", PATIENCE)  # it returns, long before the time is over
    assert failed.is_set()
    monkeypatch.undo()
    assert rules.wait("hex", PATIENCE)


def test_an_error_that_will_pass_says_when_to_try_again() -> None:
    response = error_response(503, RetryLater("hex is being compiled"))
    assert (response.status_code, response.headers["retry-after"]) == (503, "1")
    assert "retry-after" not in error_response(503, StoreError("it is damaged")).headers


def test_a_line_is_replayed_from_its_last_remembered_position() -> None:
    cache = PositionCache(lambda _: None)
    game = cache.game("hex", "hex:5")
    moves = list(range(20))
    whole = cache.replay(game, moves)
    assert cache.replay(game, moves).position is whole.position
    assert cache.replay(game, moves[:-1]).position == whole.before
    longer = cache.replay(game, [*moves, 24])
    assert longer.before is whole.position
    assert longer.movers == bytes([0, 1] * 10 + [0])
