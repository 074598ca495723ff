"""Plans and openings: which games a tournament has, fixed by what they are alone."""

from itertools import islice

import pytest

import topple
from topple.arena.planning.openings import Opening, openings
from topple.arena.planning.plan import Fixture, Plan
from topple.arena.statistics.sprt import Sprt
from topple.core.errors import BadText, ToppleError, Unsupported
from topple.game.game import Game
from topple.game.position import Position


def load(name: str = "hex", board: str = "hex:4", **options: object) -> Game:
    return topple.load(name, board, **options)


def plan_of(*agents: str, games: tuple[Game, ...] | None = None, **more: object) -> Plan:
    made = tuple(topple.agent(agent) for agent in agents or ("random", "greedy"))
    return Plan(games or (load(),), made, **more)  # type: ignore[arg-type]


def after(game: Game, opening: Opening) -> Position:
    position = game.start()
    for move in opening.moves:
        position = position.play(move)
    return position


def all_open_positions(game: Game) -> list[set[Position]]:
    """Every position that can be reached and is not over, by the number of plies."""
    found, layer = [], {game.start()}
    while layer:
        found.append(layer)
        nexts = {position.play(move) for position in layer for move in position.legal_moves()}
        layer = {position for position in nexts if not position.is_over}
    return found


BOARDS = [
    ("hex", "hex:5"),
    ("chain-reaction", "grid:5x5"),
    ("spread-it", None),
    ("infexion", None),
    ("influence", "segment:17"),
]


@pytest.mark.parametrize(("name", "board"), BOARDS)
def test_openings_lead_to_different_positions_that_are_not_over(
    name: str, board: str | None
) -> None:
    game = topple.load(name, board)
    drawn = list(islice(openings(game, 1), 200))
    positions = [after(game, opening) for opening in drawn]
    assert len(set(positions)) == 200
    assert not any(position.is_over for position in positions)
    assert all(opening.is_new for opening in drawn)
    assert min(len(opening.moves) for opening in drawn) == 2


def test_openings_that_the_next_move_can_end_come_last() -> None:
    """In Infexion two neighbours of power 1 are such an opening: who moves takes all."""

    def can_end(position: Position) -> bool:
        return any(position.play(move).is_over for move in position.legal_moves())

    game = topple.load("infexion", "infexion:3")
    sharp = [can_end(after(game, opening)) for opening in islice(openings(game, 1), 60)]
    assert not any(sharp)
    tiny = load(board="hex:2")
    sharp = [can_end(after(tiny, opening)) for opening in islice(openings(tiny, 1, 1), 12)]
    assert sharp == sorted(sharp)
    assert True in sharp


def test_openings_grow_by_a_ply_when_a_board_has_no_more() -> None:
    game = load(board="hex:3")
    lengths = [len(opening.moves) for opening in islice(openings(game, 1), 100)]
    assert lengths == sorted(lengths)
    assert lengths.count(2) > 0.9 * 9 * 8  # two plies lead to 72 positions
    assert lengths[-1] == 3


def test_a_tiny_board_is_drawn_dry_and_begins_again() -> None:
    game = load(board="hex:2")
    there = set().union(*all_open_positions(game)[1:])
    drawn = list(islice(openings(game, 1, 1), len(there) + 5))
    assert {after(game, opening) for opening in drawn} == there
    assert [opening.is_new for opening in drawn] == [True] * len(there) + [False] * 5
    assert [each.moves for each in drawn[-5:]] == [each.moves for each in drawn[:5]]


def test_a_game_that_is_over_before_the_opening_ends_begins_at_the_start() -> None:
    game = load(board="hex:1")
    drawn = list(islice(openings(game, 1, 3), 3))
    assert drawn == [Opening((), True), Opening((), False), Opening((), False)]


def test_without_plies_every_game_begins_at_the_start() -> None:
    drawn = list(islice(openings(load(), 1, 0), 3))
    assert drawn == [Opening((), True), Opening((), False), Opening((), False)]


def test_openings_depend_on_seed_game_options_and_board() -> None:
    def drawn(game: Game, seed: int = 1) -> list[Opening]:
        return list(islice(openings(game, seed), 20))

    plain = drawn(load())
    assert plain == drawn(load())
    others = [drawn(load(), 2), drawn(load(board="hex:5")), drawn(load(swap=True))]
    assert all(other != plain for other in others)


def test_every_pairing_plays_the_same_openings_with_sides_swapped() -> None:
    plan = plan_of("random", "greedy", "uct", games=(load(), load(board="hex:3")), n_games=10)
    fixtures = list(plan.fixtures())
    assert len(fixtures) == plan.n_fixtures == 2 * 3 * 10
    by_pairing: dict[tuple[int, frozenset[int]], list[Fixture]] = {}
    for fixture in fixtures:
        by_pairing.setdefault((fixture.game, frozenset(fixture.seats)), []).append(fixture)
    assert len(by_pairing) == 2 * 3
    for (game, _), games in by_pairing.items():
        expected = [opening.moves for opening in islice(openings(plan.games[game], 1), 5)]
        straight, swapped = games[::2], games[1::2]
        assert [fixture.opening for fixture in straight] == expected
        assert [fixture.opening for fixture in swapped] == expected
        for one, other in zip(straight, swapped, strict=True):
            assert one.seats == other.seats[::-1]
            assert (one.pair, one.side, other.side) == (other.pair, 0, 1)


