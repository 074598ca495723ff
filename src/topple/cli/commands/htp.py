"""`topple htp`: an agent as an engine for HexGui, twogtp and other Hex programs."""

import sys
from typing import Annotated

import typer

from topple.agents import agent
from topple.bridges.hex.htp_engine import HtpEngine, log_to_stderr, serve
from topple.cli.options import Seed, chosen_seed
from topple.game.game import load
from topple.game.warm_up import prepare
from topple.nets.shelf import has_net

PLAYER = "puct:time=5"  # plays where a network is shipped
OTHER_PLAYER = "uct:time=5"  # plays elsewhere


def htp(
    spec: Annotated[
        str | None,
        typer.Option(
            "--agent",
            metavar="AGENT",
            help=f"The agent that plays, as `topple agents` lists it; {PLAYER} unless given.",
        ),
    ] = None,
    board: Annotated[
        str, typer.Option("--board", metavar="BOARD", help="The board before the first boardsize.")
    ] = "hex:11",
    swap: Annotated[
        bool, typer.Option("--swap", help="The agent may answer the first stone by swapping.")
    ] = False,
    seed: Seed = None,
) -> None:
    """Speak HTP, the Hex Text Protocol, on stdin and stdout.

    Compilation and the agent's errors are reported on stderr. The session ends
    with quit, or with the input.
    """
    game = load("hex", board, swap=swap)
    chosen = agent(spec or (PLAYER if has_net(game) else OTHER_PLAYER))
    chosen.check_game(game)
    prepare(game, chosen)
    engine = HtpEngine(chosen, game.board.rows, chosen_seed(seed), swap=swap, log=log_to_stderr)
    try:
        serve(engine, iter(sys.stdin.readline, ""), sys.stdout)
    except KeyboardInterrupt:
        raise typer.Exit(130) from None  # ending a session needs no message
