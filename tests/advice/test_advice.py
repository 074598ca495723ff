"""Advice: baselines and quick games against slow twins, intervals, proofs, stopping."""

from collections.abc import Sequence
from functools import cache
from itertools import product
from math import sqrt
from random import Random
from threading import Event
from typing import Any

import networkx as nx
import numpy as np
import pytest
from numpy.typing import NDArray

import topple
from topple.advice.adviser import AdviceSettings, Adviser
from topple.advice.baselines import (
    BETWEENNESS,
    DEGREE,
    GREEDY,
    PAGERANK,
    PIVOTS,
    added_spread,
    all_baselines,
    betweenness,
    seeds_of,
)
from topple.advice.page import page
from topple.advice.picture import beside, marks, picture
from topple.advice.quick_games import QuickGames, Report
from topple.advice.result import UNPLAYED, difference, win_probability
from topple.advice.sequential_halving import CHOOSING, FIRST_GAMES, FRESH, SequentialHalving
from topple.advice.words import conclusion, losses, method
from topple.arena.statistics.rates import Estimate
from topple.boards import Board, board_to_networkx, load_board
from topple.core.errors import BadText, Unsupported
from topple.core.stopping import Stop
from topple.game.game import Game
from topple.game.position import Position
from topple.kernels.values import WIN


def spread_it(board: str, **options: object) -> Game:
    return topple.load("spread-it", board=board, **options)


# The baselines.


@pytest.mark.parametrize("name", ["karate", "florentine", "ba:n=30,m=2,seed=5", "grid:4x5"])
def test_centralities_are_those_of_networkx(name: str) -> None:
    board = load_board(name)
    graph = board_to_networkx(board)
    for _, _, edge in graph.edges(data=True):
        edge.clear()  # weights are no part of the game
    found = {each.name: each.values for each in all_baselines(spread_it(name, tokens=3).start(), 1)}
    twins = {
        DEGREE: dict(graph.degree()),
        PAGERANK: nx.pagerank(graph),
        BETWEENNESS: nx.betweenness_centrality(graph),
    }
    for measure, twin in twins.items():
        expected = [twin[label] for label in board.labels]
        assert found[measure] == pytest.approx(expected, abs=1e-6)


def test_betweenness_of_large_networks_is_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    for text in ("ba:n=300,m=2,seed=1", "random-digraph:n=300,m=900,seed=1"):
        board = load_board(text)
        game = topple.load("spread-it:tokens=9", board)
        exact = betweenness(game, board)
        with monkeypatch.context() as patch:
            patch.setattr("topple.advice.baselines.MOST_WORK", 1000)
            sampled = betweenness(game, board)
        graph = nx.DiGraph() if board.directed else nx.Graph()
        graph.add_nodes_from(range(board.n_vertices))
        graph.add_edges_from(board.edges())
        same = nx.betweenness_centrality(graph, k=PIVOTS, seed=1)
        assert sampled == pytest.approx([same[v] for v in range(board.n_vertices)], abs=2e-9)
        assert sampled != exact
        assert sampled == pytest.approx(exact, abs=0.05)


def exact_added_spread(board: Board, seeds: frozenset[int]) -> list[float]:
    """By definition: over every way in which all vertices may follow a neighbour each."""
    n = board.n_vertices
    totals, n_ways = [0] * n, 0
    for follows in product(*(board.neighbours(vertex) for vertex in range(n))):
        n_ways += 1
        before = n_won(follows, seeds)
        for vertex in range(n):
            totals[vertex] += n_won(follows, seeds | {vertex}) - before
    return [total / n_ways for total in totals]


def n_won(follows: Sequence[int], seeds: frozenset[int]) -> int:
    won = 0
    for vertex in range(len(follows)):
        leader, seen = vertex, set()
        while leader not in seeds and leader not in seen:
            seen.add(leader)
            leader = follows[leader]
        won += leader in seeds
    return won


