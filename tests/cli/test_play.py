"""Games at the terminal: played through a pipe, saved, loaded and replayed."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from tests.core.command_line import Ran, assert_fits_80_columns, assert_one_line_refusal, topple
from topple.game.game import load
from topple.game.record import Ending, Record

SMALL = ("hex", "--board", "hex:3", "--seed", "3")


def play(*arguments: str, typed: str = "") -> Ran:
    """Play through a pipe and expect no trouble."""
    ran = topple("play", *arguments, typed=typed)
    assert ran.status == 0, ran
    return ran


def save_game(path: Path, *arguments: str) -> Record:
    """A game between random players, saved."""
    play("hex", "random", "random", "--board", "hex:3", "--save", str(path), "--quiet", *arguments)
    return Record.from_json(path.read_text())


# Between random players.


def test_a_random_game_is_told_to_its_end() -> None:
    ran = play("hex", "random", "random", "--board", "hex:3", "--seed", "4")
    assert ran.out.startswith("Hex on hex:3, seed 4: Blue random, Red random\n")
    assert "\n1. Blue plays " in ran.out
    assert "*" in ran.out
    assert "wins" in ran.out.splitlines()[-1]
    assert_fits_80_columns(ran.out)


def test_the_seed_fixes_the_game() -> None:
    games = [play("hex", "random", "random", "--board", "hex:5", "--seed", seed, "--quiet").out
             for seed in ("1", "1", "2")]  # fmt: skip
    assert games[0] == games[1]
    assert games[0].partition(": ")[2] != games[2].partition(": ")[2]


def test_an_unseeded_game_names_its_seed(tmp_path: Path) -> None:
    record = save_game(tmp_path / "game.json")
    assert record.seed is not None
    again = save_game(tmp_path / "again.json", "--seed", str(record.seed))
    assert again == record


@pytest.mark.parametrize("flag", ["--quiet", "--no-board"])
def test_a_quiet_game_draws_no_board(flag: str) -> None:
    assert "a b c" not in play("hex", "random", "random", "--board", "hex:3", flag).out


def test_cascades_are_told() -> None:
    ran = play("chain-reaction", "human", "human", "--board", "grid:2x2", "--quiet",
               typed="a1\nb2\nb1\na2\na1\n")  # fmt: skip
    assert "cascade of 2: a1 explodes, b1 explodes\n" in ran.out
    assert "A wins" in ran.out


def test_a_long_cascade_is_shortened() -> None:
    ran = play("spread-it", "random", "random", "--seed", "1")
    assert "more\n" in ran.out
    assert "an endless cascade" in ran.out
    assert_fits_80_columns(ran.out)


def test_empty_seats_are_random() -> None:
    ran = play("chain-reaction:players=3", "--board", "grid:2x2")
    assert "A human, B random, C random" in ran.out


# At the keyboard.


def test_an_ended_input_leaves_the_game_politely() -> None:
    ran = play(*SMALL, typed="b2\n")
    assert ran.err == ""
    assert ran.out.endswith("the input has ended\nnot over after 2 moves: Blue to move\n")


def test_quit_leaves_the_game() -> None:
    ran = play(*SMALL, typed="quit\nb2\n")
    assert ran.out.endswith("> quit\nnot over after 0 moves: Blue to move\n")


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("zz", "'zz' is not a move of Hex: write a cell from a1 to c3; `help` lists the commands"),
        ("b2\nb2", "b2 is not legal for Blue in "),
        ("undo", "there is no move of yours to take back"),
        ("undo 3", "there are 0 moves to take back"),
        ("undo two", "'two' is not a number of moves: write undo or undo 2"),
        ("save", "name a file: save FILE"),
        ("load missing.json", "missing.json: No such file or directory"),
        ("play", "'' is not a move of Hex"),
    ],
)
def test_what_cannot_be_done_is_answered_on_one_line(typed: str, answer: str) -> None:
    lines = play(*SMALL, "--quiet", typed=f"{typed}\nquit\n").out.splitlines()
    assert lines[-3].startswith(answer)
    assert lines[-2].endswith("> quit")


def test_help_lists_every_command() -> None:
    from topple.cli.terminal.dialogue import COMMANDS

    out = play(*SMALL, typed="help\n").out
    for command in COMMANDS.values():
        assert f"\n{command.usage}" in out
    assert "for example a1" in out


def test_moves_are_listed_and_shortened() -> None:
    assert "9 moves: a1, b1, c1, a2, b2, c2, a3, b3, c3\n" in play(*SMALL, typed="moves\n").out
    long = play("hex", typed="moves\nmoves all\n").out
    assert "… and 81 more (`moves all`)" in long
    assert ", k11\n" in long
    assert_fits_80_columns(long)


def test_undo_takes_back_to_the_last_turn() -> None:
    out = play(*SMALL, typed="b2\nundo\nrecord\n").out
    assert "took back 2 moves\n" in out
    assert '"moves": []' in out


def test_undo_takes_back_as_many_moves_as_said() -> None:
    hands = ("hex", "human", "human", "--board", "hex:3")
    out = play(*hands, typed="a1\nb1\nc1\nundo 2\nrecord\nundo\nrecord\n").out
    assert '"moves": ["a1"]' in out
    assert '"moves": []' in out


def test_a_lost_game_can_be_taken_back() -> None:
    out = play("hex", "human", "human", "--board", "hex:2", "--quiet",
               typed="b1\na1\na2\nundo\nrecord\n").out  # fmt: skip
    assert "Blue wins" in out
    assert '"moves": ["b1", "a1"], "result": null' in out


def test_enter_leaves_a_game_that_is_over() -> None:
    out = play("hex", "human", "human", "--board", "hex:2", typed="b1\na1\na2\n\nb2\n").out
    assert out.splitlines()[-1].startswith("after 3 moves: Blue wins")


def test_a_vertex_may_be_called_like_a_command(tmp_path: Path) -> None:
    network = tmp_path / "net.csv"
    network.write_text("quit,help\nhelp,moves\nmoves,quit\n")
    out = play("spread-it", "human", "human", "--board", f"file:{network}",
               typed="play quit\nrecord\nquit\n").out  # fmt: skip
    assert '"moves": ["quit"]' in out


def test_save_and_load_at_the_board(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    out = play(*SMALL, typed=f"b2\nsave {file}\nundo\nload {file}\nrecord\n").out
    assert f"saved to {file}\n" in out
    assert "hex on hex:3, 2 moves played\n" in out
    assert Record.from_json(file.read_text()).moves[0] == "b2"
    assert out.count('"moves": ["b2", ') == 1


def test_save_at_the_board_replaces_nothing(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text("precious\n")
    assert "exists already" in play(*SMALL, typed=f"save {file}\n").out
    assert file.read_text() == "precious\n"


def test_another_game_can_be_loaded_at_the_board(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    play("chain-reaction:players=3", "--board", "grid:2x2", "--save", str(file), typed="a1\n")
    out = play(*SMALL, typed=f"load {file}\nrecord\n").out
    assert "chain-reaction:players=3 on grid:2x2, 3 moves played" in out
    assert '"players": ["human", "random", "random"]' in out


def test_a_damaged_file_is_not_loaded_at_the_board(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text("{}\n")
    out = play(*SMALL, typed=f"b2\nload {file}\nrecord\n").out
    assert f"{file} line 1: the record lacks format" in out
    assert '"moves": ["b2", ' in out


# Saved games.


def test_an_unfinished_game_goes_on(tmp_path: Path) -> None:
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    play(*SMALL, "--save", str(first), typed="b2\n")
    out = play("--load", str(first), "random", "random", "--save", str(second), "--quiet").out
    assert "seed 3: Blue random, Red random" in out
    begun, ended = Record.from_json(first.read_text()), Record.from_json(second.read_text())
    assert begun.result is None
    assert ended.result is not None
    assert ended.moves[:2] == begun.moves


def test_a_saved_game_may_be_named(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    play(*SMALL, "--save", str(file), typed="b2\n")
    play("hex", "--load", str(file))
    for wrong in (("infexion",), ("hex:swap=true",), ("hex", "--board", "hex:3")):
        assert_one_line_refusal(topple("play", *wrong, "--load", str(file)))


def test_save_replaces_only_the_same_game(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    first = save_game(file, "--seed", "1")
    save_game(file, "--seed", "1")
    other = ("play", "hex", "random", "random", "--board", "hex:3", "--seed", "2", "--quiet")
    assert_one_line_refusal(topple(*other, "--save", str(file)))
    assert Record.from_json(file.read_text()) == first
    assert topple(*other, "--save", str(file), "--force").status == 0
    assert Record.from_json(file.read_text()) != first
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]


def test_a_file_in_the_way_is_refused_before_a_person_plays(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text("precious\n")
    for path in (file, tmp_path, tmp_path / "missing" / "game.json"):
        ran = topple("play", *SMALL, "--save", str(path), typed="b2\n")
        assert_one_line_refusal(ran)
        assert ran.out == ""


def test_a_file_with_several_games_is_not_loaded(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    save_game(file)
    file.write_text(file.read_text() * 2)
    ran = topple("play", "--load", str(file))
    assert_one_line_refusal(ran)
    assert "holds 2 games" in ran.err


# Replays.


def test_a_saved_game_replays(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    record = save_game(file, "--seed", "1")
    ran = topple("replay", str(file))
    assert ran.status == 0
    assert ran.out.startswith(f"{file} line 1: Hex on hex:3, random against random\n")
    assert ran.out.count("\n    a") == len(record.moves) + 1
    assert "wins" in ran.out.splitlines()[-1]


def test_a_replay_may_tell_moves_or_results_alone(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    record = save_game(file, "--seed", "1")
    moves, quiet = topple("replay", str(file), "--moves"), topple("replay", str(file), "--quiet")
    assert "a b c" not in moves.out
    assert f"1. Blue plays {record.moves[0]}\n" in moves.out
    assert len(quiet.out.splitlines()) == 2


def test_several_games_replay_from_a_pipe(tmp_path: Path) -> None:
    records = [save_game(tmp_path / f"{seed}.json", "--seed", str(seed)) for seed in range(3)]
    lines = "\n\n".join(record.to_json() for record in records)
    ran = topple("replay", "-", "--json", typed=lines)
    results = [json.loads(line) for line in ran.out.splitlines()]
    assert len(results) == 3
    for record, result in zip(records, results, strict=True):
        assert result == {
            "game": "hex",
            "board": "hex:3",
            "plies": len(record.moves),
            "result": list(record.result or ()),
            "final": record.replay().text,
        }


@pytest.mark.parametrize(
    ("ending", "words"),
    [
        (Ending("resignation", 0), "Red wins: Blue resigned"),
        (Ending("crash", 1, "ValueError: no"), "Blue wins: Red failed (ValueError: no)"),
        (Ending("time", 1), "Blue wins: Red ran out of time"),
        (Ending("illegal", 0, "zz"), "Red wins: Blue gave an illegal move (zz)"),
        (Ending("length"), "draw: the game was cut"),
    ],
)
def test_a_replay_tells_how_a_game_was_ended(ending: Ending, words: str) -> None:
    record = Record.of(load("hex", "hex:3"), ["b2", "a1", "b1"], opening=2, ending=ending)
    ran = topple("replay", "-", "--moves", typed=record.to_json())
    assert ran.status == 0
    assert ran.out.splitlines()[-1] == f"after 3 moves: {words}"
    assert "the opening: 2 moves\n" in ran.out
    told = json.loads(topple("replay", "-", "--json", typed=record.to_json()).out)
    assert (told["opening"], told["ending"]) == (2, asdict(ending))
    assert told["result"] == list(record.result or ())


def test_one_of_three_who_fails_loses_to_the_others() -> None:
    game = load("chain-reaction:players=3", "grid:3x3")
    record = Record.of(game, ["a1"], ending=Ending("time", 1))
    ran = topple("replay", "-", "--quiet", typed=record.to_json())
    others = f"{game.players[0]}, {game.players[2]}"
    assert f"{others} share the win: {game.players[1]} ran out of time" in ran.out


def tampered(record: Record, **changes: object) -> str:
    """A record's line with some parts changed."""
    return json.dumps({**json.loads(record.to_json()), **changes})


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"result": [-1.0, 1.0]}, "line 2: move 3: the record claims"),
        ({"result": None}, "line 2: move 3: the record claims not over"),
        ({"moves": ["b1", "b1", "a2"]}, "line 2: move 2: b1 is not legal"),
        ({"moves": ["b1", "a1", "z9"]}, "line 2: move 3: "),
        ({"moves": ["b1", "a1", "a2", "b2"]}, "line 2: move 4: the game is over"),
        ({"game": "hexx"}, "line 2: unknown game 'hexx'"),
        ({"board": "hex:0"}, "line 2: its board"),
        ({"players": ["one"]}, "line 2: it names 1 players"),
        ({"format": 9}, "line 2: the record has format 9"),
    ],
)
def test_a_dishonest_record_is_refused_with_its_place(
    changes: dict[str, object], words: str, tmp_path: Path
) -> None:
    honest = Record.of(load("hex", "hex:2"), ["b1", "a1", "a2"])
    file = tmp_path / "games.jsonl"
    file.write_text(f"{honest.to_json()}\n{tampered(honest, **changes)}\n")
    ran = topple("replay", str(file), "--json")
    assert_one_line_refusal(ran)
    assert f"{file} {words}" in ran.err
    assert len(ran.out.splitlines()) == 1


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "holds no record"),
        (b"\n\n", "holds no record"),
        (b"\n{]\n", "line 2: the record is not JSON"),
        (b"[]\n", "line 1: the record is not a JSON object"),
        (b"\xff\n", "line 1: the record is not UTF-8 text"),
        (b"[" * 100_000, "line 1: the record is "),
    ],
)
def test_a_damaged_file_is_refused(content: bytes, words: str) -> None:
    ran = topple("replay", "-", typed=content)
    assert_one_line_refusal(ran)
    assert f"stdin {words}" in ran.err


@pytest.mark.parametrize("line", ["load a\0b", "save ~nosuchuser/x", f"undo {'1' * 5000}"])
def test_hostile_lines_are_answered_and_the_game_goes_on(line: str) -> None:
    ran = play("hex", "--board", "hex:2", "--quiet", typed=f"{line}\nmoves\nquit\n")
    assert "a1, b1, a2, b2" in ran.out


def test_a_line_without_end_ends_the_input() -> None:
    ran = play("hex", "--board", "hex:2", "--quiet", typed="x" * 200_000)
    assert "is not read" in ran.out
    assert "the input has ended" in ran.out
