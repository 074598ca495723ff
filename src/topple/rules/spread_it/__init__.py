"""Spread-It: the rules, its board, its cascades, and the vertices that are ready to fire."""
