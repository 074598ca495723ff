"""`topple agents`: who can play."""

from topple.agents import Agent, add_installed, agent_names, bridge_names, find_agent
from topple.agents.catalogue import (
    NetDescription,
    describe_agent,
    describe_evaluations,
    describe_net,
    evaluations_by_game,
    features_of,
)
from topple.cli.commands.games import found, print_option
from topple.cli.options import Json
from topple.cli.terminal.output import print_json, print_wrapped
from topple.nets.shelf import load_shipped


def agents(as_json: Json = False) -> None:
    """List the agents with their options, the networks, and the games' evaluations."""
    add_installed()
    kinds = list(found(find_agent, agent_names()))
    bridges = [find_agent(name) for name in bridge_names()]
    nets = [describe_net(trained) for trained in load_shipped()]
    known = evaluations_by_game()
    if as_json:
        print_json(
            {
                "agents": [describe_agent(kind) for kind in kinds],
                "bridges": [describe_agent(kind) for kind in bridges],
                "nets": nets,
                "evaluations": {
                    game: describe_evaluations(each, features_of(game))
                    for game, each in known.items()
                },
                "features": {game: list(features_of(game)) for game in known},
            },
            indent=2,
        )
        return
    for kind in kinds:
        print_agent(kind)
        print()
    print("Programs of others as agents:")
    for kind in bridges:
        print_agent(kind)
        print()
    print("Networks that are shipped, which puct, policy and alphabeta:evaluation=net ask:")
    for net in nets:
        print_net(net)
    print()
    print("Evaluations, each game's default first:")
    for game, evaluations in known.items():
        print(game)
        for name, evaluation in evaluations.items():
            print_wrapped(evaluation.meaning, first=f"    {name}: ", indent=8)
        print(f"    weights of {'/'.join(features_of(game))}")
    print("\nWrite options behind the name: topple play hex human uct:iterations=1000")


def print_net(net: NetDescription) -> None:
    """A network for people."""
    print_wrapped(
        f"{net['name']}: {net['game']} for {net['players']} players, boards of kind "
        f"{net['board']}; {net['blocks']} blocks of {net['channels']} channels"
    )


def print_agent(kind: type[Agent]) -> None:
    """An agent for people."""
    print_wrapped(f"{kind.NAME}: {kind.SUMMARY}")
    for option in kind.OPTIONS:
        print_option(option)
