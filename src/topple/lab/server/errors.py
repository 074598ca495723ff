"""Errors of the API: each is one sentence, as `{"error": …}` with a status from 400."""

import json
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import with_config
from starlette.exceptions import HTTPException
from starlette.responses import Response
from typing_extensions import TypedDict

from topple.core.errors import StoreError, ToppleError
from topple.core.text import one_line
from topple.lab.data.lab_database import NotFound
from topple.lab.data.position_cache import RetryLater
from topple.lab.data.views import EXACT
from topple.lab.work.jobs import TooManyJobs

JSON = "application/json"
LONGEST = 400  # characters of an error
RETRY_SECONDS = 1  # after which a request that got a RetryLater is worth sending again
STATUSES = ((NotFound, 404), (TooManyJobs, 429), (StoreError, 503), (RetryLater, 503))


@with_config(EXACT)
class ErrorReply(TypedDict):
    """What was wrong, in one sentence."""

    error: str


# What any call may answer besides its result.
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


def error_response(status: int, error: object) -> Response:
    """A response with an error on one line, and when to try again if that is worth while."""
    reply: ErrorReply = {"error": one_line(error, LONGEST)}
    body = json.dumps(reply, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    response = Response(body, status, media_type=JSON)
    if isinstance(error, RetryLater):
        response.headers["retry-after"] = str(RETRY_SECONDS)
    return response


def add_error_handlers(app: FastAPI) -> None:
    """Let every error leave the application as an `ErrorReply`."""

    async def of_topple(request: Request, error: Exception) -> Response:
        found = (status for kind, status in STATUSES if isinstance(error, kind))
        return error_response(next(found, 400), error)

    async def of_validation(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return error_response(422, _first_error(error))

    async def of_http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        what = {404: "there is nothing here", 405: "this cannot be done here"}
        return error_response(error.status_code, what.get(error.status_code, error.detail))

    async def of_ours(request: Request, error: Exception) -> Response:
        return error_response(500, "the lab failed at this: the terminal that it runs in says why")

    app.add_exception_handler(ToppleError, of_topple)
    app.add_exception_handler(Exception, of_ours)
    app.add_exception_handler(RequestValidationError, of_validation)
    app.add_exception_handler(HTTPException, of_http)


def _first_error(error: RequestValidationError) -> str:
    """Where the first error is and what is wrong there; what was sent is not repeated."""
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"] if part not in ("body", "query", "path"))
    return f"{place or 'the request'}: {first['msg']}"
