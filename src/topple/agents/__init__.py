"""Agents: search methods that choose moves, with one module for each family.

`agent` makes one from its name and options; `Agent`, `Search` and `Decision` are what
all of them have in common. Modules of agents are imported when they are first asked for.
"""

from importlib import import_module

from topple.agents.decision import Candidate, Decision, Effort
from topple.agents.interface import Agent, Player
from topple.agents.search import Search
from topple.agents.soundness import check_class
from topple.core.errors import BadModule, BadText, unknown
from topple.core.installed import installed
from topple.core.outside import add_outside, is_from_outside
from topple.core.spec import parse_spec
from topple.core.text import error_line

__all__ = [
    "Agent",
    "Candidate",
    "Decision",
    "Effort",
    "Player",
    "Search",
    "agent",
    "agent_names",
    "bridge_names",
    "find_agent",
    "home_of",
    "register_agent",
]

_classes: dict[str, type[Agent] | str] = {
    "random": "topple.agents.random:Random",
    "greedy": "topple.agents.greedy:Greedy",
    "minimax": "topple.agents.minimax:Minimax",
    "alphabeta": "topple.agents.alphabeta:AlphaBeta",
    "frontier": "topple.agents.frontier:Frontier",
    "montecarlo": "topple.agents.montecarlo:MonteCarlo",
    "pruning": "topple.agents.montecarlo:Pruning",
    "volatile": "topple.agents.volatile:Volatile",
    "uct": "topple.agents.uct:Uct",
    "puct": "topple.agents.puct:Puct",
    "policy": "topple.agents.policy:Policy",
    "sds-root": "topple.agents.sds:SdsRoot",
    "sds-tree": "topple.agents.sds:SdsTree",
    "perfect": "topple.agents.perfect:Perfect",
}

# External programs that play as agents. Only a user may name them: lists and pages leave them out.
_bridges: dict[str, type[Agent] | str] = {
    "htp": "topple.bridges.hex.htp_agent:HtpAgent",
    "referee": "topple.bridges.infexion.referee_agent:RefereeAgent",
    "open-spiel": "topple.bridges.open_spiel_agent:OpenSpielAgent",
}


def register_agent(kind: type[Agent]) -> type[Agent]:
    """Register an agent class under its NAME; returns the class.

    Raises
    ------
    BadModule
        If it is no agent, or another agent has its name; the line says where and what to do.
    """
    check_class(kind)
    taken = _bridges.get(kind.NAME) or _classes.get(kind.NAME)
    if taken is not None and not _is_same(taken, kind):
        raise BadModule(
            f"{kind.__module__}.{kind.__name__}: NAME = {kind.NAME!r} is the name of another "
            f"agent: choose one that is not in {', '.join([*_classes, *_bridges])}"
        )
    _classes[kind.NAME] = kind
    add_outside(kind.__module__)
    return kind


def _is_same(known: type[Agent] | str, kind: type[Agent]) -> bool:
    """Whether a registered agent is an earlier version of this class, which may replace it."""
    path = known if isinstance(known, str) else f"{known.__module__}:{known.__qualname__}"
    return path == f"{kind.__module__}:{kind.__qualname__}"


def add_installed() -> None:
    """Add the agents of installed packages to the register."""
    for name, path in installed("topple.agents").items():
        if name not in _bridges:
            _classes.setdefault(name, path)


def agent_names() -> tuple[str, ...]:
    """The names of all agents except bridges.

    >>> "uct" in agent_names()
    True
    """
    return tuple(_classes)


def home_of(name: str) -> str:
    """The name of the module of a registered agent, which is not imported for it.

    >>> home_of("uct")
    'topple.agents.uct'
    """
    kind = _classes[name]
    return kind.partition(":")[0] if isinstance(kind, str) else kind.__module__


def bridge_names() -> tuple[str, ...]:
    """The names of the agents that run external programs.

    >>> "htp" in bridge_names()
    True
    """
    return tuple(_bridges)


def find_agent(name: str) -> type[Agent]:
    """The class of an agent, or of a bridge.

    Raises
    ------
    BadText
        If no agent has that name; the message suggests the nearest one.
    BadModule
        If the agent is of an installed package and cannot be imported, or is no agent.
    """
    if name not in _classes and name not in _bridges:
        add_installed()
    known = _classes if name in _classes else _bridges
    if name not in known:
        raise BadText(unknown("agent", name, [*_classes, *_bridges]))
    found = known[name]
    if isinstance(found, str):
        found = known[name] = _imported(name, found)
    return found


def _imported(name: str, path: str) -> type[Agent]:
    """The class of an agent that is not yet imported; an installed one is checked."""
    module, _, class_name = path.partition(":")
    if not is_from_outside(module):
        kind: type[Agent] = getattr(import_module(module), class_name)
        return kind
    try:
        kind = getattr(import_module(module), class_name)
    except BadModule:
        raise
    except Exception as error:
        raise BadModule(
            f"the agent {name} of {path} cannot be imported: {error_line(error)}"
        ) from (error)
    check_class(kind)
    add_outside(module)
    return kind


def agent(text: str, **options: object) -> Agent:
    """Make an agent from its name and options.

    Parameters
    ----------
    text : str
        A name listed by `topple agents`, with or without options:
        `uct:iterations=1000,c=1.4`.
    **options
        Further options of the agent.

    Raises
    ------
    BadText
        If the agent or an option does not exist, or a value is wrong.

    Examples
    --------
    >>> import topple
    >>> agent = topple.agent("random")
    >>> agent.choose(topple.load("hex", board="hex:3").start(), seed=7).move
    0
    """
    if not isinstance(text, str):
        raise BadText(f"{text!r:.60} is not an agent: give a string such as 'uct:iterations=1000'")
    spec = parse_spec(text)
    kind = find_agent(spec.name)
    if spec.values:
        raise BadText(f"{text!r} has a part without a value: write {spec.name}:option=value")
    twice = sorted(set(spec.options) & set(options))
    if twice:
        raise BadText(f"option {twice[0]} is given twice")
    return kind(**{**spec.options, **options})
