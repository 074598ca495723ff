"""`topple exhibition`: one short game of each kind by random players."""

from typing import TYPE_CHECKING, Any, NamedTuple

from topple.cli.options import Json, Seed, chosen_seed
from topple.cli.output import print_json, print_table

if TYPE_CHECKING:
    from topple.game import Game
    from topple.position import Position

# Boards on which random games are short.
PROGRAMME = {
    "spread-it": None,
    "chain-reaction": "grid:5x5",
    "infexion": "infexion:7",
    "hex": "hex:7",
    "influence": "segment:17",
}


class Show(NamedTuple):
    """A game of the exhibition, played to its end."""

    last: "Position"
    n_plies: int


def exhibition(seed: Seed = None, as_json: Json = False) -> None:
    """Play one short game of each kind by random players."""
    from topple.cli.preparing import prepare
    from topple.cli.progress import progress
    from topple.game import load
    from topple.warming import RULES

    seed = chosen_seed(seed)
    games = [load(name, board) for name, board in PROGRAMME.items()]
    for game in games:
        prepare(game, RULES)
    shows = []
    with progress("playing", len(games)) as done:
        for game in games:
            shows.append(play_show(game, seed))
            done(game.name)
    if as_json:
        print_json([describe_show(show, seed) for show in shows])
        return
    print(f"seed {seed}")
    for show in shows:
        print_show(show)
    print()
    print_table(
        ["game", "board", "plies", "winner", "reason"],
        [list(describe_show(show, seed).values())[1:] for show in shows],
    )


def play_show(game: "Game", seed: int) -> Show:
    """Play a game at random to its end."""
    from topple.agents import agent

    player = agent("random").begin(seed)
    position, n_plies = game.start(), 0
    while not position.is_over:
        position = position.play(player.choose(position, n_plies).move)
        n_plies += 1
    return Show(position, n_plies)


def print_show(show: Show) -> None:
    """The last board of a game with its result."""
    from topple.cli.telling import show_position, standing

    game = show.last.game
    print(f"\n{game.title} on {game.board.spec}")
    show_position(show.last)
    print(standing(show.last, show.n_plies))


def describe_show(show: Show, seed: int) -> dict[str, Any]:
    """A game of the exhibition as data."""
    game, outcome = show.last.game, show.last.outcome
    assert outcome is not None
    return {
        "seed": seed,
        "game": game.spec,
        "board": game.board.spec,
        "plies": show.n_plies,
        "winner": "draw" if outcome.winner is None else game.players[outcome.winner],
        "reason": outcome.reason,
    }
