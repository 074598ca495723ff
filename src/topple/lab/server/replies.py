"""What answers hold, for the API's description; the data itself is made elsewhere."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

CellReply = list[int]  # owner or -1, gone 0 or 1, then a count for each player
# Pairs are described as lists of two: not every tool knows tuples.
PAIR = Field(min_length=2, max_length=2)
Edge = Annotated[list[int], PAIR]
Point = Annotated[list[float], PAIR]
Change = Annotated[list[int | CellReply], PAIR]  # a vertex and what is on it now


class Reply(BaseModel):
    """What every answer has in common."""

    model_config = ConfigDict(extra="forbid")


class ErrorReply(Reply):
    """What was wrong, in one sentence."""

    error: str


class OptionReply(Reply):
    """An option of a game, an agent or a board."""

    name: str
    default: int | float | bool | str | None
    kind: str
    choices: list[str]
    least: float | None
    most: float | None
    meaning: str


class EvaluationReply(Reply):
    """A named evaluation of a game."""

    name: str
    meaning: str


class GameKindReply(Reply):
    """A game that can be played."""

    name: str
    title: str
    summary: str
    players: list[str]
    board: str
    boards: list[str]  # the kinds that it can be played on, its own first
    options: list[OptionReply]
    evaluations: list[EvaluationReply]


class AgentKindReply(Reply):
    """An agent that can be asked."""

    name: str
    summary: str
    most_players: int
    options: list[OptionReply]


class BoardKindReply(Reply):
    """A kind of board."""

    name: str
    example: str
    meaning: str
    options: list[OptionReply]


class CatalogueReply(Reply):
    """All that can be chosen, and the limits."""

    version: str
    games: list[GameKindReply]
    agents: list[AgentKindReply]
    boards: list[BoardKindReply]
    limits: dict[str, float]


class BoardReply(Reply):
    """A board with all that is needed to draw it."""

    board: str
    digest: str
    spec: str
    form: Literal["squares", "hexes", "network"]
    wraps: bool
    rows: int
    columns: int
    directed: bool
    labels: list[str]
    edges: list[Edge]
    places: list[Point]
    thresholds: list[int]
    sides: str
    notes: list[str]
    vertices: int
    n_edges: int


class PlaceReply(Reply):
    """A move with its text and its vertex."""

    move: int
    text: str
    vertex: int | None


class LegalReply(PlaceReply):
    """A move that may be played."""

    to: int | None


class MadeReply(PlaceReply):
    """A move that was made."""

    player: int


class ResultReply(Reply):
    """How a game ended."""

    winner: int | None
    text: str
    returns: list[float]


class TallyReply(Reply):
    """Something that is counted for each player."""

    name: str
    values: list[int]


class StepReply(Reply):
    """One step of a move."""

    vertex: int
    text: str
    changes: list[Change]


class ViewReply(Reply):
    """A position with all that is needed to draw it and to play on."""

    game: str
    title: str
    board: str
    players: list[str]
    ply: int
    player: int
    over: bool
    result: ResultReply | None
    legal: list[LegalReply]
    cells: list[CellReply]
    tallies: list[TallyReply]
    borders: list[int]
    headline: str
    text: str
    moves: list[MadeReply]
    placed: list[Change]
    steps: list[StepReply]
    steps_cut: bool


class EndingReply(Reply):
    """What ended a game before its rules did."""

    by: str
    player: int | None
    detail: str


class LineReply(Reply):
    """A game that was played: its line, who played, how it ended."""

    game: str
    board: str
    moves: list[int]
    players: list[str]
    ending: EndingReply | None
    result: list[float] | None
    result_text: str
    opening: int
    name: str | None = None


class RecordReply(Reply):
    """A record as topple writes it."""

    record: str


class GameReply(Reply):
    """A kept game in a list."""

    id: int
    name: str
    game: str
    board: str
    plies: int
    result_text: str
    players: list[str]
    saved: str


class KeptReply(Reply):
    """The number of a game that is kept now."""

    id: int


class JobReply(Reply):
    """A piece of long work."""

    id: str
    kind: Literal["think", "review", "solve", "tournament"]
    title: str
    state: Literal["queued", "running", "done", "stopped", "failed"]
    place: int
    asked: dict[str, Any]
    latest: Any
    error: str | None
    note: str | None  # what it waits for, such as a compiler


class StoreReply(Reply):
    """A store in a list."""

    name: str
    games: int
    agents: list[str]
    running: bool
    own: bool
    error: str | None


class StandingsReply(Reply):
    """What the games of a store come to."""

    name: str
    standings: dict[str, Any] | None
    letters: dict[str, str]
    plots: dict[str, str]
    asked: dict[str, Any] | None
    planned: int  # games of what was asked last; 0: not known
    tournaments: list[dict[str, Any]]


class RowReply(Reply):
    """A game of a store in a list."""

    key: str
    game: str
    board: str
    agents: list[str]
    returns: list[float]
    plies: int
    ending: str | None


class RowsReply(Reply):
    """Some games of a store."""

    total: int
    offset: int
    rows: list[RowReply]


class PaperReply(Reply):
    """A paper in a list."""

    name: str
    title: str
    authors: str
    source: str
    scale: str
    store: str | None
    items: list[dict[str, Any]]


class FindingsReply(PaperReply):
    """What was found of a paper, with charts."""

    charts: dict[str, str]
