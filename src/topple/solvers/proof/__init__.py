"""Every game for two: proof with a table, symmetry where the game has it."""
