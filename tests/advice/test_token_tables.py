"""Positions from tables of tokens: what is read, what is refused and in which words."""

from pathlib import Path

import pytest

import topple
from topple.advice import Tokens, parse_tokens, position_with, read_tokens
from topple.core.errors import BadText, Unsupported
from topple.game.game import Game


def spread_it(board: str = "karate", **options: object) -> Game:
    return topple.load("spread-it", board=board, **options)


def test_tables_are_read_however_spreadsheets_write_them() -> None:
    game = spread_it()
    expected = {33: (2, 1), 0: (0, 3)}
    for text in (
        "vertex,black,red\n34,2,1\n1,0,3\n",
        "vertex;black;red\r\n34;2;1\r\n\r\n1;;3\r\n",
        "Red\tVertex\tBLACK\n1\t34\t2\n3\t1\n",
        'label,black,red,note\n"34",2,1,"a, b"\n1,0,3,\n',
        "id,label,black,red\n7,34,2,1\n8,1,0,3\n",
    ):
        assert parse_tokens(game, text).counts == expected


def test_a_byte_order_mark_is_no_letter(tmp_path: Path) -> None:
    file = tmp_path / "tokens.csv"
    file.write_bytes("\ufeffvertex,black,red\n34,2,1\n".encode())
    assert read_tokens(spread_it(), file).counts == {33: (2, 1)}


def test_owners_are_read_under_full_loyalty() -> None:
    tokens = parse_tokens(
        spread_it(loyalty="full"), "vertex,black,red,owner\n12,1,0,Black\n34,2,1,\n1,0,40,r\n"
    )
    assert tokens.owners == {11: 0, 0: 1}
    assert tokens.total == 44


BAD = {
    "vertex,black,red\n35,1,0\n": "line 2: no vertex is called '35': labels run from 1 to 34",
    "vertex,black,red\n34,1,0\n1,x,0\n": "line 3: 'x' is no number of black tokens",
    "vertex,black,red\n34,1,-2\n": "line 2: '-2' is no number of red tokens",
    "vertex,black,red\n34,1.5,2\n": "line 2: '1.5' is no number of black tokens",
    "vertex,black,red\n34,9999999999,2\n": "line 2: '9999999999' is no number of black tokens",
    "vertex,black,red\n34,1,0\n1,1,0\n34,1,0\n": "line 4: 34 is there already, in line 2",
    "vertex,black\n34,1\n": "line 1 names no column red",
    "34,1,0\n": "line 1 names no column vertex and no column black and no column red",
    "vertex,black,red,black\n34,1,0,1\n": "line 1 names the column black twice",
    "vertex,black,red\n34,1,0,1\n": "line 2 has 4 cells, and the first line names 3 columns",
    "vertex,black,red\n,1,0\n": "line 2 names no vertex",
    "vertex,black,red\n34,10,7\n": "line 2: 34 fires at 17 and would not keep 17 tokens",
    "vertex,black,red\n12,1,0\n": "line 2: 12 fires at 1 and would not keep 1 token",
    "vertex,black,red,owner\n34,1,0,black\n": "line 2: vertices have owners only under full",
    'vertex,black,red\n"34,1,0\n': "line 2: ",
}  # fmt: skip


@pytest.mark.parametrize("text", BAD)
def test_bad_tables_are_refused_with_the_line(text: str) -> None:
    with pytest.raises(BadText) as refused:
        parse_tokens(spread_it(), text)
    assert str(refused.value).startswith(BAD[text])
    assert "\n" not in str(refused.value)


def test_an_unknown_owner_is_refused() -> None:
    with pytest.raises(BadText, match="line 2: 'green' is no owner: write black, red or nothing"):
        parse_tokens(spread_it(loyalty="full"), "vertex,black,red,owner\n34,1,0,green\n")


def test_too_many_tokens_are_refused() -> None:
    rows = "".join(f"{vertex},999999999,0,b\n" for vertex in range(1, 4))
    with pytest.raises(BadText, match="line 3: more than"):
        parse_tokens(spread_it(loyalty="full"), f"vertex,black,red,owner\n{rows}")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"vertex,black,red\nJos\xe9,1,0\n", "it is not UTF-8 text"),
        (b"", "it is empty"),
        (b"vertex,black,red\n\0,1,0\n", "it is not a text file"),
        ("vertex,black,red\n34,1,0\n".encode("utf-16"), "it is not UTF-8 text"),
    ],
)
def test_files_that_are_no_text_are_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    file = tmp_path / "tokens.csv"
    file.write_bytes(content)
    with pytest.raises(BadText, match=rf"tokens\.csv: {reason}"):
        read_tokens(spread_it(), file)
    with pytest.raises(BadText, match=r"nothing\.csv: there is no such file"):
        read_tokens(spread_it(), tmp_path / "nothing.csv")


