"""Files of networks: read back equal, and refused in one line if anything is wrong."""

import json
import os
import pickle
import struct
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import topple
from tests.nets.small_nets import save_small, small_net
from topple.game.game import Game
from topple.nets import shelf
from topple.nets.net import Net, make_net
from topple.nets.net_file import LIMITS, MOST_BYTES, TrainedNet, load_net, save_net
from topple.nets.shelf import net_for


def hex_game() -> Game:
    return topple.load("hex", "hex:3", compiled=False)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The file of a small network for Hex."""
    path = tmp_path / "net.npz"
    save_small(path, hex_game())
    return path


def refusal(path: Path) -> str:
    """The line with which a file is refused."""
    with pytest.raises(topple.BadText) as refused:
        load_net(path)
    line = str(refused.value)
    assert "\n" not in line
    assert len(line) < 300
    assert line.count("network") >= 1
    return line


def arrays_of(path: Path) -> dict[str, NDArray[Any]]:
    with np.load(path) as stored:
        return dict(stored)


def write_arrays(path: Path, arrays: dict[str, NDArray[Any]]) -> None:
    np.savez_compressed(path, **arrays)  # type: ignore[arg-type]


def rewrite_about(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the description in a file."""
    arrays = arrays_of(path)
    about = json.loads(arrays["about"].tobytes())
    change(about)
    arrays["about"] = np.frombuffer(json.dumps(about).encode(), dtype=np.uint8)
    write_arrays(path, arrays)


