"""The tables of standings, choices and mistakes, for terminals and pages alike.

Agents are named by letters; pages print the agent itself small below its letter.
"""

from collections.abc import Mapping, Sequence

from topple.arena.statistics.choices import BOTH, Choices, seats_of
from topple.arena.statistics.communities import Held
from topple.arena.statistics.elo import elo_difference, los
from topple.arena.statistics.groups import SEAT_NAMES
from topple.arena.statistics.mistakes import MistakeRow
from topple.arena.statistics.pairs import Pairs
from topple.arena.statistics.rates import Estimate, draw_rate, score_rate, win_loss_ratio, win_rate
from topple.arena.statistics.ratings import Ratings
from topple.arena.statistics.standings import AgentTotals, Contest, Standings
from topple.core.text import one_line
from topple.present.table import (
    CERTAINTY,
    COUNT,
    ELO,
    FIGURE,
    MEAN,
    MILLISECONDS,
    NOTHING,
    PERCENT,
    REGRET,
    Column,
    Kind,
    Table,
    interval_of,
)

Names = Mapping[str, str]  # the letter of each agent, the best first

MOST_VERTICES = 60  # of a board that are listed with their counts
MOST_COMMUNITIES = 30  # of a board that are listed
RETURN = Kind("{:.2f}".format)
SAME = "·"  # in a crosstable, where an agent did not meet itself
REGRETS = {"result": "from won to lost is a regret of 2", "points": "regret in points"}


def ratings_table(
    standings: Standings, names: Names, contest: Contest | None = None
) -> Table | None:
    """Ratings with intervals, best first; None without games."""
    ratings = standings.ratings(contest)
    if ratings is None:
        return None
    columns = [
        Column("rank", COUNT),
        Column("agent"),
        Column("Elo", ELO),
        Column("95% interval", interval_of(ELO)),
        Column("games", COUNT),
        Column("score", PERCENT, "below"),
        Column("WR", PERCENT, "below"),
    ]
    if not ratings.seats:
        columns += [
            Column("DR", PERCENT, "below"),
            Column("WLR", PERCENT, "below", is_extra=True),
        ]
    rows = [
        (
            rank,
            _named(row.agent, names),
            row.elo.value,
            row.elo,
            row.games,
            row.score,
            *_rates(standings, row.agent, contest, of_groups=bool(ratings.seats)),
        )
        for rank, row in enumerate(ratings.rows, start=1)
    ]
    return Table(columns, rows, "Ratings with 95% intervals", [_worth_of_seats(ratings)])


def _rates(
    standings: Standings, agent: str, contest: Contest | None, *, of_groups: bool
) -> tuple[Estimate | None, ...]:
    """WR, DR and WLR of an agent; in games of more than two players WR alone."""
    if of_groups:
        results = standings.group_results(contest)
        assert results is not None
        return (results.win_rate(agent),)
    pairs = standings.all_pairs(agent, contest)
    return win_rate(pairs), draw_rate(pairs), win_loss_ratio(pairs)


def _worth_of_seats(ratings: Ratings) -> str:
    """What the first move is worth in Elo; with more than two players, what each seat is."""
    if not ratings.seats:
        worth = f"{ELO.one(ratings.first_move.value)} Elo ({ELO.interval(ratings.first_move)})"
        return f"the first move is worth {worth}"
    seats = zip(SEAT_NAMES, ratings.seats, strict=False)
    worth = ", ".join(f"{name} {ELO.one(at.value)} ({ELO.interval(at)})" for name, at in seats)
    return f"what the seats are worth in Elo, beside their mean: {worth}"


