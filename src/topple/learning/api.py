"""Learning from Python."""

from collections.abc import Callable
from pathlib import Path

from topple.boards import Board
from topple.game.game import Game
from topple.learning.course import Course
from topple.learning.learned import Learned
from topple.learning.settings import GAMES, KEEP, LEARNING, SEED, SIMULATIONS, make_settings


def learn(
    game: str | Game,
    *,
    board: str | Board | None = None,
    games: int = GAMES,
    simulations: int = SIMULATIONS,
    rate: float | None = None,
    seed: int = SEED,
    keep: float = KEEP,
    opponent: str = LEARNING,
    explore: float | None = None,
    workers: int = 1,
    out: str | Path | None = None,
    report: Callable[[int, int], None] | None = None,
) -> Learned:
    """Learn the weights of a game's features by playing, with the rule of least mean squares.

    With more than one worker, call it in a script under
    `if __name__ == "__main__":`, because worker processes import the script.

    Parameters
    ----------
    game : str or Game
        What is learned. A text without a board is played on its own board, or,
        where that is a random network, on a new one each game.
    board : str or Board, optional
        One board for all games.
    games, simulations : int
        Games that each learner plays, and how many learners there are.
    rate : float, optional
        The learning rate; by default 0.05, less where features are large.
    seed : int
        Fixes everything.
    keep : float
        Simulations in which the learner won fewer games, in percent, do not count.
    opponent : str
        What the second copy does: `"learning"`, `"frozen"`, `"same"`,
        `"random"`, or weights that it plays with.
    explore : float, optional
        The chance of a random move: by default 0, where all games are played on
        one board 0.1.
    workers : int
        Processes.
    out : path, optional
        A file that keeps every simulation; what it has already is not played again.
    report : callable, optional
        Is told how many games have been played, and of how many.

    Raises
    ------
    BadText, BadBoard, Unsupported
        If a setting makes no sense, or the game has nothing to learn.
    ToppleError
        If the file cannot be read or written.

    Examples
    --------
    >>> import topple
    >>> learned = topple.learn("influence", board="segment:9", games=50, simulations=2)
    >>> list(learned.weights), learned.weights_text
    (['score', 'reach'], '...')
    """
    settings = make_settings(
        game, board, games=games, rate=rate, seed=seed, opponent=opponent, explore=explore
    )
    course = Course(settings, simulations, keep, None if out is None else Path(out))
    course.run(workers, report)
    return course.learned()
