"""Playing in the process that asks: for notebooks, debuggers, and agents that are defined there."""

from collections.abc import Generator, Iterable

from topple.arena.planning.plan import Fixture, Plan
from topple.arena.playing.game import MOST_PLIES, Sheets, play_fixture
from topple.arena.playing.shared_status import SharedStatus


class InProcess:
    """Plays fixtures one after the other in the process that asks for them.

    The games are those that worker processes would play. But nothing can end an agent that
    never answers, or keep one from ending the process: a late move is noticed when it comes.
    Ctrl-C ends the play.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.status = SharedStatus(MOST_PLIES)

    def play(self, fixtures: Iterable[Fixture]) -> Generator[Sheets, None, None]:
        """Play all fixtures; yields the score sheet of each game."""
        for fixture in fixtures:
            agents = [self.plan.agents[seat] for seat in fixture.seats]
            game = self.plan.games[fixture.game]
            sheet = play_fixture(
                game, agents, fixture, self.plan.limits, self.status, is_contained=False
            )
            yield [(fixture, sheet)]
