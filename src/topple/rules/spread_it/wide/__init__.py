"""Spread-It's wider world: more players, and directed, uncertain and changing networks.

`rules` is the game's module. `board` lays out the state, `tables` prepares a board, `vertices`
keeps what lies on a vertex and which vertices are ready, `cascade` fires them, `endless` finds
cascades that never end, and `texts` reads and writes positions.
"""
