"""The INFLUENCE paper as data, and what is computed for it."""

import random
from functools import cache

import pytest

import topple
from tests.papers.paper_facts import check_facts, compute, look_up
from topple.boards.board import make_board
from topple.papers import load_paper
from topple.papers.data.influence import LEFT, RIGHT
from topple.papers.engine.computations import influence_digraphs, influence_segments
from topple.papers.engine.computations.influence_digraphs import leaves_pairs, scores_of
from topple.papers.engine.computations.influence_segments import Segment, SumScores
from topple.papers.paper import Fact, Holds, Number

PAPER = load_paper("influence")
SMALL = {
    "figure 1": {},
    "table 1": {"last": 38},
    "sums": {"most": 27},
    "segments": {"last": 120},
    "pairs": {"last": 8, "plain_last": 4},
    "rings": {"last": 30},
    "trees": {"depths": [0, 1, 2, 3], "leaves": [1, 2, 3, 5, 9]},
    "quasi-paths": {"longest": 5, "collections": 10, "most_paths": 3, "most_vertices": 9},
}


@cache
def known():
    return {each.name: compute(each.computation, **SMALL[each.name]) for each in PAPER.computed}


def item(number, kind="section"):
    [found] = [each for each in PAPER.items if (each.kind, each.number) == (kind, number)]
    return found


def verdicts(number):
    """Whether each claim of a section that rests on truths alone holds, by its text."""
    return {
        claim.text: all(look_up(check.fact, known()) is True for check in claim.checks)
        for claim in item(number).claims
        if all(isinstance(check, Holds) for check in claim.checks)
    }


# -- the data ------------------------------------------------------------------------------------


def test_every_fact_that_items_use_is_computed():
    check_facts(PAPER, known())


def test_table_1_has_all_that_is_printed():
    assert len(LEFT) == len(RIGHT) == 38
    assert (LEFT[0], LEFT[13], LEFT[37]) == (-1, 4, 2)
    assert (RIGHT[4], RIGHT[20], RIGHT[28], RIGHT[36]) == (-5, -5, -5, -5)
    assert all((left + n) % 2 == 0 for n, left in enumerate(LEFT, start=1))  # Lemma 5


def test_every_published_value_but_that_of_cycles_is_found():
    for each in PAPER.items:
        for cell in each.cells:
            if cell.published is None:
                continue
            value = cell.published.value if isinstance(cell.published, Number) else cell.published
            is_cycle = (each.number, cell.row) == ("4.2 cycles", "all cycles")
            assert (look_up(cell.measure, known()) == value) is not is_cycle, cell


def test_only_two_claims_fail_and_both_have_a_reason():
    failing = {
        each.number: text
        for each in PAPER.items
        for text, holds in (verdicts(each.number).items() if each.kind == "section" else ())
        if not holds
    }
    assert set(failing) == {"4.2 cycles", "4.3"}
    for number in failing:
        for check in item(number).why[0].checks:
            assert look_up(check.fact, known()) is True
    assert "as printed" in failing["4.3"]


def test_a_period_that_is_seen_is_shown_but_makes_nothing_agree():
    section = item("4.3")
    assert not any("Conjecture 25" in claim.section for claim in section.claims)
    cells = [cell for cell in section.cells if cell.row == "Conjecture 25"]
    assert cells
    assert all(cell.published is None for cell in cells)


def test_a_longer_sequence_shows_the_period():
    found = known()["segments"]["sequence"]
    assert (found["period_length"], found["period_start"]) == (40, 31)
    assert found["rare"].endswith("37, 77, 117")
    short = compute("influence-segments", last=40)["sequence"]
    assert short["is_periodic"] is False
    assert short["right_77"] == "not computed"


# -- sums of segments ----------------------------------------------------------------------------


def test_all_sums_are_listed_once():
    # Partitions into even parts, and those with one odd part of three or more beside.
    partitions = [1, 1, 2, 3, 5, 7, 11, 15, 22]
    assert [len(list(influence_segments.even_sums(2 * k))) for k in range(9)] == partitions
    odd = [list(influence_segments._sums_of(total)) for total in (3, 5, 7, 9)]
    assert [len(each) for each in odd] == [2, 4, 8, 14]
    assert all(len(set(map(str, each))) == len(each) for each in odd)
    assert (
        sum(len(list(influence_segments._sums_of(total))) for total in range(2, 28))
        == (known()["sums"]["n_sums"])
    )


def test_a_sum_outside_its_set_is_reported(monkeypatch):
    allowed = ({1, 3}, {-1, -3, -5})
    monkeypatch.setitem(influence_segments.ALLOWED, influence_segments.MINUS, allowed)
    found = compute("influence-sums", most=27)
    assert found["holds"] is False
    assert found["counterexamples"][0] == "9+2: -1, -1"
    assert "17+10: -1, -3" in found["counterexamples"]


