"""Games and results for tests of the arena's conclusions: played at random, or made up."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from random import Random

from topple.arena.statistics.standings import Standings
from topple.arena.store.played import Participant, PlayedGame, Result
from topple.arena.store.store import open_store
from topple.game.game import Game, load
from topple.game.record import Ending, Record

OPENING = 2  # plies


BEGAN = "2026-03-{:02d}T12:00:00Z"


def random_games(
    game: Game, agents: tuple[str, str], n_pairs: int, seed: int = 1
) -> Iterator[PlayedGame]:
    """Games of two agents that move at random, pair by pair."""
    random = Random(seed)
    for number in range(n_pairs):
        opening = list(_random_moves(game, [], OPENING, random))
        for side in (0, 1):
            moves = list(_random_moves(game, opening, 10_000, random))
            seats = agents if side == 0 else (agents[1], agents[0])
            pair = _digest(game.spec, game.board.spec, *agents, seed, number)
            yield played_game(game, moves, seats, pair, side, number, len(opening), seed)


def played_game(
    game: Game,
    moves: list[int],
    seats: tuple[str, str],
    pair: str,
    side: int,
    number: int = 0,
    opening: int = 0,
    seed: int = 1,
) -> PlayedGame:
    """A game of given moves, with costs that are made up."""
    record = Record.of(game, moves, seats, seed)
    record = Record(**{**vars(record), "opening": opening})
    position, own = game.start(), [0, 0]
    for ply, move in enumerate(moves):
        own[position.player] += ply >= opening
        position = position.play(move)
    parts = tuple(
        Participant(agent.partition(":")[0], {}, n, 0.001 * n, 100 * n, 0)
        for agent, n in zip(seats, own, strict=True)
    )
    assert len(parts) == 2
    seconds = tuple(0.001 for _ in moves[opening:])
    began = BEGAN.format(1 + number % 28)
    return PlayedGame(
        pair, side, record, position.result_text(), parts, seed, number, began, 0.1, seconds
    )


def _random_moves(game: Game, before: list[int], most: int, random: Random) -> Iterator[int]:
    position = game.start()
    for move in before:
        yield move
        position = position.play(move)
    for _ in range(most):
        if position.is_over:
            return
        move = random.choice(position.legal_moves())
        yield move
        position = position.play(move)


def results_of(games: Iterable[PlayedGame]) -> list[Result]:
    """The results of games, by way of a store."""
    with open_store(None) as store:
        store.add(list(games))
        return list(store.results())


def made_up_results(
    strengths: Mapping[str, float],
    n_pairs: int,
    game: str = "hex",
    board: str = "hex:5",
    seed: int = 1,
    first_move: float = 40.0,
    draws: float = 0.1,
) -> Iterator[Result]:
    """Results of agents of known strength in Elo: every pairing, every opening with both sides."""
    random = Random(f"{game} {board} {seed}")
    digest = _digest(board)[:16]
    for number in range(n_pairs):
        for named in combinations(sorted(strengths), 2):
            pair = _digest(game, board, *named, seed, number)
            for side in (0, 1):
                seats = named if side == 0 else (named[1], named[0])
                lead = strengths[seats[0]] - strengths[seats[1]] + first_move
                drawn = random.random() < draws
                won = random.random() < 1 / (1 + 10 ** (-lead / 400))
                yield made_up_result(
                    game=game,
                    board=board,
                    board_digest=digest,
                    agents=seats,
                    pair=pair,
                    side=side,
                    opening_number=number,
                    returns=(0.0, 0.0) if drawn else (1.0, -1.0) if won else (-1.0, 1.0),
                    plies=20 + int(random.gammavariate(4, 3)),
                    moves_digest=_digest(random.random()),
                )


def made_up_result(**parts: object) -> Result:
    """One result; what is not said is usual."""
    agents = parts.get("agents", ("first", "second"))
    assert isinstance(agents, tuple)
    plies = parts.setdefault("plies", 20)
    assert isinstance(plies, int)
    own = tuple((plies - 1 - seat) // len(agents) for seat in range(len(agents)))
    costs = [len(agent) ** 2 for agent in agents]
    usual = {
        "game": "hex",
        "board": "hex:5",
        "board_digest": "0123456789abcdef",
        "agents": agents,
        "pair": "0" * 32,
        "side": 0,
        "opening_number": 0,
        "returns": (1.0, -1.0),
        "ending": None,
        "ending_player": None,
        "ending_detail": None,
        "plies": plies,
        "opening": 2,
        "moves": own,
        "seconds": tuple(n * cost * 1e-4 for n, cost in zip(own, costs, strict=True)),
        "simulations": tuple(
            n * cost * ("uct" in agent or "monte" in agent)
            for n, cost, agent in zip(own, costs, agents, strict=True)
        ),
        "nodes": tuple(
            n * cost * ("alpha" in agent) for n, cost, agent in zip(own, costs, agents, strict=True)
        ),
        "moves_digest": "same moves",
    }
    return Result(**{**usual, **parts})  # type: ignore[arg-type]


def _digest(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]


RETURNS = {"W": (1.0, -1.0), "D": (0.0, 0.0), "L": (-1.0, 1.0)}


# What a move of each agent costs: seconds, simulations, nodes.
COSTS = {"a": (0.25, 30, 0), "b": (0.5, 0, 700), "c": (2.0, 5, 6)}


def costed_game(
    one: str, two: str, pair: str, result: str, *, side: int = 0, **more: object
) -> Result:
    """A game of two agents in their seats, with the result of the first seat."""
    moves = (4, 3)
    costs = [
        [n * each for each in COSTS[agent]] for n, agent in zip(moves, (one, two), strict=True)
    ]
    seconds, simulations, nodes = zip(*costs, strict=True)
    return made_up_result(
        agents=(one, two),
        pair=pair,
        side=side,
        returns=RETURNS[result],
        moves=moves,
        seconds=seconds,
        simulations=simulations,
        nodes=nodes,
        plies=9,
        **{"moves_digest": f"{pair} {side}", **more},
    )


def costed_pair(one: str, two: str, pair: str, results: str, **more: object) -> list[Result]:
    """Both games of a pair, each with the result of its first seat."""
    return [
        costed_game(one, two, pair, results[0], side=0, **more),
        costed_game(two, one, pair, results[1], side=1, **more),
    ]


def three_agents() -> Standings:
    """a beats b, and c beats nobody; b forfeits twice and c once."""
    return Standings(
        [
            *costed_pair("a", "b", "1", "WW"),
            *costed_pair("a", "b", "2", "WD"),
            *costed_pair("a", "b", "3", "WL"),
            *costed_pair("a", "c", "4", "WL"),
            *costed_pair("a", "c", "5", "WD"),
            *costed_pair("b", "c", "6", "WL"),
            *costed_pair("b", "c", "7", "DL"),
            costed_game("a", "b", "8", "W", ending="crash", ending_player=1),
            costed_game("b", "a", "8", "L", side=1, ending="time", ending_player=0),
            costed_game("c", "b", "9", "L", ending="illegal", ending_player=0),
        ]
    )


def pair_of(
    one: str, two: str, pair: str, results: str, digests: Sequence[str] = "xy"
) -> list[Result]:
    """Two games of a pair; results are those of the first agent, as first and as second player."""
    returns = {"W": 1.0, "D": 0.0, "L": -1.0}
    first, second = (returns[letter] for letter in results)
    return [
        made_up_result(
            agents=(one, two), pair=pair, side=0, moves_digest=digests[0], returns=(first, -first)
        ),
        made_up_result(
            agents=(two, one), pair=pair, side=1, moves_digest=digests[1], returns=(-second, second)
        ),
    ]


def drawn_games() -> Iterator[PlayedGame]:
    """A pair on a path of 6: one game won by the first seat, one cut off and so drawn."""
    board = load("spread-it", "path:6", compiled=False)
    yield from random_games(board, ("a", "b"), 3)
    cut = played_game(board, [0, 1, 2, 3], ("a", "b"), "f" * 32, 0)
    record = Record(**{**vars(cut.record), "ending": Ending("length"), "result": (0.0, 0.0)})
    yield PlayedGame(**{**vars(cut), "record": record})
