"""Stochastic diffusion search in game trees: Tanay's thesis."""

from topple.papers.paper import (
    FIRST,
    Between,
    Claim,
    Computed,
    Fact,
    Falling,
    GameField,
    GameSet,
    Holds,
    Item,
    ItemCell,
    ItemChoice,
    MeanRate,
    Number,
    Paper,
    Rate,
    Why,
)

# -- computed facts --------------------------------------------------------------------------

MANY, FEW = 400, 100  # runs behind a mean, at full scale and at quick
BANDIT = {"agents": 200, "iterations": 50}
TREE = {"agents": 500, "iterations": 50}
WIDE, CLOSE = [0.9, 0.7, 0.5, 0.3, 0.1], [0.7, 0.6, 0.5, 0.4, 0.2]  # ours: what arms are worth

COMPUTED = (
    Computed(
        "bandit",
        "sds-bandit",
        full={"chances": WIDE, "runs": 200, **BANDIT},
        quick={"chances": WIDE, "runs": 40, **BANDIT},
        about="the values of the five arms are ours",
    ),
    Computed(
        "bandit, once",
        "sds-bandit",
        full={"chances": WIDE, **BANDIT},
        quick={"chances": WIDE, **BANDIT},
    ),
    Computed(
        "bandit with arms closer together",
        "sds-bandit",
        full={"chances": CLOSE, "runs": 200, **BANDIT},
        quick={"chances": CLOSE, "runs": 40, **BANDIT},
    ),
    *(
        Computed(
            f"population {population}{once}",
            "sds-tree",
            full={"population": population, "runs": full, **TREE},
            quick={"population": population, "runs": quick, **TREE},
        )
        for population in ("root", "a", "b")
        for once, full, quick in (("", MANY, FEW), (", once", 1, 1))
    ),
    *(
        Computed(
            f"layers{once}",
            "sds-layers",
            full={"runs": full, **TREE},
            quick={"runs": quick, **TREE},
        )
        for once, full, quick in (("", MANY, FEW), (", once", 1, 1))
    ),
    *(
        Computed(
            f"spread, scattering {name}",
            "sds-spread",
            full={"agents": 50_000, "scattering": scattering, "runs": 10},
            quick={"agents": 10_000, "scattering": scattering, "runs": 4},
            about="agents for the first move on the empty board",
        )
        for name, scattering in (("1/5", 0.2), ("1", 1.0))
    ),
)

# -- games ----------------------------------------------------------------------------

HEX = (GameField("hex", "hex:7"),)
IN_TREE, AT_ROOT = "SDS in the tree", "SDS at the root"
VANILLA, UCT = "vanilla Monte Carlo", "UCT"

ROOT = "sds-root:agents=50000,iterations=50"
TREE_50 = "sds-tree:agents=50000,iterations=50"
QUICK_ROOT = "sds-root:agents=10000,iterations=50"
QUICK_TREE = "sds-tree:agents=10000,iterations=50"
QUICK_ABOUT = "quick: 10,000 agents instead of 50,000"

