"""Small boards of every game for two players: proof by search, using symmetries of the game."""
