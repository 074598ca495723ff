"""Records: replayed anywhere, refused when damaged or dishonest."""

import contextlib
import json
import random
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import topple
from topple.game.game import Game, load
from topple.game.record import ENDINGS, Ending, Record


def random_record(game: Game, seed: int) -> Record:
    rng, position, moves = random.Random(seed), game.start(), []
    while not position.is_over:
        moves.append(rng.choice(position.legal_moves()))
        position = position.play(moves[-1])
    return Record.of(game, moves, seed=seed)


def honest() -> dict[str, Any]:
    """A record of five moves as an object to damage."""
    game = load("hex", "hex:3")
    return json.loads(Record.of(game, ["b2", "a1", "b1", "c1", "a3"], ("Ann", "Bob")).to_json())


def test_the_parts_of_a_record() -> None:
    parts = honest()
    assert parts == {
        "format": 1,
        "topple": topple.__version__,
        "game": "hex",
        "options": {"swap": False},
        "board": "hex:3",
        "players": ["Ann", "Bob"],
        "seed": None,
        "moves": ["b2", "a1", "b1", "c1", "a3"],
        "result": [1.0, -1.0],
    }


def test_a_record_carries_its_network() -> None:
    """A random network, a file or a graph from Python replays where there is no such thing."""
    graph = nx.relabel_nodes(nx.karate_club_graph(), str)
    nx.set_node_attributes(graph, {"33": 5}, "threshold")
    for board in ("ba:n=12,m=2,seed=3", "florentine", graph):
        record = random_record(load("spread-it", board, loyalty="full"), 1)
        parts = json.loads(record.to_json())
        assert isinstance(parts["board"], dict)
        again = Record.from_json(json.dumps(parts))
        assert again.board == record.board
        assert again.replay() == record.replay()


def test_uncompiled_replay_is_the_same() -> None:
    record = random_record(load("chain-reaction", "grid:3x3"), 4)
    assert record.replay(compiled=False) == record.replay()


def test_an_unfinished_game_has_no_result() -> None:
    record = Record.of(load("hex", "hex:3"), ["b2"])
    assert record.result is None
    assert not Record.from_json(record.to_json()).replay().is_over


@pytest.mark.parametrize(
    ("damage", "message", "ply"),
    [
        ({"moves": ["b2", "a1", "b2", "c1", "a3"]}, "b2 is not legal for Blue", 3),
        ({"moves": ["b2", "zz", "b1", "c1", "a3"]}, "'zz' is not a move of Hex", 2),
        ({"moves": ["b2", "a1", "b1", "c1", "a3", "a2"]}, "the game is over", 6),
        ({"moves": ["b2", "a1", "b1", "c1"]}, "claims returns [1.0, -1.0]", 4),
        ({"moves": ["b2", "a1", 3]}, "3 is not text", 3),
        ({"result": [-1.0, 1.0]}, "claims returns [-1.0, 1.0]", 5),
        ({"result": None}, "claims not over", 5),
        ({"result": [1.0]}, "claims returns [1.0]", 5),
        ({"players": ["Ann"]}, "names 1 players, but the game has 2", None),
        ({"game": "hexx"}, "unknown game 'hexx'", None),
        ({"game": "hex:swap=true"}, "unknown game", None),
        ({"options": {"swop": True}}, "unknown option of hex 'swop'", None),
        ({"options": {"board": "hex:2"}}, "unknown option of hex 'board'", None),
        ({"options": {"compiled": False}}, "unknown option of hex 'compiled'", None),
        ({"board": "grid:3x3"}, "Hex is played on hex:n", None),
    ],
)
def test_dishonest_records_are_refused_with_the_move_at_fault(
    damage: dict[str, Any], message: str, ply: int | None
) -> None:
    with pytest.raises(topple.BadRecord) as caught:
        Record.from_json(json.dumps(honest() | damage)).replay()
    assert message in str(caught.value)
    assert caught.value.ply == ply
    assert ply is None or str(caught.value).startswith(f"move {ply}: ")


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        ({"format": 2}, "has format 2"),
        ({"format": True}, "has format True"),
        ({"extra": 1}, "unknown part 'extra'"),
        ({"moves": "b2 a1"}, "not a list"),
        ({"players": [1, 2]}, "is not text"),
        ({"players": ["\x1b[31mAnn", "Bob"]}, "not plain text"),
        ({"players": ["Ann", "B\u202eob"]}, "not plain text"),
        ({"players": ["Ann", "B" * 300]}, "too long"),
        ({"options": []}, "options are not an object"),
        ({"options": {"swap": [1]}}, "options are not an object"),
        ({"result": "1-0"}, "neither null nor a list"),
        ({"result": [10**400, 0]}, "too large"),
        ({"seed": "x"}, "seed is neither"),
        ({"game": 7}, "game is not text"),
        ({"board": 7}, "its board"),
        ({"board": "file:/etc/hostname"}, "its board"),
        ({"board": "ba:n=24,m=3,seed=1"}, "its board"),
    ],
)
def test_damaged_records_are_refused(damage: dict[str, Any], message: str) -> None:
    with pytest.raises(topple.BadRecord) as caught:
        Record.from_json(json.dumps(honest() | damage))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"seed": null', '"seed": null, "seed": 5', "the same key twice"),
        ('"seed": null', '"seed": NaN', "NaN is not a JSON number"),
        ('"seed": null', '"seed": true', "seed is neither"),
        ('"result": [1.0,', '"result": [true,', "neither null nor a list"),
    ],
)
def test_damaged_lines_are_refused(old: str, new: str, message: str) -> None:
    line = json.dumps(honest())
    assert old in line
    with pytest.raises(topple.BadRecord, match=message):
        Record.from_json(line.replace(old, new))


