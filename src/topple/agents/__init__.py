"""Agents: search methods that choose moves, with one module for each family.

`agent` makes one from its name and options; `Agent`, `Search` and `Decision` are what
all of them have in common. Modules of agents are imported when they are first asked for.
"""

from importlib import import_module

from topple.agents.decision import Candidate, Decision, Effort
from topple.agents.interface import Agent, Player
from topple.agents.search import Search
from topple.core.errors import BadText, unknown
from topple.core.spec import parse_spec

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
    """Register an agent class under its NAME; returns the class."""
    _classes[kind.NAME] = kind
    return kind


def agent_names() -> tuple[str, ...]:
    """The names of all agents except bridges.

    >>> "uct" in agent_names()
    True
    """
    return tuple(_classes)


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
    """
    known = _classes if name in _classes else _bridges
    if name not in known:
        raise BadText(unknown("agent", name, [*_classes, *_bridges]))
    found = known[name]
    if isinstance(found, str):
        module, _, class_name = found.partition(":")
        found = known[name] = getattr(import_module(module), class_name)
    assert not isinstance(found, str)
    return found


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
