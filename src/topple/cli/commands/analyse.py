"""`topple analyse`: what agents think of a position."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from topple.agents import Agent, Decision
from topple.agents import agent as make_agent
from topple.cli.options import BoardText, Json, Seed, chosen_seed
from topple.cli.terminal.agent_turn import check_answer, decide
from topple.cli.terminal.game_text import plies_text, show_position, standing
from topple.cli.terminal.output import print_json, print_table, print_wrapped
from topple.cli.terminal.positions import described_position
from topple.cli.terminal.record_files import SavedGame, read_one_game
from topple.cli.views.decision import describe_decision, outlook_text, print_decision
from topple.cli.views.oracle import Memory, OracleAnswer, exact_text, moves_text
from topple.core.errors import BadText, Resigned, Unsupported, unknown
from topple.core.progress import progress
from topple.core.stopping import noted_interrupt
from topple.core.text import WIDTH
from topple.game.position import Position
from topple.game.warm_up import prepare
from topple.nets.shelf import has_net
from topple.present.table import COUNT, FIGURE, Column, Table
from topple.rules import game_names, is_game
from topple.solvers import MEMORY
from topple.solvers.oracle import Oracle
from topple.solvers.regret import JudgedMove, RegretSummary, Review, review
from topple.solvers.solver import SolverKernels

ANALYST = "puct:iterations=400"  # asked where a network is shipped
OTHER_ANALYST = "uct:iterations=10000"  # asked elsewhere


class Case(NamedTuple):
    """A position to analyse, with where it comes from in words."""

    place: str
    position: Position


def analyse(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME|FILE",
            help="A game, perhaps with options, or a saved game; - reads it from stdin.",
        ),
    ] = None,
    *,
    game: Annotated[
        str | None, typer.Option("--game", metavar="GAME", help="The game, said otherwise.")
    ] = None,
    board: BoardText = None,
    text: Annotated[
        str | None,
        typer.Option(
            "--position", metavar="TEXT", help="The position, as `topple replay --json` prints it."
        ),
    ] = None,
    ply: Annotated[
        int | None,
        typer.Option(
            "--ply",
            metavar="N",
            min=0,
            help="Of a saved game, the position after N moves; by default the last that is "
            "not over.",
        ),
    ] = None,
    specs: Annotated[
        list[str] | None,
        typer.Option(
            "--agent",
            metavar="AGENT",
            help=f"Whom to ask, as `topple agents` lists them; may be repeated. {ANALYST} unless "
            f"given, or {OTHER_ANALYST} where no network is shipped.",
        ),
    ] = None,
    seed: Seed = None,
    n_moves: Annotated[
        int, typer.Option("--moves", metavar="N", min=1, help="How many moves to list.")
    ] = 10,
    oracle: Annotated[
        bool,
        typer.Option("--oracle", help="Set the agents' moves beside exact play, on small boards."),
    ] = False,
    mistakes: Annotated[
        bool, typer.Option("--mistakes", help="Review a saved game: what each move has given away.")
    ] = False,
    memory: Memory = None,
    as_json: Json = False,
) -> None:
    """Ask agents for the best moves in a position, or review a saved game.

    Ctrl-C ends the search and shows the best so far.
    """
    if memory is not None and not (oracle or mistakes):
        raise BadText("--memory is for --oracle and --mistakes")
    if mistakes:
        _refuse_with_mistakes(
            {
                "--game": game,
                "--board": board,
                "--position": text,
                "--ply": ply,
                "--agent": specs,
                "--oracle": oracle or None,
                "--seed": seed,
            }
        )
        _review(what, memory, as_json)
        return
    agents = [make_agent(spec) for spec in specs or ()]
    case = find_case(what, game, board, text, ply)
    agents = agents or [make_agent(ANALYST if has_net(case.position.game) else OTHER_ANALYST)]
    check(case.position, agents)
    asked = OracleAnswer(case.position, memory) if oracle else None
    Analysis(case, chosen_seed(seed), n_moves, as_json=as_json, oracle=asked).ask(agents)


def _refuse_with_mistakes(others: dict[str, object]) -> None:
    """A review is of a whole saved game, and the oracle alone is asked."""
    for name, given in others.items():
        if given is not None:
            raise BadText(f"--mistakes reviews a whole saved game: leave out {name}")


def _review(what: str | None, memory: int | None, as_json: bool) -> None:
    if what is None or is_game(what.partition(":")[0].strip()):
        raise BadText("--mistakes needs a saved game: topple analyse game.json --mistakes")
    _check_file(what)
    review_file(what, memory, as_json=as_json)


def find_case(
    what: str | None, game: str | None, board: str | None, text: str | None, ply: int | None
) -> Case:
    """The position that the arguments describe.

    Raises
    ------
    BadText
        If they contradict each other, or there is no such position.
    """
    if (what is None) == (game is None):
        raise BadText("name one game, or one file with a saved game: topple analyse hex")
    named = game or what or ""
    if game is not None or is_game(named.partition(":")[0].strip()):
        if ply is not None:
            raise BadText("--ply is for saved games: --position gives a position of your own")
        return _described(named, board, text)
    if board is not None or text is not None:
        raise BadText("--board and --position need a game: a saved game has its own")
    return _saved(named, ply)


def _described(game: str, board: str | None, text: str | None) -> Case:
    """The first position of a game, or the one that a text describes."""
    position = described_position(game, board, text)
    chosen = position.game
    return Case(f"{chosen.title} on {chosen.board.spec}", position)


def _saved(file: str, ply: int | None) -> Case:
    """A position of a saved game."""
    _check_file(file)
    saved = read_one_game(file)
    prepare(saved.load_game())
    chosen = n_plies = None
    for n_plies, position in enumerate(saved.positions()):
        if n_plies == ply or (ply is None and not (position.is_over and chosen)):
            chosen = Case(_place(position, n_plies), position)
    if chosen is None:
        raise BadText(f"{saved.place} has {plies_text(n_plies or 0)}: --ply is at most {n_plies}")
    return chosen


def _check_file(name: str) -> None:
    """Refuse what looks like the name of a game, and is neither a game nor a file."""
    if name.replace("-", "").isalnum() and not Path(name).exists():
        raise BadText(unknown("game", name, game_names()))


def _place(position: Position, n_plies: int) -> str:
    game = position.game
    return f"{game.title} on {game.board.spec} after {plies_text(n_plies)}"


def check(position: Position, agents: list[Agent]) -> None:
    """Refuse early a game that is over and agents that cannot play it; compile the rest."""
    if position.is_over:
        raise BadText(f"there is nothing to analyse, the game is over: {position.result_text()}")
    for agent in agents:
        agent.check_game(position.game)
    prepare(position.game, *agents)


class Analysis:
    """A position put to several agents, told as they answer."""

    def __init__(
        self, case: Case, seed: int, n_moves: int, *, as_json: bool, oracle: OracleAnswer | None
    ) -> None:
        self.case, self.seed, self.n_moves, self.as_json = case, seed, n_moves, as_json
        self.oracle = oracle
        self.answers: list[dict[str, Any]] = []

    def ask(self, agents: list[Agent]) -> None:
        """Ask the oracle, then one agent after another; whom Ctrl-C interrupts is the last.

        Raises
        ------
        KeyboardInterrupt
            After the best so far is printed.
        """
        if not self.as_json:
            self.print_head()
        position = self.case.position
        with noted_interrupt() as interrupt:
            if self.oracle is not None:
                self.oracle.ask(interrupt)
                if not self.as_json:
                    self.oracle.print_answer()
            for agent in agents if not interrupt.is_set() else []:
                try:
                    decision = decide(position, agent.think(position, self.seed, interrupt))
                    check_answer(agent, position, decision)
                except Resigned:
                    self.add_resignation(agent)
                else:
                    self.add(agent, decision, interrupted=interrupt.is_set())
                if interrupt.is_set():
                    break
        if self.as_json:
            print_json(self.described())
        if interrupt.is_set():
            raise KeyboardInterrupt

    def print_head(self) -> None:
        """The board and who is to move."""
        position = self.case.position
        print(f"{self.case.place}, seed {self.seed}")
        show_position(position)
        print(f"{position.game.players[position.player]} to move")

    def add_resignation(self, agent: Agent) -> None:
        """Print or keep that an agent gives the game up."""
        if self.as_json:
            self.answers.append({"agent": agent.spec, "interrupted": False, "resigns": True})
        else:
            print(f"\n{agent.spec} resigns")

    def add(self, agent: Agent, decision: Decision, *, interrupted: bool) -> None:
        """Print or keep what an agent answered."""
        position, oracle = self.case.position, self.oracle
        if self.as_json:
            exactly = (lambda _: {}) if oracle is None else oracle.describe_move
            described = describe_decision(position, decision, self.n_moves, exactly)
            self.answers.append({"agent": agent.spec, "interrupted": interrupted, **described})
            return
        outlook = outlook_text(position.game, agent, decision)
        print(f"\n{agent.spec} plays {position.game.move_text(decision.move)}: {outlook}")
        if oracle is None:
            print_decision(position, decision, self.n_moves)
            return
        oracle.print_move(decision.move)
        print_decision(position, decision, self.n_moves, oracle.move_text)

    def described(self) -> dict[str, Any]:
        """The analysis as data."""
        position = self.case.position
        return {
            "game": position.game.spec,
            "board": position.game.board.spec,
            "position": position.text,
            "player": position.game.players[position.player],
            "seed": self.seed,
            **({} if self.oracle is None else {"oracle": self.oracle.described()}),
            "answers": self.answers,
        }


FEW = 10  # moves without a judgement that are listed
UNKNOWN = "?"  # where a position could not be solved


def review_file(file: str, memory: int | None, *, as_json: bool) -> None:
    """Judge each move of a saved game and tell what it has given away.

    Raises
    ------
    BadRecord
        If the game is damaged.
    Unsupported
        If none of its positions can be solved.
    KeyboardInterrupt
        After what was judged before Ctrl-C is printed.
    """
    saved = read_one_game(file)
    found = _judge(saved, memory)
    if as_json:
        print_json(describe_review(saved, found))
    else:
        print_review(saved, found)
    if not found.is_complete:
        n_moves = len(saved.record.moves) - found.opening
        raise KeyboardInterrupt(
            f"stopped with the last {len(found.moves):,} of {n_moves:,} moves judged"
        )


def _judge(saved: SavedGame, memory: int | None) -> Review:
    """The review of a game, with progress and an ear for Ctrl-C."""
    record, game = saved.record, saved.load_game()
    prepare(game)
    saved.replay()
    n_moves = len(record.moves) - record.opening
    if not n_moves:
        raise BadText(f"{saved.place} has no moves to review")
    oracle = Oracle(game, memory or MEMORY)
    prepare(game, SolverKernels(type(oracle.solver)))
    with noted_interrupt() as interrupt, progress("judging moves", n_moves) as done:
        found = review(record, oracle, stop=interrupt, done=done)
    if found.is_complete and found.unit is None and found.refusal is not None:
        raise Unsupported(found.refusal)
    return found


def print_review(saved: SavedGame, found: Review) -> None:
    """A table of the moves, then what each player's come to."""
    game, record = found.game, saved.record
    print_wrapped(f"{game.title} on {game.board.spec}, {' against '.join(record.players)}")
    if found.opening:
        print(f"the opening: {plies_text(found.opening)} that nobody chose")
    if found.moves:
        print_moves(found)
    print_wrapped(standing(record.replay(), len(record.moves), record.ending))
    if found.moves:
        print()
        print_summaries(saved, found)


