"""Export: every game with all that is known of it, for other programs."""

import csv
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

import topple
from tests.arena.played_games import many_games, moves_of, played, some_games
from tests.core.command_line import assert_one_line_refusal
from tests.core.command_line import topple as run
from topple.arena.report.export import columns, csv_lines, jsonl_lines
from topple.arena.store.played import PlayedGame
from topple.arena.store.store import open_store
from topple.core.errors import ToppleError
from topple.core.files import writing_whole
from topple.game.record import Record


def awkward_game() -> PlayedGame:
    """A game on a network whose labels hold blanks, commas, quotes and letters of all kinds."""
    labels = ["Ann Lee", 'say "hi"', "a,b", "Émile", "=1+1", "-x"]
    graph = nx.relabel_nodes(nx.cycle_graph(6), dict(enumerate(labels)))
    game = topple.load("spread-it", graph)
    return played(Record.of(game, moves_of(game, 3)))


GAMES = [*some_games(), awkward_game()]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with all kinds of games."""
    with open_store(tmp_path / "results.db") as store:
        store.add(GAMES)
    return tmp_path / "results.db"


def stored(path: Path) -> list[PlayedGame]:
    with open_store(path, read_only=True) as store:
        return list(store.games())


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_a_line_of_json_is_a_record_with_the_arena_beside_it(path: Path) -> None:
    ran = run("export", str(path))
    assert (ran.status, ran.err) == (0, "")
    games, lines = stored(path), ran.out.splitlines()
    assert len(lines) == len(GAMES)
    for game, line in zip(games, lines, strict=True):
        data = json.loads(line)
        assert Record.from_json(line) == game.record
        arena = data.pop("arena")
        assert data == game.record.to_data()
        assert set(data) == {
            "format",
            "topple",
            "game",
            "options",
            "board",
            "players",
            "seed",
            "opening",
            "moves",
            "ending",
            "result",
        }
        agents = arena.pop("agents")
        assert agents == [asdict(part) for part in game.participants]
        for name, value in arena.items():
            expected = getattr(game, name)
            assert value == (list(expected) if isinstance(expected, tuple) else expected)
        assert set(arena) == {
            "pair",
            "side",
            "tournament_seed",
            "opening_number",
            "reason",
            "began",
            "seconds",
            "move_seconds",
        }


def test_what_is_exported_replays(path: Path) -> None:
    exported = run("export", str(path)).out
    ran = run("replay", "-", "--json", typed=exported)
    assert ran.status == 0
    results = [json.loads(line)["result"] for line in ran.out.splitlines()]
    assert results == [list(game.record.result or ()) for game in stored(path)]


def game_from(row: dict[str, str], game: PlayedGame) -> PlayedGame:
    """The game that a row of a table tells, on the board of another."""

    def number(name: str) -> Any:
        return json.loads(row[name]) if row[name] else None

    ending = None
    if row["ending"]:
        loser, detail = number("ending_player"), row["ending_detail"]
        ending = {"by": row["ending"], "player": loser, "detail": detail}
    record = Record.from_data(
        {
            "format": number("format"),
            "topple": row["topple"],
            "game": row["game"],
            "options": number("options"),
            "board": row["board"],
            "players": [row["first_player"], row["second_player"]],
            "seed": number("seed"),
            "opening": number("opening"),
            "moves": number("moves"),
            "ending": ending,
            "result": [number("first_return"), number("second_return")],
        },
        game.record.board,
    )
    first, second = (
        replace(
            part,
            agent=row[f"{seat}_agent"],
            **{
                name: number(f"{seat}_{name}")
                for name in ("options", "moves", "seconds", "simulations", "nodes")
            },
        )
        for seat, part in zip(("first", "second"), game.participants, strict=True)
    )
    return PlayedGame(
        row["pair"],
        number("side"),
        record,
        row["reason"],
        (first, second),
        number("tournament_seed"),
        number("opening_number"),
        row["began"],
        number("seconds"),
        tuple(number("move_seconds")),
    )


def test_a_table_tells_every_game_exactly(path: Path) -> None:
    ran = run("export", str(path), "--format", "csv")
    assert (ran.status, ran.err) == (0, "")
    rows, games = rows_of(ran.out), stored(path)
    assert len(rows) == len(GAMES)
    for row, game in zip(rows, games, strict=True):
        assert set(row) == set(columns())
        assert game_from(row, game) == game
        assert (row["board"], row["board_digest"]) == (
            game.record.board.spec,
            game.record.board.digest,
        )
        assert int(row["plies"]) == len(game.record.moves)


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_without_times_the_same_tournament_is_the_same_bytes(form: str, tmp_path: Path) -> None:
    """Played again, games differ in their times alone, and arrive in another order."""
    outputs = []
    for number, games in enumerate((GAMES, GAMES[::-1])):
        store_path = tmp_path / f"{number}.db"
        slower = [
            replace(
                game,
                began=f"2026-01-0{number + 1}T00:00:00+00:00",
                seconds=game.seconds + number,
                move_seconds=tuple(each + number for each in game.move_seconds),
                participants=tuple(
                    replace(part, seconds=part.seconds + number) for part in game.participants
                ),
            )
            for game in games
        ]
        with open_store(store_path) as store:
            store.add(slower)
        outputs.append(
            [
                run("export", str(store_path), "--format", form, *more).out
                for more in ((), ("--no-times",))
            ]
        )
    (timed, bare), (timed_again, bare_again) = outputs
    assert timed != timed_again
    assert bare == bare_again
    assert "seconds" not in bare
    assert "began" not in bare


def test_a_file_is_written_whole_and_says_so(path: Path) -> None:
    for form, name in (("jsonl", "games.jsonl"), ("csv", "games.csv")):
        out = path.with_name(name)
        ran = run("export", str(path), "--format", form, "--out", str(out))
        assert (ran.status, ran.out) == (0, f"{len(GAMES)} games written to {out}\n")
        assert out.read_bytes().decode() == run("export", str(path), "--format", form).out
    assert sorted(each.name for each in path.parent.iterdir()) == [
        "games.csv",
        "games.jsonl",
        "results.db",
    ]


def test_a_damaged_store_leaves_no_half_file(path: Path, tmp_path: Path) -> None:
    import sqlite3

    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE games SET reason = char(27) WHERE opening_number = 2")
    connection.close()
    out = tmp_path / "games.jsonl"
    out.write_text("before\n")
    ran = run("export", str(path), "--out", str(out))
    assert_one_line_refusal(ran)
    assert f"{path}: game " in ran.err
    assert out.read_text() == "before\n"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["games.jsonl", "results.db"]


def test_an_export_never_takes_the_place_of_its_store(path: Path) -> None:
    before = path.read_bytes()
    link = path.with_name("link.jsonl")
    link.symlink_to(path)
    for out in (path, link):
        assert_one_line_refusal(run("export", str(path), "--out", str(out)))
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("export", "missing.db"), "there is no store missing.db"),
        (("export", "."), "is a folder"),
        (("export",), "missing argument"),
        (("export", "missing.db", "--format", "xml"), "'xml' is not one of"),
    ],
)
def test_nonsense_gets_one_line(arguments: tuple[str, ...], words: str) -> None:
    ran = run(*arguments)
    assert_one_line_refusal(ran)
    assert words in ran.err.lower()


def test_an_export_that_cannot_be_written_gets_one_line(path: Path) -> None:
    for out in (path.parent / "none" / "games.csv", path.parent):
        ran = run("export", str(path), "--out", str(out))
        assert_one_line_refusal(ran)
        assert "cannot be written" in ran.err


def test_an_empty_store_gives_no_lines(tmp_path: Path) -> None:
    open_store(tmp_path / "results.db").close()
    assert run("export", str(tmp_path / "results.db")) == (0, "", "")
    ran = run("export", str(tmp_path / "results.db"), "--format", "csv")
    assert ran.out.splitlines() == [",".join(columns())]


def test_bytes_are_the_same_whatever_the_terminal_can_show(path: Path) -> None:
    expected = run("export", str(path), "--format", "csv").out.encode()
    ran = subprocess.run(
        [sys.executable, "-m", "topple", "export", str(path), "--format", "csv"],
        env={**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"},
        capture_output=True,
        check=True,
    )
    assert ran.stdout == expected


def test_a_reader_that_goes_away_is_no_trouble(tmp_path: Path) -> None:
    with open_store(tmp_path / "results.db") as store:
        store.add(many_games(3000))
    process = subprocess.Popen(
        [sys.executable, "-m", "topple", "export", str(tmp_path / "results.db")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert (process.wait(), errors) == (141, b"")


@pytest.mark.parametrize("lines_of", [jsonl_lines, csv_lines])
def test_lines_come_as_games_do(lines_of: Any) -> None:
    """Nothing is held back: 20,000 games need no more memory than one."""
    taken = 0

    def games() -> Iterator[PlayedGame]:
        nonlocal taken
        for game in GAMES:
            taken += 1
            yield game

    lines = lines_of(games())
    header = 1 if lines_of is csv_lines else 0
    for number, _ in enumerate(lines, start=1):
        assert taken == number - header
    assert taken == len(GAMES)


def test_a_file_written_bit_by_bit_is_there_wholly_or_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "file"
    with writing_whole(file) as stream:
        stream.write(b"one ")
        assert not file.exists()
        stream.write(b"two")
    assert file.read_bytes() == b"one two"
    with pytest.raises(KeyboardInterrupt), writing_whole(file) as stream:  # noqa: PT012
        stream.write(b"three")
        raise KeyboardInterrupt
    assert file.read_bytes() == b"one two"
    assert list(tmp_path.iterdir()) == [file]
    for wrong in (tmp_path / "none" / "file", tmp_path / "a\0b", Path("/")):
        with pytest.raises(ToppleError, match="cannot be written"), writing_whole(wrong):
            pass
