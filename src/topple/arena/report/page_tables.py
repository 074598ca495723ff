"""The tables of a report's page."""

from collections.abc import Callable, Mapping

from topple.arena.statistics.choices import BOTH, SEATS, Choices
from topple.arena.statistics.elo import elo_difference, los
from topple.arena.statistics.pairs import Pairs
from topple.arena.statistics.rates import Estimate, draw_rate, score_rate, win_loss_ratio, win_rate
from topple.arena.statistics.standings import Contest, Standings
from topple.present.html import table
from topple.present.numbers import certainty, elo_text, milliseconds, percent

Names = Mapping[str, str]  # the letter of each agent, the best first

MOST_VERTICES = 60  # of a board that are listed with their counts
NOTHING = "–"


def ratings_table(standings: Standings, names: Names) -> str:
    """Ratings with intervals, best first."""
    ratings = standings.ratings()
    rows = []
    for rank, row in enumerate([] if ratings is None else ratings.rows, start=1):
        pairs = standings.all_pairs(row.agent)
        rows.append([
            _named(row.agent, names), str(rank), *_two(row.elo, elo_text),
            f"{row.games:,}", *(_short(each) for each in (
                row.score, win_rate(pairs), draw_rate(pairs), win_loss_ratio(pairs))),
        ])  # fmt: skip
    heads = ["agent", "rank", "Elo", "95% interval", "games", "score", "WR", "DR", "WLR"]
    caption = "Ratings; rates in % ± half their 95% intervals"
    if ratings is not None:
        value, interval = _two(ratings.first_move, elo_text)
        caption += f". The first move is worth {value} Elo ({interval})."
    return table(caption, heads, rows)


def crosstable(standings: Standings, names: Names, contest: Contest) -> str:
    """Scores of row against column."""
    agents = [agent for agent in names if agent in standings.agents_in(contest)]
    ratings = standings.ratings(contest)
    elos = {} if ratings is None else {row.agent: row.elo for row in ratings.rows}
    rows = []
    for agent in agents:
        cells = [_score(standings.pairs(agent, other, contest)) for other in agents]
        value, interval = _two(elos.get(agent), elo_text)
        rows.append([_named(agent, names), f"{value}\n{interval}", *cells])
    caption = (
        "Score of row against column in % ± half its 95% interval, below it wins-draws-losses; "
        "Elo in this contest alone"
    )
    return table(caption, ["agent", "Elo", *(names[agent] for agent in agents)], rows)


def pairings_table(standings: Standings, names: Names, contest: Contest) -> str:
    """Everything about each pairing."""
    rows = []
    for first, second in standings.pairings(contest, names):
        totals = standings.pairing_totals(first, second, contest)
        pairs = totals.pairs
        rates = (win_rate(pairs), draw_rate(pairs), win_loss_ratio(pairs), score_rate(pairs))
        rows.append([
            f"{names[first]}–{names[second]}",
            f"{totals.games:,}\n{_different(totals.games, totals.effective_games)}",
            str(pairs.tally),
            *("\n".join(_two(rate, percent)) for rate in rates),
            "\n".join(_two(elo_difference(pairs), elo_text)), certainty(los(pairs)),
            *(f"{seat.tally}\n{_short(win_rate(seat))}" for seat in map(pairs.in_seat, (0, 1))),
            f"{totals.mean_plies:.1f}",
        ])  # fmt: skip
    heads = ["pairing", "games", "W-D-L", "WR", "DR", "WLR", "score", "Elo", "LOS", "as first",
             "as second", "plies"]  # fmt: skip
    shown = {agent for pairing in standings.pairings(contest, names) for agent in pairing}
    legend = "; ".join(f"{name} is {agent}" for agent, name in names.items() if agent in shown)
    caption = (
        "Pairings, seen by the first agent, with 95% intervals; as first and as second: W-D-L, "
        f"below it WR in % ± half its interval; {legend}"
    )
    return table(caption, heads, rows)


