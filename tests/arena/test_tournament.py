"""Tournaments from the command line: the same games however they come about."""

import json
import os
import pty
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tests.arena.invented import pair_of, three_agents
from tests.arena.played_games import some_games
from tests.core.command_line import (
    assert_fits_80_columns,
    assert_one_line_refusal,
    assert_refused_without_a_trace,
    topple,
)
from topple import __version__
from topple.arena.statistics.standings import Standings
from topple.arena.store.store import open_store
from topple.cli.terminal.tournament_run import report_other_versions, scores_so_far
from topple.core.errors import ToppleError

ROOT = Path(__file__).parents[2]


TOURNAMENT = (
    "tournament",
    "--game",
    "hex",
    "--game",
    "chain-reaction",
    "--board",
    "hex:4",
    "--board",
    "grid:3x3",
    "--agent",
    "random",
    "--agent",
    "greedy",
    "--agent",
    "uct:iterations=30",
    "--games",
    "20",
    "--seed",
    "7",
)


N_GAMES = 3 * 3 * 20  # Chain Reaction is played on hexes as well


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


@pytest.mark.prove  # Ray takes long to start
def test_ray_plays_the_same_games(undisturbed: str, tmp_path: Path) -> None:
    db = tmp_path / "results.db"
    run = start(*TOURNAMENT, "--backend", "ray", "--workers", "2", "--db", str(db), "--json")
    out, err = run.communicate(timeout=240)
    assert run.returncode == 0, err
    assert json.loads(out)["games"] == N_GAMES
    assert games_in(db) == undisturbed


@pytest.mark.parametrize("n_kills", [1, pytest.param(3, marks=pytest.mark.prove)])
def test_killed_and_resumed_it_ends_with_the_same_games(
    undisturbed: str, tmp_path: Path, n_kills: int
) -> None:
    db, rng, kills = tmp_path / "results.db", random.Random(1), 0
    while kills < n_kills:
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
    try:
        with open_store(db, create=False, read_only=True) as store:
            return store.n_games()
    except ToppleError:
        return 0


def test_two_processes_share_one_store(undisturbed: str, tmp_path: Path) -> None:
    """Both play the whole tournament; every game is stored once, and none is damaged."""
    db = tmp_path / "results.db"
    runs = [start(*TOURNAMENT, "--workers", "1", "--db", str(db)) for _ in range(2)]
    for run in runs:
        _, err = run.communicate(timeout=120)
        assert run.returncode == 0, err
    assert games_in(db) == undisturbed


def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(undisturbed: str, tmp_path: Path) -> None:
    db = tmp_path / "results.db"
    run = start(*TOURNAMENT, "--workers", "2", "--db", str(db))
    while count(db) < 5 and run.poll() is None:
        time.sleep(0.01)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=60)
    stored = count(db)
    assert 5 <= stored < N_GAMES
    assert run.returncode == 130, err
    last = err.splitlines()[-1]
    assert last.startswith(f"topple: stopped after {stored} of {N_GAMES} games")
    assert f"they are in {db}, and the same command goes on" in last
    assert "Traceback" not in err
    assert "random" in out  # the tables of what there is
    assert topple(*TOURNAMENT, "--db", str(db)).status == 0
    assert games_in(db) == undisturbed


