"""Standings in the terminal: a match, crosstables, ratings and what moves have cost."""

from collections.abc import Callable, Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from topple.cli.terminal.output import WIDTH, table_text
from topple.present.numbers import certainty, elo_text, milliseconds, percent

if TYPE_CHECKING:
    from topple.arena.statistics.pairs import Pairs
    from topple.arena.statistics.rates import Estimate
    from topple.arena.statistics.standings import Contest, Standings

GAP = 2  # columns between two columns

Names = Mapping[str, str]  # the letter of each agent


def print_match(standings: "Standings", first: str, second: str) -> None:
    """Print a match of two agents."""
    print(match_text(standings, first, second))


def print_tournament(standings: "Standings") -> None:
    """Print a tournament."""
    print(tournament_text(standings))


def match_text(
    standings: "Standings", first: str, second: str, contest: "Contest | None" = None
) -> str:
    """A match of two agents: rates with intervals, Elo, and what their moves have cost."""
    names = {first: "A", second: "A" if second == first else "B"}
    pairs = standings.pairs(first, second, contest)
    parts = [
        legend_text(names),
        _rates_table(pairs, f"{names[first]} against {names[second]}"),
        _seats_table(pairs, names[first]),
        costs_table(standings, list(names), names, contest),
        cautions_text(standings, names),
    ]
    return "\n\n".join(filter(None, [_headline(standings, contest), *parts]))


def tournament_text(standings: "Standings") -> str:
    """A tournament: who is who, a crosstable for each contest, ratings, costs, cautions."""
    from topple.arena.report.naming import letters, ranked

    names = letters(ranked(standings))
    parts = [legend_text(names)]
    for contest in standings.contests:
        table = crosstable(standings, names, contest) or pairing_list(standings, names, contest)
        parts.append(f"{_headline(standings, contest)}\n{table}")
    parts.append(ratings_table(standings, names))
    parts.append(costs_table(standings, list(names), names))
    parts.append(cautions_text(standings, names))
    return "\n\n".join(filter(None, parts))


def standings_text(standings: "Standings") -> str:
    """What was played: as a match where two agents met in one contest, else as a tournament."""
    from topple.arena.report.naming import ranked

    agents = ranked(standings)
    if len(standings.contests) == 1 and len(agents) <= 2:
        return match_text(standings, agents[0], agents[-1])
    return tournament_text(standings)


def legend_text(names: Names) -> str:
    """Which letter stands for which agent."""
    wide = max(map(len, names.values()), default=0)
    return "\n".join(
        _wrapped(f"{name:<{wide}}  {agent}", wide + 2) for agent, name in names.items()
    )


def crosstable(standings: "Standings", names: Names, contest: "Contest | None" = None) -> str:
    """The score of each agent against each other one; empty where it is too wide."""
    agents = [agent for agent in names if agent in standings.agents_in(contest)]
    legends = (
        "score of row against column in % ± half its 95% interval",
        "score of row against column in % ± half its 95% interval, wins-draws-losses",
    )
    forms: tuple[tuple[Callable[[Pairs], str], str], ...] = (
        (lambda pairs: f"{_score(pairs, 1)} {pairs.tally}", legends[1]),
        (lambda pairs: _score(pairs, 1), legends[0]),
        (lambda pairs: _score(pairs, 0), legends[0]),
    )
    for form, legend in forms:
        rows = [
            [names[row], *(_cell(standings.pairs(row, column, contest), form) for column in agents)]
            for row in agents
        ]
        text = _aligned([["", *(names[agent] for agent in agents)], *rows])
        if max(map(len, text.splitlines())) <= WIDTH:
            return f"{text}\n{legend}"
    return ""


def pairing_list(standings: "Standings", names: Names, contest: "Contest | None" = None) -> str:
    """The score of each pairing, for tournaments that are too large for a crosstable."""
    rows = []
    for first, second in standings.pairings(contest, names):
        pairs = standings.pairs(first, second, contest)
        rows.append([f"{names[first]}-{names[second]}", _score(pairs, 1), str(pairs.tally)])
    return table_text(["pairing", "score %", "W-D-L"], rows, right=("score %", "W-D-L"))


def ratings_table(standings: "Standings", names: Names, contest: "Contest | None" = None) -> str:
    """Ratings with intervals, best first; empty without games."""
    from topple.arena.statistics.rates import draw_rate, win_rate

    ratings = standings.ratings(contest)
    if ratings is None:
        return ""
    rows: list[list[object]] = []
    for rank, row in enumerate(ratings.rows, start=1):
        pairs = standings.all_pairs(row.agent, contest)
        rows.append(
            [rank, names[row.agent], elo_text(row.elo.value), _interval(row.elo, elo_text),
             row.games, _value(row.score, percent), _value(win_rate(pairs), percent),
             _value(draw_rate(pairs), percent)]
        )  # fmt: skip
    heads = ["rank", "agent", "Elo", "95% interval", "games", "score", "WR", "DR"]
    table = table_text(heads, rows, right=("Elo", "95% interval", "score", "WR", "DR"))
    worth = elo_text(ratings.first_move.value)
    interval = _interval(ratings.first_move, elo_text)
    return f"{table}\nthe first move is worth {worth} Elo ({interval})"


