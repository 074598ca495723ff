"""Speed of this machine.

Random games, cascades by size of network, and the searches beside OpenSpiel.
"""
