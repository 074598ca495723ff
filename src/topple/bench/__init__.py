"""Measurements of speed on this machine.

`playouts` measures random games, and cascades by the size of the network; `searches` measures
the agents, beside OpenSpiel where that is installed. `topple bench` prints both.
"""
