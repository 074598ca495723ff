"""What requests may name: topple's own games, agents and boards, within the lab's limits."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from math import prod
from typing import Any

from topple import agents, rules
from topple.agents import Agent, agent, agent_names, find_agent
from topple.boards import BOARDS, Board, BoardKind
from topple.boards.files.reading import board_from_upload
from topple.boards.kinds.catalogue import find_kind, names_files
from topple.boards.kinds.grids import read_size
from topple.core.errors import BadBoard, BadText, unknown
from topple.core.text import shorten
from topple.game.game import Game, load
from topple.lab import limits
from topple.nets.shelf import is_shipped
from topple.rules import find_rules, game_names

# The number of vertices of a board, for kinds that do not have it as their option n.
_VERTICES: Mapping[str, Callable[[dict[str, Any]], int]] = {
    "grid": lambda given: prod(read_size(given["size"])),
    "torus": lambda given: prod(read_size(given["size"])),
    "hex": lambda given: given["n"] ** 2,
    "infexion": lambda given: given["n"] ** 2,
    "segment": lambda given: sum(map(int, re.findall(r"[0-9]{1,9}", given["lengths"]))),
    "tree": lambda given: (
        given["copies"] * ((3 ** (given["n"] + 1) - 1) // 2 + given["c"] * 3 ** given["n"])
    ),
}
# The expected number of edges, for kinds that can have many of them on few vertices.
_EDGES: Mapping[str, Callable[[dict[str, Any]], float]] = {
    "complete": lambda given: given["n"] * (given["n"] - 1) / 2,
    "ba": lambda given: given["n"] * given["m"],
    "ws": lambda given: given["n"] * given["k"] / 2,
    "er": lambda given: given["m"] or (given["p"] or 0.15) * given["n"] * (given["n"] - 1) / 2,
    "lfr": lambda given: given["n"] * given["average_degree"] / 2,
    "random-digraph": lambda given: given["m"],
    "sbm": lambda given: _partition_edges(**given),
    "digraph": lambda given: given["n"] * given["k"],
    "eulerian": lambda given: given["n"] * given["k"],
    "growth": lambda given: given["n"] * given["m"],
}
BASE = "base"  # the option of boards that are made from another one
SLACK = 1.25  # a random network may have fewer edges than expected
FEW = 200  # vertices of a random network that takes no time to make


def _partition_edges(n: int, communities: int, p_in: float, p_out: float, seed: int) -> float:
    """The expected number of edges of a planted partition."""
    inside = n * (n / communities - 1) / 2
    return p_in * inside + p_out * (n * (n - 1) / 2 - inside)


def own_games() -> list[str]:
    """The names of topple's own games."""
    return [name for name in game_names() if _is_own(rules.home_of(name))]


def own_agents() -> list[str]:
    """The names of topple's own agents, except those that run other people's programs."""
    own = [name for name in agent_names() if _is_own(agents.home_of(name))]
    return [name for name in own if _may_be_named(find_agent(name))]


def _may_be_named(kind: type[Agent]) -> bool:
    return _is_own(kind.__module__) and not kind.RUNS_PROGRAMS


def own_kinds() -> list[BoardKind]:
    """The kinds of boards that requests may name: all but files."""
    return [kind for kind in BOARDS.values() if not kind.reads_files]


@cache
def fitting_kinds(game: str) -> tuple[str, ...]:
    """The kinds of boards that a game can be played on, its own first.

    >>> fitting_kinds("hex")
    ('hex',)
    """
    own = find_kind(default_board(game)).name
    fitting = [name for name, board in _examples().items() if _fits(game, board)]
    return tuple(sorted(fitting, key=lambda name: name != own))


@cache
def _examples() -> Mapping[str, Board]:
    return {kind.name: kind.load(kind.example) for kind in own_kinds()}


def _fits(game: str, board: Board) -> bool:
    try:
        load(game, board)
    except BadBoard:
        return False
    return True


def _is_own(module: str) -> bool:
    return module.startswith("topple.")


def named_game(text: str, board: Board, *, compiled: bool = True) -> Game:
    """One of topple's own games on a board.

    Raises
    ------
    BadText
        If there is no such game, or an option is wrong.
    BadBoard
        If it cannot be played on the board.
    """
    check_listed_game(text)
    return load(text, board, compiled=compiled, files=False)


