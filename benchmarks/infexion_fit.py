"""`python -m benchmarks.infexion_fit`: weights for the plain Infexion agent, from a network.

Games are played by the network's policy with some random moves. The evaluation is fitted to
what a short search with the network says of their positions, and the order of moves to the
network's policy, both by logistic regression. It prints the tables of
`topple.bridges.infexion.evaluation` and `topple.bridges.infexion.moves`.
"""

import argparse
import random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

import topple
from topple.bridges.infexion.bit_position import (
    EMPTY,
    FIRST_SPREAD,
    N_CELLS,
    N_DIRECTIONS,
    RAYS,
    BitPosition,
    Sets,
    is_over,
    legal_moves,
    played,
    power_at,
    total,
)
from topple.bridges.infexion.engine import N_MOVES
from topple.bridges.infexion.evaluation import features, reached
from topple.bridges.infexion.moves import ranked_moves

TEACHER, PLAYER = "puct:iterations=12", "policy"
LONGEST = 160  # plies
SHARE = 0.5  # of the positions of a game, which are valued
RANKED = 5000  # positions for the order of moves
RIDGE = 6.0
KINDS = ("free", "free, backed", "attacked", "attacked, backed", "beside", "beside, backed",
         *(f"power {power}" for power in range(1, 7)),
         "takes", "power taken", "power taken, squared", "flees", "lands", "joins")  # fmt: skip


class Sample(NamedTuple):
    """A position, what it is worth from −1 to 1, and the policy's likeliest moves."""

    sets: Sets
    value: float
    priors: dict[int, float]


def likely_moves(player: topple.Agent, position: topple.Position) -> dict[int, float]:
    """The moves that a policy finds likeliest, with their shares."""
    return {each.move: float(each.prior) for each in player.choose(position).candidates[:8]}


def play(rng: random.Random, samples: list[Sample]) -> None:
    """Play one game and keep some of its positions, and some that it did not come to."""
    position, sets, n = topple.load("infexion").start(), EMPTY, 0
    teacher, player = topple.agent(TEACHER), topple.agent(PLAYER)

    def keep(position: topple.Position, sets: Sets) -> None:
        value = teacher.choose(position).value or 0.0
        samples.append(Sample(sets, value, likely_moves(player, position)))

    opening, wild = rng.randint(0, 8), rng.choice((0.08, 0.15, 0.3, 0.5))
    while not is_over(sets, n) and n < LONGEST:
        tempting = [move[1] for move in ranked_moves(sets, 2, [0] * N_MOVES)]
        if n >= 2 and rng.random() < SHARE:
            keep(position, sets)
        if n >= 2 and rng.random() < SHARE / 2:
            aside = rng.choice(tempting)
            if not is_over(played(sets, aside), n + 1):
                keep(position.play(aside), played(sets, aside))
        priors = likely_moves(player, position)
        if n < opening or rng.random() < wild:
            move = rng.choice(rng.choice((legal_moves(sets), tempting)))
        else:
            move = rng.choices(list(priors), list(priors.values()))[0]
        position, sets, n = position.play(move), played(sets, move), n + 1


def fit_values(samples: list[Sample]) -> NDArray[np.float64]:
    """The weights of each feature: those of 1, of the total power, and of its square."""
    full = np.array([(total(*each.sets[:3]) + total(*each.sets[3:])) / N_CELLS for each in samples])
    seen = np.array([features(each.sets) for each in samples], float)
    seen = np.hstack([seen, seen * full[:, None], seen * full[:, None] ** 2])
    scale = seen.std(axis=0) + 1e-9
    seen /= scale
    wanted = (np.array([each.value for each in samples]).clip(-1, 1) + 1) / 2
    weights = np.zeros(seen.shape[1])
    for _ in range(8):  # Newton's method
        chance = 1 / (1 + np.exp(-np.clip(seen @ weights, -20, 20)))
        slope = seen.T @ (wanted - chance) - RIDGE * weights
        bend = (seen.T * (chance * (1 - chance) + 1e-4)) @ seen + RIDGE * np.eye(len(weights))
        weights += np.linalg.solve(bend, slope)
    left = wanted - 1 / (1 + np.exp(-seen @ weights))
    print(f"# {1 - left.var() / wanted.var():.3f} of the variance of {len(samples)} values")
    return np.round(100 * (weights / scale).reshape(3, -1).T, 1)


def kinds(sets: Sets, move: int) -> list[float]:
    """What the order of moves can tell of a move."""
    position = BitPosition(*sets)
    own = sets[0] | sets[1] | sets[2]
    others = sets[3:]
    prey, reach = others[0] | others[1] | others[2], reached(*others)
    seen = dict.fromkeys(KINDS, 0.0)
    if move < FIRST_SPREAD:
        bit, backing = 1 << move, reached(*sets[:3])
        kind = "beside" if reached(prey, 0, 0) & bit else "attacked" if reach & bit else "free"
        seen[kind + (", backed" if backing & bit else "")] = 1.0
        return list(seen.values())
    cell, direction = divmod(move - FIRST_SPREAD, N_DIRECTIONS)
    power = power_at(position, cell)
    cells = RAYS[power][1 << cell][direction]
    taken = total(*(each & cells for each in others))
    seen[f"power {power}"] = 1.0
    seen["flees"] = float(reach >> cell & 1)
    if taken:
        seen["takes"], seen["power taken"] = 1.0, taken
        seen["power taken, squared"] = min(taken, 8) ** 2 / 10
        seen["lands"] = (cells & reach).bit_count()
    else:
        seen["joins"] = float(bool(cells & own))
    return list(seen.values())


def fit_ranks(samples: list[Sample]) -> dict[str, float]:
    """What each kind adds to the logarithm of a move's odds to be the policy's."""
    rows, wanted, first = [], [], []
    for each in samples:
        first.append(len(rows))
        for move in legal_moves(BitPosition(*each.sets)):
            rows.append(kinds(each.sets, move))
            wanted.append(each.priors.get(move, 0.0) / sum(each.priors.values()))
    seen, shares, starts = np.array(rows), np.array(wanted), np.array(first)
    owner = np.repeat(np.arange(len(starts)), np.diff([*first, len(rows)]))

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        odds = seen @ weights
        odds -= np.maximum.reduceat(odds, starts)[owner]
        logs = np.log(np.add.reduceat(np.exp(odds), starts))[owner]
        slope = seen.T @ (np.exp(odds - logs) - shares) / len(starts) + 2e-4 * weights
        return -(shares * (odds - logs)).sum() / len(starts) + 1e-4 * (weights**2).sum(), slope

    found = minimize(loss, np.zeros(len(KINDS)), jac=True, method="L-BFGS-B")
    print(f"# loss {found.fun:.3f} in {len(starts)} positions")
    return dict(zip(KINDS, np.round(found.x, 2).tolist(), strict=True))


def main() -> None:
    """Play, fit and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.infexion_fit")
    parser.add_argument("--positions", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rng, samples = random.Random(given.seed), list[Sample]()
    while len(samples) < given.positions:
        play(rng, samples)
    print(fit_values(samples))
    for kind, rank in fit_ranks(rng.sample(samples, min(RANKED, len(samples)))).items():
        print(f"{kind:24}{rank:6.2f}")


if __name__ == "__main__":
    main()
