"""An HTP engine that misbehaves: `python fake_engine.py MODE [FILE]`.

It plays the first free cell, and in its third command from `genmove` on does what its
mode says. FILE is told the ids of its process and of a child that sleeps.
"""

import os
import subprocess
import sys
import time


def say(text: str) -> None:
    """Answer a command."""
    print(text, flush=True)


def main() -> None:
    """Answer commands until there are no more."""
    mode = sys.argv[1]
    if len(sys.argv) > 2:
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        with open(sys.argv[2], "w", encoding="utf-8") as file:  # noqa: PTH123
            file.write(f"{os.getpid()} {child.pid}")
    if mode == "never-starts":
        time.sleep(600)
    taken: set[str] = set()
    n_moves = 0
    for line in sys.stdin:
        words = line.split()
        if words[0] == "play":
            taken.add(words[2])
        if words[0] in ("boardsize", "clear_board"):
            taken.clear()
        if words[0] == "boardsize" and (mode == "one-number") == (len(words) == 3):
            say("? one number, please\n")
        elif words[0] == "genmove":
            n_moves += 1
            misbehave(mode, n_moves)
            cell = next(f"{a}{n}" for n in range(1, 4) for a in "abc" if f"{a}{n}" not in taken)
            taken.add(cell)
            say(f"= {cell}\n")
        else:
            say("= \n")


def misbehave(mode: str, n_moves: int) -> None:
    """Do what the mode says, the second time that a move is wanted."""
    if n_moves < 2:
        return
    if mode == "hangs":
        time.sleep(600)
    elif mode == "dies":
        print("out of luck", file=sys.stderr, flush=True)
        sys.exit(3)
    elif mode == "killed":
        os.kill(os.getpid(), 9)
    elif mode in ANSWERS:
        say(ANSWERS[mode])
        sys.stdin.read()
    elif mode == "babbles":
        while True:
            print("= a1")


ANSWERS = {
    "nonsense": "hello there\n",
    "no-cell": "= z99\n",
    "occupied": "= a1\n",
    "swaps": "= swap-pieces\n",
    "resigns": "= resign\n",
    "refuses": "? I do not know\n",
    "empty": "= \n",
}


if __name__ == "__main__":
    main()
