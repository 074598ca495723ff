"""Plots of standings and choices: ratings, crosstables, lengths, costs, shares of moves."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import ceil, isfinite
from typing import Any

from matplotlib.colors import LinearSegmentedColormap
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from topple.arena.statistics.choices import BOTH, Choices
from topple.arena.statistics.groups import SEAT_NAMES
from topple.arena.statistics.rates import Estimate, score_rate
from topple.arena.statistics.standings import Contest, Standings
from topple.core.text import shorten
from topple.present.charts import (
    ROW,
    Chart,
    add_key,
    log_scale,
    name_rows,
    styled,
    whole_numbers,
    write_inside,
)
from topple.present.colours import (
    BLUE,
    DARK,
    FAINT,
    GREEN,
    INK,
    ORANGE,
    PALE,
    PAPER,
    VERMILION,
    WHITE,
)

Names = Mapping[str, str]  # the letter of each agent, the best first

WIDTH = 7.6  # inches
SEAT_COLOURS = (BLUE, ORANGE, GREEN, VERMILION, INK, FAINT, DARK, PALE)
FEWEST_BARS, MOST_BARS = 12, 40  # that a histogram has room for


@styled
def plot_ratings(
    standings: Standings, names: Names, contest: Contest | None = None
) -> Chart | None:
    """Ratings with 95% intervals, best at the top; None without games."""
    ratings = standings.ratings(contest)
    if ratings is None:
        return None
    chart = Chart(WIDTH, 1.0 + ROW * len(ratings.rows))
    axes = chart.axes[0, 0]
    finite = [end for row in ratings.rows for end in row.elo if isfinite(end)] or [0.0]
    margin = 0.06 * (max(finite) - min(finite)) + 10
    low, high = min(finite) - margin, max(finite) + margin
    axes.axvline(0, color=FAINT, linewidth=0.8, zorder=1)
    for place, row in enumerate(ratings.rows):
        ends = [min(max(end, low), high) for end in row.elo]
        axes.plot(ends[1:], [place, place], color=BLUE, linewidth=2.2, solid_capstyle="butt")
        for end in ends[1:]:
            axes.plot([end, end], [place - 0.14, place + 0.14], color=BLUE, linewidth=1.4)
        axes.plot(ends[0], place, "o", color=BLUE, markersize=7, markeredgecolor=PAPER)
        elo = f"{row.elo.value:+,.0f}".replace("-", "−")
        beside = axes.get_yaxis_transform()  # across in parts of the axes' width, down in rows
        axes.text(1.07, place, elo, ha="right", va="center", transform=beside)
    name_rows(axes, [row.agent for row in ratings.rows], names)
    axes.set_xlim(low, high)
    axes.grid(axis="x")
    axes.set_xlabel("Elo, with 95% intervals")
    return chart


@styled
def plot_crosstable(standings: Standings, names: Names, contest: Contest, title: str) -> Chart:
    """The scores of all pairings of a contest as a heat map."""
    agents = [agent for agent in names if agent in standings.agents_in(contest)]
    n = len(agents)
    cell = 0.62 if n <= 12 else 0.5
    chart = Chart(2.9 + cell * n, 0.9 + 0.72 * cell * n)
    axes = chart.axes[0, 0]
    colours = LinearSegmentedColormap.from_list("score", [VERMILION, "#f7f7f7", BLUE])
    for row, agent in enumerate(agents):
        for column, other in enumerate(agents):
            score = score_rate(standings.pairs(agent, other, contest))
            _square(axes, row, column, score, colours)
    name_rows(axes, agents, names)
    axes.set_xlim(-0.5, n - 0.5)
    axes.set_xticks(range(n), [names[agent] for agent in agents])
    axes.xaxis.tick_top()
    axes.set_title(shorten(title, 30 + 7 * n), size=9.5, pad=8)
    axes.tick_params(axis="x", length=0)
    for side in ("top", "bottom"):
        axes.spines[side].set_visible(False)
    chart.figure.supxlabel("score of row against column in % ± half its 95% interval", size=8.5)
    return chart


def contest_plot(
    standings: Standings, names: Names, contest: Contest, title: str
) -> tuple[str, Chart] | None:
    """The chart of a contest's scores with its name; None for two agents in a match."""
    if standings.group_results(contest) is not None:
        return "seats", plot_seats(standings, names, contest, title)
    if len(standings.agents_in(contest)) > 2:
        return "crosstable", plot_crosstable(standings, names, contest, title)
    return None


