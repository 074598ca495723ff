"""What is computed and played for Tanay's thesis."""

from topple.papers.paper import Computed, Field, Games

# -- what is computed --------------------------------------------------------------------------

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
        about="what the five arms are worth is ours",
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

# -- what is played ----------------------------------------------------------------------------

HEX = (Field("hex", "hex:7"),)
IN_TREE, AT_ROOT = "SDS in the tree", "SDS at the root"
VANILLA, UCT = "vanilla Monte Carlo", "UCT"

ROOT = "sds-root:agents=50000,iterations=50"
TREE_50 = "sds-tree:agents=50000,iterations=50"
QUICK_ROOT = "sds-root:agents=10000,iterations=50"
QUICK_TREE = "sds-tree:agents=10000,iterations=50"
QUICK_ABOUT = "quick: 10,000 agents instead of 50,000"

GAMES = (
    Games(
        "tree against root",
        HEX,
        {IN_TREE: f"{TREE_50},scattering=0.2", AT_ROOT: ROOT},
        full=200,
        quick=40,
        quick_agents={IN_TREE: f"{QUICK_TREE},scattering=0.2", AT_ROOT: QUICK_ROOT},
        about=QUICK_ABOUT,
    ),
    Games(
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
    Games(
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
    Games(
        "scattering 1",
        HEX,
        {
            IN_TREE: f"{TREE_50},scattering=1",
            AT_ROOT: ROOT,
            VANILLA: "montecarlo:samples=51020",
        },
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
    Games(
        "vanilla",
        HEX,
        {
            VANILLA: "montecarlo:samples=51020",
            AT_ROOT: ROOT,
            IN_TREE: f"{TREE_50},scattering=0.2",
        },
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
    Games(
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
        about="every side has 2,500,000 playouts for a move (quick: 100,000, with 2,000 agents)",
    ),
    *(
        Games(
            f"2,000 agents, scattering {name}",
            HEX,
            {
                IN_TREE: f"sds-tree:agents=2000,iterations=50,scattering={scattering}",
                AT_ROOT: "sds-root:agents=2000,iterations=50",
            },
            full=200,
            quick=40,
            about="what the number of agents does",
        )
        for name, scattering in (("1/5", 0.2), ("1", 1.0))
    ),
)