@pytest.mark.parametrize(
    "missing", ["format", "game", "options", "board", "players", "moves", "result"]
)
def test_a_missing_part_is_named(missing: str) -> None:
    parts = honest()
    del parts[missing]
    with pytest.raises(topple.BadRecord, match=f"lacks {missing}"):
        Record.from_json(json.dumps(parts))


@pytest.mark.parametrize(
    "line",
    ["", "{", "[]", "null", "[" * 100_000, '{"a": 1, "a": 2}', '{"format": NaN}', "1" * 5000],
)
def test_what_is_not_a_record(line: str) -> None:
    with pytest.raises(topple.BadRecord):
        Record.from_json(line)


def test_every_cut_of_a_record_is_refused() -> None:
    line = Record.of(load("spread-it", "cycle:4"), ["1", "2"]).to_json()
    for end in range(len(line)):
        with pytest.raises(topple.BadRecord):
            Record.from_json(line[:end])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=12,
)


# Games with an opening, and games that were ended.


def ended() -> dict[str, Any]:
    """A record of a game that was lost by resignation after an opening, to damage."""
    record = Record.of(
        load("hex", "hex:3"), ["b2", "a1", "b1"], opening=2, ending=Ending("resignation", 1, "why")
    )
    return json.loads(record.to_json())


def test_a_record_tells_its_opening_and_ending() -> None:
    parts = ended()
    assert parts["opening"] == 2
    assert parts["ending"] == {"by": "resignation", "player": 1, "detail": "why"}
    assert parts["result"] == [1.0, -1.0]
    record = Record.from_json(json.dumps(parts))
    assert record.ending == Ending("resignation", 1, "why")
    assert json.loads(record.to_json()) == parts
    assert not record.replay().is_over


@pytest.mark.parametrize("by", ENDINGS)
@pytest.mark.parametrize("n_players", [2, 3])
def test_every_ending_is_kept_and_replays(by: str, n_players: int) -> None:
    game = load("chain-reaction", "grid:3x3", players=n_players)
    for loser in [None] if by == "length" else range(n_players):
        record = Record.of(game, ["a1", "b1"], opening=1, ending=Ending(by, loser, "détail"))
        again = Record.from_json(record.to_json())
        assert again == record
        assert again.replay() == game.start().play("a1").play("b1")
        assert record.result is not None
        assert sum(record.result) == pytest.approx(0)
        assert [i for i, share in enumerate(record.result) if share < 0] == (
            [] if loser is None else [loser]
        )


def test_data_is_what_a_line_holds() -> None:
    for parts in (honest(), ended()):
        record = Record.from_json(json.dumps(parts))
        assert Record.from_data(record.to_data()) == record
        assert record.to_data() == {"opening": 0, "ending": None} | parts
        assert Record.from_data({**parts, "board": 0}, record.board) == record


def test_what_an_export_adds_is_no_part_of_the_record() -> None:
    record = Record.from_json(json.dumps(honest() | {"arena": {"pair": "0", "more": [1]}}))
    assert json.loads(record.to_json()) == honest()


