"""Files that are written completely or not at all."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from topple.core.errors import ToppleError
from topple.core.text import one_line


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that no reader ever sees half of it.

    Raises
    ------
    ToppleError
        If the file cannot be written.
    """
    with writing_whole(path) as stream:
        stream.write(content)


@contextmanager
def writing_whole(path: Path) -> Iterator[BinaryIO]:
    """Write a file through a stream; it appears under its name when the block ends.

    Raises
    ------
    ToppleError
        If the file cannot be written.
    """
    try:
        if "\0" in str(path):
            raise ValueError("its name contains a NUL character")
        if path.exists() and not path.is_file():
            raise ValueError("it exists and is not an ordinary file")
        target = path.resolve()  # a link stays a link
        partial = target.with_name(f".{secrets.token_hex(8)}.part")
        stream = partial.open("wb")
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise _unwritable(path, error) from None
    try:
        with stream:
            yield stream
        partial.replace(target)
    except OSError as error:
        raise _unwritable(path, error) from None
    finally:
        partial.unlink(missing_ok=True)


def _unwritable(path: Path, error: Exception) -> ToppleError:
    reason = getattr(error, "strerror", None) or one_line(error)
    return ToppleError(f"{path} cannot be written: {reason}")
