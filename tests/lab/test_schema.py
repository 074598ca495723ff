"""The API keeps its own description, whatever is sent."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, settings
from schemathesis import checks

from tests.lab.lab_client import ADDRESS, lab_client
from topple.lab.lab import LabSettings
from topple.lab.server.app import make_app

CHECKS = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
]


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with lab_client(tmp_path_factory.mktemp("lab")) as client:
        yield client


def description() -> Any:
    """The API's own description."""
    with TemporaryDirectory() as folder:
        app = make_app(LabSettings(Path(folder)))
        app.state.lab.close()
        return app.openapi()


schema = schemathesis.openapi.from_dict(description())

# Some texts are replaced by these, so that not all answers are refusals.
SENSE = {
    "game": ["hex", "spread-it", "chain-reaction", "influence", "infexion", "hex:swap=true"],
    "board": ["hex:3", "karate", "grid:3x3", "segment:9", "infexion:4", "kept:0", "lfr:n=60"],
    "agent": ["random", "greedy", "uct:iterations=20", "perfect", "alphabeta:depth=1"],
}


def with_some_sense(body: Any) -> Any:
    """A body with some texts that name what exists."""
    if not isinstance(body, dict):
        return body
    return {
        part: SENSE[part][len(value) % len(SENSE[part])]
        if part in SENSE and isinstance(value, str) and len(value) % 3
        else value
        for part, value in body.items()
    }


MANY = settings(deadline=None, suppress_health_check=list(HealthCheck), database=None)


@schema.exclude(path="/api/papers/{name}").parametrize()  # it draws many charts
@settings(MANY, max_examples=4)
def test_every_answer_is_as_described(case: Any, lab: TestClient) -> None:
    check_answer(case, lab)


@pytest.mark.prove
@schema.parametrize()
@settings(MANY, max_examples=50)
def test_every_one_of_many_answers_is_as_described(case: Any, lab: TestClient) -> None:
    check_answer(case, lab)


def check_answer(case: Any, lab: TestClient) -> None:
    """Send a request and compare its answer with the API's description."""
    case.body = with_some_sense(case.body)
    request = case.as_transport_kwargs(base_url=ADDRESS, headers={"X-Topple": "1"})
    request.pop("cookies", None)
    if "data" in request:  # the two libraries call it by different names
        request["content"] = request.pop("data")
    case.validate_response(lab.request(**request), checks=CHECKS)
