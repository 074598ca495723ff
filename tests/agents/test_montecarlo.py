"""montecarlo and pruning: what random games say, and what pruning may not change."""

from functools import cache

import pytest

import topple
from topple.agents.decision import DRAWN, LOST, WON, Decision
from topple.agents.interface import Agent
from topple.agents.montecarlo import UNLIMITED, FlatSearch, capacity, dealt_to
from topple.game.game import Game, random_position
from topple.game.position import Position

GAMES = {
    "chain-reaction": "grid:4x4",
    "chain-reaction:players=4": "grid:4x4",
    "spread-it": "karate",
    "infexion": None,
    "hex": "hex:5",
    "influence": "segment:20",
}


def load(name: str) -> Game:
    return topple.load(name, board=GAMES[name])


def by_move(decision: Decision) -> dict[int, tuple[float, int]]:
    """The value and the samples of each move."""
    return {each.move: (each.value, each.visits) for each in decision.candidates}


def in_parts_of(n: int, agent: Agent, position: Position, seed: int) -> Decision:
    """Search in parts of n samples."""
    search = agent.search(position, seed)
    while not search.is_done:
        search.advance(n)
    return search.decision()


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("text", ["montecarlo:samples=7", "pruning:samples=7,rounds=3"])
def test_the_answer_is_fixed_by_the_seed_whatever_the_threads_and_parts(
    name: str, text: str
) -> None:
    position, agent = random_position(load(name), 4, 2), topple.agent(text)
    answer = agent.choose(position, seed=5)
    assert answer.move in position.legal_moves()
    assert sorted(by_move(answer)) == list(position.legal_moves())
    assert agent.choose(position, seed=5) == answer
    assert topple.agent(text, threads=3).choose(position, seed=5) == answer
    assert in_parts_of(1, agent, position, 5) == answer
    assert in_parts_of(37, agent, position, 5) == answer
    assert any(by_move(agent.choose(position, seed=s)) != by_move(answer) for s in range(6, 10))


@pytest.mark.parametrize("name", ["chain-reaction:players=4", "influence"])
@pytest.mark.parametrize("text", ["montecarlo:samples=3", "pruning:samples=3,rounds=2"])
def test_compiled_and_uncompiled_agree(name: str, text: str) -> None:
    agent = topple.agent(text)
    plain = topple.load(name, board=GAMES[name], compiled=False)
    fast, slow = (random_position(game, 3, 1) for game in (load(name), plain))
    assert agent.choose(fast, seed=3) == agent.choose(slow, seed=3)


@pytest.mark.parametrize("name", GAMES)
def test_each_move_gets_its_samples_and_shares_add_up(name: str) -> None:
    decision = topple.agent("montecarlo:samples=6").choose(load(name).start(), seed=1)
    assert {each.visits for each in decision.candidates} == {6}
    assert decision.effort.simulations == 6 * len(decision.candidates)
    assert sum(each.share for each in decision.candidates) == pytest.approx(1)
    values = [each.value for each in decision.candidates]
    assert values == sorted(values, reverse=True)
    assert decision.value == values[0]
    for each in decision.candidates:
        low, high = each.interval
        assert -1 <= low <= each.value <= high <= 1


def expected_returns(position: Position) -> dict[int, float]:
    """What the player to move gets, on average, after each move if all play at random."""

    @cache
    def value(here: Position) -> tuple[float, ...]:
        if here.is_over:
            return here.returns()
        values = [value(here.play(move)) for move in here.legal_moves()]
        return tuple(sum(column) / len(values) for column in zip(*values, strict=True))

    return {move: value(position.play(move))[position.player] for move in position.legal_moves()}


@pytest.mark.parametrize(
    ("name", "board"),
    [("hex", "hex:3"), ("influence", "segment:8"), ("chain-reaction:players=3", "path:4")],
)
def test_means_come_to_what_random_play_is_worth(name: str, board: str) -> None:
    position = topple.load(name, board=board).start()
    decision = topple.agent("montecarlo:samples=4000").choose(position, seed=1)
    truth = expected_returns(position)
    for each in decision.candidates:  # five standard errors of returns that span 2
        assert each.value == pytest.approx(truth[each.move], abs=5 / 4000**0.5)


