"""Computations: what papers have computed, not played, each by its name.

A computation takes plain data by keyword and returns plain JSON data. It may take
`report`, which it tells how much is done, out of how much.
"""

COMPUTATIONS: dict[str, str] = {  # module:function, imported when it is needed
    "pruning-savings": "topple.reproduction.computations.pruning:savings",
    "pruning-in-games": "topple.reproduction.computations.pruning:in_games",
    "resolve-times": "topple.reproduction.computations.resolving:times",
}
