"""Core: what every part of topple stands on and that knows nothing of games.

Errors with their sentences, names with options (`spec`), text on one line, files that are
written whole or not at all, and processes that end with their parent.
"""
