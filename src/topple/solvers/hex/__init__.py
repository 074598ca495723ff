"""Hex: a solver that finds the winner by must-play regions and connections."""
