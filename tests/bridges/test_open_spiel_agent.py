"""open-spiel: bots of OpenSpiel's as agents: told what is played, and no end of the process."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest

import topple
from tests.core.command_line import assert_one_line_refusal
from tests.core.command_line import topple as command
from topple.agents import Agent, agent_names, bridge_names, find_agent
from topple.arena.planning.plan import Fixture, Limits, Plan
from topple.arena.playing.game import MOST_PLIES, Scoresheet, play_fixture
from topple.arena.playing.shared_status import SharedStatus
from topple.arena.playing.worker_pool import WorkerPool
from topple.bridges.open_spiel_agent import BotAgent, BotFailure, OpenSpielAgent, SeatedBot
from topple.core.errors import BadText, IllegalMove, Unsupported
from topple.game.game import Game, random_position
from topple.game.record import CRASH, ILLEGAL
from topple.lab.data.allowed import named_agent, own_agents

BOTS = ("mcts", "python-mcts", "minimax", "random")


class Watched(pyspiel.Bot):  # type: ignore[misc]
    """A bot that plays the first legal move and writes down what it is told."""

    def __init__(self, player: int, *, forceable: bool = False, can_restart: bool = True) -> None:
        pyspiel.Bot.__init__(self)
        self.player, self.forceable, self.can_restart = player, forceable, can_restart
        self.told: list[tuple[Any, ...]] = []

    def restart(self) -> None:
        self.told.append(("restart",))

    def restart_at(self, state: Any) -> None:
        if not self.can_restart:
            pyspiel.Bot.restart_at(self, state)  # raises
        self.told.append(("restart_at", str(state)))

    def provides_force_action(self) -> bool:
        return self.forceable

    def force_action(self, state: Any, action: int) -> None:
        self.told.append(("force", state.history(), action))

    def inform_action(self, state: Any, player: int, action: int) -> None:
        assert player != self.player
        assert player == state.current_player()
        self.told.append(("inform", state.history(), action))

    def step(self, state: Any) -> int:
        assert state.current_player() == self.player
        self.told.append(("step", state.history()))
        return int(state.legal_actions()[0])


def watched(**how: bool) -> tuple[BotAgent, list[Watched]]:
    """An agent whose bots are kept for a look at them."""
    made: list[Watched] = []

    def make(game: Any, player: int, seed: int) -> Watched:
        made.append(Watched(player, **how))
        return made[-1]

    return BotAgent(make), made


@pytest.fixture
def hex3() -> Game:
    return topple.load("hex", "hex:3")


def choices(agent: Agent, game: Game, seed: int) -> list[int]:
    """What an agent plays in a game against itself."""
    players = [agent.begin(seed) for _ in game.players]
    position, moves = game.start(), []
    while not position.is_over:
        moves.append(players[position.player].choose(position, len(moves)).move)
        position = position.play(moves[-1])
    return moves


# -- its own bots ---------------------------------------------------------------------------------


@pytest.mark.parametrize("bot", BOTS)
def test_every_bot_plays_whole_games_fixed_by_the_seed(bot: str, hex3: Game) -> None:
    agent = topple.agent(f"open-spiel:bot={bot},simulations=15,depth=2")
    assert choices(agent, hex3, seed=3) == choices(agent, hex3, seed=3)
    first = agent.choose(hex3.start(), seed=8)
    assert first == agent.choose(hex3.start(), seed=8)


def test_another_seed_gives_other_games(hex3: Game) -> None:
    agent = topple.agent("open-spiel:bot=random")
    assert len({tuple(choices(agent, hex3, seed)) for seed in range(8)}) > 4


def test_a_bot_may_have_seeds_beyond_openspiels(hex3: Game) -> None:
    agent = topple.agent("open-spiel:simulations=5")
    assert agent.choose(hex3.start(), seed=2**63 - 1).move in hex3.start().legal_moves()


@pytest.mark.parametrize("bot", ["mcts", "python-mcts", "random"])
def test_three_players_may_play(bot: str) -> None:
    game = topple.load("chain-reaction:players=3", "grid:2x3")
    assert len(choices(topple.agent(f"open-spiel:bot={bot},simulations=8"), game, 1)) >= 3


@pytest.mark.parametrize("bot", ["mcts", "python-mcts", "random"])
def test_bots_play_games_with_chance(bot: str) -> None:
    game = topple.load("spread-it:players=3,accept=0.5,tokens=2", "cycle:4")
    agent = topple.agent(f"open-spiel:bot={bot}" + ",simulations=20" * (bot != "random"))
    stories = []
    for _ in range(2):
        seats, position, moves = [agent.begin(seat) for seat in range(3)], game.start(), []
        while not position.is_over:
            move = seats[position.player].choose(position, len(moves)).move
            moves.append(position.with_draw(move, draw=len(moves)))
            position = position.play(moves[-1])
        stories.append(moves)
    assert stories[0] == stories[1]


def test_its_minimax_refuses_chance() -> None:
    with pytest.raises(topple.Unsupported, match="minimax is for games without chance"):
        topple.agent("open-spiel:bot=minimax").check_game(
            topple.load("spread-it:accept=0.5,tokens=3", "cycle:4")
        )


def test_its_minimax_finds_the_winning_stone_and_refuses_three_players(hex3: Game) -> None:
    agent = topple.agent("open-spiel:bot=minimax,depth=1")
    position = hex3.position("X.O/X.O/... Blue")
    assert hex3.move_text(agent.choose(position).move) == "a3"
    with pytest.raises(Unsupported, match="for two players, and chain-reaction:players=3 has 3"):
        agent.choose(topple.load("chain-reaction:players=3").start())


def test_its_bots_play_its_games_too() -> None:
    game = topple.load("open-spiel", game="tic_tac_toe")
    perfect = topple.agent("open-spiel:bot=minimax,depth=9")
    moves = choices(perfect, game, 1)
    position = game.position(" ".join(map(str, moves)))
    assert position.is_over
    assert position.returns() == (0.0, 0.0)


# -- what a bot is told ---------------------------------------------------------------------------


def test_a_bot_is_informed_of_the_moves_of_others_and_not_its_own(hex3: Game) -> None:
    agent, bots = watched()
    player, position = agent.begin(1), hex3.start()
    line: list[int] = []
    player.line = line

    def play(move: int) -> None:
        nonlocal position
        position = position.play(move)
        line.append(move)

    play(player.choose(position, 0).move)
    play(8)
    play(player.choose(position, 2).move)
    assert len(bots) == 1
    assert bots[0].told == [
        ("restart",), ("step", []), ("inform", [0], 8), ("step", [0, 8]),
    ]  # fmt: skip


def test_moves_that_are_not_recorded_are_inferred(hex3: Game) -> None:
    agent, bots = watched()
    player, position = agent.begin(1), hex3.start()
    position = position.play(player.choose(position, 0).move).play(7)
    player.choose(position, 2)
    assert len(bots) == 1
    assert bots[0].told[2:] == [("inform", [0], 7), ("step", [0, 7])]


def test_the_moves_of_two_others_are_inferred() -> None:
    game = topple.load("chain-reaction:players=3", "grid:3x3")
    agent, bots = watched()
    player, position = agent.begin(1), game.start()
    position = position.play(player.choose(position, 0).move).play(8).play(4)
    player.choose(position, 3)
    assert [told[0] for told in bots[0].told] == ["restart", "step", "inform", "inform", "step"]


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ({"forceable": True}, [("force", [], 4), ("inform", [4], 0)]),
        ({}, [("inform", [4], 0), ("restart_at", "O../.X./... Blue")]),
        ({"can_restart": False}, [("inform", [4], 0)]),
    ],
)
def test_a_bot_that_joins_late_is_informed_of_earlier_moves(
    how: dict[str, bool], told: list[tuple[Any, ...]], hex3: Game, capfd: pytest.CaptureFixture[str]
) -> None:
    agent, bots = watched(**how)
    player = agent.begin(1)
    player.line = [4, 0]
    player.choose(hex3.start().play(4).play(0), 2)
    assert bots[0].told == [("restart",), *told, ("step", [4, 0])]
    assert capfd.readouterr().err == ""


def test_a_bot_at_a_position_without_a_past_is_set_there(hex3: Game) -> None:
    agent, bots = watched()
    agent.choose(hex3.position("X../.O./... Blue"))
    assert bots[0].told == [("restart",), ("restart_at", "X../.O./... Blue"), ("step", [])]


def test_another_game_or_a_move_taken_back_gets_a_new_bot(hex3: Game) -> None:
    agent, bots = watched()
    player = agent.begin(1)
    player.choose(hex3.start(), 0)
    player.choose(hex3.start(), 0)
    player.choose(topple.load("hex", "hex:4").start(), 0)
    assert len(bots) == 3


def test_a_class_of_bots_is_enough(hex3: Game) -> None:
    class First(pyspiel.Bot):  # type: ignore[misc]
        def __init__(self, game: Any, player: int, seed: int) -> None:
            pyspiel.Bot.__init__(self)

        def step(self, state: Any) -> int:
            return int(state.legal_actions()[0])

    assert BotAgent(First).choose(hex3.start().play(0)).move == 1
    with pytest.raises(Unsupported, match="needs a function"):
        BotAgent().choose(hex3.start())


# -- bots that misbehave --------------------------------------------------------------------------


def answering(answer: Callable[[Any], Any]) -> BotAgent:
    """An agent whose bots answer so."""

    class Answering(pyspiel.Bot):  # type: ignore[misc]
        def step(self, state: Any) -> Any:
            return answer(state)

    return BotAgent(lambda game, player, seed: Answering())


def play_one(game: Game, agents: Sequence[Agent]) -> Scoresheet:
    """A game of the arena, in this process."""
    fixture = Fixture("0" * 32, 0, 0, (0, 1), (), 3)
    return play_fixture(game, (agents[0], agents[1]), fixture, Limits(), SharedStatus(MOST_PLIES))


@pytest.mark.parametrize("move", [0, 99, -1, -7])
def test_an_illegal_answer_loses_the_game_and_not_the_process(move: int, hex3: Game) -> None:
    bad = answering(lambda state: move)
    with pytest.raises(IllegalMove, match=f"the bot answers {move}, which is not legal for Blue"):
        bad.choose(hex3.start().play(0).play(1))


def test_nonsense_is_a_plain_error(hex3: Game) -> None:
    with pytest.raises(TypeError):
        answering(lambda state: "b2").choose(hex3.start())


def failing(state: Any) -> int:
    """What raises an error in OpenSpiel's C++."""
    return int(pyspiel.load_game("tic_tac_toe(size=9)").num_players())


