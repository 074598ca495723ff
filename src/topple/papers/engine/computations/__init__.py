"""Computations: what papers have computed, not played, each by its name.

A computation takes plain data by keyword and returns plain JSON data. It may take
`report`, which it tells how much is done, out of how much.
"""

# module:function, imported when it is needed
COMPUTATIONS: dict[str, str] = {
    "influence-example": "topple.papers.engine.computations.digraphs:example",
    "influence-pairs": "topple.papers.engine.computations.segments:pairs",
    "influence-quasi-paths": "topple.papers.engine.computations.quasi_paths:quasi_paths",
    "influence-rings": "topple.papers.engine.computations.segments:rings",
    "influence-segments": "topple.papers.engine.computations.sequence:segments",
    "influence-sums": "topple.papers.engine.computations.segments:sums",
    "influence-trees": "topple.papers.engine.computations.digraphs:trees",
    "lms-learning": "topple.papers.engine.computations.learning:lms",
    "networks": "topple.papers.engine.computations.networks:networks",
    "pruning-in-games": "topple.papers.engine.computations.pruning:in_games",
    "pruning-savings": "topple.papers.engine.computations.pruning:savings",
    "resolve-times": "topple.papers.engine.computations.resolving:times",
    "sds-bandit": "topple.papers.engine.computations.sds:bandit",
    "sds-layers": "topple.papers.engine.computations.sds:layers",
    "sds-spread": "topple.papers.engine.computations.sds:spread",
    "sds-tree": "topple.papers.engine.computations.sds:tree",
}
