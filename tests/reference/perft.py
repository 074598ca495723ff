"""Perft: how many move sequences of each length there are, counted by the slow twins.

    python -m tests.reference.perft

run from the root of the repository, writes tests/perft/<game>.json: a list of cases, each with

    board     the board's text,
    options   the twin's options,
    leaves    the number of move sequences of length 1, 2, 3, ...,
    finished  how many of these have just finished the game, for each length a list: won by player
              0, won by player 1, ..., drawn. (Leaves alone are blind to most colour mistakes.)
"""

import json
import time
from pathlib import Path
from typing import Any

from .chain_reaction import ChainReaction
from .hex import Hex
from .infexion import Infexion
from .influence import Influence
from .spread_it import SpreadIt

PERFT_FOLDER = Path(__file__).resolve().parent.parent / "perft"

Adjacency = list[list[int]]

# -- counting --------------------------------------------------------------------------------


def perft(twin: Any, depth: int) -> int:
    """The number of move sequences of exactly this length from the start."""
    return count_from(twin, twin.start(), depth)


def count_from(twin: Any, state: Any, depth: int) -> int:
    """The number of move sequences of exactly this length; a finished game has no successors."""
    if depth == 0:
        return 1
    moves = twin.legal_moves(state)
    if depth == 1:
        return len(moves)
    return sum(count_from(twin, twin.play(state, move), depth - 1) for move in moves)


def finished(twin: Any, depth: int) -> list[int]:
    """Games that end with the move of this number: won by player 0, by player 1, ..., drawn."""
    return finished_from(twin, twin.start(), depth)


def finished_from(twin: Any, state: Any, depth: int) -> list[int]:
    """Games that end after exactly this many more moves: won by player 0, ..., drawn."""
    counts = [0] * (twin.n_players + 1)
    if depth == 0:
        if twin.is_over(state):
            counts[outcome(twin, state)] = 1
        return counts
    for move in twin.legal_moves(state):
        after = finished_from(twin, twin.play(state, move), depth - 1)
        counts = [a + b for a, b in zip(counts, after, strict=True)]
    return counts


def outcome(twin: Any, state: Any) -> int:
    """The player who has won; for a draw the number of players."""
    returns = twin.returns(state)
    return returns.index(1.0) if 1.0 in returns else twin.n_players


# -- boards ----------------------------------------------------------------------------------


def grid(rows: int, columns: int) -> Adjacency:
    """grid:RxC, (r, c) is r * C + c, neighbours in the order left, right, up, down."""
    adjacency = []
    for r in range(rows):
        for c in range(columns):
            around = [(r, c - 1), (r, c + 1), (r - 1, c), (r + 1, c)]
            on_board = [(a, b) for a, b in around if 0 <= a < rows and 0 <= b < columns]
            adjacency.append([a * columns + b for a, b in on_board])
    return adjacency


def path(n: int) -> Adjacency:
    """path:N, the neighbours in ascending order."""
    return [[u for u in (v - 1, v + 1) if 0 <= u < n] for v in range(n)]


def cycle(n: int) -> Adjacency:
    """cycle:N, the neighbours in ascending order."""
    return [sorted({(v - 1) % n, (v + 1) % n}) for v in range(n)]


def complete(n: int) -> Adjacency:
    """complete:N, the neighbours in ascending order."""
    return [[u for u in range(n) if u != v] for v in range(n)]


def graph(board: str) -> Adjacency:
    """The adjacency of grid:RxC, path:N, cycle:N or complete:N."""
    kind, _, size = board.partition(":")
    if kind == "grid":
        rows, columns = size.split("x")
        return grid(int(rows), int(columns))
    return {"path": path, "cycle": cycle, "complete": complete}[kind](int(size))


def segments(board: str) -> tuple[Adjacency, str]:
    """segment:A+B+..., the successors and the labels of the disjoint union.

    Section 4 of the paper, Definitions 16 and 18: labels alternate and all arcs go from L to R. An
    even segment begins with L (its mirror image is the same game); an odd one begins and ends with
    R (C_-), or with L (C_+) where its size is followed by p.
    """
    _, _, sizes = board.partition(":")
    successors: Adjacency = []
    labels = ""
    for size in sizes.split("+"):
        n = int(size.removesuffix("p"))
        begins_with_r = n % 2 == 1 and not size.endswith("p")
        offset = len(labels)
        segment_labels = "".join("LR"[(i + begins_with_r) % 2] for i in range(n))
        for i, neighbours in enumerate(path(n)):
            heads = neighbours if segment_labels[i] == "L" else []
            successors.append([offset + head for head in heads])
        labels += segment_labels
    return successors, labels


def build(game: str, board: str, options: dict[str, Any]) -> Any:
    """The twin of this game on this board."""
    if game == "influence":
        return Influence(*segments(board), **options)
    if game == "hex":
        return Hex(int(board.removeprefix("hex:")), **options)
    if game == "infexion":
        return Infexion(int(board.removeprefix("infexion:")), **options)
    twin_class = {"spread-it": SpreadIt, "chain-reaction": ChainReaction}[game]
    return twin_class(graph(board), **options)


# -- the cases -------------------------------------------------------------------------------

