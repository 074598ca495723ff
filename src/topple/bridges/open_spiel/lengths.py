"""How long a game can last: OpenSpiel's algorithms are told, and rely on it."""

from typing import NamedTuple

from topple.game.game import Game

CUT = 4  # times the length without lost pieces, where pieces may be lost
LONGEST = 10_000  # plies of a game of which nothing is known


class Length(NamedTuple):
    """The most plies that a game can last."""

    plies: int
    is_cut: bool = False  # whether the rules allow more: there a game is drawn after so many


def length_of(game: Game) -> Length:
    """How long a game can last on its board.

    Hex: each ply fills a cell, or is the one swap. INFLUENCE: each ply takes a vertex at
    least. Infexion: the rules end a game after a fixed number of actions. Spread-It: each
    ply spends a token of a budget.

    Chain Reaction: each ply adds a piece. At rest a square holds fewer pieces than its
    capacity, so that with n squares and m edges at most 2m − n pieces are at rest; a ply
    that goes beyond sets off a cascade without end, which leaves one colour. Under
    `surplus=keep` no piece is ever lost, and so 2m − n + 1 plies are the most. Under
    `surplus=drop` pieces are lost in some cascades, and no bound is known. Random
    games on several boards stayed within it, a beam search for long ones on 4×4 and 5×5 went
    to 1.35 times 2m − n, and a game is cut and drawn after four times.

    >>> import topple
    >>> length_of(topple.load("hex:swap=true", board="hex:5"))
    Length(plies=26, is_cut=False)
    >>> length_of(topple.load("chain-reaction", board="grid:5x5"))
    Length(plies=224, is_cut=True)
    """
    board, name = game.board, game.name
    if name == "hex":
        return Length(board.n_vertices + int(game.options["swap"]))
    if name == "influence":
        return Length(board.n_vertices)
    if name == "infexion":
        return Length(board.rows * board.n_vertices)
    if name == "spread-it":
        return Length(game.tables.black_tokens + game.tables.red_tokens)
    if name == "chain-reaction":
        full = 2 * board.n_edges - board.n_vertices + 1
        keeps = game.options["surplus"] == "keep"
        return Length(full) if keeps else Length(CUT * full, is_cut=True)
    return Length(LONGEST, is_cut=True)
