"""Stochastic diffusion search: the thesis's figures, agents that are conserved, twins."""

import itertools
import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

import topple
from topple.agents.sds import SdsSearch, make_swarm
from topple.agents.sds_bandit import sds_bandit
from topple.compiling.rng import below, make_rng
from topple.game.game import Game
from topple.game.position import Position
from topple.kernels.diffusion.population import ACTIVE, INACTIVE, NOWHERE, UNSET, recruit, relate
from topple.kernels.diffusion.search import chance_of
from topple.kernels.diffusion.tree import DEAD, N_AGENTS, N_NODES
from topple.rules.game_tree import board_from_tree
from topple.testing import check_game

SEEDS = range(5)
FIVE_ARMS = (0.1, 0.3, 0.5, 0.7, 0.9)
ALL_ALLOCATIONS = (
    "sds-root",
    "sds-tree",
    "sds-tree:backscatter=root,scattering=1",
    "sds-tree:allocation=layers,depth=3",
    "sds-tree:allocation=fixed,depth=3",
)


def begin(spec: str, position: Position, seed: int = 0, **options: object) -> SdsSearch:
    search = topple.agent(spec, **options).search(position, seed)
    assert isinstance(search, SdsSearch)
    return search


def finish(spec: str, position: Position, seed: int = 0, **options: object) -> SdsSearch:
    """A search that has been carried to its end, with the populations of each iteration."""
    search = begin(spec, position, seed, **options)
    search.recording = []
    search.advance(10**9)
    assert search.is_done
    return search


# The bandit of section 4.2.1.


@pytest.mark.parametrize("seed", SEEDS)
def test_agents_gather_on_the_best_of_five_arms(seed: int) -> None:
    history = sds_bandit(FIVE_ARMS, seed=seed)
    assert history.shape == (51, 5)
    assert (history.sum(axis=1) == 200).all()
    assert history[0].max() < 80, "at first each arm has about 40"
    assert (history[10:, 4] > history[10:, :4].sum(axis=1)).all(), "figure 4.2: within 10"


def test_after_ten_iterations_the_arms_are_in_the_order_of_their_chances() -> None:
    history = sum(sds_bandit((0.2, 0.4, 0.5, 0.6, 0.7), seed=seed)[10] for seed in range(10))
    assert sorted(history.tolist()) == history.tolist(), history


@pytest.mark.parametrize("seed", SEEDS)
def test_of_two_arms_the_better_gets_its_share(seed: int) -> None:
    """In balance x agents hold an arm that wins with 1/3 where the other always loses.

    A third of them is active, y = x/3; the rest takes the arm with y, or else
    draws: x = y + (1 − y)(y + (1 − y)/2), so y = √5 − 2.
    """
    history = sds_bandit((1 / 3, 0.0), n_agents=400, n_iterations=60, seed=seed)
    assert abs(history[20:, 0].mean() / 400 - 3 * (5**0.5 - 2)) < 0.03


def test_an_arm_that_always_wins_takes_every_agent() -> None:
    assert sds_bandit((0.5, 1.0), seed=3)[-1].tolist() == [0, 200]


@pytest.mark.parametrize("relate", ["free", "sensitive"])
def test_the_relate_phase_keeps_agents_exploring(relate: str) -> None:
    """Where one arm always wins, all would stay there; set free, many do not."""
    for seed in SEEDS:
        others = sds_bandit((1.0, 0.0, 0.0, 0.0), seed=seed, relate=relate)[10:, 1:].sum(axis=1)
        assert others.mean() > 40


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"chances": []}, "at least one arm"),
        ({"chances": [1.5]}, "not a chance"),
        ({"chances": [0.5], "n_agents": 0}, "at least one agent"),
        ({"chances": [0.5], "recruitment": "passiv"}, "did you mean 'passive'"),
    ],
)
def test_a_bandit_that_cannot_be_is_refused(wrong: dict[str, object], said: str) -> None:
    with pytest.raises(topple.BadText, match=said):
        sds_bandit(**wrong)


# The tree of section 4.2.2: Max's a has three replies worth 1/3, b has 0, 1 and 1.


@pytest.fixture(scope="module")
def studied_tree() -> Game:
    thirds = [Fraction(1, 3)] * 3
    return topple.load("game-tree", board_from_tree([thirds, [0, 1, 1]]))


def test_the_game_tree_conforms(studied_tree: Game) -> None:
    check_game(studied_tree)
    assert "game-tree" not in topple.rules.game_names()


