"""INFLUENCE on alternated segments and rings: a solver for sums of them, and their scores."""