def groups_table(standings: Standings, names: Names, contest: Contest) -> Table:
    """Results of each agent in games of more than two players."""
    results = standings.group_results(contest)
    assert results is not None
    columns = [
        Column("agent"),
        *(Column(head, COUNT) for head in ("games", "won", "shared", "lost")),
        Column("WR", PERCENT, "below", is_extra=True),
        Column("score", PERCENT, "half"),
        Column("return", RETURN, "half"),
    ]
    rows = [
        (
            _named(agent, names),
            sum(results.tally(agent)),
            *results.tally(agent),
            results.win_rate(agent),
            results.score(agent),
            results.mean_return(agent),
        )
        for agent in _present(standings, names, contest)
    ]
    equal = PERCENT.one(1 / (results.n_players or 1))
    note = (
        "score: share of the wins ± half its 95% interval, of a shared win a part; "
        f"agents of equal strength have {equal} each"
    )
    return Table(columns, rows, "Results of each agent with 95% intervals", [note])


def seats_table(standings: Standings, names: Names, contest: Contest) -> Table:
    """The score of each agent in each seat, in games of more than two players."""
    results = standings.group_results(contest)
    assert results is not None
    n_seats = results.n_players or 0
    columns = [Column("agent"), *(Column(head, PERCENT, "half") for head in SEAT_NAMES[:n_seats])]
    rows = [
        (
            "all" if agent is None else _named(agent, names),
            *(results.score(agent, seat) for seat in range(n_seats)),
        )
        for agent in (*_present(standings, names, contest), None)
    ]
    note = "score of each agent in each seat ± half its 95% interval"
    return Table(columns, rows, "Score in each seat with 95% intervals", [note])


def crosstable(
    standings: Standings,
    names: Names,
    contest: Contest,
    *,
    digits: int = 1,
    between: str = "\n",
) -> Table:
    """Scores of row against column, with so many digits after the point.

    `between` stands between a score and wins-draws-losses: with a line break, terminals
    show the score alone.
    """
    agents = _present(standings, names, contest)
    ratings = standings.ratings(contest)
    elos = {} if ratings is None else {row.agent: row.elo for row in ratings.rows}
    score = Kind(lambda rate: f"{100 * rate:.{digits}f}")

    def cell(pairs: Pairs) -> str:
        found = score_rate(pairs)
        return SAME if found is None else f"{score.half(found)}{between}{pairs.tally}"

    columns = [Column("agent"), Column("Elo", ELO, "below", is_extra=True)]
    columns += [Column(names[agent], FIGURE) for agent in agents]
    rows = [
        (
            _named(agent, names),
            elos.get(agent),
            *(cell(standings.pairs(agent, other, contest)) for other in agents),
        )
        for agent in agents
    ]
    tally = ", wins-draws-losses" if between == " " else ""
    note = f"score of row against column in % ± half its 95% interval{tally}"
    caption = "Elo in this contest alone; below each score: wins-draws-losses"
    return Table(columns, rows, caption, [note])


def pairings_table(standings: Standings, names: Names, contest: Contest | None = None) -> Table:
    """Everything about each pairing, seen by its first agent."""
    columns = [
        Column("pairing"),
        Column("games", FIGURE),
        Column("W-D-L", FIGURE),
        Column("WR", PERCENT, "below", is_extra=True),
        Column("DR", PERCENT, "below", is_extra=True),
        Column("WLR", PERCENT, "below", is_extra=True),
        Column("score", PERCENT, "half"),
        Column("Elo", ELO, "below", is_extra=True),
        Column("LOS", CERTAINTY, is_extra=True),
        Column("as first", FIGURE, is_extra=True),
        Column("as second", FIGURE, is_extra=True),
        Column("plies", MEAN, is_extra=True),
    ]
    rows = []
    met = standings.pairings(contest, names)
    for first, second in met:
        totals = standings.pairing_totals(first, second, contest)
        pairs, n_different = totals.pairs, totals.effective_games
        different = "" if n_different == totals.games else f"\n{n_different:,} different"
        rows.append(
            (
                f"{names[first]}–{names[second]}",
                f"{totals.games:,}{different}",
                str(pairs.tally),
                win_rate(pairs),
                draw_rate(pairs),
                win_loss_ratio(pairs),
                score_rate(pairs),
                elo_difference(pairs),
                los(pairs),
                *(_seat(pairs.in_seat(place)) for place in (0, 1)),
                totals.mean_plies,
            )
        )
    shown = {agent for pairing in met for agent in pairing}
    legend = "; ".join(f"{name} is {agent}" for agent, name in names.items() if agent in shown)
    caption = (
        "Pairings, seen by the first agent, with 95% intervals; as first and as second: W-D-L, "
        f"below it WR ± half its interval; {legend}"
    )
    return Table(columns, rows, caption)


