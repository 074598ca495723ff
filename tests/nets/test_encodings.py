"""Encodings: planes say what the position says, and nothing depends on names or places."""

import itertools
from collections.abc import Iterator, Sequence

import networkx
import numpy as np
import pytest
from numpy.typing import NDArray

import topple
from tests.nets.small_nets import small_net
from topple.boards.board import Board
from topple.bridges.observation import Observer
from topple.game.game import Game, random_position
from topple.game.position import Position
from topple.nets.forward import look, make_scratch
from topple.nets.interface import encode, slot_of, view_of
from topple.nets.lookahead import EFFECTS
from topple.nets.net_file import TrainedNet
from topple.rules.hex import SWAPPED
from topple.rules.interface import HEADER, PLAYER
from topple.rules.text import Cell

GAMES = [
    ("hex", "hex:3"),
    ("hex:swap=true", "hex:4"),
    ("spread-it", "karate"),
    ("spread-it", "ba:n=13,m=2,seed=1"),
    ("spread-it:order=index", "path:6"),
    ("spread-it:loyalty=full", "ba:n=9,m=2,seed=1"),
    ("spread-it:loyalty=full,tokens=3", "cycle:5"),
    ("chain-reaction", "grid:3x3"),
    ("chain-reaction:surplus=keep", "grid:2x3"),
    ("chain-reaction", "cycle:5"),
    ("chain-reaction:players=3", "grid:2x4"),
    ("chain-reaction:players=4,surplus=keep", "grid:3x3"),
    ("infexion", "infexion:3"),
    ("infexion", "infexion:4"),
    ("influence", "segment:9"),
    ("influence:first=right", "segment:4+5"),
    ("influence", "random-digraph:n=11,m=14,seed=2"),
]
N_GAMES = 4  # random games of each
Planes = dict[str, NDArray[np.float32]]


def walk(game: Game, seed: int, most: int = 60) -> Iterator[Position]:
    """The positions of a random game that are not over."""
    random = np.random.default_rng(seed)
    position = game.start()
    for _ in range(most):
        if position.is_over:
            return
        yield position
        position = position.play(int(random.choice(position.legal_moves())))


def walks(game: Game) -> Iterator[Position]:
    """The positions of a few random games."""
    for seed in range(N_GAMES):
        yield from walk(game, seed)


def names_of(game: Game) -> tuple[str, ...]:
    """The names of a position's planes."""
    encoding = game.encoding
    assert encoding is not None
    return tuple(encoding.dynamic(game.n_players) if game.n_players > 2 else encoding.DYNAMIC)


def raw_planes(position: Position) -> NDArray[np.float32]:
    """The planes as they are written, over numbers that none of them has."""
    game = position.game
    planes = np.full((game.board.n_vertices + 2, len(names_of(game)) + 2), 77.0, dtype=np.float32)
    game.run(encode, game.scratch_state(position.state), planes, game.scratch_state())
    return planes


def seen(position: Position) -> Planes:
    """The planes of a position by their names."""
    names, n = names_of(position.game), position.game.board.n_vertices
    return dict(zip(names, raw_planes(position)[:n].T, strict=False))


def observed(position: Position) -> dict[str, NDArray[np.float64]]:
    """What the observer says of a position to the player to move."""
    observer = Observer(position.game)
    planes = observer.observe(position, position.player)
    return {
        name: plane.astype(float)
        for name, plane in zip(observer.names, planes.reshape(len(planes), -1), strict=True)
    }


def view(position: Position) -> int:
    game = position.game
    return int(game.run(view_of, game.scratch_state(position.state)))


def agree(planes: Planes, expected: dict[str, NDArray[np.float64] | float]) -> None:
    """All planes of the names given are as expected, and no plane is left unsaid."""
    assert set(planes) == set(expected)
    for name, values in expected.items():
        whole = np.broadcast_to(np.asarray(values, dtype=float), planes[name].shape)
        assert planes[name] == pytest.approx(whole, rel=1e-6, abs=1e-6), name


