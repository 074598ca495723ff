"""Which items of which papers are meant, at which scale, and the arena plans of their games."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import NamedTuple, TypeVar

from topple.agents import agent
from topple.arena.planning.plan import Limits, Plan
from topple.boards import Board, board_from_networkx, board_to_networkx, load_board
from topple.core.errors import BadBoard, BadText, unknown
from topple.game.game import load
from topple.papers import ALL, PAPERS, load_paper
from topple.papers.paper import Computed, GameField, GameSet, Item, Paper

QUICK, FULL = "quick", "full"

# Quick games under another time limit need another seed: with the same one they would be taken
# for the full games.
QUICK_SEED = 1_000_000

Found = TypeVar("Found")

ROMANS = ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))


class Scale(NamedTuple):
    """Quick, full, or the full settings with a share of the full number of games."""

    text: str
    share: float | None = None  # None: the quick settings

    @property
    def is_quick(self) -> bool:
        """Whether the quick settings apply."""
        return self.share is None

    def n_games(self, games: GameSet) -> int:
        """Games for each pairing on each field; even for a share, so that seats are balanced.

        >>> games = GameSet("I", (), {}, full=500, quick=4)
        >>> [parse_scale(text).n_games(games) for text in ("quick", "1%", "full")]
        [4, 6, 500]
        """
        if self.share is None:
            return games.quick
        wanted = ceil(round(self.share * games.full, 6))
        return min(games.full, max(2, wanted + wanted % 2))

    def fields(self, games: GameSet) -> tuple[GameField, ...]:
        """The fields that are played on at this scale."""
        return games.fields[: games.quick_fields] if self.is_quick else games.fields

    def agents(self, games: GameSet) -> dict[str, str]:
        """The agents at this scale: the paper's name of each, and its spec."""
        other = games.quick_agents if self.is_quick else None
        return {**games.agents, **(other or {})}

    def arguments(self, computed: Computed) -> Mapping[str, object]:
        """The arguments of a computation; a share of the full scale computes the full fact."""
        return computed.quick if self.is_quick else computed.full


def parse_scale(text: str) -> Scale:
    """Read `quick`, `full` or a share such as `10%`.

    Raises
    ------
    BadText
        If it is none of these.

    Examples
    --------
    >>> parse_scale("10%")
    Scale(text='10%', share=0.1)
    """
    if text == QUICK:
        return Scale(text)
    if text == FULL:
        return Scale(text, 1.0)
    number = text.removesuffix("%")
    try:
        percent = float(number) if number != text else 0.0
    except ValueError:
        percent = 0.0
    if not 0 < percent <= 100:
        raise BadText(f"scale {text!r}: write quick, full or a share such as 10%")
    return Scale(text, percent / 100)


def make_plan(games: GameSet, scale: Scale) -> Plan:
    """The arena plan of a set of games at a scale, with agents in the paper's order.

    Raises
    ------
    BadText, BadBoard, Unsupported
        If a game, board or agent cannot be loaded, or they do not go together.

    Examples
    --------
    >>> games = GameSet("I", (GameField("hex", "hex:3"),), {"A": "greedy", "B": "random"}, 10, 4)
    >>> make_plan(games, parse_scale("quick")).n_fixtures
    4
    """
    game_time, seed = games.game_time, games.seed
    if scale.is_quick and games.quick_game_time not in (None, game_time):
        game_time, seed = games.quick_game_time, games.seed + QUICK_SEED
    return Plan(
        games=tuple(load(each.game, field_board(each)) for each in scale.fields(games)),
        agents=tuple(agent(text) for text in scale.agents(games).values()),
        n_games=scale.n_games(games),
        seed=seed,
        plies=games.plies,
        gauntlet=games.gauntlet,
        limits=Limits(game_seconds=game_time),
    )


