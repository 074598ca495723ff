"""A process that writes games into a store until it is done or killed.

`python -m tests.arena.store_writer STORE GAMES BATCH` says that it is ready, waits for a
line, then adds the pickled games batch by batch and says after each how many it has
added and how many of them were new.
"""

import pickle
import sys
from pathlib import Path

from topple.arena.store.store import open_store


def main() -> None:
    """Write what the command line asks for."""
    store_name, games_name, size = sys.argv[1], sys.argv[2], int(sys.argv[3])
    games = pickle.loads(Path(games_name).read_bytes())
    print("ready", flush=True)
    sys.stdin.readline()
    with open_store(store_name) as store:
        n_new = 0
        for start in range(0, len(games), size):
            n_new += store.add(games[start : start + size])
            print(start + size, n_new, flush=True)


if __name__ == "__main__":
    main()
