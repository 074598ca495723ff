"""What every game and every agent must keep, as checks that anybody can run.

`topple check MODULE.py` runs them in a process of its own; a test of your own calls
`check_game` and `check_agent`. A failure is a `topple.BadModule` with one line: where, the
position, and what to do.
"""

from topple.testing.agent_checks import check_agent, check_decision
from topple.testing.game_checks import check_game, check_random_moves_are_uniform, random_play

__all__ = [
    "check_agent",
    "check_decision",
    "check_game",
    "check_random_moves_are_uniform",
    "random_play",
]