GAMES = (
    GameSet(
        "tree against root",
        HEX,
        {IN_TREE: f"{TREE_50},scattering=0.2", AT_ROOT: ROOT},
        full=200,
        quick=40,
        quick_agents={IN_TREE: f"{QUICK_TREE},scattering=0.2", AT_ROOT: QUICK_ROOT},
        about=QUICK_ABOUT,
    ),
    GameSet(
        "agents go back to the root",
        HEX,
        {IN_TREE: f"{TREE_50},scattering=0.2,backscatter=root", AT_ROOT: ROOT},
        full=200,
        quick=12,
        quick_agents={
            IN_TREE: f"{QUICK_TREE},scattering=0.2,backscatter=root",
            AT_ROOT: QUICK_ROOT,
        },
        about=QUICK_ABOUT,
    ),
    GameSet(
        "equal playouts",
        HEX,
        {IN_TREE: "sds-tree:agents=50000,scattering=0.2,playouts=2500000", AT_ROOT: ROOT},
        full=200,
        quick=12,
        quick_agents={
            IN_TREE: "sds-tree:agents=10000,scattering=0.2,playouts=500000",
            AT_ROOT: QUICK_ROOT,
        },
        about=QUICK_ABOUT,
    ),
    GameSet(
        "scattering 1",
        HEX,
        {IN_TREE: f"{TREE_50},scattering=1", AT_ROOT: ROOT, VANILLA: "montecarlo:samples=51020"},
        full=200,
        quick=16,
        gauntlet=True,
        quick_agents={
            IN_TREE: f"{QUICK_TREE},scattering=1",
            AT_ROOT: QUICK_ROOT,
            VANILLA: "montecarlo:samples=10204",
        },
        about=QUICK_ABOUT,
    ),
    GameSet(
        "vanilla",
        HEX,
        {VANILLA: "montecarlo:samples=51020", AT_ROOT: ROOT, IN_TREE: f"{TREE_50},scattering=0.2"},
        full=200,
        quick=16,
        gauntlet=True,
        quick_agents={
            VANILLA: "montecarlo:samples=10204",
            AT_ROOT: QUICK_ROOT,
            IN_TREE: f"{QUICK_TREE},scattering=0.2",
        },
        about="51,020 random games for each move: on the empty board as many playouts as 50,000 "
        f"agents have in 50 iterations; {QUICK_ABOUT}",
    ),
    GameSet(
        "UCT",
        HEX,
        {
            UCT: "uct:iterations=2500000,keep=false",
            IN_TREE: "sds-tree:agents=50000,scattering=0.2,playouts=2500000",
            AT_ROOT: ROOT,
        },
        full=100,
        quick=20,
        gauntlet=True,
        quick_agents={
            UCT: "uct:iterations=100000,keep=false",
            IN_TREE: "sds-tree:agents=2000,scattering=0.2,playouts=100000",
            AT_ROOT: "sds-root:agents=2000,iterations=50",
        },
        about="each side has 2,500,000 playouts for a move (quick: 100,000, with 2,000 agents)",
    ),
    *(
        GameSet(
            f"2,000 agents, scattering {name}",
            HEX,
            {
                IN_TREE: f"sds-tree:agents=2000,iterations=50,scattering={scattering}",
                AT_ROOT: "sds-root:agents=2000,iterations=50",
            },
            full=200,
            quick=40,
            about="shows the effect of the number of agents",
        )
        for name, scattering in (("1/5", 0.2), ("1", 1.0))
    ),
)


# -- figures -----------------------------------------------------------------------------------

TEN, END = "after 10 iterations, %", "in the second half, %"
ARMS = ("best arm", "second", "third", "fourth", "worst arm")

FIGURE_4_2 = Item(
    kind="figure",
    number="4.2",
    title="How agents spread over the arms of a bandit",
    section="4.2.1",
    cells=tuple(
        ItemCell(arm, column, Fact("bandit", (key, place)))
        for place, arm in enumerate(ARMS)
        for column, key in ((TEN, "settled"), (END, "late"), ("worth, % of all arms", "worth"))
    ),
    claims=(
        Claim(
            "After about 10 iterations the numbers of agents on the arms roughly correspond "
            "to the arms' values.",
            (Holds(Fact("bandit", ("is_in_order",))),),
            "4.2.1",
        ),
    ),
    choices=(
        ItemChoice(
            "arms worth 0.2 to 0.7",
            {"bandit": "bandit with arms closer together"},
            "the values of figure 4.1 are not in the text",
        ),
    ),
    notes=(
        "200 agents and 50 iterations are from the thesis; the values of the arms, 0.9 to "
        "0.1, are ours, since figure 4.1 is only a picture.",
        "The check takes 'correspond' to mean the same order. They are not proportional: the "
        "best arm attracts far more than its share.",
    ),
    form="curves",
    curves=("bandit", "bandit, once"),
)

OF_TREE = (
    "The tree of figure 4.3 is only a picture. The text says that Max wins 33% of random "
    "games after a and 67% after b, and that Min's reply c to b wins. So b has three replies, "
    "worth 0, 1 and 1 to Max. That a has three replies worth 1/3 each is ours.",
    "500 agents in each population and 50 iterations are from the thesis; the means over many "
    "runs are ours, shown beside one run as in the thesis.",
)

FIGURE_4_4 = Item(
    kind="figure",
    number="4.4",
    title="Min's population after Max's move a",
    section="4.2.2",
    cells=(
        ItemCell("largest of three replies", TEN, Fact("population a", ("largest_settled",))),
        ItemCell(
            "largest of three replies", "at the end, %", Fact("population a", ("largest_last",))
        ),
    ),
    claims=(
        Claim(
            "After about 10 iterations the replies are still roughly in balance: none has half of "
            "the agents.",
            (Between("largest of three replies", TEN, high=50),),
            "4.2.2",
        ),
    ),
    notes=OF_TREE,
    form="curves",
    curves=("population a", "population a, once"),
)

