"""Spread-It: the published numbers, as they are printed."""

from typing import NamedTuple

from topple.papers.paper import Number

MCTS, ALPHA_BETA, RANDOM = "MCTS", "Alpha-Beta", "Random"
ORDER = (MCTS, ALPHA_BETA, RANDOM)  # from the best to the worst, as published
RANDOM_NETWORKS, SMALL_WORLDS, ATTACHMENT = "Random", "Watts-Strogatz", "Barabási-Albert"

GAMES_OF_A_ROW = 3750  # of tables I and IV: 250 on each of 15 networks, one of the two begins


class AgentResult(NamedTuple):
    """A row of tables I and IV: how Black fared, all in percent."""

    black: str
    red: str
    wins: float
    margin: float
    draws: float
    wins_of_decided: float

    @property
    def name(self) -> str:
        """What the row is called here."""
        return f"{self.black} – {self.red}"


ZERO, FULL = "zero", "full"  # loyalty

AGENT_RESULTS = {
    ZERO: (  # table I
        AgentResult(ALPHA_BETA, MCTS, 31.0, 1.48, 4.1, 32.4),
        AgentResult(ALPHA_BETA, RANDOM, 97.5, 0.49, 0.1, 97.9),
        AgentResult(MCTS, ALPHA_BETA, 70.1, 1.46, 4.2, 74.0),
        AgentResult(MCTS, RANDOM, 99.6, 0.20, 0, 99.6),
        AgentResult(RANDOM, MCTS, 0.7, 0.26, 0.1, 0.7),
        AgentResult(RANDOM, ALPHA_BETA, 4.0, 0.62, 1.1, 4.0),
    ),
    FULL: (  # table IV
        AgentResult(ALPHA_BETA, MCTS, 13.6, 1.09, 17.6, 16.5),
        AgentResult(ALPHA_BETA, RANDOM, 91.1, 0.91, 7.8, 98.9),
        AgentResult(MCTS, ALPHA_BETA, 74.7, 1.39, 14.1, 87.0),
        AgentResult(MCTS, RANDOM, 99.6, 0.20, 0.2, 99.8),
        AgentResult(RANDOM, MCTS, 0.2, 0.14, 0.4, 0.2),
        AgentResult(RANDOM, ALPHA_BETA, 1.8, 0.42, 8.9, 1.9),
    ),
}

# Tables II and V: wins in percent over all games.
SUMMARIES = {
    ZERO: {MCTS: Number(85.3, 0.80), ALPHA_BETA: Number(64.1, 1.08), RANDOM: Number(2.38, 0.34)},
    FULL: {MCTS: Number(87.5, 0.74), ALPHA_BETA: Number(50.0, 1.13), RANDOM: Number(1.0, 0.22)},
}

# Tables III and VI: wins in percent against all others, on each class of networks.
BY_CLASS = {
    ZERO: {
        (ALPHA_BETA, RANDOM_NETWORKS): Number(65.3, 1.86),
        (ALPHA_BETA, SMALL_WORLDS): Number(63.7, 1.88),
        (ALPHA_BETA, ATTACHMENT): Number(61.3, 1.90),
        (MCTS, RANDOM_NETWORKS): Number(79.4, 1.58),
        (MCTS, SMALL_WORLDS): Number(82.5, 1.48),
        (MCTS, ATTACHMENT): Number(86.9, 1.32),
        (RANDOM, RANDOM_NETWORKS): Number(2.1, 0.56),
        (RANDOM, SMALL_WORLDS): Number(3.0, 0.66),
        (RANDOM, ATTACHMENT): Number(3.0, 0.66),
    },
    FULL: {
        (ALPHA_BETA, RANDOM_NETWORKS): Number(37.3, 1.89),
        (ALPHA_BETA, SMALL_WORLDS): Number(56.7, 1.94),
        (ALPHA_BETA, ATTACHMENT): Number(51.7, 1.95),
        (MCTS, RANDOM_NETWORKS): Number(84.7, 1.41),
        (MCTS, SMALL_WORLDS): Number(83.0, 1.47),
        (MCTS, ATTACHMENT): Number(95.0, 0.85),
        (RANDOM, RANDOM_NETWORKS): Number(0.3, 0.21),
        (RANDOM, SMALL_WORLDS): Number(1.7, 0.50),
        (RANDOM, ATTACHMENT): Number(1.2, 0.42),
    },
}

# Figures 4 and 5: moves in percent on the top fifth, the rest and the lower fifth of the
# vertices. The numbers of a figure stand apart from its bars in the text; they are given to
# bars so that each bar adds up to 100.
CENTRAL = {
    ZERO: {
        (MCTS, "all games"): (19.01, 62.49, 18.49),
        (MCTS, "games won"): (18.50, 59.88, 21.62),
        (ALPHA_BETA, "all games"): (9.07, 71.53, 19.40),
        (ALPHA_BETA, "games won"): (9.50, 68.40, 22.10),
    },
    FULL: {
        (MCTS, "all games"): (30.64, 57.57, 11.78),
        (MCTS, "games won"): (30.41, 57.7, 11.86),
        (ALPHA_BETA, "all games"): (19.70, 69.63, 10.65),
        (ALPHA_BETA, "games won"): (18.88, 69.56, 11.54),
    },
}

# Figures 6 and 7: moves in percent on the two hubs, at threshold 10 and at threshold 5.
HUBS = {
    ZERO: {MCTS: (7.70, 18), ALPHA_BETA: (4.14, 11.19)},
    FULL: {MCTS: (12.50, 17.85), ALPHA_BETA: (9.60, 11.48)},
}

# Table VII: wins in percent of each evaluation, at zero and at full loyalty.
HEURISTICS = {
    "Parity": (Number(37.7, 0.93), Number(50.9, 0.96)),
    "Stability": (Number(14.1, 0.67), Number(10.9, 0.60)),
    "General": (Number(38.4, 0.93), Number(48.3, 0.96)),
    "Hubs": (Number(24.6, 0.82), Number(28.6, 0.86)),
    "Linear": (Number(49.4, 0.96), Number(62.2, 0.93)),
    "Mobility": (Number(23.9, 0.82), Number(21.8, 0.79)),
}

# Appendix B: of so many simulations so many won at least 70% and were averaged.
SIMULATIONS, KEPT = 20, 8

# Section V.A: the weights of the linear combination.
WEIGHTS = {"parity": 0.27, "stability": -0.08, "mobility": 0, "hubs": 0.315, "general": 0.495}
