"""A tournament's settings: plain data from flags, a TOML file or a store, and TOML again."""

import json
import shlex
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from topple.agents import agent
from topple.arena.planning.plan import NUMBERS, Limits, Plan
from topple.arena.statistics.sprt import Sprt
from topple.boards import BOARDS, Board, load_board
from topple.core.errors import BadBoard, BadText, ToppleError, unknown
from topple.game.game import Game, load

LARGEST = 1_000_000  # bytes of a settings file

LISTS = ("agents", "contests", "sprt")
CONTEST = ("game", "board", "boards", "digest")


def read_settings(path: Path) -> dict[str, Any]:
    """Read a tournament's settings from a TOML file.

    Raises
    ------
    BadText
        If it is not TOML. Its content is checked by `plan_of`.
    """
    if path.exists() and not path.is_file():
        raise BadText(f"{path} is not an ordinary file")
    with path.open("rb") as stream:
        content = stream.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise BadText(f"{path} has more than {LARGEST:,} bytes, too many for a tournament")
    try:
        return tomllib.loads(content.decode())
    except (ValueError, RecursionError) as error:  # not TOML, not text, or nested without end
        raise BadText(f"{path} is not TOML: {error}") from None


def plan_of(settings: Mapping[str, Any], boards: Mapping[str, Board] | None = None) -> Plan:
    """Make the plan that settings describe.

    Parameters
    ----------
    settings : mapping
        `agents`, a list of texts; `contests`, a list of tables with `game` and
        `board` or `boards`; and perhaps `games`, `seed`, `plies`, `gauntlet`,
        `move-time`, `game-time`, `sprt`. A contest with one board may have the
        board's `digest`; the board must then be exactly that one.
    boards : mapping of str to Board, optional
        Boards by digest, for example those of a store. A contest's `digest` is looked
        up here before its `board` is made.

    Raises
    ------
    BadText
        If a key is unknown or a value is wrong.
    BadBoard, Unsupported
        If a game cannot be played on a board or by an agent, or a board with a digest
        is not available.

    Examples
    --------
    >>> plan = plan_of({"agents": ["random", "greedy"], "games": 10,
    ...                 "contests": [{"game": "hex", "board": "hex:3"}]})
    >>> plan.n_fixtures
    10
    """
    known = {option.name: option for option in NUMBERS}
    for key in settings:
        if key not in known and key not in LISTS:
            raise BadText(unknown("setting", str(key), [*known, *LISTS]))
    given = {
        name: option.read(settings[name]) if name in settings else option.default
        for name, option in known.items()
    }
    sprt = settings.get("sprt")
    if sprt is not None and not isinstance(sprt, str):
        raise BadText("sprt is not a text such as 'elo0=0,elo1=30'")
    return Plan(
        games=tuple(_games(settings.get("contests", []), boards or {})),
        agents=tuple(agent(text) for text in _texts("agents", settings.get("agents", []))),
        n_games=given["games"],
        seed=given["seed"],
        plies=given["plies"],
        gauntlet=given["gauntlet"],
        limits=Limits(given["move-time"], given["game-time"]),
        sprt=None if sprt is None else Sprt.parse(sprt),
    )


def _texts(what: str, value: object) -> list[str]:
    if not isinstance(value, list | tuple) or not all(isinstance(each, str) for each in value):
        raise BadText(f"{what} is not a list of texts")
    return list(value)


def _games(contests: object, known: Mapping[str, Board]) -> list[Game]:
    """The games with their boards."""
    tables = isinstance(contests, list) and all(isinstance(each, dict) for each in contests)
    if not isinstance(contests, list) or not tables:
        raise BadText("contests is not a list of tables: write [[contests]] above each")
    games = []
    for contest in contests:
        for key in contest:
            if key not in CONTEST:
                raise BadText(unknown("setting of a contest", key, CONTEST))
        if not isinstance(contest.get("game"), str):
            raise BadText('a contest names no game: add, for example, game = "hex"')
        if "digest" in contest:
            games.append(load(contest["game"], _same_board(contest, known)))
            continue
        boards = _texts("boards", contest.get("boards", []))
        if "board" in contest:
            boards += _texts("board", [contest["board"]])
        games += [load(contest["game"], board) for board in boards] or [load(contest["game"])]
    return games