@pytest.fixture(params=GAMES, ids=" on ".join)
def game(request: pytest.FixtureRequest) -> Game:
    spec, board = request.param
    return topple.load(spec, board, compiled=False)


@pytest.mark.parametrize("case", GAMES[:2], ids=str)
def test_hex_planes(case: tuple[str, str]) -> None:
    for position in walks(topple.load(*case, compiled=False)):
        look = observed(position)
        n_stones = (look["own"] + look["other's"]).sum()
        own_top = position.borders()[0] == position.player
        # Before the first move and at the second one the sides may still be exchanged.
        has_swap = position.game.options["swap"] and n_stones <= 1
        swapped = bool(position.state[SWAPPED])
        agree(
            seen(position),
            {
                "own stones": look["own"],
                "other's stones": look["other's"],
                "empty": 1 - look["own"] - look["other's"],
                "this move or the next may swap": float(has_swap and not swapped),
            },
        )
        assert (look["own top and bottom"] == own_top).all()
        assert view(position) == (0 if own_top else 1)


def effects(who: str, position: Position, player: int, limit: int) -> Planes:
    """What each move of a player here would bring, played through the interface of positions."""
    game, n = position.game, position.game.board.n_vertices
    planes = {f"{who} move here: {name}": np.zeros(n, dtype=np.float32) for name in EFFECTS}
    state = position.state.copy()
    state[PLAYER] = player
    here = Position(game, state)
    if game.name == "spread-it" and dict(here.tallies())["tokens left"][player] == 0:
        return planes

    def lead(scores: Sequence[float]) -> float:
        return scores[player] - (sum(scores) - scores[player])

    for move in here.legal_moves():
        steps = list(here.scenes(move))[1:]
        after = here.play(move)
        if not steps and not (after.is_over and game.name == "spread-it"):
            continue
        scores, returns = after.scores, after.returns()
        if len(steps) > limit:  # cut: what the board holds by then
            scores = count(game, steps[limit - 1].contents)
            returns = (0.0,) * game.n_players
        gain = lead(scores) - lead(here.scores)
        length = min(len(steps), limit) / n
        values = 1, np.clip(gain / 8, -4, 4), lead(scores) / n, min(length, 4), returns[player] == 1
        for plane, value in zip(planes.values(), values, strict=True):
            plane[move] = value
    return planes


def count(game: Game, contents: Sequence[Cell]) -> tuple[float, ...]:
    """The pieces of each player."""
    return tuple(sum(cell.counts[player] for cell in contents) for player in range(game.n_players))


@pytest.mark.parametrize("case", [case for case in GAMES if case[0].startswith("spread")], ids=str)
def test_spread_it_planes(case: tuple[str, str]) -> None:
    game = topple.load(*case, compiled=False)
    n, thresholds = game.board.n_vertices, game.board.thresholds
    is_full = game.options["loyalty"] == "full"
    for position in walks(game):
        look = observed(position)
        own, other = look["own pieces"], look["other's pieces"]
        missing = np.maximum(1, thresholds - own - other)
        left = look["own tokens left in all"][0], look["other's tokens left in all"][0]
        owned = look["own"].sum() - look["other's"].sum() if is_full else 0.0
        expected = {
            "own tokens by the threshold": np.minimum(own / thresholds, 8),
            "other's tokens by the threshold": np.minimum(other / thresholds, 8),
            "own tokens": own / 8,
            "other's tokens": other / 8,
            "lacks 1": missing == 1,
            "lacks 2": missing == 2,
            "lacks 3": missing == 3,
            "lacks, by the threshold": missing / thresholds,
            "own vertex": look["own"] if is_full else 0.0,
            "other's vertex": look["other's"] if is_full else 0.0,
            "free or zero loyalty": 1 - look["own"] - look["other's"] if is_full else 1.0,
            "own seat is the first": look["own seat is the first"],
            "own tokens left by the vertices": left[0] / n,
            "other's tokens left by the vertices": left[1] / n,
            "lead in tokens by the vertices": (own.sum() - other.sum()) / n,
            "lead in vertices by the vertices": owned / n,
            "tokens on the board by the vertices": (own.sum() + other.sum()) / n,
            "the last turns": max(0.0, 1 - sum(left) / 4),
            **effects("own", position, position.player, n + 32),
            **effects("other's", position, 1 - position.player, n + 32),
        }
        agree(seen(position), expected)


