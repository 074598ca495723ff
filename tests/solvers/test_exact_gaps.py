"""What must hold of exact play and stood unguarded: found by changing the code on purpose."""

import json
import re
import signal
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from threading import Event

import numpy as np
import pytest

import topple
from tests.arena.invented import played_game, random_games
from tests.core import command_line
from tests.solvers.recursive_solver import PlainSolver
from topple import solvers
from topple.arena.statistics.mistakes import Ledger, Mistakes, mistakes
from topple.arena.store.played import PlayedGame
from topple.arena.store.store import open_store
from topple.cli.commands.solve import SolveOptions, print_files
from topple.cli.terminal import long_search as solving
from topple.cli.views.oracle import moves_text
from topple.cli.views.solution import cells_with_values
from topple.cli.views.solution_plots import best_on_vertices
from topple.core.errors import BadText
from topple.game.game import load
from topple.game.record import Record
from topple.kernels.proof.table import find, store
from topple.rules.spread_it.board import LEFT
from topple.solvers import (
    Bounds,
    MoveValue,
    Solution,
    oracle,
)
from topple.solvers.checkpoint import read_checkpoint, subject_of, write_checkpoint
from topple.solvers.hex.solver import HexSolver
from topple.solvers.influence.solver import InfluenceSolver
from topple.solvers.influence.table import is_table
from topple.solvers.oracle import Oracle
from topple.solvers.proof import solver as proof_solver
from topple.solvers.proof.memory import ProofMemory, make_table, most_entries_in
from topple.solvers.proof.solver import ProofSolver, check_size
from topple.solvers.proof.symmetry import automorphisms
from topple.solvers.regret import RegretSummary, review
from topple.solvers.scoring import game, number, parse, value_of
from topple.solvers.scoring.value import DEEPEST, MOST_ENDS, Value
from topple.solvers.segments import solver as segments
from topple.solvers.segments import table as segments_table
from topple.solvers.solver import Arrays, advance_until


@pytest.fixture
def plainly(monkeypatch: pytest.MonkeyPatch) -> type[PlainSolver]:
    """Everything is solved by plain recursion; `most_moves` says how much finds room."""
    monkeypatch.setattr(solvers, "_classes", ["tests.solvers.recursive_solver:PlainSolver"])
    monkeypatch.setattr(PlainSolver, "most_moves", PlainSolver.most_moves)
    return PlainSolver


# -- values --------------------------------------------------------------------------------------


def test_a_value_is_taken_from_a_number_and_not_the_other_way_round() -> None:
    hot = game([3], [-2])
    assert 10 - hot == parse("{12|7}")
    assert hot - 10 == parse("{-7|-12}")
    assert 1 - number(3) == -2


@pytest.mark.parametrize("by", [1, 2, 5])
def test_zugzwang_is_refused_however_small(by: int) -> None:
    with pytest.raises(BadText, match=f"zugzwang: Ls = 0 is less than Rs = {by}"):
        game([0], [by])


def test_a_game_may_be_nested_as_deep_as_is_said_and_no_deeper() -> None:
    def nested(depth: int) -> str:
        return "{" * depth + "0" + "|0}" * depth

    assert parse(nested(DEEPEST)) == 0
    with pytest.raises(BadText, match=f"nested {DEEPEST} deep"):
        parse(nested(DEEPEST + 1))


def test_no_more_ends_are_written_than_there_is_room_for() -> None:
    def tree(depth: int, middle: int) -> Value:
        if depth == 0:
            return number(middle)
        by = 3**depth
        return game([tree(depth - 1, middle + by)], [tree(depth - 1, middle - by)])

    large = tree(9, 0)
    assert large.shape.n_ends == 512 > MOST_ENDS
    ends = re.findall(r"-?\d+|…", str(large))
    assert "…" in ends
    assert len(ends) <= MOST_ENDS


def test_a_negative_tax_is_refused() -> None:
    drawn = game([3], [-1]).thermograph
    assert drawn.left.at(0) == 3
    assert drawn.left.at(Fraction(1, 2)) == Fraction(5, 2)
    with pytest.raises(BadText, match="cannot be negative: -1"):
        drawn.left.at(-1)


