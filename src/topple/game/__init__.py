"""The game as people use it: `Game`, `Position`, `Record` and perft, with every input checked.

Kernels work on vectors of numbers and trust their callers; this package is where text, moves
and boards from outside are checked before a kernel sees them.
"""
