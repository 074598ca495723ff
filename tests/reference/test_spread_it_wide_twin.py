"""Hand-worked cases for the slow twin of Spread-It's wider world."""

from collections.abc import Sequence

import pytest

from .spread_it_wide import Draws, Game, Network, Rules

Successors = Sequence[Sequence[int]]

TRIANGLE: Successors = ((1, 2), (0, 2), (0, 1))
ARROW: Successors = ((1,), ())  # vertex 1 is a sink


def network(
    successors: Successors,
    thresholds: Sequence[int | None] | None = None,
    accept: Sequence[Sequence[float]] | None = None,
    ply: int = 0,
) -> Network:
    return Network(
        ply,
        tuple(tuple(row) for row in successors),
        (None,) * len(successors) if thresholds is None else tuple(thresholds),
        None if accept is None else tuple(tuple(row) for row in accept),
    )


def test_a_sink_keeps_or_drops_tokens() -> None:
    # Vertex 0 fires at its one token; vertex 1 never fires, however many tokens lie there.
    keep = Game([network(ARROW)], Rules(tokens=(2,)))
    keep.play(0)
    assert keep.fired == [0]
    assert keep.text() == "1,1b Red 1-2"
    keep.play(1)
    assert keep.fired == []
    assert keep.text() == "1,1b1r Black 1-1"
    # Under drop both the token sent and the token put down there leave the game.
    drop = Game([network(ARROW)], Rules(tokens=(2,), sinks="drop"))
    drop.play(0)
    assert drop.text() == "2 Red 1-2"
    drop.play(1)
    assert drop.text() == "2 Black 1-1"
    drop.play(0)
    drop.play(0)
    # Nobody has anything: everyone shares the highest score, 0.
    assert (drop.reason, drop.scores, drop.returns) == ("budgets", [0, 0], [0.0, 0.0])


def test_a_three_way_tie_for_the_winner() -> None:
    # Black, Red and Green put one token each on vertex 0: at three it fires for the last, Green.
    game = Game([network(((1, 2, 3), (), (), ()))], Rules(players=3, tokens=(2,)))
    game.play(0)
    game.play(0)
    assert game.text() == "1b1r,3 Green 1-1-2"
    game.play(0)
    assert game.text() == "1,1g,1g,1g Black 1-1-1"


def test_among_equals_the_last_arrival_decides_though_another_colour_came_later() -> None:
    # 2b2g1r on a threshold of 5: Red came last, but Black and Green have most, Green after Black.
    game = Game(
        [network(((1,), ()), (5, None))],
        Rules(players=3, tokens=(2,), seeds={0: "2b2g"}),
    )
    game.play(1)
    assert game.text() == "2b2g,1b Red 1-2-2"
    game.play(0)
    assert game.text() == "1,1b1g Green 1-1-2"
    # In the other order of arrival it is Black.
    game = Game(
        [network(((1,), ()), (5, None))],
        Rules(players=3, tokens=(2,), seeds={0: "2g2b"}),
    )
    game.play(1)
    game.play(0)
    assert game.text() == "1,2b Green 1-1-2"


# Vertex 0 sends a token to 1 and one to 2, so that both are ready at once; they send to 3.
FORK: Successors = ((1, 2), (3,), (3,), ())


@pytest.mark.parametrize(
    ("order", "threshold", "seeds", "fired"),
    [
        # Black's dominance is 1 - 1 = 0 on vertex 1 and 2 on vertex 2.
        ("dominance", 2, {1: "1r", 2: "1b"}, [0, 2, 1]),
        ("index", 2, {1: "1r", 2: "1b"}, [0, 1, 2]),
        # A tie, 2 and 2: the lowest index.
        ("dominance", 2, {1: "1b", 2: "1b"}, [0, 1, 2]),
        # 1 - 2 = -1 on vertex 1; on vertex 2 1 - 1 = 0, as the most of *any* other is 1.
        ("dominance", 3, {1: "2r", 2: "1r1g"}, [0, 2, 1]),
    ],
)
def test_which_fires_first(
    order: str, threshold: int, seeds: dict[int, str], fired: list[int]
) -> None:
    stage = network(FORK, (1, threshold, threshold, None))
    game = Game([stage], Rules(players=3, tokens=(1,), order=order, seeds=seeds))
    game.play(0)
    assert game.fired == fired