def print_moves(found: Review) -> None:
    """Each move with its value, its regret and the best moves in its place."""
    game, shown = found.game, found.moves
    unjudged = [each.ply for each in shown if each.best_value is None]
    if len(unjudged) > FEW:
        shown = tuple(each for each in shown if each.best_value is not None)
        print(f"plies {unjudged[0]} to {unjudged[-1]}: {len(unjudged):,} moves are not judged")
    heads = ["ply", "player", "move", "value", "of move", "regret", "best"]
    rows = [
        [each.ply, game.players[each.player], game.move_text(each.move), *_values(found, each)]
        for each in shown
    ]
    widths = [
        max([len(head), *(len(str(row[i])) for row in rows)]) for i, head in enumerate(heads[:-1])
    ]
    room = WIDTH - sum(widths) - 2 * len(widths)
    full = []
    for row, each in zip(rows, shown, strict=True):
        is_free = len(each.best_moves) > 1 and not each.is_chance
        full.append([*row, "all" if is_free else moves_text(game, each.best_moves, room)])
    print_table(Table.of(heads, full, right=("regret",)))


def _values(found: Review, move: JudgedMove) -> list[str]:
    """The value of the best move, of this move, and its regret where it has any."""
    if found.unit is None or move.best_value is None or move.value is None:
        return [UNKNOWN] * 3
    regret = f"{move.regret:,}" if move.is_mistake else ""
    return [exact_text(move.best_value, found.unit), exact_text(move.value, found.unit), regret]


