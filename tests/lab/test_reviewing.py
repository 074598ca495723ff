"""Reviews: what is marked is beyond doubt, and two reviews mark the same."""

import threading

import pytest

import topple
from topple.agents import Candidate, Decision
from topple.lab.data.mistakes import Loss, grade_of
from topple.lab.work.reviewing import Review, ReviewResult, _doubt

LINE = ("a1", "d4", "d1", "b2", "a4", "c2", "a2", "b4")  # on hex:4, with good moves and bad ones


def reviewed(seed: int, agent: str = "uct:iterations=4000") -> ReviewResult:
    """A review of the line; with so many iterations time does not matter."""
    game = topple.load("hex", board="hex:4")
    review = Review(game, topple.agent(agent), LINE, seed, threading.Event())
    review.run(60, lambda _: None)
    return review.result()


def test_two_reviews_mark_the_same_mistakes() -> None:
    first, second = reviewed(1), reviewed(2)
    marked = [
        {each["ply"]: each["grade"] for each in found["mistakes"] if each["grade"] != "slip"}
        for found in (first, second)
    ]
    assert marked[0] == marked[1]
    assert marked[0]
    assert first["doubts"] > len(marked[0])  # some that were in doubt at first are not marked
    assert first["weighed"] == first["doubts"]


def test_what_is_marked_is_a_mistake_by_exact_values_too() -> None:
    exact = {each["ply"] for each in reviewed(1, "perfect")["mistakes"]}
    sure = {each["ply"] for each in reviewed(1)["mistakes"] if each["grade"] == "blunder"}
    assert sure
    assert sure <= exact


def test_a_loss_that_may_be_none_is_no_mistake() -> None:
    assert grade_of(Loss(0.6, 0.05, 1.1).low, 0.3, "return") is None


@pytest.mark.parametrize(("value", "is_in_doubt"), [(-0.9, True), (0.44, False)])
def test_only_moves_that_may_have_given_something_away_are_weighed(
    value: float, is_in_doubt: bool
) -> None:
    position = topple.load("hex", board="hex:3").start()
    near = (value - 0.01, value + 0.01)
    played = Candidate(1, value, visits=10_000, share=0.5, interval=near)
    best = Candidate(0, 0.45, visits=10_000, share=0.5, interval=(0.44, 0.46))
    decision = Decision(0, 0.45, (best, played), (0,), effort=topple.agents.Effort())
    assert (_doubt(position, decision, 1, 1) is not None) == is_in_doubt
