"""Positions as people use them: fixed, comparable, written, drawn, and errors that help."""

import contextlib
import copy
import pickle

import networkx as nx
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import topple
from topple.game.game import load, random_position

GAMES = [
    ("spread-it", "cycle:5"),
    ("spread-it:loyalty=full", "grid:2x3"),
    ("chain-reaction:players=3", "grid:3x3"),
    ("infexion", "infexion:4"),
    ("hex:swap=true", "hex:3"),
    ("influence", "segment:7"),
]


@pytest.mark.parametrize(("spec", "board"), GAMES)
def test_positions_never_change(spec: str, board: str) -> None:
    position = load(spec, board).start()
    with pytest.raises(AttributeError, match="never changes"):
        position.state = None
    with pytest.raises(ValueError, match="read-only"):
        position.state[0] = 1


@pytest.mark.parametrize(("spec", "board"), GAMES)
def test_positions_compare_and_hash_by_value(spec: str, board: str) -> None:
    game, again = load(spec, board), load(spec, board)
    position = random_position(game, 3, seed=1)
    twin = again.position(position.text)
    assert position == twin
    assert hash(position) == hash(twin)
    assert len({position, twin, game.start()}) == 2
    assert position != game.start()
    assert position != position.text
    assert copy.deepcopy(position) == position
    assert pickle.loads(pickle.dumps(position)) == position


def test_games_on_other_boards_or_with_other_options_differ() -> None:
    hex3 = load("hex", "hex:3")
    assert hex3 != load("hex", "hex:4")
    assert hex3 != load("hex", "hex:3", swap=True)
    assert hex3.start() != load("hex", "hex:3", swap=True).start()
    assert hex3 == load("hex:swap=false", "hex:3", compiled=False)


def test_a_networkx_graph_is_a_board() -> None:
    game = load("spread-it", nx.karate_club_graph())
    assert game.board.n_vertices == 34


def test_drawings() -> None:
    hexes = load("hex", "hex:3").start().play("b2")
    assert hexes.draw() == "    a b c\n 1  · · ·\n  2  · X ·\n   3  · · ·"
    starred = hexes.play("a1").draw(hexes)
    assert starred.splitlines()[1] == " 1  O*· ·"
    network = load("spread-it", "cycle:5").start().play("2")
    assert network.draw() == "1 ·/2   2 1b/2  3 ·/2   4 ·/2   5 ·/2"
    torus = load("infexion", "infexion:3").start().play("SPAWN(1, 2)")
    assert torus.draw().splitlines()[2].split() == ["1", "·", "·", "r1"]
    assert all(len(line) <= 80 for line in load("infexion").start().draw().splitlines())


def test_a_large_network_is_drawn_in_short() -> None:
    drawn = load("spread-it", "ba:n=2000,m=2,seed=1").start().play("7").draw()
    assert "7 1b/" in drawn
    assert "(1,999 more vertices are not shown)" in drawn


# Bad input: two different errors for moves, each with what to do.


@pytest.mark.parametrize(
    ("spec", "board", "text", "message"),
    [
        ("hex", "hex:3", "d1", "write a cell from a1 to c3"),
        ("hex", "hex:3", "swap-pieces", "is not a move of Hex"),
        ("hex", "hex:3", "", "is not a move of Hex"),
        ("infexion", "infexion:7", "SPAWN(7, 0)", "off the board"),
        ("infexion", "infexion:7", "SPAWN(-1, 0)", "off the board"),
        ("infexion", "infexion:7", "SPAWN(1)", "write SPAWN"),
        ("infexion", "infexion:7", "SPREAD(0, 0, 1, 1)", "not a direction"),
        ("chain-reaction", "grid:2x2", "a3", "did you mean"),
        ("influence", "segment:40", "41", "labels run from 1 to 40"),
    ],
)
def test_malformed_moves(spec: str, board: str, text: str, message: str) -> None:
    with pytest.raises(topple.BadText, match=message):
        load(spec, board).start().play(text)


@pytest.mark.parametrize(
    ("spec", "board", "moves", "message"),
    [
        ("hex", "hex:3", ["a1", "a1"], "a1 is not legal for Red in X../.../... Red"),
        ("hex:swap=true", "hex:3", ["swap-pieces"], "swap-pieces is not legal for Blue"),
        ("chain-reaction", "grid:2x2", ["a1", "a1"], "a1 is not legal for B"),
        ("infexion", "infexion:7", ["SPREAD(0, 0, 0, 1)"], "not legal for Red"),
        ("hex", "hex:1", ["a1", "a1"], "the game is over: Blue wins"),
    ],
)
def test_illegal_moves(spec: str, board: str, moves: list[str], message: str) -> None:
    position = load(spec, board).start()
    for move in moves[:-1]:
        position = position.play(move)
    with pytest.raises(topple.IllegalMove) as caught:
        position.play(moves[-1])
    assert message in str(caught.value)
    assert not isinstance(caught.value, topple.BadText)


