"""Computations: what papers computed rather than played, each under a name.

A computation takes plain data by keyword and returns plain JSON data. It may take a
function `report`, which it calls with how much is done and out of how much, and the other
helpers that `topple.papers.engine.computing` names.
"""

# The name of each computation, and its module:function, which is imported when it is used: the
# solvers and kernels behind computations are heavy.
COMPUTATIONS: dict[str, str] = {
    "influence-example": "topple.papers.engine.computations.influence_digraphs:example",
    "influence-pairs": "topple.papers.engine.computations.influence_segments:pairs",
    "influence-quasi-paths": "topple.papers.engine.computations.influence_digraphs:quasi_paths",
    "influence-rings": "topple.papers.engine.computations.influence_segments:rings",
    "influence-segments": "topple.papers.engine.computations.influence_segments:segments",
    "influence-sums": "topple.papers.engine.computations.influence_segments:sums",
    "influence-trees": "topple.papers.engine.computations.influence_digraphs:trees",
    "lms-learning": "topple.papers.engine.computations.spread_it:lms",
    "networks": "topple.papers.engine.computations.spread_it:networks",
    "pruning-in-games": "topple.papers.engine.computations.chain_reaction:in_games",
    "pruning-savings": "topple.papers.engine.computations.chain_reaction:savings",
    "resolve-times": "topple.papers.engine.computations.infexion:times",
    "sds-bandit": "topple.papers.engine.computations.sds_hex:bandit",
    "sds-layers": "topple.papers.engine.computations.sds_hex:layers",
    "sds-spread": "topple.papers.engine.computations.sds_hex:spread",
    "sds-tree": "topple.papers.engine.computations.sds_hex:tree",
}
