"""Learning: the weights of a game's features, from games of self-play."""
