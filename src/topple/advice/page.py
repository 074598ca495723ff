"""Advice as one web page: conclusion, picture and tables."""

from topple.advice.picture import picture
from topple.advice.result import Advice
from topple.advice.words import (
    INTERVAL,
    POINTS,
    conclusion,
    losses,
    method,
    parties,
    subject,
    verdict,
)
from topple.present.page import document, element, figure
from topple.present.table import COUNT, PERCENT, Column, Table


def page(advice: Advice) -> str:
    """The page as text; it needs no other file."""
    position = advice.position
    game, who = position.game, position.game.players[position.player]
    svg = picture(advice, "svg").decode("utf-8")
    what = (
        f"{subject(advice)}; {who} to move; {position.headline}; seed {advice.seed}. "
        f"{parties(advice)}"
    )
    parts = [
        element("p", what.strip()),
        element("p", conclusion(advice)),
        element("p", losses(advice)),
        figure(svg, "network", f"The network: win probabilities and choices for {who}"),
        _moves(advice).html(),
        _baselines(advice).html(),
        element("p", method(advice)),
    ]
    return document(f"The next move on {game.board.spec}", parts)


def _moves(advice: Advice) -> Table:
    columns = [
        Column("vertex"),
        Column("wins", PERCENT),
        Column("95% interval", INTERVAL),
        Column("drawn", PERCENT),
        Column("behind the first", INTERVAL),
        *(Column(f"by {each.title}", COUNT) for each in advice.baselines),
        Column("proven", is_optional=True),
    ]
    rows = [
        (
            row.label,
            row.wins.value,
            row.wins,
            row.drawn,
            row.behind,
            *row.ranks.values(),
            row.proven,
        )
        for row in advice.rows
    ]
    return Table(columns, rows, "Moves, the first choice first; ranks by each baseline")


def _baselines(advice: Advice) -> Table:
    columns = [
        Column("baseline"),
        Column("takes"),
        Column("wins", PERCENT),
        Column("95% interval", INTERVAL),
        Column("loses", POINTS),
        Column("95% interval", INTERVAL),
        Column("verdict"),
    ]
    rows = []
    for each in advice.baselines:
        wins, loss = each.choice.wins, each.loss
        what = verdict(each, advice.first)
        rows.append((each.title, each.choice.label, wins.value, wins, loss.value, loss, what))
    caption = "What the baselines take, and what that loses in points of win probability"
    return Table(columns, rows, caption)