def costs_table(
    standings: "Standings", agents: Sequence[str], names: Names, contest: "Contest | None" = None
) -> str:
    """Means for each agent; a column in which nothing stands is left out."""
    heads = ["agent", "games", "plies", "moves", "ms/move", "simulations/move", "nodes/move",
             "forfeits"]  # fmt: skip
    rows: list[list[object]] = []
    for agent in dict.fromkeys(agents):
        totals = standings.agent_totals(agent, contest)
        rows.append(
            [names[agent], totals.games, f"{totals.mean_plies:.1f}", totals.moves,
             milliseconds(totals.per_move(totals.seconds)),
             round(totals.per_move(totals.simulations)), round(totals.per_move(totals.nodes)),
             totals.forfeits.total()]
        )  # fmt: skip
    shown = [i for i in range(len(heads)) if i < 5 or any(row[i] for row in rows)]
    return table_text(
        [heads[i] for i in shown], [[row[i] for i in shown] for row in rows],
        right=("plies", "ms/move"),
    )  # fmt: skip


def cautions_text(standings: "Standings", names: Names) -> str:
    """What to know before believing it, a line for each thing."""
    from topple.arena.report.cautions import cautions

    return "\n".join(_wrapped(f"! {each}", 2) for each in cautions(standings, names))


def _headline(standings: "Standings", contest: "Contest | None") -> str:
    from topple.arena.report.naming import contest_texts

    if contest is None and len(standings.contests) == 1:
        contest = standings.contests[0]
    total = standings.total(contest)
    texts = contest_texts(standings.contests)
    where = f"{len(texts)} contests" if contest is None else texts[contest]
    games = "1 game" if total.games == 1 else f"{total.games:,} games"
    return _wrapped(f"{where}: {games}, {total.mean_plies:.1f} plies on average", 4)


def _rates_table(pairs: "Pairs", head: str) -> str:
    from topple.arena.statistics.elo import elo_difference, los
    from topple.arena.statistics.rates import draw_rate, score_rate, win_loss_ratio, win_rate

    tally, elo = pairs.tally, elo_difference(pairs)
    rows: list[list[object]] = [
        [name, n, _value(estimate, percent), _interval(estimate, percent)]
        for name, n, estimate in (
            ("wins (WR)", f"{tally.wins:,}", win_rate(pairs)),
            ("draws (DR)", f"{tally.draws:,}", draw_rate(pairs)),
            ("losses", f"{tally.losses:,}", win_rate(pairs.reversed())),
            ("wins of decided (WLR)", "", win_loss_ratio(pairs)),
            ("score", "", score_rate(pairs)),
        )
    ]
    rows.append(["Elo", "", _value(elo, elo_text), _interval(elo, elo_text)])
    rows.append(["superiority (LOS)", "", certainty(los(pairs)), ""])
    heads = [head, "games", "value", "95% interval"]
    return table_text(heads, rows, right=("games", "value"))


def _seats_table(pairs: "Pairs", name: str) -> str:
    from topple.arena.statistics.rates import score_rate

    rows: list[list[object]] = []
    for place, seat in enumerate(("first", "second")):
        alone = pairs.in_seat(place)
        score = score_rate(alone)
        rows.append([f"{name} as {seat}", *alone.tally, _value(score, percent),
                     _interval(score, percent)])  # fmt: skip
    heads = ["", "wins", "draws", "losses", "score", "95% interval"]
    return table_text(heads, rows, right=("score",))


def _cell(pairs: "Pairs", form: "Callable[[Pairs], str]") -> str:
    return form(pairs) if pairs.n_pairs else "·"


def _score(pairs: "Pairs", digits: int) -> str:
    """A score in percent with half the width of its interval: `62.5±4.1`."""
    from topple.arena.statistics.rates import score_rate

    score = score_rate(pairs)
    if score is None:
        return "·"
    half = (score.high - score.low) / 2
    return f"{100 * score.value:.{digits}f}±{100 * half:.{digits}f}"


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    """Columns at the right, except the first."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        rest = (cell.rjust(width + GAP) for cell, width in zip(row[1:], widths[1:], strict=True))
        lines.append((row[0].ljust(widths[0]) + "".join(rest)).rstrip())
    return "\n".join(lines)


def _wrapped(text: str, indent: int) -> str:
    lines = wrap(text, WIDTH, subsequent_indent=" " * indent, break_on_hyphens=False)
    return "\n".join(lines)


def _value(estimate: "Estimate | None", form: Callable[[float], str]) -> str:
    return "" if estimate is None else form(estimate.value)


def _interval(estimate: "Estimate | None", form: Callable[[float], str]) -> str:
    return "" if estimate is None else f"{form(estimate.low)} to {form(estimate.high)}"
