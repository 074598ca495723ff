"""Training: networks that learn a game from self-play.

`settings` says what is trained, `boards` draws the boards, `tables` plays the games, `window`
keeps what is learned from, `twin` is the network in PyTorch and `learner` improves it; `run`
puts them together. Only this package needs PyTorch, the extra `topple[train]`.
"""
