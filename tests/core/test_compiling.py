"""Compiling: once for each machine, announced, renewed when a source changes."""

import copy
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
import pytest
from numba import types
from numpy.typing import NDArray

import topple
from topple.compiling.rng import below, make_rng
from topple.compiling.specialise import (
    Specialised,
    _full_name,
    files_of_kernels,
    kernel,
    shared,
    specialised,
)
from topple.compiling.trust import trust
from topple.game import warm_up as warming
from topple.game.game import Game
from topple.kernels.playout import playout, playouts
from topple.rules import chain_reaction, interface
from topple.rules import hex as hex_rules
from topple.rules.interface import STATUS, apply

PLAY = """
import sys, time, topple
position = topple.load("hex", board="hex:2").start().play("a1")
print(position.text)
"""


def run(program: str, cache: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program with a compile cache of its own."""
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True,
        env={**os.environ, "TOPPLE_CACHE_DIR": str(cache), **environment},
    )  # fmt: skip


def test_a_first_compile_is_announced_once_and_the_second_start_is_silent(tmp_path: Path) -> None:
    first = run(PLAY, tmp_path)
    assert first.stdout == "X./.. Red\n"
    assert first.stderr == "topple: compiling hex for this machine (once) …\n"
    assert run(PLAY, tmp_path).stderr == ""


def test_other_flags_and_other_sources_get_a_directory_of_their_own(tmp_path: Path) -> None:
    helper, rules = tmp_path / "helper.py", tmp_path / "homemade.py"
    mark = "from topple.compiling.specialise import kernel\n"
    helper.write_text(f"{mark}@kernel\ndef one():\n    return 1\n")
    rules.write_text(
        f"{mark}from helper import one\nNAME = 'home-made'\n@kernel\ndef start():\n    one()\n"
    )
    show = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from topple.compiling.specialise import specialised\n"
        "from topple.compiling.specialise import files_of_kernels\n"
        "from topple.compiling.trust import trust\n"
        "import homemade\n"
        "trust('homemade', files_of_kernels(homemade))\n"
        "print(specialised(homemade, True).machine_code(homemade.start).directory)\n"
    )
    plain = run(show, tmp_path / "cache").stdout
    assert run(show, tmp_path / "cache").stdout == plain
    assert run(show, tmp_path / "cache", TOPPLE_BOUNDS_CHECK="1").stdout != plain
    helper.write_text(f"{mark}@kernel\ndef one():\n    return 2\n")
    assert run(show, tmp_path / "cache").stdout != plain


def test_without_a_cache_everything_works_and_one_line_says_what_to_do(tmp_path: Path) -> None:
    """Nothing claims that code is compiled once; the reason is given once per run."""
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    both = f"{PLAY}topple.load('influence', board='segment:3').start().play('2')\n"
    ran = run(both, blocked / "below")
    assert ran.stdout == "X./.. Red\n"
    assert ran.stderr.splitlines() == [
        f"topple: compiled code cannot be kept in {blocked / 'below'}, so every run compiles "
        "again: set TOPPLE_CACHE_DIR to a folder that can be written",
        "topple: compiling hex …",
        "topple: compiling influence …",
    ]


def test_commands_say_so_too_without_a_cache(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    program = "from topple.game.warm_up import prepare\nimport topple\n"
    program += "for _ in range(2):\n    prepare(topple.load('hex', 'hex:2'))\n"
    ran = run(program, blocked)
    lines = ran.stderr.splitlines()
    assert [line for line in lines if "cannot be kept" in line] == lines[:1]
    assert lines.count("topple: compiling hex …") == 1  # other lines show the progress
    assert "(once)" not in ran.stderr


def test_warming_compiles_every_kernel() -> None:
    game = topple.load("hex", "hex:3")
    kernels = warming.RULES + warming.SEARCH
    warming.warm(game, kernels)
    assert game.kernels.called.issuperset(kernels)
    assert warming.cold_kernels(game, kernels) == []


@pytest.mark.parametrize("name", ["spread-it", "chain-reaction", "infexion", "hex", "influence"])
def test_each_kernel_is_compiled_for_one_signature(name: str) -> None:
    """Mixtures of number types would multiply the time that compiling takes."""
    game = topple.load(name)
    warming.warm(game, warming.RULES + warming.SEARCH)
    for dispatcher in compiled_for(game):
        assert len(dispatcher.signatures) <= 1, dispatcher


def compiled_for(game: Game) -> Iterator[Any]:
    """The kernels of a game and their helpers, but for those that other games call too."""
    yield from game.kernels._bound.values()
    yield from game.kernels._helpers.values()


def test_helpers_that_need_no_rule_are_shared_by_all_games() -> None:
    several = [topple.load(name).kernels for name in ("hex", "infexion")]
    assert len({own.helper(below) for own in several}) == 1
    assert len({own.helper(playout) for own in several}) == 2
    assert len({own(below) for own in several}) == 2  # with a wrapper to be called from Python


def test_helpers_that_games_share_are_compiled_for_one_mixture_of_numbers() -> None:
    """Arrays may differ between games; whole numbers, fractions and truth values may not."""
    for dispatcher in shared(True)._helpers.values():
        arrays = {
            tuple(kind for kind in signature if not isinstance(kind, types.Number | types.Boolean))
            for signature in dispatcher.signatures
        }
        assert len(arrays) == len(dispatcher.signatures), dispatcher


def test_a_helper_asks_for_no_machine_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOPPLE_CACHE_DIR", str(tmp_path))  # so that it is compiled here
    helpers = Specialised(None, True)
    monkeypatch.setattr("topple.compiling.specialise.shared", lambda compiled: helpers)
    own = Specialised(hex_rules, True)
    assert own(calls_factorial)(5) == 120
    helper = helpers.helper(factorial)
    assert helper.signatures
    (result,) = helper.overloads.values()
    assert result.library.get_pointer_to_function(result.fndesc.llvm_func_name) == 0


@kernel
def calls_factorial(n: int) -> int:
    """n! by a helper."""
    return factorial(n)


def test_kernels_that_call_themselves_are_bound() -> None:
    for compiled in (True, False):
        double = specialised(hex_rules, compiled)(factorial)
        assert double(5) == 120


@kernel
def factorial(n: int) -> int:
    """n! by calling itself."""
    if n == 0:
        return 1
    return n * factorial(n - 1)


def test_plain_and_compiled_random_streams_are_equal() -> None:
    totals = []
    for compiled in (True, False):
        game = topple.load("chain-reaction", "grid:3x3", compiled=compiled)
        rng, total = make_rng(5), np.zeros(2)
        game.run(
            playouts,
            game.scratch_state(game.start().state),
            game.scratch_state(),
            game.sizes.state,
            rng,
            game.scratch_moves(),
            np.zeros(2),
            total,
            20,
        )
        totals.append((int(rng[0]), total.tolist()))
    assert totals[0] == totals[1]


def test_bytes_and_numbers_are_stored_under_a_condition_as_in_plain_python() -> None:
    """LLVM miscompiles such a loop with AVX-512, which kernels are therefore compiled without."""
    kept = (np.arange(200) * 7 % 5 < 2).astype(np.int8)
    stored = []
    for compiled in (True, False):
        numbers, marks = np.ones(200, dtype=np.int32), np.ones(200, dtype=np.int8)
        specialised(hex_rules, compiled)(clear_others)(numbers, marks, kept)
        stored.append((numbers.tolist(), marks.tolist()))
    assert stored[0] == stored[1] == (kept.tolist(), kept.tolist())


@kernel
def clear_others(
    numbers: NDArray[np.int32], marks: NDArray[np.int8], kept: NDArray[np.int8]
) -> None:
    """Set to 0 what is not kept."""
    for i in range(len(numbers)):
        if not kept[i]:
            numbers[i] = 0
            marks[i] = 0


def test_old_machine_code_is_dropped(tmp_path: Path) -> None:
    """64 directories of a game are kept; other files and other games are left alone."""
    for i in range(70):
        (tmp_path / f"hex-{i:012x}").mkdir()
        os.utime(tmp_path / f"hex-{i:012x}", (i, i))
    (tmp_path / "hex-notes").mkdir()
    (tmp_path / "infexion-000000000000").mkdir()
    run(PLAY, tmp_path)
    kept = {path.name for path in tmp_path.iterdir()}
    assert {"hex-notes", "infexion-000000000000"} < kept
    assert len({name for name in kept if name.startswith("hex-")}) == 1 + 64
    assert f"hex-{69:012x}" in kept


def test_bounds_can_be_checked(tmp_path: Path) -> None:
    program = (
        "import numpy, topple\n"
        "from topple.rules.interface import begin\n"
        "game = topple.load('hex', board='hex:3')\n"
        "game.run(begin, numpy.zeros(5, dtype=numpy.int32), 0)\n"
    )
    with pytest.raises(subprocess.CalledProcessError) as caught:
        run(program, tmp_path, TOPPLE_BOUNDS_CHECK="1")
    assert "IndexError" in caught.value.stderr


def test_indices_of_a_game_from_outside_are_checked_until_it_has_passed(
    node_kayles: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOPPLE_CACHE_DIR", str(tmp_path))
    assert not Specialised(hex_rules, True).checks_bounds
    assert Specialised(node_kayles, True).checks_bounds
    trust("node_kayles", files_of_kernels(node_kayles))
    assert not Specialised(node_kayles, True).checks_bounds


def test_rules_from_no_file_work_without_a_cache(tmp_path: Path) -> None:
    """A notebook's game is compiled anew in each process: nothing tells its old code from new."""
    example = Path(__file__).parents[2] / "docs" / "examples" / "node_kayles.py"
    program = (
        "import sys, types\n"
        "module = types.ModuleType('homemade')\n"
        "sys.modules['homemade'] = module\n"
        f"source = {example.read_text('utf-8')!r}.replace('sys.modules[__name__]', 'module')\n"
        "module.module = module\n"
        "exec(source, module.__dict__)\n"
        "import topple\n"
        "print(topple.load('node-kayles', board='path:3').start().play('1').text)\n"
    )
    assert run(program, tmp_path).stdout == "1.0.1.1.0\n"
    assert not list(tmp_path.glob("homemade-*"))


def test_copies_of_a_position_need_no_other_kernels() -> None:
    """Unpickled arrays are as read-only as before: to Numba, the same type."""
    position = topple.load("spread-it", "ba:n=9,m=2,seed=1").start()
    for copied in (pickle.loads(pickle.dumps(position)), copy.deepcopy(position)):
        assert copied.play(0) == position.play(0)
        assert not copied.game.board.successors.flags.writeable
    for dispatcher in compiled_for(position.game):
        assert len(dispatcher.signatures) <= 1, dispatcher


def test_a_game_from_outside_unpickles_in_a_new_process(tmp_path: Path) -> None:
    examples = Path(__file__).parents[2] / "docs" / "examples"
    write = (
        f"import sys; sys.path.insert(0, {str(examples)!r})\n"
        "import node_kayles, pickle, topple\n"
        "print(pickle.dumps(topple.load('node-kayles', compiled=False).start()).hex())\n"
    )
    pickled = run(write, tmp_path).stdout.strip()
    read = (
        f"import sys; sys.path.insert(0, {str(examples)!r})\n"
        f"import pickle; print(pickle.loads(bytes.fromhex({pickled!r})).player)\n"
    )
    assert run(read, tmp_path).stdout == "0\n"


def test_threads_see_only_finished_kernels() -> None:
    for _ in range(30):
        own = Specialised(chain_reaction, compiled=False)
        game = topple.load("chain-reaction", "grid:2x2", compiled=False)
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(own, [apply] * 8))
        assert len(set(found)) == 1
        state = game.scratch_state()
        found[0](game.tables, state, 0)
        assert state[STATUS] == 0


