"""Serving the lab: a port of its own, one clear line when it is taken, a browser on a desktop."""

import errno
import ipaddress
import os
import secrets
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from urllib.parse import quote

from topple.core.errors import ToppleError
from topple.lab import limits
from topple.lab.server.app import make_app
from topple.lab.server.guard import Door
from topple.lab.settings import Settings

GRACE = 3  # seconds that open connections have to end
TOKEN_BYTES = 18
SOMEWHERE = "192.0.2.1"  # an address that is kept for documentation


def open_door(host: str, port: int) -> tuple[socket.socket, Door]:
    """Take the port, before anything that takes long.

    Raises
    ------
    ToppleError
        If it is taken, or the host is not this machine's.
    """
    try:
        listening = _listen(host, port)
    except (OSError, UnicodeError, OverflowError) as error:
        raise _refusal(host, port, error) from None
    address, number = listening.getsockname()[:2]
    token = None if is_loopback(address) else secrets.token_urlsafe(TOKEN_BYTES)
    return listening, Door(host, int(number), token, address)


def _listen(host: str, port: int) -> socket.socket:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, kind, protocol, _, address = found[0]
    listening = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":  # a lab that has just ended does not hold its port
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
    """Whether only this machine can reach an address; names are not looked up, and are not.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("127.example.org")
    (True, True, False)
    """
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def address_of(door: Door) -> str:
    """What to type into a browser, here or, where the lab is served everywhere, elsewhere."""
    host = own_address() if door.is_everywhere else door.host
    host = f"[{host}]" if ":" in host else host
    token = "" if door.token is None else f"?token={quote(door.token)}"
    return f"http://{host}:{door.port}/{token}"


def own_address() -> str:
    """The address that this machine has in its network; the loopback one if it has no other."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect((SOMEWHERE, 9))  # nothing is sent: it is only looked up how one would
            return str(asking.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def serve(settings: Settings, listening: socket.socket, announce: Callable[[], None]) -> None:
    """Serve until somebody ends it; `announce` is called when pages can be opened.

    Raises
    ------
    ToppleError
        If the lab's folder cannot be used.
    """
    import uvicorn

    from topple.lab.server.connections import PatientProtocol

    app = make_app(settings)

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets=sockets)
            if self.started:
                announce()

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            app.state.lab.jobs.is_leaving = True  # pages that listen let go at once
            await super().shutdown(sockets=sockets)

    config = uvicorn.Config(
        app,
        http=PatientProtocol,
        loop="asyncio",
        limit_concurrency=limits.CONNECTIONS,
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=GRACE,
        ws="none",
        lifespan="on",
    )
    Server(config).run(sockets=[listening])


def open_browser(address: str) -> bool:
    """Open the page in a browser, where there is a desktop; returns whether one was tried."""
    if not has_desktop():
        return False
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    return True


def has_desktop() -> bool:
    """Whether somebody sits before a screen."""
    if sys.platform in ("darwin", "win32"):
        return "SSH_CONNECTION" not in os.environ
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
