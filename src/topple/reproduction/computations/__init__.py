"""Computations: what papers have computed, not played, each by its name.

A computation takes plain data by keyword and returns plain JSON data. It may take
`report`, which it tells how much is done, out of how much.
"""

# module:function, imported when it is needed
COMPUTATIONS: dict[str, str] = {
    "influence-example": "topple.reproduction.computations.digraphs:example",
    "influence-pairs": "topple.reproduction.computations.segments:pairs",
    "influence-quasi-paths": "topple.reproduction.computations.quasi_paths:quasi_paths",
    "influence-rings": "topple.reproduction.computations.segments:rings",
    "influence-segments": "topple.reproduction.computations.sequence:segments",
    "influence-sums": "topple.reproduction.computations.segments:sums",
    "influence-trees": "topple.reproduction.computations.digraphs:trees",
    "lms-learning": "topple.reproduction.computations.learning:lms",
    "networks": "topple.reproduction.computations.networks:networks",
    "pruning-in-games": "topple.reproduction.computations.pruning:in_games",
    "pruning-savings": "topple.reproduction.computations.pruning:savings",
    "resolve-times": "topple.reproduction.computations.resolving:times",
    "sds-bandit": "topple.reproduction.computations.sds:bandit",
    "sds-layers": "topple.reproduction.computations.sds:layers",
    "sds-spread": "topple.reproduction.computations.sds:spread",
    "sds-tree": "topple.reproduction.computations.sds:tree",
}
