"""INFLUENCE on any digraph, as sums of parts of a bipartite graph."""
