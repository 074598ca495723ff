"""`topple agents`: who can play."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from topple.cli.games import describe_option, print_option
from topple.cli.options import Json
from topple.cli.output import print_json, print_wrapped

if TYPE_CHECKING:
    from topple.agents import Agent
    from topple.evaluations.interface import Evaluation


def agents(as_json: Json = False) -> None:
    """List the agents with their options, and the games' evaluations."""
    from topple.agents import agent_names, find_agent

    kinds = [find_agent(name) for name in agent_names()]
    known = evaluations_by_game()
    if as_json:
        print_json(
            {
                "agents": [describe_agent(kind) for kind in kinds],
                "evaluations": {game: describe_evaluations(each) for game, each in known.items()},
                "features": {game: list(features_of(game)) for game in known},
            },
            indent=2,
        )
        return
    for kind in kinds:
        print_agent(kind)
        print()
    print("Evaluations, each game's default first:")
    for game, evaluations in known.items():
        print(game)
        for name, evaluation in evaluations.items():
            print_wrapped(evaluation.meaning, first=f"    {name}: ", indent=8)
        print(f"    weights of {'/'.join(features_of(game))}")
    print("\nWrite options behind the name: topple play hex human uct:iterations=1000")


def evaluations_by_game() -> "dict[str, Mapping[str, Evaluation]]":
    """The evaluations of every game."""
    from topple.evaluations import evaluations_of
    from topple.rules import game_names

    return {name: evaluations_of(name) for name in game_names()}


def features_of(game: str) -> tuple[str, ...]:
    """What a game's weights are weights of."""
    from topple.evaluations import knowledge_of

    features: tuple[str, ...] = knowledge_of(game).FEATURES
    return features


def describe_agent(kind: "type[Agent]") -> dict[str, Any]:
    """An agent as data."""
    return {
        "name": kind.NAME,
        "summary": kind.SUMMARY,
        "most_players": kind.MOST_PLAYERS,
        "options": [describe_option(option) for option in kind.OPTIONS],
    }


def describe_evaluations(evaluations: "Mapping[str, Evaluation]") -> list[dict[str, Any]]:
    """A game's evaluations as data."""
    return [
        {"name": name, "meaning": each.meaning, "weights": list(each.weights)}
        for name, each in evaluations.items()
    ]


def print_agent(kind: "type[Agent]") -> None:
    """An agent for people."""
    print_wrapped(f"{kind.NAME}: {kind.SUMMARY}")
    for option in kind.OPTIONS:
        print_option(option)
