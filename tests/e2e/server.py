"""A real `topple lab` in a process of its own, with an empty folder."""

import signal
import subprocess
import sys
from pathlib import Path

PATIENCE = 30  # seconds that a lab has to end


def warm_up() -> None:
    """Compile what is not compiled yet: no agent of the lab is to wait for that behind a page."""
    command = [sys.executable, "-m", "topple", "warmup"]
    subprocess.run(command, check=True, capture_output=True)


class LabServer:
    """A lab that can be stopped and started again on the same port, as a person might."""

    def __init__(self, folder: Path, module: str = "topple") -> None:
        self.folder = folder
        self.module = module
        self.errors = folder.with_name(f"{folder.name}-errors.txt")
        self.address = ""
        self._process: subprocess.Popen[str] | None = None

    def start(self, *stores: Path) -> None:
        """Start it and wait until it serves; again on the port that it had."""
        port = self.address.rstrip("/").rpartition(":")[2] or "0"
        command = [sys.executable, "-m", self.module, "lab", "--no-browser", "--port", port]
        command += ["--folder", str(self.folder)]
        command += [part for store in stores for part in ("--db", str(store))]
        with self.errors.open("a") as errors:
            self._process = subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line.startswith("topple lab: http://127.0.0.1:"):
            self._process.kill()
            raise AssertionError(f"no lab is served: {line}{self.errors.read_text()}")
        self.address = line.partition(": ")[2].strip()

    def kill(self) -> None:
        """End it as a power cut does, without a last word."""
        process = self._process
        assert process is not None
        self._process = None
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()

    def stop(self) -> None:
        """End it as Ctrl-C does; it must say goodbye in peace and have complained of nothing."""
        process = self._process
        if process is None:
            return
        self._process = None
        process.send_signal(signal.SIGINT)
        try:
            status = process.wait(PATIENCE)
        finally:
            process.kill()
            process.wait()
            if process.stdout is not None:
                process.stdout.close()
        told = [line for line in self.errors.read_text().splitlines() if "compiling" not in line]
        assert (status, told) == (0, []), f"the lab ended with {status}: {told}"
