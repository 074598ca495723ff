"""What can be concluded from advice, in plain words."""

from collections.abc import Sequence

from topple.advice.baselines import PIVOTS, is_sampled
from topple.advice.result import Advice, Baseline, Rated
from topple.agents.decision import LOST, WON
from topple.arena.statistics.rates import Estimate
from topple.core.spec import option_text, without_late
from topple.core.text import joined, shorten
from topple.present.numbers import percent
from topple.present.table import Kind, interval_of

LONGEST = 16  # characters of a label in a table
LONGEST_OPTION = 40  # characters of an option's value
MANY = 4  # labels that are listed one by one
UNCLEAR = "unclear"  # a difference that chance may explain
POINTS = Kind(lambda share: f"{100 * share + 0.0:.1f}".replace("-", "−"))  # percent, unmarked
INTERVAL = interval_of(POINTS)
NEARLY = 0.02  # from 0 or 1: nearly certain


def interval_text(found: Estimate) -> str:
    """The ends of an interval in percent, or points.

    >>> interval_text(Estimate(0.5, 0.44, 0.56))
    '44.0 to 56.0'
    """
    return POINTS.interval(found)


def short(label: str) -> str:
    """A label that fits into a table."""
    return shorten(label, LONGEST)


def subject(advice: Advice) -> str:
    """The game with its options: `Spread-It, zero loyalty, players=3`."""
    return f"{advice.position.game.title}, {setting(advice)}"


def setting(advice: Advice) -> str:
    """The game's options: `zero loyalty, players=3`."""
    game = advice.position.game
    loyalty = game.options["loyalty"]
    named = f"loyalty {loyalty}" if loyalty.isdecimal() else f"{loyalty} loyalty"
    chosen = without_late(game.rules.OPTIONS, game.options)
    late = [
        f"{option.name}={shorten(option_text(chosen[option.name]), LONGEST_OPTION)}"
        for option in game.rules.OPTIONS
        if option.late and option.name in chosen
    ]
    return ", ".join([named, *late])


def parties(advice: Advice) -> str:
    """Who plays against whom where that is not plain, and what is drawn; else empty."""
    position, game = advice.position, advice.position.game
    sentences = []
    if game.n_players > 2:
        others = [name for i, name in enumerate(game.players) if i != position.player]
        sentences.append(
            f"You are {game.players[position.player]}; the others, {joined(others)}, each play for "
            "themselves."
        )
    if game.has_chance:
        sentences.append("What is taken is drawn anew in every game.")
    return " ".join(sentences)


def halves(advice: Advice) -> str:
    """What counts half: `draws`, or `draws and shared wins`."""
    return "draws" if advice.position.game.n_players == 2 else "draws and shared wins"


def conclusion(advice: Advice) -> str:
    """What to play, how sure that is, and which moves may be as good."""
    first, others = advice.first, advice.rows[1:]
    if first.games == 0:
        return f"{_at_once(advice)}{'' if first.proven == WON else _others(others)}"
    if first.proven not in (WON, LOST) and is_mostly_drawn(advice.rows):
        return (
            f"No advice: {percent(first.drawn)} of these games were drawn, so they tell no move "
            "from another. More tokens, or a state with tokens on the board, may."
        )
    opening = (
        f"Play {first.label}: it wins {percent(first.wins.value)} of such games "
        f"(95% interval {interval_text(first.wins)}), {halves(advice)} counted half."
    )
    if first.proven == WON:
        return f"{opening} It is proven to win against any play, if it is followed up exactly."
    if first.proven == LOST:
        return f"{opening} Against exact play every move loses: it is the best of lost ones."
    return f"{opening}{_others(others)}{_matters_little(advice)}"


def is_mostly_drawn(rows: Sequence[Rated]) -> bool:
    """Whether nearly all games after every move were drawn, and no move is told apart."""
    return all(row.drawn >= 1 - NEARLY for row in rows) and not any(
        row.is_told_apart for row in rows[1:]
    )


def _at_once(advice: Advice) -> str:
    first = advice.first
    drawn = "drawn" if advice.position.game.n_players == 2 else "drawn or shared"
    ends = {WON: "it wins the game at once", LOST: "every move loses the game at once"}
    return f"Play {first.label}: {ends.get(first.proven or '', f'it ends the game, {drawn}')}."


def _others(others: Sequence[Rated]) -> str:
    """Which of the other moves may be as good, as far as these games show."""
    better = [short(row.label) for row in others if row.behind.high < 0]
    alike = [short(row.label) for row in others if not row.is_told_apart]
    text = ""
    if better:
        text += f" {joined(better)} did better in the fresh games: play more games (--games)."
    if others and not alike and not better:
        text += " It is better than each of the others listed, beyond what chance explains."
    elif alike:
        which = joined(alike)
        if len(alike) == len(others) > 1:
            which = f"the other {len(alike)} listed"
        elif len(alike) > MANY:
            which = f"{len(alike)} of the other {len(others)} listed"
        text += f" These games show no clear difference from {which}."
    return text


def _matters_little(advice: Advice) -> str:
    """A sentence if the game is nearly decided."""
    shares = advice.tried.values()
    if min(shares) > 1 - NEARLY:
        return " Nearly every game is won whatever is played: the choice matters little."
    if max(shares) < NEARLY:
        return " Nearly every game is lost whatever is played: the choice matters little."
    return ""


def verdict(baseline: Baseline, first: Rated) -> str:
    """How a baseline's choice compares with the first one, in a few words."""
    if baseline.choice.vertex == first.vertex:
        return "the same choice"
    if not baseline.choice.is_told_apart:
        return UNCLEAR
    return "worse" if baseline.loss.value > 0 else "better"


def losses(advice: Advice) -> str:
    """What the baselines' choices lose, in a sentence each for those that agree."""
    chosen: dict[int, list[Baseline]] = {}
    for each in advice.baselines:
        chosen.setdefault(each.choice.vertex, []).append(each)
    return " ".join(_loss(group, advice.first) for group in chosen.values())


def _loss(group: Sequence[Baseline], first: Rated) -> str:
    who, one = joined([each.title for each in group]), group[0]
    who = who[0].upper() + who[1:]
    takes = "takes" if len(group) == 1 else "take"
    choice = f"{who} {takes} {short(one.choice.label)}"
    found = verdict(one, first)
    if found == "the same choice":
        return f"{choice} too."
    if found == UNCLEAR:
        return f"{choice}, with no clear difference in these games."
    points = f"{100 * abs(one.loss.value):.1f} points"
    ends = interval_text(one.loss if found == "worse" else _turned(one.loss))
    what = "fewer" if found == "worse" else "more"
    return f"{choice}, which wins {points} {what} ({ends})."


def _turned(found: Estimate) -> Estimate:
    return Estimate(-found.value, -found.high, -found.low)


def method(advice: Advice) -> str:
    """Where the numbers come from."""
    looks = "at random" if advice.looks == 1 else f"the best of {advice.looks} moves looked at"
    tried = f"{len(advice.tried):,} of {advice.n_legal:,} moves were tried"
    text = f"{tried}, in {advice.n_played:,} games by quick players ({looks}); "
    if advice.is_fresh:
        text += "the order comes from the games that chose the moves, the numbers from fresh ones."
    else:
        text += "stopped early: the numbers come from the games that chose the moves and flatter "
        text += "the first."
    text += " Results may differ between strong players, most of all early in a game."
    if is_sampled(advice.position.game.board):
        text += f" Betweenness is estimated from {PIVOTS} vertices."
    return text
