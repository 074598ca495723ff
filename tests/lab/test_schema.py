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
    """What the API says of itself."""
    with TemporaryDirectory() as folder:
        app = make_app(LabSettings(Path(folder)))
        app.state.lab.close()
        return app.openapi()


schema = schemathesis.openapi.from_dict(description())

# What a text is now and then replaced by, so that more is answered than refusals.
SENSE = {
    "game": ["hex", "spread-it", "chain-reaction", "influence", "infexion", "hex:swap=true"],
    "board": ["hex:3", "karate", "grid:3x3", "segment:9", "infexion:4", "kept:0", "lfr:n=60"],
    "agent": ["random", "greedy", "uct:iterations=20", "perfect", "alphabeta:depth=1"],
}


def with_some_sense(body: Any) -> Any:
    """A body some of whose texts name what there is."""
    if not isinstance(body, dict):
        return body
    return {
        part: SENSE[part][len(value) % len(SENSE[part])]
        if part in SENSE and isinstance(value, str) and len(value) % 3
        else value
        for part, value in body.items()
    }


@schema.parametrize()
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck), database=None)
def test_every_answer_is_as_described(case: Any, lab: TestClient) -> None:
    case.body = with_some_sense(case.body)
    request = case.as_transport_kwargs(base_url=ADDRESS, headers={"X-Topple": "1"})
    request.pop("cookies", None)
    if "data" in request:  # so the one library calls what the other calls content
        request["content"] = request.pop("data")
    case.validate_response(lab.request(**request), checks=CHECKS)