@pytest.mark.parametrize("name", GAMES)
def test_pruning_in_one_round_is_montecarlo(name: str) -> None:
    for seed in range(5):
        position = random_position(load(name), seed, seed)
        flat = topple.agent("montecarlo:samples=5").choose(position, seed)
        assert topple.agent("pruning:samples=5,rounds=1").choose(position, seed) == flat


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(("samples", "rounds"), [(20, 5), (7, 3), (3, 5)])
def test_who_survives_has_the_statistics_of_montecarlo(
    name: str, samples: int, rounds: int
) -> None:
    position = random_position(load(name), 5, 1)
    flat = topple.agent("montecarlo", samples=samples).choose(position, seed=2)
    pruned = topple.agent("pruning", samples=samples, rounds=rounds).choose(position, seed=2)
    survivors = [each for each in pruned.candidates if each.visits == samples]
    assert pruned.candidates[0] in survivors
    assert all(by_move(flat)[each.move] == (each.value, samples) for each in survivors)
    assert pruned.effort.simulations <= flat.effort.simulations


@pytest.mark.parametrize("name", ["chain-reaction", "hex", "chain-reaction:players=4"])
@pytest.mark.parametrize(("samples", "rounds"), [(20, 5), (8, 3), (3, 5)])
def test_pruning_keeps_whom_montecarlo_ranks_best_after_each_round(
    name: str, samples: int, rounds: int
) -> None:
    """The rule of section IV, spelt out with montecarlo's answers to fewer samples."""
    game = load(name)
    position, most = random_position(game, 3, 4), game.sizes.moves
    going, effort, behind = list(position.legal_moves()), 0, 0
    for done in range(1, rounds + 1):
        so_far = -(-samples * done // rounds)
        effort += len(going) * (so_far - behind)
        ranking = topple.agent("montecarlo", samples=so_far).choose(position, seed=3).candidates
        going = [each.move for each in ranking if each.move in going]
        if done < rounds:
            going = going[: -(-most * (rounds - done) // rounds)]
        behind = so_far
    decision = topple.agent("pruning", samples=samples, rounds=rounds).choose(position, seed=3)
    assert [each.move for each in decision.candidates][: len(going)] == going
    assert decision.effort.simulations == effort
    assert len(going) < len(position.legal_moves())


def test_five_squares_fewer_after_each_of_five_rounds() -> None:
    assert [capacity(25, done, 5) for done in range(5)] == [25, 20, 15, 10, 5]
    assert [capacity(4, done, 5) for done in range(5)] == [4, 4, 3, 2, 1]


def samples_of_pruning(n_moves: int) -> int:
    """Five rounds of 20 samples on 25 squares."""
    return sum(20 * min(n_moves, going) for going in (25, 20, 15, 10, 5))


def test_pruning_saves_what_its_rounds_say() -> None:
    game, agent = topple.load("chain-reaction"), topple.agent("pruning:samples=100,rounds=5")
    seen = set()
    for seed in range(12):
        position = random_position(game, 2 * seed, seed)
        n_moves = len(position.legal_moves())
        if not any(position.play(move).is_over for move in position.legal_moves()):
            assert agent.choose(position).effort.simulations == samples_of_pruning(n_moves)
            seen.add(n_moves)
    assert len(seen) >= 5
    assert samples_of_pruning(20) == 0.7 * 100 * 20


def test_pruning_saves_three_tenths_of_the_samples_of_whole_games() -> None:
    game = topple.load("chain-reaction")
    counts = []
    for seed in range(40):
        position, ply, player = game.start(), 0, topple.agent("random").begin(seed)
        while not position.is_over:
            counts.append(len(position.legal_moves()))
            position = position.play(player.choose(position, ply).move)
            ply += 1
    saved = 1 - sum(map(samples_of_pruning, counts)) / (100 * sum(counts))
    assert 0.25 < saved < 0.35


WINNING = {
    "chain-reaction": ("grid:2x2", "A1,A1,A1,B1 A 2"),
    "hex": ("hex:3", "XO./XO./... Blue"),
}


@pytest.mark.parametrize("name", WINNING)
@pytest.mark.parametrize("text", ["montecarlo:samples=1", "pruning:samples=1"])
def test_a_move_that_wins_is_found_without_a_sample(name: str, text: str) -> None:
    board, position_text = WINNING[name]
    position = topple.load(name, board=board).position(position_text)
    decision = topple.agent(text).choose(position)
    assert position.play(decision.move).outcome.winner == position.player
    assert (decision.value, decision.proven, decision.candidates[0].proven) == (1.0, WON, WON)
    assert decision.effort.simulations == 0


def test_a_move_that_loses_is_known_and_takes_no_samples() -> None:
    """Two vertices are left, one for each: the last one decides."""
    game = topple.load("influence", board="segment:6")
    checked = 0
    for seed in range(30):
        position = random_position(game, 2, seed)
        if position.is_over:
            continue
        ends = {move: position.play(move) for move in position.legal_moves()}
        decision = topple.agent("montecarlo:samples=5").choose(position, seed)
        for each in decision.candidates:
            if ends[each.move].is_over:
                assert each.value == ends[each.move].returns()[position.player]
                assert each.visits == 0
                assert (each.proven == LOST) == (each.value < 0)
                checked += 1
            else:
                assert each.proven is None
        all_over = all(end.is_over for end in ends.values())
        assert (decision.proven is None) == (decision.candidates[0].proven != WON and not all_over)
    assert checked > 0


@pytest.mark.parametrize("text", ["montecarlo:samples=1", "pruning:samples=1"])
def test_where_every_move_ends_the_game_the_best_of_them_is_proven(text: str) -> None:
    seen = set()
    for board in ("segment:4+4", "random-digraph:n=8,m=6,seed=1"):
        game = topple.load("influence", board=board)
        for seed in range(20):
            position = random_position(game, 1 + seed % 5, seed)
            ends = [position.play(move) for move in position.legal_moves()]
            if ends and all(end.is_over for end in ends):
                best = max(end.returns()[position.player] for end in ends)
                decision = topple.agent(text).choose(position)
                assert decision.proven == {1.0: WON, 0.0: DRAWN, -1.0: LOST}[best]
                seen.add(decision.proven)
    assert seen == {DRAWN, LOST}


def test_ties_are_broken_by_the_seed() -> None:
    """After one sample each, many moves are equal: every one of them has its day."""
    position = topple.load("hex", board="hex:2").start()
    agent = topple.agent("montecarlo:samples=1")
    assert {agent.choose(position, seed).move for seed in range(40)} == {0, 1, 2, 3}


def test_turns_are_dealt_evenly() -> None:
    for first in range(8):
        for last in range(first, 12):
            turns = [turn % 3 for turn in range(first, last)]
            assert dealt_to(3, first, last).tolist() == [turns.count(i) for i in range(3)]


def test_time_alone_sets_no_limit_on_samples() -> None:
    position = topple.load("hex", board="hex:3").start()
    search = topple.agent("montecarlo:time=0.01").search(position, 0)
    assert isinstance(search, FlatSearch)
    assert search.samples == UNLIMITED
    assert not search.is_done
    decision = topple.agent("montecarlo:time=0.01").choose(position)
    assert decision.effort.simulations > 0
    limited = topple.agent("montecarlo:time=60,samples=2").choose(position)
    assert limited.effort.simulations == 18


def test_the_first_decision_needs_no_sample() -> None:
    position = topple.load("hex", board="hex:3").start()
    search = topple.agent("montecarlo").search(position, 0)
    assert search.decision().move in position.legal_moves()
    assert search.decision().effort.simulations == 0


def test_montecarlo_beats_random() -> None:
    """With the source's 970 wins of 1,000, it would win fewer than 17 of 20 once in 370 tries."""
    game, wins = topple.load("chain-reaction"), 0
    for number in range(20):
        seats = [topple.agent("montecarlo:samples=25"), topple.agent("random")]
        mine = number % 2
        players = [seats[seat ^ mine].begin(number) for seat in range(2)]
        position, ply = game.start(), 0
        while not position.is_over:
            position = position.play(players[position.player].choose(position, ply).move)
            ply += 1
        wins += position.outcome.winner == mine
    assert wins >= 17


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("montecarlo:samples=0", "samples=0 is too small: at least 1"),
        ("montecarlo:samples=many", "samples=many is not a whole number"),
        ("montecarlo:threads=0", "threads=0 is too small: at least 1"),
        ("montecarlo:time=-1", "time=-1 is too small: at least 0.001"),
        ("montecarlo:rounds=2", "unknown option of montecarlo 'rounds'"),
        ("pruning:rounds=0", "rounds=0 is too small: at least 1"),
        ("pruning:time=1", "unknown option of pruning 'time'"),
    ],
)
def test_a_bad_option_gives_one_line(text: str, words: str) -> None:
    with pytest.raises(topple.BadText) as caught:
        topple.agent(text)
    assert str(caught.value).startswith(words)
    assert "\n" not in str(caught.value)


def test_the_text_of_an_agent_says_what_it_was_given() -> None:
    assert topple.agent("montecarlo:samples=100,time=2").spec == "montecarlo:samples=100,time=2.0"
    assert topple.agent("pruning:samples=100").spec == "pruning"
