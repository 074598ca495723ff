"""Spread-It: tokens, thresholds and cascades on a network.

`rules` is the game's module. `board` lays out the state, `cascade` fires vertices, and `ready`
finds the vertex that fires next.
"""