def _same_board(contest: Mapping[str, Any], known: Mapping[str, Board]) -> Board:
    """The board with a contest's digest, even if its text would make another one now."""
    text, digest = contest.get("board"), contest["digest"]
    if not isinstance(text, str) or not isinstance(digest, str) or "boards" in contest:
        raise BadText("a contest's digest must be a text and needs the name of its one board")
    try:
        board = known.get(digest) or load_board(text)
    except ToppleError as error:
        is_kind = text.partition(":")[0] in BOARDS
        raise BadBoard(
            f"board {text} ({digest}) cannot be made again here: "
            f"{error if is_kind else 'its text names no kind of board'}; the store "
            "with its games has it"
        ) from None
    if board.digest != digest:
        raise BadBoard(
            f"board {text} is not the one that was played on: its digest is "
            f"{board.digest}, not {digest}"
        )
    return board


def contests_of(games: Sequence[str], boards: Sequence[str]) -> list[dict[str, str]]:
    """Every game on each of the boards that it can be played on, as settings.

    Without boards each game is played on its default board. A board that suits none of
    the games is refused, and so is a game that suits none of the boards.

    >>> contests_of(["hex", "infexion"], ["hex:5", "infexion:5"])
    [{'game': 'hex', 'board': 'hex:5'}, {'game': 'infexion', 'board': 'infexion:5'}]
    """
    if not boards:
        return [{"game": game} for game in games]
    drawn = [load_board(board) for board in boards]
    fitting, refusals = [], {}
    for game in games:
        for text, board in zip(boards, drawn, strict=True):
            refusal = _refusal(game, board)
            if refusal is None:
                fitting.append({"game": game, "board": text})
            else:
                refusals[game, text] = refusal
    for game in games:
        if all((game, text) in refusals for text in boards):
            raise BadBoard(refusals[game, boards[0]])
    for text in boards:
        if all((game, text) in refusals for game in games):
            raise BadBoard(refusals[games[0], text])
    return fitting


def _refusal(game: str, board: Board) -> str | None:
    """Why a game cannot be played on a board; None if it can."""
    try:
        load(game, board)
    except BadBoard as error:
        return str(error)
    return None


WIDTH = 80
FLAGS = ("games", "seed", "plies", "sprt", "move-time", "game-time")  # of `topple match`


def settings_text(settings: Mapping[str, Any]) -> str:
    """Write settings as TOML. Lists of tables come last, as TOML demands.

    >>> print(settings_text({"contests": [{"game": "hex"}], "agents": ["random"], "seed": 7}))
    agents = ["random"]
    seed = 7
    <BLANKLINE>
    [[contests]]
    game = "hex"
    """
    tables = {key: value for key, value in settings.items() if _is_tables(value)}
    lines = _lines({key: value for key, value in settings.items() if key not in tables})
    for key, rows in tables.items():
        for row in rows:
            lines += ["", f"[[{_key(key)}]]", *_lines(row)]
    return "\n".join(lines)


def match_command(settings: Mapping[str, Any]) -> str | None:
    """The command that plays a match with a sequential test; None for other settings.

    >>> match_command({"agents": ["uct", "random"], "games": 500, "sprt": "elo0=0,elo1=30",
    ...                "contests": [{"game": "hex", "board": "hex:5"}]})
    'topple match hex uct random --board hex:5 --games 500 --sprt elo0=0,elo1=30'
    """
    match settings:
        case {
            "agents": [str(first), str(second)],
            "contests": [{"game": str(game), **where}],
            "sprt": str(),
        }:
            words = ["topple", "match", game, first, second]
            options = {"board": where.get("board"), **{name: settings.get(name) for name in FLAGS}}
            for name, value in options.items():
                words += [] if value is None else [f"--{name}", str(value)]
            return shlex.join(words)
    return None


def _is_tables(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def _lines(values: Mapping[str, Any]) -> list[str]:
    return [_line(key, value) for key, value in values.items() if value is not None]


def _line(key: str, value: object) -> str:
    """A key with its value; a long list gets a line for each element."""
    line = f"{_key(key)} = {_value(value)}"
    if len(line) <= WIDTH or not isinstance(value, list):
        return line
    parts = "".join(f"    {_value(each)},\n" for each in value)
    return f"{_key(key)} = [\n{parts}]"


def _key(key: str) -> str:
    plain = key.isascii() and key.replace("-", "").replace("_", "").isalnum()
    return key if plain else json.dumps(key)


def _value(value: object) -> str:
    """A value as TOML. Strings, numbers and lists are written as in JSON."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(_lines(value)) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(each) for each in value) + "]"
    return json.dumps(value, ensure_ascii=False)