FIGURE_4_5 = Item(
    kind="figure",
    number="4.5",
    title="Min's population after Max's move b",
    section="4.2.2",
    cells=(
        ItemCell("agents for c", TEN, Fact("population b", ("settled_c",)), Number(100)),
        ItemCell("all agents for c", "since iteration", Fact("population b", ("all_on_c_since",))),
    ),
    claims=(
        Claim(
            "After about 10 iterations all agents support c, in every run.",
            (Holds(Fact("population b", ("all_on_c_from_10",))),),
            "4.2.2",
        ),
    ),
    notes=OF_TREE,
    form="curves",
    curves=("population b", "population b, once"),
)

FIGURE_4_6 = Item(
    kind="figure",
    number="4.6",
    title="The population at the root",
    section="4.2.2",
    cells=(
        ItemCell("agents for b", "after 2 iterations, %", Fact("population root", ("early_b",))),
        ItemCell("agents for a", TEN, Fact("population root", ("settled_a",))),
        ItemCell("agents for a", "from then on, %", Fact("population root", ("late_a",))),
        ItemCell("most agents for a", "since iteration", Fact("population root", ("turned",))),
    ),
    claims=(
        Claim(
            "In the first few iterations agents tend to b.",
            (Between("agents for b", "after 2 iterations, %", low=50),),
            "4.2.2",
        ),
        Claim(
            "The trend turns soon, and from about 10 iterations on most agents support a, in "
            "every run.",
            (
                Holds(Fact("population root", ("a_leads_from_10",))),
                Between("most agents for a", "since iteration", high=10),
            ),
            "4.2.2",
        ),
    ),
    notes=(
        *OF_TREE,
        "Not all agents settle on a: two out of three that try it lose, and try another move. "
        "The equilibrium share is 3(√5 − 2), about 71%.",
    ),
    form="curves",
    curves=("population root", "population root, once"),
)

MIN_AFTER_A = "Min's agents after a"

FIGURE_4_7 = Item(
    kind="figure",
    number="4.7",
    title="The size of Min's population after a, with reallocation within layers",
    section="4.3.1",
    cells=(
        ItemCell(MIN_AFTER_A, "after 2 iterations, %", Fact("layers", ("early",))),
        ItemCell(MIN_AFTER_A, TEN, Fact("layers", ("settled",))),
        ItemCell(MIN_AFTER_A, "from then on, %", Fact("layers", ("late",))),
        ItemCell("agents for a at the root", "from then on, %", Fact("layers", ("late_support",))),
        ItemCell("between the two", "from then on, %", Fact("layers", ("distance",))),
    ),
    claims=(
        Claim(
            "The size of the population roughly follows the number of agents for a at the "
            "root: the two differ by at most 5% of all agents.",
            (Between("between the two", "from then on, %", high=5),),
            "4.3.1",
        ),
        Claim(
            "It shows the turn from b to a in the first few iterations.",
            (
                Between(MIN_AFTER_A, "after 2 iterations, %", high=50),
                Between(MIN_AFTER_A, TEN, low=50),
            ),
            "4.3.1",
        ),
    ),
    notes=(*OF_TREE, "Section 4.3.1 calls this figure 4.4 but means 4.7. The limit of 5% is ours."),
    form="curves",
    curves=("layers", "layers, once"),
)

# -- the games of section 5.2.3 ----------------------------------------------------------------

ROOTED, PLAIN, BY_UCT = "against SDS at the root", "against vanilla", "against UCT"
ROW_1 = "SDS in the tree, scattering 1"
SMALL, SMALL_1 = "SDS in the tree, 2,000 agents", "SDS in the tree, 2,000 agents, scattering 1"

