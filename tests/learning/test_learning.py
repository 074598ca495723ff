"""Learning: the rule to the letter, the same however it is run, kept, told and refused."""

import json
import signal
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

import networkx as nx
import numpy as np
import pytest
from scipy import stats

import topple as package
from tests.core.command_line import (
    assert_fits_80_columns,
    assert_one_line_refusal,
    assert_refused_without_a_trace,
    topple,
)
from topple.cli.commands import learn as learn_command
from topple.cli.commands.warmup import everything
from topple.compiling.rng import below, make_rng
from topple.core.errors import BadText, ToppleError, Unsupported
from topple.core.means import Mean
from topple.game.game import Game, load
from topple.game.position import Position
from topple.game.warm_up import KernelsOf
from topple.kernels.learning import (
    CHANCES,
    N_CUT,
    N_POSITIONS,
    N_UPDATES,
    Learners,
    play_and_learn,
    update_weights,
)
from topple.learning import settings as settings_module
from topple.learning import training as training_module
from topple.learning.networks import networks
from topple.learning.result import LearningResult
from topple.learning.settings import LearningSettings
from topple.learning.simulation import (
    Simulation,
    TrainingPoint,
    make_learners,
    recorded_games,
    simulate,
)
from topple.learning.training import Training, make_settings
from topple.papers.engine.computations import COMPUTATIONS
from topple.papers.engine.computations.spread_it import lms

TINY = [
    ("spread-it", "grid:2x3"),
    ("spread-it:loyalty=full", "grid:2x3"),
    ("chain-reaction", "grid:2x3"),
    ("infexion", "infexion:3"),
    ("hex:swap=true", "hex:3"),
    ("influence", "segment:9"),
]
EVERY_GAME = pytest.mark.parametrize(("name", "board"), TINY)
LEARNING = KernelsOf("topple.learning.simulation")
OPPONENTS = ["learning", "frozen", "same", "random", "0.5/-1/2/0/0.25"]


def tiny(opponent: str = "learning", games: int = 6, **others: Any) -> LearningSettings:
    """Spread-It on six squares."""
    return make_settings("spread-it", "grid:2x3", games=games, opponent=opponent, **others)


def simulated(settings: LearningSettings, number: int = 1) -> Simulation:
    found = simulate(settings, number)
    assert found is not None
    return found


# The rule, by hand.


def learner_of(weights: list[float], before: list[float], rate: float) -> Learners:
    """A learner after its first move, whose copy learns nothing."""
    n = len(weights)
    return Learners(
        np.array([weights, [0.0] * n]), np.array([0, 1]), np.array([rate, 0.0]), np.array([0, 0]),
        np.array([before, [1.0] * n]), np.array([1, 1]), np.zeros(n), np.zeros(1),
        np.zeros(3, dtype=np.int64),
    )  # fmt: skip


def test_a_lesson_adds_rate_times_error_times_feature() -> None:
    learners = learner_of([1.0, 2.0], [0.5, -1.0], rate=0.1)
    update_weights(learners, 0, 10.0)  # worth 0.5 − 2 = −1.5: 11.5 are missing
    assert learners.weights[0] == pytest.approx([1 + 0.1 * 11.5 * 0.5, 2 - 0.1 * 11.5])
    assert learners.counts.tolist() == [0, 1, 0]


def test_a_weight_of_nothing_can_grow() -> None:
    # The formula as printed multiplies: it would stay 0 for ever.
    learners = learner_of([0.0], [1.0], rate=0.05)
    update_weights(learners, 0, 100.0)
    assert learners.weights[0, 0] == 5.0


def test_a_lesson_that_would_overshoot_ends_at_its_target() -> None:
    learners = learner_of([1.0, 1.0], [3.0, 4.0], rate=0.1)  # 0.1 · 25 > 1
    update_weights(learners, 0, -18.0)  # worth 7: −25 are missing, and −1 · (3, 4) does it
    assert learners.weights[0] == pytest.approx([-2.0, -3.0])
    assert learners.counts[N_CUT] == 1


def test_who_does_not_learn_or_has_not_moved_gets_no_lesson() -> None:
    learners = learner_of([1.0], [1.0], rate=0.1)
    update_weights(learners, 1, 100.0)
    learners.has_moved[0] = 0
    update_weights(learners, 0, 100.0)
    assert learners.weights.tolist() == [[1.0], [0.0]]
    assert learners.counts[N_UPDATES] == 0