def test_an_error_in_openspiels_c_is_one_line(hex3: Game) -> None:
    with pytest.raises(BotFailure, match="an OpenSpiel bot has failed: Unknown parameter"):
        answering(failing).choose(hex3.start())


@pytest.mark.parametrize(
    ("answer", "by", "detail"),
    [
        (lambda state: 99, ILLEGAL, "the bot answers 99"),
        (failing, CRASH, "BotFailure: an OpenSpiel bot"),
    ],
)
def test_the_arena_ends_the_game_of_a_bot_that_fails(
    answer: Callable[[Any], int], by: str, detail: str, hex3: Game
) -> None:
    sheet = play_one(hex3, (topple.agent("random"), answering(answer)))
    assert sheet.ending is not None
    assert (sheet.ending.by, sheet.ending.player) == (by, 1)
    assert sheet.ending.detail.startswith(detail)
    assert sheet.result == (1.0, -1.0)


# -- in the arena and on the command line ---------------------------------------------------------


def test_a_match_is_played_the_same_twice() -> None:
    agents = tuple(map(topple.agent, ("open-spiel:simulations=8", "open-spiel:bot=random")))
    plan = Plan((topple.load("hex", "hex:3"),), agents, n_games=4)

    def games() -> dict[Any, tuple[str, ...]]:
        sheets = [pair for sheets in WorkerPool(plan, 1).play(plan.fixtures()) for pair in sheets]
        assert all(sheet.ending is None for _, sheet in sheets)
        return {fixture.key: sheet.moves for fixture, sheet in sheets}

    played = games()
    assert len(played) == 4
    assert played == games()


