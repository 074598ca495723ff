"""`topple reproduce` and `topple.reproduce`: selection, playing, stopping, resuming, reporting."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

import topple
from tests.core.command_line import assert_fits_80_columns, assert_one_line_refusal
from tests.core.command_line import topple as command
from tests.papers.tiny_paper import LONG, PAPER, register
from topple import papers
from topple.arena.store.store import open_store
from topple.core.errors import StoreError
from topple.papers.engine.findings import OPEN
from topple.papers.engine.plans import make_plan, parse_scale, select_items

ROOT = Path(__file__).parents[2]
QUICK = parse_scale("quick")


@pytest.fixture(scope="module", autouse=True)
def known() -> Any:
    """Register the papers of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(papers, "PAPERS", papers.PAPERS)
        register()
        yield


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with all quick games of the paper, played by the command."""
    db = tmp_path_factory.mktemp("tiny") / "tiny.db"
    ran = command("reproduce", "tiny", "--db", str(db), "--workers", "1")
    assert ran.status == 0, ran.err
    assert ran.err.splitlines()[0] == f"topple: games and computed facts go to {db}"
    assert "table II" in ran.out
    assert "agrees" in ran.out
    page = db.with_name("tiny-report") / "reproduction.html"
    assert f"report: {page}" in ran.out
    assert "Everybody against everybody" in page.read_text("utf-8")
    return db


def n_games(db: Path) -> int:
    with open_store(db, read_only=True) as store:
        return store.n_games()


def test_all_games_of_all_items_are_played_once(db: Path) -> None:
    assert n_games(db) == 3 * 3 * 6 + 2 * 4 + 8
    ran = command("reproduce", "tiny", "--db", str(db), "--json")
    assert ran.status == 0
    assert n_games(db) == 3 * 3 * 6 + 2 * 4 + 8
    [found] = json.loads(ran.out)
    table, figure = found["items"]
    assert (found["paper"], found["scale"]) == ("tiny", "quick")
    assert (table["n_games"], figure["n_games"]) == (54 + 8, 54 + 8)
    assert [each["planned"] for each in table["games"]] == [54, 8]
    assert [each["full"] for each in table["games"]] == [72, 32]
    [exact] = [each for each in figure["cells"] if each["row"] == "sum"]
    assert exact["measured"] == {"value": 6, "low": None, "high": None, "games": 0}
    assert (exact["published"]["value"], exact["verdict"]) == (6.0, "agrees")
    assert figure["curves"]["sums"]["series"] == {"sums": [0, 1, 3, 6]}
    assert [each["verdict"] for each in figure["claims"]] == ["holds", "fails"]
    under = {each["choice"] for each in table["cells"]}
    assert under == {None, "full loyalty"}


def test_stored_games_are_reported_without_playing(db: Path, tmp_path: Path) -> None:
    ran = command(
        "reproduce",
        "tiny",
        "--db",
        str(db),
        "--stored",
        "--scale",
        "full",
        "--out",
        str(tmp_path / "page"),
    )
    assert ran.status == 0
    assert ran.err == ""
    assert_fits_80_columns(ran.out.partition("\nreport: ")[0])
    assert (tmp_path / "page" / "reproduction.html").exists()
    assert n_games(db) == 3 * 3 * 6 + 2 * 4 + 8
    [found] = topple.reproduce("tiny", scale="full", db=db, play=False)
    # Of the full games those are there that quick has played with the same agents.
    [league, loyal] = found.items[0].played
    assert (league.n_games, league.planned) == (3 * 6, 72)
    assert (loyal.n_games, loyal.planned) == (8, 32)


def test_python_and_the_command_find_the_same(db: Path) -> None:
    [found] = topple.reproduce("tiny", db=db, workers=1)
    ran = command("reproduce", "tiny", "--db", str(db), "--json", "--stored")
    [data] = json.loads(ran.out)
    for item, told in zip(found.items, data["items"], strict=True):
        assert (item.verdict, item.command) == (told["verdict"], told["command"])
        for cell, cell_told in zip(item.cells, told["cells"], strict=True):
            assert (cell.measured and cell.measured._asdict()) == cell_told["measured"]
            assert cell.verdict == cell_told["verdict"]
    assert sum(cell.measured is not None for item in found.items for cell in item.cells) > 10


def test_one_item_is_played_alone(tmp_path: Path) -> None:
    db = tmp_path / "one.db"
    ran = command("reproduce", "long", "--section", "2", "--db", str(db), "--json")
    assert ran.status == 0
    assert n_games(db) == 0
    [found] = json.loads(ran.out)
    assert [item["item"] for item in found["items"]] == ["section 2"]
    assert found["items"][0]["cells"][0]["measured"]["value"] == 10
    assert list(tmp_path.iterdir()) == [db]  # no page with --json


def test_an_empty_store_gives_no_measured_values() -> None:
    found = topple.reproduce("tiny", play=False)
    assert [item.verdict for item in found[0].items] == [OPEN, OPEN]


@pytest.mark.parametrize("number", ["II", "ii", "2", " 2 "])
def test_tables_are_found_by_either_numeral(number: str) -> None:
    [(plans, items)] = select_items("tiny", {"table": number}, QUICK)
    assert plans.paper is PAPER
    assert [item.name for item in items] == ["table II"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("tiny", "--table", "I"), "tiny has no table 'I': it has II"),
        (("tiny", "--figure", "2"), "tiny has no figure '2': it has 1.2"),
        (("tiny", "--section", "3"), "tiny has no section '3', but table II, figure 1.2"),
        (("tiny", "--table", "2", "--figure", "1.2"), "one table or figure at a time"),
        (("all", "--table", "I"), "name the paper"),
        (("tinny",), "did you mean 'tiny'?"),
        (("tiny", "--scale", "large"), "quick, full or a share"),
        (("tiny", "--stored"), "there is no store papers.db"),
    ],
)
def test_unknown_items_and_scales_are_refused_in_one_line(
    arguments: tuple[str, ...], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = command("reproduce", *arguments)
    assert_one_line_refusal(ran)
    assert words in ran.err
    assert list(tmp_path.iterdir()) == []


# -- stopped and killed ------------------------------------------------------------------------

PROGRAM = """
import sys
from tests.papers.tiny_paper import register
register()
sys.argv = ["topple", *sys.argv[1:]]
from topple.cli.main import main
main()
"""


def start(*arguments: str) -> subprocess.Popen[str]:
    """Start the command as a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "reproduce", *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for_games(process: subprocess.Popen[str], db: Path, more_than: int) -> None:
    """Wait until the store has more games than that."""
    while process.poll() is None:
        if db.exists():
            # The file is there before its tables are.
            with suppress(StoreError), open_store(db, read_only=True, check=False) as store:
                if store.n_games() > more_than:
                    return
        time.sleep(0.1)
    raise AssertionError(process.communicate())


