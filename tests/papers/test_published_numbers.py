"""Each published number is compared with the right agent, opponents, seat and count."""

import pytest

from topple.boards import load_board
from topple.papers import load_paper
from topple.papers.paper import Fact, Item, ItemCell, MeanRate, Measure, Number, Rate, Share

LOYALTIES = {"I": "zero", "II": "zero", "III": "zero", "IV": "full", "V": "full", "VI": "full"}

# Rows as they are printed: wins with their ±, draws, wins of decided games.
AGENT_TABLES = {
    "I": {
        ("Alpha-Beta", "MCTS"): (31.0, 1.48, 4.1, 32.4),
        ("Alpha-Beta", "Random"): (97.5, 0.49, 0.1, 97.9),
        ("MCTS", "Alpha-Beta"): (70.1, 1.46, 4.2, 74.0),
        ("MCTS", "Random"): (99.6, 0.20, 0, 99.6),
        ("Random", "MCTS"): (0.7, 0.26, 0.1, 0.7),
        ("Random", "Alpha-Beta"): (4.0, 0.62, 1.1, 4.0),
    },
    "IV": {
        ("Alpha-Beta", "MCTS"): (13.6, 1.09, 17.6, 16.5),
        ("Alpha-Beta", "Random"): (91.1, 0.91, 7.8, 98.9),
        ("MCTS", "Alpha-Beta"): (74.7, 1.39, 14.1, 87.0),
        ("MCTS", "Random"): (99.6, 0.20, 0.2, 99.8),
        ("Random", "MCTS"): (0.2, 0.14, 0.4, 0.2),
        ("Random", "Alpha-Beta"): (1.8, 0.42, 8.9, 1.9),
    },
}
SUMMARIES = {
    "II": {"MCTS": (85.3, 0.80), "Alpha-Beta": (64.1, 1.08), "Random": (2.38, 0.34)},
    "V": {"MCTS": (87.5, 0.74), "Alpha-Beta": (50.0, 1.13), "Random": (1.0, 0.22)},
}
CLASSES = {"Random": "er", "Watts-Strogatz": "ws", "Barabási-Albert": "ba"}  # column, its boards
BY_CLASS = {
    "III": {
        "Alpha-Beta": ((65.3, 1.86), (63.7, 1.88), (61.3, 1.90)),
        "MCTS": ((79.4, 1.58), (82.5, 1.48), (86.9, 1.32)),
        "Random": ((2.1, 0.56), (3.0, 0.66), (3.0, 0.66)),
    },
    "VI": {
        "Alpha-Beta": ((37.3, 1.89), (56.7, 1.94), (51.7, 1.95)),
        "MCTS": ((84.7, 1.41), (83.0, 1.47), (95.0, 0.85)),
        "Random": ((0.3, 0.21), (1.7, 0.50), (1.2, 0.42)),
    },
}
EVALUATIONS = {
    "Parity": ((37.7, 0.93), (50.9, 0.96)),
    "Stability": ((14.1, 0.67), (10.9, 0.60)),
    "General": ((38.4, 0.93), (48.3, 0.96)),
    "Hubs": ((24.6, 0.82), (28.6, 0.86)),
    "Linear": ((49.4, 0.96), (62.2, 0.93)),
    "Mobility": ((23.9, 0.82), (21.8, 0.79)),
}
# Top fifth, rest, lowest fifth, in all games and in those that were won.
FIFTHS = {
    "4": {
        "MCTS": ((19.01, 62.49, 18.49), (18.50, 59.88, 21.62)),
        "Alpha-Beta": ((9.07, 71.53, 19.40), (9.50, 68.40, 22.10)),
    },
    "5": {
        "MCTS": ((30.64, 57.57, 11.78), (30.41, 57.7, 11.86)),
        "Alpha-Beta": ((19.70, 69.63, 10.65), (18.88, 69.56, 11.54)),
    },
}
HUBS = {
    "6": {"MCTS": (7.70, 18), "Alpha-Beta": (4.14, 11.19)},
    "7": {"MCTS": (12.50, 17.85), "Alpha-Beta": (9.60, 11.48)},
}
THE_NETWORK = "ba:n=24,m=3,p=0.5,seed=1130"  # of 24 vertices and 70 edges

