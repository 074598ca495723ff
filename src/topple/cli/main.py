"""The entry point of the `topple` command: the one place that ends it.

Every mistake of a user ends here as one line on stderr and exit status 2, and so does one in a
game or an agent from outside; `--debug`, before the command, shows the traceback as well. Only
light modules are imported at the top, so that Ctrl-C is handled from the start.
"""

import os
import sys
from collections.abc import Sequence

from topple.cli.importing import import_first
from topple.core.errors import ToppleError
from topple.core.streams import plain_line, ready_streams

BAD_INPUT = 2
INTERRUPTED = 130  # 128 + SIGINT, as shells count
CLOSED_PIPE = 141  # 128 + SIGPIPE


def main() -> None:
    """Run the command line that the process was started with, and end the process."""
    status = run(sys.argv[1:])
    if status in (INTERRUPTED, CLOSED_PIPE):
        # A kernel may still be running in a thread, and the pipe cannot be flushed:
        # end without the interpreter's clean-up.
        os._exit(status)
    sys.exit(status)


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit status."""
    is_debugged = bool(arguments) and arguments[0] == "--debug"
    try:
        return _answer(arguments[1:] if is_debugged else arguments)
    except Exception as error:
        # These two are needed only where something has failed.
        import traceback

        from topple.core.outside import blame

        line = str(error) if isinstance(error, ToppleError) else blame(error)
        if line is None:  # topple's own mistake, which a traceback tells best
            raise
        if is_debugged:
            traceback.print_exception(error)
        return _complain(line)


def _answer(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit status, whatever ends it but an error."""
    try:
        status = _run(arguments)
        sys.stdout.flush()
        return status
    except KeyboardInterrupt as stop:
        return _interrupted(str(stop) or "interrupted")
    except BrokenPipeError:
        return CLOSED_PIPE
    except OSError as error:
        return _complain(_file_trouble(error))


def _run(arguments: Sequence[str]) -> int:
    # Ctrl-C while these load ends like any other.
    import typer

    from topple.cli.app import app

    ready_streams()
    if arguments and arguments[0].startswith("--import"):
        arguments = import_first(arguments)
    command = typer.main.get_command(app)
    # Typer carries its own Click; this base of its errors is found with either.
    usage_error = typer.BadParameter.__mro__[1]
    try:
        with command.make_context("topple", list(arguments)) as context:
            command.invoke(context)
    except typer.Exit as leave:
        return leave.exit_code
    except Exception as error:
        if isinstance(error, usage_error):
            return _complain(_usage_trouble(error))
        raise
    return 0


def _complain(message: str) -> int:
    """Say on one line what was wrong with the input."""
    sys.stdout.flush()
    print(f"topple: {plain_line(message)}", file=sys.stderr)
    return BAD_INPUT


def _interrupted(message: str) -> int:
    """Leave after Ctrl-C, with a word on a line of its own."""
    try:
        sys.stdout.flush()
        start = "\n" if sys.stderr.isatty() else ""  # the terminal has just shown ^C
        print(f"{start}topple: {plain_line(message)}", file=sys.stderr, flush=True)
    except BrokenPipeError:
        pass
    return INTERRUPTED


def _usage_trouble(error: object) -> str:
    """Put a usage error in one line, with the way to help."""
    message = str(error.format_message()).strip().rstrip(".")  # type: ignore[attr-defined]
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "topple"
    return f"{message[:1].lower()}{message[1:]} (see {command} --help)"


def _file_trouble(error: OSError) -> str:
    """Say which file the system would not read or write, and why."""
    reason = error.strerror or type(error).__name__
    return f"{error.filename}: {reason}" if error.filename is not None else f"output: {reason}"


if __name__ == "__main__":
    main()
