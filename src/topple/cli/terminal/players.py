"""Who can sit down at a game in the terminal: a person, or any agent."""

from collections.abc import Sequence
from dataclasses import dataclass

from topple.agents import Agent, Player, agent, agent_names, bridge_names
from topple.compiling.rng import make_rng
from topple.core.errors import BadText, unknown
from topple.game.game import Game
from topple.game.record import LONGEST_NAME

HUMAN = "human"


@dataclass(frozen=True)
class Seat:
    """A place at the table. `player` is None for a person at the keyboard."""

    name: str
    player: Player | None


def is_player(text: str) -> bool:
    """Tell whether a text names someone who can play, whatever its options."""
    return text.partition(":")[0].strip() in _known()


def _known() -> tuple[str, ...]:
    return (HUMAN, *agent_names(), *bridge_names())


def seat_players(game: Game, names: Sequence[str], seed: int) -> tuple[Seat, ...]:
    """Seat the named players in order; empty seats go to random ones.

    Each seat has a seed of its own, so that two agents of a kind play
    independently.

    Raises
    ------
    BadText
        If a name or an option is unknown or there are too many.
    Unsupported
        If an agent cannot play the game.
    """
    if len(names) > game.n_players:
        raise BadText(f"{game.spec} is for {game.n_players} players, and {len(names)} are named")
    filled = [*names, *["random"] * (game.n_players - len(names))]
    return tuple(_seat(game, name, int(make_rng(seed, i)[0])) for i, name in enumerate(filled))


def _seat(game: Game, name: str, seed: int) -> Seat:
    if name == HUMAN:
        return Seat(HUMAN, None)
    agent = find_player(name)
    agent.check_game(game)
    return Seat(agent.spec, agent.begin(seed))


def find_player(name: str) -> Agent:
    """The agent that a player's name stands for.

    Raises
    ------
    BadText
        If there is none, or its text is too long to stand in a record.
    """
    kind = name.partition(":")[0].strip()
    if not is_player(name):
        raise BadText(unknown("player", kind, _known()))
    if kind == HUMAN:
        raise BadText(f"{name!r:.60}: a person has no options, write {HUMAN}")
    found = agent(name)
    if len(found.spec) > LONGEST_NAME:
        raise BadText(f"an agent's text of {len(found.spec)} characters does not fit into a record")
    return found
