"""How answers leave: as JSON made once, and errors as one clear sentence."""

import json
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from topple.core.errors import StoreError, ToppleError
from topple.core.text import one_line
from topple.lab.data.position_cache import NotReady
from topple.lab.server.replies import ErrorReply
from topple.lab.work.jobs import TooManyJobs

JSON = "application/json"
LONGEST = 400  # characters of an error
AGAIN = 1  # seconds after which to ask again for what is being made ready

# What any call may answer beside what was asked for.
ERRORS: dict[int | str, dict[str, Any]] = {
    400: {"model": ErrorReply, "description": "It cannot be read or played."},
    403: {"model": ErrorReply, "description": "The request may not come in."},
    404: {"model": ErrorReply, "description": "It is not here."},
    405: {"model": ErrorReply, "description": "That cannot be done here."},
    408: {"model": ErrorReply, "description": "It takes too long to come."},
    413: {"model": ErrorReply, "description": "It is too large."},
    421: {"model": ErrorReply, "description": "The request was meant for another host."},
    422: {"model": ErrorReply, "description": "A part is missing, of the wrong kind or too large."},
    429: {"model": ErrorReply, "description": "Too much is waiting already."},
    503: {"model": ErrorReply, "description": "It cannot be read, or is still compiled."},
}


class NotHere(ToppleError):
    """Something that was asked for by its name and is not there."""


def answer(data: Any, status: int = 200) -> Response:
    """Plain data as JSON."""
    body = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Response(body.encode("utf-8", "replace"), status, media_type=JSON)


def refusal(status: int, error: object) -> Response:
    """What was wrong, on one line; with when to ask again, if that is worth while."""
    told = answer({"error": one_line(error, LONGEST)}, status)
    if isinstance(error, NotReady):
        told.headers["retry-after"] = str(AGAIN)
    return told


def answer_errors(app: FastAPI) -> None:
    """Let every error leave as `{"error": …}`."""

    async def told(request: Request, error: Exception) -> Response:
        return refusal(_status(error), error)

    async def not_understood(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return refusal(422, _first_fault(error))

    async def http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        what = {404: "there is nothing here", 405: "this cannot be done here"}
        return refusal(error.status_code, what.get(error.status_code, error.detail))

    async def failed(request: Request, error: Exception) -> Response:
        return refusal(500, "the lab failed at this: the terminal that it runs in says why")

    app.add_exception_handler(ToppleError, told)
    app.add_exception_handler(Exception, failed)
    app.add_exception_handler(RequestValidationError, not_understood)
    app.add_exception_handler(HTTPException, http)


def _status(error: Exception) -> int:
    for kind, status in ((NotHere, 404), (TooManyJobs, 429), (StoreError, 503), (NotReady, 503)):
        if isinstance(error, kind):
            return status
    return 400


def _first_fault(error: RequestValidationError) -> str:
    """Where the first fault is and what is wrong there; what was sent is not repeated."""
    fault = error.errors()[0]
    place = ".".join(str(part) for part in fault["loc"] if part not in ("body", "query", "path"))
    return f"{place or 'the request'}: {fault['msg']}"