@pytest.mark.parametrize("case", [case for case in GAMES if case[0].startswith("chain")], ids=str)
def test_chain_reaction_planes(case: tuple[str, str]) -> None:
    game = topple.load(*case, compiled=False)
    n, capacity = game.board.n_vertices, game.board.degrees
    for position in walks(game):
        look = observed(position)
        expected: dict[str, NDArray[np.float64] | float] = {}
        total = 0.0
        for seat in range(game.n_players):
            in_planes = "own" if seat == 0 else f"{seat} ahead:"
            other = "other's" if game.n_players == 2 else f"{seat} ahead"
            pieces = look[f"{'own' if seat == 0 else other} pieces"]
            missing = np.where(pieces > 0, np.maximum(1, capacity - pieces), 0)
            expected[f"{in_planes} pieces by capacity"] = pieces / capacity
            for lack in (1, 2, 3):
                expected[f"{in_planes} lacks {lack}"] = missing == lack
            expected[f"{in_planes} pieces in all by the squares"] = pieces.sum() / n
            total += pieces.sum()
        moved = look["players moved"][0]
        expected["not all have moved"] = float(moved < game.n_players)
        expected["surplus is kept"] = float(game.options["surplus"] == "keep")
        expected["all pieces by the squares"] = total / n
        following = (position.player + 1) % game.n_players
        expected.update(effects("own", position, position.player, 1 << 30))
        expected.update(effects("next player's", position, following, 1 << 30))
        agree(seen(position), expected)


@pytest.mark.parametrize("case", [case for case in GAMES if case[0] == "infexion"], ids=str)
def test_infexion_planes(case: tuple[str, str]) -> None:
    game = topple.load(*case, compiled=False)
    n, size = game.board.n_vertices, game.board.rows
    positions = [*walks(game), *(random_position(game, plies, 3) for plies in (25, 30, 40, 60))]
    for position in positions:
        if position.is_over:
            continue
        look = observed(position)
        own, other = look["own pieces"], look["other's pieces"]
        actions = look["actions"][0]
        expected: dict[str, NDArray[np.float64] | float] = {
            "own power by the board's size": own / size,
            "other's power by the board's size": other / size,
            "own power in all by the cells": own.sum() / n,
            "other's power in all by the cells": other.sum() / n,
            "spawning is allowed": float(own.sum() + other.sum() < n),
            "actions by the cells": actions / n,
            "the last actions": max(0.0, 1 - (n * size - actions) / 16),
            "own seat is the first": look["own seat is the first"],
        }
        for power in range(1, 7):
            expected[f"own stack of {power}"] = np.minimum(own, 6) == power
            expected[f"other's stack of {power}"] = np.minimum(other, 6) == power
        agree(seen(position), expected)
        spawns = {move for move in position.legal_moves() if move < n}
        assert bool(spawns) == expected["spawning is allowed"]