def costs_table(standings: Standings, names: Names, contest: Contest | None = None) -> Table:
    """What each agent's moves have cost, and how its games went."""
    columns = [
        Column("agent"),
        Column("games", COUNT),
        Column("plies", MEAN),
        Column("moves", COUNT),
        Column("ms/move", MILLISECONDS),
        Column("simulations/move", COUNT, is_optional=True),
        Column("nodes/move", COUNT, is_optional=True),
        Column("forfeits", FIGURE, is_optional=True),
    ]
    rows = []
    for agent in names:
        totals = standings.agent_totals(agent, contest)
        rows.append(
            (
                _named(agent, names),
                totals.games,
                totals.mean_plies,
                totals.moves,
                totals.per_move(totals.seconds),
                round(totals.per_move(totals.simulations)) or None,
                round(totals.per_move(totals.nodes)) or None,
                "\n".join([f"{totals.forfeits.total():,}", *forfeit_texts(totals)[:1]])
                if totals.forfeits
                else 0,
            )
        )
    return Table(columns, rows, "Means for each agent; moves are its own")


def forfeit_texts(totals: AgentTotals) -> list[str]:
    """`4 by crash, 1 by time`, then the first reason of each kind that gives one."""
    if not totals.forfeits:
        return []
    kinds = ", ".join(f"{n:,} by {kind}" for kind, n in sorted(totals.forfeits.items()))
    return [
        kinds,
        *(f"first {kind}: {one_line(why)}" for kind, why in totals.forfeit_reasons.items()),
    ]


def match_rates_table(pairs: Pairs, head: str) -> Table:
    """Rates, Elo and the likelihood of superiority of a match, a line each."""
    columns = [
        Column(head),
        Column("games", FIGURE),
        Column("value", FIGURE),
        Column("95% interval", FIGURE),
    ]
    tally = pairs.tally
    rows: list[tuple[str | None, ...]] = []
    for name, n, kind, found in (
        ("wins (WR)", f"{tally.wins:,}", PERCENT, win_rate(pairs)),
        ("draws (DR)", f"{tally.draws:,}", PERCENT, draw_rate(pairs)),
        ("losses", f"{tally.losses:,}", PERCENT, win_rate(pairs.reversed())),
        ("wins of decided (WLR)", "", PERCENT, win_loss_ratio(pairs)),
        ("score", "", PERCENT, score_rate(pairs)),
        ("Elo", "", ELO, elo_difference(pairs)),
    ):
        value = None if found is None else kind.one(found.value)
        rows.append((name, n, value, None if found is None else kind.interval(found)))
    rows.append(("superiority (LOS)", "", CERTAINTY.one(los(pairs)), ""))
    return Table(columns, rows)


def match_seats_table(pairs: Pairs, name: str) -> Table:
    """Results of a match in each seat."""
    columns = [Column(""), *(Column(head, COUNT) for head in ("wins", "draws", "losses"))]
    columns += [Column("score", PERCENT, "below"), Column("95% interval", interval_of(PERCENT))]
    rows = []
    for place, seat in enumerate(("first", "second")):
        alone = pairs.in_seat(place)
        score = score_rate(alone)
        rows.append((f"{name} as {seat}", *alone.tally, score, score))
    return Table(columns, rows)