def test_full_loyalty() -> None:
    # A path 0 - 1 - 2. Black's token on 0 fires (degree 1): 0 is Black's, and 1 gets the token.
    game = Game([network(((1,), (0, 2), (1,)))], Rules(loyalty=1, tokens=(3,)))
    game.play(0)
    assert game.text() == "B:,1b,1 Red 2-3"
    assert game.legal_moves() == [1, 2]
    # 1b1r on vertex 1: Red came last. Two tokens leave, the one for owned 0 comes back. Vertex 2
    # fires although its only neighbour is owned, since it would take a colour; its token stays.
    game.play(1)
    assert game.fired == [1, 2]
    assert game.text() == "B:,R:1r,R:1r Black 2-2"
    assert (game.reason, game.scores, game.returns) == ("owned", [1, 2], [-1.0, 1.0])
    assert game.legal_moves() == []


def test_loyalty_2() -> None:
    game = Game([network(ARROW)], Rules(loyalty=2, tokens=(3,)))
    game.play(0)  # fires, takes black: once
    assert game.text() == "B1:,1b Red 2-3"
    game.play(1)
    game.play(0)  # fires black again: black is its colour already, which does not count
    assert game.fired == [0]
    assert game.text() == "B1:,1r2b Red 1-2"
    game.play(0)  # fires red: the second time, owned
    assert game.text() == "R2:,2b2r Black 1-1"
    assert game.legal_moves() == [1]
    game.play(1)
    game.play(1)
    # Vertices count, not the tokens: vertex 0 is Red's, the sink is nobody's.
    assert (game.reason, game.scores, game.returns) == ("budgets", [0, 1], [-1.0, 1.0])


def test_loyalty_2_ready_only_if_something_changes() -> None:
    # Vertex 0 is black, its only successor is owned: a black firing would change nothing.
    stage = network(((1,), (0,)))
    game = Game([stage], Rules(loyalty=2, tokens=(2,), seeds={0: "B1:", 1: "B2:"}))
    game.play(0)
    assert (game.fired, game.text()) == ([], "B1:1b,B2: Red 1-2")
    # Red ties it and came last, so firing changes the colour: 2 tokens, 1 leaves, 1 stays.
    game.play(0)
    assert (game.fired, game.text()) == ([0], "R2:2r,B2: Black 1-1")
    assert (game.reason, game.scores, game.returns) == ("owned", [1, 1], [0.0, 0.0])


def test_loyalty_2_endless() -> None:
    # Two vertices pass one token to and fro. Each takes black at its first firing; from then on
    # nothing is taken. After 2 firings both are B1, after 4 that configuration is there again.
    game = Game([network(((1,), (0,)))], Rules(loyalty=2, tokens=(2,)))
    game.play(0)
    assert game.fired == [0, 1, 0, 1]
    assert game.text() == "B1:1b,B1: Red 1-2 ended=endless"
    assert game.returns == [1.0, -1.0]


def test_a_change_of_network_sets_off_a_cascade() -> None:
    # Vertices 0 and 1 send to the sink 2. At ply 1 their thresholds fall from 2 to 1. Red is to
    # move next and so the mover: 1 (dominance +1) before 0 (-1), and Red's token arrives first.
    successors = ((2,), (2,), ())
    stages = [network(successors, (2, 2, None)), network(successors, (1, 1, None), ply=1)]
    game = Game(stages, Rules(tokens=(2,), seeds={1: "1r"}))
    assert game.text() == "1,1r,1 Black 2-2 ply=0"
    game.play(0)
    assert (game.fired, game.fired_at_change) == ([], [1, 0])
    assert game.text() == "2,1r1b Red 1-2 ply=1"
    game.play(1)
    assert (game.fired, game.fired_at_change) == ([1], [])
    assert game.text() == "2,1b2r Black 1-1 ply=2"


def test_a_change_decides_a_tie_by_an_old_arrival() -> None:
    # 1r1b has lain on vertex 0 since before; when the threshold falls, Black is the later one.
    stages = [network(ARROW, (3, None)), network(ARROW, (2, None), ply=2)]
    game = Game(stages, Rules(tokens=(2,), seeds={0: "1r"}))
    game.play(0)
    game.play(1)
    assert game.fired_at_change == [0]
    assert game.text() == "1,1r1b Black 1-1 ply=2"


