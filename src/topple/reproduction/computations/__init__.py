"""Computations: what papers have computed, not played, each by its name.

A computation takes plain data by keyword and returns plain JSON data. It may take
`report`, which it tells how much is done, out of how much.
"""

# module:function, imported when it is needed
COMPUTATIONS: dict[str, str] = {
    "lms-learning": "topple.reproduction.computations.learning:lms",
}