# The game, by a twin that knows positions and plain lists only.


def features_of(position: Position, player: int) -> list[float]:
    n = len(position.game.evaluations.FEATURES)
    alone = ["/".join(str(int(i == k)) for k in range(n)) for i in range(n)]
    return [position.evaluate(weights=weights, player=player) for weights in alone]


def sum_of(weights: Sequence[float], features: Sequence[float]) -> float:
    total = 0.0
    for weight, feature in zip(weights, features, strict=True):
        total += weight * feature
    return total


def looks_best(position: Position, weights: Sequence[float], chance: int, lots: Any) -> int:
    """The move that a learner plays, drawing lots as it does."""
    moves = position.legal_moves()
    if chance and below(lots, CHANCES) < chance:
        return moves[below(lots, len(moves))]
    best, equals = None, []
    for move in moves:
        child = position.play(move)
        if child.is_over:
            value = 1e9 * child.returns()[position.player]
        else:
            value = sum_of(weights, features_of(child, position.player))
        if best is None or value > best:
            best, equals = value, [move]
        elif value == best:
            equals.append(move)
            if below(lots, len(equals)) == 0:
                equals[0] = move
    return equals[0]


def correct(weights: list[float], before: list[float] | None, target: float, rate: float) -> None:
    if before is not None and rate:
        rate = min(rate, 1 / (sum(each * each for each in before) or 1e-300))
        error = target - sum_of(weights, before)
        for i, feature in enumerate(before):
            weights[i] += rate * error * feature


def twin_game(game: Game, learners: Learners, lots: Any, swapped: int) -> list[float]:
    """Play and learn as the kernel does; returns what the game was worth to each learner."""
    weights = learners.weights.tolist()
    own = [weights[row] for row in learners.rows]
    before: list[list[float] | None] = [None, None]
    position = game.start()
    while not position.is_over:
        learner = position.player ^ swapped
        now = features_of(position, position.player)
        correct(own[learner], before[learner], sum_of(own[learner], now), learners.rates[learner])
        before[learner] = now
        chance = int(learners.chances[learner])
        position = position.play(looks_best(position, own[learner], chance, lots))
    worth = [100 * position.returns()[learner ^ swapped] for learner in range(2)]
    for learner in range(2):
        correct(own[learner], before[learner], worth[learner], learners.rates[learner])
    learners.weights[:] = weights
    return worth


@EVERY_GAME
@pytest.mark.parametrize("opponent", ["learning", "same"])
def test_a_game_teaches_what_its_twin_says(name: str, board: str, opponent: str) -> None:
    settings = make_settings(name, board, games=5, rate=0.02, opponent=opponent, explore=0.2)
    learners, lots = make_learners(settings), make_rng(1, 1, 1)
    worths = []
    with np.errstate(over="ignore"):
        for number in range(settings.games):
            worths.append(twin_game(settings.game, learners, lots, number % 2)[0])
    found = simulated(settings)
    assert found.weights == pytest.approx(learners.weights[0].tolist(), rel=1e-9, abs=1e-9)
    assert found.opponent == pytest.approx(
        learners.weights[learners.rows[1]].tolist(), rel=1e-9, abs=1e-9
    )
    results = Counter(worths)
    assert found.points[-1][2:] == (results[100.0], results[0.0], results[-100.0])
    assert any(found.weights)


@EVERY_GAME
def test_plain_python_learns_alike(name: str, board: str) -> None:
    wanted = {"games": 3, "rate": 0.02, "explore": 0.25}
    plain = make_settings(load(name, board, compiled=False), **wanted)
    assert simulated(plain) == simulated(make_settings(name, board, **wanted))


def test_plain_python_learns_alike_on_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = make_settings("spread-it", games=1)
    plain = LearningSettings(load("spread-it", compiled=False), on_networks=True, games=1)
    assert simulated(plain) == simulated(settings)


# Who plays, and how.


@pytest.mark.parametrize("opponent", OPPONENTS)
def test_the_second_copy_is_as_it_was_chosen(opponent: str) -> None:
    settings = tiny(opponent, games=40)
    found = simulated(settings)
    assert any(found.weights)
    if opponent == "learning":
        assert found.opponent != found.weights
        assert any(found.opponent)
    elif opponent == "same":
        assert found.opponent == found.weights
    elif "/" in opponent:
        assert found.opponent == (0.5, -1.0, 2.0, 0.0, 0.25)
    else:
        assert found.opponent == (0.0,) * 5
    others = [simulated(tiny(each, games=40)).weights for each in OPPONENTS if each != opponent]
    assert found.weights not in others


