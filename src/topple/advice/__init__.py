"""Advice on a network of one's own: which vertex to take next in Spread-It."""

from topple.advice.api import advise
from topple.advice.result import Advice, Baseline, Rated
from topple.advice.tokens import Tokens, parse_tokens, position_with, read_tokens

__all__ = [
    "Advice", "Baseline", "Rated", "Tokens", "advise", "parse_tokens", "position_with",
    "read_tokens",
]  # fmt: skip
