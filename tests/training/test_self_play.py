"""Self-play: legal games, lessons that say what happened, the same on any number of threads."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import topple
from tests.nets.small_nets import small_net
from tests.training.tiny import tiny
from topple.game.position import Position
from topple.kernels.self_play import OVER, RUNS, STOPPED, UNIT
from topple.nets.interface import encode, slot_of, view_of
from topple.training.boards import BoardFamily
from topple.training.device_play import DevicePlay
from topple.training.lessons import Lesson
from topple.training.self_play import SelfPlay
from topple.training.tables import GameTable, visit_schedule
from topple.training.twin import Twin


@settings(deadline=None, max_examples=150)
@given(st.integers(2, 40), st.integers(2, 100), st.data())
def test_a_schedule_always_has_a_child_to_visit(
    considered: int, simulations: int, data: st.DataObject
) -> None:
    schedule = visit_schedule(considered, simulations)
    assert schedule.shape == (considered + 1, simulations)
    n_children = data.draw(st.integers(1, considered))
    choice = Random(data.draw(st.integers(0, 1000)))
    visits = [0] * n_children
    for wanted in schedule[n_children].tolist():
        waiting = [child for child, n in enumerate(visits) if n == wanted]
        assert waiting
        visits[choice.choice(waiting)] += 1
    assert sum(visits) == simulations
    if simulations >= n_children:
        assert min(visits) >= 1
    assert sum(n == max(visits) for n in visits) <= max(2, n_children // 2) or max(visits) == 1 or (
        simulations < 2 * n_children
    )  # fmt: skip


@pytest.mark.parametrize(
    ("n_children", "simulations", "visits"),
    [(16, 32, [1] * 8 + [2] * 4 + [4] * 4),  # 16 once, 8 once, 4 twice
     (4, 8, [1, 1, 3, 3]),  # 4 once, 2 twice
     (2, 5, [2, 3]),
     (8, 24, [1] * 4 + [3] * 2 + [7] * 2),  # 8 once, 4 twice, 2 four times
     (1, 7, [7]),
     (5, 3, [0, 0, 1, 1, 1])],
)  # fmt: skip
def test_visits_are_those_of_sequential_halving(
    n_children: int, simulations: int, visits: list[int]
) -> None:
    found = [0] * n_children
    for wanted in visit_schedule(16, simulations)[n_children].tolist():
        found[found.index(wanted)] += 1  # the same children are always the best
    assert sorted(found) == visits


# Small boards in plain Python, so that nothing has to be compiled.
BOARDS = [
    ("hex", "hex:2"),
    ("hex:swap=true", "hex:2"),
    ("influence", "segment:5"),
    ("chain-reaction", "grid:2x2"),
    ("chain-reaction:players=3", "grid:1x4"),
    ("spread-it", "path:3"),
    ("spread-it:loyalty=full", "cycle:3"),
    ("infexion", "infexion:3"),
]


def played_table(spec: str, board: str, *, compiled: bool = False, **changes: int) -> GameTable:
    """A table all of whose games are over."""
    game = topple.load(spec, board, compiled=compiled)
    chosen = {"simulations": 4, "considered": 3, "opening": 0, **changes}
    table = GameTable(game, tiny(**chosen), 2, (1,))
    net = small_net(game, channels=16)
    for _ in range(100):
        table.play(net.design, net.net, 4)
        if (table.table.status == OVER).all():
            return table
    raise AssertionError("the games never end")


def forced(position: Position) -> Position:
    """The position after all moves that had to be played."""
    while not position.is_over and len(position.legal_moves()) == 1:
        position = position.play(position.legal_moves()[0])
    return position


def kept_positions(table: GameTable, i: int) -> list[Position]:
    game = table.game
    n_kept = int(table.table.n_kept[i])
    return [Position(game, table.table.kept[i, k].copy()) for k in range(n_kept)]


@pytest.mark.parametrize("case", BOARDS, ids=" on ".join)
def test_games_are_legal_and_lessons_say_what_happened(case: tuple[str, str]) -> None:
    table = played_table(*case)
    game = table.game
    played = [kept_positions(table, i) for i in range(table.n_games)]
    policies = [table.table.policy[i].copy() for i in range(table.n_games)]
    lessons = iter(table.harvest(restart=False))
    assert (table.table.status == STOPPED).all()
    assert table.is_empty
    for positions, policy in zip(played, policies, strict=True):
        assert positions
        assert forced(game.start()) == positions[0]
        ends = list(check_line(positions))
        lesson = next(lessons)
        assert any(says(lesson, positions, end) for end in ends)
        for k, position in enumerate(positions):
            check_look(lesson, k, position)
            check_policy(lesson.policy[k], position)
        assert (lesson.policy == policy[: len(positions)]).all()
    assert next(lessons, None) is None


def check_line(positions: list[Position]) -> Iterator[Position]:
    """Each position follows from the one before; yields the ends that the last may lead to."""
    for position, later in pairwise(positions):
        assert later in {forced(position.play(move)) for move in position.legal_moves()}
    last = positions[-1]
    ends = [forced(last.play(move)) for move in last.legal_moves()]
    yield from (end for end in ends if end.is_over)


def says(lesson: Lesson, positions: list[Position], end: Position) -> bool:
    """Whether the lesson has the results and leads of this end, for each mover."""
    returns, n = end.returns(), positions[0].game.n_players
    for k, position in enumerate(positions):
        order = [(position.player + seat) % n for seat in range(n)]
        own = [float(returns[player]) for player in order]
        if n == 2:
            expected = [own[0] == 1, own[0] == 0, own[0] == -1]
        else:
            expected = [each == 1 for each in own]
        if lesson.results[k].tolist() != [float(each) for each in expected]:
            return False
        lead = 0.0
        if end.scores is not None:
            scores = [float(end.scores[player]) for player in order]
            lead = (scores[0] - max(scores[1:])) / position.game.board.n_vertices
        if abs(float(lesson.lead[k]) - lead) > 1e-6:
            return False
    return True


def check_look(lesson: Lesson, k: int, position: Position) -> None:
    game, sight = position.game, position.game.sight[1]
    planes = np.zeros((sight.n, sight.n_dynamic), dtype=np.float32)
    game.run(encode, game.scratch_state(position.state), planes, game.scratch_state())
    assert (lesson.planes[k] == planes.astype(np.float16)).all()
    assert lesson.views[k] == game.run(view_of, game.scratch_state(position.state))


def check_policy(policy: NDArray[np.uint16], position: Position) -> None:
    """A distribution over the legal moves."""
    game, legal = position.game, position.legal_moves()
    slots = [int(game.run(slot_of, move)) for move in legal]
    assert len(legal) > 1
    assert policy.sum(dtype=int) == pytest.approx(UNIT, abs=len(legal))
    assert set(np.flatnonzero(policy)) <= set(slots)


def test_compiled_games_are_those_of_plain_python() -> None:
    tables = [played_table("hex", "hex:2", compiled=compiled) for compiled in (True, False)]
    for name in ("kept", "policy", "n_kept", "rewards"):
        first, second = (getattr(table.table, name) for table in tables)
        assert (first == second).all(), name


def test_games_are_started_again_with_other_openings() -> None:
    table = played_table("hex", "hex:2", compiled=True, opening=2)
    assert len(table.harvest(restart=True)) <= 2
    assert (table.table.status == RUNS).all()
    assert (table.table.n_kept == 0).all()
    assert table.harvest(restart=True) == []
    table.advance()
    net = small_net(table.game, channels=16)
    starts = set()
    for _ in range(30):
        for _ in range(60):
            table.play(net.design, net.net, 1)
        starts |= {positions[0].text for i in range(2) if (positions := kept_positions(table, i))}
        table.harvest(restart=True)
    assert len(starts) > 3  # the empty board, one stone, two stones


def test_noise_ends_after_the_moves_that_explore() -> None:
    """Games without noise are all the same; with it they begin to differ."""
    for exploring, alike in ((0, True), (100, False)):
        table = played_table("hex", "hex:3", compiled=True, exploring=exploring, simulations=8)
        games = [[position.text for position in kept_positions(table, i)] for i in range(2)]
        assert (games[0] == games[1]) == alike


def test_games_that_go_on_for_ever_are_cut() -> None:
    table = played_table("infexion", "infexion:3", longest=3)
    assert (table.table.n_kept <= 3).all()
    assert all(len(lesson.views) <= 3 for lesson in table.harvest(restart=False))


def all_over(play: SelfPlay) -> bool:
    return all((table.table.table.status == OVER).all() for table in play.tables)


def lessons_of(play: SelfPlay) -> list[tuple[NDArray, ...]]:
    """What each game at each table has kept."""
    return [
        (table.table.table.kept, table.table.table.n_kept, table.table.table.rewards,
         table.table.table.policy)
        for table in play.tables
    ]  # fmt: skip


def test_lessons_are_the_same_for_any_number_of_threads() -> None:
    seen = []
    for workers in (1, 2, 5):
        play = SelfPlay(tiny(parallel=20), 4)
        assert len(play.tables) == 4
        net = Twin(play.design, 3).export()
        with ThreadPoolExecutor(workers) as pool:
            play.play(net, 40, pool)
            found = [lesson for lesson, _, _ in play.harvest()]
            play.play(net, 40, pool)
            found += [lesson for lesson, _, _ in play.harvest()]
        seen.append(found)
    assert len(seen[0]) > 20
    for other in seen[1:]:
        assert len(other) == len(seen[0])
        for first, second in zip(seen[0], other, strict=True):
            assert all((a == b).all() for a, b in zip(first, second, strict=True))


@pytest.mark.parametrize(
    ("game", "boards"),
    [("hex:swap=true", ("hex:3",)),
     pytest.param("influence", ("segment:5", "segment:4+3"), marks=pytest.mark.prove),
     pytest.param("influence", ("random-digraph:n=6,m=7,seed=1",), marks=pytest.mark.prove)],
)  # fmt: skip
def test_games_on_a_device_are_those_played_here(game: str, boards: tuple[str, ...]) -> None:
    settings = tiny(games=(game,), boards=boards, parallel=12)
    here, there = SelfPlay(settings, 3), SelfPlay(settings, 3)
    twin = Twin(here.design, 3)
    device_play = DevicePlay(there, twin)
    with ThreadPoolExecutor(2) as pool:
        here.play(twin.export(), 80, pool)
        device_play.play(80)
    assert all_over(here)
    assert all_over(there)
    for own, other in zip(lessons_of(here), lessons_of(there), strict=True):
        assert (own[0] == other[0]).all()  # the same positions
        assert (own[1] == other[1]).all()
        assert (own[2] == other[2]).all()
        # The logits differ in their last digits, and values count for some twenty logits.
        assert own[3].astype(float) / UNIT == pytest.approx(other[3] / UNIT, abs=1e-3)


@pytest.mark.prove  # compiles what a family of networks needs
def test_networks_that_are_drawn_are_replaced_when_all_their_games_are_over() -> None:
    settings = tiny(games=("influence",), boards=("random-digraph:n=5-7,m=6,seed=new",), parallel=6)
    play = SelfPlay(settings, 3)
    device_play = DevicePlay(play, Twin(play.design, 3))
    first = [table.table.game.board.spec for table in play.tables]
    assert len(set(first)) == 3
    n_lessons = 0
    for _ in range(30):
        device_play.play(10)
        for lesson, ring, board in play.harvest():
            assert lesson.planes.shape[1] == ring.boards[board].n
            ring.add(lesson, board)
            n_lessons += 1
    assert n_lessons > 12
    assert not {table.table.game.board.spec for table in play.tables} & set(first)
    assert {table.ring.extent for table in play.tables} == {(1, 7)}  # a wave's shape stays


def test_networks_of_each_family_are_padded_to_its_largest() -> None:
    boards = ("random-digraph:n=4-6,m=5,seed=new", "segment:9")
    play = SelfPlay(tiny(games=("influence",), boards=boards, parallel=6), 2)
    assert [table.ring.extent for table in play.tables] == [(1, 6), (1, 9)]


def test_a_lattice_is_replaced_by_one_of_its_size() -> None:
    play = SelfPlay(tiny(games=("hex",), boards=("hex:3-5",), parallel=6), 6)
    extents = [table.ring.extent for table in play.tables]
    assert len(set(extents)) > 1
    for i, table in enumerate(play.tables):
        assert play._open(table.seat, extents[i]).ring.extent == extents[i]


def test_a_later_process_plays_other_games() -> None:
    play, again, later = (SelfPlay(tiny(opening=3), 2, begun) for begun in (0, 0, 8))

    def openings(play: SelfPlay) -> list[bytes]:
        return [table.table.table.leaf.tobytes() for table in play.tables]

    assert openings(play) == openings(again) != openings(later)


@pytest.mark.parametrize(
    ("games", "boards", "message"),
    [(("hex",), ("nowhere.gml",), "nowhere.gml"),
     (("hex",), ("hex:5-3",), "the range 5-3 runs backwards"),
     (("spread-it",), ("networks:4-9",), "networks have from 8 to 1000 vertices"),
     (("spread-it", "hex"), ("hex:3",), "one network cannot see both"),
     (("chain-reaction",), ("grid:2x3", "cycle:5"), "one network cannot see both"),
     (("spread-it:players=3",), ("karate",), "no network can see spread-it:players=3"),
     (("chess",), ("hex:3",), "unknown game 'chess'")],
)  # fmt: skip
def test_what_no_network_can_learn_is_refused_in_one_line(
    games: tuple[str, ...], boards: tuple[str, ...], message: str
) -> None:
    with pytest.raises(topple.ToppleError, match=message) as refused:
        SelfPlay(tiny(games=games, boards=boards), 1)
    assert "\n" not in str(refused.value)


def test_families_draw_boards_within_their_ranges() -> None:
    source = Random(1)
    assert {BoardFamily("hex:3-5").draw(source).rows for _ in range(40)} == {3, 4, 5}
    grids = {BoardFamily("grid:2-3x4").draw(source).spec for _ in range(20)}
    assert grids == {"grid:2x4", "grid:3x4"}
    networks = [BoardFamily("networks:10-12").draw(source) for _ in range(20)]
    assert {board.n_vertices for board in networks} == {10, 11, 12}
    new = {BoardFamily("ba:n=9,m=2,seed=new").draw(source).spec for _ in range(5)}
    assert len(new) == 5
    assert BoardFamily("ba:n=9,m=2,seed=4").is_fixed
