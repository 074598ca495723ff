"""The house rules: who may import whom, and what must stay light."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[2] / "src" / "topple"

ROOT = Path(__file__).parents[2]

# The order is written in the architecture's map; a package may import from itself and from above.
MAP = (ROOT / "docs" / "architecture.md").read_text("utf-8").partition("## The map")[2]
LAYERS = re.findall(r"^  (\w+)/", MAP.split("```")[1], re.MULTILINE)


def test_the_map_shows_every_package() -> None:
    packages = {path.parent.name for path in SOURCES.glob("*/__init__.py")}
    assert set(LAYERS) == packages
    assert len(LAYERS) == len(packages)


def layer_of(module: str) -> int:
    """The place of a module's layer; its first name below topple decides."""
    name = module.split(".")[1] if "." in module else ""
    if name == "__main__":
        return len(LAYERS)
    assert name in LAYERS, f"{module} belongs to no layer: add it to LAYERS"
    return LAYERS.index(name)


def imports_of(path: Path) -> set[str]:
    """The modules of topple that a file imports, wherever the import stands."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import"
            module = node.module or ""
            found |= {f"topple.{a.name}" for a in node.names} if module == "topple" else {module}
    return {name for name in found if name.startswith("topple.")}


FILES = sorted(
    path for path in SOURCES.rglob("*.py") if path.parent != SOURCES or path.stem != "__init__"
)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCES)))
def test_nothing_reaches_back_up(path: Path) -> None:
    parts = ["topple", *path.relative_to(SOURCES).with_suffix("").parts]
    own = layer_of(".".join(parts))
    for imported in imports_of(path) - {"topple.__version__"}:
        assert layer_of(imported) <= own, f"{'.'.join(parts)} imports {imported}"


@pytest.mark.parametrize("path", sorted((SOURCES / "kernels").rglob("*.py")), ids=lambda p: p.stem)
def test_kernels_name_no_game(path: Path) -> None:
    text = path.read_text("utf-8").lower()
    for name in ("spread", "chain", "infexion", "hex", "influence"):
        assert name not in text


HEAVY = ("numba", "networkx", "matplotlib", "scipy", "pandas", "fastapi", "uvicorn", "pydantic")


@pytest.mark.parametrize(
    "arguments", [["--help"], ["games"], ["boards"], ["agents"], ["lab", "--help"]]
)
def test_light_commands_import_nothing_heavy(arguments: list[str]) -> None:
    program = (
        "import sys\n"
        "from topple.cli.main import main\n"
        f"sys.argv = ['topple', *{arguments!r}]\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        f"print('LOADED', [name for name in {HEAVY!r} if name in sys.modules])\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout.splitlines()[-1] == "LOADED []", run.stdout + run.stderr
