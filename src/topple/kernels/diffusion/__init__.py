"""Stochastic diffusion search in a game tree (Tanay's thesis of 2012).

`population` holds agents that recruit one another, `tree` the nodes that have populations,
`reallocation` moves agents between them, and `search` runs an iteration.
"""