@pytest.mark.parametrize("case", [case for case in GAMES if case[0].startswith("infl")], ids=str)
def test_influence_planes(case: tuple[str, str]) -> None:
    game = topple.load(*case, compiled=False)
    n = game.board.n_vertices
    arcs = networkx.DiGraph()
    arcs.add_nodes_from(range(n))
    arcs.add_edges_from(game.board.edges())
    for position in walks(game):
        look, player = observed(position), position.player
        here = arcs.subgraph(np.flatnonzero(look["gone"] == 0).tolist())
        gains = np.zeros(n)
        for vertex in here:
            is_left = game.board.sides[vertex] == "L"
            reached = networkx.descendants if is_left else networkx.ancestors
            gains[vertex] = 1 + len(reached(here, vertex))
        is_own = np.array([side == "LR"[player] for side in game.board.sides], dtype=float)
        on_board = 1 - look["gone"]
        lead = look["own points in all"][0] - look["other's points in all"][0]
        expected = {
            "own on the board": on_board * is_own,
            "other's on the board": on_board * (1 - is_own),
            "gone": look["gone"],
            "what it would take, own": gains * is_own / 8,
            "what it would take, other's": gains * (1 - is_own) / 8,
            "what it would take, by what is left": gains / max(1, len(here)),
            "own lead by the vertices": lead / n,
            "own left by the vertices": (on_board * is_own).sum() / n,
            "other's left by the vertices": (on_board * (1 - is_own)).sum() / n,
        }
        agree(seen(position), expected)
        assert view(position) == player
        for vertex in here:  # a move takes what it was said to
            if is_own[vertex]:
                gone = sum(cell.gone for cell in position.play(vertex).contents())
                assert gone == look["gone"].sum() + gains[vertex]


def test_an_encoding_writes_its_planes_and_nothing_else(game: Game) -> None:
    n, n_planes = game.board.n_vertices, len(names_of(game))
    assert game.sight[1].n_dynamic == n_planes
    for position in walk(game, 9):
        state = game.scratch_state(position.state)
        before, planes = state.copy(), raw_planes(position)
        assert not (planes[:n, :n_planes] == 77.0).any()
        assert (planes[n:] == 77.0).all()
        assert (planes[:, n_planes:] == 77.0).all()
        assert np.isfinite(planes).all()
        aside, again = game.scratch_state(), np.full_like(planes, 77.0)
        for _ in range(2):  # what earlier moves left behind changes nothing
            game.run(encode, state, again, aside)
        assert (again == planes).all()
        assert (state == before).all()


def test_positions_that_differ_look_different(game: Game) -> None:
    looks: dict[bytes, tuple[int, ...]] = {}
    for position in walks(game):
        state = position.state[: game.sizes.state].copy()
        if game.name == "hex":
            # After the swap the other player has the same side: the game goes on alike.
            state[0] ^= state[SWAPPED]
            state[SWAPPED] = 0
        elif game.name == "chain-reaction":
            state = relative(state, game)
        key = seen(position)
        look = b"".join(plane.tobytes() for plane in key.values()) + bytes([view(position)])
        assert looks.setdefault(look, tuple(state.tolist())) == tuple(state.tolist())
    assert len(looks) > 6


def relative(state: NDArray[np.int32], game: Game) -> NDArray[np.int32]:
    """A state of Chain Reaction as the player to move sees it: its players are alike."""
    n, n_players, player = game.board.n_vertices, game.n_players, int(state[0])
    pieces_of = HEADER + 2
    cells = pieces_of + 8
    own = state.copy()
    own[0] = 0
    own[pieces_of : pieces_of + n_players] = np.roll(
        state[pieces_of : pieces_of + n_players], -player
    )
    colours = state[cells : cells + n]
    own[cells : cells + n] = np.where(colours > 0, (colours - 1 - player) % n_players + 1, 0)
    return own


def test_every_legal_move_has_its_own_slot(game: Game) -> None:
    design = small_net(game).design
    n_slots = game.board.n_vertices * design.actions + design.board_actions
    slots = [int(game.run(slot_of, move)) for move in range(game.sizes.moves)]
    assert len(set(slots)) == len(slots)
    assert min(slots) >= 0
    assert max(slots) < n_slots
    for move, slot in enumerate(slots):
        vertex = game.move_vertex(move)
        if vertex is not None:  # the actions of a vertex are together
            assert slot // design.actions == vertex


def evaluated(position: Position, trained: TrainedNet) -> tuple[NDArray, NDArray]:
    """Logits and results of a position."""
    game = position.game
    scratch = make_scratch(trained.design, game)
    game.run(look, game.scratch_state(position.state), game.sight[1], trained.net, scratch)
    return scratch.logits, scratch.results


