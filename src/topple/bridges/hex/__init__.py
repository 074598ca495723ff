"""Hex elsewhere: the Hex Text Protocol in both directions, SGF, and HexWorld's addresses."""
