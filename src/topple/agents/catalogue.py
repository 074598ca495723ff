"""Games, agents and boards as plain data, for `--json` and for the page."""

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING

from typing_extensions import TypedDict  # the page's API needs this one before Python 3.12

from topple.core.spec import Option
from topple.evaluations import evaluations_of, knowledge_of
from topple.evaluations.interface import Evaluation
from topple.nets.net_file import TrainedNet
from topple.rules import game_names

if TYPE_CHECKING:  # the board kinds and the agents need more than their descriptions do
    from topple.agents import Agent
    from topple.boards import BoardKind


class OptionDescription(TypedDict):
    """An option of a game, an agent or a board."""

    name: str
    default: int | float | bool | str | None
    kind: str
    choices: list[str]
    least: float | None
    most: float | None
    meaning: str


class GameDescription(TypedDict):
    """A game that can be played."""

    name: str
    title: str
    summary: str
    players: list[str]
    board: str
    options: list[OptionDescription]


class AgentDescription(TypedDict):
    """An agent that can be asked."""

    name: str
    summary: str
    most_players: int
    needs_net: bool
    options: list[OptionDescription]


class NetDescription(TypedDict):
    """A network that topple is shipped with."""

    name: str
    game: str
    board: str  # the kind of boards that it sees, as docs/learned.md names them
    players: int
    blocks: int
    channels: int


class BoardKindDescription(TypedDict):
    """A kind of board."""

    name: str
    example: str
    meaning: str
    options: list[OptionDescription]


class EvaluationDescription(TypedDict):
    """An evaluation of a game, with the weights of the features if it is made of them."""

    name: str
    meaning: str
    weights: list[float]


def describe_game(rules: ModuleType) -> GameDescription:
    """A game as data.

    >>> from topple.rules import find_rules
    >>> describe_game(find_rules("hex"))["players"]
    ['Blue', 'Red']
    """
    return {
        "name": rules.NAME,
        "title": rules.TITLE,
        "summary": rules.SUMMARY,
        "players": list(default_players(rules)),
        "board": rules.BOARD,
        "options": [describe_option(option) for option in rules.OPTIONS],
    }


def default_players(rules: ModuleType) -> tuple[str, ...]:
    """The names of the players under the default options."""
    names: tuple[str, ...] = rules.players(
        {option.name: option.default for option in rules.OPTIONS}
    )
    return names


def describe_option(option: Option) -> OptionDescription:
    """An option of a game, an agent or a board as data."""
    return {
        "name": option.name,
        "default": option.default,
        "kind": getattr(option.kind, "__name__", str(option.kind)),
        "choices": list(option.choices),
        "least": option.least,
        "most": option.most,
        "meaning": option.meaning,
    }


def describe_agent(kind: "type[Agent]") -> AgentDescription:
    """An agent as data."""
    return {
        "name": kind.NAME,
        "summary": kind.SUMMARY,
        "most_players": kind.MOST_PLAYERS,
        "needs_net": kind.NEEDS_NET,
        "options": [describe_option(option) for option in kind.OPTIONS],
    }


def describe_net(trained: TrainedNet) -> NetDescription:
    """A trained network as data."""
    design = trained.design
    return {
        "name": trained.name,
        "game": trained.game,
        "board": design.kind,
        "players": design.players,
        "blocks": design.blocks,
        "channels": design.channels,
    }


def describe_evaluations(
    evaluations: Mapping[str, Evaluation], features: Sequence[str]
) -> list[EvaluationDescription]:
    """A game's evaluations as data; weights are empty if they do not belong to the features."""
    return [
        {
            "name": name,
            "meaning": each.meaning,
            "weights": list(each.weights) if len(each.weights) == len(features) else [],
        }
        for name, each in evaluations.items()
    ]


def describe_kind(kind: "BoardKind") -> BoardKindDescription:
    """A kind of board as data."""
    return {
        "name": kind.name,
        "example": kind.example,
        "meaning": kind.meaning,
        "options": [describe_option(option) for option in kind.options],
    }


def evaluations_by_game() -> dict[str, Mapping[str, Evaluation]]:
    """The evaluations of every game."""
    return {name: evaluations_of(name) for name in game_names()}


def features_of(game: str) -> tuple[str, ...]:
    """The names of the features that a game's weights apply to."""
    features: tuple[str, ...] = knowledge_of(game).FEATURES
    return features
