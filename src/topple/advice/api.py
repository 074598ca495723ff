"""`topple.advise`: which vertex to take next, and what the usual methods would lose."""

from topple.advice.adviser import (
    CANDIDATES,
    GAMES,
    LOOKS,
    SEED,
    TOP,
    AdviceSettings,
    Adviser,
    Report,
    check,
)
from topple.advice.baselines import SIMULATIONS
from topple.advice.result import Advice
from topple.core.stopping import Stop
from topple.game import Game, Position
from topple.kernels.betweenness import add_betweenness
from topple.kernels.quick_games import play_games
from topple.kernels.seeding import count_won

KERNELS = (play_games, count_won, add_betweenness)  # that advice runs besides its agents


def advise(
    what: Game | Position,
    *,
    top: int = TOP,
    games: int = GAMES,
    looks: int = LOOKS,
    candidates: int = CANDIDATES,
    seed: int = SEED,
    simulations: int = SIMULATIONS,
    workers: int | None = None,
    stop: Stop | None = None,
    report: Report | None = None,
) -> Advice:
    """Rank the next moves of a position of Spread-It by win probability.

    The win probability of a move is the share of games won, with draws counted half, if it is
    played and both sides then play as quick players do: each draws `looks` legal moves,
    evaluates the position after each, and plays the best. Moves are chosen by one set of games
    and rated by another.

    Parameters
    ----------
    what : Game or Position
        Spread-It on any board, from the start or from a position.
    top : int
        The number of moves to rate.
    games : int
        Fresh games after each of these, and after the baselines' choices.
    looks : int
        The number of moves that a quick player looks at; more play better and take longer.
    candidates : int
        The largest number of moves to try. If there are more, those are tried that the
        baselines or the greedy agent rank highest.
    seed : int
        Fixes every random choice.
    simulations : int
        Draws for the greedy choice of seeds.
    workers : int, optional
        Threads; by default one for each core. The answer does not depend on it.
    stop : threading.Event, optional
        Ends the work when it is set; the answer is what is known by then.
    report : callable, optional
        Called with the number of games played so far and the number of all games.

    Raises
    ------
    BadText
        If the game is over, or a number is out of range.
    Unsupported
        If it is another game, or would take longer than a day.

    Examples
    --------
    >>> import topple
    >>> game = topple.load("spread-it", board="karate", loyalty="full")
    >>> advice = topple.advise(game, top=3, games=20)
    >>> len(advice.rows), [each.name for each in advice.baselines]
    (3, ['degree', 'pagerank', 'betweenness', 'greedy'])
    """
    position = what.start() if isinstance(what, Game) else what
    settings = AdviceSettings(top, games, looks, candidates, seed, simulations, workers)
    check(position, settings)
    return Adviser(position, settings, stop, report).run()
