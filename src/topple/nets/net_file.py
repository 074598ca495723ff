"""Networks as files: arrays in float16 and what they are for, in one `.npz` without pickles.

A file is read with suspicion: its size, the sizes that it announces, the design, every shape
and number and a digest are checked, and nothing in it is run.
"""

import hashlib
import io
import json
import re
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topple.compiling.products import LANES
from topple.core.errors import BadText
from topple.core.files import write_whole
from topple.core.text import one_line
from topple.nets.net import WIDTHS, Design, Net, make_net
from topple.nets.sight import KINDS

FORMAT = 1
ABOUT = "about"  # the member that describes the others, JSON in UTF-8
MOST_BYTES = 64 << 20  # of a file, and of all its arrays
MOST_ABOUT = 1 << 20
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
# The headers that `save_net` writes, in NumPy's format 1.0. NumPy's own reader takes far more.
HEADER = re.compile(
    rb"\x93NUMPY\x01\x00..\{'descr': '(<f2|\|u1)', 'fortran_order': False, "
    rb"'shape': \(([0-9, ]{0,80})\), \} *\n",
    re.DOTALL,
)
DAMAGE = (
    ValueError,
    KeyError,
    TypeError,
    RecursionError,
    EOFError,
    RuntimeError,  # an encrypted member
    NotImplementedError,
    zipfile.BadZipFile,
    zlib.error,
)
LIMITS = {  # of the numbers of a design
    "planes": (1, 512),
    "actions": (1, 64),
    "board_actions": (0, 64),
    "players": (2, 8),
    "channels": (LANES, 1024),
    "blocks": (1, 64),
    "policy": (LANES, 1024),
    "value": (1, 1024),
}


@dataclass(frozen=True)
class TrainedNet:
    """A network with what it is for and how it was made."""

    game: str
    design: Design
    net: Net
    made: Mapping[str, Any]  # how it was trained: plain data, for people
    name: str = ""  # the path or the shipped name that it was read under

    @property
    def digest(self) -> str:
        """16 hexadecimal digits that change with any weight, the design or the game."""
        return _digest(self.game, self.design, _halves(self.net))


def save_net(path: Path, trained: TrainedNet) -> None:
    """Write a network; the file is replaced only once it is whole."""
    halves = _halves(trained.net)
    about = {
        "format": FORMAT,
        "game": trained.game,
        "design": trained.design.as_numbers(),
        "made": dict(trained.made),
        "digest": _digest(trained.game, trained.design, halves),
    }
    text = json.dumps(about, indent=1).encode()
    packed = io.BytesIO()
    np.savez_compressed(packed, **{ABOUT: np.frombuffer(text, dtype=np.uint8)}, **halves)  # type: ignore[arg-type]
    write_whole(path, packed.getvalue())


def load_net(path: Path, name: str = "") -> TrainedNet:
    """Read a network.

    Raises
    ------
    BadText
        If the file cannot be read, is damaged, or is no network of topple's.
    """
    name = name or str(path)
    shown = one_line(name, 60)
    try:
        arrays = _read_arrays(path)
        about = json.loads(arrays.pop(ABOUT).tobytes())
        if about["format"] != FORMAT:
            found = one_line(about["format"], 20)
            raise BadText(f"it has format {found}, not {FORMAT}")
        design = _design(about["design"])
        game, made, digest = str(about["game"]), dict(about["made"]), about["digest"]
    except BadText as error:
        raise BadText(f"{shown} is no network of topple's: {error}") from None
    except OSError as error:
        raise BadText(f"cannot read the network {shown}: {error.strerror or error}") from None
    except DAMAGE:
        raise BadText(f"{shown} is no network of topple's, or it is damaged") from None
    _check_arrays(shown, design, arrays)
    if digest != _digest(game, design, arrays):
        raise BadText(f"the network {shown} is damaged: its digest does not fit its weights")
    return TrainedNet(game, design, make_net(dict(arrays)), made, name)


def _read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of a file, none of which is larger than the file may announce."""
    if path.stat().st_size > MOST_BYTES:
        raise BadText(f"it has more than {MOST_BYTES >> 20} MB")
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
        names = [member.filename for member in members]
        if sorted(names) != sorted(f"{each}.npy" for each in (ABOUT, *Net._fields)):
            raise BadText("it holds other arrays")
        if any(member.compress_type not in PACKED for member in members):
            raise BadText("its arrays are compressed in another way")
        if sum(member.file_size for member in members) > MOST_BYTES:
            raise BadText(f"its arrays have more than {MOST_BYTES >> 20} MB")
        if archive.getinfo(f"{ABOUT}.npy").file_size > MOST_ABOUT:
            raise BadText("its description is too long")
        return {
            member.filename.removesuffix(".npy"): _array(archive.read(member)) for member in members
        }


def _array(data: bytes) -> NDArray[Any]:
    """An array as `save_net` writes it; its header may not announce more than is there."""
    found = HEADER.match(data)
    if found is None:
        raise BadText("it holds arrays of another kind")
    kind = np.dtype(found[1].decode())
    shape = tuple(int(number) for number in re.findall(rb"[0-9]+", found[2]))
    rest = data[found.end() :]
    if prod(shape) * kind.itemsize != len(rest):
        raise BadText("an array is cut off")
    return np.frombuffer(rest, dtype=kind).reshape(shape)


def _design(numbers: dict[str, Any]) -> Design:
    """A design read from plain data."""
    if set(numbers) != {field.name for field in fields(Design)}:
        raise BadText("its design has other numbers")
    if numbers["kind"] not in KINDS:
        raise BadText("its design is for another kind of board")
    for name, (least, most) in LIMITS.items():
        number = numbers[name]
        if type(number) is not int or not least <= number <= most:
            raise BadText(f"its design says {name}={one_line(number, 20)}")
    if any(numbers[name] % LANES for name in WIDTHS):
        raise BadText(f"its {' and '.join(WIDTHS)} must be multiples of {LANES}")
    return Design(**numbers)


def _check_arrays(shown: str, design: Design, arrays: Mapping[str, NDArray[Any]]) -> None:
    for name, shape in design.shapes().items():
        array = arrays[name]
        if array.dtype != np.float16 or array.shape != shape:
            raise BadText(f"the network {shown} is damaged: its {name} does not fit its design")
        if not np.isfinite(array).all():
            raise BadText(f"the network {shown} is damaged: its {name} has numbers that are none")


def _halves(net: Net) -> dict[str, NDArray[np.float16]]:
    return {name: array.astype(np.float16) for name, array in net._asdict().items()}


def _digest(game: str, design: Design, arrays: Mapping[str, NDArray[Any]]) -> str:
    seen = hashlib.sha256(json.dumps([game, design.as_numbers()], sort_keys=True).encode())
    for name in Net._fields:
        seen.update(np.ascontiguousarray(arrays[name]).tobytes())
    return seen.hexdigest()[:16]