@styled
def plot_seats(standings: Standings, names: Names, contest: Contest, title: str) -> Chart:
    """The score of each agent in each seat, in games of more than two players."""
    results = standings.group_results(contest)
    assert results is not None
    n_seats = results.n_players or 0
    agents = [agent for agent in names if agent in standings.agents_in(contest)]
    chart = Chart(WIDTH, 1.3 + (0.3 + 0.13 * n_seats) * len(agents))
    axes = chart.axes[0, 0]
    axes.axvline(100 / n_seats, color=FAINT, linewidth=0.8, zorder=1)
    for place, agent in enumerate(agents):
        for seat in range(n_seats):
            score = results.score(agent, seat)
            if score is None:
                continue
            y = place + 0.6 * ((seat + 0.5) / n_seats - 0.5)
            colour = SEAT_COLOURS[seat]
            ends = [100 * end for end in score[1:]]
            axes.plot(ends, [y, y], color=colour, linewidth=1.8, solid_capstyle="butt")
            axes.plot(100 * score.value, y, "o", color=colour, markersize=5, markeredgecolor=PAPER)
    name_rows(axes, agents, names)
    axes.set_xlim(0, 100)
    axes.grid(axis="x")
    axes.set_title(shorten(title, 50), size=9.5, pad=22)
    axes.set_xlabel("score in % in each seat, with 95% intervals; the line is equal strength")
    add_key(axes, [Patch(color=SEAT_COLOURS[i], label=SEAT_NAMES[i]) for i in range(n_seats)])
    return chart


def _square(axes: Any, row: int, column: int, score: Estimate | None, colours: Any) -> None:
    colour = PALE if score is None else colours(score.value)
    corner = (column - 0.5, row - 0.5)
    axes.add_patch(Rectangle(corner, 1, 1, facecolor=colour, edgecolor=PAPER, linewidth=1.5))
    if score is None:
        return
    ink = WHITE if abs(score.value - 0.5) > 0.36 else DARK
    half = 50 * (score.high - score.low)
    write_inside(axes, column, row - 0.13, f"{100 * score.value:.0f}", color=ink, size=9.5)
    write_inside(axes, column, row + 0.24, f"±{half:.0f}", color=ink, size=7)


@styled
def plot_lengths(standings: Standings, texts: Mapping[Contest, str]) -> Chart:
    """How long games were, a histogram for each contest."""
    columns = min(2, len(texts))
    rows = ceil(len(texts) / columns)
    chart = Chart(WIDTH, 0.3 + 1.75 * rows, columns, rows)
    for axes in list(chart.axes.flat)[len(texts) :]:
        axes.set_visible(False)
    for axes, (contest, text) in zip(chart.axes.flat, texts.items(), strict=False):
        total = standings.total(contest)
        starts, counts, width = histogram(total.lengths)
        style = {"color": BLUE, "edgecolor": PAPER, "linewidth": 0.5}
        axes.bar(starts, counts, width=width, align="edge", **style)
        axes.axvline(total.mean_plies, color=VERMILION, linewidth=1.4)
        axes.set_title(shorten(text, 42), size=9, pad=14)
        mean = f"{total.games:,} games, mean {total.mean_plies:.1f}"
        axes.text(0, 1.03, mean, color=VERMILION, size=8, transform=axes.transAxes)
        axes.grid(axis="y")
        spare = max(0.0, (FEWEST_BARS - len(starts)) / 2)
        axes.set_xlim(starts[0] - spare - 0.5, starts[-1] + width + spare + 0.5)
        whole_numbers(axes, 6)
    chart.figure.supxlabel("plies", size=9)
    chart.figure.supylabel("games", size=9)
    return chart


def histogram(lengths: Counter[int]) -> tuple[list[float], list[int], int]:
    """The starts, heights and width of at most 40 bars of equal width.

    >>> from collections import Counter
    >>> histogram(Counter({10: 2, 12: 1}))
    ([9.5, 10.5, 11.5], [2, 0, 1], 1)
    """
    low, high = min(lengths), max(lengths)
    width = ceil((high - low + 1) / MOST_BARS)
    starts = range(low, high + 1, width)
    counts = [sum(lengths[plies] for plies in range(at, at + width)) for at in starts]
    return [at - 0.5 for at in starts], counts, width


