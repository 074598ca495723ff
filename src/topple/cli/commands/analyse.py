"""`topple analyse`: what agents think of a position."""

from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from topple.agents import Agent, Decision
from topple.agents import agent as make_agent
from topple.cli.commands.review import review_file
from topple.cli.options import BoardText, Json, Seed, chosen_seed
from topple.cli.terminal.agent_turn import decide
from topple.cli.terminal.game_text import plies_text, show_position
from topple.cli.terminal.output import print_json
from topple.cli.terminal.positions import described_position
from topple.cli.terminal.record_files import read_one_game
from topple.cli.views.decision import describe_decision, print_decision, worth_text
from topple.cli.views.oracle import Memory, OracleAnswer
from topple.core.errors import BadText, Resigned, unknown
from topple.core.stopping import noted_interrupt
from topple.game.position import Position
from topple.game.warm_up import prepare
from topple.rules import game_names, is_game

ANALYST = "uct:iterations=10000"


class Case(NamedTuple):
    """A position to analyse, with where it comes from in words."""

    place: str
    position: "Position"


def analyse(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME|FILE",
            help="A game, perhaps with options, or a saved game; - reads it from stdin.",
            show_default=False,
        ),
    ] = None,
    *,
    game: Annotated[
        str | None,
        typer.Option(
            "--game", metavar="GAME", help="The game, said otherwise.", show_default=False
        ),
    ] = None,
    board: BoardText = None,
    text: Annotated[
        str | None,
        typer.Option(
            "--position",
            metavar="TEXT",
            help="The position, as `topple replay --json` prints it.",
            show_default=False,
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
            show_default=False,
        ),
    ] = None,
    specs: Annotated[
        list[str] | None,
        typer.Option(
            "--agent",
            metavar="AGENT",
            help=f"Whom to ask, as `topple agents` lists them; may be repeated. {ANALYST} "
            "unless given.",
            show_default=False,
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
        bool,
        typer.Option("--mistakes", help="Review a saved game: what each move has given away."),
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
            {"--game": game, "--board": board, "--position": text, "--ply": ply,
             "--agent": specs, "--oracle": oracle or None, "--seed": seed}
        )  # fmt: skip
        _review(what, memory, as_json)
        return
    agents = [make_agent(spec) for spec in specs or [ANALYST]]
    case = find_case(what, game, board, text, ply)
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


def _place(position: "Position", n_plies: int) -> str:
    game = position.game
    return f"{game.title} on {game.board.spec} after {plies_text(n_plies)}"


def check(position: "Position", agents: "list[Agent]") -> None:
    """Refuse before anything is printed what cannot be analysed, and compile the rest.

    Raises
    ------
    BadText
        If the game is over.
    Unsupported
        If an agent cannot play it.
    """
    if position.is_over:
        raise BadText(f"there is nothing to analyse, the game is over: {position.result_text()}")
    for agent in agents:
        agent.check_game(position.game)
    prepare(position.game, *agents)


class Analysis:
    """A position put to several agents, told as they answer."""

    def __init__(
        self, case: Case, seed: int, n_moves: int, *, as_json: bool, oracle: "OracleAnswer | None"
    ) -> None:
        self.case, self.seed, self.n_moves, self.as_json = case, seed, n_moves, as_json
        self.oracle = oracle
        self.answers: list[dict[str, Any]] = []

    def ask(self, agents: "list[Agent]") -> None:
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
        outlook = decision.proven or worth_text(decision.candidates[0])
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