def test_what_is_stored_is_not_played_again(
    undisturbed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = tmp_path / "results.db"
    first = topple(*TOURNAMENT, "--db", str(db))

    def refuse(*arguments: object) -> None:
        raise AssertionError("a worker was started")

    monkeypatch.setattr("topple.arena.playing.worker_pool.WorkerHandle", refuse)
    again = topple(*TOURNAMENT, "--db", str(db))
    assert (again.status, again.out) == (0, first.out)
    fewer = topple(*TOURNAMENT[:-4], "--games", "9", "--seed", "7", "--db", str(db), "--json")
    assert fewer.status == 0
    assert json.loads(fewer.out)["games"] == 3 * 3 * 9


def test_kill_stops_it_like_ctrl_c(tmp_path: Path) -> None:
    db = tmp_path / "results.db"
    run = start(*TOURNAMENT, "--workers", "2", "--db", str(db))
    while count(db) < 5 and run.poll() is None:
        time.sleep(0.01)
    run.terminate()
    _, err = run.communicate(timeout=60)
    assert run.returncode == 130
    assert f"stopped after {count(db)} of {N_GAMES} games" in err


def test_forfeited_games_are_played_again_when_asked_for(tmp_path: Path) -> None:
    db = tmp_path / "results.db"
    command = (
        "--import",
        str(ROOT / "tests" / "arena" / "unruly.py"),
        "match",
        "hex",
        "raises",
        "random",
        "--board",
        "hex:4",
        "--games",
        "4",
        "--json",
        "--db",
        str(db),
    )
    found = []
    for more in ((), ("--again",)):
        out, err = start(*command, *more).communicate(timeout=60)
        assert ("4 forfeited games are played again" in err) == bool(more)
        assert json.loads(out)["forfeits"] == [{"crash": 4}, {}]
        found.append((games_in(db), began(db)))
        time.sleep(1.1)  # times are stored to the second
    assert found[0][0] == found[1][0]
    assert max(found[0][1]) < min(found[1][1])


def began(db: Path) -> list[str]:
    """When each game of a store began."""
    with closing(sqlite3.connect(db)) as connection:
        return [row[0] for row in connection.execute("SELECT began FROM games")]


def test_a_file_says_the_same_as_flags(undisturbed: str, tmp_path: Path) -> None:
    file, db = tmp_path / "cup.toml", tmp_path / "results.db"
    file.write_text(
        """
        agents = ["uct:iterations=30", "random", "greedy"]
        games = 20
        [[contests]]
        game = "hex"
        board = "hex:4"
        [[contests]]
        game = "chain-reaction"
        boards = ["grid:3x3", "hex:4"]
        """,
        "utf-8",
    )
    ran = topple("tournament", str(file), "--seed", "7", "--db", str(db))
    assert ran.status == 0, ran.err
    assert games_in(db) == undisturbed


def test_a_match_for_programs() -> None:
    ran = topple("match", "hex", "greedy", "random", "--board", "hex:3", "--games", "12", "--json")
    told = json.loads(ran.out)
    assert told["games"] == told["wins"] + told["draws"] + told["losses"] == 12
    assert told["win_rate"] == round(told["wins"] / 12, 6)
    assert told["interval"][0] < told["win_rate"] <= told["interval"][1]
    assert {"elo", "elo_interval", "los", "draw_rate", "win_loss_ratio"} <= set(told)
    turned = topple(
        "match", "hex", "random", "greedy", "--board", "hex:3", "--games", "12", "--json"
    )
    assert json.loads(turned.out)["losses"] == told["wins"]


SPRT = ("match", "hex", "uct:iterations=20", "random", "--board", "hex:3", "--sprt", "elo1=400")


def test_a_sequential_test_stops_at_the_same_game(tmp_path: Path) -> None:
    stores = [tmp_path / f"{n}.db" for n in range(3)]
    told = []
    for workers, db in zip(("1", "3"), stores[:2], strict=True):
        ran = topple(*SPRT, "--workers", workers, "--db", str(db), "--json")
        assert ran.status == 0, ran.err
        told.append(json.loads(ran.out))
    assert told[0]["sprt"]["verdict"] == told[1]["sprt"]["verdict"] == "H1"
    assert told[0]["sprt"]["llr"] >= told[0]["sprt"]["upper"]
    assert games_in(stores[0]) == games_in(stores[1])
    run = start(*SPRT, "--workers", "2", "--db", str(stores[2]))
    while count(stores[2]) < 2 and run.poll() is None:
        time.sleep(0.01)
    run.kill()
    run.communicate()
    assert topple(*SPRT, "--db", str(stores[2])).status == 0
    assert games_in(stores[2]) == games_in(stores[0])


def test_repeated_games_are_told() -> None:
    """From the start two agents without chance play two different games."""
    match = (
        "match",
        "hex",
        "alphabeta:depth=1",
        "alphabeta:depth=2",
        "--board",
        "hex:4",
        "--games",
        "10",
        "--plies",
        "0",
    )
    told = json.loads(topple(*match, "--json").out)
    assert (told["games"], told["effective_games"]) == (10, 2)
    assert "2 of 10 games" in topple(*match).out


def test_agents_from_outside_play_in_workers(tmp_path: Path) -> None:
    module = ROOT / "docs" / "examples" / "hoarder.py"
    command = ("match", "influence", "hoarder", "random", "--board", "segment:9", "--games", "4")
    run = start("--import", str(module), *command, "--json")
    out, err = run.communicate(timeout=60)
    assert run.returncode == 0, err
    told = json.loads(out)
    assert (told["games"], told["forfeits"]) == (4, [{}, {}])


def test_what_agents_print_does_not_mix_with_results() -> None:
    match = ("match", "hex", "chatters", "random", "--board", "hex:4", "--games", "2")
    run = start("--import", str(ROOT / "tests" / "arena" / "unruly.py"), *match, "--json")
    out, err = run.communicate(timeout=60)
    assert json.loads(out)["games"] == 2
    assert "printed" in err
    assert "written" in err


def test_a_terminal_shows_a_bar_with_the_scores(tmp_path: Path) -> None:
    """The last picture of the live table, on a terminal of 80 columns."""
    shown = in_a_terminal(*TOURNAMENT, "--db", str(tmp_path / "results.db"))
    assert "of 180 games" in shown
    assert "won-drawn-lost" in shown
    assert "uct:iterations=30" in shown


def in_a_terminal(*arguments: str) -> str:
    """What a command writes to a terminal."""
    main, other = pty.openpty()
    environment = {**os.environ, "COLUMNS": "80", "LINES": "30", "TERM": "xterm"}
    run = subprocess.Popen(
        [sys.executable, "-m", "topple", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=other,
        stdin=other,
        cwd=ROOT,
        env=environment,
    )
    os.close(other)
    shown = b""
    try:
        while part := os.read(main, 65536):
            shown += part
    except OSError:  # the terminal is closed
        pass
    os.close(main)
    assert run.wait() == 0
    return shown.decode()


REFUSED = {
    "one agent": ("tournament", "--game", "hex", "--agent", "random"),
    "no game": ("tournament", "--agent", "random", "--agent", "greedy"),
    "the same agent twice": (
        "tournament",
        "--game",
        "hex",
        "--agent",
        "random",
        "--agent",
        "random",
        "--agent",
        "uct",
    ),
    "an unknown agent": ("match", "hex", "random", "utc"),
    "an agent that cannot play the game": (
        "match",
        "hex",
        "alphabeta:evaluation=pieces",
        "random",
    ),
    "an agent for two in a game of three": (
        "match",
        "chain-reaction:players=3",
        "random",
        "alphabeta",
    ),
    "a board that suits no game": (
        "tournament",
        "--game",
        "hex",
        "--board",
        "hex:3",
        "--board",
        "karate",
        "--agent",
        "random",
        "--agent",
        "greedy",
    ),
    "a game that suits no board": (
        "tournament",
        "--game",
        "hex",
        "--game",
        "spread-it",
        "--board",
        "karate",
        "--agent",
        "random",
        "--agent",
        "greedy",
    ),
    "a test that is none": ("match", "hex", "random", "greedy", "--sprt", "elo0=5,elo1=1"),
    "an unknown backend": ("match", "hex", "random", "greedy", "--backend", "slurm"),
    "an address without a cluster": ("match", "hex", "random", "greedy", "--address", "here:1"),
    "a store in no folder": ("match", "hex", "random", "greedy", "--db", "missing/results.db"),
    "a folder as a store": ("match", "hex", "random", "greedy", "--db", "."),
    "no settings": ("tournament", "missing.toml"),
    "a module that is not there": ("--import", "missing_module", "games"),
}


@pytest.mark.parametrize("arguments", REFUSED.values(), ids=REFUSED.keys())
def test_refused_on_one_line(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert_refused_without_a_trace(arguments, tmp_path)


SETTINGS = {
    "an unknown key": ('agent = ["random"]', "unknown setting 'agent': did you mean 'agents'?"),
    "an unknown key of a contest": (
        '[[contests]]\ngame = "hex"\nbord = "hex:3"',
        "did you mean 'board'?",
    ),
    "a contest without a game": ('[[contests]]\nboard = "hex:3"', "names no game"),
    "contests that are no tables": ("contests = 3", "contests is not a list of tables"),
    "agents that are no texts": ("agents = [1]", "agents is not a list of texts"),
    "a number that is none": ('games = "many"', "games=many is not a whole number"),
    "too many games": ("games = 100000000", "too large"),
    "not TOML": ("games = = 3", "is not TOML"),
}


@pytest.mark.parametrize(("text", "words"), SETTINGS.values(), ids=SETTINGS.keys())
def test_settings_that_are_wrong_are_refused(text: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(text, "utf-8")
    ran = topple("tournament", str(file))
    assert_one_line_refusal(ran)
    assert words in ran.err


def test_a_store_of_a_newer_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    db = tmp_path / "results.db"
    match = ("match", "hex", "greedy", "random", "--board", "hex:3", "--games", "2")
    assert topple(*match, "--db", str(db)).status == 0
    with closing(sqlite3.connect(db)) as connection:
        connection.execute("PRAGMA user_version = 99")
        connection.commit()
    before = db.read_bytes()
    for command in ((*match, "--db", str(db)), ("report", str(db)), ("export", str(db))):
        ran = topple(*command)
        assert_one_line_refusal(ran)
        assert "newer" in ran.err
    assert db.read_bytes() == before


def test_games_of_another_version_are_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = some_games()[0]
    with open_store(tmp_path / "results.db") as store:
        store.add([game])
        report_other_versions(store)
        assert capsys.readouterr().err == ""
        old = replace(game, pair="0" * 32, record=replace(game.record, version="0.0.9"))
        store.add([old])
        report_other_versions(store)
    said = " ".join(capsys.readouterr().err.split())
    assert (
        f"the store has games of topple 0.0.9; what is missing is played by topple "
        f"{__version__}" in said
    )


def test_the_scores_so_far_name_the_leader_first() -> None:
    standings = Standings(
        [
            *pair_of("a", "b", "1", "LD"),
            *pair_of("b", "c", "2", "WW"),
            *pair_of("d", "d", "3", "WW"),
        ]
    )
    assert scores_so_far(standings) == [
        ("b", "3-1-0", 3.5 / 4),
        ("a", "0-1-1", 0.25),
        ("c", "0-0-2", 0.0),
    ]


def test_scores_so_far_are_points_with_the_best_first() -> None:
    assert scores_so_far(three_agents()) == [
        ("a", "9-2-1", pytest.approx(10 / 12)),
        ("b", "5-2-6", pytest.approx(6 / 13)),
        ("c", "0-2-7", pytest.approx(1 / 9)),
    ]