def check_listed_game(text: str) -> str:
    """The name of the game in a spec.

    Raises
    ------
    BadText
        If it is not one of topple's own games.
    """
    return _check_listed("game", text, own_games())


def default_board(text: str) -> str:
    """The board that a game is played on by default."""
    return str(find_rules(check_listed_game(text)).BOARD)


def named_agent(text: str) -> Agent:
    """One of topple's own agents, with memory and threads within the limits.

    Raises
    ------
    BadText
        If there is no such agent, or it asks for more.
    """
    _check_listed("agent", text, own_agents())
    found = agent(text)
    for option, most in (("memory", limits.MEMORY), ("threads", limits.THREADS)):
        if (found.options.get(option) or 0) > most:
            raise BadText(f"{option}={found.options[option]:,} is too much here: at most {most:,}")
    net = found.options.get("net")
    if net is not None and not is_shipped(net):
        raise BadText(f"net={shorten(net, 40)} is not shipped: the lab opens no files by name")
    return found


def named_board(text: str) -> Board:
    """A board by its spec; boards from files and boards that are too large are refused.

    Raises
    ------
    BadText
        If the spec cannot be read, or names a file.
    BadBoard
        If there is no such board, or it is too large.
    """
    kind, given = _checked(text)
    return check_size(kind.build(**given))


def is_quickly_drawn(text: str) -> bool:
    """Whether a board takes no time to make; large random networks may take seconds.

    Raises
    ------
    BadText, BadBoard
        As for `named_board`.
    """
    kind, given = _checked(text)
    if BASE in given:
        return is_quickly_drawn(given[BASE]) and _size(kind, given) <= FEW
    return kind.structural or (kind.name != "lfr" and given.get("n", 0) <= FEW)


def _checked(text: str) -> tuple[BoardKind, dict[str, Any]]:
    """A kind of board and its options, refused if the board would be too large; builds nothing."""
    kind = find_kind(text)
    if names_files(text):
        raise BadText("the lab opens no files by name: drop the file on the page")
    given = kind.read(text)
    if BASE in given:
        _checked(given[BASE])
    n = _size(kind, given)
    if n > limits.VERTICES:
        raise _too_large(n, "vertices", limits.VERTICES)
    expected = _EDGES[kind.name](given) if kind.name in _EDGES else 0
    if expected > SLACK * limits.EDGES:
        raise _too_large(int(expected), "edges", limits.EDGES)
    return kind, given


def _size(kind: BoardKind, given: dict[str, Any]) -> int:
    """The number of vertices of a board, as far as its options tell."""
    if BASE in given:
        base = find_kind(given[BASE])
        return _size(base, base.read(given[BASE]))
    return _VERTICES[kind.name](given) if kind.name in _VERTICES else given.get("n", 0)


def check_size(board: Board) -> Board:
    """Return the board, if it is not too large.

    Raises
    ------
    BadBoard
        If it has too many vertices, edges or networks.
    """
    if board.n_vertices > limits.VERTICES:
        raise _too_large(board.n_vertices, "vertices", limits.VERTICES)
    if board.n_edges > limits.EDGES:
        raise _too_large(board.n_edges, "edges", limits.EDGES)
    if len(board.networks) > limits.NETWORKS:
        raise _too_large(len(board.networks), "networks", limits.NETWORKS)
    n_arcs = sum(len(network.successors) for network in board.networks)
    n_edges = n_arcs if board.directed else n_arcs // 2
    if n_edges > limits.NETWORK_EDGES:
        raise _too_large(n_edges, "edges of all networks", limits.NETWORK_EDGES)
    return board


def read_upload(name: str, content: bytes, directed: bool, strict: bool) -> Board:
    """The board in a file, if it is not too large.

    Raises
    ------
    BadBoard
        If it cannot be read, or is too large.
    """
    return check_size(board_from_upload(name, content, directed=directed, strict=strict))


def _too_large(n: int, what: str, most: int) -> BadBoard:
    return BadBoard(f"{n:,} {what} are too many for the page: at most {most:,}")


def _check_listed(what: str, text: str, known: list[str]) -> str:
    name = text.partition(":")[0].strip()
    if name not in known:
        raise BadText(unknown(what, name, known))
    return name
