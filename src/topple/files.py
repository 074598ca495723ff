"""Files that are there completely or not at all."""

import secrets
from pathlib import Path

from topple.errors import ToppleError


def write_whole(path: Path, content: bytes) -> None:
    """Write a file in one step: nobody ever sees half of it.

    Raises
    ------
    ToppleError
        If the file cannot be written.
    """
    partial = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        try:
            partial.write_bytes(content)
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)
    except (OSError, ValueError) as error:  # ValueError: a path that no file can have
        reason = getattr(error, "strerror", None) or " ".join(str(error).split())
        raise ToppleError(f"{path} cannot be written: {reason}") from None
