"""At the terminal: playing a game, waiting for an agent, progress, files of games, plain output."""