Case = tuple[str, dict[str, Any], int]  # board, options, depth


def spread_it_cases() -> list[Case]:
    """Every loyalty with every order on every kind of board, then budgets and thresholds."""
    boards = [
        ("path:3", None, 1),
        ("path:6", None, 4),
        ("path:7", None, 5),
        ("cycle:3", None, 3),
        ("cycle:5", None, 5),
        ("cycle:6", None, 6),
        ("complete:4", None, 8),
        ("grid:2x3", None, 5),
        ("path:4", 3, 5),
        ("cycle:4", 3, 6),
        ("complete:5", 3, 6),
        ("grid:2x2", 1, 3),
        ("grid:2x3", 3, 6),
        ("grid:3x3", 2, 4),
    ]
    plain = [
        (board, {"loyalty": loyalty, "order": order} | budget(tokens), depth)
        for board, tokens, depth in boards
        for loyalty in ("zero", "full")
        for order in ("dominance", "index")
    ]
    return plain + threshold_cases()


def budget(tokens: int | None) -> dict[str, int]:
    """The option `tokens`, left out where the budget is the usual one."""
    return {} if tokens is None else {"tokens": tokens}


def threshold_cases() -> list[Case]:
    """Thresholds below, at and above the degree."""
    boards = [
        ("complete:3", [1, 1, 1], 1, 1),
        ("complete:4", [2, 3, 3, 3], 4, 7),
        ("cycle:5", [2, 3, 2, 2, 3], 3, 6),
        ("path:4", [2, 2, 3, 1], 3, 6),
    ]
    return [
        (
            board,
            {"loyalty": loyalty, "order": order, "tokens": tokens, "thresholds": thresholds},
            depth,
        )
        for board, thresholds, tokens, depth in boards
        for loyalty in ("zero", "full")
        for order in ("dominance", "index")
    ]


def chain_reaction_cases() -> list[Case]:
    """Grids and other graphs for two, three and four players, dropping and keeping."""
    boards = [
        ("grid:2x2", 2, 6),
        ("grid:2x3", 2, 8),
        ("grid:3x3", 2, 5),
        ("grid:5x5", 2, 3),
        ("cycle:5", 2, 7),
        ("path:4", 2, 4),
        ("complete:4", 2, 9),
        ("grid:2x3", 3, 8),
        ("grid:3x3", 3, 5),
        ("cycle:6", 3, 7),
        ("grid:2x4", 4, 6),
        ("grid:3x3", 4, 5),
        ("cycle:6", 4, 7),
    ]
    return [
        (board, {"players": players, "surplus": surplus}, depth)
        for board, players, depth in boards
        for surplus in ("drop", "keep")
    ]


def infexion_cases() -> list[Case]:
    """RULES.md 3: 49, 2 352, 124 656 on the board of seven, and smaller boards deeper."""
    return [
        ("infexion:3", {}, 5),
        ("infexion:4", {}, 4),
        ("infexion:7", {}, 3),
    ]


def hex_cases() -> list[Case]:
    """Small boards, the smallest to the end of every game, with and without the swap."""
    return [
        (board, {"swap": swap}, depth)
        for board, depth in [("hex:2", 5), ("hex:3", 6), ("hex:4", 4)]
        for swap in (False, True)
    ]


def influence_cases() -> list[Case]:
    """Segments of every kind and their sums, Left first and Right first."""
    boards = [
        ("segment:1", 1),
        ("segment:2", 2),
        ("segment:5", 4),
        ("segment:5p", 4),
        ("segment:8", 6),
        ("segment:9", 6),
        ("segment:9p", 6),
        ("segment:12", 7),
        ("segment:16", 8),
        ("segment:20", 5),
        ("segment:21", 4),
        ("segment:21p", 4),
        ("segment:4+5", 6),
        ("segment:4+5p", 6),
        ("segment:3+3p+2", 6),
        ("segment:6+6", 8),
        ("segment:7+8+9p", 4),
    ]
    return [
        (board, {"first": first}, depth) for board, depth in boards for first in ("left", "right")
    ]


CASES = {
    "spread-it": spread_it_cases,
    "chain-reaction": chain_reaction_cases,
    "infexion": infexion_cases,
    "hex": hex_cases,
    "influence": influence_cases,
}


def write(game: str, cases: list[dict[str, Any]]) -> None:
    """One case per line."""
    lines = ",\n".join("  " + json.dumps(case) for case in cases)
    PERFT_FOLDER.mkdir(exist_ok=True)
    (PERFT_FOLDER / f"{game}.json").write_text(f"[\n{lines}\n]\n")


def main() -> None:
    """Count every case of every game and write the files."""
    for game, cases in CASES.items():
        began = time.perf_counter()
        counted = []
        for board, options, depth in cases():
            twin = build(game, board, options)
            depths = range(1, depth + 1)
            case = {
                "board": board,
                "options": options,
                "leaves": [perft(twin, d) for d in depths],
                "finished": [finished(twin, d) for d in depths],
            }
            counted.append(case)
        write(game, counted)
        print(f"{game}: {len(counted)} cases in {time.perf_counter() - began:.1f} s")


if __name__ == "__main__":
    main()
