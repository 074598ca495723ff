"""What was learned, in the terminal."""

from topple.cli.terminal.output import print_table, print_wrapped
from topple.core.means import Mean
from topple.core.text import plural
from topple.learning.result import LearningResult
from topple.learning.settings import OPPONENTS
from topple.present.table import COUNT, FIGURE, PERCENT, Column, Table

MOST_ROWS = 20  # simulations that are listed


def print_learned(learned: LearningResult) -> None:
    """The settings, how each simulation went, and the weights."""
    settings = learned.settings
    simulations = plural(len(learned.simulations), "simulation")
    explore = f", {100 * settings.explore:g}% random moves" if settings.explore else ""
    print_wrapped(
        f"{settings.game.spec} on {settings.board_text}: {simulations} of {settings.games:,} "
        f"games, rate {settings.rate:g}{explore}, seed {settings.seed}"
    )
    print_wrapped(f"the second copy {opponent_text(settings.opponent)}")
    print()
    print_simulations(learned)
    print()
    print_weights(learned)
    print_wrapped(f"play with them: {learned.agent}")


def opponent_text(opponent: str) -> str:
    """What the second copy does."""
    return OPPONENTS.get(opponent, f"plays with the weights {opponent}")


def print_simulations(learned: LearningResult) -> None:
    """A line for each simulation, and which of them count."""
    columns = [Column(head, COUNT) for head in ("simulation", "wins", "draws", "losses")]
    columns.append(Column("won", PERCENT))
    rows = []
    for each in learned.simulations[:MOST_ROWS]:
        last = each.points[-1]
        rows.append((each.number, last.wins, last.draws, last.losses, each.win_rate / 100))
    print_table(Table(columns, rows))
    n = len(learned.simulations)
    if n > MOST_ROWS:
        print(f"… and {n - MOST_ROWS:,} more")
    print_wrapped(learned.averaging)
    n_cut = sum(each.cut for each in learned.simulations)
    n_lessons = sum(each.lessons for each in learned.simulations)
    if n_cut:
        print_wrapped(
            f"{n_cut:,} of {n_lessons:,} lessons were cut short: the rate is high for features "
            "as large as these"
        )


def print_weights(learned: LearningResult) -> None:
    """Each feature's weight with its interval, as learned and in the size of the built-in ones."""
    scaled = learned.scaled
    weights = zip(learned.weights.items(), learned.settings.built_in, strict=True)
    rows = [
        (name, f"{mean.value:.2f}", interval_text(mean), f"{scaled[name].value:.3f}", f"{own:g}")
        for (name, mean), own in weights
    ]
    heads = ("learned", "95% interval", "scaled", "built-in")
    print_table(Table([Column("feature"), *(Column(head, FIGURE) for head in heads)], rows))
    size = sum(map(abs, learned.settings.built_in))
    print_wrapped(
        f"scaled: means over simulations, each rescaled so that the sizes of its weights add up "
        f"to {size:g}, as those of the built-in weights do"
    )


def interval_text(mean: Mean) -> str:
    """`12.30 to 14.50`; nothing where there is no interval."""
    return "" if mean.low is None else f"{mean.low:.2f} to {mean.high:.2f}"
