"""A leash: a program that ends with the one that started it, however that one ends.

`python leash.py FD COMMAND…` runs a command in a process group of its own. When the
other end of the pipe FD is closed, by hand or because its owner is gone, or when the
command ends, the whole group is ended. Nothing but the standard library is used: this
runs as a script, without topple.
"""

import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress

NOT_FOUND = 127  # as shells say it


def main(arguments: list[str]) -> int:
    """Run the command on a leash; returns its exit status."""
    pipe, command = int(arguments[0]), arguments[1:]
    try:
        child = subprocess.Popen(command, process_group=0)
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr)
        return NOT_FOUND
    threading.Thread(target=_wait_for_release, args=(pipe, child.pid), daemon=True).start()
    status = child.wait()
    _end_group(child.pid)
    return status if status >= 0 else 128 - status


def _wait_for_release(pipe: int, group: int) -> None:
    while os.read(pipe, 64):
        pass
    _end_group(group)


def _end_group(group: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