def test_seats_are_swapped_from_game_to_game() -> None:
    # On two vertices each player has one token, and all games end alike.
    settings = make_settings("spread-it:tokens=1", "path:2", games=2, rate=0.0)
    results = simulated(settings).points[-1][2:]
    position = settings.game.start()
    while not position.is_over:
        position = position.play(position.legal_moves()[0])
    assert position.returns() != (0.0, 0.0)
    assert results == (1, 0, 1)


def test_a_random_mover_draws_any_move() -> None:
    settings = make_settings("influence", "segment:9", rate=0.0, opponent="random", explore=1.0)
    game, drawn = settings.game, Counter[int]()
    for seed in range(300):
        state = game.scratch_state()
        arguments = (game.scratch_state(), game.sizes.state, game.scratch_moves(), make_rng(seed))
        knowledges = tuple(
            game.evaluations.knowledge(game.board, game.tables, each) for each in np.eye(2)
        )
        learners = make_learners(settings)
        game.run(play_and_learn, state, *arguments, knowledges, learners, 0)
        drawn[int(learners.counts[N_POSITIONS])] += 1
    assert len(drawn) > 1  # games of several lengths


def test_networks_are_small_connected_and_of_all_classes() -> None:
    drawn = list(islice(networks(7), 60))
    assert {board.spec.partition(":")[0] for board in drawn} == {"ba", "ws", "er"}
    assert {board.n_vertices for board in drawn} == set(range(15, 26))
    assert all(nx.is_connected(nx.Graph(board.edges())) for board in drawn)
    assert drawn == list(islice(networks(7), 60))
    assert drawn[:5] != list(islice(networks(8), 5))


def test_only_games_of_networks_get_new_ones() -> None:
    assert make_settings("spread-it", games=1).on_networks
    assert not make_settings("spread-it", "karate", games=1).on_networks
    assert not make_settings(load("spread-it"), games=1).on_networks
    assert not make_settings("hex", "hex:3", games=1).on_networks
    assert make_settings("spread-it", games=1).explore == 0.0
    assert make_settings("hex", "hex:3", games=1).explore == 0.1


def test_the_papers_rate_is_lowered_for_large_features_alone() -> None:
    assert make_settings("spread-it", games=1).rate == 0.05
    assert make_settings("spread-it:loyalty=full", games=1).rate == 0.05
    large = make_settings("chain-reaction", games=1)
    assert 0 < large.rate < 0.01
    assert make_settings("chain-reaction", games=1, rate=0.05).rate == 0.05


def test_it_learns_to_play() -> None:
    learned = package.learn("spread-it", games=300, simulations=2)
    for simulation in learned.simulations:
        assert simulation.cut == 0  # the paper's formula, never shortened
    board = "er:n=20,m=40,seed=3"
    for other in ("random", "greedy:weights=0/0/0/0/0"):
        met = package.match(
            "spread-it", f"greedy:weights={learned.weights_text}", other, board=board, games=30,
            workers=1,
        )  # fmt: skip
        assert met.score is not None
        assert met.score.low > 0.5, other


# The same however it is run.


def test_the_seed_fixes_everything() -> None:
    first, again = simulated(tiny()), simulated(tiny())
    assert first == again
    assert first.points != simulated(tiny(seed=2)).points
    assert first.points != simulated(tiny(), number=2).points


def test_processes_learn_alike() -> None:
    told: list[tuple[int, int]] = []
    side_by_side = Training(tiny(), 3, 70)
    assert side_by_side.run(2, lambda done, total: told.append((done, total)))
    one_by_one = Training(tiny(), 3, 70)
    assert one_by_one.run(1)
    assert side_by_side.result() == one_by_one.result()
    assert told[-1] == (18, 18)


class Sign:
    """A sign to stop that is set after it was looked at so many times."""

    def __init__(self, looks: int) -> None:
        self.looks = looks

    def is_set(self) -> bool:
        self.looks -= 1
        return self.looks < 0


