"""Folders to begin a game or an agent with: a module, its test, a README, a board, a package."""
