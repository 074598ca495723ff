"""Simulations in a file, so that the same command continues where it was stopped.

The file is JSON: the settings, every simulation that has ended, and their result.
It may come from anybody, so everything in it is checked.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from topple import __version__
from topple.core.errors import BadText, ToppleError
from topple.core.files import write_whole
from topple.learning.result import LearningResult
from topple.learning.settings import LearningSettings
from topple.learning.simulation import LARGEST, Simulation, TrainingPoint, recorded_games

FORMAT = "topple learning"
VERSION = 1
MOST_BYTES = 1 << 26


def write_training_file(
    path: Path, result: LearningResult, simulations: Iterable[Simulation]
) -> None:
    """Write simulations, and the result of some of them.

    Raises
    ------
    ToppleError
        If the file cannot be written.
    """
    content = {
        "format": FORMAT,
        "version": VERSION,
        "topple": __version__,
        "settings": result.settings.identity(),
        "learned": result.data(),
        "simulations": [simulation_data(each) for each in simulations],
    }
    write_whole(path, (json.dumps(content, allow_nan=False) + "\n").encode())


def simulation_data(simulation: Simulation) -> dict[str, Any]:
    """A simulation as plain data for a file."""
    return {
        "number": simulation.number,
        "points": [[*point[:1], list(point.weights), *point[2:]] for point in simulation.points],
        "opponent": list(simulation.opponent),
        "lessons": simulation.lessons,
        "cut": simulation.cut,
    }


def read_simulations(path: Path, settings: LearningSettings) -> dict[int, Simulation]:
    """The simulations of a file, by their number; none if there is no file.

    Raises
    ------
    BadText
        If it is not such a file, or belongs to other settings.
    ToppleError
        If it cannot be read.
    """
    try:
        if not path.exists():
            return {}
        content = _read(path)
    except OSError as error:
        raise ToppleError(f"{path} cannot be read: {error.strerror}") from None
    _check_settings(path, content.get("settings"), settings.identity())
    found: dict[int, Simulation] = {}
    for data in content["simulations"]:
        try:
            simulation = read_simulation(data, settings)
        except (KeyError, TypeError, ValueError, IndexError):
            raise BadText(f"{path} is damaged: a simulation cannot be read") from None
        if simulation.number in found:
            raise BadText(f"{path} is damaged: it has simulation {simulation.number} twice")
        found[simulation.number] = simulation
    return found


def _read(path: Path) -> dict[str, Any]:
    """The content of a file, with its format and version checked."""
    if path.stat().st_size > MOST_BYTES:
        raise BadText(f"{path} is too large to be a file of topple learn")
    try:
        content = json.loads(path.read_bytes())
        is_ours = content["format"] == FORMAT and isinstance(content["simulations"], list)
    except (KeyError, TypeError, ValueError, RecursionError):
        is_ours = False
    if not is_ours:
        raise BadText(f"{path} is not a file of topple learn: choose another name")
    if content.get("version") != VERSION:
        raise BadText(f"{path} was written by another version of topple: choose another name")
    return dict(content)


def _check_settings(path: Path, found: Any, wanted: dict[str, Any]) -> None:
    """Refuse simulations that were played with other settings."""
    if not isinstance(found, dict):
        raise BadText(f"{path} is damaged: it has no settings")
    for name, value in wanted.items():
        if found.get(name) != value:
            what = name.replace("_", " ")
            was = str(found.get(name))[:60]
            raise BadText(f"{path} was learned with {what} {was}, not {value}: choose another file")


def read_simulation(data: Any, settings: LearningSettings) -> Simulation:
    """Read a simulation from plain data.

    Raises
    ------
    ValueError, KeyError, TypeError, IndexError
        If anything is wrong with the data.
    """
    n = len(settings.features)
    points = tuple(
        TrainingPoint(
            _count(games), _weights(weights, n), _count(wins), _count(draws), _count(losses)
        )
        for games, weights, wins, draws, losses in data["points"]
    )
    if [point.games for point in points] != recorded_games(settings.games):
        raise ValueError
    if any(sum(point[2:]) != point.games for point in points):
        raise ValueError
    number, lessons, cut = (_count(data[name]) for name in ("number", "lessons", "cut"))
    return Simulation(number, points, _weights(data["opponent"], n), lessons, cut)


def _count(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 1 << 53:
        raise ValueError
    return value


def _weights(values: Any, n: int) -> tuple[float, ...]:
    if not isinstance(values, list) or len(values) != n:
        raise ValueError
    if not all(type(value) in (int, float) and abs(value) <= LARGEST for value in values):
        raise ValueError
    return tuple(map(float, values))