@pytest.mark.parametrize(
    ("damage", "message", "ply"),
    [
        ({"result": [-1.0, 1.0]}, "claims returns [-1.0, 1.0]", 3),
        ({"result": None}, "claims not over", 3),
        ({"result": [1.0, 1.0], "ending": {"by": "time", "player": 1}}, "[1.0, 1.0]", 3),
        ({"ending": None}, "lead to: not over", 3),
        ({"ending": {"by": "length"}}, "lead to: returns [0.0, 0.0]", 3),
        ({"ending": {"by": "crash", "player": 0}}, "lead to: returns [-1.0, 1.0]", 3),
        ({"moves": ["b2", "a1", "b1", "c1", "a3"]}, "by resignation, but the game is over", 5),
        ({"moves": ["b2", "b2", "b1"]}, "b2 is not legal", 2),
    ],
)
def test_dishonest_endings_are_refused(damage: dict[str, Any], message: str, ply: int) -> None:
    record = Record.from_json(json.dumps(ended() | damage))
    with pytest.raises(topple.BadRecord) as caught:
        record.replay()
    assert message in str(caught.value)
    assert caught.value.ply == ply


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        ({"opening": 4}, "opening of 4 moves is not within its 3"),
        ({"opening": -1}, "opening of -1 moves"),
        ({"opening": True}, "not a number of moves"),
        ({"opening": 1.0}, "not a number of moves"),
        ({"opening": None}, "not a number of moves"),
        ({"ending": "time"}, "not an object of by, player and detail"),
        (
            {"ending": {"by": "time", "player": 1, "more": 1}},
            "not an object of by, player and detail",
        ),
        ({"ending": {}}, "has the wrong type"),
        ({"ending": {"by": "time", "player": True}}, "has the wrong type"),
        ({"ending": {"by": "time", "player": -1}}, "has the wrong type"),
        ({"ending": {"by": "time", "player": 1, "detail": None}}, "has the wrong type"),
        ({"ending": {"by": "magic", "player": 1}}, "choose from resignation, crash, time"),
        ({"ending": {"by": "time", "player": 2}}, "player 2 is said to lose"),
        ({"ending": {"by": "time", "player": 2}, "result": [1.0, 1.0]}, "the players are 0 to 1"),
        ({"ending": {"by": "time"}}, "has a loser"),
        ({"ending": {"by": "length", "player": 0}}, "has no loser"),
        ({"ending": {"by": "time", "player": 0, "detail": "\x1b"}}, "not plain"),
        ({"ending": {"by": "time", "player": 0, "detail": "x" * 201}}, "too long"),
    ],
)
def test_damaged_openings_and_endings_are_refused(damage: dict[str, Any], message: str) -> None:
    with pytest.raises(topple.BadRecord) as caught:
        Record.from_json(json.dumps(ended() | damage))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_records_are_checked_when_they_are_made_too() -> None:
    game = load("hex", "hex:3")
    for wrong in ({"opening": 2}, {"opening": -1}, {"ending": Ending("crash", 2)}):
        with pytest.raises(topple.BadRecord):
            Record.of(game, ["b2"], **wrong)
    with pytest.raises(topple.BadRecord, match="no player -1"):
        Ending("crash", -1)
    over = ["b2", "a1", "b1", "c1", "a3"]
    with pytest.raises(topple.BadRecord, match="the game is over"):
        Record.of(game, over, ending=Ending("length"))


@settings(max_examples=150, deadline=None, database=None, derandomize=True)
@given(st.sampled_from(["opening", "ending", "arena", "result", "players"]), JSON)
def test_an_ended_record_with_anything_in_it_is_refused_or_replays(part: str, value: Any) -> None:
    try:
        Record.from_json(json.dumps(ended() | {part: value})).replay()
    except topple.BadRecord:
        return
    assert part in ("arena", "players", "opening") or value == ended()[part]


@settings(max_examples=400, deadline=None, database=None, derandomize=True)
@given(st.sampled_from(sorted(honest())), JSON)
def test_any_part_replaced_by_anything_is_refused_or_replays(part: str, value: Any) -> None:
    try:
        Record.from_json(json.dumps(honest() | {part: value})).replay()
    except topple.BadRecord:
        return
    assert part in ("topple", "seed", "options", "players") or value == honest()[part]


@settings(max_examples=400, deadline=None, database=None, derandomize=True)
@given(st.integers(0, 10_000), st.binary(min_size=1, max_size=4))
def test_flipped_bytes_are_refused_or_replay(at: int, scrap: bytes) -> None:
    line = bytearray(json.dumps(honest()).encode())
    at %= len(line)
    line[at : at + len(scrap)] = scrap
    with contextlib.suppress(topple.BadRecord):
        Record.from_json(line.decode("utf-8", "replace")).replay()
