"""Learning: find the weights of a game's features from games of self-play.

`training` plays the games, `training_file` stores them, `result` averages what was learned,
and `plots` draws it. `topple.learn` is the way in from Python.
"""