def test_hex_mirrored_with_colours_exchanged_is_the_same() -> None:
    game = topple.load("hex:swap=true", "hex:4")
    trained, size = small_net(game, blocks=2), 4
    order = np.arange(16).reshape(size, size).T.ravel()
    n_seen = 0
    for seed in range(20):
        position = random_position(game, 2 + seed % 9, seed)
        if position.is_over:
            continue
        rows = position.text.split()[0].split("/")
        mirrored = ["".join("O" if c == "X" else "X" if c == "O" else c for c in column)
                    for column in zip(*rows, strict=True)]  # fmt: skip
        # A stone more or fewer of a side would need a move: let the turn follow the colours.
        state = position.state.copy()
        state[0] ^= 1
        other = position_with_rows(game, state, mirrored)
        assert view(position) + view(other) == 1
        logits, results = evaluated(position, trained)
        logits_mirrored, results_mirrored = evaluated(other, trained)
        # Only the mean over the board is taken in another order.
        assert results_mirrored == pytest.approx(results, abs=1e-5)
        assert logits_mirrored[:16] == pytest.approx(logits[:16][order], abs=1e-5)
        assert logits_mirrored[16] == pytest.approx(logits[16], abs=1e-5)
        n_seen += 1
    assert n_seen > 10


def position_with_rows(game: Game, state: NDArray[np.int32], rows: list[str]) -> Position:
    """A position of Hex with these stones; what is joined is not looked at by networks."""
    size = len(rows)
    state = state.copy()
    at = HEADER + 2
    for side, letter in enumerate("XO"):
        for row, cells in enumerate(rows):
            state[at + side * size + row] = sum(
                1 << column for column, cell in enumerate(cells) if cell == letter
            )
    return Position(game, state)


@pytest.mark.prove
def test_influence_with_arcs_reversed_and_labels_exchanged_is_the_same() -> None:
    graph = networkx.gnp_random_graph(11, 0.15, seed=4, directed=True)
    labels = {v: "LR"[v % 3 == 0] for v in graph}
    networkx.set_node_attributes(graph, labels, "side")
    turned = graph.reverse()
    networkx.set_node_attributes(turned, {v: "RL"[labels[v] == "R"] for v in turned}, "side")
    game = topple.load("influence", graph)
    mirror = topple.load("influence:first=right", turned)
    trained, n_seen = small_net(game, blocks=2), 0
    random = np.random.default_rng(5)
    for _ in range(5):
        position, other = game.start(), mirror.start()
        while not position.is_over:
            assert position.legal_moves() == other.legal_moves()
            assert (view(position), view(other)) in ((0, 1), (1, 0))
            for own, mirrored in zip(
                evaluated(position, trained), evaluated(other, trained), strict=True
            ):
                assert (own == mirrored).all()
            n_seen += 1
            move = int(random.choice(position.legal_moves()))
            position, other = position.play(move), other.play(move)
        assert other.is_over
    assert n_seen > 10


@pytest.mark.prove
def test_infexion_translated_is_the_same() -> None:
    game = topple.load("infexion", "infexion:4")
    trained, n_seen = small_net(game, blocks=2), 0
    for seed in range(12):
        position = random_position(game, 4 + seed, seed)
        if position.is_over:
            continue
        logits, results = evaluated(position, trained)
        cells = position.state[HEADER + 3 : HEADER + 19].reshape(4, 4)
        for shift in itertools.product((0, 1, 3), repeat=2):
            state = position.state.copy()
            state[HEADER + 3 : HEADER + 19] = np.roll(cells, shift, (0, 1)).ravel()
            moved, results_moved = evaluated(Position(game, state), trained)
            expected = np.roll(logits.reshape(4, 4, 7), shift, (0, 1)).ravel()
            assert moved == pytest.approx(expected, abs=1e-5)
            assert results_moved == pytest.approx(results, abs=1e-5)
            n_seen += 1
    assert n_seen > 30


