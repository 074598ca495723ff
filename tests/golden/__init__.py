"""Answers that must not change unnoticed: each case is written to a file of its name.

`python -m tests.golden` writes them all again, `python -m tests.golden sds` one of
them. Read the difference before you commit it: a search that answers otherwise
under the same seed has been changed.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.golden.sds import sds_trees
from tests.golden.searches import decisions, uct_trees

FOLDER = Path(__file__).parent

CASES: dict[str, Callable[[], Any]] = {
    "sds": sds_trees,
    "decisions": decisions,
    "uct": uct_trees,
}


def stored(name: str) -> Any:
    """What a case gave when it was last written."""
    return json.loads((FOLDER / f"{name}.json").read_text("utf-8"))


def write(name: str) -> None:
    """Write what a case gives now, a line for each of its parts."""
    parts = [f"  {json.dumps(key)}: {json.dumps(part)}" for key, part in CASES[name]().items()]
    (FOLDER / f"{name}.json").write_text("{\n" + ",\n".join(parts) + "\n}\n", "utf-8")