def rewrite_members(path: Path, change: Callable[[str, bytes], bytes], **kinds: int) -> None:
    """Write a file's members anew, each as `change` returns it."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", kinds.get("compression", zipfile.ZIP_DEFLATED)) as archive:
        for name, content in members.items():
            archive.writestr(name, change(name, content))


def test_a_network_is_read_back_as_it_was_in_half_precision(tmp_path: Path) -> None:
    for spec, board in (("hex", "hex:3"), ("chain-reaction:players=3", "grid:2x2"),
                        ("influence", "segment:5"), ("infexion", "infexion:3")):  # fmt: skip
        trained = small_net(topple.load(spec, board, compiled=False), 3, blocks=2)
        save_net(tmp_path / "net.npz", trained)
        read = load_net(tmp_path / "net.npz")
        assert (read.game, read.design, read.made) == (trained.game, trained.design, trained.made)
        assert read.name == str(tmp_path / "net.npz")
        assert read.digest == trained.digest
        for name in Net._fields:
            own, stored = getattr(trained.net, name), getattr(read.net, name)
            assert stored.dtype == np.float32
            assert (stored == own.astype(np.float16).astype(np.float32)).all()
        # What has been read is written again to the last bit.
        save_net(tmp_path / "again.npz", read)
        again = load_net(tmp_path / "again.npz")
        assert all((a == b).all() for a, b in zip(read.net, again.net, strict=True))


def test_weights_cannot_be_changed(path: Path) -> None:
    for array in load_net(path).net:
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_the_digest_changes_with_every_weight_the_design_and_the_game() -> None:
    trained = small_net(hex_game(), channels=16)
    digests = {trained.digest}
    for name in Net._fields:
        array = getattr(trained.net, name)
        for place in range(0, array.size, max(1, array.size // 40)):
            changed = array.copy()
            changed.flat[place] += 0.5
            weights = {**trained.net._asdict(), name: changed}
            digests.add(replace(trained, net=make_net(weights)).digest)
    n_changed = sum(len(range(0, a.size, max(1, a.size // 40))) for a in trained.net)
    digests |= {replace(trained, game="infexion").digest}
    digests |= {replace(trained, design=replace(trained.design, players=3)).digest}
    assert len(digests) == 1 + n_changed + 2
    assert replace(trained, made={}, name="other").digest in digests
    assert all(len(digest) == 16 for digest in digests)


def test_a_file_that_is_cut_off_is_refused(path: Path) -> None:
    whole = path.read_bytes()
    for length in (0, 1, 4, 100, len(whole) // 2, len(whole) - 30, len(whole) - 1):
        path.write_bytes(whole[:length])
        assert "no network of topple's, or it is damaged" in refusal(path)


@pytest.mark.parametrize("content", [b"hello", b"PK\x03\x04" + bytes(100), pickle.dumps([1]) * 9])
def test_what_is_no_archive_is_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    assert "no network of topple's, or it is damaged" in refusal(path)


def test_an_archive_of_other_arrays_is_refused(path: Path) -> None:
    arrays = arrays_of(path)
    for wrong in ({}, {"stem": arrays["stem"]}, {**arrays, "more": arrays["stem"]},
                  {name: array for name, array in arrays.items() if name != "move"}):  # fmt: skip
        write_arrays(path, wrong)
        assert "it holds other arrays" in refusal(path)


def test_a_name_that_occurs_twice_is_refused(path: Path) -> None:
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(path, "a") as archive:
        archive.writestr("stem.npy", archive.read("stem.npy"))
    assert "it holds other arrays" in refusal(path)


def test_other_shapes_and_kinds_of_numbers_are_refused(path: Path) -> None:
    arrays = arrays_of(path)
    for name in Net._fields:
        array = arrays[name]
        for shape in (array[..., None], array[None], array.ravel()[:-1], array.view(np.uint8)):
            write_arrays(path, {**arrays, name: shape})
            assert f"its {name} does not fit its design" in refusal(path)
        for kind in (np.float32, np.int16, ">f2", "S2", bool):
            write_arrays(path, {**arrays, name: array.astype(kind)})
            assert "it holds arrays of another kind" in refusal(path)


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_none_are_refused(path: Path, number: float) -> None:
    arrays = arrays_of(path)
    for name in Net._fields:
        wrong = arrays[name].copy()
        wrong.flat[-1] = number
        write_arrays(path, {**arrays, name: wrong})
        assert f"its {name} has numbers that are none" in refusal(path)


def test_weights_that_do_not_fit_the_digest_are_refused(path: Path) -> None:
    arrays = arrays_of(path)
    wrong = arrays["result"].copy()
    wrong.flat[0] += 1
    write_arrays(path, {**arrays, "result": wrong})
    assert "its digest does not fit its weights" in refusal(path)
    rewrite_about(path, lambda about: about.update(game="infexion"))
    assert "its digest does not fit its weights" in refusal(path)


WRONG_NUMBERS: list[Any] = [-1, 0.5, "8", None, True, [8], {}, 10**30, float("nan"), "x" * 10_000]


@pytest.mark.parametrize("name", LIMITS)
def test_a_design_out_of_range_is_refused(path: Path, name: str) -> None:
    whole = path.read_bytes()
    for number in (*WRONG_NUMBERS, LIMITS[name][0] - 1, LIMITS[name][1] + 1):
        path.write_bytes(whole)
        rewrite_about(path, lambda about, number=number: about["design"].update({name: number}))
        assert f"its design says {name}=" in refusal(path)


@pytest.mark.parametrize("wrong", [
    lambda about: about.clear(),
    lambda about: about.pop("design"),
    lambda about: about.pop("digest"),
    lambda about: about.update(format=2),
    lambda about: about.update(format="x" * 10_000),
    lambda about: about.update(made=7),
    lambda about: about.update(design=[1, 2]),
    lambda about: about["design"].pop("kind"),
    lambda about: about["design"].update(more=1),
    lambda about: about["design"].update(kind="klein bottle"),
    lambda about: about["design"].update(kind=["hexes"]),
    lambda about: about["design"].update(planes=9),
    lambda about: about["design"].update(channels=10),
    lambda about: about["design"].update(blocks=2),
    lambda about: about["design"].update(channels=1024, blocks=64),
    lambda about: about.update(digest=None),
    lambda about: about.update(game=None),
    lambda about: about.update(game="x" * 10_000),
])  # fmt: skip
def test_a_wrong_description_is_refused(path: Path, wrong: Callable[[Any], None]) -> None:
    rewrite_about(path, wrong)
    refusal(path)


@pytest.mark.parametrize("text", [b"", b"[]", b"7", b"{", b"\xff\xfe", b"[" * 100_000, b"null",
                                  b'{"format": NaN}', b'"' + b"x" * 9999 + b'"'])  # fmt: skip
def test_a_description_that_cannot_be_read_is_refused(path: Path, text: bytes) -> None:
    arrays = {**arrays_of(path), "about": np.frombuffer(text, dtype=np.uint8)}
    write_arrays(path, arrays)
    refusal(path)


def test_a_description_that_is_too_long_is_refused(path: Path) -> None:
    rewrite_about(path, lambda about: about.update(made={"note": "x" * (2 << 20)}))
    assert "its description is too long" in refusal(path)


class Evil:
    """What must never be unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, ("unpickled",)


