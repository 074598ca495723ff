"""A network as an evaluation: what it expects of a position, for searches that take a number."""

from typing import Any, NamedTuple

import numpy as np

from topple.compiling.specialise import kernel
from topple.evaluations.interface import Evaluation, bounded
from topple.nets.forward import LookedGame, NetScratch, look, make_scratch, write_returns
from topple.nets.net import Net
from topple.nets.net_file import TrainedNet
from topple.nets.sight import Sight
from topple.rules.interface import Returns, State

NET = "net"
FEATURES = ()
EVALUATIONS = {NET: Evaluation((), "the network's chance to win less that to lose, in percent")}
SCALE = 100.0


class NetKnowledge(NamedTuple):
    """A network, what it sees of the board, and scratch space."""

    sight: Sight
    net: Net
    scratch: NetScratch
    returns: Returns


def net_knowledge(game: LookedGame, trained: TrainedNet) -> NetKnowledge:
    """What `evaluate` takes for a network that fits the game's board."""
    scratch = make_scratch(trained.design, game)
    return NetKnowledge(game.sight[1], trained.net, scratch, np.zeros(trained.design.players))


@kernel
def evaluate(board: Any, state: State, player: int, knowledge: NetKnowledge) -> float:
    """The return that the network expects for a player, in percent."""
    look(board, state, knowledge.sight, knowledge.net, knowledge.scratch)
    write_returns(state, knowledge.scratch, knowledge.returns)
    return bounded(SCALE * knowledge.returns[player])
