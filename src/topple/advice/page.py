"""Advice as one web page: conclusion, picture and tables."""

from topple.advice.picture import picture
from topple.advice.result import Advice, Rated
from topple.advice.words import conclusion, interval_text, losses, method, verdict
from topple.present.html import document, element, figure, table
from topple.present.numbers import percent
from topple.present.page_style import STYLE


def page(advice: Advice) -> str:
    """The page as text; it needs no other file."""
    position = advice.position
    game, who = position.game, position.game.players[position.player]
    title = f"The next move on {game.board.spec}"
    svg = picture(advice, "svg").decode("utf-8")
    return document(title, STYLE, [
        element("h1", title),
        element("p", f"{game.title}, {game.options['loyalty']} loyalty; {who} to move; "
                f"{position.headline}; seed {advice.seed}."),
        element("p", conclusion(advice)),
        element("p", losses(advice)),
        figure(svg, "network", f"The network: win probabilities and choices for {who}"),
        _moves(advice),
        _baselines(advice),
        element("p", method(advice)),
    ])  # fmt: skip


def _moves(advice: Advice) -> str:
    heads = ["vertex", "wins", "95% interval", "drawn", "behind the first",
             *(f"by {each.title}" for each in advice.baselines), "proven"]  # fmt: skip
    return table("Moves, the first choice first; places by each baseline",
                 heads, [_row(row) for row in advice.rows])  # fmt: skip


def _row(row: Rated) -> list[str]:
    return [
        row.label,
        percent(row.wins.value),
        interval_text(row.wins),
        percent(row.drawn),
        interval_text(row.behind),
        *map(str, row.ranks.values()),
        row.proven or "",
    ]


def _baselines(advice: Advice) -> str:
    rows = [
        [
            each.title, each.choice.label, percent(each.choice.wins.value),
            interval_text(each.choice.wins), f"{100 * each.loss.value:.1f}",
            interval_text(each.loss), verdict(each, advice.first),
        ]
        for each in advice.baselines
    ]  # fmt: skip
    heads = ["baseline", "takes", "wins", "95% interval", "loses", "95% interval", "verdict"]
    return table("What the baselines would take, and what that loses in points of win probability",
                 heads, rows, words=(0, 1, 6))  # fmt: skip
