"""Bridges: topple's games and agents where other programs speak of them, and theirs here."""
