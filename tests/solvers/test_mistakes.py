"""Mistakes in the games of a store: how regret is counted and summarised."""

from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest

from tests.arena.invented import played_game, random_games
from tests.solvers.recursive_solver import PlainSolver
from topple import solvers
from topple.arena.statistics.mistakes import AgentMistakes, Mistakes, mistakes
from topple.arena.store.played import PlayedGame
from topple.arena.store.store import open_store
from topple.game.game import load
from topple.solvers.oracle import Oracle
from topple.solvers.regret import RegretSummary, review


def test_the_greatest_regret_is_what_could_have_been_lost(plainly: type[PlainSolver]) -> None:
    """A faultless move among bad ones counts with what it did not give away."""
    start = load("hex", "hex:2").start()
    found = review([(start, start.game.parse_move("b1"))], Oracle(start.game))
    (first, _) = found.summaries()
    assert (first.regret, first.most_regret) == (0, 2)


def rates(games: list[PlayedGame], agent: str) -> tuple[float, float]:
    """An agent's mistakes per chance, and how wide the interval is."""
    with open_store(None) as store:
        store.add(games)
        (row,) = [row for row in mistakes(store) if row.agent == agent]
    assert row.rate is not None
    return row.rate.value, row.rate.high - row.rate.low


def test_openings_of_different_tournaments_are_different(plainly: type[PlainSolver]) -> None:
    hex_3 = load("hex", "hex:3")
    one = list(random_games(hex_3, ("a", "b"), 4, seed=1))
    two = list(random_games(hex_3, ("a", "b"), 4, seed=2))
    apart = [replace(each, opening_number=each.opening_number + 100) for each in two]
    assert rates([*one, *two], "a") == pytest.approx(rates([*one, *apart], "a"))


def test_an_agent_that_repeats_itself_against_itself_tells_nothing_new(
    plainly: type[PlainSolver],
) -> None:
    once = list(random_games(load("hex", "hex:3"), ("a", "a"), 4, seed=5))
    often = [
        replace(each, pair=f"{n:02x}{each.pair[2:]}", opening_number=each.opening_number + 100 * n)
        for n in range(10)
        for each in once
    ]
    assert rates(often, "a") == pytest.approx(rates(once, "a"))


def test_a_game_is_thrown_away_once_whoever_did_it() -> None:
    hex_2 = load("hex", "hex:2")
    played = played_game(hex_2, [0, 3, 1, 2], ("a", "a"), "0" * 32, 0)
    parts = [
        RegretSummary(player, 2, 0, 2, 1, 2, 2, 1 + player, (1 + player,), 1 + player)
        for player in (0, 1)
    ]
    ledger = AgentMistakes()
    ledger.add(played, parts)
    assert (ledger.thrown, ledger.faulty, ledger.first_mistakes, ledger.games) == (1, 1, 1, 1)


def test_a_contest_of_which_nothing_was_judged_has_no_rates(plainly: type[PlainSolver]) -> None:
    plainly.most_moves = 0
    found = Mistakes()
    found.add_all(random_games(load("hex", "hex:2"), ("a", "b"), 1))
    (contest,) = found.contests
    for row in found.rows(contest):
        assert row.unjudged > 0
        assert (row.moves, row.rate, row.mean_regret, row.flawless) == (0, None, None, 0)


def test_options_make_a_contest_of_their_own(plainly: type[PlainSolver]) -> None:
    games = [
        each
        for spec in ("spread-it", "spread-it:loyalty=full")
        for each in random_games(load(spec, "cycle:3"), ("a", "b"), 1)
    ]
    mixed = games[::2] + games[1::2]
    found = Mistakes()
    found.add_all(mixed)
    assert (found.n_games, found.unread.total()) == (4, 0)
    assert len(found.contests) == 2
    with open_store(None) as store:
        store.add(mixed)
        for asked, n in (("spread-it", 4), ("spread-it:loyalty=full", 2), ("hex", 0)):
            rows = mistakes(store, game=asked)
            assert sum(row.games for row in rows) == 2 * n
            assert {row.contest.game.partition(":")[0] for row in rows} <= {"spread-it"}


def test_boards_of_one_name_have_oracles_of_their_own(
    plainly: type[PlainSolver], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    games: list[PlayedGame] = []
    for text in ("a,b\nb,c\nc,a\n", "a,b\nb,c\nc,a\nc,d\n"):
        Path("net.csv").write_text(f"source,target\n{text}")
        games += random_games(load("spread-it", "file:net.csv"), ("a", "b"), 1)
    found = Mistakes()
    found.add_all(games)
    assert (found.n_games, len(found.contests), found.unread.total()) == (4, 2, 0)


def test_a_time_limit_lets_large_boards_in(plainly: type[PlainSolver]) -> None:
    plainly.most_moves = 0
    large = load("chain-reaction", "grid:5x5")
    games = list(random_games(large, ("a", "b"), 1))
    solvers._classes[:] = ["topple.solvers.proof.solver:ProofSolver"]
    patient, strict = Mistakes(time=0.0, memory=1), Mistakes(memory=1)
    cut = [replace(each, record=replace(each.record, moves=each.record.moves[:3], result=None))
           for each in games]  # fmt: skip
    for found in (patient, strict):
        found.add_all(cut)
    assert (len(patient.left_out), patient.n_games) == (0, 2)
    assert (len(strict.left_out), strict.n_games) == (1, 0)


def test_games_that_cannot_be_read_are_counted_one_by_one(plainly: type[PlainSolver]) -> None:
    games = list(random_games(load("hex", "hex:2"), ("a", "b"), 2))
    found, told = Mistakes(), list[str]()
    found.add_all(
        [replace(each, record=replace(each.record, game="go")) for each in games], told.append
    )
    assert list(found.unread.values()) == [4]
    assert len(told) == 4


def test_nothing_is_told_of_a_game_that_is_not_judged(plainly: type[PlainSolver]) -> None:
    stop, told = Event(), list[str]()
    games = list(random_games(load("hex", "hex:2"), ("a", "b"), 2))
    found = Mistakes(stop=stop)

    def note(text: str) -> None:
        told.append(text)
        stop.set()

    found.add_all(games, note)
    assert (found.n_games, found.is_complete, len(told)) == (1, False, 1)
