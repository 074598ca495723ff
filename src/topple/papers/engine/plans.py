"""Plans: a paper's games at a scale, as the arena plays them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from topple.agents import agent
from topple.arena.planning.plan import Limits, Plan
from topple.boards import Board, board_from_networkx, board_to_networkx, load_board
from topple.core.errors import BadBoard, BadText, unknown
from topple.game.game import load
from topple.papers.engine.needs import item_cells, parts_of
from topple.papers.engine.scale import FULL, QUICK, Scale, parse_scale
from topple.papers.engine.soundness import blaming, check_names
from topple.papers.paper import Computed, Field, Games, Paper, Rate, Share

# Quick games under another limit of time are other games, and must not be taken for the full ones.
QUICK_SEED = 1_000_000


def scale_fields(games: Games, scale: Scale) -> tuple[Field, ...]:
    """The fields that are played on at a scale."""
    return games.fields[: games.quick_fields] if scale.is_quick else games.fields


def scale_agents(games: Games, scale: Scale) -> dict[str, str]:
    """The agents that play at a scale: the paper's name of each, and its text."""
    agents = dict(games.agents)
    if scale.is_quick:
        agents.update(games.quick_agents or {})
    return agents


def make_plan(games: Games, scale: Scale) -> Plan:
    """The arena's plan of some games at a scale; its agents are in the order of the paper.

    Raises
    ------
    BadText, BadBoard, Unsupported
        If a game, board or agent cannot be had, or they do not go together.

    Examples
    --------
    >>> from topple.papers.engine.scale import parse_scale
    >>> games = Games("I", (Field("hex", "hex:3"),), {"A": "greedy", "B": "random"}, 10, 4)
    >>> make_plan(games, parse_scale("quick")).n_fixtures
    4
    """
    game_time, seed = games.game_time, games.seed
    if scale.is_quick and games.quick_game_time not in (None, game_time):
        game_time, seed = games.quick_game_time, games.seed + QUICK_SEED
    return Plan(
        games=tuple(load(each.game, field_board(each)) for each in scale_fields(games, scale)),
        agents=tuple(agent(text) for text in scale_agents(games, scale).values()),
        n_games=scale.n_games(games),
        seed=seed,
        plies=games.plies,
        gauntlet=games.gauntlet,
        limits=Limits(game_seconds=game_time),
    )


def n_full(games: Games) -> int:
    """How many games the paper has played of a set."""
    n = len(games.agents)
    pairings = n - 1 if games.gauntlet else n * (n - 1) // 2
    return len(games.fields) * pairings * games.full


def field_board(place: Field) -> Board:
    """The board of a field, with its thresholds; vertices keep their numbers and labels.

    Raises
    ------
    BadText, BadBoard
        If it cannot be made, or has no such vertices.

    Examples
    --------
    >>> field_board(Field("spread-it", "star:5", ((0, 2),))).thresholds.tolist()
    [2, 1, 1, 1, 1]
    """
    board = load_board(place.board)
    if not place.thresholds:
        return board
    graph = board_to_networkx(board)
    for vertex, threshold in place.thresholds:
        if not 0 <= vertex < board.n_vertices:
            raise BadBoard(f"{place.board} has no vertex {vertex}: its vertices are 0 to "
                           f"{board.n_vertices - 1}")  # fmt: skip
        graph.nodes[board.labels[vertex]]["threshold"] = threshold
    changed = " ".join(f"{vertex}={threshold}" for vertex, threshold in place.thresholds)
    return board_from_networkx(graph, f"{place.board} thresholds {changed}")


@dataclass
class Plans:
    """The games and computed facts of a paper by name, with plans at one scale made once."""

    paper: Paper
    scale: Scale
    _made: dict[str, Plan] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.all_games: Mapping[str, Games] = {each.name: each for each in self.paper.games}
        self.all_computed: Mapping[str, Computed] = {
            each.name: each for each in self.paper.computed
        }

    def games(self, name: str) -> Games:
        """The games of a name.

        Raises
        ------
        BadText
            If there are none.
        """
        if name not in self.all_games:
            raise BadText(unknown("set of games", name, self.all_games))
        return self.all_games[name]

    def computed(self, name: str) -> Computed:
        """The computed fact of a name.

        Raises
        ------
        BadText
            If there is none.
        """
        if name not in self.all_computed:
            raise BadText(unknown("computed fact", name, self.all_computed))
        return self.all_computed[name]

    def plan(self, name: str) -> Plan:
        """The plan of some games, made once.

        Raises
        ------
        BadText, BadBoard, Unsupported
            If there are none, or they cannot be played.
        """
        if name not in self._made:
            self._made[name] = make_plan(self.games(name), self.scale)
        return self._made[name]


def check_paper(paper: Paper) -> None:
    """Refuse a paper that does not hold together, or whose games cannot be played.

    This takes a second or two: tests ask for it, and nothing that people wait for.

    Raises
    ------
    BadText
        In one line that says where, and what is wrong.

    Examples
    --------
    >>> check_paper(Paper("made-up", "", "", "", "hex", items=()))
    """
    check_names(paper)
    plans = [Plans(paper, parse_scale(text)) for text in (QUICK, FULL)]
    limits: dict[object, tuple[str, float | None]] = {}
    for games in paper.games:
        with blaming(f"{paper.name}: games {games.name}"):
            for each in plans:
                _check_limits(games.name, each.plan(games.name), limits)
    for item in paper.items:
        with blaming(f"{paper.name}: {item.name}"):
            for _, cell in item_cells(item):
                for part in parts_of(cell.measure):
                    if isinstance(part, Share):
                        _check_vertices(part, plans[1])
                    if isinstance(part, Rate) and part.reason:
                        _check_reason(part, plans[1])


def _check_limits(name: str, plan: Plan, limits: dict[object, tuple[str, float | None]]) -> None:
    """Refuse games that would be taken for others, though they are under another limit of time."""
    for game in plan.games:
        for pairing in plan.pairings:
            agents = tuple(plan.agents[place].spec for place in pairing)
            key = (game.spec, game.board.digest, agents, plan.seed, plan.plies)
            other, seconds = limits.setdefault(key, (name, plan.limits.game_seconds))
            if seconds != plan.limits.game_seconds:
                raise BadText(f"{' and '.join(agents)} play the same games as in {other}, with "
                              "another time for a game: take another seed")  # fmt: skip


def _check_reason(rate: Rate, plans: Plans) -> None:
    """Refuse a reason that is none of the texts in the rules of the games."""
    rules = {game.name: game.rules for game in plans.plan(rate.games).games}
    functions = [getattr(each, "reason", None) for each in rules.values()]
    texts = [
        text for each in functions if each is not None
        for text in each.__code__.co_consts if isinstance(text, str) and text != each.__doc__
    ]  # fmt: skip
    if rate.reason not in texts:
        raise BadText(unknown("reason for which a game ends", rate.reason, texts))


def _check_vertices(share: Share, plans: Plans) -> None:
    games = plans.games(share.games)
    board = next(field_board(each) for each in games.fields if each.board == share.board)
    for vertex in () if isinstance(share.vertices, str) else share.vertices:
        if not 0 <= vertex < board.n_vertices:
            raise BadText(f"{share.board} has no vertex {vertex}: its vertices are 0 to "
                          f"{board.n_vertices - 1}")  # fmt: skip