def test_no_network_begins_after_the_budgets() -> None:
    stages = [network(ARROW, (3, None)), network(ARROW, (1, None), ply=2)]
    game = Game(stages, Rules(tokens=(1,)))
    game.play(0)
    game.play(0)
    assert (game.fired_at_change, game.text()) == ([], "1b1r,1 Black 0-0 ply=2")
    assert (game.reason, game.scores) == ("budgets", [1, 1])


def test_an_endless_cascade_at_a_change_of_network() -> None:
    # From ply 1 on vertex 0 needs 1 token instead of 3: the token goes to and fro for ever.
    successors = ((1,), (0,))
    stages = [network(successors, (3, None)), network(successors, ply=1)]
    game = Game(stages, Rules(tokens=(2,)))
    game.play(0)
    # Both have fired, each has a predecessor for its threshold of 1, and only Black is there.
    assert (game.fired, game.fired_at_change) == ([], [0, 1])
    assert game.text() == "1b,1 Red 1-2 ply=1 ended=endless"


def test_refused_with_probability_0() -> None:
    # Whatever is drawn, the token is refused. `stay`: vertex 0 fires again and again, each time
    # with a draw, so that nothing recurs without one: cut. Only Black is on the board.
    game = Game(
        [network(ARROW, accept=((0.0,), ()))], Rules(refused="stay", tokens=(1,), firings=10)
    )
    game.play(0, 12345)
    assert game.fired == [0] * 10
    assert game.text() == "1b,1 Red 0-1 ended=cut"
    assert (game.reason, game.returns) == ("cut", [1.0, -1.0])
    # `lost`: the token is gone.
    game = Game([network(ARROW, accept=((0.0,), ()))], Rules(tokens=(1,)))
    game.play(0, 12345)
    assert (game.fired, game.text()) == ([0], "2 Red 0-1")


def test_draws() -> None:
    # The generator's published first numbers from 0.
    draws = Draws(0)
    assert [draws.next() for _ in range(3)] == [
        0xE220A8397B1DCDAF,
        0x6E789E6AA1B965F4,
        0x06C45D188009454F,
    ]
    # As parts of 1: 0.8833, 0.4316. The edge to 1 makes no draw, 0.88 refuses, 0.44 takes.
    successors = ((1, 2, 3), (), (), ())
    accept = ((1.0, 0.88, 0.44), (), (), ())
    stage = network(successors, (1, None, None, None), accept)
    game = Game([stage], Rules(tokens=(1,)))
    game.play(0, 0)
    assert game.text() == "1,1b,1,1b Red 0-1"


@pytest.mark.parametrize(("probability", "text"), [(0.44, "2,2b"), (0.43, "2,1b")])
def test_the_change_goes_on_drawing(probability: float, text: str) -> None:
    # The move's cascade takes the first number (0.8833 < 0.9: 0 sends to 2); at the change vertex
    # 1 fires (its threshold falls from 2 to 1) and takes the second, 0.4316.
    successors = ((2,), (2,), ())
    accept = ((0.9,), (probability,), ())
    stages = [
        network(successors, (1, 2, None), accept),
        network(successors, (1, 1, None), accept, ply=1),
    ]
    game = Game(stages, Rules(tokens=(2,), seeds={1: "1b"}))
    game.play(0, 0)
    assert (game.fired, game.fired_at_change) == ([0], [1])
    assert game.text() == f"{text} Red 1-2 ply=1"


def test_an_endless_cascade_shared_by_two_of_three() -> None:
    # Black's token goes to and fro between 0 and 1; Red's lies on the sink 2. After two firings
    # the configuration recurs; Brent's method sees it after four. Two of three share:
    # (3 - 2) / (2 * 2) each, -1/2 for Green.
    game = Game(
        [network(((1,), (0,), ()))],
        Rules(players=3, tokens=(1,), seeds={2: "1r"}),
    )
    game.play(0)
    assert game.fired == [0, 1, 0, 1]
    assert game.text() == "1b,1,1r Red 0-1-1 ended=endless"
    assert (game.reason, game.scores) == ("endless", [1, 1, 0])
    assert game.returns == [0.25, 0.25, -0.5]


def test_the_example_of_the_plain_game() -> None:
    # docs/games.md, cycle:3. All three have fired and one colour is left: no need to recur.
    game = Game([network(TRIANGLE)], Rules())
    assert game.left == [2, 1]
    game.play(0)
    game.play(0)
    assert game.text() == "1,1r,1r Black 1-0"
    game.play(2)
    assert game.fired == [2, 1, 0]
    assert (game.reason, game.scores, game.returns) == ("endless", [3, 0], [1.0, -1.0])


