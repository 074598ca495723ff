"""Writing a folder to begin with."""

import keyword
from importlib.util import find_spec
from pathlib import Path
from string import Template

from topple.agents import agent_names, bridge_names
from topple.core.errors import BadText, ToppleError
from topple.core.files import write_whole
from topple.rules import game_names
from topple.rules.soundness import check_name

TEMPLATES = Path(__file__).parent
GAME, AGENT = "game", "agent"


def write_starter(kind: str, name: str, parent: Path) -> Path:
    """Write a folder with a game or an agent that works at once; returns the module's path.

    Parameters
    ----------
    kind : str
        GAME or AGENT.
    name : str
        Its NAME; the folder has the same name.
    parent : Path
        Where the folder is made.

    Raises
    ------
    BadModule
        If it is no name.
    BadText
        If another game, agent or module has the name.
    ToppleError
        If the folder exists, or cannot be written.
    """
    module = _check(kind, name)
    folder = parent / name
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        raise ToppleError(f"{folder} exists already: choose another name or --out") from None
    except OSError as error:
        raise ToppleError(f"{folder} cannot be made: {error.strerror}") from None
    words = {
        "name": name,
        "module": module,
        "title": name.replace("-", " ").title(),
        "class_name": name.replace("-", " ").title().replace(" ", ""),
    }
    names = {"module.py": f"{module}.py", "test.py": f"test_{module}.py"}
    for template in sorted((TEMPLATES / kind).glob("*.txt")):
        own = template.name.removesuffix(".txt")
        text = Template(template.read_text("utf-8")).substitute(words)
        write_whole(folder / names.get(own, own), text.encode("utf-8"))
    return folder / f"{module}.py"


def _check(kind: str, name: str) -> str:
    """The module's name for a name that nobody has."""
    check_name(name, f"{'a' if kind == GAME else 'an'} {kind}", "topple new")
    taken = game_names() if kind == GAME else (*agent_names(), *bridge_names())
    if name in taken:
        raise BadText(f"there is already {'a game' if kind == GAME else 'an agent'} {name!r}")
    module = name.replace("-", "_")
    if keyword.iskeyword(module) or find_spec(module) is not None:
        raise BadText(f"{name}: Python has a module or a word {module!r}: choose another name")
    return module