@pytest.mark.parametrize("seeds", [frozenset(), frozenset({2}), frozenset({0, 4})])
@pytest.mark.parametrize("name", ["er:n=6,m=8,seed=3", "cycle:6", "star:6"])
def test_the_greedy_seed_adds_what_the_model_says(name: str, seeds: frozenset[int]) -> None:
    n_draws = 20_000
    found = added_spread(spread_it(name, tokens=2), seeds, n_draws, seed=4)
    exact = exact_added_spread(load_board(name), seeds)
    assert found == pytest.approx(exact, abs=5 * 6 / 2 / sqrt(n_draws))
    assert all(found[seed] == 0 for seed in seeds)


def threshold_spread(graph: nx.Graph, seeds: set[int], draw: Random) -> int:
    """The linear threshold model as Kempe, Kleinberg and Tardos define it."""
    limits = {vertex: draw.random() for vertex in graph}
    won, grows = set(seeds), True
    while grows:
        new = {
            vertex
            for vertex in set(graph) - won
            if sum(other in won for other in graph[vertex]) / graph.degree(vertex) >= limits[vertex]
        }
        won, grows = won | new, bool(new)
    return len(won)


def test_the_greedy_seed_agrees_with_thresholds_drawn_one_by_one() -> None:
    board = load_board("florentine")
    graph, draw = nx.Graph(board.edges()), Random(1)
    found = added_spread(spread_it("florentine", tokens=3), [], 20_000, seed=1)
    n_draws = 1500
    for vertex in (0, 4, 8):
        spreads = [threshold_spread(graph, {vertex}, draw) for _ in range(n_draws)]
        error = float(np.std(spreads)) / sqrt(n_draws)
        assert found[vertex] == pytest.approx(float(np.mean(spreads)), abs=5 * error)


def test_baselines_choose_no_seed_again_and_no_owned_vertex() -> None:
    zero = spread_it("cycle:5", tokens=3).position("1b,3,1r Black 2-2")
    assert seeds_of(zero) == {0}
    assert all(each.choice != 0 for each in all_baselines(zero, 1))
    full = spread_it("karate", loyalty="full").start().play("12").play("34")
    assert full.contents()[11].owner == 0
    assert all(each.choice in full.legal_moves() for each in all_baselines(full, 1))


# Quick games.


@cache
def exact_chance(position: Position, looks: int, player: int) -> float:
    """What a player may expect, draws counted half, if both draw moves and take the best."""
    if position.is_over:
        return (1 + position.returns()[player]) / 2
    moves = position.legal_moves()
    worth = {move: look(position, move) for move in moves}
    total = 0.0
    for drawn in product(moves, repeat=looks):
        chosen = max(drawn, key=worth.__getitem__) if looks > 1 else drawn[0]
        total += exact_chance(position.play(chosen), looks, player)
    return total / len(moves) ** looks


def look(position: Position, move: int) -> float:
    after = position.play(move)
    if after.is_over:
        return WIN * after.returns()[position.player]
    return after.evaluate(player=position.player)


@pytest.mark.parametrize("looks", [1, 2])
@pytest.mark.parametrize(
    ("board", "loyalty", "tokens"), [("path:4", "zero", 2), ("star:4", "full", 2)]
)
def test_quick_games_win_what_their_players_would(
    board: str, loyalty: str, tokens: int, looks: int
) -> None:
    start = spread_it(board, loyalty=loyalty, tokens=tokens).start()
    n_games = 20_000
    open_moves = [move for move in start.legal_moves() if not start.play(move).is_over]
    results = QuickGames(start, looks, 3, 2).play(FRESH, open_moves, (0, n_games))
    for move, games in zip(open_moves, results, strict=True):
        exact = exact_chance(start.play(move), looks, start.player)
        assert (1 + games.mean()) / 2 == pytest.approx(exact, abs=5 * 0.5 / sqrt(n_games))


def test_quick_games_are_the_same_compiled_and_plain() -> None:
    for loyalty in ("zero", "full"):
        fast = topple.load("spread-it", board="grid:2x3", loyalty=loyalty).start()
        slow = topple.load("spread-it", board="grid:2x3", loyalty=loyalty, compiled=False).start()
        played = [QuickGames(each, 5, 7, 1).play(FRESH, [0, 4], (0, 6)) for each in (fast, slow)]
        assert played[0].tolist() == played[1].tolist()