def test_growing_tokens_of_one_colour_are_endless() -> None:
    # Threshold 1, two successors: each firing adds a token, so nothing ever recurs, but by the
    # argument it cannot end. 0 fires (1: 1, 2: 1), 1 fires (0: 1, 2: 2), 2 fires (0: 2, 1: 1).
    game = Game([network(TRIANGLE, (1, 1, 1))], Rules())
    game.play(0)
    assert (game.fired, game.reason) == ([0, 1, 2], "endless")
    assert game.text() == "2b,1b,1b Red 1-1 ended=endless"


def test_growing_tokens_elsewhere_are_cut() -> None:
    # The same with a red token on a sink beside it: the sink never fires, no argument, no
    # recurrence; both colours share the win when it is cut.
    stage = network((*TRIANGLE, ()), (1, 1, 1, None))
    game = Game([stage], Rules(firings=3, seeds={3: "1r"}))
    game.play(0)
    assert (game.fired, game.reason, game.returns) == ([0, 1, 2], "cut", [0.0, 0.0])
    assert game.text() == "2b,1b,1b,1r Red 1-1 ended=cut"


def movers(game: Game) -> list[int]:
    """Who moves, token by token, if everyone always takes vertex 0."""
    in_order = []
    while not game.is_over:
        in_order.append(game.to_move)
        game.play(0)
    return in_order


def test_turns_and_unequal_budgets() -> None:
    quiet = network(ARROW, (99, None))
    # Two tokens a turn. Red's one token is a turn, and so is Black's third.
    game = Game([quiet], Rules(players=3, tokens=(3, 1, 2), turn=2))
    game.play(0)
    assert game.text() == "1b,1 Black 2-1-2 placed=1"
    game.play(0)
    assert game.text() == "2b,1 Red 1-1-2"
    game.play(0)
    assert game.text() == "2b1r,1 Green 1-0-2"
    game.play(0)
    assert game.text() == "2b1r1g,1 Green 1-0-1 placed=1"
    game.play(0)
    assert game.text() == "2b1r2g,1 Black 1-0-0"
    game.play(0)
    assert (game.reason, game.scores, game.returns) == ("budgets", [3, 1, 2], [1.0, -0.5, -0.5])


def test_players_without_tokens_are_skipped() -> None:
    quiet = network(ARROW, (99, None))
    assert movers(Game([quiet], Rules(players=3, tokens=(2, 1, 3)))) == [0, 1, 2, 0, 2, 2]
    # Alone, Green has turn after turn: two tokens, then a new turn with one.
    game = Game([quiet], Rules(players=3, tokens=(1, 1, 4), turn=2))
    assert movers(game.copy()) == [0, 1, 2, 2, 2, 2]
    for _ in range(4):
        game.play(0)
    assert game.text() == "1b1r2g,1 Green 0-0-2"


def test_seeds() -> None:
    # Owned by Red with one token on it, Black's token beside it; budgets as without: B = 3.
    game = Game([network(TRIANGLE)], Rules(loyalty=1, seeds={1: "R:1r", 2: "1r1b"}))
    assert game.text() == "1,R:1r,1r1b Black 2-1"
    assert game.legal_moves() == [0, 2]
    assert game.scores == [0, 1]
    # Nothing fires before the first move, although vertex 2 has its two tokens. Then it does:
    # Black came last; one token goes to 0, the one for owned 1 stays. Now 0 has two black tokens
    # and fires, with both successors owned.
    assert game.fired == []
    game.play(0)
    assert game.fired == [2, 0]
    assert game.text() == "B:2b,R:1r,B:1b Red 1-1"
    assert (game.reason, game.returns) == ("owned", [1.0, -1.0])
    for wrong in ("2x", "1g", "0b", "1b1b", "R2:1r", "b"):
        with pytest.raises(ValueError, match=r"cell|colour"):
            Game([network(TRIANGLE)], Rules(loyalty=1, seeds={0: wrong}))


def test_budgets() -> None:
    # The triangle has B = 3: 2-1, 1-1-1, and for four not one each.
    assert Game([network(TRIANGLE)], Rules(players=3)).left == [1, 1, 1]
    with pytest.raises(ValueError, match="at least one"):
        Game([network(TRIANGLE)], Rules(players=4))
    # Sinks do not count: (3 - 1) and three sinks.
    assert Game([network(((1, 2, 3), (), (), ()))], Rules()).left == [1, 1]