def test_objects_are_never_unpickled(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    arrays = arrays_of(path)
    for name in ("stem", "about"):
        evil = np.array([Evil()], dtype=object)
        np.savez(path, allow_pickle=True, **{**arrays, name: evil})  # type: ignore[arg-type]
        assert "it holds arrays of another kind" in refusal(path)
    rewrite_members(path, lambda name, content: pickle.dumps(Evil()))
    refusal(path)
    assert not (tmp_path / "unpickled").exists()


def header(shape: str, kind: str = "<f2", fortran: str = "False", version: int = 1) -> bytes:
    """The beginning of an array in NumPy's format."""
    text = f"{{'descr': {kind!r}, 'fortran_order': {fortran}, 'shape': {shape}, }}".encode()
    text += b" " * (63 - (10 + len(text)) % 64) + b"\n"
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H", len(text)) + text


@pytest.mark.parametrize(
    "content",
    [
        header("(1000000000000,)") + bytes(64),
        header("(1000000, 1000000, 1000000, 1000000)") + bytes(64),
        header("(-1,)"),
        header("(-2, -3)") + bytes(12),
        header("(2,)", kind="|O") + bytes(16),
        header("(1,)", kind="<f2", fortran="True") + bytes(2),
        header("(0,)", version=2),
        header("(0,)", version=9),
        header("__import__('os').mkdir('unpickled')"),
        header("(" * 300 + ")" * 300),
        header("('a',)"),
        header("(True,)") + bytes(2),
        header("(2,)", kind="nonsense") + bytes(4),
        header("(0,)", kind="|V0"),
        b"\x93NUMPY",
        b"\x93NUMPY\x01\x00\xff\xff{",
        b"",
    ],
    ids=range(17),
)
def test_an_array_that_is_not_what_it_says_is_refused(path: Path, content: bytes) -> None:
    whole = path.read_bytes()
    for changed in ("stem", "about"):
        path.write_bytes(whole)
        rewrite_members(
            path,
            lambda name, old, changed=changed: content if name == f"{changed}.npy" else old,
        )
        refusal(path)


def patched(content: bytes, name: bytes, offsets: tuple[int, int], value: bytes) -> bytes:
    """An archive whose member has other numbers in its local and its central header."""
    at = content.index(b"PK\x03\x04" + content[4:30][:0])
    while content[at + 30 : at + 30 + len(name)] != name:
        at = content.index(b"PK\x03\x04", at + 4)
    central = content.index(b"PK\x01\x02")
    while content[central + 46 : central + 46 + len(name)] != name:
        central = content.index(b"PK\x01\x02", central + 4)
    changed = bytearray(content)
    for start, offset in ((at, offsets[0]), (central, offsets[1])):
        changed[start + offset : start + offset + len(value)] = value
    return bytes(changed)


def test_a_member_that_claims_to_be_huge_is_refused_before_it_is_read(path: Path) -> None:
    rewrite_members(path, lambda name, content: content)
    size = struct.pack("<I", MOST_BYTES + 1)
    path.write_bytes(patched(path.read_bytes(), b"stem.npy", (22, 24), size))
    assert "its arrays have more than 64 MB" in refusal(path)


def test_a_member_that_is_larger_than_it_claims_is_refused(path: Path) -> None:
    """A bomb: zeros without end behind a small announced size."""
    rewrite_members(path, lambda name, old: bytes(70 << 20) if name == "stem.npy" else old)
    assert path.stat().st_size < MOST_BYTES
    path.write_bytes(patched(path.read_bytes(), b"stem.npy", (22, 24), struct.pack("<I", 200)))
    refusal(path)


def test_encrypted_and_odd_members_are_refused(path: Path) -> None:
    rewrite_members(path, lambda name, content: content)
    whole = path.read_bytes()
    for offsets, value in (((6, 8), b"\x01\x00"), ((8, 10), b"\x63\x00"), ((8, 10), b"\x08\x63"),
                           ((6, 8), b"\x20\x00"), ((6, 8), b"\x40\x00")):  # fmt: skip
        path.write_bytes(patched(whole, b"stem.npy", offsets, value))
        refusal(path)


@pytest.mark.parametrize("compression", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_another_compression_is_refused(path: Path, compression: int) -> None:
    rewrite_members(path, lambda name, content: content, compression=compression)
    assert "compressed in another way" in refusal(path)


def test_a_file_that_is_too_large_is_refused_unread(path: Path) -> None:
    with path.open("wb") as stream:
        stream.truncate(MOST_BYTES + 1)
    assert "it has more than 64 MB" in refusal(path)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    assert "cannot read the network" in refusal(tmp_path)
    assert "cannot read the network" in refusal(tmp_path / "missing.npz")
    game = hex_game()
    for name in (str(tmp_path), str(tmp_path / "missing.npz"), "nul\0name", "x" * 10_000, "",
                 "two\nlines.npz"):  # fmt: skip
        with pytest.raises(topple.BadText) as refused:
            net_for(game, name)
        assert "\n" not in str(refused.value)
        assert len(str(refused.value)) < 300


def test_a_file_that_may_not_be_read_is_refused(path: Path) -> None:
    path.chmod(0)
    if os.geteuid() != 0:  # who may read everything reads this too
        assert "cannot read the network" in refusal(path)


def check_refused_or_equal(path: Path, expected: TrainedNet) -> None:
    """The file is refused in one line, or is the network that it was."""
    try:
        read = load_net(path)
    except topple.BadText:
        refusal(path)
    else:
        assert read.digest == expected.digest
        assert all((a == b).all() for a, b in zip(read.net, expected.net, strict=True))


@settings(
    deadline=None,
    max_examples=300,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_flipped_bytes_are_refused_or_harmless(data: st.DataObject, tmp_path: Path) -> None:
    path = tmp_path / "net.npz"
    if not (tmp_path / "whole.npz").exists():
        save_small(tmp_path / "whole.npz", hex_game())
    whole = (tmp_path / "whole.npz").read_bytes()
    changed = bytearray(whole)
    # Half of the damage hits the directory at the end, where it does most.
    directory = whole.index(b"PK\x01\x02")
    for _ in range(data.draw(st.integers(1, 4))):
        first = data.draw(st.sampled_from((0, directory)))
        changed[data.draw(st.integers(first, len(whole) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(changed)
    check_refused_or_equal(path, load_net(tmp_path / "whole.npz"))


@settings(
    deadline=None,
    max_examples=100,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_flipped_bytes_inside_the_arrays_are_refused_or_harmless(
    data: st.DataObject, tmp_path: Path
) -> None:
    """The same with whole checksums, so that the damage reaches the arrays."""
    path = tmp_path / "net.npz"
    save_small(path, hex_game(), channels=16)
    expected = load_net(path)
    hit = data.draw(st.sampled_from(("about", *Net._fields)))

    def damage(name: str, content: bytes) -> bytes:
        if name != f"{hit}.npy":
            return content
        changed = bytearray(content)
        place = data.draw(st.integers(0, min(len(content), 300) - 1))
        changed[place] = data.draw(st.integers(0, 255))
        return bytes(changed)

    rewrite_members(path, damage)
    check_refused_or_equal(path, expected)


# What fits which game.


def test_the_network_of_another_game_is_refused(path: Path) -> None:
    game = topple.load("infexion", "infexion:3", compiled=False)
    with pytest.raises(topple.BadText, match="is for hex, not infexion"):
        net_for(game, str(path))
    with pytest.raises(topple.BadText, match="is for hex, not infexion"):
        topple.agent("puct", net=str(path)).choose(game.start())


def test_a_network_for_other_boards_or_players_is_refused(tmp_path: Path) -> None:
    def net_of(spec: str, board: str) -> str:
        game = topple.load(spec, board, compiled=False)
        return save_small(tmp_path / "net.npz", game)

    three = topple.load("chain-reaction:players=3", "grid:3x3", compiled=False)
    with pytest.raises(topple.BadText, match="for 2 players on boards of kind grid: it cannot see"):
        net_for(three, net_of("chain-reaction", "grid:3x3"))
    with pytest.raises(topple.BadText, match="for 2 players on boards of kind network"):
        net_for(topple.load("chain-reaction", "grid:3x3", compiled=False),
                net_of("chain-reaction", "cycle:5"))  # fmt: skip
    assert net_for(three, net_of("chain-reaction:players=3", "grid:2x2")).design.players == 3


def test_nothing_shipped_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(shelf, "SHIPPED", tmp_path)
    with pytest.raises(
        topple.Unsupported, match="no network is shipped for hex on hex:3: train one"
    ):
        net_for(hex_game())


def test_a_shipped_network_for_other_boards_is_as_good_as_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(shelf, "SHIPPED", tmp_path)
    save_small(tmp_path / "chain-reaction.npz", topple.load("chain-reaction", compiled=False))
    ring = topple.load("chain-reaction", "cycle:5", compiled=False)
    with pytest.raises(topple.Unsupported, match="no network is shipped for chain-reaction on cyc"):
        net_for(ring)


def test_a_shipped_network_is_found_by_its_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(shelf, "SHIPPED", tmp_path)
    game = hex_game()
    save_small(tmp_path / "hex.npz", game, 1)
    save_small(tmp_path / "other.npz", game, 2)
    assert shelf.shipped_nets() == ("hex", "other")
    assert net_for(game).digest == net_for(game, "hex").digest == small_net(game, 1).digest
    assert net_for(game, "other").digest == small_net(game, 2).digest
    assert net_for(game, "other").name == "other"
    assert shelf.is_shipped("other")
    assert not shelf.is_shipped(str(tmp_path / "other.npz"))
    with pytest.raises(topple.BadText, match="no network elsewhere: shipped are hex, other"):
        net_for(game, "elsewhere")


def test_a_file_that_has_changed_is_read_again(path: Path) -> None:
    game = hex_game()
    first = net_for(game, str(path))
    assert net_for(game, str(path)) is first
    save_small(path, game, 2)
    os.utime(path, ns=(1, 1))
    assert net_for(game, str(path)).digest == small_net(game, 2).digest != first.digest


def test_a_network_that_cannot_be_written_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(topple.ToppleError, match="cannot be written"):
        save_net(tmp_path / "no" / "net.npz", small_net(hex_game()))
    assert list(tmp_path.iterdir()) == []
