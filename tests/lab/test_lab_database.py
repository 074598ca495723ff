"""The lab's database: what it stores survives, has bounds, and is told from other files."""

import sqlite3
from pathlib import Path
from shutil import copy

import pytest

from tests.core.command_line import assert_one_line_refusal, topple
from topple.arena.store.files import LAB_APPLICATION
from topple.arena.store.store import open_store
from topple.boards import load_board
from topple.core.errors import BadText, ToppleError
from topple.game.game import load
from topple.game.record import Record
from topple.lab import limits
from topple.lab.data.lab_database import FILE, GameSummary, LabDatabase

OLD = Path(__file__).parent / "lab_with_old_id.db"  # made when labs had the id of stores
SUMMARY: GameSummary = {
    "game": "hex",
    "board": "hex:2",
    "plies": 1,
    "result_text": "",
    "players": ["Ann", "Bob"],
}


def marks(path: Path) -> tuple[int, int]:
    """A file's application id and version."""
    with sqlite3.connect(path) as connection:
        found = tuple(
            connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("application_id", "user_version")
        )
    connection.close()
    return found


def test_a_lab_made_before_it_had_an_id_of_its_own_opens_with_all_that_it_holds(
    tmp_path: Path,
) -> None:
    copy(OLD, tmp_path / FILE)
    database = LabDatabase(tmp_path)
    assert database.board(load_board("path:3").digest) == load_board("path:3")
    [game] = database.games()
    assert (game["name"], game["players"]) == ("before", ["Ann", "Bob"])
    name, record = database.game(game["id"])
    assert (name, record.moves) == ("before", ("b1", "a1", "a2"))
    assert [store.name for store in database.stores()] == ["cup"]
    assert database.tournament("cup") == ({"name": "cup", "games": ["hex"]}, 6)
    database.close()
    assert marks(tmp_path / FILE) == (LAB_APPLICATION, 1)
    LabDatabase(tmp_path).close()


def test_a_store_of_games_is_not_taken_for_a_labs_database(tmp_path: Path) -> None:
    path = tmp_path / FILE
    open_store(path).close()
    before = path.read_bytes()
    with pytest.raises(ToppleError, match="not a lab's database"):
        LabDatabase(tmp_path)
    assert path.read_bytes() == before
    open_store(path).close()


def test_somebody_elses_database_is_left_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / FILE) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    with pytest.raises(ToppleError, match="not a lab's database"):
        LabDatabase(tmp_path)


@pytest.mark.parametrize("is_old", [False, True])
def test_a_report_on_a_labs_database_says_in_one_line_what_it_is(
    tmp_path: Path, is_old: bool
) -> None:
    if is_old:
        copy(OLD, tmp_path / FILE)
    else:
        LabDatabase(tmp_path).close()
    ran = topple("report", str(tmp_path / FILE))
    assert_one_line_refusal(ran)
    assert "is the database of a lab" in ran.err
    assert "damaged" not in ran.err


def test_a_folder_that_cannot_be_used_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(ToppleError, match="cannot be made"):
        LabDatabase(tmp_path / "file" / "lab")
    (tmp_path / "lab").mkdir()
    (tmp_path / "lab" / FILE).write_bytes(b"no database at all, but long enough" * 50)
    with pytest.raises(ToppleError, match="not a database"):
        LabDatabase(tmp_path / "lab")


def test_what_a_newer_topple_has_written_is_left_alone(tmp_path: Path) -> None:
    LabDatabase(tmp_path).close()
    with sqlite3.connect(tmp_path / FILE) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(ToppleError, match="newer"):
        LabDatabase(tmp_path)


def test_a_store_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ToppleError, match="no such store"):
        LabDatabase(tmp_path, [tmp_path / "nowhere.db"])


def test_a_store_from_elsewhere_is_seen_beside_one_of_the_same_name(tmp_path: Path) -> None:
    elsewhere = tmp_path / "cup.db"
    elsewhere.write_bytes(b"")
    database = LabDatabase(tmp_path / "lab")
    own = database.own_store("cup")
    database.close()
    database = LabDatabase(tmp_path / "lab", [elsewhere, elsewhere])
    assert [each.name for each in database.stores()] == ["cup", "cup 2", "cup 3"]
    assert database.store("cup") == own
    assert own.path.parent == tmp_path / "lab"
    database.close()


def test_the_least_recent_boards_are_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = LabDatabase(tmp_path)
    boards = [load_board(f"er:n=20,m=40,seed={seed}") for seed in range(1, 7)]
    monkeypatch.setattr(limits, "KEPT_BOARDS", 4)
    digests = [database.keep_board(board) for board in boards]
    assert [database.board(digest) is None for digest in digests] == [True] * 2 + [False] * 4
    monkeypatch.setattr(limits, "KEPT_BOARD_BYTES", 1)
    again = database.keep_board(boards[3])
    assert database.board(again) == boards[3]
    assert all(database.board(digest) is None for digest in digests if digest != again)
    database.close()


def test_games_are_kept_until_they_take_up_too_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = LabDatabase(tmp_path)
    record = Record.of(load("hex", "hex:2"), ["b1"])
    database.keep_game("one", record, SUMMARY)
    monkeypatch.setattr(limits, "KEPT_GAME_BYTES", 10)
    with pytest.raises(BadText, match="take up"):
        database.keep_game("two", record, SUMMARY)
    database.close()


@pytest.mark.parametrize("name", ["../x", "a/b", ".", "a\\b", "", "x" * 81, "a\nb", "-", "a\0"])
def test_names_of_stores_hold_no_paths_and_no_control_characters(tmp_path: Path, name: str) -> None:
    database = LabDatabase(tmp_path)
    with pytest.raises(BadText):
        database.own_store(name)
    assert database.stores() == []
    database.close()


def test_a_stores_file_is_not_called_as_the_page_says(tmp_path: Path) -> None:
    database = LabDatabase(tmp_path)
    file = database.own_store("My Cup 1")
    assert "Cup" not in file.path.name
    assert database.own_store("My Cup 1") == file
    database.close()
