"""Serving the lab: its port, the server process, and the browser that opens the page."""

import asyncio
import errno
import ipaddress
import os
import secrets
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from topple.core.errors import ToppleError
from topple.lab import limits
from topple.lab.lab import LabAddress, LabSettings
from topple.lab.server.app import make_app

HEAD_SECONDS = 20.0  # for the first lines of a request; bodies have a limit of their own
SHUTDOWN_SECONDS = 3  # that open connections have to end
TOKEN_BYTES = 18
DOCUMENTATION_ADDRESS = "192.0.2.1"  # reserved for documentation: nobody has it


def listen(host: str, port: int) -> tuple[socket.socket, LabAddress]:
    """Take the port; port 0 takes any that is free.

    Raises
    ------
    ToppleError
        If it is taken, or the host is not an address of this machine.
    """
    try:
        listening = _listening_socket(host, port)
    except (OSError, UnicodeError, OverflowError) as error:
        raise _refusal(host, port, error) from None
    number, port = listening.getsockname()[:2]
    token = None if is_loopback(number) else secrets.token_urlsafe(TOKEN_BYTES)
    return listening, LabAddress(host, int(port), token, number)


def _listening_socket(host: str, port: int) -> socket.socket:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, kind, protocol, _, address = found[0]
    listening = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":  # a lab that has just ended does not block its port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen()
    except BaseException:
        listening.close()
        raise
    return listening


def _refusal(host: str, port: int, error: Exception) -> ToppleError:
    if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
        return ToppleError(f"port {port} is taken, perhaps by another lab: choose one with --port")
    if isinstance(error, OSError) and error.errno == errno.EACCES:
        return ToppleError(f"port {port} may not be used: choose one above 1023 with --port")
    return ToppleError(f"{host!r:.80} is no address of this machine: choose one with --host")


def is_loopback(address: str) -> bool:
    """Whether only this machine can reach an address; names are not looked up and count as no.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("127.example.org")
    (True, True, False)
    """
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def url_of(address: LabAddress) -> str:
    """What to type into a browser, on this machine or, if the lab is served everywhere, others."""
    host = own_address() if address.is_everywhere else address.host
    host = f"[{host}]" if ":" in host else host
    token = "" if address.token is None else f"?token={quote(address.token)}"
    return f"http://{host}:{address.port}/{token}"


def own_address() -> str:
    """The address of this machine in its network; the loopback one if it has no other."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((DOCUMENTATION_ADDRESS, 9))  # sends nothing, only chooses a route
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


class TimedProtocol(H11Protocol):
    """Uvicorn's HTTP, which also hangs up on clients that are too slow with a request's head."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._start_timer()

    def data_received(self, data: bytes) -> None:
        """Wait on until the head of a request is complete."""
        super().data_received(data)
        if self.cycle is None or self.cycle.response_complete:
            self._start_timer()
        else:
            self._stop_timer()

    def on_response_complete(self) -> None:
        """The next request has its own time, once it has begun."""
        super().on_response_complete()
        self._stop_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_timer()
        super().connection_lost(exc)

    def _start_timer(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(HEAD_SECONDS, self._hang_up)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _hang_up(self) -> None:
        self._timer = None
        if self.transport is not None and not self.transport.is_closing():
            self.transport.close()


def serve(settings: LabSettings, listening: socket.socket, announce: Callable[[], None]) -> None:
    """Serve the lab until the process is interrupted.

    Parameters
    ----------
    settings : LabSettings
        What the lab is started with.
    listening : socket
        The socket of its port.
    announce : callable
        Called when pages can be opened.

    Raises
    ------
    ToppleError
        If the lab's folder cannot be used.
    """
    app = make_app(settings)

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets=sockets)
            if self.started:
                announce()

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            app.state.lab.jobs.is_leaving = True  # event streams end first
            await super().shutdown(sockets=sockets)

    config = uvicorn.Config(
        app,
        http=TimedProtocol,
        loop="asyncio",
        limit_concurrency=limits.CONNECTIONS,
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        ws="none",
        lifespan="on",
    )
    Server(config).run(sockets=[listening])


def open_browser(address: str) -> bool:
    """Open the page in a browser, if there is a desktop; returns whether there is."""
    if not has_desktop():
        return False
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    return True


def has_desktop() -> bool:
    """Whether a browser can show a window to somebody here."""
    if sys.platform in ("darwin", "win32"):
        return "SSH_CONNECTION" not in os.environ
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