def test_the_studied_tree_is_worth_what_figure_4_3_says(studied_tree: Game) -> None:
    rng = random.Random(1)
    for first, chance in (("1", 1 / 3), ("2", 2 / 3)):
        won = 0
        for _ in range(2000):
            position = studied_tree.start().play(first)
            while not position.is_over:
                position = position.play(rng.choice(position.legal_moves()))
            won += position.outcome.winner == 0
        assert abs(won / 2000 - chance) < 0.05


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("allocation", ["fixed", "layers"])
def test_agents_swing_from_b_to_a(studied_tree: Game, allocation: str, seed: int) -> None:
    """Figures 4.4 to 4.7."""
    search = finish(f"sds-tree:agents=500,allocation={allocation}", studied_tree.start(), seed)
    a, b = studied_tree.start().legal_moves()
    c = studied_tree.start().play(b).legal_moves()[0]
    record = search.recording
    assert len(record) == 50
    for at in record[1:3]:  # after the first two diffusions
        assert at[()][b] > 1.1 * at[()][a]
    for at in record[10:]:
        assert at[()][a] > 1.4 * at[()][b]
        assert at[(b,)][c] > 0.85 * sum(at[(b,)].values())
    even = [record[10][(a,)][reply] for reply in studied_tree.start().play(a).legal_moves()]
    assert max(even) < 2 * min(even)
    assert search.decision().move == a
    if allocation == "fixed":  # b always loses now: the balance of the two-armed bandit above
        share = np.mean([at[()][a] for at in record[15:]]) / 500
        assert abs(share - 3 * (5**0.5 - 2)) < 0.03
    else:
        for before, after in itertools.pairwise(record[5:]):
            assert abs(sum(after[(a,)].values()) - before[()][a]) < 75, "figure 4.7"


def test_the_root_alone_is_taken_in_by_b(studied_tree: Game) -> None:
    for seed in SEEDS:
        search = finish("sds-root:agents=500", studied_tree.start(), seed)
        assert search.decision().move == studied_tree.start().legal_moves()[1]


def test_the_entire_tree_finds_a(studied_tree: Game) -> None:
    for seed in SEEDS:
        search = finish("sds-tree:agents=1500", studied_tree.start(), seed)
        assert search.decision().move == studied_tree.start().legal_moves()[0]


def test_a_board_that_is_no_game_tree_is_refused() -> None:
    for board in ("grid:2x2", "tree:n=1,c=2,copies=2"):
        with pytest.raises(topple.BadBoard, match="game tree"):
            topple.load("game-tree", board)
    with pytest.raises(topple.BadBoard, match="between 0 and 1"):
        board_from_tree([2, 0])


# The phases, beside a twin in plain Python.


def twin_of_recruitment(
    agents: list[tuple[int, bool]], rng: np.ndarray, recruitment: str
) -> list[tuple[int, bool]]:
    """Section 3.2.3 to the letter, on pairs of hypothesis and activity."""

    def another(own: int) -> int:
        others = [i for i in range(len(agents)) if i != own]
        return others[below(rng, len(others))]

    taken: dict[int, int] = {}
    if recruitment in ("passive", "dual"):
        for i, (_, active) in enumerate(agents):
            if not active and agents[other := another(i)][1]:
                taken[i] = agents[other][0]
    if recruitment in ("active", "dual"):
        for i, (hypothesis, active) in enumerate(agents):
            if active:
                other = another(i)
                if not agents[other][1] and other not in taken:
                    taken[other] = hypothesis
    return [
        (taken[i], True) if i in taken else (hypothesis, True) if active else (UNSET, False)
        for i, (hypothesis, active) in enumerate(agents)
    ]


def twin_of_relate(
    agents: list[tuple[int, bool]], rng: np.ndarray, kind: str
) -> list[tuple[int, bool]]:
    after = list(agents)
    for i, (hypothesis, active) in enumerate(agents):
        if active:
            others = [j for j in range(len(agents)) if j != i]
            other = agents[others[below(rng, len(others))]]
            if other[1] and (kind == "free" or other[0] == hypothesis):
                after[i] = (UNSET, False)
    return after