Expected = dict[tuple[str, str], tuple[Number, Measure]]


def item_of(paper: str, name: str) -> Item:
    """An item by the name that it is printed with."""
    [found] = [item for item in load_paper(paper).items if item.name == name]
    return found


def check_item(paper: str, name: str, expected: Expected) -> None:
    """The published cells of an item are these and no others."""
    cells: list[ItemCell] = [
        each for each in item_of(paper, name).cells if each.published is not None
    ]
    assert {(each.row, each.column): (each.published, each.measure) for each in cells} == expected


@pytest.mark.parametrize("number", ["I", "IV"])
def test_the_first_named_is_black_and_its_games_count(number: str) -> None:
    expected: Expected = {}
    for (black, red), (wins, margin, draws, decided) in AGENT_TABLES[number].items():

        def rate(counts: str, black: str = black, red: str = red) -> Rate:
            return Rate(LOYALTIES[number], black, (red,), seat="first", counts=counts)

        row, trials = f"{black} – {red}", round(3750 * (1 - draws / 100))
        expected[row, "WR%"] = Number(wins, margin), rate("win")
        expected[row, "DR%"] = Number(draws, trials=3750), rate("draw")
        expected[row, "WLR%"] = Number(decided, trials=trials), rate("win-loss")
    check_item("spread-it", f"table {number}", expected)


@pytest.mark.parametrize("number", ["II", "V"])
def test_summaries_are_of_the_games_that_an_agent_begins(number: str) -> None:
    loyalty = LOYALTIES[number]
    check_item(
        "spread-it",
        f"table {number}",
        {
            (agent, "WR% as Black"): (Number(*value), Rate(loyalty, agent, (), "first", "win"))
            for agent, value in SUMMARIES[number].items()
        },
    )


@pytest.mark.parametrize("number", ["III", "VI"])
def test_classes_are_distinguished_by_their_boards(number: str) -> None:
    [games] = [each for each in load_paper("spread-it").games if each.name == LOYALTIES[number]]
    boards = {
        column: tuple(f.board for f in games.fields if f.board.startswith(f"{kind}:"))
        for column, kind in CLASSES.items()
    }
    assert {len(each) for each in boards.values()} == {5}
    check_item(
        "spread-it",
        f"table {number}",
        {
            (agent, column): (
                Number(*value),
                Rate(LOYALTIES[number], agent, (), "first", "win", boards[column]),
            )
            for agent, values in BY_CLASS[number].items()
            for column, value in zip(CLASSES, values, strict=True)
        },
    )


def test_evaluations_begin_against_all_seven_others() -> None:
    def mean(loyalty: str, name: str) -> MeanRate:
        games = f"{loyalty}, evaluations"
        among = [Rate(games, name, (other,), "first") for other in EVALUATIONS if other != name]
        against = [
            Rate(f"{games} and {other}", name, (other,), "first") for other in ("MCTS", "Random")
        ]
        return MeanRate((*among, *against))

    check_item(
        "spread-it",
        "table VII",
        {
            (name, f"{loyalty.capitalize()} Loyalty WR%"): (Number(*value), mean(loyalty, name))
            for name, values in EVALUATIONS.items()
            for loyalty, value in zip(("zero", "full"), values, strict=True)
        },
    )


@pytest.mark.parametrize(("number", "loyalty"), [("4", "zero"), ("5", "full")])
def test_central_moves_are_those_of_black(number: str, loyalty: str) -> None:
    columns = {"Top 20%": "top", "Rest": "rest", "Lower 20%": "lowest"}
    check_item(
        "spread-it",
        f"figure {number}",
        {
            (f"{agent}, {games}", column): (
                Number(value),
                Share(loyalty, agent, THE_NETWORK, fifth, (), "first", won),
            )
            for agent, both in FIFTHS[number].items()
            for games, won, values in (("all games", False, both[0]), ("games won", True, both[1]))
            for (column, fifth), value in zip(columns.items(), values, strict=True)
        },
    )


