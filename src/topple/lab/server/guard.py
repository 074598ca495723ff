"""The guard: which requests come in at all, and what every answer bears.

A page of another site must not reach the lab through the browser of somebody
who uses it: its host must be the lab's own (against names that suddenly lead
here), its origin as well, and whatever changes something needs a header that
no form can send. Beyond this machine a token guards every call.
"""

import asyncio
import ipaddress
import json
from hmac import compare_digest
from http.cookies import CookieError, SimpleCookie
from typing import Any, NamedTuple
from urllib.parse import parse_qs

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from topple.lab import limits

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
EVERYWHERE = ("0.0.0.0", "::")
HTTP_PORT = 80
COOKIE = "topple-token"  # with the port behind it: all labs of one machine share their cookies
OWN_PAGE = ("same-origin", "none")  # none: somebody typed the address
BODY_SECONDS = 30.0

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
CHANGING = ("POST", "PUT", "PATCH", "DELETE")


class Door(NamedTuple):
    """Where the lab is reached."""

    host: str
    port: int
    token: str | None = None  # that guards every call; None on this machine alone
    address: str = ""  # the host's number, where it is known

    @property
    def is_everywhere(self) -> bool:
        """Whether the lab is served at all addresses of this machine."""
        return (self.address or self.host) in EVERYWHERE


class Refusal(NamedTuple):
    """Why a request does not come in."""

    status: int
    error: str


class Guard:
    """Checks every request before the lab sees it, and puts headers on every answer."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self.app, self.door = app, door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or answer why not."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return  # there are no web sockets here
        request = _Request(scope)
        answer = _with_headers(scope, send, self._cookie(request))
        refusal = self.refusal(request)
        if refusal is None:
            body, refusal = await _read_body(request, receive)
        if refusal is not None:
            await _refuse(refusal, answer)
            return
        await self.app(scope, _replayed(body, receive), answer)

    def refusal(self, request: "_Request") -> Refusal | None:
        """Why a request is turned away; None if it is not."""
        if not self.is_own_host(request.header("host")):
            return Refusal(421, "this name does not lead here: open the address that topple lab "
                                "has printed")  # fmt: skip
        if not all(self.is_own_origin(origin) for origin in request.headers("origin")):
            return Refusal(403, "pages of other sites may not ask this lab")
        sites = request.headers("sec-fetch-site") if request.path.startswith("/api") else []
        if not all(site in OWN_PAGE for site in sites):
            return Refusal(403, "pages of other sites may not ask this lab")
        if self.door.token is not None and not self._knows_token(request):
            return Refusal(403, "the address lacks its token: open the one that topple lab has "
                                "printed")  # fmt: skip
        if request.method in CHANGING and request.header("x-topple") != "1":
            return Refusal(403, "what changes something needs the header X-Topple: 1")
        return None

    def is_own_host(self, host: str | None) -> bool:
        """Whether a Host header names the lab."""
        if host is None:
            return False
        name, port = _split_host(host.strip().lower())
        if port != self.door.port:
            return False
        own = [given.lower() for given in (self.door.host, self.door.address) if given]
        if name in LOOPBACK or name in own or name in [f"[{each}]" for each in own]:
            return True
        # Served everywhere: whoever knows an address of this machine by its number is no
        # foreign name that was made to lead here.
        return self.door.is_everywhere and _is_address(name)

    def is_own_origin(self, origin: str) -> bool:
        """Whether an Origin header is that of the lab's own page."""
        scheme, _, host = origin.partition("://")
        return scheme == "http" and self.is_own_host(host)

    def _knows_token(self, request: "_Request") -> bool:
        assert self.door.token is not None
        given = request.query("token") or request.cookie(self._cookie_name) or ""
        return compare_digest(given.encode(), self.door.token.encode())

    @property
    def _cookie_name(self) -> str:
        return f"{COOKIE}-{self.door.port}"

    def _cookie(self, request: "_Request") -> bytes | None:
        """What lets a page that was opened with the token ask without it."""
        token = self.door.token
        if token is None or request.query("token") is None or not self._knows_token(request):
            return None
        return f"{self._cookie_name}={token}; HttpOnly; SameSite=Strict; Path=/".encode()


class _Request:
    """What the guard looks at."""

    def __init__(self, scope: Scope) -> None:
        self.method: str = scope["method"]
        self.path: str = scope["path"]
        self._query: bytes = scope.get("query_string", b"")
        self._headers: list[tuple[bytes, bytes]] = scope["headers"]

    def headers(self, name: str) -> list[str]:
        return [value.decode("latin-1") for key, value in self._headers if key == name.encode()]

    def header(self, name: str) -> str | None:
        found = self.headers(name)
        return found[0] if len(found) == 1 else None

    def query(self, name: str) -> str | None:
        try:
            found = parse_qs(self._query.decode("latin-1"), max_num_fields=50).get(name)
        except ValueError:
            return None
        return found[0] if found else None

    def cookie(self, name: str) -> str | None:
        try:
            found = SimpleCookie(self.header("cookie") or "").get(name)
        except CookieError:
            return None
        return None if found is None else found.value


def _split_host(host: str) -> tuple[str, int | None]:
    """A host and its port.

    >>> _split_host("localhost:8000"), _split_host("[::1]:8000"), _split_host("localhost")
    (('localhost', 8000), ('[::1]', 8000), ('localhost', 80))
    """
    name, colon, port = host.rpartition(":")
    if not colon or port.endswith("]"):
        return host, HTTP_PORT
    return name, int(port) if port.isascii() and port.isdigit() and len(port) < 6 else None


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


async def _read_body(request: _Request, receive: Receive) -> tuple[bytes, Refusal | None]:
    """The whole body, unless it is too large or too slow: then no more of it is read."""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await _read_all(request, receive)
    except TimeoutError:
        return b"", Refusal(408, "the request does not come to an end")


async def _read_all(request: _Request, receive: Receive) -> tuple[bytes, Refusal | None]:
    too_large = Refusal(413, f"that is too much: at most {limits.BODY_BYTES:,} bytes")
    length = request.header("content-length") or "0"
    if not (length.isascii() and length.isdigit() and len(length) < 16):
        return b"", Refusal(400, "the length of the request is no number")
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
    """Hand on a body that has been read, then whatever comes."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return waiting.pop() if waiting else await receive()

    return replay


def _with_headers(scope: Scope, send: Send, cookie: bytes | None) -> Send:
    async def answer(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = [*message.get("headers", []), *HEADERS]
            if not any(name.lower() == b"cache-control" for name, _ in headers):
                kept = b"no-store" if scope["path"].startswith("/api") else b"no-cache"
                headers.append((b"cache-control", kept))
            if cookie is not None:
                headers.append((b"set-cookie", cookie))
            message = {**message, "headers": headers}
        await send(message)

    return answer


async def _refuse(refusal: Refusal, send: Send) -> None:
    body = json.dumps({"error": refusal.error}).encode()
    headers: list[tuple[bytes, Any]] = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),  # what was not read is not taken for another request
    ]
    start = {"type": "http.response.start", "status": refusal.status, "headers": headers}
    await send(start)
    await send({"type": "http.response.body", "body": body})