def test_as_many_positions_are_valued_as_are_allowed() -> None:
    def fewer(n: int) -> list[int]:
        return [n - 1] if n else []

    assert value_of(9, fewer, fewer, int, most=10) == 0


# -- checkpoints ---------------------------------------------------------------------------------


class Box(PlainSolver):
    """A solver that remembers whatever it is given."""

    arrays: Arrays

    def table(self) -> Arrays:
        """What was given."""
        return self.arrays

    def restore(self, arrays: Arrays) -> None:
        """Take it."""
        self.arrays = arrays


@pytest.mark.parametrize(
    ("n_bytes", "fits"),
    [(1 << 20, True), ((1 << 20) + 800, True), (2 << 20, True), ((2 << 20) + 1, False)],
)
def test_a_table_that_fills_the_memory_finds_room_with_its_counters(
    tmp_path: Path, n_bytes: int, fits: bool
) -> None:
    box = Box(load("hex", "hex:2"), memory=1)
    box.arrays = {"a": np.ones(n_bytes, dtype=np.uint8)}
    subject = subject_of(box.game, "box")
    write_checkpoint(tmp_path / "kept", box, subject)
    box.arrays = {}
    if fits:
        read_checkpoint(tmp_path / "kept", box, subject)
        assert box.arrays["a"].sum() == n_bytes
    else:
        with pytest.raises(BadText, match="needs 3 MB, and 1 are allowed"):
            read_checkpoint(tmp_path / "kept", box, subject)


# -- the oracle ----------------------------------------------------------------------------------


