"""Proofs of what a position is worth: `search` finds them, `table` stores them."""