def test_games_do_not_depend_on_threads_order_or_company() -> None:
    start = spread_it("florentine").start()
    together = QuickGames(start, 4, 1, 3).play(FRESH, [0, 5, 9], (0, 130))
    alone = QuickGames(start, 4, 1, 1)
    parts = [alone.play(FRESH, [5], limits) for limits in ((70, 130), (0, 70))]
    assert together[1].tolist() == [*parts[1][0].tolist(), *parts[0][0].tolist()]
    other = alone.play(CHOOSING, [5], (0, 130))[0]
    assert other.tolist() != together[1].tolist()


# Intervals.

FIVE = "er:n=5,m=6,seed=2"


@pytest.mark.parametrize(("board", "loyalty"), [("complete:4", "full"), (FIVE, "zero")])
def test_intervals_hold_the_truth_after_the_choice(board: str, loyalty: str) -> None:
    """The winner's curse: the first choice is rated by games that had no say in it."""
    position = spread_it(board, loyalty=loyalty, tokens=2).start()
    chances = {move: exact_chance(position.play(move), 1, 0) for move in position.legal_moves()}
    n_runs, n_held, n_gaps_held, n_gaps = 300, 0, 0, 0
    flattered, fresh_errors = [], []
    for seed in range(n_runs):
        contest = QuickGames(position, 1, seed, 1)
        choosing = SequentialHalving(contest, position.legal_moves())
        choosing.run()
        order = choosing.order()
        fresh = contest.play(FRESH, order, (0, 60))
        wins = win_probability(fresh[0])
        n_held += wins.low <= chances[order[0]] <= wins.high
        fresh_errors.append(wins.value - chances[order[0]])
        flattered.append((1 + choosing.mean(order[0])) / 2 - chances[order[0]])
        for move, games in zip(order[1:], fresh[1:], strict=True):
            gap = difference(fresh[0], games)
            n_gaps_held += gap.low <= chances[order[0]] - chances[move] <= gap.high
            n_gaps += 1
    assert n_held / n_runs > 0.91  # 95% less three standard errors
    assert n_gaps_held / n_gaps > 0.93
    error = float(np.std(fresh_errors)) / sqrt(n_runs)
    assert abs(float(np.mean(fresh_errors))) < 4 * error
    assert float(np.mean(flattered)) > 4 * error  # the games of the choosing do flatter


@pytest.mark.parametrize("n", [5, 20, 60])
def test_paired_differences_hold_the_truth(n: int) -> None:
    draw = np.random.default_rng(n)
    n_held, n_runs = 0, 2000
    for _ in range(n_runs):
        shared = draw.random(n)
        first = np.where(shared < 0.7, 1, -1).astype(np.int8)
        other = np.where(0.5 * shared + 0.5 * draw.random(n) < 0.5, 1, -1).astype(np.int8)
        gap = difference(first, other)
        n_held += gap.low <= 0.2 <= gap.high
    assert n_held / n_runs > 0.94


# The choice.


@pytest.mark.parametrize("loyalty", ["zero", "full"])
@pytest.mark.parametrize(
    "board", ["cycle:3", "path:4", "star:5", "complete:4", "er:n=5,m=6,seed=2", "grid:2x2"]
)
def test_the_first_choice_wins_where_a_move_wins(board: str, loyalty: str) -> None:
    game = spread_it(board, loyalty=loyalty, tokens=3)
    for position in (game.start(), game.start().play(0)):
        if position.is_over:
            continue
        solution = topple.solve(position)
        best = max(each.value.least for each in solution.moves)
        advice = topple.advise(position, games=5, workers=1)
        own = next(each for each in solution.moves if each.move == advice.first.vertex)
        assert own.value.most >= best or best <= 0
        assert (advice.first.proven == "won") == (best > 0)


