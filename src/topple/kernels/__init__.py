"""Compiled search that names no game: it knows only the contract of the rules."""