@pytest.mark.parametrize("relating", ["none", "free", "sensitive"])
@pytest.mark.parametrize("recruitment", ["passive", "active", "dual"])
def test_the_phases_do_what_a_plain_twin_does(recruitment: str, relating: str) -> None:
    ways = ("passive", "active", "dual"), ("none", "free", "sensitive")
    draw = random.Random(5)
    with np.errstate(over="ignore"):
        for seed in range(30):
            agents = [(draw.randrange(3), draw.random() < 0.5) for _ in range(2 + seed % 7)]
            swarm, rngs = make_swarm(len(agents)), (make_rng(seed), make_rng(seed))
            swarm.hypothesis[:] = [hypothesis for hypothesis, _ in agents]
            swarm.active[:] = [active for _, active in agents]
            swarm.order[:] = range(len(agents))
            recruit(swarm, 0, len(agents), rngs[0], ways[0].index(recruitment))
            relate(swarm, 0, len(agents), rngs[0], ways[1].index(relating))
            twin = twin_of_recruitment(agents, rngs[1], recruitment)
            if relating != "none":
                twin = twin_of_relate(twin, rngs[1], relating)
            after = zip(swarm.hypothesis.tolist(), swarm.active.tolist(), strict=True)
            assert [(move, bool(active)) for move, active in after] == twin
            assert rngs[0] == rngs[1]


def test_a_lone_agent_asks_nobody() -> None:
    swarm, rng = make_swarm(1), make_rng(1)
    before = rng.copy()
    recruit(swarm, 0, 1, rng, 2)
    relate(swarm, 0, 1, rng, 1)
    assert rng == before
    assert swarm.hypothesis[0] == UNSET
    assert swarm.active[0] == INACTIVE


def test_a_loss_never_and_a_win_always_makes_an_agent_active() -> None:
    for n in range(2, 9):
        losing = -1 / (n - 1)
        assert [chance_of(value, n) for value in (losing, 0.0, 1.0)] == [0.0, 0.5, 1.0]


# Agents in the tree.


def check_agents(search: SdsSearch, n_agents: int) -> None:
    """Every agent is in one population or waits for room, and supports what is legal there."""
    n_born, n_nodes = int(search.counts[N_AGENTS]), int(search.counts[N_NODES])
    nodes = search.swarm.node[:n_born]
    assert n_born == n_agents
    assert set(search.swarm.active.tolist()) <= {INACTIVE, ACTIVE}
    waiting = int((nodes == NOWHERE).sum())
    assert search.tree.n_agents[:n_nodes].sum() + waiting == n_agents
    for path, support in search.populations().items():
        position = search.position
        for move in path:
            position = position.play(move)
        assert set(support) - {UNSET} <= set(position.legal_moves())
        assert not position.is_over
    alive = [node for node in range(n_nodes) if search.tree.depth[node] != DEAD]
    children = Counter(int(search.tree.parent[node]) for node in alive if node)
    assert all(search.tree.n_children[node] == children[node] for node in alive)
    assert all(search.tree.n_agents[node] or children[node] for node in alive)


@pytest.mark.parametrize("spec", ALL_ALLOCATIONS)
def test_agents_are_conserved_and_support_legal_moves(spec: str) -> None:
    position = topple.load("hex", board="hex:3").start().play("b2").play("a1")
    search = begin(spec, position, 3, agents=120, iterations=30)
    layers = 3 if "layers" in spec else 1
    while not search.is_done:
        search.advance(37)
        n = int(search.counts[N_AGENTS]) if "fixed" in spec else 120 * layers
        assert n % 120 == 0
        check_agents(search, n)
    if "fixed" in spec:
        assert set(search.tree.n_agents[: int(search.counts[N_NODES])].tolist()) == {120}


def test_agents_that_nobody_asked_go_back() -> None:
    """No agent stays below the root for an iteration in which it was not asked."""
    position = topple.load("hex", board="hex:4").start()
    for where in ("parent", "root"):
        search = begin("sds-tree", position, 1, agents=300, backscatter=where)
        search.policy = search.policy._replace(scattering=0.5)
        for _ in range(5):
            asked = search.n_iterations
            while search.n_iterations == asked:
                search.advance(1)
        search.policy = search.policy._replace(scattering=0.0)
        n_root = int(search.tree.n_agents[0])
        search.advance(n_root - 1)
        search.swarm.contacted[:] = 0  # as if nobody had been asked
        below_children = [node for node in range(300) if search.tree.depth[node] >= 2]
        n_deep = int(search.tree.n_agents[below_children].sum())
        assert n_deep > 0
        search._end_iteration()
        staying = 300 - int(search.tree.n_agents[0])
        assert staying == (n_deep if where == "parent" else 0)