@pytest.mark.parametrize("move", [-1, 9, 10**12])
def test_moves_out_of_range(move: int) -> None:
    game = load("hex", "hex:3")
    with pytest.raises(topple.BadText, match="there is no move"):
        game.move_text(move)
    with pytest.raises(topple.IllegalMove, match="is not legal for Blue"):
        game.start().play(move)


@pytest.mark.parametrize("move", [2.0, True, None, [1], b"a1"])
def test_moves_that_are_neither_text_nor_number(move: object) -> None:
    with pytest.raises(topple.BadText, match="is not a move"):
        load("hex", "hex:3").start().play(move)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: load("hexx"), "unknown game 'hexx': did you mean 'hex'"),
        (lambda: load("hex", swop=True), "did you mean 'swap'"),
        (lambda: load("hex", swap="perhaps"), "neither true nor false"),
        (lambda: load("hex:fast"), "without a value"),
        (lambda: load("hex:swap=true", swap=True), "given twice"),
        (lambda: load("spread-it", loyalty="half"), "unknown loyalty 'half'"),
        (lambda: load("spread-it", tokens=0), "too small: at least 1"),
        (lambda: load("spread-it", tokens=2.5), "not a whole number"),
        (lambda: load("chain-reaction", players=9), "too large: at most 8"),
        (lambda: load("hex", "grid:3x3"), "Hex is played on hex:n"),
        (lambda: load("infexion", "hex:7"), "Infexion is played on infexion:n"),
        (lambda: load("influence", "karate"), "needs a directed board"),
        (lambda: load("chain-reaction", "segment:8"), "needs an undirected board"),
        (lambda: load("spread-it", "path:2"), "set tokens=N"),
        (lambda: load("chain-reaction", "path:2"), "too small for 2 players"),
        (lambda: load("chain-reaction", "complete:4", players=6), "too small for 6 players"),
        (lambda: load("influence", nx.DiGraph([(1, 2)])), "needs a side L or R"),
    ],
)
def test_unknown_games_options_and_unfit_boards(call: object, message: str) -> None:
    with pytest.raises(topple.ToppleError) as caught:
        call()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


# Position texts.


def test_influence_positions_have_no_holes() -> None:
    """Between two vertices that are there, none is gone: taking one takes all on a side."""
    graph = nx.DiGraph([("a", "b"), ("b", "c")])
    nx.set_node_attributes(graph, {"a": "L", "b": "L", "c": "R"}, "side")
    game = load("influence", graph)
    with pytest.raises(topple.BadText, match="between two that are not"):
        game.position("1,x,1 Left 1-0")
    assert game.position("1,x,x Left 0-2").legal_moves() == (0,)


def test_boards_are_known_by_what_they_are_not_by_their_names() -> None:
    stranger = topple.boards.board_from_networkx(nx.path_graph(4), "hex:2")
    with pytest.raises(topple.BadBoard, match="Hex is played on hex:n"):
        load("hex", stranger)
    with pytest.raises(topple.BadBoard, match="Infexion is played on"):
        load("infexion", topple.boards.board_from_networkx(nx.path_graph(4), "infexion:2"))