WORSE_THAN_BOTH = "With scattering 1 SDS in the tree plays worse than both other programs."
SECTION_5_2_3 = Item(
    kind="section",
    number="5.2.3",
    title="Games of Hex on 7×7: SDS in the entire tree and at the root",
    section="5.2.3",
    cells=(
        ItemCell(IN_TREE, ROOTED, Rate("tree against root", IN_TREE), Number(63.5, trials=200)),
        ItemCell(IN_TREE, PLAIN, Rate("vanilla", IN_TREE, (VANILLA,))),
        ItemCell(IN_TREE, BY_UCT, Rate("UCT", IN_TREE, (UCT,))),
        ItemCell(ROW_1, ROOTED, Rate("scattering 1", IN_TREE, (AT_ROOT,))),
        ItemCell(ROW_1, PLAIN, Rate("scattering 1", IN_TREE, (VANILLA,))),
        ItemCell(AT_ROOT, PLAIN, Rate("vanilla", AT_ROOT, (VANILLA,))),
        ItemCell(AT_ROOT, BY_UCT, Rate("UCT", AT_ROOT, (UCT,))),
        ItemCell(SMALL, ROOTED, Rate("2,000 agents, scattering 1/5", IN_TREE)),
        ItemCell(SMALL_1, ROOTED, Rate("2,000 agents, scattering 1", IN_TREE)),
        ItemCell(
            "who begins",
            "wins",
            MeanRate(
                (
                    Rate("tree against root", IN_TREE, seat=FIRST),
                    Rate("tree against root", AT_ROOT, seat=FIRST),
                )
            ),
        ),
        ItemCell(
            "agents at the root", "scattering 1/5", Fact("spread, scattering 1/5", ("at_root",))
        ),
        ItemCell("agents at the root", "scattering 1", Fact("spread, scattering 1", ("at_root",))),
    ),
    claims=(
        Claim(
            "With scattering 1 fewer agents stay at the root than with 1/5.",
            (
                Falling(
                    (
                        ("agents at the root", "scattering 1/5"),
                        ("agents at the root", "scattering 1"),
                    )
                ),
            ),
            "5.2.3",
        ),
        Claim(
            WORSE_THAN_BOTH,
            (Between(ROW_1, ROOTED, high=50), Between(ROW_1, PLAIN, high=50)),
            "5.2.3",
        ),
        Claim(
            "SDS at the root plays as well as vanilla Monte Carlo: it wins 40% to 60%.",
            (Between(AT_ROOT, PLAIN, low=40, high=60),),
            "5.2.3",
        ),
        Claim("The first player usually wins.", (Between("who begins", "wins", low=50),), "5.2.3"),
    ),
    choices=(
        ItemChoice(
            "agents that nobody asked go back to the root",
            {"tree against root": "agents go back to the root"},
            "section 4.3.2 leaves open whether they go to the parent or to the root",
        ),
        ItemChoice(
            "as many playouts for both",
            {"tree against root": "equal playouts"},
            "agents below the root begin no playouts, so 50 iterations of the tree have fewer",
        ),
    ),
    why=(
        Why(
            "The cost of scattering depends on how many agents are left at the root. With "
            "2,000 agents and scattering 1 the tree plays worse than the root, as in the "
            "thesis, but not with the number that plays here. More than 30% of these stay at "
            "the root (a bound of ours), while the thesis saw only a small part.",
            (
                Between(IN_TREE, ROOTED, low=50),
                Between(ROW_1, ROOTED, low=50),
                Between(SMALL_1, ROOTED, high=50),
                Between("agents at the root", "scattering 1", low=30),
            ),
            explains=(WORSE_THAN_BOTH,),
        ),
    ),
    notes=(
        "Percentages of games won. The thesis counts 127 victories in 200 games, about 63%, "
        "with the first player alternating; it prints no other score.",
        "50,000 agents, 50 iterations and scattering 1/5 are from the thesis.",
        "All games begin on the empty board. Games against UCT and with 2,000 agents are ours, "
        "and so are the 40% to 60%.",
    ),
    form="curves",
    curves=("spread, scattering 1/5", "spread, scattering 1"),
)

PAPER = Paper(
    name="sds-hex",
    title="Game-Tree Exploration using Stochastic Diffusion Search",
    authors="T. Tanay",
    source="M.Sc. thesis, Goldsmiths, University of London, 2012",
    game="hex",
    items=(FIGURE_4_2, FIGURE_4_4, FIGURE_4_5, FIGURE_4_6, FIGURE_4_7, SECTION_5_2_3),
    games=GAMES,
    computed=COMPUTED,
    about="The curves of chapter 4 are only in pictures, so we check what its text says about "
    "them.",
)
