"""Spread-It in its wider world, the slow twin: docs/games.md, rule by rule.

Written from the sections "Spread-It" and "Spread-It's wider world" alone. Vertices are 0, 1,
..., n - 1, players and their colours are 0, 1, ..., p - 1.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

NAMES = ("Black", "Red", "Green", "Yellow", "Violet", "Orange", "Teal", "Pink")
LETTERS = "brgyvotp"

# What a vertex shows of itself: its tokens by colour, first arrived first; its colour; how often
# it has taken one.
Contents = tuple[tuple[tuple[int, int], ...], int | None, int]
Configuration = tuple[Contents, ...]


@dataclass(frozen=True)
class Network:
    """The network, A change of network: one stage of the board, and the ply at which it begins."""

    ply: int
    successors: tuple[tuple[int, ...], ...]  # in the board's order
    thresholds: tuple[int | None, ...]  # given, or None: the out-degree
    accept: tuple[tuple[float, ...], ...] | None = None  # per successor; None: 1 everywhere

    def out_degree(self, vertex: int) -> int:
        return len(self.successors[vertex])

    def in_degree(self, vertex: int) -> int:
        """The number of predecessors."""
        return sum(successors.count(vertex) for successors in self.successors)

    def threshold(self, vertex: int) -> int:
        """The network: the number that the board gives, or the out-degree, and at least 1."""
        given = self.thresholds[vertex]
        return max(1, self.out_degree(vertex) if given is None else given)

    def is_sink(self, vertex: int) -> bool:
        return self.out_degree(vertex) == 0

    def probability(self, vertex: int, place: int) -> float:
        """How probably a token is taken on the edge to this place among the successors."""
        return 1.0 if self.accept is None else self.accept[vertex][place]

    def takes_every_token(self) -> bool:
        """Endless cascades: no draw can be made."""
        if self.accept is None:
            return True
        return all(probability >= 1 for row in self.accept for probability in row)


@dataclass(frozen=True)
class Rules:
    """The options. The option `accept` is in the networks, `foresight` concerns searches only."""

    players: int = 2
    loyalty: int = 0  # 0: zero, 1: full, k: how many times a vertex can take a colour
    order: str = "dominance"
    sinks: str = "keep"
    refused: str = "lost"
    tokens: tuple[int, ...] | None = None  # one number for everyone, or one for each
    turn: int = 1
    firings: int | None = None
    directed: bool = False  # whether the networks are, for the limit on firings
    seeds: dict[int, str] = field(default_factory=dict)  # vertex -> cell


class Draws:
    """Chance: the generator SplitMix64, begun with the number of the move."""

    def __init__(self, start: int) -> None:
        self.x = start
        self.n_made = 0

    def next(self) -> int:
        modulus = 2**64
        self.n_made += 1
        self.x = (self.x + 0x9E3779B97F4A7C15) % modulus
        z = self.x
        z = z ^ (z >> 30)
        z = (z * 0xBF58476D1CE4E5B9) % modulus
        z = z ^ (z >> 27)
        z = (z * 0x94D049BB133111EB) % modulus
        return z ^ (z >> 31)

    def is_taken(self, probability: float) -> bool:
        return (self.next() >> 11) < round(probability * 2**53)


class Game:
    """A game from its start on; `play` changes it, `copy` gives another one to go on with."""

    def __init__(self, networks: Sequence[Network], rules: Rules) -> None:
        check(networks, rules)
        self.networks = tuple(networks)
        self.rules = rules
        self.network = self.networks[0]
        self.vertices = range(len(self.network.successors))
        # What is on a vertex.
        self.tokens: list[dict[int, int]] = [{} for _ in self.vertices]  # colour -> number, not 0
        self.arrivals: list[list[int]] = [[] for _ in self.vertices]  # colours there, oldest first
        self.colour: list[int | None] = [None for _ in self.vertices]  # the colour taken last
        self.n_taken: list[int] = [0 for _ in self.vertices]  # how many times it has taken one
        # Whose turn it is.
        self.left = budgets(self.network, rules)
        self.to_move = 0
        self.placed = 0  # tokens put down in this turn so far
        self.ply = 0
        # How it ended, and the last move.
        self.ended: str | None = None  # endless or cut
        self.fired: list[int] = []  # the last move's cascade: who fired, in order
        self.fired_at_change: list[int] = []  # the same for a change of network after it
        self.draws = Draws(0)
        for vertex, cell in rules.seeds.items():
            self.seed(vertex, cell)

    def copy(self) -> "Game":
        other = Game(self.networks, self.rules)
        other.network = self.network
        other.tokens = [dict(tokens) for tokens in self.tokens]
        other.arrivals = [list(arrivals) for arrivals in self.arrivals]
        other.colour = list(self.colour)
        other.n_taken = list(self.n_taken)
        other.left = list(self.left)
        other.to_move = self.to_move
        other.placed = self.placed
        other.ply = self.ply
        other.ended = self.ended
        other.fired = list(self.fired)
        other.fired_at_change = list(self.fired_at_change)
        return other

    def seed(self, vertex: int, cell: str) -> None:
        """Seeds: what lies on this vertex before the first move."""
        match = re.fullmatch(r"(?:([A-Z])(\d*):)?((?:\d+[a-z])*)", cell)
        if match is None:
            raise ValueError(f"not a cell: {cell!r}")
        taken, count, tokens = match.groups()
        for number, letter in re.findall(r"(\d+)([a-z])", tokens):
            colour = self.colour_of(letter)
            if int(number) == 0 or colour in self.tokens[vertex]:
                raise ValueError(f"not a cell: {cell!r}")
            self.tokens[vertex][colour] = int(number)
            self.arrivals[vertex].append(colour)
        if taken is not None:
            # `R:` without a number is owned, whatever the loyalty.
            n_taken = int(count) if count else self.rules.loyalty
            if not 1 <= n_taken <= self.rules.loyalty:
                raise ValueError(f"with this loyalty not a cell: {cell!r}")
            self.colour[vertex] = self.colour_of(taken.lower())
            self.n_taken[vertex] = n_taken

    def colour_of(self, letter: str) -> int:
        colour = LETTERS.find(letter)
        if not 0 <= colour < self.rules.players:
            raise ValueError(f"nobody's colour: {letter!r}")
        return colour

    # -- a move ------------------------------------------------------------------------------

    def legal_moves(self) -> list[int]:
        """A move: any vertex that is not owned."""
        if self.is_over:
            return []
        return [vertex for vertex in self.vertices if not self.is_owned(vertex)]

    def play(self, vertex: int, draw: int = 0) -> None:
        """A move, After the cascade, A change of network."""
        if vertex not in self.legal_moves():
            raise ValueError(f"illegal move {vertex} in {self.text()}")
        if not 0 <= draw < 2**32:
            raise ValueError(f"not a draw: {draw}")
        self.draws = Draws(draw)
        mover = self.to_move
        self.left[mover] -= 1
        self.arrive(vertex, mover)
        self.fired = self.cascade(mover)
        self.fired_at_change = []
        self.ply += 1
        self.pass_the_turn()
        if not self.is_over:
            self.change_network()

    def pass_the_turn(self) -> None:
        """After the cascade: after `turn` tokens, or without tokens, the next who has some."""
        self.placed += 1
        if self.placed < self.rules.turn and self.left[self.to_move] > 0:
            return
        self.placed = 0
        n_players = self.rules.players
        in_order = [(self.to_move + step) % n_players for step in range(1, n_players + 1)]
        with_tokens = [player for player in in_order if self.left[player] > 0]
        self.to_move = with_tokens[0] if with_tokens else in_order[0]

    def change_network(self) -> None:
        """A change of network: what is ready now fires, for the player who is to move."""
        for network in self.networks:
            if network.ply == self.ply:
                self.network = network
                self.fired_at_change = self.cascade(self.to_move)

    # -- a cascade ---------------------------------------------------------------------------

    def cascade(self, mover: int) -> list[int]:
        """A move, Endless cascades: the vertices that fire, in order, until none is ready."""
        fired: list[int] = []
        kept: Configuration | None = None  # an earlier configuration, without a draw since
        age, lap = 0, 1  # firings since it was kept, and until it is replaced
        while True:
            ready = [vertex for vertex in self.vertices if self.is_ready(vertex)]
            if not ready:
                return fired
            if self.may_be_cut() and len(fired) >= self.most_firings():
                self.ended = "endless" if self.cannot_end(fired) else "cut"
                return fired
            n_draws_before = self.draws.n_made
            vertex = self.first_of(ready, mover)
            self.fire(vertex)
            fired.append(vertex)
            if self.cannot_end(fired) and len(self.colours_on_board()) == 1:
                self.ended = "endless"
                return fired
            if self.draws.n_made > n_draws_before:
                kept = None
            elif not self.waits_for_all() or self.cannot_end(fired):
                configuration = self.configuration()
                if configuration == kept:
                    self.ended = "endless"
                    return fired
                age += 1
                if kept is None:
                    kept, age, lap = configuration, 0, 1
                elif age == lap:
                    kept, age, lap = configuration, 0, 2 * lap

    def is_ready(self, vertex: int) -> bool:
        """Ready: enough tokens, neither a sink nor owned, and firing would change something."""
        if self.network.is_sink(vertex) or self.is_owned(vertex):
            return False
        if self.total(vertex) < self.network.threshold(vertex):
            return False
        if self.rules.loyalty == 0:
            return True
        has_taker = any(not self.is_owned(u) for u in self.network.successors[vertex])
        return has_taker or self.winner_on(vertex) != self.colour[vertex]

    def first_of(self, ready: list[int], mover: int) -> int:
        """Which fires first: where the mover is most ahead, or the lowest index."""
        if self.rules.order == "index":
            return min(ready)
        most = max(self.dominance(vertex, mover) for vertex in ready)
        return min(vertex for vertex in ready if self.dominance(vertex, mover) == most)

    def dominance(self, vertex: int, mover: int) -> int:
        """Which fires first: the mover's tokens minus the most of any other colour."""
        tokens = self.tokens[vertex]
        others = [number for colour, number in tokens.items() if colour != mover]
        return tokens.get(mover, 0) - max(others, default=0)

    def winner_on(self, vertex: int) -> int:
        """Firing, step 1: the colour with most tokens; among equals the last that arrived."""
        tokens = self.tokens[vertex]
        most = max(tokens.values())
        equals = [colour for colour in self.arrivals[vertex] if tokens[colour] == most]
        return equals[-1]

    def fire(self, vertex: int) -> None:
        """Firing, steps 1 to 5."""
        winner = self.winner_on(vertex)
        n_remaining = self.total(vertex) - self.network.threshold(vertex)
        self.set_only_colour(vertex, winner, n_remaining)
        for place, successor in enumerate(self.network.successors[vertex]):
            probability = self.network.probability(vertex, place)
            if self.is_owned(successor):
                self.stay(vertex, winner)
            elif probability < 1 and not self.draws.is_taken(probability):
                if self.rules.refused == "stay":
                    self.stay(vertex, winner)
            else:
                self.arrive(successor, winner)
        if self.rules.loyalty > 0 and self.colour[vertex] != winner:
            self.colour[vertex] = winner
            self.n_taken[vertex] += 1

    def set_only_colour(self, vertex: int, colour: int, number: int) -> None:
        """The vertex holds this many tokens of this colour, and nothing else."""
        self.tokens[vertex] = {colour: number} if number > 0 else {}
        self.arrivals[vertex] = [colour] if number > 0 else []

    def stay(self, vertex: int, colour: int) -> None:
        """One token stays on the vertex that fires, which holds no other colour."""
        self.set_only_colour(vertex, colour, self.total(vertex) + 1)

    def arrive(self, vertex: int, colour: int) -> None:
        """A token arrives, and its colour is now the last that did; or a sink drops it."""
        if self.network.is_sink(vertex) and self.rules.sinks == "drop":
            return
        self.tokens[vertex][colour] = self.tokens[vertex].get(colour, 0) + 1
        if colour in self.arrivals[vertex]:
            self.arrivals[vertex].remove(colour)
        self.arrivals[vertex].append(colour)

    # -- endless and cut cascades ------------------------------------------------------------

    def cannot_end(self, fired: list[int]) -> bool:
        """Endless cascades, the argument: each vertex has fired, and gets back what it needs."""
        return (
            self.rules.loyalty == 0
            and self.network.takes_every_token()
            and set(fired) == set(self.vertices)
            and all(self.network.threshold(v) <= self.network.in_degree(v) for v in self.vertices)
        )

    def waits_for_all(self) -> bool:
        """Endless cascades: a recurrence is looked for only when every vertex has fired."""
        everyone = list(self.vertices)
        return self.cannot_end(everyone) and all(
            self.reached_from(v) == set(everyone) for v in everyone
        )

    def reached_from(self, vertex: int) -> set[int]:
        """The vertices to which arcs lead from a vertex, and itself."""
        found, waiting = {vertex}, [vertex]
        while waiting:
            for successor in self.network.successors[waiting.pop()]:
                if successor not in found:
                    found.add(successor)
                    waiting.append(successor)
        return found

    def may_be_cut(self) -> bool:
        """Endless cascades: which cascades have a limit."""
        network = self.network
        if self.rules.loyalty == 1:
            return False
        thresholds_are_degrees = all(
            network.threshold(v) == max(1, network.out_degree(v)) for v in self.vertices
        )
        is_eulerian = all(network.in_degree(v) == network.out_degree(v) for v in self.vertices)
        can_draw = not network.takes_every_token()
        is_free = self.rules.loyalty == 0 and thresholds_are_degrees and is_eulerian
        return not is_free or can_draw

    def most_firings(self) -> int:
        if self.rules.firings is not None:
            return self.rules.firings
        n = len(self.vertices)
        if self.rules.directed or not all(each.takes_every_token() for each in self.networks):
            return 100 * (n + 10)
        return 1000 * (n + 100)

    def configuration(self) -> Configuration:
        """Endless cascades: tokens, order of arrivals, colours taken."""
        return tuple(
            (
                tuple((colour, self.tokens[vertex][colour]) for colour in self.arrivals[vertex]),
                self.colour[vertex],
                self.n_taken[vertex],
            )
            for vertex in self.vertices
        )

    # -- the board ---------------------------------------------------------------------------

    def total(self, vertex: int) -> int:
        """The tokens of all colours on the vertex."""
        return sum(self.tokens[vertex].values())

    def is_owned(self, vertex: int) -> bool:
        """What is on a vertex: it has taken a colour as many times as it can."""
        return self.rules.loyalty > 0 and self.n_taken[vertex] >= self.rules.loyalty

    def colours_on_board(self) -> set[int]:
        return {colour for tokens in self.tokens for colour in tokens}

    # -- the end -----------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        return self.reason is not None

    @property
    def reason(self) -> str | None:
        """The end: why the game is over."""
        if self.ended is not None:
            return self.ended
        if sum(self.left) == 0:
            return "budgets"
        if all(self.is_owned(vertex) for vertex in self.vertices):
            return "owned"
        return None

    @property
    def scores(self) -> list[int]:
        """The end: tokens on the board, or with a loyalty the vertices of each colour."""
        players = range(self.rules.players)
        if self.rules.loyalty > 0:
            return [self.colour.count(player) for player in players]
        return [sum(tokens.get(player, 0) for tokens in self.tokens) for player in players]

    @property
    def winners(self) -> set[int]:
        """Endless cascades, The end: who shares the win."""
        if self.ended is not None:
            return self.colours_on_board()
        scores = self.scores
        return {player for player, score in enumerate(scores) if score == max(scores)}

    @property
    def returns(self) -> list[float]:
        """Returns: 0 for everyone while the game goes on."""
        n_players = self.rules.players
        if not self.is_over:
            return [0.0] * n_players
        winners = self.winners
        for_a_winner = (n_players - len(winners)) / (len(winners) * (n_players - 1))
        for_another = -1 / (n_players - 1)
        return [for_a_winner if p in winners else for_another for p in range(n_players)]

    # -- texts -------------------------------------------------------------------------------

    def cell_text(self, vertex: int) -> str:
        """Texts: one vertex, the colour that arrived first in front."""
        colour = self.colour[vertex]
        text = ""
        if colour is not None:
            count = str(self.n_taken[vertex]) if self.rules.loyalty > 1 else ""
            text = f"{LETTERS[colour].upper()}{count}:"
        for token_colour in self.arrivals[vertex]:
            text += f"{self.tokens[vertex][token_colour]}{LETTERS[token_colour]}"
        return text

    def board_text(self) -> str:
        """Texts: the vertices, where a bare number counts empty ones."""
        parts: list[str] = []
        n_empty = 0
        for vertex in self.vertices:
            cell = self.cell_text(vertex)
            if cell == "":
                n_empty += 1
                continue
            if n_empty > 0:
                parts.append(str(n_empty))
                n_empty = 0
            parts.append(cell)
        if n_empty > 0:
            parts.append(str(n_empty))
        return ",".join(parts)

    def text(self) -> str:
        """Texts: a position."""
        left = "-".join(str(number) for number in self.left)
        parts = [self.board_text(), NAMES[self.to_move], left]
        if len(self.networks) > 1:
            parts.append(f"ply={self.ply}")
        if self.placed > 0:
            parts.append(f"placed={self.placed}")
        if self.ended is not None:
            parts.append(f"ended={self.ended}")
        return " ".join(parts)