def field_board(place: GameField) -> Board:
    """The board of a field with its thresholds; vertices keep their numbers and labels.

    Raises
    ------
    BadText, BadBoard
        If the board cannot be loaded, or has no vertex of one of the numbers.

    Examples
    --------
    >>> field_board(GameField("spread-it", "star:5", ((0, 2),))).thresholds.tolist()
    [2, 1, 1, 1, 1]
    """
    board = load_board(place.board)
    if not place.thresholds:
        return board
    graph = board_to_networkx(board)
    for vertex, threshold in place.thresholds:
        if not 0 <= vertex < board.n_vertices:
            last = board.n_vertices - 1
            raise BadBoard(f"{place.board} has no vertex {vertex}: its vertices are 0 to {last}")
        graph.nodes[board.labels[vertex]]["threshold"] = threshold
    changed = " ".join(f"{vertex}={threshold}" for vertex, threshold in place.thresholds)
    return board_from_networkx(graph, f"{place.board} thresholds {changed}")


@dataclass
class ScaledPaper:
    """A paper at one scale; each of its plans is made once, when it is first needed."""

    paper: Paper
    scale: Scale
    _plans: dict[str, Plan] = field(default_factory=dict)

    def games(self, name: str) -> GameSet:
        """The set of games of a name.

        Raises
        ------
        BadText
            If the paper has none.
        """
        return _named("set of games", name, {each.name: each for each in self.paper.games})

    def computed(self, name: str) -> Computed:
        """The computed fact of a name.

        Raises
        ------
        BadText
            If the paper has none.
        """
        return _named("computed fact", name, {each.name: each for each in self.paper.computed})

    def plan(self, name: str) -> Plan:
        """The plan of a set of games.

        Raises
        ------
        BadText, BadBoard, Unsupported
            If the paper has no such games, or they cannot be played.
        """
        if name not in self._plans:
            self._plans[name] = make_plan(self.games(name), self.scale)
        return self._plans[name]


def _named(what: str, name: str, known: Mapping[str, Found]) -> Found:
    if name not in known:
        raise BadText(unknown(what, name, known))
    return known[name]


# Papers at a scale, each with those of its items that were asked for.
Selection = Sequence[tuple[ScaledPaper, Sequence[Item]]]


def select_items(name: str, numbers: Mapping[str, str | None], scale: Scale) -> Selection:
    """The items of a paper, or of all papers, that a user asks for.

    Parameters
    ----------
    name : str
        A paper, or `all`.
    numbers : mapping of str to str
        The number of a table, figure or section, by kind; at most one. Without it
        all items are selected.
    scale : Scale
        The scale to play at.

    Raises
    ------
    BadText
        If there is no such paper, or no such item in it.
    """
    asked = [(kind, number) for kind, number in numbers.items() if number is not None]
    if len(asked) > 1:
        raise BadText(f"name one {' or '.join(kind for kind, _ in asked)} at a time")
    if asked and name == ALL:
        raise BadText(f"name the paper whose {asked[0][0]} is meant, not all of them")
    papers = [load_paper(each) for each in (PAPERS if name == ALL else [name])]
    return [
        (ScaledPaper(paper, scale), find_items(paper, *asked[0]) if asked else paper.items)
        for paper in papers
    ]


def find_items(paper: Paper, kind: str, number: str) -> Sequence[Item]:
    """The items of a kind and number; tables are found by Roman and by Arabic numerals.

    Raises
    ------
    BadText
        If the paper has none.
    """
    of_kind = [item for item in paper.items if item.kind == kind]
    found = [item for item in of_kind if item.number.casefold() == number.strip().casefold()]
    if not found and kind == "table":
        found = [item for item in of_kind if _arabic(item.number) == _arabic(number)]
    if found:
        return found
    what = f"{paper.name} has no {kind} {number!r:.40}"
    if of_kind:
        raise BadText(f"{what}: it has {', '.join(item.number for item in of_kind)}")
    raise BadText(f"{what}, but {', '.join(item.name for item in paper.items)}")


def _arabic(text: str) -> str:
    """A Roman numeral up to 39 as an Arabic one; any other text unchanged.

    >>> _arabic("iv"), _arabic("4"), _arabic("4.2")
    ('4', '4', '4.2')
    """
    arabic = {_roman(n): str(n) for n in range(1, 40)}
    text = text.strip()
    return arabic.get(text.upper(), text)


def _roman(number: int) -> str:
    text = ""
    for value, sign in ROMANS:
        while number >= value:
            text, number = text + sign, number - value
    return text
