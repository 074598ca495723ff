"""Compiled searches that know no game, only the contract of the rules.

A module holds the compiled part of one method; `topple.agents` and `topple.solvers` allocate its
arrays, call it in slices and read the result. `proof` proves what a position is worth, and
`diffusion` is stochastic diffusion search; the other methods have one module each.
"""