@pytest.mark.parametrize("workers", [1, 2])
def test_what_was_stopped_goes_on(tmp_path: Path, workers: int) -> None:
    file = tmp_path / "learned.json"
    whole = package.learn("spread-it", board="grid:2x3", games=6, simulations=4)
    stopped = Training(tiny(), 4, 70, file)
    assert not stopped.run(1, stop=Sign(8))
    assert stopped.missing == [2, 3, 4]
    assert not Training(tiny(), 4, 70, file).run(2, stop=Sign(0))
    further = Training(tiny(), 4, 70, file)
    assert further.missing == [2, 3, 4]
    assert further.run(workers)
    assert further.result() == whole
    assert Training(tiny(), 4, 70, file).result() == whole


def test_what_has_ended_at_the_sign_to_stop_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = [simulated(tiny(), number) for number in (2, 1)]

    def coming(*_: Any) -> Iterator[tuple[int, Simulation] | None]:
        yield 1, ended[0]
        yield 0, ended[1]
        yield None
        raise AssertionError("another simulation was begun")

    monkeypatch.setattr(training_module, "as_they_come", coming)
    course, given = Training(tiny(), 3, 70), []
    assert not course.run(2, stop=Sign(0), ended=given.append)
    assert given == ended
    assert course.missing == [3]


def test_more_simulations_contain_fewer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "learned.json"
    few = package.learn("spread-it", board="grid:2x3", games=6, simulations=2, out=file)
    more = package.learn("spread-it", board="grid:2x3", games=6, simulations=3, out=file)
    assert more.simulations[:2] == few.simulations
    monkeypatch.setattr(training_module, "simulate", None)  # nothing is played again
    again = package.learn("spread-it", board="grid:2x3", games=6, simulations=2, out=file, keep=0)
    assert again.simulations == few.simulations
    assert len(json.loads(file.read_text())["simulations"]) == 3


# What it comes to.


def made_up(*ends: tuple[int, tuple[float, ...]]) -> LearningResult:
    """Simulations of ten games on six squares, with so many wins and such weights."""
    settings = LearningSettings(load("influence", "segment:9"), on_networks=False, games=10)
    simulations = [
        Simulation(number, (TrainingPoint(10, weights, wins, 0, 10 - wins),), (0.0, 0.0), 40, 0)
        for number, (wins, weights) in enumerate(ends, 1)
    ]
    return LearningResult(settings, tuple(simulations))


def test_those_that_won_often_are_averaged() -> None:
    learned = made_up((7, (10.0, -30.0)), (6, (999.0, 999.0)), (9, (30.0, -10.0)))
    assert [each.number for each in learned.kept] == [1, 3]
    assert learned.averaged == learned.kept
    assert {name: mean.value for name, mean in learned.weights.items()} == {
        "score": 20.0, "reach": -20.0,
    }  # fmt: skip
    assert learned.averaging == (
        "2 of 3 simulations won at least 70% of their games: these are averaged"
    )
    assert learned.weights_text == "0.5/-0.5"
    assert learned.agent == "alphabeta:depth=4,weights=0.5/-0.5"
    assert package.agent(learned.agent).spec == learned.agent


def test_all_are_averaged_where_fewer_than_two_won_often() -> None:
    learned = made_up((7, (10.0, -30.0)), (6, (20.0, -60.0)))
    assert len(learned.kept) == 1
    assert learned.averaged == learned.simulations
    assert learned.weights["reach"].value == -45.0
    said = "1 of 2 simulations won at least 70% of its games: fewer than two, so all are averaged"
    assert learned.averaging == learned.data()["averaging"] == said


def test_a_single_simulation_is_said_to_be_the_only_one() -> None:
    for wins, won in ((7, "won"), (6, "did not win")):
        said = f"the only simulation {won} at least 70% of its games: its weights count"
        assert made_up((wins, (1.0, 2.0))).averaging == said


def test_intervals_are_students() -> None:
    values = [3.0, 5.0, 10.0, 4.0]
    mean = made_up(*((8, (value, 1.0)) for value in values)).weights["score"]
    low, high = stats.t.interval(0.95, 3, loc=np.mean(values), scale=stats.sem(values))
    assert mean == pytest.approx((5.5, low, high))
    assert made_up((8, (2.0, 1.0))).weights["score"] == Mean(2.0, None, None)


