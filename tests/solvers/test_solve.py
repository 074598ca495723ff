"""`topple solve` as people use it, and topple.solve."""

import json
import re
import signal
from collections import Counter
from pathlib import Path
from typing import Any

import networkx
import pytest

import topple as package
from tests.core.command_line import (
    assert_fits_80_columns,
    assert_one_line_refusal,
    assert_refused_without_a_trace,
    topple,
)
from tests.solvers.plain_solver import PlainSolver, PlainSolving, reference
from topple.cli.terminal import long_search as solving
from topple.cli.views import solution_plots
from topple.cli.views.solution import cells_with_values
from topple.cli.views.solution_plots import best_on_vertices, irregular, plot_sequence
from topple.core.errors import BadText, Unsupported
from topple.game.game import load
from topple.present.boards.drawing import picture
from topple.present.colours import diverging
from topple.solvers import POINTS, RESULT, Bounds, MoveValue, Solution, check_solvable, find_solver
from topple.solvers import wording as solution_text
from topple.solvers.segments.sequence import SequenceSolving

pytestmark = pytest.mark.usefixtures("plain_solver")

# The scores of segments of 1 to 38 vertices: Table 1 of the INFLUENCE paper.
LEFT = [-1, 2, 3, 4, 1, 2, 3, 2, 1, 2, 3, 2, 1, 4, 3, 2, 1, 2, 3,
        2, 1, 4, 3, 2, 1, 2, 3, 2, 1, 4, 3, 2, 1, 2, 3, 2, 1, 2]  # fmt: skip
RIGHT = [-1, -2, -3, -4, -5, -2, -1, -2, -3, -2, -1, -2, -3, -4, -3, -2, -3, -2, -3,
         -2, -5, -4, -3, -2, -3, -2, -3, -2, -5, -4, -3, -2, -3, -2, -3, -2, -5, -2]  # fmt: skip


def printed(*arguments: str) -> str:
    """What a command prints for people, in 80 columns."""
    ran = topple("solve", *arguments)
    assert ran.status == 0, ran
    assert_fits_80_columns(ran.out + ran.err)
    return ran.out


def described(*arguments: str) -> dict[str, Any]:
    """What a command prints for programs."""
    ran = topple("solve", *arguments, "--json")
    assert ran.status == 0, ran
    found: dict[str, Any] = json.loads(ran.out)
    return found


# A position for people.


def test_value_best_moves_line_and_effort_are_told() -> None:
    out = printed("hex", "--board", "hex:3").splitlines()
    assert out[0] == "Hex on hex:3, Blue to move: Blue wins"
    assert out[1] == "best moves: c1, a2, b2, c2, a3"
    assert out[2].startswith("best play: c1, ")
    assert out[3].startswith("5,513 positions looked at, 5,513 remembered, in ")
    assert len(out) == 4


def test_the_line_is_best_play_to_the_end() -> None:
    game = load("influence", "segment:9")
    position = game.start()
    for move in described("influence", "--board", "segment:9")["line"]:
        assert move in described(
            "influence", "--board", "segment:9", "--position", position.text
        )["best_moves"]  # fmt: skip
        position = position.play(move)
    assert position.is_over


def test_each_move_is_drawn_on_a_board_of_cells() -> None:
    out = printed("hex", "--board", "hex:3", "--each")
    assert (
        "each move: + wins, − loses\n"
        "    a b c\n"
        " 1  − − +\n"
        "  2  + + +\n"
        "   3  + − −\n"
    ) in out  # fmt: skip


def test_stones_stay_on_the_board_beside_the_values() -> None:
    out = printed("hex", "--board", "hex:3", "--each", "--position", "X../.../... Red")
    assert "Red to move: Red wins\n" in out
    assert "    a b c\n 1  X − −\n  2  − + −\n   3  − − −\n" in out


def test_a_given_position_is_shown() -> None:
    out = printed("hex", "--board", "hex:3", "--position", "X../.../... Red")
    assert " 1  X · ·\n" in out
    assert " 1  X · ·\n" not in printed("hex", "--board", "hex:3")


def test_a_move_without_a_place_is_told_below_the_board() -> None:
    out = printed("hex:swap=true", "--board", "hex:2", "--each", "--position", "X./.. Red")
    assert "    a b\n 1  X " in out
    assert "\nswap-pieces loses\n" in out


def test_each_move_of_a_network_is_listed() -> None:
    out = printed("influence", "--board", "segment:10", "--each")
    assert "each move, the lead that it ends in:\n6 +2  8 +2  2 0   4 0   10 0\n" in out