def test_a_kernel_called_through_its_module_is_refused() -> None:
    with pytest.raises(TypeError, match="import legal_moves by its name"):
        specialised(hex_rules, False)(counts_moves)


@kernel
def counts_moves(board: object, state: object, moves: object) -> int:
    """The number of legal moves, asked for in a way that cannot be bound."""
    return interface.legal_moves(board, state, moves)


def test_kernels_of_one_name_are_told_apart() -> None:
    own = specialised(hex_rules, True)
    own.first_call(apply)
    namesake = FunctionType(factorial.__code__, factorial.__globals__, "apply")
    namesake.__module__ = "elsewhere"
    assert _full_name(namesake) != _full_name(apply)
    assert not own.is_warm(namesake)


def test_a_home_that_cannot_be_written_costs_nothing_else(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")  # even root cannot make a folder below a file
    bare = {"PATH": os.environ["PATH"], "HOME": str(blocked / "home")}
    done = subprocess.run(
        [sys.executable, "-c", PLAY], capture_output=True, text=True, check=True, env=bare
    )
    assert done.stdout == "X./.. Red\n"


def test_streams_differ() -> None:
    """Neither seed nor path can take the other's place."""
    few = range(40)
    words = {int(make_rng(seed, a, b)[0]) for seed in few for a in few for b in few}
    words |= {int(make_rng(seed, a)[0]) for seed in few for a in few}
    words |= {int(make_rng(seed)[0]) for seed in few}
    assert len(words) == 40**3 + 40**2 + 40


def test_a_damaged_cache_is_dropped_and_made_again(tmp_path: Path) -> None:
    run(PLAY, tmp_path)
    machine_code = list(tmp_path.rglob("*.nb[ci]"))
    assert machine_code
    for path in machine_code:
        path.write_bytes(path.read_bytes()[:100])
    assert run(PLAY, tmp_path).stdout == "X./.. Red\n"
    again = run(PLAY, tmp_path)
    assert (again.stdout, again.stderr) == ("X./.. Red\n", "")


def test_numba_may_be_told_not_to_compile(tmp_path: Path) -> None:
    assert run(PLAY, tmp_path, NUMBA_DISABLE_JIT="1").stdout == "X./.. Red\n"