def budgets(first: Network, rules: Rules) -> list[int]:
    """Budgets: given, or the sum of out-degree - 1 over the non-sinks, dealt one by one."""
    if rules.tokens is not None:
        given = list(rules.tokens)
        dealt = given * rules.players if len(given) == 1 else given
        if len(dealt) != rules.players:
            raise ValueError("tokens: one number for everyone, or one for each player")
    else:
        n_in_all = sum(len(successors) - 1 for successors in first.successors if successors)
        dealt = [0] * rules.players
        for number in range(n_in_all):
            dealt[number % rules.players] += 1
    if min(dealt) < 1:
        raise ValueError("there must be at least one token for each player")
    return dealt


def check(networks: Sequence[Network], rules: Rules) -> None:
    """The options and the network: what is possible at all."""
    if not 2 <= rules.players <= 8 or not 0 <= rules.loyalty <= 100 or not 1 <= rules.turn <= 100:
        raise ValueError(f"players, loyalty or turn out of range in {rules}")
    if rules.order not in ("dominance", "index"):
        raise ValueError(f"order must be dominance or index, not {rules.order!r}")
    if rules.sinks not in ("keep", "drop"):
        raise ValueError(f"sinks must be keep or drop, not {rules.sinks!r}")
    if rules.refused not in ("lost", "stay"):
        raise ValueError(f"refused must be lost or stay, not {rules.refused!r}")
    plies = [network.ply for network in networks]
    if not plies or plies[0] != 0 or plies != sorted(set(plies)):
        raise ValueError(f"the networks must begin at ply 0 and then later and later: {plies}")
    n = len(networks[0].successors)
    for network in networks:
        if len(network.successors) != n or len(network.thresholds) != n:
            raise ValueError("every network must have the same vertices")
        if network.accept is not None:
            shape = [len(successors) for successors in network.successors]
            if [len(row) for row in network.accept] != shape:
                raise ValueError("accept must give one probability per successor")
