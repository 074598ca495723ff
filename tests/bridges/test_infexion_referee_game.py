"""The course's words and clocks as students' agents meet them: as under its own referee."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.bridges.test_infexion_referee import started, write  # noqa: F401, a fixture
from topple.bridges.infexion.referee_game import (
    Board,
    CellState,
    HexDir,
    HexPos,
    HexVec,
    PlayerColor,
    SpawnAction,
)
from topple.bridges.infexion_referee import main
from topple.cli.main import run

Write = Callable[..., Path]


def test_a_direction_is_found_by_any_pair_of_numbers() -> None:
    for pair in ((1, -1), [1, -1], HexVec(1, -1)):
        assert HexDir(pair) is HexDir.Up
    for nonsense in ((1, 1), 5, "up", (1, -1, 0)):
        with pytest.raises(ValueError, match="not a direction"):
            HexDir(nonsense)


def test_a_cell_state_is_a_pair_and_too_much_power_empties_it() -> None:
    player, power = CellState(PlayerColor.RED, 6)
    assert (player, power) == (PlayerColor.RED, 6)
    assert CellState(PlayerColor.RED, 7) == CellState(None, 3) == CellState()
    assert str(CellState(PlayerColor.BLUE, 2)) == "CellState(BLUE, 2)"


def test_the_board_is_empty_at_first_and_can_be_indexed() -> None:
    board = Board()
    assert board._state == {}
    assert board[HexPos(3, 3)] == CellState()
    with pytest.raises(IndexError):
        board[7, 0]  # type: ignore[index]
    with pytest.raises(IndexError):
        board.undo_action()
    board.apply_action(SpawnAction(HexPos(1, 2)))
    assert board._player_cells(PlayerColor.RED) == [CellState(PlayerColor.RED, 1)]
    assert board._cell_occupied(HexPos(1, 2))
    (mutation,) = board._history[-1].cell_mutations
    assert (mutation.cell, mutation.prev.power, mutation.next.power) == (HexPos(1, 2), 0, 1)
    board.undo_action()
    assert not board._cell_occupied(HexPos(1, 2))


def test_the_board_is_drawn_as_a_rhombus_on_its_corner() -> None:
    board = Board({HexPos(0, 0): CellState(PlayerColor.RED, 3)})
    lines = board.render().splitlines()
    assert len(lines) == 13
    assert [line.count("..") for line in lines] == [1, 2, 3, 4, 5, 6, 6, 6, 5, 4, 3, 2, 1]
    assert lines[6].startswith(" r3 ")
    assert "\033[31m" in board.render(use_color=True)


def test_garbage_is_freed_before_each_call_and_off_the_clock(write: Write) -> None:  # noqa: F811
    garbage = "block = [bytearray(60_000_000)]; block.append(block); del block"
    agent = started(write(action=garbage), memory=150.0)
    for _ in range(6):  # four of these at once would be too much
        agent.turn(0, agent.action())
    assert agent.peak is not None
    assert agent.peak < 150
    agent.close()


def test_what_an_agent_prints_appears_at_once(
    write: Write,  # noqa: F811
    capfd: pytest.CaptureFixture[str],
) -> None:
    folder = write(start='print("here I am")')
    command = ["play", "infexion", f"referee:path={folder},prints=true", "random", "--quiet"]
    run([*command, "--seed", "1"])
    assert "here I am" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("raise ValueError('no idea')", "Blue wins: Red failed (CourseFault: it raised ValueError"),
        ("return SpawnAction(next(iter(self.seen)))", "Blue wins: Red gave an illegal move"),
    ],
)
def test_at_the_terminal_a_fault_loses_the_game(
    what: str,
    told: str,
    write: Write,  # noqa: F811
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = write(start="self.seen = set()", action=f"if self.seen: {what}",
                   turn="self.seen.add(action.cell)")  # fmt: skip
    saved = tmp_path / "game.json"
    run(["play", "infexion", f"referee:path={folder}", "random", "--seed", "1", "--quiet",
                 "--save", str(saved)])  # fmt: skip
    assert told in " ".join(capsys.readouterr().out.split())
    run(["replay", str(saved), "--quiet"])
    assert told in " ".join(capsys.readouterr().out.split())


def test_limits_of_nothing_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["a", "b", "--cpu", "0"])
    assert "more than 0" in capsys.readouterr().err
