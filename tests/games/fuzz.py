"""`make fuzz`: play topple beside its slow twins until stopped, and count the plies."""

import random
import sys
import time

from tests.games.pairs import GAMES, play_both, random_pair
from tests.games.wide_pairs import KINDS, play_both_wide, wide_pair

WIDE = "spread-it, wide"  # of all kinds in turn


def main() -> None:
    """Play random games of each game in turn; a disagreement names the seed to repeat."""
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else time.time_ns()
    n_plies, n_games, told = dict.fromkeys((*GAMES, WIDE), 0), 0, time.monotonic()
    print(f"fuzzing from seed {seed}; Ctrl-C stops", flush=True)
    try:
        while True:
            for name in n_plies:
                try:
                    n_plies[name] += plies_of_a_game(name, seed)
                except AssertionError as error:
                    sys.exit(f"{name}, seed {seed}: {error}")
                n_games += 1
            seed += 1
            if time.monotonic() - told > 10:
                told = time.monotonic()
                print(summary(n_games, n_plies), flush=True)
    except KeyboardInterrupt:
        print("\n" + summary(n_games, n_plies))


def plies_of_a_game(name: str, seed: int) -> int:
    """Play one game on both sides; returns the plies that agreed."""
    rng = random.Random(f"{seed} {name}")
    if name == WIDE:
        return play_both_wide(wide_pair(KINDS[seed % len(KINDS)], rng), rng)
    return play_both(random_pair(name, rng), rng)


def summary(n_games: int, n_plies: dict[str, int]) -> str:
    """One line on what has agreed so far."""
    each = ", ".join(f"{name} {plies:,}" for name, plies in n_plies.items())
    return f"{n_games:,} games, {sum(n_plies.values()):,} plies agreed ({each})"


if __name__ == "__main__":
    main()
