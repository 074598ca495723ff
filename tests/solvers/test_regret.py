"""Regret: agents' moves beside the oracle's, in one game, in a position, in a store of games."""

import json
import signal
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from threading import Event

import pytest

import topple as package
from tests.arena.invented import OPENING, played_game, random_games
from tests.core.command_line import Ran, assert_fits_80_columns, assert_one_line_refusal, topple
from tests.solvers.recursive_solver import PlainSolver
from topple import solvers
from topple.arena.statistics.mistakes import MistakeRow, Mistakes, mistakes
from topple.arena.statistics.rates import share
from topple.arena.store.played import PlayedGame
from topple.arena.store.store import open_store
from topple.cli.views.oracle import moves_text
from topple.core.errors import BadRecord, Unsupported
from topple.game.game import Game, load
from topple.game.position import Position
from topple.game.record import Ending, Record
from topple.solvers import POINTS, RESULT, Bounds, Solution, find_solver
from topple.solvers.oracle import Oracle, is_settled
from topple.solvers.regret import JudgedMove, Review, review

PLAIN = "tests.solvers.recursive_solver:PlainSolver"
TOO_LARGE = "hex:11"

# Games whose every line can be walked through, with the plies that are given before.
SMALL = [
    ("hex", "hex:2", 0),
    ("hex", "hex:3", 0),
    ("hex:swap=true", "hex:2", 0),
    ("chain-reaction", "grid:2x2", 0),
    ("chain-reaction", "grid:2x3", 4),
    ("chain-reaction:surplus=keep", "path:4", 0),
    ("spread-it", "cycle:3", 0),
    ("spread-it", "star:4", 0),
    ("spread-it:loyalty=full", "grid:2x2", 0),
    ("spread-it:loyalty=full", "path:4", 1),
    ("infexion", "infexion:3", 25),
    ("influence", "segment:9", 0),
    ("influence", "segment:3p+6", 0),
    ("influence:first=right", "segment:8", 0),
    ("influence", "random-digraph:n=8,m=8,seed=8", 0),
]


