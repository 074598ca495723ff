"""Seats: what is played in a training run, a game on the boards of a family."""

from dataclasses import dataclass
from functools import cached_property
from random import Random

from topple.game import Game, load
from topple.training.boards import BoardFamily
from topple.training.settings import TrainingSettings

SAMPLE = 200  # boards of a family that tell how large they get


@dataclass(frozen=True)
class Seat:
    """A game, as a spec, on boards of one family."""

    game: str
    family: BoardFamily

    @cached_property
    def most(self) -> int:
        """The vertices of the largest board that may be drawn, from a sample of the family."""
        source, draws = Random(0), 1 if self.family.is_fixed else SAMPLE
        return max(self.family.draw(source).n_vertices for _ in range(draws))

    def draw(self, source: Random) -> Game:
        """The game on a board of the family."""
        while True:
            board = self.family.draw(source)
            if board.n_vertices <= self.most:
                return load(self.game, board=board)


def seats_of(settings: TrainingSettings) -> list[Seat]:
    """Every game on every family of boards."""
    return [Seat(game, BoardFamily(text)) for text in settings.boards for game in settings.games]
