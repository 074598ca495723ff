"""INFLUENCE on any digraph: a solver for sums of parts of a bipartite graph, and exact values."""
