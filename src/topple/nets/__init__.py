"""Graph networks that look at positions: one design for every game and board.

`net` is a network's weights and `net_file` reads and writes them; `sight` is what a network
sees of a board, and `encodings` what it sees of each game's positions; `forward` is the
compiled forward pass. Nothing here needs a learning framework.
"""
