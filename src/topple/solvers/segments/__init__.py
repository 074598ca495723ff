"""INFLUENCE on segments and rings, as sums of pieces; their score sequence."""
