"""Connections to Ray: to a running cluster, or to one that is started on this machine."""

import logging
import os
import signal
import socket
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from topple.core.errors import BadText, Unsupported
from topple.core.extras import missing_extra
from topple.core.processes import without_stderr

PATIENCE = 5.0  # seconds that an address has to answer
MEMORY = 100 * 2**20  # bytes of shared memory for a Ray that is started here

# Every HTTP/2 connection, and so each of Ray's, begins with this; a server answers with a frame.
GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
KIND, SETTINGS = 3, 4  # the place of a frame's kind, and the kind of the first frame


def load_ray() -> Any:
    """The module `ray`.

    Raises
    ------
    Unsupported
        If it is not installed.
    """
    try:
        import ray  # an optional extra
    except ImportError as error:
        raise missing_extra("Ray", "ray", error) from None
    return ray


def check_address(address: str) -> None:
    """Refuse an address at which Ray does not answer. Ray itself would try for minutes.

    >>> check_address("here")
    Traceback (most recent call last):
    topple.core.errors.BadText: 'here' is not the address of a Ray cluster: ...

    Raises
    ------
    BadText
        If it is not an address.
    Unsupported
        If nothing answers, or something other than Ray.
    """
    given, address = address, _running() if address == "auto" else address
    host, _, port = address.rpartition(":")
    if "/" in address or not host or not port.isdecimal() or not 0 < int(port) < 2**16:
        raise BadText(
            f"{given!r} is not the address of a Ray cluster: give auto or host:port, for "
            "example 192.0.2.7:6379"
        )
    if os.environ.get("RAY_USE_TLS", "0") not in ("0", ""):
        return  # only Ray itself has the keys to connect
    try:
        with socket.create_connection((host.strip("[]"), int(port)), PATIENCE) as line:
            line.settimeout(PATIENCE)
            line.sendall(GREETING)
            answer = line.recv(KIND + 1, socket.MSG_WAITALL)
    except OSError as error:
        why = error.strerror or str(error)
        raise Unsupported(
            f"no Ray cluster can be reached at {address} ({why}): start one there "
            "with `ray start --head`"
        ) from None
    if len(answer) <= KIND or answer[KIND] != SETTINGS:
        raise Unsupported(
            f"what answers at {address} is not Ray: give the address that `ray "
            "start --head` printed"
        )


def _running() -> str:
    """The address of the cluster that was last started on this machine."""
    from ray._private.services import canonicalize_bootstrap_address_or_die

    try:
        return str(canonicalize_bootstrap_address_or_die("auto"))
    except ConnectionError:
        raise Unsupported(
            "no Ray cluster runs on this machine: start one with `ray start "
            "--head`, or name one as host:port"
        ) from None


@contextmanager
def connected(address: str | None, n_cpus: int) -> Iterator[Any]:
    """Connect to the cluster at an address, or start one with `n_cpus` CPUs on this machine.

    If this process is connected already, that connection is used and left open.
    Yields the module `ray`.

    Raises
    ------
    Unsupported
        If there is no connection.
    """
    ray = load_ray()
    if ray.is_initialized():
        yield ray
        return
    with _signals_restored(), _reports_silenced():
        try:
            _connect(ray, address, n_cpus)
            yield ray
        finally:
            ray.shutdown()


def _connect(ray: Any, address: str | None, n_cpus: int) -> None:
    given: dict[str, Any] = {"address": address}
    if address is None:
        given = {
            "address": "local",
            "num_cpus": n_cpus,
            "object_store_memory": MEMORY,
            "include_dashboard": False,
        }
        # Ray would send usage statistics.
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    else:
        check_address(address)
    with without_stderr(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ray.init(**given, log_to_driver=False, logging_level=logging.ERROR)
        except (OSError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
            raise Unsupported(_refusal(address, error)) from None


def _refusal(address: str | None, error: Exception) -> str:
    """Why there is no connection, on one line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    why = lines[0] if lines else type(error).__name__
    if address is None:
        return f"Ray does not start on this machine: {why}"
    hints = (
        "this machine must be one of its nodes; a cluster with a token needs RAY_AUTH_MODE=token"
    )
    return f"no connection to Ray at {address}: {why} ({hints})"


@contextmanager
def _reports_silenced() -> Iterator[None]:
    """Keep Ray from printing lost nodes on stdout, among the results."""
    from ray._private import worker

    before = worker._worker_logs_enabled
    worker._worker_logs_enabled = False  # there is no public setting
    try:
        yield
    finally:
        worker._worker_logs_enabled = before


@contextmanager
def _signals_restored() -> Iterator[None]:
    """Restore this process's handler of SIGTERM, which Ray changes."""
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        with suppress(ValueError):  # not in the main thread, where Ray changes nothing
            signal.signal(signal.SIGTERM, before)
