"""Golden trees and answers: the same seed gives what it gave before, on every machine."""

import json

import pytest

from tests.golden import CASES, stored


@pytest.mark.parametrize("name", CASES)
def test_the_same_seed_gives_what_it_gave_before(name: str) -> None:
    now, before = json.loads(json.dumps(CASES[name]())), stored(name)
    assert now.keys() == before.keys()
    for part in now:
        assert now[part] == before[part], f"{part}: python -m tests.golden {name} writes it anew"
