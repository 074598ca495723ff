"""Agents at the command line: listed, seated, asked, interrupted, warmed and measured."""

import json
import os
import re
import signal
import sys
import time
from io import StringIO
from pathlib import Path

import pytest

import topple as package
from tests.core.command_line import Ran, assert_fits_80_columns, assert_one_line_refusal, topple
from topple import agents
from topple.agents import Agent, Candidate, Decision, Effort, Search
from topple.agents.interface import TIME
from topple.cli.terminal import agent_turn as thinking
from topple.compiling.specialise import Specialised
from topple.core.errors import Resigned, Unsupported
from topple.core.spec import Option
from topple.game.game import Game, load
from topple.game.position import Position
from topple.game.record import Record
from topple.nets.shelf import shipped_nets
from topple.rules.interface import apply


class Counting(Agent):
    """Plays the move of a given number, after so many steps of nothing."""

    NAME = "counting"
    SUMMARY = "take the move of a given number"
    OPTIONS = (
        Option("number", 0, int, "which of the legal moves", least=0, most=1000),
        Option("steps", 1, int, "how long to count", least=1, most=10**12),
        Option("note", "", str, "anything"),
        TIME,
    )
    MOST_PLAYERS = 2

    def search(self, position: Position, seed: int, memory: object = None) -> Search:
        """Begin to count."""
        return CountingSearch(position, self.options)


class CountingSearch(Search):
    """Counts."""

    def __init__(self, position: Position, options: dict[str, int]) -> None:
        self.moves, self.options, self.n_steps = position.legal_moves(), options, 0

    @property
    def is_done(self) -> bool:
        """Whether it has counted far enough."""
        return self.n_steps >= self.options["steps"]

    def advance(self, n: int) -> None:
        """Count on."""
        n = min(n, self.options["steps"] - self.n_steps)
        self.n_steps += n
        time.sleep(n * 1e-6)

    def decision(self) -> Decision:
        """The move of the given number, a bound for the next one and a proof for a third."""
        first = self.options["number"] % len(self.moves)
        moves = [*self.moves[first:], *self.moves[:first]]
        candidates = (
            Candidate(moves[0], 0.25, 3, 0.75, (-0.5, 0.5)),
            Candidate(moves[1 % len(moves)], -2000.0, 1, 0.25, exact=False),
            Candidate(moves[2 % len(moves)], -1.0, proven="lost"),
        )
        effort = Effort(self.n_steps, depth=2)
        return Decision(moves[0], 0.25, candidates, tuple(moves[:2]), effort)


KNOWN = dict(agents._classes)


