"""Published tables and figures as data, one module for each paper.

A module has the paper's numbers with the sections that they are printed in, and the games and
computations that repeat them. Spread-It has a second module for its games.
"""
