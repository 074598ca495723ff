"""Slow twins of the five games, written from RULES.md alone, and the perft counts they give."""