def test_the_answer_is_fixed_by_the_seed_and_by_nothing_else() -> None:
    start = spread_it("florentine", loyalty="full").start()
    first, again = (topple.advise(start, games=20, workers=n, seed=3).data() for n in (1, 3))
    assert first == again
    fewer = topple.advise(start, games=20, top=2, seed=3).data()
    assert fewer["moves"] == first["moves"][:2]
    assert topple.advise(start, games=20, seed=4).data() != first


def test_all_moves_get_games_and_the_best_half_goes_on() -> None:
    start = spread_it("karate").start()
    choosing = SequentialHalving(QuickGames(start, 2, 1, 2), start.legal_moves())
    choosing.run()
    assert sorted({len(games) for games in choosing.games.values()}) == [24, 72, 168]
    by_rounds = [choosing.reached[move] for move in choosing.order()]
    assert by_rounds == sorted(by_rounds, reverse=True)
    assert [by_rounds.count(n) for n in (3, 2, 1)] == [9, 8, 17]


def test_a_move_that_wins_at_once_comes_first_without_games() -> None:
    game = spread_it("cycle:3")
    position = game.start().play("1").play("1")
    advice = topple.advise(position, games=10)
    assert position.play(advice.first.vertex).outcome is not None
    assert (advice.first.wins.low, advice.first.games, advice.first.proven) == (1.0, 0, "won")
    assert conclusion(advice).endswith("it wins the game at once.")


def test_large_networks_try_the_moves_that_some_method_ranks_highest() -> None:
    start = spread_it("ba:n=150,m=2,seed=1", tokens=4).start()
    advice = topple.advise(start, games=5, looks=2, candidates=20, top=5)
    assert len(advice.tried) == 20
    assert {each.choice.vertex for each in advice.baselines} <= set(advice.tried)
    assert "20 of 150 moves were tried" in method(advice)


# Stopping and refusing.


def test_stopped_advice_reports_what_is_known() -> None:
    start, stop = spread_it("karate").start(), Event()
    settings = AdviceSettings(games=50, looks=1, workers=1)

    def report(n_done: int, total: int) -> None:
        assert n_done <= total
        if n_done > 3000:
            stop.set()

    advice = Adviser(start, settings, stop, report).run()
    assert not advice.is_complete
    assert 3000 < advice.n_played < 4000
    assert len(advice.rows) == 10
    stop.set()
    nothing = topple.advise(start, stop=stop)
    assert nothing.n_played == 0
    assert not nothing.is_fresh
    assert (nothing.first.wins.low, nothing.first.wins.high) == (0.0, 1.0)
    assert "stopped early" in method(nothing)


def test_differences_pair_games_by_their_number() -> None:
    games = np.array([UNPLAYED, 1, 1, -1, 1], dtype=np.int8)
    others = np.array([-1, UNPLAYED, -1, -1], dtype=np.int8)
    assert difference(games, others) == difference(games[2:4], others[2:4])
    assert win_probability(games) == win_probability(games[1:])


class CutShort(QuickGames):
    """Quick games of which some are missing from one round on, where they are stopped."""

    cut_from = 0  # the number of the first game of that round

    def play(
        self,
        stage: int,
        moves: Sequence[int],
        numbers: tuple[int, int],
        stop: Stop | None = None,
        report: Report | None = None,
    ) -> NDArray[np.int8]:
        results = super().play(stage, moves, numbers)
        if numbers[0] >= self.cut_from:
            assert isinstance(stop, Event)
            stop.set()
            results[0, 10:] = UNPLAYED
            results[1, 3] = UNPLAYED
        return results


def test_a_later_round_that_is_cut_short_does_not_count() -> None:
    start = spread_it("karate").start()
    whole, cut = QuickGames(start, 2, 1, 2), CutShort(start, 2, 1, 2)
    cut.cut_from = FIRST_GAMES
    halving = SequentialHalving(cut, start.legal_moves())
    halving.run(Event())
    expected = whole.play(CHOOSING, start.legal_moves(), (0, FIRST_GAMES))
    for move, games in zip(start.legal_moves(), expected, strict=True):
        assert halving.games[move].tolist() == games.tolist()
        assert halving.mean(move) == games.mean()
        assert halving.reached[move] == 1