def agents_table(standings: Standings, names: Names) -> str:
    """What each agent's moves have cost, and how its games went."""
    rows = []
    for agent in names:
        totals = standings.agent_totals(agent)
        kinds = "\n" + ", ".join(f"{n} by {kind}" for kind, n in sorted(totals.forfeits.items()))
        rows.append([
            _named(agent, names), f"{totals.games:,}", f"{totals.mean_plies:.1f}",
            f"{totals.moves:,}", milliseconds(totals.per_move(totals.seconds)),
            _effort(totals.per_move(totals.simulations)), _effort(totals.per_move(totals.nodes)),
            f"{totals.forfeits.total():,}{kinds if totals.forfeits else ''}",
        ])  # fmt: skip
    heads = ["agent", "games", "plies", "own moves", "ms per move", "simulations per move",
             "nodes per move", "forfeits"]  # fmt: skip
    return table("Means for each agent", heads, rows)


def shares_table(choices: Choices, names: Names, contest: Contest) -> str:
    """Shares of moves by centrality, in each seat, in all games and in those won."""
    rows = []
    for agent in (agent for agent in names if agent in choices.agents(contest)):
        for seats in SEATS:
            for won in (False, True):
                shares = choices.shares(contest, agent, seats, won=won)
                estimates = (shares.top, shares.rest, shares.lowest)
                rows.append([
                    _named(agent, names), seats, "won" if won else "all",
                    f"{shares.games:,}", f"{shares.moves:,}",
                    *("\n".join(_two(each, percent)) for each in estimates),
                ])  # fmt: skip
    heads = ["agent", "seat", "games", "number", "moves", "top 20%", "rest", "lowest 20%"]
    return table("Shares of moves with 95% intervals", heads, rows, words=(0, 1, 2))


def vertices_table(choices: Choices, names: Names, contest: Contest) -> str:
    """How often each agent moved on each vertex, the most chosen first."""
    agents = [agent for agent in names if agent in choices.agents(contest)]
    counts = {agent: choices.vertex_counts(contest, agent, BOTH) for agent in agents}
    labels, groups = choices.labels(contest), choices.groups(contest)
    totals = [sum(counts[agent][vertex] for agent in agents) for vertex in range(len(labels))]
    order = sorted(range(len(labels)), key=lambda vertex: (-totals[vertex], vertex))
    rows = []
    for vertex in order[:MOST_VERTICES]:
        group = "top" if vertex in groups.top else "lowest" if vertex in groups.lowest else ""
        rows.append([labels[vertex], group, f"{totals[vertex]:,}",
                     *(f"{counts[agent][vertex]:,}" for agent in agents)])  # fmt: skip
    heads = ["vertex", "20%", "all", *(names[agent] for agent in agents)]
    most = min(len(labels), MOST_VERTICES)
    caption = "Moves on each vertex, in all games"
    if most < len(labels):
        caption += f"; the {most} most chosen of {len(labels):,} vertices"
    return table(caption, heads, rows, words=(0, 1))


def _named(agent: str, names: Names) -> str:
    return f"{names[agent]}\n{agent}"


def _two(estimate: Estimate | None, form: Callable[[float], str]) -> tuple[str, str]:
    """A value and its interval."""
    if estimate is None:
        return NOTHING, ""
    return form(estimate.value), f"{form(estimate.low)} to {form(estimate.high)}"


def _short(estimate: Estimate | None) -> str:
    if estimate is None:
        return NOTHING
    return f"{100 * estimate.value:.1f} ± {50 * (estimate.high - estimate.low):.1f}"


def _score(pairs: Pairs) -> str:
    if not pairs.n_pairs:
        return ""
    return f"{_short(score_rate(pairs))}\n{pairs.tally}"


def _different(games: int, effective: int) -> str:
    return "" if effective == games else f"{effective:,} different"


def _effort(number: float) -> str:
    return f"{number:,.0f}" if number else NOTHING
