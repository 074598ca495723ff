"""Advice for the next move of Spread-It on a user's own network.

`advise` rates moves by quick games and compares them with what the usual centralities would
choose. `read_tokens` and `position_with` make the position from a table of tokens.
"""

from topple.advice.api import advise
from topple.advice.result import Advice, Baseline, Rated
from topple.advice.tokens import Tokens, parse_tokens, position_with, read_tokens

__all__ = [
    "Advice",
    "Baseline",
    "Rated",
    "Tokens",
    "advise",
    "parse_tokens",
    "position_with",
    "read_tokens",
]