def test_a_smaller_sum_has_the_least_left_score_of_c_minus():
    assert known()["sums"]["first_tight"] == "9+2"
    assert influence_segments.plain_left_score((Segment(9), Segment(2))) == -1


@pytest.mark.parametrize("seed", range(8))
def test_search_and_plain_recursion_agree(seed):
    rng = random.Random(seed)
    scores = SumScores(11, 40)
    for _ in range(10):
        lengths = [rng.randrange(2, 12) for _ in range(rng.randrange(1, 4))]
        chosen = tuple(rng.choice(influence_segments.both_kinds(n)) for n in lengths)
        assert scores.of_sum(chosen)[0] == influence_segments.plain_left_score(chosen), chosen


def test_the_sums_of_section_4_1_on_boards():
    assert topple.solve(
        topple.load("influence", sums_board((Segment(10), Segment(17)))).start(), scores=True
    ).scores.left == (-1, -1)


def sums_board(chosen):
    return f"segment:{influence_segments.sum_text(chosen)}"


def test_too_little_memory_is_reported(monkeypatch):
    monkeypatch.setattr("topple.solvers.segments.prover.MEGABYTE", 1 << 13)
    monkeypatch.setattr("topple.solvers.segments.prover.FIRST_SIZE", 1 << 8)
    with pytest.raises(topple.Unsupported, match="1 megabytes are not enough"):
        SumScores(80, 80, memory=1)


def test_theorem_20_distinguishes_classes():
    rows = [(2, 2, -2), (3, 3, -3), (4, 4, -4), (5, 1, -5), (7, 3, -1)]
    found = influence_segments._theorem_20(rows)
    assert found["minus"] == {"Ls": "1, 3", "Rs": "−5, −3, −1"}
    assert found["plus"] == {"Ls": "1, 3, 5", "Rs": "−3, −1"}
    assert found["minus_odd"]["Ls"] == "3"  # n = 3 and 7
    assert found["plus_even"]["Rs"] == "−3"  # n = 3 and 7
    assert (found["first_wins"], found["most"]) == (True, 5)
    assert influence_segments._theorem_20([*rows, (6, 0, 0)])["first_wins"] is False


def test_lemma_23_speaks_of_segments_only():
    assert set(influence_segments._pairs_of(1)) == {1, 2, 3, 4}
    assert influence_segments._pairs_of(2)[5] == (Segment(4), Segment(3, is_plus=True))


def test_the_cycle_of_four_is_the_only_exception():
    found = known()["rings"]
    assert found["counterexamples"] == "4"
    for n in (4, 6, 8):
        board = topple.load("influence", f"ring:{n}")
        left = topple.solve(board.start(), scores=True).scores.left.least
        assert left == found["series"]["Ls"][(n - 4) // 2]


# -- other digraphs ------------------------------------------------------------------------------


def test_right_gets_what_the_formula_says_on_all_trees():
    found = known()["trees"]
    assert found["formula"] is True
    assert found["left_has"]["9"][3] == 14.1
    assert found["left_gets"]["9"][3] == 84.6


def test_lemma_29_compares_shapes():
    assert all(leaves_pairs(n, c) for n in range(3) for c in range(1, 4))
    assert leaves_pairs(0, 1)  # nothing remains


def test_quasi_paths_are_all_there_once():
    """Sources are L and sinks R: two ways to turn or three to go on at each inner vertex."""
    for n in range(2, 8):
        found = list(influence_digraphs.all_paths(n))
        both = {path for each in found for path in (each, each.mirrored)}
        assert len(both) == 2 * 3 ** (n - 2)
        assert len(found) == len({frozenset((each, each.mirrored)) for each in found})


def test_random_quasi_paths_are_relevant():
    rng = random.Random(1)
    for _ in range(200):
        path = influence_digraphs.random_path(rng.randrange(2, 9), rng)
        assert path in set(influence_digraphs.all_paths(len(path.sides))) | {
            each.mirrored for each in influence_digraphs.all_paths(len(path.sides))
        }


def test_a_single_path_has_the_same_scores_by_value_and_by_search():
    for path in list(influence_digraphs.all_paths(6))[::7]:
        tested = influence_digraphs._test_path(path)
        assert tested == influence_digraphs._test_together([path])


def test_boards_that_are_too_large_are_refused(monkeypatch):
    board = make_board("pair", [[1], []], directed=True, sides="LR")
    assert scores_of(board).left == (2, 2)
    solution = topple.solve(topple.load("influence", board).start())
    monkeypatch.setattr(
        "topple.papers.engine.computations.influence_digraphs.solve", lambda *_, **__: solution
    )
    with pytest.raises(topple.Unsupported, match="too many"):
        scores_of(board)


def test_facts_can_be_looked_up_by_their_path():
    assert look_up(Fact("table 1", ("series", "Ls", 3)), known()) == 4
