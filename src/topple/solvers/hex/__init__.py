"""Hex: who wins, by must-play regions and connections."""
