"""Run a program that ends together with the process that started it.

`python process_guard.py FD COMMAND…` runs a command in its own process group. When the other
end of the pipe FD is closed, which also happens when its owner dies, or when the command ends,
the whole group is killed. It runs as a script without topple, so it uses only the standard
library.
"""

import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress

NOT_FOUND = 127  # the exit status that shells use


def main(arguments: list[str]) -> int:
    """Run the command under guard; returns its exit status."""
    pipe, command = int(arguments[0]), arguments[1:]
    try:
        child = subprocess.Popen(command, process_group=0)
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr)
        return NOT_FOUND
    threading.Thread(target=_kill_at_close, args=(pipe, child.pid), daemon=True).start()
    status = child.wait()
    _kill_group(child.pid)
    return status if status >= 0 else 128 - status


def _kill_at_close(pipe: int, group: int) -> None:
    while os.read(pipe, 64):
        pass
    _kill_group(group)


def _kill_group(group: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
