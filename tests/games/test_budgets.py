"""The budget on digraphs, beside brute force: Björner and Lovász's number of tokens."""

from collections.abc import Iterator
from itertools import product

import pytest

import topple
from topple.boards.board import make_board

Successors = tuple[tuple[int, ...], ...]
Tokens = tuple[int, ...]


def digraphs(n: int) -> Iterator[Successors]:
    """All strongly connected digraphs on n vertices."""
    arcs = [(one, other) for one, other in product(range(n), repeat=2) if one != other]
    for chosen in product((False, True), repeat=len(arcs)):
        there = [arc for arc, is_there in zip(arcs, chosen, strict=True) if is_there]
        found = tuple(tuple(u for one, u in there if one == v) for v in range(n))
        back = tuple(tuple(u for u, other in there if other == v) for v in range(n))
        if reaches_all(found) and reaches_all(back):
            yield found


def reaches_all(successors: Successors) -> bool:
    """Whether all vertices are reached from the first."""
    reached, waiting = {0}, [0]
    while waiting:
        new = set(successors[waiting.pop()]) - reached
        reached |= new
        waiting += new
    return len(reached) == len(successors)


def placed(n_tokens: int, n: int) -> Iterator[Tokens]:
    """All ways to put so many tokens on n vertices."""
    if n == 1:
        yield (n_tokens,)
        return
    for first in range(n_tokens + 1):
        for rest in placed(n_tokens - first, n - 1):
            yield (first, *rest)


def is_endless(successors: Successors, tokens: Tokens) -> bool:
    """Whether firing goes on for ever: vertices in order, until one state comes again."""
    seen, now = set(), list(tokens)
    while tuple(now) not in seen:
        seen.add(tuple(now))
        ready = [v for v, n in enumerate(now) if successors[v] and n >= len(successors[v])]
        if not ready:
            return False
        now[ready[0]] -= len(successors[ready[0]])
        for other in successors[ready[0]]:
            now[other] += 1
    return True


def budget_of(successors: Successors) -> int:
    """All tokens that topple deals on a digraph."""
    board = make_board("digraph", successors, directed=True)
    game = topple.load("spread-it", board, compiled=False)
    return sum(game.start().tallies()[1][1])


def test_the_budget_can_rest_and_a_token_more_cannot() -> None:
    """On every strongly connected digraph of three vertices, however the tokens are placed."""
    n_checked = 0
    for successors in digraphs(3):
        most = sum(len(each) - 1 for each in successors)
        if most < 2:  # too few for two players
            continue
        assert budget_of(successors) == most
        assert not all(is_endless(successors, tokens) for tokens in placed(most, 3))
        assert all(is_endless(successors, tokens) for tokens in placed(most + 1, 3))
        n_checked += 1
    assert n_checked == 7  # all arcs, and all but one


@pytest.mark.prove
def test_the_budget_on_four_vertices() -> None:
    for successors in digraphs(4):
        most = sum(len(each) - 1 for each in successors)
        assert any(not is_endless(successors, tokens) for tokens in placed(most, 4))
        assert all(is_endless(successors, tokens) for tokens in placed(most + 1, 4))
        if most >= 2:
            assert budget_of(successors) == most


def test_with_sinks_any_number_of_tokens_can_end() -> None:
    """So the sum over those that can fire is dealt instead, as is documented."""
    successors = ((1, 2, 3), (0, 2), (), (1, 2, 0))
    assert budget_of(successors) == 2 + 1 + 2
    assert not any(is_endless(successors, tokens) for tokens in placed(9, 4))