def test_the_oracle_keeps_so_many_answers_and_forgets_the_oldest(
    plainly: type[PlainSolver], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(oracle, "MOST_SOLUTIONS", 2)
    start = load("hex", "hex:2").start()
    asked = Oracle(start.game)
    positions = [start.play(move) for move in start.legal_moves()]
    answers = [asked.judge(position) for position in positions]
    assert len(asked._known) == 2
    assert [asked.judge(position) is answer for position, answer in
            zip(positions[2:], answers[2:], strict=True)] == [True, True]  # fmt: skip
    assert asked.judge(positions[0]) == answers[0]


def test_without_a_time_limit_a_position_is_looked_at_before_it_is_searched() -> None:
    start, stop = load("chain-reaction", "grid:5x5").start(), Event()
    stop.set()
    with pytest.raises(topple.Unsupported, match="can be solved"):
        Oracle(start.game, memory=1).judge(start, stop)


def test_who_is_told_to_stop_does_not_blame_the_clock(plainly: type[PlainSolver]) -> None:
    start, stop = load("hex", "hex:2").start(), Event()
    stop.set()
    assert Oracle(start.game).judge(start, stop).limit is None
    assert Oracle(start.game, time=600.0).judge(start, stop).limit is None
    assert Oracle(start.game, time=0.0).judge(start, Event()).limit == "time"


def test_a_review_that_is_not_stopped_goes_on_past_what_cannot_be_solved(
    plainly: type[PlainSolver],
) -> None:
    plainly.most_moves = 3
    start = load("hex", "hex:2").start()
    turns, position = [], start
    for text in ("a1", "b2", "b1", "a2"):
        move = start.game.parse_move(text)
        turns.append((position, move))
        position = position.play(move)
    found = review(turns, Oracle(start.game), stop=Event())
    assert found.is_complete
    assert [(each.ply, each.is_judged) for each in found.moves] == [
        (1, False), (2, True), (3, True), (4, True),
    ]  # fmt: skip


def test_moves_that_do_not_end_the_game_have_no_result(plainly: type[PlainSolver]) -> None:
    start = load("hex", "hex:2").start()
    found = review([(start, 0)], Oracle(start.game))
    assert found.result is None
    assert found.summary(0).mistakes == 1
    assert found.summary(0).thrown is None


# -- mistakes in a store -------------------------------------------------------------------------


def test_the_greatest_regret_is_what_could_have_been_lost(plainly: type[PlainSolver]) -> None:
    """A faultless move among bad ones counts with what it did not give away."""
    start = load("hex", "hex:2").start()
    found = review([(start, start.game.parse_move("b1"))], Oracle(start.game))
    (first, _) = found.summaries()
    assert (first.regret, first.most_regret) == (0, 2)


def rates(games: list[PlayedGame], agent: str) -> tuple[float, float]:
    """An agent's mistakes per chance, and how wide the interval is."""
    with open_store(None) as store:
        store.add(games)
        (row,) = [row for row in mistakes(store) if row.agent == agent]
    assert row.rate is not None
    return row.rate.value, row.rate.high - row.rate.low


def test_openings_of_different_tournaments_are_different(plainly: type[PlainSolver]) -> None:
    hex_3 = load("hex", "hex:3")
    one = list(random_games(hex_3, ("a", "b"), 4, seed=1))
    two = list(random_games(hex_3, ("a", "b"), 4, seed=2))
    apart = [replace(each, opening_number=each.opening_number + 100) for each in two]
    assert rates([*one, *two], "a") == pytest.approx(rates([*one, *apart], "a"))


def test_an_agent_that_repeats_itself_against_itself_tells_nothing_new(
    plainly: type[PlainSolver],
) -> None:
    once = list(random_games(load("hex", "hex:3"), ("a", "a"), 4, seed=5))
    often = [
        replace(each, pair=f"{n:02x}{each.pair[2:]}", opening_number=each.opening_number + 100 * n)
        for n in range(10)
        for each in once
    ]
    assert rates(often, "a") == pytest.approx(rates(once, "a"))


def test_a_game_is_thrown_away_once_whoever_did_it() -> None:
    hex_2 = load("hex", "hex:2")
    played = played_game(hex_2, [0, 3, 1, 2], ("a", "a"), "0" * 32, 0)
    parts = [
        RegretSummary(player, 2, 0, 2, 1, 2, 2, 1 + player, (1 + player,), 1 + player)
        for player in (0, 1)
    ]
    ledger = Ledger()
    ledger.add(played, parts)
    assert (ledger.thrown, ledger.faulty, ledger.first_mistakes, ledger.games) == (1, 1, 1, 1)


def test_a_contest_of_which_nothing_was_judged_has_no_rates(plainly: type[PlainSolver]) -> None:
    plainly.most_moves = 0
    found = Mistakes()
    found.add_all(random_games(load("hex", "hex:2"), ("a", "b"), 1))
    (contest,) = found.contests
    for row in found.rows(contest):
        assert row.unjudged > 0
        assert (row.moves, row.rate, row.mean_regret, row.flawless) == (0, None, None, 0)


def test_options_make_a_contest_of_their_own(plainly: type[PlainSolver]) -> None:
    games = [
        each
        for spec in ("spread-it", "spread-it:loyalty=full")
        for each in random_games(load(spec, "cycle:3"), ("a", "b"), 1)
    ]
    mixed = games[::2] + games[1::2]
    found = Mistakes()
    found.add_all(mixed)
    assert (found.n_games, found.unread.total()) == (4, 0)
    assert len(found.contests) == 2
    with open_store(None) as store:
        store.add(mixed)
        for asked, n in (("spread-it", 4), ("spread-it:loyalty=full", 2), ("hex", 0)):
            rows = mistakes(store, game=asked)
            assert sum(row.games for row in rows) == 2 * n
            assert {row.contest.game.partition(":")[0] for row in rows} <= {"spread-it"}


def test_boards_of_one_name_have_oracles_of_their_own(
    plainly: type[PlainSolver], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    games: list[PlayedGame] = []
    for text in ("a,b\nb,c\nc,a\n", "a,b\nb,c\nc,a\nc,d\n"):
        Path("net.csv").write_text(f"source,target\n{text}")
        games += random_games(load("spread-it", "file:net.csv"), ("a", "b"), 1)
    found = Mistakes()
    found.add_all(games)
    assert (found.n_games, len(found.contests), found.unread.total()) == (4, 2, 0)


def test_a_time_limit_lets_large_boards_in(plainly: type[PlainSolver]) -> None:
    plainly.most_moves = 0
    large = load("chain-reaction", "grid:5x5")
    games = list(random_games(large, ("a", "b"), 1))
    solvers._classes[:] = ["topple.solvers.proof.solver:ProofSolver"]
    patient, strict = Mistakes(time=0.0, memory=1), Mistakes(memory=1)
    cut = [replace(each, record=replace(each.record, moves=each.record.moves[:3], result=None))
           for each in games]  # fmt: skip
    for found in (patient, strict):
        found.add_all(cut)
    assert (len(patient.left_out), patient.n_games) == (0, 2)
    assert (len(strict.left_out), strict.n_games) == (1, 0)


def test_games_that_cannot_be_read_are_counted_one_by_one(plainly: type[PlainSolver]) -> None:
    games = list(random_games(load("hex", "hex:2"), ("a", "b"), 2))
    found, told = Mistakes(), list[str]()
    found.add_all(
        [replace(each, record=replace(each.record, game="go")) for each in games], told.append
    )
    assert list(found.unread.values()) == [4]
    assert len(told) == 4


def test_nothing_is_told_of_a_game_that_is_not_judged(plainly: type[PlainSolver]) -> None:
    stop, told = Event(), list[str]()
    games = list(random_games(load("hex", "hex:2"), ("a", "b"), 2))
    found = Mistakes(stop=stop)

    def note(text: str) -> None:
        told.append(text)
        stop.set()

    found.add_all(games, note)
    assert (found.n_games, found.is_complete, len(told)) == (1, False, 1)


# -- the agent -----------------------------------------------------------------------------------


def test_a_time_limit_is_a_limit_like_nodes() -> None:
    hex_11 = load("hex", "hex:11")
    chain = load("chain-reaction", "grid:5x5")
    for limit in ("time=0.01", "nodes=5"):
        topple.agent(f"perfect:{limit}").check_game(chain)
    for large in (chain, hex_11):
        with pytest.raises(topple.Unsupported):
            topple.agent("perfect").check_game(large)


def test_the_variation_begins_with_the_move_also_where_the_line_does_not() -> None:
    start = load("hex", "hex:3").start()
    search = topple.agent("perfect").search(start, 0)
    while not search.is_done:
        search.advance(1000)
    decision, solution = search.decision(), search.solving.solution()  # type: ignore[attr-defined]
    assert decision.move == solution.best_moves[0] != solution.line[0]
    assert decision.variation == (decision.move,)


def test_what_may_still_be_won_is_the_value_while_nothing_is_proven() -> None:
    start = load("chain-reaction", "grid:2x4").start()
    decision = topple.agent("perfect:nodes=1").choose(start)
    assert (decision.value, decision.proven) == (1.0, None)
    assert decision.value == decision.candidates[0].value


# -- how large is too large ----------------------------------------------------------------------


@pytest.mark.parametrize("name", ["chain-reaction", "spread-it", "infexion", "hex"])
def test_what_a_refusal_names_as_feasible_is_not_refused(name: str) -> None:
    with pytest.raises(topple.Unsupported) as refused:
        check_size(load(name).start())
    (example,) = re.findall(r"such as ([a-z]+:[0-9x]+)\)", str(refused.value))
    check_size(load(name, example).start())


def test_a_large_board_with_little_left_to_play_is_not_refused() -> None:
    game = load("spread-it", "grid:5x5", compiled=False)
    start = game.start()
    with pytest.raises(topple.Unsupported):
        check_size(start)
    for n_left, fits in ((6, True), (7, False)):
        late = start.state.copy()
        late[LEFT], late[LEFT + 1] = n_left - n_left // 2, n_left // 2
        position = topple.Position(game, late)
        if fits:
            check_size(position)
        else:
            with pytest.raises(topple.Unsupported):
                check_size(position)


@pytest.mark.parametrize("loyalty", ["zero", "full"])
@pytest.mark.parametrize("board", ["path:5", "star:5", "cycle:3", "cycle:5"])
def test_there_are_no_more_positions_than_the_bound_says(board: str, loyalty: str) -> None:
    start = load("spread-it", board, loyalty=loyalty, compiled=False).start()
    seen, waiting = {start}, [start]
    while waiting:
        position = waiting.pop()
        if not position.is_over:
            new = {position.play(move) for move in position.legal_moves()} - seen
            seen |= new
            waiting += new
    cells = {tuple(position.cells()) for position in seen if not position.is_over}
    assert len(cells) <= 10 ** proof_solver._in_spread_it(start) + 1e-6


# -- proofs --------------------------------------------------------------------------------------


def test_a_full_table_takes_no_more_than_it_has_room_for() -> None:
    start = load("hex", "hex:3", compiled=False).start()
    memory = ProofMemory(start.game, 1, symmetric=False)
    memory.most_places, memory.table = 4, make_table(4)
    after = [start.play(move) for move in start.legal_moves()[:4]]
    for position in after:
        memory.store(position, Bounds(-1, -1))
    assert (
        memory.n_entries == most_entries_in(4) == 3
    )  # one place stays free, where every search ends
    assert [memory.known(each) for each in after] == [Bounds(-1, -1)] * 3 + [Bounds(-1, 1)]


def test_positions_that_share_a_key_are_told_apart_by_the_check() -> None:
    table = make_table(4)
    key = np.uint64(2)
    for check, facts in ((5, 12), (6, 4)):
        store(table, key, check, facts)
    assert [int(table.facts[find(table, key, check)]) for check in (5, 6, 7)] == [12, 4, 0]
    assert table.used[0] == 2


def wins_now(position: topple.Position) -> bool:
    """Whether the player to move has a move that wins at once."""
    after = [position.play(move) for move in position.legal_moves()]
    return any(each.is_over and each.returns()[position.player] > 0 for each in after)


def test_a_line_ends_as_soon_as_the_winner_can_end_it() -> None:
    start = load("hex", "hex:3").start()
    solver = ProofSolver(start.game)
    ended = put_off = 0
    for first in start.legal_moves():
        for second in start.play(first).legal_moves():
            position = start.play(first).play(second)
            work = solver.begin(position)
            advance_until(work)
            found = work.solution()
            position = position.play(found.line[0])
            for ply, move in enumerate(found.line[1:], 2):
                after = position.play(move)
                if wins_now(position):
                    assert after.is_over
                    assert ply == len(found.line)
                    ended += 1
                elif any(
                    not each.is_over and not wins_now(each)
                    for each in map(position.play, position.legal_moves())
                ) and (ply % 2 == 1) == (found.value.least < 0):
                    assert not wins_now(after)
                    put_off += 1
                position = after
    assert ended
    assert put_off


# -- segments ------------------------------------------------------------------------------------


def test_segments_are_refused_from_just_beyond_what_is_feasible() -> None:
    for n, fits in ((segments.FEASIBLE, True), (segments.FEASIBLE + 1, False)):
        start = load("influence", f"segment:{n}").start()
        solver = segments.SegmentSolver(start.game)
        if fits:
            solver.check(start)
        else:
            with pytest.raises(topple.Unsupported, match=f"{n} vertices"):
                solver.check(start)


def test_bounds_of_a_vast_board_know_parity_and_who_begins() -> None:
    start = load("influence", "segment:610").start()
    solver = segments.SegmentSolver(start.game, memory=1)
    found = solver.begin(start, scores=True).solution()
    assert found.limit is not None
    assert found.scores == (610, Bounds(0, 4), Bounds(-4, 0))  # on an even segment Rs = -Ls
    for vertex in start.legal_moves()[:2] + start.legal_moves()[-3:]:
        after = solver.begin(start.play(vertex), scores=True)
        assert after.is_done
        assert [bound % 2 for bound in after.solution().value] == [0, 0]


def test_sums_that_share_a_key_are_told_apart_by_the_check() -> None:
    table = segments_table.make_table(8)
    key = np.uint64(3 << 40 | 5)
    for check, score in ((1, -3), (2, 5)):
        segments_table.store(table, key, np.uint64(check << 48), score, score)
    places = [segments_table.find_entry(table, key, np.uint64(n << 48)) for n in (1, 2, 3)]
    assert [segments_table.entry_low(table, place) for place in places[:2]] == [-3, 5]
    assert places[2] < 0
    assert table.counts[0] == 2


def test_a_checkpoint_of_the_sequence_serves_any_number(tmp_path: Path) -> None:
    kept = str(tmp_path / "kept")
    command = ("solve", "influence", "--checkpoint", kept, "--json", "--segments")
    assert command_line.topple(*command, "20").status == 0
    longer = command_line.topple(*command, "24")
    assert longer.status == 0
    assert f"going on from {kept}" in longer.err
    assert len(json.loads(longer.out)["rows"]) == 24


def test_a_sequence_that_fills_the_memory_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("topple.solvers.segments.prover.MEGABYTE", 1 << 13)
    monkeypatch.setattr("topple.solvers.segments.prover.FIRST_SIZE", 1 << 8)
    command = ("solve", "influence", "--memory", "1", "--segments", "70")
    found = json.loads(command_line.topple(*command, "--json").out)
    assert found["limit"] == "memory"
    assert 20 < len(found["rows"]) < 70
    told = command_line.topple(*command).out
    assert f"INFLUENCE on segments, {len(found['rows'])} of 70 solved\n" in told
    assert "stopped by the memory limit of 1 MB" in told


def test_a_refused_survey_says_what_may_stand_beside_it() -> None:
    for game_, flag, beside in (
        ("influence", "--segments", "--memory, --checkpoint, --plot and --json"),
        ("spread-it", "--graphs", "--json"),
    ):
        ran = command_line.topple("solve", game_, flag, "3", "--each")
        assert f"{flag} asks for all boards at once: beside it stand {beside} alone" in ran.err


# -- tables of INFLUENCE and Hex -----------------------------------------------------------------


def test_a_sum_of_more_parts_than_the_board_has_vertices_is_refused() -> None:
    start = load("influence", "segment:9", compiled=False).start()
    solver = InfluenceSolver(start.game)
    advance_until(solver.begin(start))
    table = solver.table()
    own = np.flatnonzero(table["part_bounds"][:, 0] > 0)
    assert len(own)
    for n, bad in ((2, False), (solver.space.reduced.n + 1, True)):
        weight = n * 2
        claim = np.array([[-weight, weight, -weight, weight]], dtype=np.int32)
        forged = table | {
            "sum_at": np.array([0, n], dtype=np.int64),
            "sum_parts": np.ones(n, dtype=np.int32),
            "sum_bounds": claim,
        }
        del forged["graph"]
        assert is_table(forged, solver.space.reduced.n, solver.space.reduced.n_words) is not bad


def test_a_hex_table_of_a_board_with_too_many_empty_cells_is_refused() -> None:
    hex_9 = load("hex", "hex:9", compiled=False)
    nothing = np.zeros(0, dtype=np.int64)
    arrays = {"own": nothing, "other": nothing, "results": nothing}
    for n_empty, fits in ((61, True), (62, False), (81, False)):
        board = np.ones(81, dtype=np.int8)
        board[:n_empty] = 0
        if fits:
            HexSolver(hex_9).restore({"board": board, **arrays})
        else:
            with pytest.raises(BadText, match="number of stones"):
                HexSolver(hex_9).restore({"board": board, **arrays})


# -- keeping checkpoints -------------------------------------------------------------------------


class Clock:
    """A clock that goes when it is told to."""

    now = 0.0

    def monotonic(self) -> float:
        """The time."""
        return self.now


class Disk:
    """Where checkpoints go: slow, and now and then full."""

    def __init__(self, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
        self.clock, self.trouble, self.n_written = clock, False, 0
        monkeypatch.setattr(solving, "time", clock)
        monkeypatch.setattr("topple.solvers.checkpoint.write_checkpoint", self.write)

    def write(self, path: Path, solver: object, subject: object) -> int:
        """Take ten seconds to write, unless there is no room."""
        if self.trouble:
            raise topple.ToppleError(f"{path} cannot be written: no room")
        self.clock.now += 10
        self.n_written += 1
        return 1


def keeper_at(path: Path) -> solving.Keeper:
    hex_2 = load("hex", "hex:2")
    return solving.Keeper(path, PlainSolver(hex_2), subject_of(hex_2, "plain"))


def test_checkpoints_take_a_small_part_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    disk, keeper = Disk(clock, monkeypatch), keeper_at(Path("kept"))
    written = []
    for _ in range(600):
        clock.now += 1
        keeper.keep()
        written.append(disk.n_written)
    # A minute after the beginning; then each one waits twenty times as long as it took.
    assert [written.index(n) + 1 for n in (1, 2, 3)] == [60, 260, 460]


def test_a_disk_that_has_room_again_is_no_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    disk, keeper = Disk(Clock(), monkeypatch), keeper_at(Path("kept"))
    disk.trouble = True
    keeper.write()
    assert str(keeper.trouble) == "kept cannot be written: no room"
    disk.trouble = False
    keeper.write()
    assert keeper.trouble is None
    solving.finish(solving.Spent(None, 1.0), keeper)


def test_a_stopped_search_says_whether_it_can_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    disk, keeper = Disk(Clock(), monkeypatch), keeper_at(Path("kept"))
    stopped = solving.Spent("interrupt", 1.0)
    with pytest.raises(KeyboardInterrupt, match="the same command goes on from kept"):
        solving.finish(stopped, keeper)
    disk.trouble = True
    keeper.write()
    with pytest.raises(KeyboardInterrupt, match=r"^interrupted, and kept cannot be written"):
        solving.finish(stopped, keeper)
    for ended in (solving.Spent(None, 1.0), solving.Spent("time", 1.0)):
        with pytest.raises(topple.ToppleError, match="kept cannot be written"):
            solving.finish(ended, keeper)


def test_a_checkpoint_that_was_not_written_is_not_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    disk, keeper = Disk(Clock(), monkeypatch), keeper_at(Path("kept"))
    wishes = SolveOptions(False, None, 1, keeper.path, None, None, False)
    print_files(wishes, keeper)
    assert capsys.readouterr().out == "checkpoint: kept\n"
    disk.trouble = True
    keeper.write()
    print_files(wishes, keeper)
    assert capsys.readouterr().out == ""


# -- symmetry ------------------------------------------------------------------------------------


def test_as_many_automorphisms_are_given_as_are_allowed() -> None:
    board = topple.load_board("complete:4")
    for most, found in ((24, 24), (23, 6), (6, 6), (5, 2), (1, 1)):
        given = automorphisms(board, most=most)
        assert len(given) == found
        assert len({tuple(each) for each in given}) == found
        assert [0, 1, 2, 3] in given


# -- boards with values --------------------------------------------------------------------------


def test_a_cell_with_several_moves_shows_the_best_in_a_picture_and_none_in_letters() -> None:
    start = load("infexion", "infexion:3", compiled=False).start()
    position = start.play(start.legal_moves()[0]).play(start.legal_moves()[1])

    def imagined(here: topple.Position) -> Solution:
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


# -- a saved game --------------------------------------------------------------------------------


def saved(folder: Path, moves: list[str], opening: int = 0) -> str:
    record = Record.of(load("hex", "hex:2"), moves, opening=opening)
    path = folder / "game.json"
    path.write_text(record.to_json() + "\n")
    return str(path)


def test_a_game_whose_beginning_is_too_large_is_reviewed_from_where_it_is_not(
    plainly: type[PlainSolver], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check(self: PlainSolver, position: topple.Position) -> None:
        if len(position.legal_moves()) > 3:
            raise topple.Unsupported("four cells are too many")

    monkeypatch.setattr(PlainSolver, "check", check)
    file = saved(tmp_path, ["a1", "b2", "b1", "a2"])
    ran = command_line.topple("analyse", file, "--mistakes", "--json")
    assert ran.status == 0
    told = json.loads(ran.out)["moves"]
    assert [each["judged"] for each in told] == [False, True, True, True]
    file = saved(tmp_path, ["a1"])
    refused = command_line.topple("analyse", file, "--mistakes")
    assert refused.status == 2
    assert "four cells are too many" in refused.err


def test_an_interrupted_review_does_not_count_the_opening(
    plainly: type[PlainSolver], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    judge = Oracle.judge

    def interrupted(self: Oracle, position: topple.Position, stop: Event) -> Solution:
        asked.append(1)
        if len(asked) == 2:
            signal.raise_signal(signal.SIGINT)
            return replace(judge(self, position), value=Bounds(-1, 1))
        return judge(self, position, stop)

    monkeypatch.setattr(Oracle, "judge", interrupted)
    file = saved(tmp_path, ["a1", "b2", "b1", "a2"], opening=1)
    ran = command_line.topple("analyse", file, "--mistakes")
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
