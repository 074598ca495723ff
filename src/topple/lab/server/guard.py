"""Guard: decides which requests the lab accepts, and adds headers to every answer.

A page of another site must not reach the lab through the browser of somebody
who uses it. So the Host header must be the lab's own (against foreign names that
are suddenly made to lead here), the Origin header as well, and whatever changes
something needs a header that no form can send. Beyond this machine every call
needs a token.
"""

import asyncio
import ipaddress
from hmac import compare_digest
from typing import NamedTuple

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from topple.lab import limits
from topple.lab.lab import LabAddress
from topple.lab.server.errors import error_response

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
HTTP_PORT = 80
COOKIE = "topple-token"  # the port follows: all labs of one machine share their cookies
OWN_PAGE = ("same-origin", "none")  # none: somebody typed the address
BODY_SECONDS = 30.0
CHANGING = ("POST", "PUT", "PATCH", "DELETE")

POLICY = (
    "default-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "object-src 'none'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)

_FOREIGN_HOST = "this name does not lead here: open the address that topple lab has printed"
_FOREIGN_PAGE = "pages of other sites may not ask this lab"
_NO_TOKEN = "the address lacks its token: open the one that topple lab has printed"
_NO_HEADER = "requests that change something need the header X-Topple: 1"


class Refusal(NamedTuple):
    """Why a request is not accepted."""

    status: int
    error: str


class Guard:
    """Checks every request before the lab gets it, and adds headers to every answer."""

    def __init__(self, app: ASGIApp, address: LabAddress) -> None:
        self.app, self.address = app, address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on to the lab, or refuse it."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return  # web sockets are not served
        request = HTTPConnection(scope)
        respond = _with_headers(scope["path"], send, self._new_cookie(request))
        refusal = self.refusal(request)
        if refusal is None:
            body, refusal = await _read_body(request, receive)
        if refusal is None:
            await self.app(scope, _replayed(body, receive), respond)
        else:
            response = error_response(*refusal)
            # The rest of this request must not be taken for the next one.
            response.headers["connection"] = "close"
            await response(scope, receive, respond)

    def refusal(self, request: HTTPConnection) -> Refusal | None:
        """Why a request is not accepted; None if it is."""
        headers, method, path = request.headers, request.scope["method"], request.scope["path"]
        if not self.is_own_host(_only(headers.getlist("host"))):
            return Refusal(421, _FOREIGN_HOST)
        if not all(self.is_own_origin(origin) for origin in headers.getlist("origin")):
            return Refusal(403, _FOREIGN_PAGE)
        sites = headers.getlist("sec-fetch-site") if path.startswith("/api") else []
        if not all(site in OWN_PAGE for site in sites):
            return Refusal(403, _FOREIGN_PAGE)
        if self.address.token is not None and not self._has_token(request):
            return Refusal(403, _NO_TOKEN)
        if method in CHANGING and _only(headers.getlist("x-topple")) != "1":
            return Refusal(403, _NO_HEADER)
        return None

    def is_own_host(self, host: str | None) -> bool:
        """Whether a Host header names the lab."""
        if host is None:
            return False
        name, port = _split_host(host.strip().lower())
        if port != self.address.port:
            return False
        own = [each.lower() for each in (self.address.host, self.address.number) if each]
        if name in LOOPBACK or name in own or name in [f"[{each}]" for each in own]:
            return True
        # Served at all addresses, the lab accepts each of them as a number; a foreign name
        # that was made to lead here is none.
        return self.address.is_everywhere and _is_number(name)

    def is_own_origin(self, origin: str) -> bool:
        """Whether an Origin header is that of the lab's own page."""
        scheme, _, host = origin.partition("://")
        return scheme == "http" and self.is_own_host(host)

    def _has_token(self, request: HTTPConnection) -> bool:
        assert self.address.token is not None
        cookie = request.cookies.get(self._cookie_name)
        given = request.query_params.get("token") or cookie or ""
        return compare_digest(given.encode("utf-8", "replace"), self.address.token.encode())

    @property
    def _cookie_name(self) -> str:
        return f"{COOKIE}-{self.address.port}"

    def _new_cookie(self, request: HTTPConnection) -> bytes | None:
        """The cookie for a page that was opened with the token; later calls then need no token."""
        token = self.address.token
        if token is None or "token" not in request.query_params or not self._has_token(request):
            return None
        return f"{self._cookie_name}={token}; HttpOnly; SameSite=Strict; Path=/".encode()


def _only(values: list[str]) -> str | None:
    return values[0] if len(values) == 1 else None


def _split_host(host: str) -> tuple[str, int | None]:
    """A host and its port.

    >>> _split_host("localhost:8000"), _split_host("[::1]:8000"), _split_host("localhost")
    (('localhost', 8000), ('[::1]', 8000), ('localhost', 80))
    """
    name, colon, port = host.rpartition(":")
    if not colon or port.endswith("]"):
        return host, HTTP_PORT
    return name, int(port) if port.isascii() and port.isdigit() and len(port) < 6 else None


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


# Starlette's own limit on bodies answers in plain text, and has no limit on time.


async def _read_body(request: HTTPConnection, receive: Receive) -> tuple[bytes, Refusal | None]:
    """Read the whole body, unless it is too large or too slow: then the rest is not read."""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await _read_all(request, receive)
    except TimeoutError:
        return b"", Refusal(408, "the request takes too long to arrive")


async def _read_all(request: HTTPConnection, receive: Receive) -> tuple[bytes, Refusal | None]:
    too_large = Refusal(413, f"that is too much: at most {limits.BODY_BYTES:,} bytes")
    length = _only(request.headers.getlist("content-length")) or "0"
    if not (length.isascii() and length.isdigit() and len(length) < 16):
        return b"", Refusal(400, "the length of the request is not a number")
    if int(length) > limits.BODY_BYTES:
        return b"", too_large
    parts, n_bytes, more = [], 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return b"", Refusal(400, "the request was broken off")
        parts.append(message.get("body", b""))
        n_bytes += len(parts[-1])
        if n_bytes > limits.BODY_BYTES:
            return b"", too_large
        more = message.get("more_body", False)
    return b"".join(parts), None


def _replayed(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives the body that was read, then whatever comes."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return waiting.pop() if waiting else await receive()

    return replay


def _with_headers(path: str, send: Send, cookie: bytes | None) -> Send:
    """A `send` that adds the headers of every answer, and the cookie if there is one."""

    async def respond(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = [*message.get("headers", []), *HEADERS]
            if not any(name.lower() == b"cache-control" for name, _ in headers):
                keep = b"no-store" if path.startswith("/api") else b"no-cache"
                headers.append((b"cache-control", keep))
            if cookie is not None:
                headers.append((b"set-cookie", cookie))
            message = {**message, "headers": headers}
        await send(message)

    return respond