@pytest.mark.parametrize(("number", "loyalty"), [("6", "zero"), ("7", "full")])
def test_moves_on_hubs_are_those_of_black(number: str, loyalty: str) -> None:
    degrees = load_board(THE_NETWORK).degrees.tolist()
    hubs = tuple(vertex for vertex, degree in enumerate(degrees) if degree == 10)
    games = {"Threshold = Degree": loyalty, "Threshold << Degree": f"{loyalty}, cheap hubs"}
    check_item(
        "spread-it",
        f"figure {number}",
        {
            (agent, column): (
                Number(value),
                Share(games[column], agent, THE_NETWORK, hubs, (), "first", False),
            )
            for agent, values in HUBS[number].items()
            for column, value in zip(games, values, strict=True)
        },
    )


def test_scaled_weights_and_the_simulations_that_won_often_are_beside_the_published() -> None:
    weights = {"parity": 0.27, "stability": -0.08, "mobility": 0, "hubs": 0.315, "general": 0.495}
    check_item(
        "spread-it",
        "section B",
        {
            **{
                (name, "weight, scaled"): (Number(value), Fact("learning", ("scaled", name)))
                for name, value in weights.items()
            },
            ("simulations", "won at least 70%, in percent"): (
                Number(40, trials=20),
                Fact("learning", ("kept_share",)),
            ),
        },
    )


def test_monte_carlo_and_pruning_are_measured_against_random_play_in_both_seats() -> None:
    published = {
        "Monte Carlo": (984, 980.5, 970, 937, 918.5),
        "Progressive pruning": (989.5, 980.5, 966.5, 943, 910),
    }
    games = {"Monte Carlo": "random v Monte Carlo", "Progressive pruning": "random v pruning"}
    check_item(
        "chain-reaction",
        "table I",
        {
            (name, str(samples)): (
                Number(wins, trials=2000),
                Rate(games[name], f"{name} {samples}", ("Random",), "both", "win", (), 1000),
            )
            for name, row in published.items()
            for samples, wins in zip((100, 50, 25, 10, 5), row, strict=True)
        },
    )


def test_the_better_algorithm_won_every_game_and_the_other_none() -> None:
    agents = ("Random", "Greedy", "MiniMax", "α–β")
    expected: Expected = {}
    for n, better in enumerate(agents):
        for worse in agents[:n]:
            expected[better, worse] = Number(100, trials=10), Rate("table 1", better, (worse,))
            expected[worse, better] = Number(0, trials=10), Rate("table 1", worse, (better,))
        total = (0, 33, 66, 100)[n]
        expected[better, "Total Win Rate"] = Number(total, trials=30), Rate("table 1", better)
    check_item("infexion", "table 1", expected)


def test_the_tree_is_measured_against_the_root_in_both_seats() -> None:
    check_item(
        "sds-hex",
        "section 5.2.3",
        {
            ("SDS in the tree", "against SDS at the root"): (
                Number(63.5, trials=200),
                Rate("tree against root", "SDS in the tree", (), "both"),
            )
        },
    )


def test_the_other_rows_of_hex_are_measured_by_what_they_say() -> None:
    tree, root, vanilla = "SDS in the tree", "SDS at the root", "vanilla Monte Carlo"
    few = "2,000 agents, scattering"
    cells = {
        (each.row, each.column): each.measure for each in item_of("sds-hex", "section 5.2.3").cells
    }
    for row, column, rate in (
        (tree, "against vanilla", Rate("vanilla", tree, (vanilla,))),
        (tree, "against UCT", Rate("UCT", tree, ("UCT",))),
        (f"{tree}, scattering 1", "against SDS at the root", Rate("scattering 1", tree, (root,))),
        (f"{tree}, scattering 1", "against vanilla", Rate("scattering 1", tree, (vanilla,))),
        (root, "against vanilla", Rate("vanilla", root, (vanilla,))),
        (root, "against UCT", Rate("UCT", root, ("UCT",))),
        (f"{tree}, 2,000 agents", "against SDS at the root", Rate(f"{few} 1/5", tree)),
        (f"{tree}, 2,000 agents, scattering 1", "against SDS at the root", Rate(f"{few} 1", tree)),
    ):
        assert cells[row, column] == rate
    begins = tuple(Rate("tree against root", each, (), "first") for each in (tree, root))
    assert cells["who begins", "wins"] == MeanRate(begins)