def print_summaries(saved: SavedGame, found: Review) -> None:
    """Chances and mistakes of each player, and who threw a won game away."""
    game, parts = found.game, found.summaries()
    columns = [
        Column("player"),
        Column("moves", COUNT),
        Column("unjudged", COUNT, is_optional=True),
        *(Column(head, COUNT) for head in ("chances", "mistakes", "regret")),
        Column("per move", FIGURE),
        Column("turning points"),
    ]
    rows = [
        (
            game.players[each.player],
            each.moves,
            each.unjudged,
            each.chances,
            each.mistakes,
            each.regret,
            "" if each.mean_regret is None else f"{each.mean_regret:.3f}",
            ", ".join(map(str, each.turning_points)),
        )
        for each in parts
    ]
    print_table(Table(columns, rows))
    for each in parts:
        if each.thrown is not None:
            name = saved.record.players[each.player]
            who = game.players[each.player]
            print_wrapped(
                f"{who} ({name}) had a won game and threw it away with move {each.thrown}"
            )


def describe_review(saved: SavedGame, found: Review) -> dict[str, Any]:
    """A review as data."""
    game, record = found.game, saved.record
    return {
        "game": game.spec,
        "board": game.board.spec,
        "players": list(record.players),
        "opening": found.opening,
        "unit": found.unit,
        "complete": found.is_complete,
        "result": None if record.result is None else list(record.result),
        "ending": None if record.ending is None else asdict(record.ending),
        "moves": [_describe_move(found, each) for each in found.moves],
        "summary": [_describe_summary(found, each) for each in found.summaries()],
    }


def _describe_move(found: Review, move: JudgedMove) -> dict[str, Any]:
    game = found.game
    return {
        "ply": move.ply,
        "player": game.players[move.player],
        "move": game.move_text(move.move),
        "judged": move.is_judged,
        "best_value": move.best_value,
        "value": move.value,
        "regret": move.regret,
        "chance": move.is_chance if move.is_judged else None,
        "best": [game.move_text(each) for each in move.best_moves],
    }


def _describe_summary(found: Review, part: RegretSummary) -> dict[str, Any]:
    mean = part.mean_regret
    return {
        "player": found.game.players[part.player],
        "moves": part.moves,
        "unjudged": part.unjudged,
        "chances": part.chances,
        "mistakes": part.mistakes,
        "regret": part.regret,
        "mean_regret": None if mean is None else round(mean, 6),
        "first_mistake": part.first_mistake,
        "turning_points": list(part.turning_points),
        "thrown_away": part.thrown,
    }