def test_sizes_add_up_to_one_or_to_those_built_in() -> None:
    learned = package.learn("spread-it", board="grid:2x3", games=20, simulations=1)
    sizes = [sum(abs(mean.value) for mean in part.values())
             for part in (learned.normalised, learned.scaled)]  # fmt: skip
    assert sizes == pytest.approx([1.0, 0.27 + 0.08 + 0.315 + 0.495])
    ratios = {mean.value / learned.weights[name].value for name, mean in learned.normalised.items()}
    assert max(ratios) == pytest.approx(min(ratios))


def test_each_simulation_has_a_unit_of_its_own() -> None:
    # By hand: (1, 3), (-20, 60) and (5, 5) are (.25, .75), (-.25, .75) and (.5, .5).
    learned = made_up((8, (1.0, 3.0)), (8, (-20.0, 60.0)), (8, (5.0, 5.0)))
    t = 4.302653  # Student's quantile of two degrees of freedom
    score_half = t * 0.3818813 / 3**0.5  # deviations 1/12, -5/12 and 4/12 from 1/6
    reach_half = t * 0.1443376 / 3**0.5  # deviations 1/12, 1/12 and -2/12 from 2/3
    assert learned.normalised["score"] == pytest.approx(
        (1 / 6, 1 / 6 - score_half, 1 / 6 + score_half)
    )
    assert learned.normalised["reach"] == pytest.approx(
        (2 / 3, 2 / 3 - reach_half, 2 / 3 + reach_half)
    )
    assert learned.in_size(3.0)["reach"] == pytest.approx(
        tuple(3 * end for end in learned.normalised["reach"])
    )


def test_simulations_alike_but_for_their_unit_have_no_doubt_left() -> None:
    learned = made_up((8, (1.0, 3.0)), (8, (10.0, 30.0)))
    assert learned.normalised["score"] == pytest.approx((0.25, 0.25, 0.25))
    assert learned.weights["score"].low < 0  # type: ignore[operator]


def test_without_a_lesson_nothing_is_learned() -> None:
    learned = package.learn("spread-it", board="grid:2x3", games=3, simulations=2, rate=0)
    assert learned.weights_text == "0/0/0/0/0"
    json.dumps(learned.data(), allow_nan=False)


@pytest.mark.parametrize("games", [1, 7, 99, 100, 101, 12345])
def test_a_simulation_is_recorded_games_up_to_its_end(games: int) -> None:
    looks = recorded_games(games)
    assert looks == sorted(set(looks))
    assert looks[0] >= 1
    assert looks[-1] == games
    assert len(looks) == min(games, 100)


def test_the_computation_is_plain_data() -> None:
    told: list[tuple[int, int]] = []
    found = lms(2, 10, loyalty="full", opponent="frozen", report=lambda *far: told.append(far))
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    features = ["parity", "stability", "mobility", "hubs", "general"]
    assert list(found["weights"]) == list(found["series"]) == features
    assert found["kept"] == sum(rate >= 70 for rate in found["win_rates"])
    share = found["kept_share"]
    assert share["value"] == 100 * found["kept"] / 2
    assert 0 <= share["low"] <= share["value"] <= share["high"] <= 100
    assert share["high"] - share["low"] > 50  # two simulations do not say much
    assert found["x"] == list(range(11))
    for feature in features:
        assert found["weights"][feature]["low"] <= found["weights"][feature]["value"]
        assert found["series"][feature][0] == 0.0
    assert told[-1] == (20, 20)
    with pytest.raises(BadText, match="at least 2"):
        lms(1, 10)
    assert COMPUTATIONS["lms-learning"] == f"{lms.__module__}:{lms.__name__}"


def test_a_computation_that_was_killed_goes_on_with_the_simulations_it_kept() -> None:
    given = {"simulations": 3, "games": 6}
    whole = lms(**given)
    parts: dict[str, object] = {}

    def keep_until_killed(name: str, data: object) -> None:
        if len(parts) == 2:
            raise KeyboardInterrupt
        parts[name] = json.loads(json.dumps(data))

    with pytest.raises(KeyboardInterrupt):
        lms(**given, keep_part=keep_until_killed, kept_part=parts.get)
    assert list(parts) == ["simulation 1", "simulation 2"]
    made: list[str] = []
    again = lms(
        **given, keep_part=lambda name, _: made.append(name), kept_part=parts.get, workers=2
    )
    assert again == whole
    assert made == ["simulation 3"]