def test_influence_has_scores_of_both_sides() -> None:
    out = printed("influence", "--board", "segment:5")
    assert "\nLs: 1, Rs: −5\n" in out
    rows = [line.split() for line in out.splitlines() if line.startswith(("Left", "Right"))]
    assert rows == [["Left", "3", "0"], ["Right", "5", "2"]]


def test_draws_are_told() -> None:
    assert ", Left to move: draw\n" in printed("influence", "--board", "ring:10")


def test_a_long_line_is_wrapped() -> None:
    out = printed("influence", "--board", "segment:" + "+".join("2" * 8))
    assert "best play: " in out


# A position for programs.


def test_json_has_all_that_is_known() -> None:
    found = described("hex", "--board", "hex:3", "--each")
    moves = found.pop("moves")
    assert moves == {
        "a1": -1, "b1": -1, "c1": 1, "a2": 1, "b2": 1, "c2": 1, "a3": 1, "b3": -1, "c3": -1,
    }  # fmt: skip
    assert found.pop("seconds") > 0
    assert found.pop("line")[0] == "c1"
    assert found == {
        "game": "hex", "board": "hex:3", "position": ".../.../... Blue", "player": "Blue",
        "unit": "result", "value": 1, "bounds": [1, 1],
        "best_moves": ["c1", "a2", "b2", "c2", "a3"], "positions": 5513, "nodes": 5513,
        "limit": None,
    }  # fmt: skip