def test_numbers_with_hundreds_of_digits_are_refused() -> None:
    for call in (
        lambda: load("spread-it", tokens="9" * 400),
        lambda: load("hex", "hex:" + "9" * 400),
    ):
        with pytest.raises(topple.BadText, match="too large") as caught:
            call()
        assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("spec", "board", "text", "message"),
    [
        ("hex", "hex:3", "X../.../... Blue", "do not fit"),
        ("hex", "hex:3", ".../.../..", "write a Hex position"),
        ("hex", "hex:3", ".../.../.. Blue", "3 rows of 3 cells"),
        ("hex", "hex:3", ".../.../... Green", "unknown player"),
        ("hex", "hex:3", "X../.../... Red swapped", "cannot have been swapped"),
        ("hex", "hex:3", "XO./XO./X.. Red swapped", "cannot have been swapped"),
        ("hex", "hex:2", "XO/XO Blue", "not the side that moved last"),
        ("chain-reaction", "grid:2x2", "A2,3 B 1", "is full"),
        ("chain-reaction", "grid:2x2", "A1,3 A 1", "it is B's turn"),
        ("chain-reaction", "grid:2x2", "A1,C1,2 B 1", "unknown player"),
        ("chain-reaction", "grid:2x2", "A1,4 B 1", "the board's 4 vertices"),
        ("chain-reaction", "grid:2x2", "4 A 2", "no pieces"),
        ("chain-reaction", "grid:2x2", "A1,B1,2 B 1", "not moved yet"),
        ("chain-reaction", "grid:2x2", "A1,3 B 2", "only A is left"),
        ("chain-reaction:players=3", "grid:2x3", "A1,B1,4 C 3", "C is out"),
        ("chain-reaction", "grid:2x2", "A1,,2 B 1", "the board's 4 vertices"),
        ("chain-reaction", "grid:2x2", "A1,0,2 B 1", "is not a square"),
        ("chain-reaction", "grid:2x2", "A1,3 B 1 1", "write the position as"),
        ("chain-reaction", "grid:2x2", "A6,3 A 2", "more than 5 pieces"),
        ("infexion", "infexion:7", "49 Red 344", "from 0 to 343"),
        ("infexion", "infexion:3", "r2,r2,r2,b2,b2,4 Red 10", "more power"),
        ("hex:swap=true", "hex:3", ".../.../... Red swapped", "cannot have been swapped"),
        ("influence", "segment:3", "1,x,1 Left 1-0", "passes"),
        ("spread-it", "cycle:4", "4 Red 2-2", "the budgets are"),
        ("spread-it", "cycle:4", "1b,3 Black 2-2", "0 have been played"),
        ("spread-it", "cycle:4", "999999999b,999999999b,2 Red 1-2", "too many"),
        ("infexion", "infexion:7", "r7,48 Blue 1", "power at most 6"),
        ("infexion", "infexion:7", "r1,48 Red 1", "not Red's turn"),
        ("infexion", "infexion:7", "r5,48 Blue 3", "more power"),
        ("infexion", "infexion:7", "49 Blue 1", "one red stack"),
        ("influence", "segment:4", "x,3 Left 2-0", "do not fit the 1 vertices"),
        ("influence", "segment:4", "y,3 Left 1-0", "write x where it is taken"),
        ("spread-it", "cycle:4", "4 Black 9-9", "the budgets are"),
        ("spread-it", "cycle:4", "q,3 Red 1-2", "write for example 2b1r"),
        ("spread-it:loyalty=full", "cycle:4", "2b,3 Red 1-2", "it would have fired"),
    ],
)
def test_positions_that_cannot_be(spec: str, board: str, text: str, message: str) -> None:
    with pytest.raises(topple.BadText) as caught:
        load(spec, board).position(text)
    assert message in str(caught.value)


SCRAPS = st.lists(
    st.sampled_from(
        [
            "X",
            "O",
            ".",
            "/",
            " ",
            ",",
            "-",
            "A1",
            "B2",
            "r1",
            "b6",
            "x",
            "1b",
            "2r",
            "B:",
            "Black",
            "Red",
            "Blue",
            "Left",
            "Right",
            "A",
            "B",
            "0",
            "1",
            "9",
            "99999999999",
            "swapped",
            "−",
            "SPAWN(",
            "SPREAD(",
            ")",
            "a1",
            "c3",
            "\x00",
            "é",
            "\n",
        ]
    ),
    max_size=14,
).map("".join)


@pytest.mark.parametrize(("spec", "board"), GAMES)
def test_texts_parse_or_are_refused(spec: str, board: str) -> None:
    """Random scraps give a position that writes itself back, or BadText, nothing else."""
    game = load(spec, board)

    @settings(max_examples=400, deadline=None, database=None, derandomize=True)
    @given(st.one_of(SCRAPS, st.text(max_size=40)))
    @example("9999999 Black 0-0")
    @example(game.start().text)
    def parses(text: str) -> None:
        try:
            position = game.position(text)
        except topple.BadText:
            pass
        else:
            assert game.position(position.text) == position
            assert bool(position.legal_moves()) != position.is_over
            for move in position.legal_moves():
                position.play(move)
        with contextlib.suppress(topple.BadText):
            assert 0 <= game.parse_move(text) < game.sizes.moves

    parses()


@pytest.mark.parametrize(("spec", "board"), GAMES)
def test_damaged_position_texts_parse_or_are_refused(spec: str, board: str) -> None:
    """So do the texts of real positions with a few characters changed."""
    game = load(spec, board)

    @settings(max_examples=300, deadline=None, database=None, derandomize=True)
    @given(st.integers(0, 30), st.integers(0, 999), st.integers(0, 60), SCRAPS)
    def parses(n_plies: int, seed: int, at: int, scrap: str) -> None:
        text = random_position(game, n_plies, seed).text
        damaged = text[: at % len(text)] + scrap[:3] + text[at % len(text) + 1 :]
        try:
            position = game.position(damaged)
        except topple.BadText:
            return
        assert game.position(position.text) == position
        for move in position.legal_moves():
            position.play(move)

    parses()
