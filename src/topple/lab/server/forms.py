"""The bodies of requests, with a bound on every part; the API's description is made of them."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr

from topple.game.record import LONGEST_NAME
from topple.lab import limits

Spec = Annotated[str, Field(min_length=1, max_length=limits.SPEC)]
Move = (
    Annotated[StrictInt, Field(ge=0, le=limits.LARGEST_NUMBER)]
    | Annotated[StrictStr, Field(min_length=1, max_length=limits.MOVE_TEXT)]
)
MoveList = Annotated[list[Move], Field(max_length=limits.MOVES)]
Name = Annotated[str, Field(min_length=1, max_length=limits.NAME)]
Player = Annotated[str, Field(max_length=LONGEST_NAME)]
Players = Annotated[list[Player], Field(min_length=2, max_length=8)]
Seed = Annotated[StrictInt, Field(ge=0, le=limits.LARGEST_NUMBER)]


def _seconds(most: float) -> Any:
    return Field(ge=limits.LEAST_SECONDS, le=most, allow_inf_nan=False)


class Form(BaseModel):
    """What all bodies have in common: unknown parts are refused."""

    model_config = ConfigDict(extra="forbid")


class BoardForm(Form):
    """A board to draw."""

    board: Spec
    game: Spec | None = None


class LineForm(Form):
    """A line of play."""

    game: Spec
    board: Spec | None = None
    moves: MoveList = []


class ViewForm(LineForm):
    """A line of play whose last position is wanted."""

    steps: bool = False


class EndingForm(Form):
    """What ended a game before its rules did."""

    by: Literal["resignation", "crash", "time", "illegal", "length"]
    player: Annotated[StrictInt, Field(ge=0, le=7)] | None = None
    detail: Annotated[str, Field(max_length=LONGEST_NAME)] = ""


class PlayedForm(LineForm):
    """A line of play with who played it."""

    players: Players
    ending: EndingForm | None = None


class TakenForm(PlayedForm):
    """A line of play to export: as a record, for another Hex program, or as a network."""

    form: Literal["json", "sgf", "hexworld", "graphml", "gexf"] = "json"


class RecordForm(Form):
    """A record as topple writes it, a game of Hex as SGF, or a HexWorld address."""

    record: Annotated[str, Field(min_length=2, max_length=limits.BODY_BYTES)]


class GameForm(PlayedForm):
    """A game to keep."""

    name: Name


class ThinkForm(LineForm):
    """Ask an agent about the last position of a line; its last decision is its move."""

    kind: Literal["think"]
    agent: Spec
    seed: Seed | None = None
    seconds: Annotated[float, _seconds(limits.SECONDS)] = limits.SECONDS
    turn: bool = False  # the agent's own turn in a game: it goes before analyses


class ReviewForm(LineForm):
    """Ask an agent about every position of a line."""

    kind: Literal["review"]
    agent: Spec
    seed: Seed | None = None
    seconds: Annotated[float, _seconds(limits.REVIEW_SECONDS)] = 20.0


class SolveForm(LineForm):
    """Solve the last position of a line."""

    kind: Literal["solve"]
    seconds: Annotated[float, _seconds(limits.SOLVE_SECONDS)] = 60.0


class TournamentForm(Form):
    """A tournament that plays into the store of a name."""

    kind: Literal["tournament"]
    name: Name
    games: Annotated[list[Spec], Field(min_length=1, max_length=limits.TOURNAMENT_GAME_KINDS)]
    boards: Annotated[list[Spec], Field(max_length=limits.TOURNAMENT_BOARDS)] = []
    agents: Annotated[list[Spec], Field(min_length=2, max_length=limits.TOURNAMENT_AGENTS)]
    games_per_pairing: Annotated[StrictInt, Field(ge=1, le=limits.TOURNAMENT_GAMES)] = 10
    plies: Annotated[StrictInt, Field(ge=0, le=limits.TOURNAMENT_PLIES)] = 2
    seed: Seed = 1


JobForm = Annotated[
    ThinkForm | ReviewForm | SolveForm | TournamentForm, Field(discriminator="kind")
]