def test_without_scattering_the_tree_is_its_root() -> None:
    position = topple.load("hex", board="hex:4").start()
    tree = finish("sds-tree", position, 4, agents=100, scattering=0)
    root = finish("sds-root", position, 4, agents=100)
    assert tree.decision() == root.decision()
    assert tree.populations() == root.populations()


def test_the_weaker_scattering_keeps_more_agents_at_the_root() -> None:
    """Section 5.2.3: sent ahead always, too few are left there."""
    position = topple.load("hex", board="hex:4").start()
    shares = [
        float(np.mean([sum(at[()].values()) for at in search.recording[10:]])) / 2000
        for scattering in (1.0, 0.2)
        for search in [finish("sds-tree", position, 1, agents=2000, scattering=scattering)]
    ]
    assert shares[0] < shares[1] < 1


@pytest.mark.parametrize("spec", ALL_ALLOCATIONS)
def test_the_memory_limit_is_kept(spec: str) -> None:
    position = topple.load("hex", board="hex:7").start()
    search = begin(spec, position, 1, agents=10_000, iterations=4, memory=1)
    arrays = (*search.swarm, *search.tree)
    assert sum(array.nbytes for array in arrays) <= 1 << 20
    search.advance(10**9)
    n_layers = 3 if "layers" in spec else 1
    check_agents(search, int(search.counts[N_AGENTS]) if "fixed" in spec else 10_000 * n_layers)


def test_agents_that_do_not_fit_are_refused() -> None:
    position = topple.load("hex", board="hex:7").start()
    with pytest.raises(topple.Unsupported, match="take fewer agents or give more memory"):
        begin("sds-root", position, agents=100_000, memory=1)


# Limits.


def test_strong_halting_stops_when_the_leader_is_steady(studied_tree: Game) -> None:
    options = {"agents": 400, "iterations": 500, "tolerance": 0.1, "patience": 8}
    search = finish("sds-tree", studied_tree.start(), 1, allocation="fixed", **options,
                    halting="strong")  # fmt: skip
    assert 8 <= search.n_iterations < 500
    last = [at[()] for at in search.recording[-8:]]
    leaders = [max(at, key=at.__getitem__) for at in last]
    assert len(set(leaders)) == 1
    levels = [at[leaders[0]] for at in last]
    assert max(levels) - min(levels) <= 0.1 * 400


def test_weak_halting_stops_when_as_many_are_active() -> None:
    """One move of ten wins: the active agents grow from a tenth to all, and stay so."""
    game = topple.load("game-tree", board_from_tree([0] * 9 + [1]))
    options = {"agents": 400, "patience": 3, "halting": "weak"}
    loose = finish("sds-root", game.start(), 1, **options, tolerance=1.0)
    assert loose.n_iterations == 3, "everything is within the whole"
    close = finish("sds-root", game.start(), 1, **options, tolerance=0.0)
    assert 5 < close.n_iterations < 50
    winning = game.start().legal_moves()[-1]
    for at in close.recording[-3:]:
        assert at[()] == {winning: 400}
    assert close.recording[-4][()] != {winning: 400}


def test_iterations_are_unlimited_where_time_or_playouts_are_given() -> None:
    assert topple.agent("sds-tree").most_iterations == 50
    assert topple.agent("sds-tree:time=1").most_iterations is None
    assert topple.agent("sds-tree:time=1,iterations=50").most_iterations == 50
    position = topple.load("hex", board="hex:3").start()
    decision = topple.agent("sds-tree:agents=10,playouts=1234").choose(position)
    assert decision.effort.simulations == 1234


# Answers.


@pytest.mark.parametrize("spec", ALL_ALLOCATIONS)
def test_the_answer_does_not_depend_on_the_cuts(spec: str) -> None:
    position = topple.load("chain-reaction:players=3", board="grid:3x3").start()
    whole = finish(spec, position, 9, agents=30, iterations=5)
    cut = begin(spec, position, 9, agents=30, iterations=5)
    while not cut.is_done:
        cut.advance(1)
    assert cut.decision() == whole.decision()
    assert cut.populations() == whole.populations()
    other = finish(spec, position, 10, agents=30, iterations=5)
    assert other.populations() != whole.populations()