def test_of_a_first_round_cut_short_the_games_count_that_every_move_has_played() -> None:
    start = spread_it("karate").start()
    halving = SequentialHalving(CutShort(start, 2, 1, 2), start.legal_moves())
    halving.run(Event())
    for games in halving.games.values():
        assert np.flatnonzero(games != UNPLAYED).tolist() == [0, 1, 2, *range(4, 10)]


def test_fresh_games_that_were_not_played_leave_the_others_their_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def play(games: QuickGames, stage: int, moves: Sequence[int], *others: Any) -> NDArray[np.int8]:
        results = play_all(games, stage, moves, *others)
        if stage == FRESH:
            results[0, :12] = UNPLAYED
            results[1, 12:] = UNPLAYED
        return results

    play_all = QuickGames.play
    monkeypatch.setattr(QuickGames, "play", play)
    first, second, *_ = topple.advise(spread_it("florentine"), games=20, looks=2).rows
    assert (first.games, second.games) == (8, 12)
    assert second.behind == Estimate(0.0, -1.0, 1.0)  # no game of the same number


def test_games_that_were_not_played_are_marked() -> None:
    stop = Event()
    stop.set()
    results = QuickGames(spread_it("karate").start(), 2, 1, 1).play(FRESH, [0], (0, 500), stop)
    assert (results == UNPLAYED).sum() >= 400


def test_what_cannot_be_advised_on_is_refused() -> None:
    with pytest.raises(Unsupported, match="advice is for spread-it"):
        topple.advise(topple.load("hex", board="hex:3"))
    over = spread_it("cycle:3").start().play("1").play("1").play("3")
    with pytest.raises(BadText, match="the game is over"):
        topple.advise(over)
    with pytest.raises(BadText, match="games is at least 1, not 0"):
        topple.advise(spread_it("karate"), games=0)
    with pytest.raises(Unsupported, match=r"this would take about [0-9,]+ hours"):
        topple.advise(spread_it("karate"), looks=1_000_000)


# Words and pictures.


def test_games_that_are_all_drawn_give_no_advice() -> None:
    """One token each on a network of degree 4: nothing can fire."""
    game = topple.load("spread-it:tokens=1", "ws:n=30,k=4,p=0,seed=1")
    advice = topple.advise(game, games=20, looks=2, candidates=6)
    assert conclusion(advice).startswith("No advice: 100.0% of these games were drawn")
    some = topple.advise(topple.load("spread-it", "karate"), games=20, looks=2, candidates=6)
    assert conclusion(some).startswith("Play ")


def test_conclusions_name_unclear_differences() -> None:
    start = spread_it("karate", loyalty="full").start()
    advice = topple.advise(start, games=300)
    told = losses(advice)
    assert "Degree, PageRank and greedy seed take 34, which wins" in told
    assert "points fewer" in told
    few = topple.advise(start, games=2)
    assert "no clear difference from the other 9 listed" in conclusion(few)


def test_pictures_name_the_choices_and_never_change() -> None:
    advice = topple.advise(spread_it("florentine", loyalty="full"), games=10, looks=2)
    svg = picture(advice, "svg")
    assert svg == picture(advice, "svg")
    assert picture(advice, "png")[1:4] == b"PNG"
    texts = beside(advice)
    assert texts[advice.first.vertex].startswith("★ ")
    medici = advice.position.game.board.vertex_of["Medici"]
    assert texts[medici] == "Medici [DPBG]"
    assert marks(advice)[medici].text == f"{100 * advice.baselines[0].choice.wins.value:.0f}"
    whole = page(advice)
    assert conclusion(advice).partition(":")[0] in whole
    assert whole.count("<table>") == 2


def test_greedy_is_a_baseline_of_its_own() -> None:
    names = [each.name for each in all_baselines(spread_it("karate").start(), 1)]
    assert names == [DEGREE, PAGERANK, BETWEENNESS, GREEDY]
