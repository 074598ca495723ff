"""Played games for tests: made up beside real records, quick to make by the thousand."""

import random
from collections.abc import Sequence
from dataclasses import replace
from hashlib import md5

import topple
from topple.arena.store.played import Participant, PlayedGame
from topple.game.game import Game
from topple.game.record import Ending, Record


def moves_of(game: Game, seed: int, most: int = 1_000_000) -> list[int]:
    """The moves of a random game, cut after `most`."""
    rng, position, moves = random.Random(seed), game.start(), []
    while not position.is_over and len(moves) < most:
        moves.append(rng.choice(position.legal_moves()))
        position = position.play(moves[-1])
    return moves


def played(
    record: Record,
    number: int = 0,
    side: int = 0,
    *,
    agents: tuple[str, str] = ("random", "greedy"),
    tournament_seed: int = 1,
) -> PlayedGame:
    """A game of a pairing, whose first agent sits in seat `side`, with a made-up cost."""
    seats = agents[::-1] if side else agents
    made = [topple.agent(each) for each in seats]
    name = f"{agents} {record.game} {record.board.digest} {tournament_seed} {number}"
    rng = random.Random(name)
    own = len(record.moves) - record.opening
    parts = [
        Participant(agent.NAME, agent.options, own // 2, rng.random(), rng.randrange(9**9), 7)
        for agent in made
    ]
    return PlayedGame(
        pair=f"{rng.getrandbits(128):032x}",
        side=side,
        record=Record(
            record.game,
            record.options,
            record.board,
            seats,
            record.moves,
            record.result,
            seed=rng.getrandbits(63),
            opening=record.opening,
            ending=record.ending,
        ),
        reason="as it happened",
        participants=(parts[0], parts[1]),
        tournament_seed=tournament_seed,
        opening_number=number,
        began="2026-01-02T03:04:05+00:00",
        seconds=rng.random(),
        move_seconds=tuple(rng.randrange(10**6) / 1e6 for _ in range(own)),
    )


def some_games() -> list[PlayedGame]:
    """Pairs of all kinds: several games, boards, agents, seeds and endings."""
    games = []
    hexes = topple.load("hex", "hex:3")
    network = topple.load("spread-it:loyalty=full", "ba:n=8,m=2,seed=5")
    for number in range(3):
        for side in (0, 1):
            record = Record.of(hexes, moves_of(hexes, 2 * number + side), opening=2)
            games.append(played(record, number, side))
            games.append(played(record, number, side, tournament_seed=2**80))
            games.append(played(record, number, side, agents=("uct:iterations=50", "random")))
            record = Record.of(network, moves_of(network, 2 * number + side), opening=1)
            games.append(played(record, number, side))
    for number, ending in enumerate(
        (Ending("crash", 1, "ValueError: no"), Ending("length"), Ending("time", 0))
    ):
        record = Record.of(hexes, ["a1", "c3"], opening=1, ending=ending)
        games.append(played(record, 10 + number, number % 2))
    return games


def many_games(n: int, label: str = "", base: Sequence[PlayedGame] = ()) -> list[PlayedGame]:
    """So many games of one pairing, told apart by their pairs and openings."""
    if not base:
        hexes = topple.load("hex", "hex:3")
        base = [played(Record.of(hexes, moves_of(hexes, seed))) for seed in range(8)]
    return [
        replace(
            base[number % len(base)],
            pair=md5(f"{label} {number}".encode()).hexdigest(),
            opening_number=number,
        )
        for number in range(n)
    ]
