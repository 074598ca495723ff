"""Tournaments from the command line: the same games however they come about."""

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.command_line import assert_fits_80_columns, topple

ROOT = Path(__file__).parent.parent

TOURNAMENT = (
    "tournament", "--game", "hex", "--game", "chain-reaction", "--board", "hex:4",
    "--board", "grid:3x3", "--agent", "random", "--agent", "greedy",
    "--agent", "uct:iterations=30", "--games", "20", "--seed", "7",
)  # fmt: skip
N_GAMES = 2 * 3 * 20


def start(*arguments: str, **more: object) -> subprocess.Popen[str]:
    """Start the command in a process of its own."""
    command = [sys.executable, "-m", "topple", *arguments]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT, **more
    )  # type: ignore[call-overload]


def games_in(db: Path) -> str:
    """All that a store holds, but for what differs from run to run."""
    ran = topple("export", str(db), "--no-times")
    assert ran.status == 0, ran.err
    return ran.out


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The games of the tournament, played by one worker without a break."""
    db = tmp_path_factory.mktemp("undisturbed") / "results.db"
    ran = topple(*TOURNAMENT, "--workers", "1", "--db", str(db))
    assert ran.status == 0, ran.err
    assert_fits_80_columns(ran.out)
    games = games_in(db)
    assert len(games.splitlines()) == N_GAMES
    return games


def test_two_workers_play_the_same_games(undisturbed: str, tmp_path: Path) -> None:
    db = tmp_path / "results.db"
    assert topple(*TOURNAMENT, "--workers", "2", "--db", str(db)).status == 0
    assert games_in(db) == undisturbed


def test_killed_three_times_and_resumed_it_ends_with_the_same_games(
    undisturbed: str, tmp_path: Path
) -> None:
    db, rng, kills = tmp_path / "results.db", random.Random(1), 0
    while kills < 3:
        run = start(*TOURNAMENT, "--workers", str(rng.choice((1, 2))), "--db", str(db))
        wanted = count(db) + rng.randrange(1, 30)
        while count(db) < wanted and run.poll() is None:
            time.sleep(rng.random() / 20)
        assert run.poll() is None, "it ended before it could be killed"
        run.kill()
        run.communicate()
        kills += 1
    before = count(db)
    assert 0 < before < N_GAMES
    assert topple(*TOURNAMENT, "--workers", "2", "--db", str(db)).status == 0
    assert games_in(db) == undisturbed


def count(db: Path) -> int:
    """The games in a store, as long as it is one."""
    from topple.arena.store import open_store
    from topple.errors import ToppleError

    try:
        with open_store(db, create=False, read_only=True) as store:
            return store.n_games()
    except ToppleError:
        return 0
