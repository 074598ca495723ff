"""Compiling: from plain Python functions to a game's compiled kernels.

`kernel` marks a function, `Specialised` binds marked functions to one game's rules and compiles
them, and `cache` keeps the machine code on disk. Random numbers and the logarithm are here
because kernels need them to be the same on every machine.
"""

from topple.compiling.specialise import Kernel, Specialised, contract, kernel

__all__ = ["Kernel", "Specialised", "contract", "kernel"]
