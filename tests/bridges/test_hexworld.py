"""HexWorld's addresses: games come back as they were, what is no game is refused."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bridges.test_sgf import games
from tests.core.command_line import assert_one_line_refusal, topple
from topple.bridges import hexworld, sgf
from topple.bridges.hex.notation import plain_game
from topple.core.errors import ToppleError
from topple.game.record import RESIGNATION, TIME, Ending, Record

HOME = "https://hexworld.org/board/#"


@settings(deadline=None, max_examples=60)
@given(games)
def test_a_game_survives_writing_and_reading(record: Record) -> None:
    """All but the players' names, and whether a swap was allowed that nobody made."""
    again = hexworld.read(hexworld.write(record))
    assert (again.moves, again.board) == (record.moves, record.board)
    assert again.result == record.result
    assert hexworld.write(again) == hexworld.write(record)


@settings(deadline=None, max_examples=30)
@given(games)
def test_it_agrees_with_sgf(record: Record) -> None:
    assert hexworld.read(hexworld.write(record)).moves == sgf.read(sgf.write(record)).moves


def test_an_address_has_size_moves_and_result() -> None:
    game = plain_game(4, swap=True)
    moves = ["a2", "swap-pieces", "c3", "d1"]
    record = Record.of(game, moves, ending=Ending(RESIGNATION, 1))
    assert hexworld.write(record) == f"{HOME}4c1,a2:sc3a4:rw"
    late = Record.of(game, moves, ending=Ending(TIME, 0))
    assert hexworld.write(late) == f"{HOME}4c1,a2:sc3a4:fb"


@pytest.mark.parametrize(
    ("fragment", "moves"),
    [
        ("11,", ()),
        ("11", ()),
        ("", ()),
        (",a1", ("a1",)),
        ("11r9c1,a1k11", ("a1", "k11")),
        ("11r10mnc1,a1b2,c3d4", ("a1", "b2", "c3", "d4")),
        ("11,,a1", ("a1",)),
        ("3,a2:sa3c3", ("a2", "swap-pieces", "c1", "c3")),
        ("3,a2:Sc1c3", ("a2", "swap-pieces", "c1", "c3")),
        ("5x5,e5", ("e5",)),
    ],
)
def test_addresses_that_can_be_read(fragment: str, moves: tuple[str, ...]) -> None:
    for address in (f"{HOME}{fragment}", f"hexworld.org/board/#{fragment}", f" #{fragment}\n"):
        assert hexworld.read(address).moves == moves


def test_resignations_are_read_and_written() -> None:
    assert hexworld.read("#3,a1:rw").ending == Ending(RESIGNATION, 1)
    assert hexworld.read("#3,a2:s:rb").ending == Ending(RESIGNATION, 0)
    assert hexworld.read("#3,a2:S:rb").ending == Ending(RESIGNATION, 1)
    assert hexworld.read("#3,a1:fb").ending == Ending("crash", 0, "forfeit")


WRONG = {
    "https://hexworld.org/board/": "no # with the game",
    "#11x13,a1": "11×13 is not square",
    "#27,a1": "beyond 1×1 to 26×26",
    "#0,a1": "beyond 1×1",
    "#3,a1:p": "move 2 is a pass",
    "#3,a1b2:s": "move 3 is a swap",
    "#3,:s": "only the second move",
    "#3,d1": "'d1' is no cell",
    "#3,a1a1": "move 2: a1 is not legal",
    "#3,a1?": "move 2 of the address cannot be read: '?'",
    "#3,a1B2": "cannot be read: 'B2'",
    "#3,a1:x": "cannot be read: ':x'",
    "#3,a1:rbb2": "move 3 comes after resign",
    "#3,a1,b2,c3": "cannot be read: ',c3'",
    "#3,aa1": "'aa1' is no cell",
    "#3,a1234567890123": "is no cell",
    "#3," + "a1" * 20_000: "too long",
}


@pytest.mark.parametrize("address", WRONG, ids=range(len(WRONG)))
def test_wrong_addresses_are_refused_in_one_line(address: str) -> None:
    with pytest.raises(ToppleError) as error:
        hexworld.read(address)
    assert WRONG[address] in str(error.value)
    assert "\n" not in str(error.value)
    assert_one_line_refusal(topple("convert", address))


@settings(deadline=None, max_examples=200)
@given(st.text(st.sampled_from("#0123,x:sSprbwfabcrmn")))
def test_no_text_raises_an_unexpected_error(text: str) -> None:
    with suppress(ToppleError):
        hexworld.read(f"#{text}")


def test_every_command_that_reads_games_reads_addresses() -> None:
    address = f"{HOME}2c1,b1a1a2"
    assert topple("replay", address, "--quiet").out == (
        "the address: Hex on hex:2, Black against White\n"
        "after 3 moves: Blue wins: top and bottom are joined\n"
    )
    both = topple("convert", "-", typed=f"{address}\n#2,a1:rb\n").out.splitlines()
    assert len(both) == 2
    assert '"ending": {"by": "resignation", "player": 0' in both[1]