@pytest.mark.parametrize("n", range(1, 17))
def test_segments_have_the_scores_of_the_paper(n: int) -> None:
    found = described("influence", "--board", f"segment:{n}")
    assert (found["Ls"], found["Rs"]) == (LEFT[n - 1], RIGHT[n - 1])
    assert (found["Ls_bounds"], found["Rs_bounds"]) == ([LEFT[n - 1]] * 2, [RIGHT[n - 1]] * 2)
    assert found["s1"] == {"Left": (n + LEFT[n - 1]) // 2, "Right": (n - RIGHT[n - 1]) // 2}
    assert found["s2"] == {"Left": (n + RIGHT[n - 1]) // 2, "Right": (n - LEFT[n - 1]) // 2}
    assert found["unit"] == "points"


def test_scores_count_what_is_still_there() -> None:
    board = ("influence", "--board", "segment:5")
    later = described(*board, "--position", "x,x,x,2 Right 3-0")  # R and L are left: L to R
    assert later["value"] == -1  # Right takes both, after three for Left
    assert (later["Ls"], later["Rs"], later["s1"]["Right"]) == (2, -2, 2)


# Limits.


def test_a_time_limit_leaves_bounds() -> None:
    out = printed("influence", "--board", "segment:40", "--time", "0.1")
    assert "Left to move: Left leads by between −40 and 40\n" in out
    assert "\nstopped by the time limit of 0.1 s\n" in out
    assert "\nLs: −40 to 40, Rs: −40 to 40\n" in out
    assert "best move" not in out


def test_a_cut_search_says_so_as_json() -> None:
    found = described("influence", "--board", "segment:40", "--time", "0.1")
    assert (found["Ls"], found["Ls_bounds"], found["limit"]) == (None, [-40, 40], "time")
    assert (found["value"], found["bounds"], found["best_moves"]) == (None, [-40, 40], [])
    assert found["s1"] == {"Left": None, "Right": None}
    assert found["s1_bounds"]["Left"] == [0, 40]
    assert found["moves"]["2"] == [-40, 40]


def test_a_memory_limit_leaves_bounds() -> None:
    out = printed("hex", "--board", "hex:4", "--memory", "1", "--each")
    assert "Blue to move: not known who wins\n" in out
    assert "\nstopped by the memory limit of 1 MB: --memory allows more\n" in out
    assert "each move: ? not proven\n" in out


def interrupted(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Any:
    """A command that hears Ctrl-C once two moves of three are solved."""
    advance = PlainSolving.advance

    def interrupting(self: PlainSolving, n: int) -> None:
        advance(self, min(n, 50))
        if len(self.values) == 5:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(PlainSolving, "advance", interrupting)
    return topple("solve", *arguments)


def test_ctrl_c_shows_what_is_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    ran = interrupted(monkeypatch, "hex", "--board", "hex:3", "--each")
    assert (ran.status, ran.err) == (130, "topple: interrupted\n")
    assert "Blue to move: Blue wins\ninterrupted\n" in ran.out  # c1 is proven to win
    assert "each move: + wins, − loses, ? not proven\n    a b c\n 1  − − +\n" in ran.out
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_as_json(monkeypatch: pytest.MonkeyPatch) -> None:
    ran = interrupted(monkeypatch, "hex", "--board", "hex:3", "--json")
    found = json.loads(ran.out)
    assert (ran.status, found["limit"], found["value"]) == (130, "interrupt", 1)


# Words.


@pytest.mark.parametrize(
    ("unit", "bounds", "words"),
    [
        (RESULT, (1, 1), "Blue wins"), (RESULT, (-1, -1), "Red wins"), (RESULT, (0, 0), "draw"),
        (RESULT, (0, 1), "Blue at least draws"), (RESULT, (-1, 0), "Red at least draws"),
        (RESULT, (-1, 1), "not known who wins"), (POINTS, (2, 2), "Blue leads by 2"),
        (POINTS, (-3, -3), "Red leads by 3"), (POINTS, (0, 0), "draw"),
        (POINTS, (-2, 4), "Blue leads by between −2 and 4"),
    ],
)  # fmt: skip
def test_values_in_words(unit: str, bounds: tuple[int, int], words: str) -> None:
    from topple.solvers import Solution

    position = load("hex", "hex:3").start()
    solution = Solution(position, unit, Bounds(*bounds), (), (), 0, 0)
    assert solution_text.outlook(solution) == words


@pytest.mark.parametrize(
    ("bounds", "words"),
    [((1, 1), "wins"), ((0, 0), "draws"), ((-1, -1), "loses"), ((0, 1), "at least draws"),
     ((-1, 0), "at most draws"), ((-1, 1), "not known")],
)  # fmt: skip
def test_moves_in_words(bounds: tuple[int, int], words: str) -> None:
    assert solution_text.move_value_text(Bounds(*bounds), RESULT) == words


# Progress.


def test_a_short_search_is_quiet() -> None:
    assert topple("solve", "hex", "--board", "hex:2").err == ""


# Refusals.


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["hexx"], "did you mean 'hex'"),
        (["hex", "--board", "hex:99"], "n=99 is too large"),
        (["hex", "--board", "hex:2", "--position", "XO/X. Red"],
         "there is nothing to solve, the game is over: Blue wins: top and bottom are joined"),
        (["hex", "--position", "nonsense"], "write a Hex position as rows"),
        (["hex", "--board", "hex:11"], "are feasible): give --time for bounds"),
        (["chain-reaction:players=3"], "exact play is for 2 players"),
        (["chain-reaction:players=3", "--time", "1"], "exact play is for 2 players"),
        (["hex", "--time", "0"], "--time"),
        (["hex", "--time", "nan"], "--time"),
        (["hex", "--time", "soon"], "--time"),
        (["hex", "--memory", "0"], "--memory"),
        (["hex", "--memory", "2000000"], "--memory"),
        (["hex", "--plot", "board.gif"], "unknown picture ending '.gif'"),
        (["hex", "--plot", "none/board.svg"], "there is no folder none"),
        (["hex", "--thermograph", "t.svg"], "thermographs are for influence, not for hex"),
        (["influence", "--thermograph", "t.txt"], "unknown picture ending '.txt'"),
        (["hex", "--segments", "9"], "--segments is for influence alone"),
        (["influence:first=right", "--segments", "9"], "--segments is for influence alone"),
        (["influence", "--segments", "9", "--board", "ring:9"], "asks for all boards at once"),
        (["influence", "--segments", "9", "--position", "x"], "asks for all boards at once"),
        (["influence", "--segments", "9", "--time", "1"], "asks for all boards at once"),
        (["influence", "--segments", "9", "--each"], "asks for all boards at once"),
        (["influence", "--segments", "9", "--graphs", "2"], "asks for all boards at once"),
        (["influence", "--segments", "9", "--thermograph", "t.svg"], "asks for all boards"),
        (["influence", "--segments", "9", "--plot", "p.txt"], "unknown picture ending '.txt'"),
        (["influence", "--segments", "0"], "--segments"),
        (["hex", "--graphs", "3"], "--graphs is for spread-it alone"),
        (["spread-it", "--graphs", "7"], "--graphs"),
        (["spread-it", "--graphs", "3", "--plot", "p.svg"], "beside it stand --json alone"),
        (["spread-it", "--graphs", "3", "--checkpoint", "c"], "beside it stand --json alone"),
    ],
    ids=lambda part: " ".join(part) if isinstance(part, list) else "",
)  # fmt: skip
def test_what_cannot_be_done_is_refused_on_one_line(
    arguments: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert_refused_without_a_trace(["solve", *arguments], tmp_path)
    assert words in topple("solve", *arguments).err


def test_a_machine_without_the_memory_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_much(self: PlainSolver, *rest: object) -> None:
        raise MemoryError

    monkeypatch.setattr(PlainSolver, "__init__", too_much)
    ran = topple("solve", "hex", "--board", "hex:2", "--memory", "9000")
    assert_one_line_refusal(ran)
    assert "this machine does not have 9,000 MB: give less --memory" in ran.err


# Pictures.


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_a_picture_of_the_values_is_written(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path(f"board.{ending}")
    out = printed("hex", "--board", "hex:2", "--plot", str(path))
    assert out.splitlines()[-1] == f"picture: {path}"
    begins = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[ending]
    assert path.read_bytes().startswith(begins)
    assert "each move: + wins" in out  # a picture needs the value of every move


def marks_of(game: str, board: str, position: str | None = None) -> list[solution_plots.Mark]:
    """The marks in the picture of a small position."""
    loaded = load(game, board)
    place = loaded.start() if position is None else loaded.position(position)
    solving_it = PlainSolver(loaded).begin(place)
    solving_it.advance(10**6)
    return solution_plots.value_marks(solving_it.solution())


def test_a_picture_reads_without_colour() -> None:
    marks = marks_of("hex", "hex:3", "X../.../... Red")
    assert [mark.text for mark in marks] == ["X", "−", "−", "−", "+", "−", "−", "−", "−"]
    assert [mark.is_bold for mark in marks].index(True) == 4
    assert marks[4].fill != marks[1].fill != marks[0].fill


def test_points_are_shaded_from_the_worst_to_the_best() -> None:
    marks = marks_of("influence", "segment:10")
    shown = {vertex + 1: mark.text for vertex, mark in enumerate(marks) if mark.text != "R"}
    assert shown == {2: "0", 4: "0", 6: "+2", 8: "+2", 10: "0"}
    assert marks[5].fill == diverging(1.0)
    assert marks[1].fill == diverging(-1.0)


@pytest.mark.parametrize(
    ("game", "board"),
    [("chain-reaction", "torus:3x3"), ("infexion", "infexion:3"), ("spread-it", "star:5"),
     ("influence", "random-digraph:n=9,m=10,seed=2"), ("hex", "hex:4")],
)  # fmt: skip
def test_every_kind_of_board_can_bear_values(game: str, board: str) -> None:
    loaded = load(game, board)
    unsolved = PlainSolver(loaded).begin(loaded.start()).solution()
    marks = solution_plots.value_marks(unsolved)
    assert "?" in [mark.text for mark in marks]
    svg = picture(loaded.board, "svg", marks, solution_plots.caption(unsolved)).decode()
    assert svg.count("<!-- ? -->") == [mark.text for mark in marks].count("?")


def test_a_board_drawn_for_its_own_sake_is_as_before(tmp_path: Path) -> None:
    board = load("influence", "segment:5").board
    assert picture(board, "svg") == picture(board, "svg", None, None)
    assert b"<!-- L -->" in picture(board, "svg")


# Python.


def test_solve_from_python() -> None:
    game = load("hex", "hex:3")
    solution = package.solve(game.start(), each=True)
    assert isinstance(solution, package.Solution)
    assert (solution.value, solution.limit) == (Bounds(1, 1), None)
    assert [game.move_text(move) for move in solution.best_moves] == ["c1", "a2", "b2", "c2", "a3"]


def test_solve_from_python_with_limits() -> None:
    solution = package.solve(load("hex", "hex:5").start(), time=0.05)
    assert (solution.limit, solution.is_exact) == ("time", False)
    assert package.solve(load("hex", "hex:4").start(), memory=1).limit == "memory"


def test_solve_from_python_refuses() -> None:
    over = load("hex", "hex:2").position("XO/X. Red")
    with pytest.raises(BadText, match="there is nothing to solve, the game is over: Blue wins"):
        package.solve(over)
    with pytest.raises(Unsupported, match="are feasible"):
        package.solve(load("hex", "hex:11").start())
    three = load("chain-reaction", "grid:2x2", players=3)
    with pytest.raises(Unsupported, match="exact play is for 2 players"):
        package.solve(three.start(), time=1)
    with pytest.raises(Unsupported, match="exact play is for 2 players"):
        find_solver(three)
    check_solvable(PlainSolver(over.game), over.game.start())


# Warm-up.


def test_warmup_compiles_what_solves_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    from topple.cli.commands import warmup
    from topple.game.warm_up import RULES, Warming
    from topple.solvers.solver import SolverKernels

    game, solver = load("hex"), SolverKernels(PlainSolver)
    assert solver in warmup.everything(game, None).parts
    assert solver not in warmup.everything(game, ["random"]).parts
    three = load("chain-reaction", "grid:3x3", players=3)
    assert solver not in warmup.everything(three, None).parts

    def kernel_of_its_own() -> None:
        """Not one of the rules."""

    monkeypatch.setattr(PlainSolver, "KERNELS", (kernel_of_its_own,))
    assert Warming(game, (solver,)).kernels() == [*RULES, kernel_of_its_own]


# The score sequence.


def test_the_sequence_is_told_in_columns() -> None:
    out = printed("influence", "--segments", "38")
    assert out.startswith("INFLUENCE on segments, 38 solved\n")
    numbers: dict[str, list[int]] = {"n": [], "Ls": [], "Rs": []}
    for line in out.splitlines():
        head, *rest = line.split() or [""]
        if head in numbers:
            numbers[head] += [int(each.replace("−", "-")) for each in rest]
    assert numbers == {"n": list(range(1, 39)), "Ls": LEFT, "Rs": RIGHT}
    assert "\nConjecture 27 (Ls = 2 for n = 0 mod 4, n > 4): holds up to n = 38\n" in out
    assert re.search(r"\n[0-9,]+ positions looked at, [0-9,]+ remembered, in [0-9.]+ s\n$", out)


def test_the_sequence_as_json() -> None:
    found = described("influence", "--segments", "12")
    assert found.pop("seconds") >= 0
    rows = found.pop("rows")
    assert [(row["n"], row["Ls"], row["Rs"]) for row in rows] == list(
        zip(range(1, 13), LEFT, RIGHT, strict=False)
    )
    assert found.pop("positions") > 0
    assert found.pop("nodes") > 0
    told = found.pop("conjectures")
    assert [sentence.split(" (")[0] for sentence in told] == [
        "Conjecture 25", "Conjecture 26", "Conjecture 27",
    ]  # fmt: skip
    assert found == {"game": "influence", "segments": 12, "limit": None}


def test_the_sequence_is_interrupted_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    advance = SequenceSolving.advance

    def advance_to_five(self: SequenceSolving, n: int) -> None:
        advance(self, 1)
        if len(self.rows()) >= 5:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(SequenceSolving, "advance", advance_to_five)
    kept = tmp_path / "kept"
    ran = topple("solve", "influence", "--segments", "30", "--checkpoint", str(kept))
    assert ran.status == 130
    assert re.match(r"INFLUENCE on segments, ([5-9]|1[0-9]) of 30 solved\n", ran.out)
    assert ran.err == f"topple: interrupted: the same command goes on from {kept}\n"
    refused = topple("solve", "influence", "--board", "segment:9", "--checkpoint", str(kept))
    assert "belongs to influence on all segments, not influence on segment:9" in refused.err


def test_irregular_values_are_those_the_paper_calls_rare() -> None:
    rows = list(zip(range(1, 39), LEFT, RIGHT, strict=True))
    odd = {row for column in (1, 2) for row in irregular(rows, column)}
    rare = {row for row in rows if row[1:] in ((4, -4), (1, -5))}
    assert rare <= odd
    assert {n for n, *_ in odd - rare} == {1, 7, 11}  # the beginning is irregular anyway


def test_the_sequence_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path("sequence.svg")
    out = printed("influence", "--segments", "38", "--plot", str(path))
    assert out.endswith(f"picture: {path}\n")
    assert path.read_text().count("<!-- 30 -->") >= 2
    rows = list(zip(range(1, 39), LEFT, RIGHT, strict=True))
    lines = plot_sequence(rows).axes[0, 0].lines
    assert [list(line.get_ydata()) for line in lines[1:3]] == [LEFT, RIGHT]


def test_a_failed_keeping_is_told_once_and_does_not_end_a_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from topple.solvers.checkpoint import subject_of

    monkeypatch.setattr(solving, "KEEPING", 0.0)
    monkeypatch.setattr(solving, "COST", 0.0)
    told: list[str] = []
    monkeypatch.setattr(solving, "report_line", told.append)
    game = load("hex", "hex:2")
    keeper = solving.Keeper(tmp_path / "none" / "kept", PlainSolver(game), subject_of(game, "x"))
    keeper.keep()
    keeper.keep()
    assert told == [f"{keeper.path} cannot be written: No such file or directory; going on without"]


# Small graphs.


def test_small_graphs_are_told_with_both_loyalties() -> None:
    lines = [line.split() for line in printed("spread-it", "--graphs", "4").splitlines()]
    assert lines[:5] == [
        ["atlas", "edges", "loyalty=zero", "loyalty=full"],
        ["1", "none", "−", "−"],
        ["3", "1-2", "−", "−"],
        ["6", "1-2", "1-3", "Black", "Black"],
        ["7", "1-2", "1-3", "2-3", "Black", "Black"],
    ]
    winners = [tuple(line[-2:]) for line in lines[3:11]]
    for place, loyalty in enumerate(("zero", "full")):
        counts = Counter(each[place] for each in winners)
        told = ", ".join(f"{who} {n}" for who, n in sorted(counts.items()))
        assert f"loyalty={loyalty}: {told}".split() in lines
    assert lines[-1][:2] == ["20", "games"]


def test_small_graphs_have_the_values_of_plain_negamax() -> None:
    found = described("spread-it", "--graphs", "4")
    assert found.pop("seconds") >= 0
    assert found["game"] == "spread-it"
    assert len(found["graphs"]) == 20
    for each in found["graphs"]:
        if each["value"] is None:
            assert each["tokens"] == [0, 0]
            continue
        graph = networkx.Graph(sorted(edge.split("-") for edge in each["edges"].split()))
        board = networkx.Graph()
        board.add_nodes_from(sorted(graph))
        board.add_edges_from(graph.edges)
        expected = reference(load("spread-it", board, loyalty=each["loyalty"]).start())
        assert each["value"] == expected.value.least
        assert each["winner"] == ("draw", "Black", "Red")[each["value"]]
        best = [expected.position.game.move_text(move) for move in expected.best_moves]
        assert each["best"] == best


# Thermographs.


def test_a_thermograph_is_drawn_before_the_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    drawn: list[tuple[str, str]] = []
    monkeypatch.setattr(
        "topple.cli.commands.solve.draw_thermograph",
        lambda position, path: drawn.append((position.text, str(path))),
    )  # fmt: skip
    out = printed("influence", "--board", "segment:4", "--thermograph", "t.svg")
    assert drawn == [("4 Left 0-0", "t.svg")]
    assert out.endswith("thermograph: t.svg\n")


def test_the_limits_of_the_help_are_those_of_the_solvers() -> None:
    from topple.cli.commands import solve
    from topple.solvers import MEMORY, small_graphs
    from topple.solvers.segments import prover

    assert solve.MEMORY == MEMORY
    assert solve.MOST_GRAPH_VERTICES == small_graphs.FEASIBLE
    assert solve.MOST_SEGMENTS == prover.MOST_VERTICES


@pytest.mark.parametrize(
    "arguments",
    [["influence", "--segments", "9", "--each", "--plot", "s.svg"],
     ["spread-it", "--graphs", "3", "--memory", "2"]],
)  # fmt: skip
def test_a_survey_refuses_what_it_would_not_heed(arguments: list[str]) -> None:
    ran = topple("solve", *arguments)
    assert_one_line_refusal(ran)
    assert "asks for all boards at once" in ran.err


def test_a_cell_with_several_moves_shows_the_best_in_a_picture_and_none_in_letters() -> None:
    start = load("infexion", "infexion:3", compiled=False).start()
    position = start.play(start.legal_moves()[0]).play(start.legal_moves()[1])

    def imagined(here: package.Position) -> Solution:
        """The first move wins, the last one loses, the rest draws."""
        legal = here.legal_moves()
        values = [1, *[0] * (len(legal) - 2), -1]
        moves = [MoveValue(m, Bounds(v, v)) for m, v in zip(legal, values, strict=True)]
        return Solution(here, "result", Bounds(1, 1), tuple(moves), (), 1, 1)

    shown = cells_with_values(imagined(start))
    assert shown is not None
    assert (shown[0], shown[1], shown[-1]) == ("+", "=", "−")
    found = imagined(position)
    assert cells_with_values(found) is None
    homes = [position.game.move_vertex(each.move) for each in found.moves]
    best = best_on_vertices(found)
    (busy,) = {home for home in homes if homes.count(home) > 1}
    assert homes[-1] == busy is not None
    assert best[busy] == Bounds(0, 0)