def test_chain_reaction_for_three_is_the_same_for_each_seat() -> None:
    """Colours exchanged in a circle change nothing but names."""
    game = topple.load("chain-reaction:players=3", "grid:3x3")
    trained = small_net(game)
    for seed in range(8):
        position = random_position(game, 7, seed)
        if position.is_over:
            continue
        logits, results = evaluated(position, trained)
        state = position.state.copy()
        state[0] = (state[0] + 1) % 3
        state[HEADER + 2 : HEADER + 5] = np.roll(state[HEADER + 2 : HEADER + 5], 1)
        colours = state[HEADER + 10 : HEADER + 19]
        state[HEADER + 10 : HEADER + 19] = np.where(colours > 0, colours % 3 + 1, 0)
        for own, other in zip(
            (logits, results), evaluated(Position(game, state), trained), strict=True
        ):
            assert (own == other).all()


def test_a_network_relabelled_gives_the_same_numbers_relabelled() -> None:
    graph = networkx.barabasi_albert_graph(10, 2, seed=3)
    order = np.random.default_rng(1).permutation(10)
    other_graph = networkx.Graph()
    other_graph.add_nodes_from(range(10))
    other_graph.add_edges_from((order[a], order[b]) for a, b in graph.edges)
    game, other = topple.load("spread-it", graph), topple.load("spread-it", other_graph)
    trained, random = small_net(game, blocks=2), np.random.default_rng(2)
    position, mirrored = game.start(), other.start()
    for _ in range(8):
        logits, results = evaluated(position, trained)
        logits_there, results_there = evaluated(mirrored, trained)
        assert logits_there[order] == pytest.approx(logits, abs=1e-5)
        assert results_there == pytest.approx(results, abs=1e-5)
        move = int(random.choice(position.legal_moves()))
        position, mirrored = position.play(move), mirrored.play(int(order[move]))


@pytest.mark.parametrize(
    ("spec", "board"),
    [("spread-it:players=3", "karate"), ("spread-it:accept=0.5", "karate"),
     ("spread-it:turn=2", "karate"), ("spread-it:loyalty=3", "karate"),
     ("spread-it", "random-digraph:n=8,m=16,seed=1")],
)  # fmt: skip
def test_a_wide_game_of_spread_it_is_refused_in_one_line(spec: str, board: str) -> None:
    game = topple.load(spec, board, compiled=False)
    with pytest.raises(topple.Unsupported, match=r"no network can see spread-it.* on ") as refused:
        _ = game.sight
    assert "\n" not in str(refused.value)
    for agent in ("puct", "policy"):
        with pytest.raises(topple.Unsupported) as refused:
            topple.agent(agent).choose(game.start())
        assert "\n" not in str(refused.value)


def test_boards_of_one_game_may_be_of_different_kinds() -> None:
    def kind(spec: str, board: str | Board) -> str:
        return topple.load(spec, board, compiled=False).sight[0]

    assert kind("chain-reaction", "grid:4x4") == "grid"
    assert kind("chain-reaction", "cycle:6") == "network"
    assert kind("spread-it", "grid:4x4") == "network"
    assert kind("hex", "hex:4") == "hexes"
    assert kind("infexion", "infexion:4") == "torus"
    assert kind("influence", "segment:9") == "digraph"


def test_a_module_that_lacks_something_is_no_encoding() -> None:
    from types import ModuleType

    from topple.nets.encodings import register_encoding

    module = ModuleType("incomplete")
    with pytest.raises(TypeError, match="lacks DYNAMIC, ACTIONS"):
        register_encoding("nim", module)
    for name in ("DYNAMIC", "ACTIONS", "net_name", "board_actions", "sight"):
        setattr(module, name, None)
    module.encode = lambda board, state, planes: None  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match="encode needs the @kernel mark"):
        register_encoding("nim", module)