def test_it_plays_in_the_terminal() -> None:
    ran = command("play", "hex", "open-spiel:simulations=20", "open-spiel:bot=minimax,depth=1",
                  "--board", "hex:3", "--seed", "4", "--quiet")  # fmt: skip
    assert ran.status == 0, ran.err
    assert "Blue open-spiel:simulations=20, Red open-spiel:bot=minimax,depth=1" in ran.out


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("open-spiel:bot=mctx", "did you mean 'mcts'"),
        ("open-spiel:simulations=1", "simulations=1 is too small"),
        ("open-spiel:depth=0", "depth=0 is too small"),
        ("open-spiel:iterations=5", "unknown option of open-spiel 'iterations'"),
    ],
)
def test_wrong_options_are_one_line(spec: str, words: str) -> None:
    with pytest.raises(BadText, match=words):
        topple.agent(spec)
    assert_one_line_refusal(command("play", "hex", spec, "random", "--board", "hex:3"))


def test_no_page_may_name_it() -> None:
    assert "open-spiel" in bridge_names()
    assert find_agent("open-spiel") is OpenSpielAgent
    assert "open-spiel" not in agent_names()
    assert "open-spiel" not in own_agents()
    with pytest.raises(BadText, match="unknown agent 'open-spiel'"):
        named_agent("open-spiel:bot=random")


def test_a_seat_knows_its_line_from_a_position_of_openspiels() -> None:
    game = topple.load("open-spiel", game="connect_four")
    position = random_position(game, 5, seed=2)
    agent = topple.agent("open-spiel:simulations=10")
    assert isinstance(agent, OpenSpielAgent)
    bot = agent.seated_bot(position, 1, None, None)
    assert isinstance(bot, SeatedBot)
    assert bot.moves == [int(word) for word in position.text.split()]
    move = bot.choose()
    after = position.play(move).play(3)
    assert agent.seated_bot(after, 1, bot, None) is bot
    assert np.array_equal(bot.state.history(), [int(word) for word in after.text.split()])


def test_all_moves_is_documented() -> None:
    page = Path(__file__).parents[2] / "docs" / "open-spiel.md"
    for option in OpenSpielAgent.OPTIONS:
        assert f"`{option.name}" in page.read_text("utf-8")
    for bot in BOTS:
        assert f"`bot={bot}`" in page.read_text("utf-8")
