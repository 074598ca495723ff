"""`topple analyse`: what agents think of a position."""

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from topple.cli.options import BoardText, Json, Seed, chosen_seed
from topple.cli.output import print_json

if TYPE_CHECKING:
    from topple.agents import Agent, Decision
    from topple.position import Position

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
    as_json: Json = False,
) -> None:
    """Ask agents for the best moves in a position.

    Ctrl-C ends the search and shows the best so far.
    """
    from topple.agents import agent

    agents = [agent(spec) for spec in specs or [ANALYST]]
    case = find_case(what, game, board, text, ply)
    check(case.position, agents)
    Analysis(case, chosen_seed(seed), n_moves, as_json=as_json).ask(agents)


def find_case(
    what: str | None, game: str | None, board: str | None, text: str | None, ply: int | None
) -> Case:
    """The position that the arguments describe.

    Raises
    ------
    BadText
        If they contradict each other, or there is no such position.
    """
    from topple.errors import BadText
    from topple.rules import game_names

    if (what is None) == (game is None):
        raise BadText("name one game, or one file with a saved game: topple analyse hex")
    named = game or what or ""
    if game is not None or named.partition(":")[0].strip() in game_names():
        if ply is not None:
            raise BadText("--ply is for saved games: --position gives a position of your own")
        return _described(named, board, text)
    if board is not None or text is not None:
        raise BadText("--board and --position need a game: a saved game has its own")
    return _saved(named, ply)


def _described(game: str, board: str | None, text: str | None) -> Case:
    """The first position of a game, or the one that a text describes."""
    from topple.cli.preparing import prepare
    from topple.game import load
    from topple.warming import RULES

    chosen = load(game, board)
    given = None if text is None else chosen.position(text)
    prepare(chosen, RULES)
    return Case(f"{chosen.title} on {chosen.board.spec}", given or chosen.start())


def _saved(file: str, ply: int | None) -> Case:
    """A position of a saved game."""
    from pathlib import Path

    from topple.cli.preparing import prepare
    from topple.cli.record_files import read_one_game
    from topple.cli.telling import plies_text
    from topple.errors import BadText, unknown
    from topple.rules import game_names
    from topple.warming import RULES

    if file.replace("-", "").isalnum() and not Path(file).exists():
        raise BadText(unknown("game", file, game_names()))
    saved = read_one_game(file)
    prepare(saved.load_game(), RULES)
    chosen = n_plies = None
    for n_plies, position in enumerate(saved.positions()):
        if n_plies == ply or (ply is None and not (position.is_over and chosen)):
            chosen = Case(_place(position, n_plies), position)
    if chosen is None:
        raise BadText(f"{saved.place} has {plies_text(n_plies or 0)}: --ply is at most {n_plies}")
    return chosen


def _place(position: "Position", n_plies: int) -> str:
    from topple.cli.telling import plies_text

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
    from topple.cli.preparing import prepare_agents
    from topple.errors import BadText

    if position.is_over:
        raise BadText(f"there is nothing to analyse, the game is over: {position.result_text()}")
    for agent in agents:
        agent.check_game(position.game)
    prepare_agents(position.game, agents)


class Analysis:
    """A position put to several agents, told as they answer."""

    def __init__(self, case: Case, seed: int, n_moves: int, *, as_json: bool) -> None:
        self.case, self.seed, self.n_moves, self.as_json = case, seed, n_moves, as_json
        self.answers: list[dict[str, Any]] = []

    def ask(self, agents: "list[Agent]") -> None:
        """Ask one agent after another; the one that Ctrl-C interrupts is the last.

        Raises
        ------
        KeyboardInterrupt
            After the best so far is printed.
        """
        from topple.cli.thinking import decide, noted_interrupt

        if not self.as_json:
            self.print_head()
        position = self.case.position
        with noted_interrupt() as interrupt:
            for agent in agents:
                decision = decide(position, agent.think(position, self.seed, interrupt))
                self.tell(agent, decision, interrupted=interrupt.is_set())
                if interrupt.is_set():
                    break
        if self.as_json:
            print_json(self.described())
        if interrupt.is_set():
            raise KeyboardInterrupt

    def print_head(self) -> None:
        """The board and who is to move."""
        from topple.cli.telling import show_position

        position = self.case.position
        print(f"{self.case.place}, seed {self.seed}")
        show_position(position)
        print(f"{position.game.players[position.player]} to move")

    def tell(self, agent: "Agent", decision: "Decision", *, interrupted: bool) -> None:
        """Print or keep what an agent answered."""
        from topple.cli.decision_view import describe_decision, print_decision, worth_text

        position = self.case.position
        if self.as_json:
            described = describe_decision(position, decision, self.n_moves)
            self.answers.append({"agent": agent.spec, "interrupted": interrupted, **described})
            return
        outlook = decision.proven or worth_text(decision.candidates[0])
        print(f"\n{agent.spec} plays {position.game.move_text(decision.move)}: {outlook}")
        print_decision(position, decision, self.n_moves)

    def described(self) -> dict[str, Any]:
        """The analysis as data."""
        position = self.case.position
        return {
            "game": position.game.spec,
            "board": position.game.board.spec,
            "position": position.text,
            "player": position.game.players[position.player],
            "seed": self.seed,
            "answers": self.answers,
        }