@pytest.fixture(autouse=True)
def counting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two agents are enough here: one that draws, one that counts."""
    known = {name: agents._classes[name] for name in ("random", "uct")}
    monkeypatch.setattr(agents, "_classes", {**known, "counting": Counting})


@pytest.fixture
def everyone(monkeypatch: pytest.MonkeyPatch) -> None:
    """All agents, beside the one that counts."""
    monkeypatch.setattr(agents, "_classes", {**KNOWN, "counting": Counting})


def printed(*arguments: str, typed: str = "") -> str:
    """What a command prints that has no trouble."""
    ran = topple(*arguments, typed=typed)
    assert ran.status == 0, ran
    if "--json" not in arguments:
        assert_fits_80_columns(ran.out)
    return ran.out


# Listed.


def test_agents_are_listed_with_options_and_evaluations() -> None:
    out = printed("agents")
    assert "counting: take the move of a given number\n" in out
    assert all(f"\n{name}: " in out[out.index("Networks") :] for name in shipped_nets())
    assert "    number=0 (0 to 1,000): which of the legal moves\n" in out
    assert out.index("\nhex\n") > out.index("Evaluations")
    assert "    none: 0 in every position that is not over\n" in out


def test_agents_as_json() -> None:
    listed = json.loads(printed("agents", "--json"))
    assert set(listed) == {"agents", "bridges", "nets", "evaluations", "features"}
    assert [net["name"] for net in listed["nets"]] == list(shipped_nets())
    assert {"game": "hex", "board": "hexes", "players": 2}.items() <= listed["nets"][1].items()
    mine = listed["agents"][-1]
    assert (mine["name"], mine["summary"]) == (Counting.NAME, Counting.SUMMARY)
    assert [option["name"] for option in mine["options"]] == ["number", "steps", "note", "time"]
    for game, evaluations in listed["evaluations"].items():
        for evaluation in evaluations:
            assert len(evaluation["weights"]) in (0, len(listed["features"][game]))


# Seated.


def test_an_agent_takes_a_seat(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    out = printed("play", "hex", "counting:number=4", "counting", "--board", "hex:3",
                  "--quiet", "--save", str(file))  # fmt: skip
    assert "Blue counting:number=4, Red counting\n1. Blue plays b2\n2. Red plays a1\n" in out
    record = Record.from_json(file.read_text())
    assert record.players == ("counting:number=4", "counting")
    assert topple("replay", str(file)).status == 0


def test_the_seats_have_seeds_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[int] = []
    search = Counting.search

    def noted(self: Counting, position: Position, seed: int, memory: object = None) -> Search:
        seeds.append(seed)
        return search(self, position, seed, memory)

    monkeypatch.setattr(Counting, "search", noted)
    game = ("play", "hex", "counting", "counting", "--board", "hex:2", "--quiet", "--seed", "5")
    printed(*game)
    first = seeds.copy()
    assert len(set(first)) == len(first) > 1
    printed(*game)
    assert seeds == first * 2


def test_taking_back_makes_agents_forget(monkeypatch: pytest.MonkeyPatch) -> None:
    memories: list[object] = []
    search = Counting.search

    def noted(self: Counting, position: Position, seed: int, memory: object = None) -> Search:
        memories.append(memory)
        return search(self, position, seed, memory)

    monkeypatch.setattr(Counting, "search", noted)
    monkeypatch.setattr(CountingSearch, "memory", lambda self: "much")
    printed("play", "hex", "human", "counting", "--board", "hex:3", "--quiet",
            typed="b2\nc3\nundo\nc3\n")  # fmt: skip
    assert memories == [None, "much", None]


@pytest.mark.parametrize(
    ("players", "words"),
    [
        (("hex", "countin:steps=2"), "did you mean 'counting'?"),
        (("hex", "counting:step=2"), "did you mean 'steps'?"),
        (("hex", "counting:steps=0"), "steps=0 is too small"),
        (("hex", "counting:note"), "a part without a value"),
        (("hex", "human:steps=2"), "a person has no options"),
        (("hex", f"counting:note={'x' * 300}"), "does not fit into a record"),
        (("chain-reaction:players=3", "counting"), "counting is for 2 players"),
        (("chain-reaction:players=3", "human", "counting"), "counting is for 2 players"),
    ],
)
def test_who_cannot_play_is_refused_before_the_game(players: tuple[str, ...], words: str) -> None:
    ran = topple("play", *players)
    assert_one_line_refusal(ran)
    assert words in ran.err
    assert ran.out == ""


def test_a_saved_game_goes_on_with_an_agent(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    printed("play", "hex", "--board", "hex:3", "--save", str(file), typed="b2\n")
    out = printed("play", "--load", str(file), "counting:number=1", "random", "--quiet")
    assert "Blue counting:number=1, Red random" in out


def test_an_agent_that_cannot_play_a_loaded_game_is_answered(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    printed("play", "chain-reaction:players=3", "--board", "grid:2x2", "--save", str(file))
    ran = topple("play", "hex", "human", "counting", "--board", "hex:3", typed=f"load {file}\n")
    assert ran.status == 0
    assert "counting is for 2 players, and chain-reaction:players=3 has 3\n" in ran.out


# Asked at the board.


def test_a_hint_names_the_best_moves() -> None:
    game = ("play", "hex", "--board", "hex:3", "--quiet")
    out = printed(*game, typed="hint counting:number=4\n")
    assert "b2      +0.250  -0.500 to +0.500  75.0%\n" in out
    assert "expected: b2, c2\n" in out
    assert out.endswith("not over after 0 moves: Blue to move\n")


def test_a_hint_by_a_network_tells_priors_and_the_win_chance(everyone: None) -> None:
    game = ("play", "hex", "--board", "hex:4", "--quiet")
    out = printed(*game, typed="hint policy\n")
    assert re.search(r"move +value +prior\n", out)
    assert re.search(r"\nwin chance: \d+%\n", out)


@pytest.mark.parametrize(
    "spec", ["puct:iterations=20", "policy", "alphabeta:depth=1,evaluation=net"]
)
def test_an_analysis_by_a_network_tells_the_win_chance(everyone: None, spec: str) -> None:
    out = printed("analyse", "hex", "--board", "hex:4", "--agent", spec, "--seed", "1")
    chance = re.search(r" plays \w+: ([+-][\d.]+), a win chance of (\d+)%\n", out)
    assert chance is not None
    percent = float(chance[1]) if "evaluation" in spec else 100 * float(chance[1])
    assert abs(int(chance[2]) - (100 + percent) / 2) < 1
    assert ("prior" in out) == ("evaluation" not in spec)


@pytest.mark.parametrize(
    ("game", "board", "asked"),
    [
        ("hex", "hex:3", "puct:iterations=400"),
        ("influence", "segment:5", "uct:iterations=10000"),
        ("chain-reaction:players=3", "grid:2x2", "uct:iterations=10000"),
    ],
)
def test_an_analysis_asks_a_network_where_one_is_shipped(
    everyone: None, game: str, board: str, asked: str
) -> None:
    answers = json.loads(printed("analyse", game, "--board", board, "--seed", "1", "--json"))
    assert [each["agent"] for each in answers["answers"]] == [asked]


def test_a_hint_needs_no_agent() -> None:
    out = printed("play", "hex", "--board", "hex:2", "--quiet", typed="hint\n")
    assert "simulations/s)\n" in out


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("hint countin", "unknown player 'countin': did you mean 'counting'?"),
        ("hint human", "'human': a person has no options"),
        ("b1\na1\na2\nhint counting", "the game is over: Blue wins"),
    ],
)
def test_a_hint_that_cannot_be_given_is_answered(typed: str, answer: str) -> None:
    out = printed("play", "hex", "human", "human", "--board", "hex:2", "--quiet",
                  typed=f"{typed}\nquit\n")  # fmt: skip
    assert f"\n{answer}" in out


# Asked about a position.


def analysed(*arguments: str) -> dict[str, object]:
    """An analysis as data."""
    found = json.loads(printed("analyse", *arguments, "--seed", "1", "--json"))
    assert isinstance(found, dict)
    return found


def test_an_analysis_is_a_table() -> None:
    out = printed("analyse", "hex", "--board", "hex:3", "--agent", "counting", "--seed", "7")
    assert out.startswith("Hex on hex:3, seed 7\n    a b c\n")
    assert "\nBlue to move\n\ncounting plays a1: +0.250\n" in out
    assert out.splitlines()[-6:-1] == [
        "move     value  95% interval      share  proven",
        "a1      +0.250  -0.500 to +0.500  75.0%",
        "b1    ≤ -2,000                    25.0%",
        "c1      -1.000                           lost",
        "expected: a1, b1",
    ]
    assert out.splitlines()[-1].startswith("effort: 1 simulations, depth 2 in ")


def test_an_analysis_lists_as_many_moves_as_wanted() -> None:
    out = printed("analyse", "hex", "--agent", "counting", "--moves", "1")
    assert "\nb1 " not in out
    assert "… and 2 more\n" in out


def test_an_analysis_as_json() -> None:
    found = analysed("hex", "--board", "hex:3", "--agent", "counting:number=4,steps=5")
    answers = found.pop("answers")
    assert found == {
        "game": "hex", "board": "hex:3", "position": ".../.../... Blue", "player": "Blue",
        "seed": 1,
    }  # fmt: skip
    assert isinstance(answers, list)
    answer = answers[0]
    seconds = answer["effort"].pop("seconds")
    assert seconds > 0
    assert answer["effort"] == {"simulations": 5, "nodes": 0, "depth": 2}
    assert (answer["agent"], answer["interrupted"]) == ("counting:number=4,steps=5", False)
    assert (answer["move"], answer["variation"]) == ("b2", ["b2", "c2"])
    assert answer["candidates"][0] == {
        "move": "b2", "value": 0.25, "exact": True, "interval": [-0.5, 0.5], "visits": 3,
        "share": 0.75, "prior": None, "proven": None,
    }  # fmt: skip


def test_several_agents_answer_one_after_another() -> None:
    out = printed("analyse", "hex", "--agent", "counting:number=2", "--agent", "random")
    assert out.index("counting:number=2 plays c1") < out.index("random plays ")


def test_the_same_seed_gives_the_same_answer() -> None:
    def found(seed: str) -> str:
        return printed("analyse", "hex", "--agent", "random", "--seed", seed).partition("plays ")[2]

    assert found("1").splitlines()[0] == found("1").splitlines()[0] != found("4").splitlines()[0]


def test_a_position_may_be_given_as_text() -> None:
    position = "A1,A1,A1,B1 A 2"
    options = ("--board", "grid:2x2", "--position", position, "--agent", "counting")
    for game in (("chain-reaction",), ("--game", "chain-reaction")):
        assert analysed(*game, *options)["position"] == position


def save_game(path: Path) -> Record:
    """A finished game, saved."""
    record = Record.of(load("hex", "hex:2"), ["b1", "a1", "a2"])
    path.write_text(record.to_json() + "\n")
    return record


def test_a_saved_game_is_analysed_where_it_was_not_over(tmp_path: Path) -> None:
    positions = list(save_game(tmp_path / "game.json").positions())
    file = str(tmp_path / "game.json")
    assert analysed(file, "--agent", "random")["position"] == positions[-2].text
    for ply in (0, 1, 2):
        at_ply = analysed(file, "--agent", "random", "--ply", str(ply))
        assert at_ply["position"] == positions[ply].text
    out = printed("analyse", file, "--agent", "random", "--ply", "1")
    assert out.startswith("Hex on hex:2 after 1 move, seed ")


REFUSED = {
    "nothing": ((), "name one game, or one file"),
    "a game and a file": (("game.json", "--game", "hex"), "name one game, or one file"),
    "an unknown game": (("hexx",), "did you mean 'hex'?"),
    "a missing file": (("missing.json",), "missing.json: No such file or directory"),
    "a damaged file": (("damaged.json",), "damaged.json line 1: the record is not JSON"),
    "a ply of no game": (("hex", "--ply", "2"), "--ply is for saved games"),
    "a ply behind the end": (("game.json", "--ply", "4"), "--ply is at most 3"),
    "a ply where the game is over": (("game.json", "--ply", "3"), "the game is over: Blue wins"),
    "a board for a saved game": (("game.json", "--board", "hex:3"), "a saved game has its own"),
    "a text that is no position": (
        ("hex", "--board", "hex:2", "--position", "XX Red"), "2 rows of 2",
    ),
    "a position that is over": (
        ("hex", "--board", "hex:2", "--position", "XO/X. Red"), "the game is over: Blue wins",
    ),
    "an unknown agent": (("hex", "--agent", "countin"), "did you mean 'counting'?"),
    "an unknown option": (("hex", "--agent", "counting:step=1"), "did you mean 'steps'?"),
    "an unknown evaluation": (("hex", "--agent", "uct:evaluation=magic"), "evaluation of hex"),
    "too many players": (("chain-reaction:players=3", "--agent", "counting"), "is for 2 players"),
    "no move": (("hex", "--moves", "0"), "invalid value for '--moves'"),
}  # fmt: skip


@pytest.mark.parametrize(("arguments", "words"), REFUSED.values(), ids=REFUSED.keys())
@pytest.mark.usefixtures("everyone")
def test_an_analysis_is_refused_on_one_line(
    arguments: tuple[str, ...], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    save_game(tmp_path / "game.json")
    (tmp_path / "damaged.json").write_text("{]\n")
    ran = topple("analyse", *arguments)
    assert_one_line_refusal(ran)
    assert words in ran.err
    assert ran.out == ""


# Watched.


@pytest.mark.parametrize("is_terminal", [True, False])
def test_a_terminal_shows_what_an_agent_thinks(
    is_terminal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: is_terminal)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(thinking, "PATIENCE", 0)
    position = load("hex", "hex:3").start()
    decisions = Counting(number=4, steps=300_000).think(position)
    assert thinking.decide(position, decisions).effort.simulations == 300_000
    assert ("Blue thinks: b2 (+0.250) after " in stream.getvalue()) == is_terminal


# Interrupted.


def interrupt(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Ran:
    """Run a command that hears Ctrl-C during a long count."""
    advance = CountingSearch.advance

    def interrupted(self: CountingSearch, n: int) -> None:
        n_before = self.n_steps
        advance(self, n)
        if n_before <= 1000 < self.n_steps:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(CountingSearch, "advance", interrupted)
    return topple(*arguments)


LONG = "counting:number=1,steps=1000000000"


def test_an_interrupted_analysis_gives_the_best_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    ran = interrupt(monkeypatch, "analyse", "hex", "--agent", LONG, "--agent", "random")
    assert (ran.status, ran.err) == (130, "topple: interrupted\n")
    assert f"{LONG} plays b1" in ran.out
    assert "random plays" not in ran.out
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interrupted_analysis_says_so_as_json(monkeypatch: pytest.MonkeyPatch) -> None:
    ran = interrupt(monkeypatch, "analyse", "hex", "--agent", LONG, "--json")
    assert ran.status == 130
    (answer,) = json.loads(ran.out)["answers"]
    assert answer["interrupted"] is True
    assert 1000 < answer["effort"]["simulations"] < 10**9


def test_an_interrupted_agent_ends_the_game_which_is_saved(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "game.json"
    ran = interrupt(monkeypatch, "play", "hex", "random", LONG, "--quiet", "--save", str(file))
    assert ran.status == 130
    assert ran.err == "topple: interrupted\n"
    assert len(Record.from_json(file.read_text()).moves) == 1


def test_an_agent_that_resigns_is_an_answer_and_no_bad_input(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def resign(self: CountingSearch, n: int) -> None:
        raise Resigned("enough")

    monkeypatch.setattr(CountingSearch, "advance", resign)
    asked = ("analyse", "hex", "--board", "hex:2", "--seed", "1", "--agent", "counting")
    assert printed(*asked, "--agent", "random").count("\ncounting resigns\n\nrandom plays ") == 1
    first, second = json.loads(printed(*asked, "--agent", "random", "--json"))["answers"]
    assert first == {"agent": "counting", "interrupted": False, "resigns": True}
    assert second["agent"] == "random"


# Compiled ahead.


def test_an_agent_is_compiled_before_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Counting, "KERNELS", (apply,))
    monkeypatch.setattr(Counting, "warm", lambda self, game: print(f"{self.NAME} is warm"))
    monkeypatch.setattr(Specialised, "is_warm", lambda self, kernel: kernel is not apply)
    ran = topple("play", "hex", "counting", "random", "--board", "hex:2", "--quiet")
    announced = "topple: compiling hex for this machine (once) …\n"
    assert announced in ran.err
    before_the_game, _, _ = ran.out.partition("Hex on hex:2")
    assert set(before_the_game.splitlines()) == {"counting is warm"}


def test_warmup_takes_agents_that_can_play(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Counting, game: Game) -> None:
        raise Unsupported("not here")

    topple("warmup", "hex")
    monkeypatch.setattr(Counting, "check_game", refuse)
    assert topple("warmup", "hex").status == 0
    assert_one_line_refusal(topple("warmup", "hex", "--agent", "counting"))
    assert_one_line_refusal(topple("warmup", "hex", "--agent", "countin"))


def test_warmup_warms_the_agents_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    (alone,) = json.loads(printed("warmup", "hex", "--agent", "random", "--json"))
    (with_uct,) = json.loads(printed("warmup", "hex", "--agent", "uct", "--json"))
    n_kernels = with_uct["compiled"] + with_uct["warm"]
    assert n_kernels == alone["compiled"] + alone["warm"] + len(package.agent("uct").KERNELS)
    (again,) = json.loads(printed("warmup", "hex", "--agent", "uct", "--json"))
    assert (again["compiled"], again["warm"]) == (0, n_kernels)


def double(number: int, done: object) -> int:
    """Work for a process."""
    assert callable(done)
    done(f"half of {2 * number}")
    return 2 * number


def die(number: int, done: object) -> int:
    """Work that ends its process."""
    os._exit(1)


def refuse_work(number: int, done: object) -> int:
    """Work that cannot be done."""
    raise Unsupported(f"{number} is too much")


def test_processes_answer_in_order_and_report() -> None:
    from topple.core.processes import in_processes

    reports: list[str] = []
    assert in_processes(double, [3, 1, 2], 2, reports.append) == [6, 2, 4]
    assert sorted(reports) == ["half of 2", "half of 4", "half of 6"]


def test_a_process_that_fails_is_no_riddle() -> None:
    from topple.core.processes import in_processes

    with pytest.raises(package.ToppleError, match="1 is too much"):
        in_processes(refuse_work, [1], 1, print)
    with pytest.raises(package.ToppleError, match="ended before its work was done"):
        in_processes(die, [1], 1, print)


# Measured.


def test_bench_search_sets_two_threads_beside_one(monkeypatch: pytest.MonkeyPatch) -> None:
    from topple.bench import searches as bench_search

    monkeypatch.setattr(bench_search, "SIMULATIONS", 20)
    two, one, ratio = json.loads(
        printed("bench", "search", "--only", "threads", "--seconds", "0.01", "--json")
    )
    assert (two["agent"], one["agent"]) == ("uct:iterations=200,threads=2", "uct:iterations=200")
    assert (two["unit"], ratio["unit"]) == ("simulations/s", "ratio")
    assert ratio["figure"] == pytest.approx(two["figure"] / one["figure"], rel=0.01)


def test_bench_search_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    from topple.bench import searches as bench_search

    monkeypatch.setattr(bench_search, "SIMULATIONS", 20)
    monkeypatch.setattr(bench_search, "find_spec", lambda name: None)
    out = printed("bench", "search", "--only", "hex-11", "--seconds", "0.01")
    assert out.startswith("hex-11: UCT on the empty board of Hex\n")
    assert "simulations/s uct:iterations=20 on hex, hex:11\n" in out
    assert_one_line_refusal(topple("bench", "search", "--only", "hex"))


def test_the_measured_network_has_24_vertices_and_70_edges() -> None:
    from topple.bench.searches import MIDDLE, NETWORK
    from topple.game.game import random_position

    game = load("spread-it", NETWORK)
    assert (game.board.n_vertices, game.board.n_edges) == (24, 70)
    assert not random_position(game, MIDDLE, seed=1).is_over


def test_the_best_run_of_each_contender_counts() -> None:
    from topple.bench.searches import SearchBenchmark, run_benchmark

    class Scripted:
        """Measures what it is told."""

        label = "scripted"

        def __init__(self, unit: str) -> None:
            self.unit = unit

        def describe(self) -> dict[str, object]:
            """Nothing to tell."""
            return {}

        def measure(self, seed: int) -> float:
            """Another figure in each run."""
            return [4.0, 2.0, 8.0][seed]

    benchmark = SearchBenchmark(
        "scripted", "", [Scripted("s"), Scripted("nodes/s")], has_ratio=True
    )
    rows = run_benchmark(benchmark, seconds=0.0)
    assert [(row["figure"], row["unit"]) for row in rows] == [
        (2.0, "s"), (8.0, "nodes/s"), (0.25, "ratio"),
    ]  # fmt: skip