def test_it_resumes_after_being_stopped_or_killed(tmp_path: Path) -> None:
    db = tmp_path / "long.db"
    asked = ("long", "--table", "1", "--scale", "full", "--db", str(db), "--workers", "1")
    there = 0
    for number in (signal.SIGKILL, signal.SIGINT):
        process = start(*asked, "--json")
        wait_for_games(process, db, there)
        process.send_signal(number)
        out, err = process.communicate()
        assert n_games(db) > there
        there = n_games(db)
        if number == signal.SIGKILL:
            assert process.returncode == -signal.SIGKILL
            continue
        assert process.returncode == 130, err
        last = err.splitlines()[-1]
        assert last == (
            f"topple: stopped after {there:,} of 20,000 games: all that is done is in "
            f"{db}, and the same command goes on"
        )
        [found] = json.loads(out)
        assert found["items"][0]["n_games"] == there
        assert found["items"][0]["cells"][0]["measured"]["games"] == there
    with open_store(db, read_only=True) as store:
        keys = [(result.pair, result.side) for result in store.results()]
    assert len(set(keys)) == len(keys) == there
    assert set(keys) <= set(make_plan(LONG, parse_scale("full")).game_keys())


def test_an_interrupt_ends_a_computation_at_once(tmp_path: Path) -> None:
    db = tmp_path / "long.db"
    process = start("long", "--section", "2", "--scale", "full", "--db", str(db))
    assert process.stderr is not None
    assert "go to" in process.stderr.readline()
    assert "1 of 1: long slow: " in process.stderr.readline()
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate()
    assert process.returncode == 130
    assert "the same command goes on" in err.splitlines()[-1]
    assert OPEN in out
    with closing(open_store(db, read_only=True)) as store:
        assert store.read_fact('tiny-sums {"n":1000000000}') is None