@pytest.fixture(autouse=True)
def exact_play(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some solver for every game."""
    if not solvers._classes:
        monkeypatch.setattr(solvers, "_classes", [PLAIN])


@pytest.fixture
def cramped(monkeypatch: pytest.MonkeyPatch) -> type[PlainSolver]:
    """A solver whose memory holds few moves: set `most_moves`."""
    monkeypatch.setattr(solvers, "_classes", [PLAIN])
    monkeypatch.setattr(PlainSolver, "most_moves", PlainSolver.most_moves)
    return PlainSolver


@cache
def small(spec: str, board: str) -> Game:
    return load(spec, board)


# The reference: every line to its end, seen by the first player.


@cache
def lead(position: Position) -> int:
    """The first player's result, or its points less the other's, under best play of both."""
    if position.is_over:
        first, second = position.returns()
        if position.game.name == "influence":
            assert position.scores is not None
            first, second = position.scores
            return int(first - second)
        return (first > second) - (first < second)
    choose = max if position.player == 0 else min
    return choose(lead(position.play(move)) for move in position.legal_moves())


def for_mover(position: Position, seen_by_first: int) -> int:
    return seen_by_first if position.player == 0 else -seen_by_first


def expected_values(position: Position) -> dict[int, int]:
    """What each move is worth to the player who makes it."""
    return {move: for_mover(position, lead(position.play(move))) for move in position.legal_moves()}


def random_line(game: Game, seed: int, longer_than: int = 0) -> list[int]:
    """The moves of a random game that is not over too soon."""
    random, moves = Random(seed), list[int]()
    while len(moves) <= longer_than:
        position, moves = game.start(), []
        while not position.is_over:
            moves.append(random.choice(position.legal_moves()))
            position = position.play(moves[-1])
    return moves


def patient(game: Game) -> Oracle:
    """An oracle that tries positions of any size, as it does with a time limit."""
    return Oracle(game, time=600)


# The oracle.


@pytest.mark.parametrize(("spec", "board", "opening"), SMALL)
def test_the_oracle_gives_each_move_its_value(spec: str, board: str, opening: int) -> None:
    game = small(spec, board)
    oracle = patient(game)
    for seed in (1, 2):
        positions = list(Record.of(game, random_line(game, seed, opening)).positions())
        for position in positions[opening:-1]:
            solution, expected = oracle.judge(position), expected_values(position)
            assert is_settled(solution)
            assert {each.move: each.value.least for each in solution.moves} == expected
            assert solution.value == (max(expected.values()),) * 2
            best = {move for move, value in expected.items() if value == max(expected.values())}
            assert set(solution.best_moves) == best


def test_values_are_in_the_units_of_the_game() -> None:
    units = {"hex": RESULT, "influence": POINTS}
    for name, board in (("hex", "hex:2"), ("influence", "segment:9")):
        game = small(name, board)
        assert Oracle(game).judge(game.start()).unit == units[name]


def test_the_oracle_asks_once_and_remembers(monkeypatch: pytest.MonkeyPatch) -> None:
    game = small("hex", "hex:2")
    oracle = Oracle(game)
    first = oracle.judge(game.start())
    begun = type(oracle.solver).begin

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("it was asked again")

    monkeypatch.setattr(type(oracle.solver), "begin", refuse)
    assert oracle.judge(load("hex", "hex:2").start()) == first
    monkeypatch.setattr(type(oracle.solver), "begin", begun)
    assert is_settled(oracle.judge(game.start().play("a1")))


def test_the_oracle_refuses_what_it_cannot_know() -> None:
    large = load("hex", TOO_LARGE)
    with pytest.raises(Unsupported):
        Oracle(large).check()
    with pytest.raises(Unsupported):
        Oracle(large).judge(large.start())
    with pytest.raises(Unsupported, match="for 2 players"):
        Oracle(load("chain-reaction:players=3", "grid:2x2"))
    with pytest.raises(Unsupported, match="knows hex on hex:2, not hex on hex:3"):
        Oracle(small("hex", "hex:2")).judge(small("hex", "hex:3").start())


def test_a_memory_that_earlier_positions_have_filled_is_emptied(
    cramped: type[PlainSolver],
) -> None:
    game = small("hex", "hex:2")
    cramped.most_moves = 4
    oracle = Oracle(game)
    one, two = game.start(), game.start().play("a1")
    assert is_settled(oracle.judge(one))
    assert is_settled(oracle.judge(two))
    cramped.most_moves = 3
    oracle = Oracle(game)
    cut = oracle.judge(one)
    assert (is_settled(cut), cut.limit) == (False, "memory")
    assert oracle.judge(one) is cut  # it is not tried in vain again
    assert is_settled(oracle.judge(two))


def test_a_time_limit_leaves_bounds(cramped: type[PlainSolver]) -> None:
    game = small("hex", "hex:2")
    cut = Oracle(game, time=0.0).judge(game.start())
    assert (is_settled(cut), cut.limit, cut.value) == (False, "time", (-1, 1))


def test_a_sign_to_stop_leaves_bounds_that_are_not_kept() -> None:
    game, stop = small("chain-reaction", "grid:2x2"), Event()
    oracle = Oracle(game)
    stop.set()
    assert not is_settled(oracle.judge(game.start(), stop))
    assert is_settled(oracle.judge(game.start()))


# One game.


@pytest.mark.parametrize(("spec", "board", "opening"), SMALL)
@pytest.mark.parametrize("seed", [3, 4])
def test_regret_explains_the_result(spec: str, board: str, opening: int, seed: int) -> None:
    """What the first player gets is what it had, and what was given away on the way."""
    game = small(spec, board)
    moves = random_line(game, seed, opening)
    record = Record.of(game, moves, opening=opening)
    positions = list(record.positions())
    found = review(record, patient(game))
    own, other = found.summary(0).regret, found.summary(1).regret
    assert lead(positions[-1]) == lead(positions[opening]) - own + other
    for each in found.moves:  # and so at each move
        before, after = positions[each.ply - 1 : each.ply + 1]
        assert before.player == each.player
        assert each.regret is not None
        assert lead(before) - lead(after) == for_mover(before, each.regret)


@pytest.mark.parametrize(("spec", "board", "opening"), SMALL)
def test_perfect_play_has_no_regret(spec: str, board: str, opening: int) -> None:
    game, random = small(spec, board), Random(5)
    moves = random_line(game, 5, opening)[:opening]
    position = game.start()
    for move in moves:
        position = position.play(move)
    expected = lead(position)
    while not position.is_over:
        values = expected_values(position)
        best = [move for move, value in values.items() if value == max(values.values())]
        moves.append(random.choice(best))
        position = position.play(moves[-1])
    assert lead(position) == expected
    found = review(Record.of(game, moves, opening=opening), patient(game))
    for part in found.summaries():
        assert (part.mistakes, part.regret, part.turning_points) == (0, 0, ())
        assert part.first_mistake is part.thrown is None


def test_the_mistakes_of_a_game_on_four_cells() -> None:
    """b1 and a2 win; after a1 the second player must stop a2, and then it is decided."""
    game = small("hex", "hex:2")
    found = review(Record.of(game, ["a1", "b2", "b1", "a2"]), Oracle(game))
    assert [each.regret for each in found.moves] == [2, 2, 2, 0]
    texts = [{game.move_text(move) for move in each.best_moves} for each in found.moves]
    assert texts == [{"b1", "a2"}, {"a2"}, {"a2"}, {"a2"}]
    first, second = found.summaries()
    assert (first.moves, first.chances, first.mistakes, first.regret) == (2, 2, 2, 4)
    assert (first.first_mistake, first.turning_points, first.thrown) == (1, (1, 3), 3)
    assert (second.moves, second.chances, second.mistakes) == (2, 1, 1)
    assert (second.turning_points, second.thrown, second.mean_regret) == ((2,), None, 1.0)
    assert found.unit == RESULT


def test_a_mistake_in_points_need_not_turn_the_result() -> None:
    """Judged by hand from the reference: regrets, chances and turns of sign."""
    game = small("influence", "segment:13")
    turned = kept = 0
    for seed in range(12):
        moves = random_line(game, seed)
        position = game.start()
        found = review(Record.of(game, moves), Oracle(game))
        assert found.unit == POINTS
        for move, each in zip(moves, found.moves, strict=True):
            values = expected_values(position)
            best = max(values.values())
            assert (each.best_value, each.value) == (best, values[move])
            assert each.is_chance == (min(values.values()) < best)
            assert each.most_regret == best - min(values.values())
            assert each.is_mistake == (values[move] < best)
            turns = (best > 0) != (values[move] > 0) or (best < 0) != (values[move] < 0)
            assert each.turns_result == turns
            turned += turns
            kept += each.is_mistake and not turns
            position = position.play(move)
    assert turned
    assert kept


def test_an_opening_belongs_to_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    game = small("hex", "hex:2")
    asked: list[Position] = []
    judge = Oracle.judge

    def noted(self: Oracle, position: Position, stop: Event | None = None) -> Solution:
        asked.append(position)
        return judge(self, position, stop)

    monkeypatch.setattr(Oracle, "judge", noted)
    record = Record.of(game, ["a1", "b2", "b1", "a2"], opening=2)
    found = review(record, Oracle(game))
    assert [each.ply for each in found.moves] == [3, 4]
    assert asked == list(record.positions())[2:4][::-1]
    assert found.summary(0).turning_points == (3,)
    assert found.summary(1).mistakes == 0


@pytest.mark.parametrize("by", ["resignation", "crash", "time", "illegal"])
def test_a_forfeit_is_no_mistake_and_throws_nothing_away(by: str) -> None:
    game = small("hex", "hex:3")
    won = Record.of(game, ["b2", "a1"], ending=Ending(by, 0))
    found = review(won, Oracle(game))
    assert [each.regret for each in found.moves] == [0, 0]
    assert found.summary(0).thrown is None
    assert found.result == (-1.0, 1.0)


def test_a_won_game_is_thrown_away_only_by_a_mistake_that_was_not_made_good() -> None:
    game = small("hex", "hex:2")
    oracle = Oracle(game)
    for moves, ending, thrown in (
        (["a1", "a2", "b1", "b2"], None, (1, None)),  # wrong at once, and lost
        (["a1", "b2", "a2"], None, (None, 2)),  # made good by the other's mistake
        (["a1", "b2", "b1", "a2"], None, (3, None)),  # made good, and wrong again
        (["a1", "b2"], Ending("time", 0), (None, None)),  # lost by the clock
        (["a1"], Ending("length"), (1, None)),  # a draw is not a win
        (["a1"], None, (None, None)),  # nobody knows yet
    ):
        found = review(Record.of(game, moves, ending=ending), oracle)
        assert tuple(part.thrown for part in found.summaries()) == thrown, moves


def test_positions_with_moves_are_reviewed_like_a_record() -> None:
    game = small("chain-reaction", "grid:2x2")
    record = Record.of(game, random_line(game, 1))
    positions = list(record.positions())
    turns = list(zip(positions, map(game.parse_move, record.moves), strict=False))
    oracle = Oracle(game)
    assert review(turns, oracle) == review(record, oracle)
    assert review(turns[1:2], oracle).result is None
    assert review([], oracle).moves == ()


def test_a_review_is_refused_with_the_wrong_oracle_or_a_damaged_record() -> None:
    game = small("hex", "hex:2")
    record = Record.of(game, ["a1", "b1"])
    with pytest.raises(Unsupported, match="the oracle is for hex on hex:3, not for hex on hex:2"):
        review(record, Oracle(small("hex", "hex:3")))
    with pytest.raises(BadRecord, match="move 2"):
        review(replace(record, moves=("a1", "a1")), Oracle(game))


def test_what_is_not_solved_is_not_judged(cramped: type[PlainSolver]) -> None:
    game = small("hex", "hex:2")
    cramped.most_moves = 2
    found = review(Record.of(game, ["a1", "b2", "b1", "a2"]), Oracle(game))
    assert [each.is_judged for each in found.moves] == [False, False, True, True]
    assert found.moves[0] == JudgedMove(1, 0, game.parse_move("a1"))
    assert found.moves[0].regret is None
    first, second = found.summaries()
    assert (first.moves, first.unjudged, first.mistakes) == (1, 1, 1)
    assert (second.moves, second.unjudged, second.mistakes) == (1, 1, 0)
    assert found.is_complete
    cramped.most_moves = 0
    nothing = review(Record.of(game, ["a1", "b2"]), Oracle(game))
    assert (nothing.unit, nothing.summary(0).mean_regret) == (None, None)


def test_a_position_that_is_too_large_is_not_judged() -> None:
    game = load("hex", TOO_LARGE)
    found = review(Record.of(game, ["f6", "a1"]), Oracle(game))
    assert [each.is_judged for each in found.moves] == [False, False]
    assert found.refusal


def stopped_at(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Let Ctrl-C come while the oracle looks at one position, counted from 1."""
    judge, asked = Oracle.judge, [0]

    def interrupted(self: Oracle, position: Position, stop: Event | None = None) -> Solution:
        asked[0] += 1
        if asked[0] < number:
            return judge(self, position, stop)
        if asked[0] == number:
            signal.raise_signal(signal.SIGINT)
        assert stop is not None
        assert stop.is_set()
        solution = judge(self, position)
        return replace(solution, value=Bounds(-1, 1))

    monkeypatch.setattr(Oracle, "judge", interrupted)


# `topple analyse FILE --mistakes`.


def saved(folder: Path, record: Record) -> str:
    path = folder / "game.json"
    path.write_text(record.to_json() + "\n")
    return str(path)


def printed(*arguments: str) -> str:
    ran = topple(*arguments)
    assert ran.status == 0, ran
    return ran.out


def test_a_saved_game_is_reviewed_as_a_table(tmp_path: Path) -> None:
    game = small("hex", "hex:2")
    record = Record.of(game, ["a1", "b2", "b1", "a2"], players=("Ann", "Bob"))
    out = printed("analyse", saved(tmp_path, record), "--mistakes")
    assert out.splitlines() == [
        "Hex on hex:2, Ann against Bob",
        "ply  player  move  value  of move  regret  best",
        "  1  Blue    a1    won    lost          2  b1, a2",
        "  2  Red     b2    won    lost          2  a2",
        "  3  Blue    b1    won    lost          2  a2",
        "  4  Red     a2    won    won              a2",
        "after 4 moves: Red wins: left and right are joined",
        "",
        "player  moves  chances  mistakes  regret  per move  turning points",
        "Blue        2        2         2       4     2.000  1, 3",
        "Red         2        1         1       2     1.000  2",
        "Blue (Ann) had a won game and threw it away with move 3",
    ]


def test_a_review_says_what_was_given_and_what_is_not_known(
    cramped: type[PlainSolver], tmp_path: Path
) -> None:
    cramped.most_moves = 2
    game = small("hex", "hex:2")
    record = Record.of(game, ["a1", "b2", "b1"], opening=1, ending=Ending("time", 1))
    out = printed("analyse", saved(tmp_path, record), "--mistakes")
    assert "the opening: 1 move that nobody chose\n" in out
    assert ["2", "Red", "b2", "?", "?", "?"] in [line.split() for line in out.splitlines()]
    assert "Blue wins: Red ran out of time" in out
    assert "player  moves  unjudged  chances" in out


def test_moves_that_are_all_equal_are_not_listed(tmp_path: Path) -> None:
    game = small("hex", "hex:3")
    out = printed("analyse", saved(tmp_path, Record.of(game, ["b2", "a1"])), "--mistakes")
    assert "  2  Red     a1    lost   lost             all\n" in out
    assert "not over after 2 moves: Blue to move" in out


@pytest.mark.parametrize(("spec", "board", "opening"), SMALL)
def test_a_review_as_json_is_the_review(
    spec: str, board: str, opening: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(find_solver(small(spec, board)), "check", lambda self, position: None)
    game = small(spec, board)
    record = Record.of(game, random_line(game, 6, opening), opening=opening)
    file = saved(tmp_path, record)
    assert_fits_80_columns(printed("analyse", file, "--mistakes"))
    data = json.loads(printed("analyse", file, "--mistakes", "--json"))
    positions = list(record.positions())
    assert (data["game"], data["board"]) == (game.spec, game.board.spec)
    assert data["unit"] == (POINTS if game.name == "influence" else RESULT)
    assert (data["complete"], data["opening"]) == (True, opening)
    assert data["result"] == list(record.result or ())
    regrets = dict.fromkeys(game.players, 0)
    for ply, told in enumerate(data["moves"], start=opening + 1):
        position = positions[ply - 1]
        values = {game.move_text(move): v for move, v in expected_values(position).items()}
        best = max(values.values())
        assert (told["ply"], told["move"]) == (ply, record.moves[ply - 1])
        assert told["player"] == game.players[position.player]
        assert (told["best_value"], told["value"]) == (best, values[told["move"]])
        assert told["regret"] == best - told["value"]
        assert told["chance"] == (min(values.values()) < best)
        assert set(told["best"]) == {text for text, value in values.items() if value == best}
        regrets[told["player"]] += told["regret"]
    assert len(data["moves"]) == len(record.moves) - opening
    assert {part["player"]: part["regret"] for part in data["summary"]} == regrets


def test_an_interrupted_review_shows_what_is_judged(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    game = small("hex", "hex:2")
    file = saved(tmp_path, Record.of(game, ["a1", "b2", "b1", "a2"]))
    stopped_at(monkeypatch, 3)
    ran = topple("analyse", file, "--mistakes")
    assert (ran.status, ran.err) == (130, "topple: stopped with the last 2 of 4 moves judged\n")
    assert "  3  Blue    b1    won    lost          2  a2\n" in ran.out
    assert "  2  Red" not in ran.out
    assert "after 4 moves: Red wins" in ran.out
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interrupted_review_says_so_as_json(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = saved(tmp_path, Record.of(small("hex", "hex:2"), ["a1", "b2", "b1", "a2"]))
    stopped_at(monkeypatch, 2)
    ran = topple("analyse", file, "--mistakes", "--json")
    data = json.loads(ran.out)
    assert (ran.status, data["complete"]) == (130, False)
    assert [move["ply"] for move in data["moves"]] == [4]


REFUSED = {
    "no file": (("--mistakes",), "needs a saved game"),
    "a game": (("hex", "--mistakes"), "needs a saved game"),
    "an unknown name": (("hexx", "--mistakes"), "did you mean 'hex'?"),
    "a missing file": (("missing.json", "--mistakes"), "No such file"),
    "an agent": (("game.json", "--mistakes", "--agent", "random"), "leave out --agent"),
    "a ply": (("game.json", "--mistakes", "--ply", "0"), "leave out --ply"),
    "the oracle": (("game.json", "--mistakes", "--oracle"), "leave out --oracle"),
    "a damaged game": (("damaged.json", "--mistakes"), "damaged.json line 1: move 2"),
    "no moves": (("empty.json", "--mistakes"), "has no moves to review"),
    "three players": (("three.json", "--mistakes"), "exact play is for 2 players"),
    "a large board": (("large.json", "--mistakes"), ""),
    "memory for nothing": (("hex", "--memory", "5"), "--memory is for --oracle and --mistakes"),
    "no memory": (("hex", "--oracle", "--memory", "0"), "invalid value for '--memory'"),
    "a large position": (("hex", "--oracle", "--agent", "random"), ""),
    "a position for three": (
        ("chain-reaction:players=3", "--oracle", "--agent", "random"), "exact play is for 2",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("arguments", "words"), REFUSED.values(), ids=REFUSED.keys())
def test_an_analysis_is_refused_on_one_line(
    arguments: tuple[str, ...], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    game = small("hex", "hex:2")
    record = Record.of(game, ["a1", "b2"])
    records = {
        "game": record,
        "damaged": replace(record, moves=("a1", "a1")),
        "empty": Record.of(game, ["a1"], opening=1),
        "three": Record.of(load("chain-reaction:players=3", "grid:2x2"), ["a1"]),
        "large": Record.of(load("hex", TOO_LARGE), ["a1", "b2"]),
    }
    for name, each in records.items():
        Path(f"{name}.json").write_text(each.to_json())
    ran = topple("analyse", *arguments)
    assert_one_line_refusal(ran)
    assert words in ran.err
    assert ran.out == ""


# `topple analyse GAME --oracle`.


def test_agents_are_set_beside_the_oracle() -> None:
    game = small("hex", "hex:3")
    values = {game.move_text(m): v for m, v in expected_values(game.start()).items()}
    best = [text for text, value in values.items() if value == 1]
    out = printed("analyse", "hex", "--board", "hex:3", "--agent", "greedy", "--agent", "random",
                  "--oracle", "--seed", "3")  # fmt: skip
    assert f"\nBlue to move\noracle: won; best: {', '.join(best)}\n" in out
    assert_fits_80_columns(out)
    answers = out.split("\n\n")[1:]
    assert len(answers) == 2
    words = {1: "won", -1: "lost"}
    for answer in answers:
        lines = answer.splitlines()
        move = lines[0].partition(" plays ")[2].partition(":")[0]
        assert lines[1] == f"exact: {words[values[move]]}, regret {1 - values[move]}"
        assert lines[2].split()[-1] == "exact"
        listed = {line.split()[0]: line.split()[-1] for line in lines[3:12]}
        assert listed == {text: words[value] for text, value in values.items()}


def test_the_oracle_is_asked_only_if_told_so() -> None:
    out = printed("analyse", "hex", "--board", "hex:2", "--agent", "random")
    assert "exact" not in out
    assert "oracle" not in out


def test_exact_values_stand_in_the_json() -> None:
    game = small("influence", "segment:3p+6")
    values = {game.move_text(m): v for m, v in expected_values(game.start()).items()}
    best = max(values.values())
    data = json.loads(printed("analyse", "influence", "--board", "segment:3p+6", "--oracle",
                              "--agent", "random", "--seed", "2", "--json"))  # fmt: skip
    oracle, (answer,) = data["oracle"], data["answers"]
    assert (oracle["unit"], oracle["value"], oracle["bounds"]) == (POINTS, best, [best, best])
    assert set(oracle["best"]) == {text for text, value in values.items() if value == best}
    assert oracle["limit"] is None
    for told in (answer, *answer["candidates"]):
        assert told["exact_value"] == values[told["move"]]
        assert told["regret"] == best - values[told["move"]]


def test_an_oracle_whose_memory_is_full_says_so(cramped: type[PlainSolver]) -> None:
    arguments = ("analyse", "hex", "--board", "hex:2", "--agent", "random", "--oracle",
                 "--seed", "1")  # fmt: skip
    cramped.most_moves = 1  # a1, which loses
    out = printed(*arguments)
    assert "oracle: lost to won is proven, then the memory was full\n" in out
    assert "regret" not in out
    data = json.loads(printed(*arguments, "--json"))
    assert (data["oracle"]["limit"], data["oracle"]["best"]) == ("memory", [])
    assert (data["oracle"]["value"], data["oracle"]["bounds"]) == (None, [-1, 1])
    assert data["answers"][0]["regret"] is None
    cramped.most_moves = 2  # b1, which wins
    out = printed(*arguments)
    assert "oracle: won; best: b1 and perhaps others, the memory was full\n" in out


def test_an_interrupted_oracle_ends_the_analysis(monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ("analyse", "hex", "--board", "hex:2", "--agent", "random", "--oracle")
    with monkeypatch.context() as patch:
        stopped_at(patch, 1)
        ran = topple(*arguments)
    assert (ran.status, ran.err) == (130, "topple: interrupted\n")
    assert "oracle: lost to won is proven, then it was stopped\n" in ran.out
    assert "random plays" not in ran.out
    stopped_at(monkeypatch, 1)
    ran = topple(*arguments, "--json")
    assert (ran.status, json.loads(ran.out)["answers"]) == (130, [])


# A store of games.


def some_games() -> list[PlayedGame]:
    """Pairs of random games, three agents among them, one that plays itself."""
    game = small("hex", "hex:3")
    return [
        *random_games(game, ("random", "greedy"), 6, seed=1),
        *random_games(game, ("random", "alphabeta"), 6, seed=1),
        *random_games(game, ("random", "random"), 3, seed=1),
        *random_games(small("influence", "segment:9"), ("random", "greedy"), 4, seed=2),
    ]


def judged(games: list[PlayedGame], **options: object) -> dict[tuple[str, str], MistakeRow]:
    with open_store(None) as store:
        store.add(games)
        rows = mistakes(store, **options)  # type: ignore[arg-type]
    return {(row.contest.game, row.agent): row for row in rows}


def own_moves(games: list[PlayedGame], agent: str) -> Iterator[tuple[PlayedGame, int, int, int]]:
    """An agent's moves: the game, the ply, the regret and the most there could have been."""
    for played in games:
        record = played.record
        positions = list(record.positions())
        for ply in range(record.opening + 1, len(positions)):
            position = positions[ply - 1]
            if record.players[position.player] == agent:
                values = expected_values(position)
                best, move = max(values.values()), position.game.parse_move(record.moves[ply - 1])
                yield played, ply, best - values[move], best - min(values.values())


def test_mistakes_are_those_counted_move_by_move() -> None:
    games = some_games()
    rows = judged(games)
    assert len(rows) == 5
    for (name, agent), row in rows.items():
        here = [each for each in games if each.record.game == name]
        moves = list(own_moves(here, agent))
        firsts: dict[tuple[str, int], int] = {}
        for played, ply, regret, _ in moves:
            if regret:
                firsts.setdefault((played.pair, played.side), ply)
        assert row.games == sum(agent in each.record.players for each in here)
        assert (row.moves, row.unjudged) == (len(moves), 0)
        assert row.chances == sum(most > 0 for *_, most in moves)
        assert row.mistakes == sum(regret > 0 for *_, regret, _ in moves)
        assert row.regret == sum(regret for *_, regret, _ in moves)
        assert row.flawless == row.games - len(firsts)
        if firsts:
            assert row.first_mistake == pytest.approx(sum(firsts.values()) / len(firsts))
        assert row.unit == (POINTS if name == "influence" else RESULT)


def test_won_games_that_were_given_away_are_counted() -> None:
    games = some_games()
    rows = judged(games)
    for agent in ("greedy", "alphabeta"):
        thrown = 0
        for played in games:
            record = played.record
            if record.game != "hex" or agent not in record.players:
                continue
            seat = record.players.index(agent)
            assert record.result is not None
            before = list(record.positions())[record.opening : -1]
            was_won = any(for_mover(each, lead(each)) > 0 for each in before if each.player == seat)
            thrown += was_won and record.result[seat] < 0
        assert rows["hex", agent].thrown == thrown > 0


def test_openings_are_the_units_of_intervals() -> None:
    """All of an agent's games from one opening are one unit, against whomever."""
    games = some_games()
    row = judged(games)["hex", "random"]
    units: dict[int, list[float]] = {}
    for played, _, regret, most in own_moves(
        [g for g in games if g.record.game == "hex"], "random"
    ):
        unit = units.setdefault(played.opening_number, [0, 0, 0, 0])
        for place, counted in enumerate((regret > 0, most > 0, regret / 2, 1)):
            unit[place] += counted
    assert len(units) == 6
    assert row.rate == pytest.approx(share([(each[0], each[1]) for each in units.values()]))
    half = share([(each[2], each[3]) for each in units.values()])
    assert half is not None
    assert row.mean_regret == pytest.approx([2 * number for number in half])


def repeated(games: list[PlayedGame], times: int) -> list[PlayedGame]:
    return [
        replace(each, pair=f"{n:02x}{each.pair[2:]}", opening_number=each.opening_number + 100 * n)
        for n in range(times)
        for each in games
    ]


def test_games_that_repeat_others_are_no_evidence() -> None:
    game = small("hex", "hex:3")
    once = list(random_games(game, ("random", "greedy"), 5, seed=3))
    few, many = judged(once), judged(repeated(once, 20))
    for key, row in few.items():
        again = many[key]
        assert (again.moves, again.mistakes) == (20 * row.moves, 20 * row.mistakes)
        assert again.rate == pytest.approx(row.rate)
        assert again.mean_regret == pytest.approx(row.mean_regret)


def test_a_pairing_that_repeats_itself_weighs_as_its_different_pairs() -> None:
    game = small("hex", "hex:3")
    same = list(random_games(game, ("random", "greedy"), 1, seed=3))
    varied = list(random_games(game, ("random", "alphabeta"), 8, seed=4))
    row = judged([*repeated(same, 50), *varied])["hex", "random"]
    expected = judged([*same, *varied])["hex", "random"]
    assert row.rate is not None
    assert expected.rate is not None
    assert row.rate.value == pytest.approx(expected.rate.value)
    assert row.rate.high - row.rate.low == pytest.approx(
        expected.rate.high - expected.rate.low, rel=0.05
    )


def test_without_a_chance_there_is_no_rate() -> None:
    game = small("influence", "segment:3")  # one move, and all is taken
    played = played_game(game, [1], ("a", "b"), "0" * 32, 0)
    for row in judged([played]).values():
        assert (row.chances, row.rate, row.mean_regret, row.first_mistake) == (0, None, None, None)


def test_a_faultless_agent_still_has_an_interval() -> None:
    game, games = small("hex", "hex:2"), []
    for number, moves in enumerate((["b1", "a1", "a2"], ["a2", "b2", "b1"], ["a2", "a1", "b1"])):
        numbers = [game.parse_move(move) for move in moves]
        games.append(played_game(game, numbers, ("ace", "duffer"), f"{number:032x}", 0, number))
    row = judged(games)["hex", "ace"]
    assert (row.mistakes, row.flawless) == (0, 3)
    assert row.rate is not None
    assert row.mean_regret is not None
    assert row.rate.value == row.mean_regret.value == 0
    assert row.rate.high > 0.2
    assert 0 < row.mean_regret.high <= 2


def test_what_cannot_be_judged_is_left_out_and_named(cramped: type[PlainSolver]) -> None:
    large = played_game(load("hex", TOO_LARGE), list(range(2)), ("a", "b"), "1" * 32, 0)
    large = replace(large, record=replace(large.record, ending=Ending("time", 0),
                                          result=(-1.0, 1.0)))  # fmt: skip
    damaged = replace(large, pair="2" * 32, record=replace(large.record, game="go"))
    cramped.most_moves = 4
    found = Mistakes()
    found.add_all([*random_games(small("hex", "hex:3"), ("a", "b"), 2), large, damaged])
    assert found.n_games == 4
    (contest,) = found.contests
    assert contest.board == "hex:3"
    assert [each.board for each in found.left_out] == [TOO_LARGE]
    assert found.unread.total() == 1
    assert "go" in next(iter(found.unread))
    for row in found.rows(contest):
        assert row.unjudged > 0


def test_forfeited_games_are_judged_as_far_as_they_went() -> None:
    game = small("hex", "hex:2")
    record = Record.of(game, ["a1", "b2"], ("a", "b"), ending=Ending("crash", 0))
    played = replace(played_game(game, [0, 3, 1, 2], ("a", "b"), "0" * 32, 0), record=record)
    rows = judged([replace(played, move_seconds=(0.1, 0.1))])
    assert (rows["hex", "a"].mistakes, rows["hex", "a"].thrown) == (1, 0)
    assert (rows["hex", "b"].mistakes, rows["hex", "b"].thrown) == (1, 0)


def test_only_the_game_that_is_asked_for_is_judged() -> None:
    assert {name for name, _ in judged(some_games(), game="influence")} == {"influence"}


def test_a_stopped_count_keeps_what_is_done() -> None:
    stop, games = Event(), some_games()
    found = Mistakes(stop=stop)
    found.add_all(games[:5])
    stop.set()
    found.add_all(games[5:])
    assert (found.n_games, found.is_complete) == (5, False)


# `topple report --mistakes`.


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    large = load("hex", TOO_LARGE)
    with open_store("results.db") as file:
        file.add([*some_games(), *random_games(large, ("random", "greedy"), 1)])
    return tmp_path / "results.db"


class Cells(HTMLParser):
    """The rows of all tables of a page, and everything that is said."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th") and self.rows:
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += f"{data} "


def test_the_report_counts_mistakes(store: Path) -> None:
    out = printed("report", "results.db", "--mistakes", "--format", "svg")
    assert_fits_80_columns(out)
    with open_store(store, read_only=True) as games:
        rows = mistakes(games)
    assert len(rows) == 5
    tables = out.partition("mistakes in hex on hex:3 (from won to lost is a regret of 2)\n")[2]
    assert "mistakes in influence on segment:9 (regret in points)\n" in tables
    assert f"! hex on {TOO_LARGE} is left out: " in tables
    counted = [f"{row.moves} {row.chances} {row.mistakes}" for row in rows]
    listed = [" ".join(line.split()[1:4]) for line in tables.splitlines()]
    assert all(each in listed for each in counted)
    page = Cells(Path("results-report/report.html").read_text("utf-8"))
    cells = [[cell.strip() for cell in row] for row in page.rows]
    for row in rows:
        numbers = [f"{n:,}" for n in (row.games, row.moves, row.unjudged, row.chances,
                                      row.mistakes)]  # fmt: skip
        assert any(each[1:6] == numbers and row.agent in each[0] for each in cells)


def test_the_report_as_json_has_every_figure(store: Path) -> None:
    data = json.loads(printed("report", "results.db", "--mistakes", "--json"))
    with open_store(store, read_only=True) as games:
        rows = {(row.contest.board, row.agent): row for row in mistakes(games)}
    told = {
        (entry["board"], each["agent"]): each
        for entry in data["contests"]
        for each in entry["mistakes"] or ()
    }
    assert told.keys() == rows.keys()
    for key, row in rows.items():
        each = told[key]
        for name in ("unit", "games", "moves", "unjudged", "chances", "mistakes", "regret",
                     "flawless"):  # fmt: skip
            assert each[name] == getattr(row, name)
        assert each["thrown_away"] == row.thrown
        estimates = {"mistakes_per_chance": row.rate, "mean_regret": row.mean_regret}
        for name, estimate in estimates.items():
            if estimate is None:
                assert each[name] is each[f"{name}_interval"] is None
            else:
                assert each[name] == pytest.approx(estimate.value, abs=1e-6)
                assert each[f"{name}_interval"] == pytest.approx(estimate[1:], abs=1e-6)
    judging = data["judging"]
    assert (judging["games"], judging["complete"]) == (38, True)
    assert [each["board"] for each in judging["left_out"]] == [TOO_LARGE]
    plain = json.loads(printed("report", "results.db", "--json"))
    assert "judging" not in plain
    assert all("mistakes" not in entry for entry in plain["contests"])


def interrupted_report(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Ran:
    stopped_at(monkeypatch, 30)
    return topple("report", "results.db", "--mistakes", "--format", "svg", *arguments)


def test_an_interrupted_report_has_what_is_judged(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = interrupted_report(monkeypatch)
    assert ran.status == 130
    assert "topple: stopped when " in ran.err
    assert "mistakes in hex on hex:3" in ran.out
    assert "! judging was stopped after " in ran.out
    assert store.with_name("results-report").joinpath("report.html").exists()


def test_an_interrupted_report_says_so_as_json(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = interrupted_report(monkeypatch, "--json")
    judging = json.loads(ran.out)["judging"]
    assert (ran.status, judging["complete"]) == (130, False)
    assert 0 < judging["games"] < 38


def test_memory_without_mistakes_is_refused(store: Path) -> None:
    ran = topple("report", "results.db", "--memory", "5")
    assert_one_line_refusal(ran)
    assert "--memory is for --mistakes" in ran.err


def test_a_review_of_no_moves_has_no_means() -> None:
    empty = Review(small("hex", "hex:2"), None, ())
    assert empty.summary(0).mean_regret is None
    assert OPENING == 2  # what random_games gives, and is not judged


def saved_hex_game(folder: Path, moves: list[str], opening: int = 0) -> str:
    record = Record.of(load("hex", "hex:2"), moves, opening=opening)
    path = folder / "game.json"
    path.write_text(record.to_json() + "\n")
    return str(path)


def test_a_game_whose_beginning_is_too_large_is_reviewed_from_where_it_is_not(
    plainly: type[PlainSolver], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check(self: PlainSolver, position: package.Position) -> None:
        if len(position.legal_moves()) > 3:
            raise package.Unsupported("four cells are too many")

    monkeypatch.setattr(PlainSolver, "check", check)
    file = saved_hex_game(tmp_path, ["a1", "b2", "b1", "a2"])
    ran = topple("analyse", file, "--mistakes", "--json")
    assert ran.status == 0
    told = json.loads(ran.out)["moves"]
    assert [each["judged"] for each in told] == [False, True, True, True]
    file = saved_hex_game(tmp_path, ["a1"])
    refused = topple("analyse", file, "--mistakes")
    assert refused.status == 2
    assert "four cells are too many" in refused.err


def test_an_interrupted_review_does_not_count_the_opening(
    plainly: type[PlainSolver], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    judge = Oracle.judge

    def interrupted(self: Oracle, position: package.Position, stop: Event) -> Solution:
        asked.append(1)
        if len(asked) == 2:
            signal.raise_signal(signal.SIGINT)
            return replace(judge(self, position), value=Bounds(-1, 1))
        return judge(self, position, stop)

    monkeypatch.setattr(Oracle, "judge", interrupted)
    file = saved_hex_game(tmp_path, ["a1", "b2", "b1", "a2"], opening=1)
    ran = topple("analyse", file, "--mistakes")
    assert ran.status == 130
    assert ran.err.endswith("topple: stopped with the last 1 of 3 moves judged\n")


def test_as_many_moves_are_named_as_fit() -> None:
    game_ = load("hex", "hex:3")
    for n, room, text in (
        (5, 18, "a1, b1, c1, a2, b2"),
        (5, 17, "a1, b1 and 3 more"),
        (5, 16, "a1 and 4 more"),
        (9, 29, "a1, b1, c1, a2, b2 and 4 more"),
        (9, 1, "a1 and 8 more"),
    ):
        assert moves_text(game_, range(n), room) == text
    infexion = load("infexion", "infexion:3")
    assert moves_text(infexion, range(3), 37) == "SPAWN(0, 0); SPAWN(0, 1); SPAWN(0, 2)"
    assert moves_text(infexion, range(3), 36) == "SPAWN(0, 0); SPAWN(0, 1) and 1 more"