def shares_table(choices: Choices, names: Names, contest: Contest) -> Table:
    """Shares of moves by centrality, in each seat, in all games and in those won."""
    columns = [Column("agent"), Column("seat"), Column("games")]
    columns += [Column("number", COUNT), Column("moves", COUNT)]
    columns += [Column(head, PERCENT, "below") for head in ("top 20%", "rest", "lowest 20%")]
    rows = []
    for agent in (agent for agent in names if agent in choices.agents(contest)):
        for seats in seats_of(choices.n_players(contest)):
            for won in (False, True):
                shares = choices.shares(contest, agent, seats, won=won)
                what = "won" if won else "all"
                found = shares.top, shares.rest, shares.lowest
                where = _named(agent, names), seats, what
                rows.append((*where, shares.games, shares.moves, *found))
    return Table(columns, rows, "Shares of moves with 95% intervals")


def vertices_table(choices: Choices, names: Names, contest: Contest) -> Table:
    """How often each agent moved on each vertex, the most chosen first."""
    agents = [agent for agent in names if agent in choices.agents(contest)]
    counts = {agent: choices.vertex_counts(contest, agent, BOTH) for agent in agents}
    labels, groups = choices.labels(contest), choices.groups(contest)
    totals = [sum(counts[agent][vertex] for agent in agents) for vertex in range(len(labels))]
    order = sorted(range(len(labels)), key=lambda vertex: (-totals[vertex], vertex))
    rows = []
    for vertex in order[:MOST_VERTICES]:
        group = "top" if vertex in groups.top else "lowest" if vertex in groups.lowest else ""
        rows.append(
            (labels[vertex], group, totals[vertex], *(counts[agent][vertex] for agent in agents))
        )
    columns = [Column("vertex"), Column("20%")]
    columns += [Column(head, COUNT) for head in ("all", *(names[agent] for agent in agents))]
    caption = "Moves on each vertex, in all games"
    if len(labels) > MOST_VERTICES:
        caption += f"; the {MOST_VERTICES} most chosen of {len(labels):,} vertices"
    return Table(columns, rows, caption)


def communities_table(found: Sequence[Held], names: Names) -> Table:
    """The share of each community that each agent holds when games end, the largest first."""
    agents = [agent for agent in names if agent in found[0].shares]
    columns = [Column("community"), Column("vertices", COUNT)]
    columns += [Column(names[agent], PERCENT, "half") for agent in agents]
    rows = [
        (each.community, each.size, *(each.shares[agent] for agent in agents))
        for each in found[:MOST_COMMUNITIES]
    ]
    caption = "Vertices of each community held at the end ± half the 95% interval"
    if len(found) > MOST_COMMUNITIES:
        caption += f"; the {MOST_COMMUNITIES} largest of {len(found):,} communities"
    return Table(columns, rows, caption)


def mistakes_table(found: Sequence[MistakeRow], names: Names, text: str) -> Table:
    """Mistakes of each agent that was judged in a contest; `text` names the contest."""
    columns = [
        Column("agent"),
        Column("games", COUNT, is_extra=True),
        Column("moves", COUNT),
        Column("unjudged", COUNT, is_extra=True),
        Column("chances", COUNT),
        Column("mistakes", COUNT),
        Column("per chance", PERCENT, "half"),
        Column("regret", REGRET, "half"),
        Column("first", MEAN),
        Column("flawless", COUNT, is_extra=True),
        Column("thrown", COUNT),
    ]
    rows = [
        (
            _named(row.agent, names),
            row.games,
            row.moves,
            row.unjudged,
            row.chances,
            row.mistakes,
            row.rate,
            row.mean_regret,
            row.first_mistake,
            row.flawless,
            row.thrown,
        )
        for row in found
    ]
    return Table(columns, rows, f"mistakes in {text} ({REGRETS[found[0].unit]})")


def _present(standings: Standings, names: Names, contest: Contest) -> list[str]:
    """The agents that played in a contest, the best first."""
    there = standings.agents_in(contest)
    return [agent for agent in names if agent in there]


def _named(agent: str, names: Names) -> str:
    return f"{names[agent]}\n{agent}"


def _seat(pairs: Pairs) -> str:
    rate = win_rate(pairs)
    return f"{pairs.tally}\n{NOTHING if rate is None else PERCENT.half(rate)}"
