"""Games with chance and with more than two players at the terminal."""

import json
import re
from pathlib import Path

import pytest

from tests.core.command_line import Ran, assert_fits_80_columns, assert_one_line_refusal, topple
from topple.game.game import load
from topple.game.record import Record

CHANCE = "spread-it:players=3,accept=0.5,tokens=4"
PLAYED = re.compile(r"^(?:\w+ to move> \S+\n)?\d+\. \w+ plays (\S+)$", re.MULTILINE)


def play(*arguments: str, typed: str = "") -> Ran:
    """Play through a pipe on a small board and expect no trouble."""
    ran = topple("play", *arguments, "--board", "path:5", "--quiet", typed=typed)
    assert ran.status == 0, ran
    return ran


def three_players(path: Path, seed: int) -> tuple[Record, str]:
    """A game with chance between three random players: its record, and what was told."""
    out = play(CHANCE, "random", "random", "random", "--seed", str(seed), "--save", str(path)).out
    return Record.from_json(path.read_text()), out


def told_moves(out: str) -> list[str]:
    """The lines of moves and cascades."""
    lines = out.splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("1. "))
    last = max(i for i, line in enumerate(lines) if line.startswith("after "))
    return lines[first:last]


def test_a_game_with_chance_is_recorded_with_its_draws_and_replays(tmp_path: Path) -> None:
    record, out = three_players(tmp_path / "game.json", seed=3)
    assert all(re.fullmatch(r"\d~[0-9a-f]{8}", move) for move in record.moves)
    assert len({move.partition("~")[2] for move in record.moves}) == len(record.moves)
    assert PLAYED.findall(out) == list(record.moves)
    assert record.replay() == record.replay()
    again = topple("replay", str(tmp_path / "game.json"), "--moves").out
    assert told_moves(again) == told_moves(out)  # the same cascades, too


def test_the_seed_fixes_the_draws(tmp_path: Path) -> None:
    games = [three_players(tmp_path / f"{i}.json", seed)[0] for i, seed in enumerate((7, 7, 8))]
    assert games[0] == games[1]
    assert games[0].moves != games[2].moves


def test_undo_shows_the_same_game_again() -> None:
    hands = (CHANCE, "human", "human", "human", "--seed", "1")
    moves = "2\n2\n3\n3\n"
    told = PLAYED.findall(play(*hands, typed=moves).out)
    out = play(*hands, typed=f"{moves}undo 2\nrecord\n3\n3\nrecord\n").out
    records = [Record.from_json(line) for line in out.splitlines() if line.startswith("{")]
    assert [len(record.moves) for record in records] == [2, 4]
    assert records[1].moves[:2] == records[0].moves
    assert tuple(told) == records[1].moves


def test_a_move_may_be_given_with_its_draw() -> None:
    out = play(CHANCE, "human", "human", "human", typed="2~7f3a01c2\n2~7F3A\nrecord\n").out
    assert "1. Black plays 2~7f3a01c2\n" in out
    assert "'2~7F3A'" in out  # a draw is written in small letters
    assert '"moves": ["2~7f3a01c2"]' in out


def test_a_draw_is_refused_where_nothing_is_drawn() -> None:
    out = play("spread-it:players=3", "human", typed="2~7f3a01c2\n").out
    assert "'2~7f3a01c2'" in out
    assert out.endswith("not over after 0 moves: Black to move\n")


def test_a_saved_game_goes_on_with_its_draws(tmp_path: Path) -> None:
    begun, whole = tmp_path / "begun.json", tmp_path / "whole.json"
    play(CHANCE, "human", "human", "human", "--seed", "1", "--save", str(begun), typed="2\n2\n")
    saved = Record.from_json(begun.read_text())
    out = play_on(begun, whole, "undo 1\n2\n")
    gone_on = Record.from_json(whole.read_text())
    assert gone_on.moves == saved.moves
    assert gone_on.replay() == saved.replay()
    assert "took back 1 move\n" in out


def play_on(begun: Path, whole: Path, typed: str) -> str:
    ran = topple("play", "human", "human", "human", "--load", str(begun), "--save", str(whole),
                 "--quiet", typed=typed)  # fmt: skip
    assert ran.status == 0, ran
    return ran.out


def test_eight_players_fit_the_terminal_and_share_the_win(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    ran = topple("play", "spread-it:players=8,tokens=1", *["random"] * 8, "--board", "cycle:20",
                 "--seed", "2", "--save", str(path))  # fmt: skip
    assert ran.status == 0, ran
    assert "Teal random, Pink random" in ran.out.replace("\n    ", " ")
    assert_fits_80_columns(ran.out)
    _, _, told = topple("replay", str(path)).out.partition("\n")  # the first line names the file
    assert_fits_80_columns(told)


def test_a_change_of_network_is_told_with_the_limits_of_the_time(tmp_path: Path) -> None:
    """A cycle of five loses an edge after two tokens."""
    (tmp_path / "one.csv").write_text("a,b\nb,c\nc,d\nd,e\ne,a\n")
    (tmp_path / "two.csv").write_text("a,b\nb,c\nc,d\nd,e\n")
    board = f"snapshots:{tmp_path}/one.csv@0,{tmp_path}/two.csv@2"
    ran = topple("play", "spread-it:tokens=3", "human", "human", "--board", board,
                 typed="b\nd\n")  # fmt: skip
    assert ran.status == 0, ran
    first, _, then = ran.out.partition("2. Red plays d\n")
    assert first.count("begins") == 0
    assert "a ·/2   b 1b/2* c ·/2   d ·/2   e ·/2\n" in first
    assert then.startswith("network 2 begins: gone a – e\na ·/1   b 1b/2  c ·/2   d 1r/2* e ·/1\n")


def test_a_shared_win_names_the_sharers() -> None:
    out = play("spread-it:players=3,tokens=1/1/2,turn=2", "human", "human", "human",
               typed="1\n2\n4\n5\n").out  # fmt: skip
    game = load("spread-it:players=3,tokens=1/1/2,turn=2", "path:5")
    last = game.start().play("1").play("2").play("4").play("5")
    assert last.outcome is not None
    assert last.result_text() in out


def test_a_game_with_chance_has_no_perft() -> None:
    ran = topple("perft", "spread-it:accept=0.5", "--board", "path:4", "--depth", "2")
    assert_one_line_refusal(ran)
    assert "has chance, so there is no perft" in ran.err
    sure = topple("perft", "spread-it:players=3", "--board", "path:5", "--depth", "2", "--json")
    assert json.loads(sure.out)["leaves"] == 25


@pytest.mark.parametrize(
    "game", ["spread-it:players=8", "spread-it:accept=0.5,players=3", "spread-it:turn=2"]
)
def test_bench_plays_the_wider_world(game: str) -> None:
    ran = topple("bench", "playouts", "--game", game, "--board", "karate", "--seconds", "0.01",
                 "--json")  # fmt: skip
    assert ran.status == 0, ran
    (row,) = json.loads(ran.out)
    assert row["playouts_per_s"] > 0
    assert sorted(row["game"].partition(":")[2].split(",")) == sorted(
        game.partition(":")[2].split(",")
    )