def test_an_odd_number_of_games_leaves_the_last_opening_played_once() -> None:
    fixtures = list(plan_of(n_games=5).fixtures())
    assert [fixture.opening_number for fixture in fixtures] == [0, 0, 1, 1, 2]
    assert fixtures[-1].seats == (0, 1)  # who was named first begins
    turned = plan_of("greedy", "random", n_games=5)
    assert list(turned.fixtures())[-1].seats == (0, 1)
    assert len(set(turned.game_keys()) - set(plan_of(n_games=5).game_keys())) == 1


def test_a_gauntlet_is_the_first_against_all_others() -> None:
    plan = plan_of("uct", "random", "greedy", gauntlet=True, n_games=2)
    met = {frozenset(fixture.seats) for fixture in plan.fixtures()}
    assert met == {frozenset((0, 1)), frozenset((0, 2))}


def named(plan: Plan) -> dict[tuple[str, int], tuple[object, ...]]:
    """What fixes each game, by its key."""
    return {
        fixture.key: (
            plan.games[fixture.game].spec,
            plan.games[fixture.game].board.spec,
            *(plan.agents[seat].spec for seat in fixture.seats),
            fixture.opening,
            fixture.seed,
        )
        for fixture in plan.fixtures()
    }


def test_a_game_does_not_change_with_what_else_is_played() -> None:
    few = named(plan_of("random", "greedy", n_games=6))
    assert few == named(plan_of("greedy", "random", n_games=6))
    more = plan_of(
        "uct", "greedy", "random", games=(load(board="hex:3"), load()), n_games=20, gauntlet=False
    )
    assert few.items() <= named(more).items()


def test_whatever_changes_a_game_changes_its_key() -> None:

    plain = set(named(plan_of()))
    others = [
        plan_of(seed=2),
        plan_of(plies=3),
        plan_of("random", "uct"),
        plan_of(games=(load(board="hex:5"),)),
        plan_of(games=(load(swap=True),)),
        plan_of(sprt=Sprt.parse("elo1=50")),
    ]
    for other in others:
        assert not plain & set(named(other))
    iterations = [named(plan_of("random", f"uct:iterations={n}")) for n in (10, 11)]
    assert not set(iterations[0]) & set(iterations[1])


def test_keys_are_the_same_for_all_time() -> None:
    """They name games in stores that people keep: a change would play everything again."""
    first = next(iter(plan_of("random", "uct:iterations=100", n_games=2).fixtures()))
    assert first.key == ("1bbff928b27e490ce96c97ab49a9bf4b", 0)


def test_keys_are_those_of_the_fixtures() -> None:
    plan = plan_of("random", "greedy", "uct", games=(load(), load(board="hex:3")), n_games=5)
    assert list(plan.game_keys()) == [fixture.key for fixture in plan.fixtures()]


def test_seeds_of_games_are_all_different() -> None:
    seeds = [fixture.seed for fixture in plan_of("random", "greedy", "uct").fixtures()]
    assert len(set(seeds)) == len(seeds)


def test_what_cannot_be_played_is_refused() -> None:
    three = topple.load("chain-reaction", "grid:4x4", players=3)
    with pytest.raises(Unsupported, match="hex has 2 players and chain-reaction:players=3 has 3"):
        plan_of(games=(load(), three))
    with pytest.raises(BadText, match="needs two or more"):
        plan_of("random")
    with pytest.raises(BadText, match="named twice"):
        plan_of("random", "greedy", "random")
    with pytest.raises(BadText, match="hex on hex:4 and on hex:4 are the same"):
        plan_of(games=(load(), load()))
    with pytest.raises(BadText, match="games=0 is too small"):
        plan_of(n_games=0)
    with pytest.raises(ToppleError, match="evaluation"):
        plan_of("greedy", "alphabeta:evaluation=nonsense")


def test_an_agent_may_meet_itself_in_a_match() -> None:
    fixtures = list(plan_of("random", "random", n_games=2).fixtures())
    assert [fixture.seats for fixture in fixtures] == [(0, 1), (1, 0)]
    assert fixtures[0].seed != fixtures[1].seed


def test_the_plans_seed_decides_its_openings() -> None:
    agents = topple.agent("random"), topple.agent("greedy")
    for seed in (1, 2):
        plan = Plan((load("hex", "hex:3", compiled=False),), agents, n_games=12, seed=seed)
        drawn = [fixture.opening for fixture in plan.fixtures() if fixture.side == 0]
        assert drawn == [
            opening.moves
            for opening in islice(openings(load("hex", "hex:3", compiled=False), seed), 6)
        ]


def test_openings_on_like_boards_are_drawn_apart() -> None:
    """The moves are the same, and nothing else is: each has openings of its own."""
    alike = [
        ("spread-it", "path:8"),
        ("spread-it", "cycle:8"),
        ("spread-it:loyalty=full", "path:8"),
    ]
    drawn = [
        tuple(opening.moves for opening in islice(openings(load(*each, compiled=False), 1), 10))
        for each in alike
    ]
    assert len(set(drawn)) == 3
