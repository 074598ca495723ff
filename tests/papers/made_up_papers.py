"""Papers that nobody wrote, with findings of every form and every verdict."""

from collections.abc import Mapping
from typing import Any

from topple.papers.engine.findings import (
    AGREES,
    DIFFERS,
    EXPLAINED,
    FAILS,
    HOLDS,
    OPEN,
    OURS,
    UNDECIDED,
    UNDECIDED_ITEM,
    GamesSummary,
    ItemFindings,
    JudgedCell,
    JudgedClaim,
    JudgedWhy,
    Measured,
    PaperFindings,
)
from topple.papers.engine.plans import parse_scale
from topple.papers.paper import (
    Claim,
    Computed,
    Fact,
    Falling,
    GameField,
    GameSet,
    Holds,
    Item,
    ItemCell,
    ItemChoice,
    Number,
    Paper,
    Rate,
    Share,
    Why,
)

HOSTILE = "<script>alert(\"x\")</script> & 'q' | `tick` *star* [link](x)"
AGENTS = {"Alpha-Beta": "alphabeta:depth=4", "MCTS": "uct:iterations=1000", "Random": "random"}
BOARDS = ("ws:n=14,k=4,p=0.3,seed=1", "er:n=20,p=0.2,seed=2", "ba:n=24,m=3,seed=1")
GAMES = GameSet(
    "zero loyalty",
    tuple(GameField("spread-it:loyalty=zero", board) for board in BOARDS),
    AGENTS,
    full=500,
    quick=4,
    plies=2,
    seed=7,
    game_time=180.0,
    quick_game_time=2.0,
    about="random openings, so that games differ",
)
INDEXED = GameSet("order=index", (GameField("spread-it:order=index", BOARDS[0]),), AGENTS, 500, 4)
FACT = Computed("bandit", "sds-bandit", {"agents": 200, "arms": [0.1, 0.9]}, about="five arms")
PLAYED = GamesSummary(GAMES, AGENTS, 3, 2_250, 2_250, 22_500, 754.0)


def judged(
    row: str,
    column: str,
    published: Number | str | bool | None,
    measured: Measured | None,
    verdict: str,
    choice: str | None = None,
) -> JudgedCell:
    """A cell with what was measured."""
    return JudgedCell(
        ItemCell(row, column, Rate("zero loyalty", row), published), choice, measured, verdict
    )


def found(item: Item, cells: tuple[JudgedCell, ...] = (), **more: Any) -> ItemFindings:
    """Findings on an item, with what is not named left empty."""
    given: dict[str, Any] = {
        "claims": (),
        "why": (),
        "verdict": AGREES,
        "played": (PLAYED,),
        "computed_seconds": 0.0,
        "curves": {},
        "command": f"topple reproduce made-up --{item.kind} {item.number}",
    }
    return ItemFindings(item=item, cells=cells, **{**given, **more})


def table_i() -> ItemFindings:
    """A table with margins, a choice, claims and a reason."""
    claim = Claim("MCTS wins more often than Alpha-Beta", (Falling((("MCTS", "WR%"),)),), "V.C")
    why = Why("the order of firing decides", (Holds(Fact("bandit")),))
    item = Item(
        "table",
        "I",
        "Zero loyalty, agent results",
        "V.C",
        claims=(claim, claim, claim),
        choices=(
            ItemChoice("order=index", {"zero loyalty": "order=index"}, "lower numbers first"),
        ),
        why=(why,),
        notes=("The seats of both agents count.",),
    )
    rival, random, margin = "Alpha-Beta against MCTS", "Random against MCTS", Number(31.0, 1.48)
    cells = (
        judged(rival, "WR%", margin, Measured(28.4, 26.4, 30.6, 750), DIFFERS),
        judged(rival, "DR%", Number(4.1), Measured(4.3, 3.1, 5.5, 750), AGREES),
        judged(random, "WR%", Number(0.7, 0.2), Measured(0.3, 0.1, 0.9, 750), AGREES),
        judged(random, "DR%", None, Measured(0.0, 0.0, 0.51, 750), OURS),
        judged("Random against nobody", "WR%", Number(4.0, 0.62), None, OPEN),
        judged(rival, "WR%", margin, Measured(31.2, 29.1, 33.3, 250), AGREES, "order=index"),
    )
    return found(
        item,
        cells,
        claims=tuple(JudgedClaim(claim, verdict) for verdict in (HOLDS, FAILS, UNDECIDED)),
        why=(JudgedWhy(why, HOLDS),),
        verdict=EXPLAINED,
        played=(PLAYED, GamesSummary(INDEXED, AGENTS, 1, 100, 250, 500, 12.0)),
    )


def bars() -> ItemFindings:
    """Bars as figures 6 and 7 of the Spread-It paper have them."""
    item = Item(
        "figure", "6", "MeasureRatio of selection", "V.F", form="bars", axes=("agent", "% of moves")
    )
    values = {"MCTS": ((7.7, 8.1), (18.0, 16.9)), "Alpha-Beta": ((4.14, 4.0), (11.19, 13.5))}
    cells = tuple(
        judged(
            row,
            column,
            Number(published),
            Measured(value, value - 0.8, value + 0.9, 500),
            AGREES if abs(published - value) < 1 else DIFFERS,
        )
        for row, pairs in values.items()
        for column, (published, value) in zip(
            ("threshold = degree", "threshold << degree"), pairs, strict=True
        )
    )
    return found(item, cells, verdict=DIFFERS)


