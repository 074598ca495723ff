"""Games and results for tests of the arena's conclusions: played at random, or made up."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from random import Random

from topple.arena.store.played import Participant, PlayedGame, Result
from topple.arena.store.store import open_store
from topple.game.game import Game
from topple.game.record import Record

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
    own = ((plies - 1) // 2, (plies - 2) // 2)
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