@styled
def plot_costs(standings: Standings, names: Names) -> Chart:
    """Time and effort for a move: over all contests and, fainter, in each of them."""
    agents = [agent for agent in names if agent in standings.agents]
    chart = Chart(WIDTH, 1.25 + ROW * len(agents), columns=2, sharey=True)
    time, effort = chart.axes[0]
    for place, agent in enumerate(agents):
        contests = [standings.agent_totals(agent, contest) for contest in standings.contests]
        few = [*contests, standings.agent_totals(agent)] if len(contests) > 1 else contests
        for totals in few:
            faint = {"alpha": 0.3, "markersize": 4} if totals is not few[-1] else {"markersize": 7}
            _dot(time, 1000 * totals.per_move(totals.seconds), place, "o", BLUE, faint)
            _dot(effort, totals.per_move(totals.simulations), place, "o", GREEN, faint)
            _dot(effort, totals.per_move(totals.nodes), place, "s", ORANGE, faint)
    for axes, label in ((time, "milliseconds per move"), (effort, "simulations or nodes per move")):
        name_rows(axes, agents, names)
        if axes.lines:  # nothing has a logarithm where nothing was measured
            log_scale(axes)
        axes.set_xlabel(label)
        axes.grid(axis="both")
    keys = [
        Line2D([], [], marker=mark, color=colour, linestyle="none", markersize=6, label=what)
        for mark, colour, what in (("o", GREEN, "simulations"), ("s", ORANGE, "nodes"))
    ]
    add_key(effort, keys)
    return chart


def _dot(axes: Any, x: float, y: float, mark: str, colour: str, style: dict[str, Any]) -> None:
    if x > 0:
        axes.plot(x, y, mark, color=colour, markeredgecolor="none", zorder=3, **style)


@styled
def plot_choices(
    choices: Choices, contest: Contest, names: Names, title: str, seats: str = BOTH
) -> Chart:
    """Shares of moves on the top, the other and the lowest vertices, in all games and those won.

    In the manner of Figures 4 and 5 of the Spread-It paper. Broken lines show the
    shares of a player who chooses every vertex equally often.
    """
    agents = [agent for agent in names if agent in choices.agents(contest)]
    chart = Chart(WIDTH, 1.3 + 0.62 * len(agents))
    axes = chart.axes[0, 0]
    for place, agent in enumerate(agents):
        for offset, won in ((-0.2, False), (0.2, True)):
            shares = choices.shares(contest, agent, seats, won=won)
            what = f"won ({shares.games:,})" if won else f"all ({shares.games:,})"
            axes.text(-1, place + offset, what, ha="right", va="center", size=7, color=FAINT)
            _bar(axes, place + offset, (shares.top, shares.rest, shares.lowest))
    groups = choices.groups(contest)
    n = sum(map(len, groups))
    for at in (len(groups.top) / n, 1 - len(groups.lowest) / n):
        axes.axvline(100 * at, color=INK, linewidth=1, linestyle=(0, (3, 2)), zorder=4)
    name_rows(axes, agents, names)
    axes.tick_params(axis="y", pad=52)
    axes.set_xlim(0, 100)
    axes.set_title(shorten(title, 50), size=9.5, pad=22)
    axes.set_xlabel(f"% of own moves by {choices.measure} centrality, with 95% intervals")
    labels = (BLUE, "top 20%"), (PALE, "rest"), (ORANGE, "lowest 20%")
    add_key(axes, [Patch(color=colour, label=label) for colour, label in labels])
    return chart


def _bar(axes: Any, y: float, shares: Sequence[Estimate | None]) -> None:
    left = 0.0
    looks = ((BLUE, WHITE), (PALE, INK), (ORANGE, DARK))
    for share, (colour, ink) in zip(shares, looks, strict=True):
        if share is None:
            axes.text(1, y, "no moves", va="center", size=7, color=FAINT)
            return
        width = 100 * share.value
        axes.barh(y, width, 0.36, left=left, color=colour, edgecolor=PAPER, linewidth=0.5)
        if width >= 6:
            write_inside(axes, left + width / 2, y, f"{width:.1f}", color=ink, size=7.5)
        left += width
    top, _, lowest = shares
    assert top is not None
    assert lowest is not None
    style = {"color": INK, "linewidth": 1.2, "zorder": 5, "marker": "|", "markersize": 4}
    for low, high in ((top.low, top.high), (1 - lowest.high, 1 - lowest.low)):
        axes.plot([100 * low, 100 * high], [y + 0.1] * 2, **style)