def test_small_boards_name_the_nearest_vertex() -> None:
    with pytest.raises(BadText, match="line 2: unknown vertex 'Medicci': did you mean 'Medici'"):
        parse_tokens(spread_it("florentine"), "vertex,black,red\nMedicci,1,0\n")


# Who is to move, and what is left.


@pytest.mark.parametrize("loyalty", ["zero", "full"])
@pytest.mark.parametrize("board", ["karate", "florentine", "grid:3x3"])
def test_positions_of_real_games_come_back(board: str, loyalty: str) -> None:
    """Whatever a game has come to, its table gives the position again."""
    position = spread_it(board, loyalty=loyalty).start()
    game = position.game
    ply = 0
    while not position.is_over:
        moves = position.legal_moves()
        position = position.play(moves[(7 * ply) % len(moves)])
        ply += 1
        if position.is_over:
            break
        cells = position.contents()
        lines = [
            f"{label},{cell.counts[0]},{cell.counts[1]},"
            f"{'' if cell.owner is None else 'br'[cell.owner]}"
            for label, cell in zip(game.board.labels, cells, strict=True)
        ]
        table = "\n".join(["vertex,black,red,owner", *lines])
        assert position_with(game, parse_tokens(game, table)) == position
    assert ply > 5


def test_what_is_left_may_be_said() -> None:
    game = spread_it("cycle:6", tokens=3)
    one = Tokens({0: (1, 0)})
    assert position_with(game, one).text == "1b,5 Red 2-3"
    assert position_with(game, one, left=(5, 5)).text.endswith("Red 5-5")
    assert position_with(game, one, left=(5, 4)).text.endswith("Black 5-4")
    assert position_with(game, one, player=0).text.endswith("Black 3-2")
    assert position_with(game, Tokens(), left=(4, 4), player=1).text.endswith("Red 4-4")


def test_what_is_left_must_fit() -> None:
    game = spread_it("cycle:6", tokens=3)
    with pytest.raises(BadText, match="Red is to move with 4 tokens left, and Black has 5"):
        position_with(game, Tokens(), left=(5, 4), player=1)
    with pytest.raises(BadText, match="Black is to move with 6 tokens left, and Red has 4"):
        position_with(game, Tokens(), left=(6, 4))
    with pytest.raises(BadText, match="no tokens are left"):
        position_with(game, Tokens(), left=(0, 0))
    with pytest.raises(BadText, match="7 tokens are on the board, and the game gives 2"):
        position_with(spread_it("karate", tokens=1), Tokens({33: (4, 3)}))
    full = spread_it("path:2", loyalty="full", tokens=4)
    with pytest.raises(BadText, match="every vertex is owned"):
        position_with(full, Tokens({}, {0: 0, 1: 1}))


def test_where_tokens_come_and_go_the_rest_must_be_said(tmp_path: Path) -> None:
    file = tmp_path / "net.gml"
    file.write_text(
        'graph [ node [ id 1 label "a" threshold 1 ] node [ id 2 label "b" threshold 3 ]\n'
        "edge [ source 1 target 2 ] ]"
    )
    game = spread_it(f"file:{file}", tokens=3)
    some = Tokens({1: (1, 0)})
    with pytest.raises(BadText, match=r"say how many are left \(--left 5-4\)"):
        position_with(game, some)
    with pytest.raises(BadText, match=r"say who is to move \(--player\)"):
        position_with(game, some, left=(2, 2))
    assert position_with(game, some, left=(2, 2), player=1).player == 1
    assert position_with(game, some, left=(2, 3)).player == 1
    assert position_with(game, Tokens()).player == 0


def test_other_games_have_no_such_tables() -> None:
    with pytest.raises(Unsupported, match="advice is for spread-it"):
        parse_tokens(topple.load("hex", board="hex:3"), "vertex,black,red\n")
