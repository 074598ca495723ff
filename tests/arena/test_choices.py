"""Where agents move: vertices of moves, centrality, and shares of moves counted by hand."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from random import Random
from types import ModuleType

import networkx as nx
import pytest

import topple
from tests.arena.invented import OPENING, drawn_games, played_game, random_games
from topple.arena.report.data import choices_data
from topple.arena.statistics.centrality import MEASURES, central_groups, centralities
from topple.arena.statistics.choices import BOTH, Choices, movers, seats_of, takes_turns
from topple.arena.statistics.rates import share
from topple.arena.statistics.standings import Contest
from topple.arena.store.played import PlayedGame
from topple.boards import board_from_networkx, load_board
from topple.boards.conversion import board_to_networkx
from topple.core.errors import BadText, ToppleError, Unsupported
from topple.game.game import Game, load

AGENTS = ("uct:iterations=10", "random")

_, FIRST, SECOND = seats_of(2)


def small(spec: str, board: str | None = None) -> Game:
    return load(spec, board, compiled=False)


GAMES = [
    ("spread-it", "ba:n=12,m=2,seed=1"),
    ("spread-it:tokens=5,loyalty=full", "path:6"),
    ("chain-reaction", "grid:2x3"),
    ("infexion", "infexion:3"),
    ("hex:swap=true", "hex:3"),
    ("influence", "segment:5+4"),
    ("influence:first=right", "tree:n=1,c=2"),
]


@pytest.mark.parametrize(("spec", "board"), GAMES)
def test_a_move_is_made_on_the_vertex_that_its_text_names(spec: str, board: str) -> None:
    game = small(spec, board)
    for move in range(game.sizes.moves):
        text, vertex = game.move_text(move), game.move_vertex(move)
        if text == "swap-pieces":
            assert vertex is None
        elif game.name == "infexion":
            row, column = (int(number) for number in text[text.index("(") + 1 : -1].split(",")[:2])
            assert vertex == row * 3 + column
        else:
            assert vertex is not None
            assert text == game.board.labels[vertex]


def test_a_number_that_is_no_move_has_no_vertex() -> None:
    game = small("hex", "hex:3")
    for move in (-1, 9):
        with pytest.raises(BadText, match="there is no move"):
            game.move_vertex(move)


def test_a_game_from_outside_has_vertices_for_moves(node_kayles: ModuleType) -> None:
    topple.register(node_kayles)
    assert small("node-kayles", "path:5").move_vertex(3) == 3


def test_the_top_vertices_are_those_of_highest_degree() -> None:
    board = load_board("ba:n=24,m=3,seed=1")
    groups = central_groups(board)
    ranked = sorted(range(24), key=lambda vertex: (-board.degrees[vertex], vertex))
    assert groups.top == set(ranked[:5])
    assert groups.lowest == set(ranked[-5:])
    assert groups.rest == set(ranked[5:-5])


@pytest.mark.parametrize(("n", "top"), [(2, 1), (3, 1), (7, 1), (8, 2), (12, 2), (13, 3)])
def test_a_fifth_is_rounded_and_at_least_one_vertex(n: int, top: int) -> None:
    groups = central_groups(load_board(f"complete:{n}"))
    assert sorted(groups.top) == list(range(top))  # all are alike: the lower number comes first
    assert sorted(groups.lowest) == list(range(n - top, n))
    assert len(groups.rest) == n - 2 * top


@pytest.mark.parametrize("measure", MEASURES)
def test_centralities_are_those_of_networkx(measure: str) -> None:
    board = load_board("karate")
    graph = board_to_networkx(board)
    computed = {
        "degree": nx.degree_centrality,
        "pagerank": lambda graph: nx.pagerank(graph, weight=None),
        "eigenvector": nx.eigenvector_centrality_numpy,
        "betweenness": nx.betweenness_centrality,
        "closeness": nx.closeness_centrality,
    }[measure](graph)
    expected = [computed[label] for label in board.labels]
    assert centralities(board, measure) == pytest.approx(expected, abs=2e-5)


def test_weights_of_edges_do_not_make_vertices_central() -> None:
    graph = nx.path_graph(5)
    plain = centralities(board_from_networkx(graph), "pagerank")
    graph.edges[0, 1]["weight"] = 100
    assert centralities(board_from_networkx(graph), "pagerank") == plain


def test_a_measure_that_does_not_exist_or_has_no_values_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(BadText, match="did you mean 'degree'"):
        centralities(load_board("path:3"), "degre")
    monkeypatch.setitem(MEASURES, "eigenvector", ("eigenvector_centrality", {"max_iter": 2}))
    with pytest.raises(Unsupported, match="no eigenvector centrality: choose another"):
        centralities(load_board("segment:9"), "eigenvector")


def replayed_movers(played: PlayedGame) -> list[int]:
    record = played.record
    positions = list(record.positions(compiled=False))
    return [position.player for position in positions[record.opening : -1]]


@pytest.mark.parametrize(("spec", "board"), GAMES)
def test_movers_are_those_of_the_replay(spec: str, board: str) -> None:
    game = small(spec, board)
    assert takes_turns(game)
    first = game.start().player
    for played in random_games(game, AGENTS, 12):
        # Without its rules at hand a game cannot be replayed: turns must do where they can.
        seats = replayed_movers(played)
        alternating = [(first + ply) % 2 for ply in range(OPENING, len(played.record.moves))]
        if seats == alternating:
            unknown = replace(played, record=replace(played.record, game="forgotten"))
            assert movers(unknown, first) == seats
        else:
            assert movers(played, first) == seats


def test_games_in_which_somebody_waits_are_among_those_tested() -> None:
    found = 0
    for spec, board in GAMES:
        game = small(spec, board)
        for played in random_games(game, AGENTS, 12):
            seats = replayed_movers(played)
            found += any(a == b for a, b in pairwise(seats))
    assert found > 10


def test_a_game_from_outside_is_always_replayed(node_kayles: ModuleType) -> None:
    topple.register(node_kayles)
    game = small("node-kayles", "path:7")
    assert not takes_turns(game)
    for played in random_games(game, AGENTS, 3):
        assert movers(played, None) == replayed_movers(played)


class ByHand:
    """Shares counted the slow way: every game replayed, every unit kept."""

    def __init__(self, games: list[PlayedGame], game: Game) -> None:
        self.games, self.game = games, game
        degrees = game.board.degrees
        ranked = sorted(range(len(degrees)), key=lambda vertex: (-degrees[vertex], vertex))
        n = max(1, round(len(degrees) / 5))
        self.top, self.lowest = ranked[:n], ranked[-n:]

    def units(self, agent: str, seats: str, won: bool) -> list[Counter[int]]:
        """The vertices chosen, unit by unit."""
        found: dict[object, Counter[int]] = {}
        for played in self.games:
            record = played.record
            for seat, name in enumerate(record.players):
                if name != agent or seats not in (BOTH, (FIRST, SECOND)[seat]):
                    continue
                if won and record.result[seat] <= record.result[1 - seat]:
                    continue
                unit = played.pair if seats == BOTH else (played.pair, played.side)
                counts = found.setdefault(unit, Counter())
                position = self.game.start()
                for ply, text in enumerate(record.moves):
                    move = self.game.parse_move(text)
                    if ply >= record.opening and position.player == seat and text != "swap-pieces":
                        vertex = self.game.move_vertex(move)
                        assert vertex is not None
                        counts[vertex] += 1
                    position = position.play(move)
        return list(found.values())

    def share(self, units: list[Counter[int]], vertices: list[int]) -> object:
        return share([(sum(unit[v] for v in vertices), unit.total()) for unit in units])


@pytest.mark.parametrize(("spec", "board"), [GAMES[0], GAMES[3], GAMES[4]])
@pytest.mark.parametrize("seats", [BOTH, FIRST, SECOND])
@pytest.mark.parametrize("won", [False, True])
def test_shares_and_counts_are_those_counted_by_hand(
    spec: str, board: str, seats: str, won: bool
) -> None:
    game = small(spec, board)
    games = list(random_games(game, AGENTS, 6))
    by_hand, choices = ByHand(games, game), Choices(games)
    contest = Contest(game.spec, game.board.spec, game.board.digest)
    assert choices.contests == [contest]
    for agent in AGENTS:
        units = by_hand.units(agent, seats, won)
        shares = choices.shares(contest, agent, seats, won=won)
        assert shares.top == pytest.approx(by_hand.share(units, by_hand.top))
        assert shares.lowest == pytest.approx(by_hand.share(units, by_hand.lowest))
        total = sum(units, Counter())
        assert shares.moves == total.total()
        counts = choices.vertex_counts(contest, agent, seats, won=won)
        assert counts == [total[vertex] for vertex in range(game.board.n_vertices)]


def test_the_three_shares_are_everything() -> None:
    game = small("spread-it", "ba:n=12,m=2,seed=1")
    choices = Choices(random_games(game, AGENTS, 4))
    shares = choices.shares(choices.contests[0], AGENTS[0])
    assert shares.games == 8
    assert sum(each.value for each in (shares.top, shares.rest, shares.lowest)) == pytest.approx(1)


def test_choices_do_not_depend_on_the_order_of_games() -> None:
    games = [
        played
        for spec, board in GAMES[2:5]
        for played in random_games(small(spec, board), AGENTS, 4)
    ]
    mixed = list(games)
    Random(3).shuffle(mixed)
    one, other = Choices(games), Choices(mixed)
    assert one.contests == other.contests
    assert len(one.contests) == 3
    for contest in one.contests:
        assert one.agents(contest) == other.agents(contest) == sorted(AGENTS)
        for agent in AGENTS:
            mine, yours = (each.shares(contest, agent, won=True) for each in (one, other))
            assert mine[:2] == yours[:2]
            for a, b in zip(mine[2:], yours[2:], strict=True):
                assert a == pytest.approx(b)


def test_openings_and_swaps_are_nobodys_choice() -> None:
    game = small("hex:swap=true", "hex:3")
    moves = [game.parse_move(text) for text in ("b2", "swap-pieces", "a1", "c3", "a2", "c2", "a3")]
    games = [played_game(game, moves, AGENTS, "p", 0, opening=n) for n in (0, 3)]
    counts = [
        Choices([played]).vertex_counts(Contest("hex:swap=true", "hex:3", game.board.digest), agent)
        for played in games
        for agent in AGENTS
    ]
    # As numbers: a1 0, a2 3, a3 6, b2 4, c2 5, c3 8.
    chosen = [[v for v, n in enumerate(each) if n] for each in counts]
    assert chosen == [[0, 3, 4, 6], [5, 8], [3, 6], [5, 8]]


def test_an_agent_that_never_won_has_no_shares_of_won_games() -> None:
    game = small("hex", "hex:3")
    choices = Choices(random_games(game, AGENTS, 1))
    contest = choices.contests[0]
    shares = choices.shares(contest, "nobody", won=True)
    assert shares == (0, 0, None, None, None)
    assert choices.vertex_counts(contest, "nobody") == [0] * 9


def test_a_game_that_cannot_be_read_is_refused_and_counts_for_nothing() -> None:
    game = small("hex", "hex:3")
    played = next(iter(random_games(game, AGENTS, 1)))
    choices = Choices()
    record = replace(played.record, moves=(*played.record.moves, "z9"))
    with pytest.raises(ToppleError):
        choices.add(replace(played, record=record))
    assert choices.vertex_counts(choices.contests[0], AGENTS[0]) == [0] * 9
    with pytest.raises(BadText, match="unknown game"):
        choices.add(replace(played, record=replace(played.record, game="tictactoe")))


def test_a_drawn_game_is_won_by_nobody() -> None:
    games = list(drawn_games())
    choices = Choices(games)
    [contest] = choices.contests
    for agent in "ab":
        for seats, places in ((BOTH, (0, 1)), (FIRST, (0,)), (SECOND, (1,))):
            played = [
                each.record.result[place]
                for each in games
                for place in places
                if each.record.players[place] == agent and each.record.result is not None
            ]
            assert choices.shares(contest, agent, seats).games == len(played)
            won = choices.shares(contest, agent, seats, won=True)
            assert won.games == played.count(1.0)


def test_options_of_a_game_make_contests_of_their_own() -> None:
    loyal, plain = (
        load(spec, "path:6", compiled=False) for spec in ("spread-it:loyalty=full", "spread-it")
    )
    choices = Choices([*random_games(loyal, ("a", "b"), 1), *random_games(plain, ("a", "b"), 2)])
    games = {each.game: choices.shares(each, "a").games for each in choices.contests}
    assert games == {"spread-it": 4, "spread-it:loyalty=full": 2}


def test_the_data_of_choices_are_those_counted() -> None:
    choices = Choices(drawn_games())
    [contest] = choices.contests
    data = choices_data(choices, contest)
    assert data is not None
    assert (data["top"], data["lowest"]) == (["2"], ["6"])  # ends have one neighbour
    for entry in data["shares"]:
        shares = choices.shares(contest, entry["agent"], entry["seats"], won=entry["won"])
        assert (entry["games"], entry["moves"]) == shares[:2]
        for name in ("top", "rest", "lowest"):
            estimate = getattr(shares, name)
            if estimate is None:
                assert (entry[name], entry[f"{name}_interval"]) == (None, None)
            else:
                told = [entry[name], *entry[f"{name}_interval"]]
                assert told == pytest.approx(list(estimate), abs=1e-6)
    for agent in "ab":
        counts = choices.vertex_counts(contest, agent)
        assert list(data["counts"][agent].values()) == counts


def test_on_a_directed_board_the_direction_makes_vertices_central() -> None:
    import networkx as nx

    graph = nx.DiGraph([(0, 1), (1, 2), (2, 0), (3, 0), (4, 0), (4, 3)])
    board = board_from_networkx(graph)
    expected = nx.pagerank(graph)
    found = centralities(board, "pagerank")
    assert found == pytest.approx([expected[int(label)] for label in board.labels], abs=1e-6)
