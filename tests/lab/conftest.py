"""A lab that tests share which start no long work in it."""

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from tests.lab.lab_client import lab_client


@pytest.fixture(scope="package")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A lab with one worker process."""
    with lab_client(tmp_path_factory.mktemp("lab")) as client:
        yield client
