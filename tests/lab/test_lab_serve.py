"""Starting the lab: addresses, ports, folders, and the words for what goes wrong."""

import re
import socket
import sqlite3
from pathlib import Path

import pytest

from tests.core.command_line import assert_one_line_refusal, topple
from topple.boards import load_board
from topple.core.errors import BadText, ToppleError
from topple.game.game import load
from topple.game.record import Record
from topple.lab import limits
from topple.lab.data.lab_database import FILE, Kept, data_folder
from topple.lab.data.position_cache import Lines
from topple.lab.server import serve
from topple.lab.server.guard import Door
from topple.lab.server.serve import address_of, has_desktop, is_loopback, open_door, own_address


def test_a_port_that_is_taken_is_told_in_one_line() -> None:
    listening, door = open_door("127.0.0.1", 0)
    with listening:
        ran = topple("lab", "--no-browser", "--port", str(door.port))
    assert_one_line_refusal(ran)
    assert f"port {door.port} is taken" in ran.err


@pytest.mark.parametrize("host", ["no such host", "203.0.113.9", "é" * 100])
def test_a_host_that_is_not_here_is_told_in_one_line(host: str) -> None:
    assert_one_line_refusal(topple("lab", "--no-browser", "--port", "0", "--host", host))


def test_help_has_an_example() -> None:
    ran = topple("lab", "--help")
    assert ran.status == 0
    assert "Example: topple lab" in ran.out


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.0.0.9"])
def test_this_machine_alone_needs_no_token(host: str) -> None:
    listening, door = open_door(host, 0)
    listening.close()
    assert door.token is None
    assert address_of(door) == f"http://{host}:{door.port}/"


@pytest.mark.parametrize("host", ["0.0.0.0", "0"])
def test_other_addresses_have_a_token(host: str) -> None:
    listening, door = open_door(host, 0)
    listening.close()
    assert door.is_everywhere
    assert door.token is not None
    assert address_of(door) == f"http://{own_address()}:{door.port}/?token={door.token}"


def test_a_name_that_only_looks_like_this_machine_has_a_token(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = [(socket.AF_INET, socket.SOCK_STREAM, 0, "", ("0.0.0.0", 0))]
    monkeypatch.setattr(serve.socket, "getaddrinfo", lambda *_, **__: found)
    listening, door = open_door("127.example.org", 0)
    listening.close()
    assert door.token is not None


def test_addresses_can_be_typed() -> None:
    assert address_of(Door("127.0.0.1", 8000)) == "http://127.0.0.1:8000/"
    assert address_of(Door("::1", 8000)) == "http://[::1]:8000/"
    for address in ("0.0.0.0", "192.168.0.1", "localhost", "127.example.org", ""):
        assert not is_loopback(address)


def test_a_browser_opens_on_a_desktop_only(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(serve.webbrowser, "open", opened.append)
    monkeypatch.setattr(serve.sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert not has_desktop()
    assert not serve.open_browser("http://127.0.0.1:8000/")
    monkeypatch.setenv("DISPLAY", ":0")
    assert serve.open_browser("http://127.0.0.1:8000/")


def test_the_folder_is_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_folder() == tmp_path / "topple" / "lab"


def test_a_folder_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(ToppleError, match="cannot be made"):
        Kept(tmp_path / "file" / "lab")
    (tmp_path / "lab").mkdir()
    (tmp_path / "lab" / FILE).write_bytes(b"no database at all, but long enough" * 50)
    with pytest.raises(ToppleError, match="not a database"):
        Kept(tmp_path / "lab")


def test_what_a_newer_topple_has_written_is_left_alone(tmp_path: Path) -> None:
    Kept(tmp_path).close()
    with sqlite3.connect(tmp_path / FILE) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(ToppleError, match="newer"):
        Kept(tmp_path)


def test_a_store_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ToppleError, match="no such store"):
        Kept(tmp_path, [tmp_path / "nowhere.db"])


def test_a_store_from_elsewhere_is_seen_beside_one_of_the_same_name(tmp_path: Path) -> None:
    elsewhere = tmp_path / "cup.db"
    elsewhere.write_bytes(b"")
    kept = Kept(tmp_path / "lab")
    own = kept.own_store("cup")
    kept.close()
    kept = Kept(tmp_path / "lab", [elsewhere, elsewhere])
    assert [each.name for each in kept.stores()] == ["cup", "cup 2", "cup 3"]
    assert kept.store("cup") == own
    assert own.path.parent == tmp_path / "lab"
    kept.close()


def test_boards_make_room_for_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Kept(tmp_path)
    boards = [load_board(f"er:n=20,m=40,seed={seed}") for seed in range(1, 7)]
    monkeypatch.setattr(limits, "KEPT_BOARDS", 4)
    digests = [kept.keep_board(board) for board in boards]
    assert [kept.board(digest) is None for digest in digests] == [True] * 2 + [False] * 4
    monkeypatch.setattr(limits, "KEPT_BOARD_BYTES", 1)
    again = kept.keep_board(boards[3])
    assert kept.board(again) == boards[3]
    assert all(kept.board(digest) is None for digest in digests if digest != again)
    kept.close()


def test_games_are_kept_until_they_take_up_too_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Kept(tmp_path)
    record = Record.of(load("hex", "hex:2"), ["b1"])
    kept.keep_game("one", record, {})
    monkeypatch.setattr(limits, "KEPT_GAME_BYTES", 10)
    with pytest.raises(BadText, match="take up"):
        kept.keep_game("two", record, {})
    kept.close()


@pytest.mark.parametrize("name", ["../x", "a/b", ".", "a\\b", "", "x" * 61, "a\nb", "-", "a\0"])
def test_names_of_stores_are_plain(tmp_path: Path, name: str) -> None:
    kept = Kept(tmp_path)
    with pytest.raises(BadText):
        kept.own_store(name)
    assert kept.stores() == []
    kept.close()


def test_a_stores_file_is_not_called_as_the_page_says(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    file = kept.own_store("My Cup 1")
    assert "Cup" not in file.path.name
    assert kept.own_store("My Cup 1") == file
    kept.close()


def test_a_line_is_replayed_from_where_it_is_known() -> None:
    lines = Lines(lambda _: None)
    game = lines.game("hex", "hex:5")
    moves = list(range(20))
    whole = lines.reach(game, moves)
    assert lines.reach(game, moves).position is whole.position
    assert lines.reach(game, moves[:-1]).position == whole.before
    longer = lines.reach(game, [*moves, 24])
    assert longer.before is whole.position
    assert longer.movers == bytes([0, 1] * 10 + [0])


def test_a_lab_can_be_asked_over_its_port(tmp_path: Path) -> None:
    listening, door = open_door("127.0.0.1", 0)
    with listening, socket.create_connection(("127.0.0.1", door.port), timeout=5):
        pass


def test_every_limit_and_every_flag_stands_in_the_documentation() -> None:
    page = (Path(__file__).parents[2] / "docs" / "lab.md").read_text("utf-8")
    table = page.partition("## Limits")[2].partition("## Safety")[0]
    for name, most in limits.limits_data().items():
        assert re.search(rf"\b{most:,.0f}\b", table), name
    for flag in re.findall(r"--[a-z-]+", topple("lab", "--help").out):
        assert flag == "--help" or f"`{flag}" in page, flag