def stacked() -> ItemFindings:
    """Stacks as figures 4 and 5 of the Spread-It paper have them."""
    item = Item(
        "figure", "4", "Central vertices", "V.E", form="stacked", axes=("", "% of own moves")
    )
    shares = {
        "MCTS, all games": (19.01, 62.49, 18.49),
        "MCTS, black wins": (18.5, 59.88, 21.62),
        "Alpha-Beta, all games": (9.07, 71.53, 19.4),
        "Alpha-Beta, black wins": (9.5, 68.4, 22.1),
    }
    cells = tuple(
        JudgedCell(
            ItemCell(row, column, Share("zero loyalty", "MCTS", BOARDS[2], part), Number(value)),
            None,
            Measured(value + by, value + by - 1.2, value + by + 1.2, 500),
            AGREES,
        )
        for row, values in shares.items()
        for column, part, value, by in zip(
            ("top 20%", "rest", "lowest 20%"),
            ("top", "rest", "lowest"),
            values,
            (1.5, -2.0, 0.5),
            strict=True,
        )
    )
    return found(item, cells)


def lines() -> ItemFindings:
    """Lines over numbers of samples, some of them published, with a choice."""
    item = Item(
        "figure",
        "2",
        "Monte Carlo against random and minimax",
        "III",
        choices=(ItemChoice("draws=half", {}),),
        form="lines",
        axes=("samples for a move", "games won, %"),
    )
    cells = []
    for choice, by in ((None, 0.0), ("draws=half", -3.0)):
        for place, row in enumerate(("random", "minimax, depth 1", "minimax, depth 2")):
            for samples in (1, 2, 5, 10, 25, 50, 100):
                value = min(99.5, 92 - 22 * place + 4 * samples**0.5 + by)
                published = Number(value + 1) if samples == 5 and place == 0 else None
                measured = Measured(value, value - 3, min(100, value + 2.4), 200)
                cells.append(
                    judged(
                        row,
                        str(samples),
                        published,
                        measured,
                        OURS if published is None else AGREES,
                        choice,
                    )
                )
    return found(item, tuple(cells))


def curves() -> ItemFindings:
    """Curves of a computed fact, and exact values."""
    item = Item(
        "figure",
        "4.2",
        "Agents among the arms",
        "4.1",
        form="curves",
        curves=("bandit",),
        axes=("iteration", "agents"),
    )
    data: Mapping[str, Any] = {
        "x": list(range(51)),
        "series": {
            f"arm {arm}": [200 / (1 + arm * step) for step in range(51)] for arm in range(5)
        },
    }
    cell = ItemCell("agents on the best arm", "", Fact("bandit", ("best",)), Number(180))
    cells = (JudgedCell(cell, None, Measured(180), AGREES),)
    return found(item, cells, curves={"bandit": data}, played=(), computed_seconds=0.8)


def sequence() -> ItemFindings:
    """Exact values in many columns, as table 1 of the INFLUENCE paper has them."""
    item = Item("table", "1", "First values of the sequences", "4.3")
    cells = tuple(
        JudgedCell(
            ItemCell(row, str(n), Fact("bandit", (row, n)), Number(sign * (n % 4))),
            None,
            Measured(sign * (n % 4) - (n == 21)),
            DIFFERS if n == 21 else AGREES,
        )
        for row, sign in (("Ls", 1), ("Rs", -1))
        for n in range(1, 39)
    )
    return found(item, cells, verdict=DIFFERS, played=())


def networks() -> ItemFindings:
    """The boards of the paper."""
    item = Item("section", "V.B", "The networks", "V.B", form="networks")
    return found(item, verdict=UNDECIDED_ITEM)


def unmeasured() -> ItemFindings:
    """An item of which nothing is there yet."""
    item = Item("figure", "9", "Volatile against minimax", "V", form="bars")
    cells = tuple(
        judged(row, "wins", Number(50, trials=2000), None, OPEN) for row in ("depth 1", "depth 2")
    )
    return found(
        item, cells, verdict=OPEN, played=(GamesSummary(GAMES, AGENTS, 3, 0, 2_250, 22_500, 0.0),)
    )


def hostile() -> ItemFindings:
    """Texts that would break a page, a table or a terminal."""
    claim = Claim(f"claimed {HOSTILE}\x1b[31m", (), HOSTILE)
    item = Item(
        "table",
        f"X {HOSTILE}",
        HOSTILE,
        HOSTILE,
        claims=(claim,),
        notes=(HOSTILE,),
        choices=(ItemChoice(HOSTILE, {}, HOSTILE),),
        form="bars",
        axes=(HOSTILE, "$x^2$"),
    )
    long = "a row with a label that is much too long to stand in one line of any table " * 2
    cells = (
        judged(HOSTILE, f"=cmd {HOSTILE}", HOSTILE, Measured(f"=1+1 {HOSTILE}"), DIFFERS),
        judged(long, long, Number(12345.678, 0.001), Measured(-1e-9, -2e-9, 1e-9, 10), DIFFERS),
        judged(HOSTILE, long, True, Measured(False), DIFFERS, HOSTILE),
    )
    return found(
        item,
        cells,
        claims=(JudgedClaim(claim, FAILS),),
        verdict=DIFFERS,
        command=f"topple reproduce {HOSTILE}",
    )


def made_up(*items: ItemFindings, name: str = "made-up", scale: str = "10%") -> PaperFindings:
    """A paper with findings on items."""
    paper = Paper(
        name,
        "A game that nobody plays",
        "N. N. and M. M.",
        "Journal of Nothing 1, 2001",
        "hex",
        tuple(each.item for each in items),
        (GAMES, INDEXED),
        (FACT,),
        "All seeds are ours.",
    )
    return PaperFindings(paper, parse_scale(scale), items)


def everything() -> list[PaperFindings]:
    """Two papers with items of every form."""
    return [
        made_up(
            table_i(), bars(), stacked(), lines(), curves(), sequence(), networks(), unmeasured()
        ),
        made_up(hostile(), name="hostile", scale="quick"),
    ]