@pytest.mark.parametrize("spec", ALL_ALLOCATIONS)
def test_uncompiled_kernels_give_the_same_answer(spec: str) -> None:
    answers = []
    for compiled in (True, False):
        position = topple.load("infexion", board="infexion:3", compiled=compiled).start()
        search = finish(spec, position, 2, agents=12, iterations=3, recruitment="dual",
                        relate="free")  # fmt: skip
        answers.append((search.decision(), search.populations()))
    assert answers[0] == answers[1]


@pytest.mark.parametrize("spec", ALL_ALLOCATIONS)
def test_a_winning_move_is_found(spec: str) -> None:
    """Blue joins top and bottom at once by b3 and in no other way."""
    position = topple.load("hex", board="hex:3").position(".X./OXO/... Blue")
    winning = {m for m in position.legal_moves() if position.play(m).is_over}
    for seed in SEEDS:
        decision = topple.agent(spec, agents=200).choose(position, seed)
        assert decision.move in winning
        assert decision.value == 1.0


@pytest.mark.parametrize("spec", ["sds-root", "sds-tree"])
@pytest.mark.parametrize(
    ("game", "board"),
    [
        ("spread-it", "ba:n=12,m=2,seed=1"),
        ("chain-reaction", "grid:3x3"),
        ("infexion", "infexion:3"),
        ("hex", "hex:4"),
        ("influence", "segment:5"),
    ],
)
def test_every_game_is_played(spec: str, game: str, board: str) -> None:
    position, agent = topple.load(game, board=board).start(), topple.agent(spec, agents=50)
    for ply in range(6):
        if position.is_over:
            break
        decision = agent.begin(1).choose(position, ply)
        moves = position.legal_moves()
        assert sorted(each.move for each in decision.candidates) == list(moves)
        assert decision.candidates[0].move == decision.variation[0] == decision.move
        visits = sum(each.visits for each in decision.candidates)
        assert visits == decision.effort.simulations
        assert sum(each.share for each in decision.candidates) <= 1 + 1e-9
        ahead = position
        for move in decision.variation:
            ahead = ahead.play(move)
        position = position.play(decision.move)


def test_no_population_lies_deeper_than_the_limit() -> None:
    """The limit of the entire tree is far: here it is near."""
    position = topple.load("hex", board="hex:3", compiled=False).start()
    agent = topple.agent("sds-tree:agents=60,scattering=1")
    search = SdsSearch(position, 1, agent.policy()._replace(depth=3), 12, agent.options)
    deepest = 0
    while not search.is_done:
        search.advance(20)
        deepest = max(deepest, *map(len, search.populations()))
    assert deepest == 2


def test_ties_are_broken_by_the_mean_and_then_by_the_seed() -> None:
    position = topple.load("hex", board="hex:2").start()
    drawn = {begin("sds-root", position, seed).decision().move for seed in range(40)}
    assert drawn == set(position.legal_moves())
    for best in position.legal_moves():
        search = begin("sds-root", position, 1)
        search.statistics.visits[:] = 2
        search.statistics.totals[best] = 1.0
        assert search.decision().move == best


def test_shares_are_of_the_agents_at_the_root() -> None:
    position = topple.load("hex", board="hex:4").start()
    search = finish("sds-tree", position, 1, agents=200, scattering=1)
    at_root = search.populations()[()]
    assert sum(at_root.values()) < 200
    for each in search.decision().candidates:
        assert each.share == pytest.approx(at_root.get(each.move, 0) / sum(at_root.values()))


def test_strong_halting_wants_one_leader_all_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    position = topple.load("hex", board="hex:2").start()
    search = begin("sds-root", position, agents=10, halting="strong", patience=3, tolerance=0.1)
    support = iter([[6, 4], [4, 6], [6, 4], [6, 4], [7, 3], [9, 1], [9, 1], [9, 1]])
    monkeypatch.setattr(search, "support", lambda node: np.array(next(support)))
    halted = []
    for _ in range(8):
        search._check_halting()
        halted.append(search.halted)
    assert halted == [False, False, False, False, True, False, False, True]


def test_weak_halting_measures_by_all_agents() -> None:
    position = topple.load("hex", board="hex:3").start()
    search = begin("sds-tree:allocation=layers,depth=3", position, agents=10, halting="weak",
                   patience=2, tolerance=0.5)  # fmt: skip
    for n_active, is_steady in ((0, False), (15, True), (30, True), (14, False)):
        search.swarm.active[:] = np.arange(30) < n_active
        search._check_halting()
        assert search.halted == is_steady