def test_a_kept_simulation_that_is_odd_is_made_again() -> None:
    parts: dict[str, Any] = {}
    whole = lms(2, 6, keep_part=parts.__setitem__)
    for odd in (7, {}, parts["simulation 2"], parts["simulation 1"] | {"points": []}):
        made: list[str] = []
        kept = {**parts, "simulation 1": odd}
        assert lms(2, 6, keep_part=lambda name, _: made.append(name), kept_part=kept.get) == whole  # noqa: B023
        assert made == ["simulation 1"]


# What is refused.


def test_a_game_without_features_is_refused(node_kayles: ModuleType) -> None:
    with pytest.raises(Unsupported, match="no features"):
        package.learn("node-kayles")
    assert LEARNING not in everything(load("node-kayles"), None).parts


@pytest.mark.parametrize(
    "wishes",
    [
        ("hexx",),
        ("chain-reaction:players=3",),
        ("spread-it:players=3",),
        ("spread-it", "--rate", "-1"),
        ("spread-it", "--rate", "nan"),
        ("spread-it", "--games", "0"),
        ("spread-it", "--simulations", "0"),
        ("spread-it", "--keep", "101"),
        ("spread-it", "--explore", "2"),
        ("spread-it", "--opponent", "froze"),
        ("spread-it", "--opponent", "1/2/3"),
        ("influence", "--opponent", "1/x"),
        ("spread-it", "--plot", "learned.txt"),
        ("spread-it", "--out", "nowhere/learned.json"),
    ],
    ids=" ".join,
)
def test_nonsense_is_refused(
    wishes: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert_refused_without_a_trace(("learn", *wishes), tmp_path)


@pytest.mark.parametrize(
    "change",
    [
        ("--games", "7"), ("--rate", "0.01"), ("--seed", "2"), ("--opponent", "same"),
        ("--explore", "0.2"), ("--board", "grid:3x3"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_file_of_other_settings_is_refused(tmp_path: Path, change: tuple[str, str]) -> None:
    file = tmp_path / "learned.json"
    command = {"--games": "6", "--simulations": "1", "--board": "grid:2x3", "--out": str(file)}

    def run() -> Any:
        return topple("learn", "spread-it", *(part for pair in command.items() for part in pair))

    assert run().status == 0
    before = file.read_bytes()
    command |= dict([change])
    ran = run()
    assert_one_line_refusal(ran)
    assert change[0].strip("-") in ran.err
    assert file.read_bytes() == before


def damaged(path: list[str | int], value: object) -> Any:
    def damage(content: Any) -> None:
        for step in path[:-1]:
            content = content[step]
        content[path[-1]] = value

    return damage


DAMAGE = {
    "not ours": damaged(["format"], "something"),
    "a newer version": damaged(["version"], 2),
    "no settings": damaged(["settings"], None),
    "no list": damaged(["simulations"], {}),
    "no simulation": damaged(["simulations", 0], 7),
    "no points": damaged(["simulations", 0, "points"], []),
    "a point too many": lambda content: content["simulations"][0]["points"].append(
        content["simulations"][0]["points"][-1]
    ),
    "too few numbers": damaged(["simulations", 0, "points", 2], [3, [0, 0, 0, 0, 0]]),
    "other games": damaged(["simulations", 0, "points", 2, 0], 2),
    "wins that do not fit": damaged(["simulations", 0, "points", 2, 2], 77),
    "a text": damaged(["simulations", 0, "points", 2, 1, 0], "1"),
    "too few weights": damaged(["simulations", 0, "points", 2, 1], [1.0]),
    "a huge weight": damaged(["simulations", 0, "points", 2, 1, 0], 1e300),
    "not a number": damaged(["simulations", 0, "opponent", 0], float("nan")),
    "a negative number": damaged(["simulations", 0, "number"], -1),
    "the same twice": damaged(["simulations", 1, "number"], 1),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_file_is_refused(tmp_path: Path, damage: Any) -> None:
    file = tmp_path / "learned.json"
    command = ("learn", "spread-it", "--board", "grid:2x3", "--games", "6", "--simulations", "2",
               "--workers", "1", "--out", str(file))  # fmt: skip
    Training(tiny(), 2, 70, file).run()
    assert topple(*command).status == 0
    content = json.loads(file.read_text())
    damage(content)
    file.write_text(json.dumps(content))
    assert_one_line_refusal(topple(*command))


def test_what_is_no_json_is_refused(tmp_path: Path) -> None:
    for number, content in enumerate((b"", b"\xff", b"[" * 100_000, b"null", b"[]")):
        file = tmp_path / f"{number}.json"
        file.write_bytes(content)
        with pytest.raises(BadText, match="not a file of topple learn"):
            Training(tiny(), 1, 70, file)


def test_a_directory_is_no_file_to_keep_simulations_in(tmp_path: Path) -> None:
    with pytest.raises(ToppleError, match=r"cannot be read: [^\n]*$"):
        package.learn("influence", board="segment:9", games=2, simulations=1, out=tmp_path)


# In the terminal.


def test_the_command_has_the_defaults_of_the_library() -> None:
    for name in ("GAMES", "SIMULATIONS", "SEED", "KEEP"):
        assert getattr(learn_command, name) == getattr(settings_module, name), name
    assert learn_command.OPPONENT == settings_module.LEARNING


def learned(*wishes: str) -> Any:
    return topple("learn", "spread-it", "--board", "grid:2x3", "--games", "6", "--workers", "1",
                  *wishes)  # fmt: skip


def test_the_command_tells_weights_results_and_what_to_type() -> None:
    ran = learned("--simulations", "3")
    assert (ran.status, ran.err) == (0, "")
    found = package.learn("spread-it", board="grid:2x3", games=6, simulations=3)
    for each in found.simulations:
        assert f"{each.win_rate:.1f}%" in ran.out
    for name, mean in found.weights.items():
        row = next(line for line in ran.out.splitlines() if line.startswith(name))
        assert f"{mean.value:.2f}" in row
        assert f"{mean.low:.2f} to {mean.high:.2f}" in row
    assert found.agent in ran.out
    assert_fits_80_columns(ran.out)


def test_one_simulation_has_no_interval() -> None:
    ran = learned("--simulations", "1")
    assert ran.status == 0
    assert " to " not in ran.out.partition("feature")[2].partition("scaled:")[0]


def test_many_simulations_are_not_all_listed() -> None:
    ran = learned("--simulations", "23")
    assert "… and 3 more" in ran.out


def test_the_command_as_json() -> None:
    ran = learned("--simulations", "2", "--json")
    found = package.learn("spread-it", board="grid:2x3", games=6, simulations=2)
    assert json.loads(ran.out) == json.loads(json.dumps(found.data()))


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_the_picture_is_drawn(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"learned.{ending}"
    assert learned("--simulations", "2", "--plot", str(file)).status == 0
    content = file.read_bytes()
    assert len(content) > 5000
    if ending == "svg":
        learned("--simulations", "2", "--plot", str(file))
        assert file.read_bytes() == content


@pytest.mark.parametrize("with_file", [True, False])
def test_ctrl_c_keeps_what_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, with_file: bool
) -> None:
    file = tmp_path / "learned.json"
    wishes = ("--simulations", "3", *(("--out", str(file)) if with_file else ()))

    def interrupted(settings: LearningSettings, number: int, *others: Any) -> Simulation | None:
        if number == 2:
            signal.raise_signal(signal.SIGINT)
        return simulate(settings, number, *others)

    with monkeypatch.context() as patch:
        patch.setattr(training_module, "simulate", interrupted)
        ran = learned(*wishes)
    assert ran.status == 130
    assert "stopped after 1 of 3 simulations" in ran.err
    assert "1 simulation of 6 games" in ran.out
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if with_file:
        again = learned(*wishes)
        assert f"going on from {file}" in again.err
        found = package.learn("spread-it", board="grid:2x3", games=6, simulations=3)
        assert found.agent in again.out


def test_ctrl_c_before_anything_has_ended_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(settings: LearningSettings, number: int, *others: Any) -> Simulation | None:
        signal.raise_signal(signal.SIGINT)
        return simulate(settings, number, *others)

    monkeypatch.setattr(training_module, "simulate", interrupted)
    ran = learned("--simulations", "3")
    assert (ran.status, ran.out) == (130, "")
    assert "stopped before a simulation had ended" in ran.err


def test_warmup_compiles_learning() -> None:
    game = load("influence")
    assert LEARNING in everything(game, None).parts
    assert play_and_learn in everything(game, None).kernels()
    assert LEARNING not in everything(game, ["random"]).parts
