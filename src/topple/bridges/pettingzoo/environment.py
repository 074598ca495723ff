"""ToppleEnv: a topple game as an environment in which agents act in turn."""

import operator
from collections.abc import Callable
from copy import deepcopy
from secrets import randbits
from typing import Any

import numpy as np
from gymnasium import logger
from numpy.typing import NDArray
from pettingzoo import AECEnv

from topple.bridges.observation import Observer
from topple.bridges.pettingzoo.spaces import Actions, Spaces
from topple.compiling.rng import make_rng
from topple.core.errors import BadText, Unsupported, unknown
from topple.game import Game, Position
from topple.present.boards.positions import position_pixels

RENDER_MODES = ("ansi", "human", "rgb_array")
VERSION = 0  # of observations and actions; part of the environments' names

Mask = NDArray[np.int8]


class ToppleEnv(AECEnv):  # type: ignore[misc]
    """A game with one agent for each player; actions are the numbers of moves.

    The only rewards are the game's returns at the end. All agents end together, so that all
    returns are known at one moment: an agent eliminated earlier, as in Chain Reaction, is not
    asked again until then.

    In a game with chance the seed given to `reset` fixes what is drawn. A copy draws the same;
    `seed_draws` gives it draws of its own.

    Attributes
    ----------
    position : Position
        The current position, for use with topple's agents.
    game : Game
        Reads and writes moves: `game.parse_move("b2")`, `game.move_text(4)`.
    names : dict
        The name of each agent's player in the game.
    last_move : str or None
        The last move as records keep it, with its draw in a game with chance.
    """

    position: Position
    last_move: str | None
    agents: list[str]
    agent_selection: str
    rewards: dict[str, float]
    _cumulative_rewards: dict[str, float]
    terminations: dict[str, bool]
    truncations: dict[str, bool]
    infos: dict[str, dict[str, Any]]

    def __init__(self, game: Game, render_mode: str | None = None) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise BadText(unknown("render mode", str(render_mode), RENDER_MODES))
        self.metadata = {
            "name": f"topple_{game.name.replace('-', '_')}_v{VERSION}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.render_mode = render_mode
        self.game = game
        self.possible_agents = [f"player_{player}" for player in range(game.n_players)]
        self.names = dict(zip(self.possible_agents, game.players, strict=True))
        self.observer = Observer(game)
        self._spaces = Spaces(self.observer)
        self.seed_draws(randbits(64))
        self._begin(game.start())

    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations."""
        return self._spaces.observation(self._player(agent))

    def action_space(self, agent: str) -> Actions:
        """The space of an agent's actions: the numbers of all moves on the board."""
        return self._spaces.actions[self._player(agent)]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game.

        Parameters
        ----------
        seed : int, optional
            Seeds the spaces and, in a game with chance, the draws.
        options : dict, optional
            `position`, a topple position or its text, to begin from there. Other options
            are ignored, as is usual in PettingZoo.

        Raises
        ------
        BadText
            If `position` is no position of this game, or the seed is not valid.
        Unsupported
            If the game is over there.
        """
        given = (options or {}).get("position")
        first = self.game.start() if given is None else self._read(given)
        if seed is not None:
            self._spaces.begin_at(check_seed(seed))
            self.seed_draws(seed)
        self._begin(first)
        if self.render_mode == "human":
            self.render()

    def seed_draws(self, seed: int) -> None:
        """Fix by a new seed what will be drawn in a game with chance.

        A search that steps copies of an environment gives each of them a seed of its own;
        otherwise it would see what will be drawn.

        Raises
        ------
        BadText
            If the seed is not valid.
        """
        self._draw_seed, self._n_drawn = check_seed(seed), 0

    def step(self, action: Any) -> None:
        """Play a move for the selected agent; `action` must be None if that agent has ended.

        Raises
        ------
        IllegalMove
            If the move is not legal; nothing has changed then.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        draw = self._next_draw()
        self.position = self.position.play(action, draw)
        self._n_drawn += 1
        self.last_move = self.game.move_text(int(action), draw)
        if self.position.is_over:
            self._end(agent)
        else:
            self.agent_selection = self.possible_agents[self.position.player]
        self._set_infos()
        if self.render_mode == "human":
            self.render()

    def _next_draw(self) -> int | None:
        """The draw of the next move, in a game with chance."""
        if not self.game.has_chance:
            return None
        return int(make_rng(self._draw_seed, self._n_drawn)[0]) >> 32

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees, and its legal moves: none unless it is to move."""
        seen = self.observer.observe(self.position, self._player(agent))
        return {"observation": seen, "action_mask": self._mask(agent)}

    def render(self) -> Any:
        """The position as text or as a picture, or printed, according to the render mode."""
        if self.render_mode is None:
            logger.warn(f"no render_mode was chosen: give one of {', '.join(RENDER_MODES)}")
            return None
        if self.render_mode == "rgb_array":
            return position_pixels(self.position)
        text = position_text(self.position)
        if self.render_mode == "ansi":
            return text
        print(text, flush=True)
        return None

    def close(self) -> None:
        """Do nothing: the environment has no resources."""

    def __deepcopy__(self, memo: dict[int, Any]) -> "ToppleEnv":
        """An equal, independent environment; games and positions are shared."""
        twin = object.__new__(type(self))
        memo[id(self)] = twin
        for name, value in self.__dict__.items():
            twin.__dict__[name] = COPIES[name](value) if name in COPIES else deepcopy(value, memo)
        return twin

    def _begin(self, position: Position) -> None:
        """Set every attribute that PettingZoo reads to its value at the beginning of a game."""
        self.position, self.last_move = position, None
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection = self.possible_agents[position.player]
        self._skip_agent_selection = None  # PettingZoo's, perhaps left over from the previous game
        self._set_infos()

    def _end(self, mover: str) -> None:
        """Give every agent its return; the agents then end one by one, after the mover."""
        returns = self.position.returns()
        self.rewards = dict(zip(self.possible_agents, returns, strict=True))
        self._accumulate_rewards()  # all earlier rewards were 0
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[(self._player(mover) + 1) % len(self.agents)]

    def _set_infos(self) -> None:
        self.infos = {agent: {"action_mask": self._mask(agent)} for agent in self.agents}

    def _deads_step_first(self) -> str:
        """Called by PettingZoo when an illegal action has ended the game: no move is legal now."""
        self._set_infos()
        return str(super()._deads_step_first())

    def _mask(self, agent: str) -> Mask:
        mask = np.zeros(self.game.sizes.moves, dtype=np.int8)
        is_to_move = agent == self.possible_agents[self.position.player]
        if is_to_move and not (self.terminations.get(agent, True) or self.truncations[agent]):
            mask[list(self.position.legal_moves())] = 1
        return mask

    def _player(self, agent: str) -> int:
        try:
            return self.possible_agents.index(agent)
        except ValueError:
            raise BadText(unknown("agent", str(agent), self.possible_agents)) from None

    def _read(self, given: object) -> Position:
        """The position to begin from."""
        if isinstance(given, str):
            given = self.game.position(given)
        if not isinstance(given, Position) or given.game != self.game:
            raise BadText(f"{given!r:.80} is no position of {self.game!r}")
        if given.is_over:
            raise Unsupported(f"the game is over there: {given.result_text()}")
        return given


def _same(value: Any) -> Any:
    return value


# How attributes are copied; all others are copied deeply. Positions, games and observers never
# change.
COPIES: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("position", "game", "observer", "render_mode", "agent_selection"), _same),
    **dict.fromkeys(("last_move", "_draw_seed", "_n_drawn"), _same),
    **dict.fromkeys(("agents", "possible_agents"), list),
    **dict.fromkeys(
        ("rewards", "_cumulative_rewards", "terminations", "truncations", "names", "metadata"), dict
    ),
    "infos": lambda infos: {agent: deepcopy(info) for agent, info in infos.items()},
}


def check_seed(seed: object) -> int:
    """A seed as a whole number.

    >>> check_seed(-1)
    Traceback (most recent call last):
    topple.core.errors.BadText: -1 is no seed: give a whole number, 0 or more
    """
    try:
        number = operator.index(seed)  # type: ignore[arg-type]
        if number >= 0:
            return number
    except TypeError:
        pass
    raise BadText(f"{seed!r:.80} is no seed: give a whole number, 0 or more")


def position_text(position: Position) -> str:
    """A position as `topple play` shows it: the board, the headline and whose turn it is.

    >>> import topple
    >>> print(position_text(topple.load("chain-reaction", "grid:2x2").start().play("a1")))
        a  b
     1  A1 ·
     2  ·  ·
    pieces: A 1, B 0
    B to move
    """
    game = position.game
    turn = (
        position.result_text() if position.is_over else f"{game.players[position.player]} to move"
    )
    return "\n".join(filter(None, [position.draw(), position.headline, turn]))
