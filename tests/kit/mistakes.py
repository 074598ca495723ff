"""Mistakes that people make: a right game and a right agent, and what is changed in each."""

from pathlib import Path
from typing import NamedTuple

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


class Mistake(NamedTuple):
    """A change to a module's text, and what the one line about it must say."""

    name: str
    old: str
    new: str
    line: str  # a part of the line
    board: str = "path:4"


def right_game() -> str:
    """The example game as a module of another name, played as plain Python."""
    text = (EXAMPLES / "node_kayles.py").read_text("utf-8")
    return text.replace('"node-kayles"', '"my-game"')


def right_agent() -> str:
    """The example agent, for any game, with a game that needs no compiling."""
    text = (EXAMPLES / "hoarder.py").read_text("utf-8")
    text = text.replace('"hoarder"', '"my-agent"')
    text = text.replace("self.position.play(move).scores or ()", "(0, 0)")
    return text.replace("game.start().scores is None", "game.n_players > 2")


BEGIN = "    state[GONE + move] = 1\n"
COUNT = "        moves[n_moves] = vertex\n"

GAMES = (
    Mistake(
        "a kernel lacks a parameter",
        "legal_moves(board: KaylesBoard, state: State, moves: Moves)",
        "legal_moves(board: KaylesBoard, moves: Moves)",
        "my_game.py:50: legal_moves(board, moves) has the wrong parameters: write "
        "legal_moves(board, state, moves)",
    ),
    Mistake(
        "a kernel's parameters are swapped",
        "def begin(board: KaylesBoard, state: State, move: int)",
        "def begin(board: KaylesBoard, move: int, state: State)",
        "begin(board, move, state) has the wrong parameters: write begin(board, state, move)",
    ),
    Mistake(
        "a plain function lacks a parameter",
        "def sizes(board: KaylesBoard)",
        "def sizes()",
        "sizes() has the wrong parameters: write sizes(tables)",
    ),
    Mistake(
        "raise in a kernel",
        BEGIN,
        BEGIN + "    if move < 0:\n        raise ValueError\n",
        "my_game.py:62: the kernel begin raises: a kernel never raises",
    ),
    Mistake(
        "assert in a kernel",
        BEGIN,
        BEGIN + "    assert move >= 0\n",
        "the kernel begin asserts, which raises",
    ),
    Mistake(
        "an f-string in a kernel",
        BEGIN,
        BEGIN + '    text = f"{move}"\n',
        "my_game.py:61: the kernel begin formats a text",
    ),
    Mistake(
        "try in a kernel",
        BEGIN,
        "    try:\n        state[GONE + move] = 1\n    finally:\n        pass\n",
        "the kernel begin has a try",
    ),
    Mistake(
        "a kernel allocates an array",
        BEGIN,
        BEGIN + "    seen = np.zeros(board.n)\n",
        "my_game.py:61: the kernel begin calls np.zeros, which allocates",
    ),
    Mistake(
        "a kernel makes a list",
        BEGIN,
        BEGIN + "    seen = [move]\n",
        "the kernel begin makes a list, which allocates",
    ),
    Mistake(
        "a kernel calls a function without the mark",
        BEGIN,
        "    take(state, move)\n",
        "the kernel begin calls take, which is no kernel: mark take with @kernel",
    ),
    Mistake(
        "a kernel calls one through its module",
        BEGIN,
        BEGIN + "    topple.rules.interface\n    interface.step(board, state)\n",
        "my_game.py:63: the kernel begin calls interface.step: import step by its name",
    ),
    Mistake(
        "a kernel without the mark",
        "@kernel\ndef begin",
        "def begin",
        "my_game.begin needs the @kernel mark",
    ),
    Mistake(
        "a missing kernel",
        "def legal_moves",
        "def legal",
        "my_game is no game: it lacks legal_moves",
    ),
    Mistake(
        "legal_moves without return",
        "    return n_moves\n",
        "",
        "my_game.py:50: the kernel legal_moves returns nothing",
    ),
    Mistake(
        "floats in the state",
        BEGIN,
        "    state[GONE + move] = board.n / 2\n",
        "my_game.py:60: begin: TypeError: 2.0 is no whole number, and only whole numbers",
    ),
    Mistake(
        "a negative number in the state",
        BEGIN,
        "    state[GONE + move] = -1\n",
        "my_game.py:59: begin: state[5] is -1: no number may be below 0 (position 0.0.0.0.0.0, "
        "move 3)",
    ),
    Mistake(
        "repeated moves",
        COUNT,
        "        moves[n_moves] = 0\n",
        "my_game.py:50: legal_moves: it repeats a move: 0, 0, 0, 0",
    ),
    Mistake(
        "moves that do not ascend",
        COUNT,
        "        moves[n_moves] = board.n - 1 - vertex\n",
        "legal_moves: its moves 3, 2, 1, 0 do not ascend",
    ),
    Mistake(
        "a move that there is not",
        COUNT,
        "        moves[n_moves] = vertex + 1\n",
        "its moves 1, 2, 3, 4 are not all from 0 to 3 (Sizes.moves)",
    ),
    Mistake(
        "an index beyond the end",
        BEGIN,
        "    state[GONE + move + board.n] = 1\n",
        "my_game.py:60: begin: IndexError: index 9 is out of bounds for axis 0 with size 6",
    ),
    Mistake(
        "an index below 0",
        BEGIN,
        "    state[move - board.n] = 1\n",
        "my_game.py:60: begin: IndexError: the index -1 is below 0",
    ),
    Mistake(
        "STATUS forgotten",
        "    state[STATUS] = WON + mover\n",
        "    pass\n",
        "legal_moves: it gives 0 moves, but STATUS says that the game goes on",
    ),
    Mistake(
        "a STATUS that there is not",
        "state[STATUS] = WON + mover",
        "state[STATUS] = 7",
        "state[STATUS] is 7: set it to RUNNING, DRAWN or WON + player",
    ),
    Mistake(
        "a player that there is not",
        "state[PLAYER] = 1 - mover",
        "state[PLAYER] = 2",
        "state[PLAYER] is 2, and the players are 0 to 1",
    ),
    Mistake(
        "a step without an end",
        "def cell_text",
        "@kernel\ndef step(board: object, state: State) -> int:\n    return 0\n\n\ndef cell_text",
        "step: a move has more than 100,000 steps: return NO_VERTEX at last",
    ),
    Mistake(
        "legal_moves changes the position",
        "    n_moves = 0\n",
        "    n_moves = 0\n    state[PLAYER] = 1 - state[PLAYER]\n",
        "legal_moves: it changes the position: only begin and step may",
    ),
    Mistake(
        "a kernel writes to the board",
        BEGIN,
        BEGIN + "    board.neighbours[0] = 0\n",
        "my_game.py:61: begin: ValueError: assignment destination is read-only; a kernel never "
        "writes to the board",
    ),
    Mistake(
        "a state that is too short",
        "state=GONE + board.n",
        "state=GONE",
        "IndexError: index 2 is out of bounds for axis 0 with size 2; is the index right, and "
        "is Sizes large enough?",
    ),
    Mistake(
        "sizes gives a tuple",
        "Sizes(state=GONE + board.n, work=0, moves=board.n)",
        "(GONE + board.n, 0, board.n)",
        "my_game.py:40: sizes(tables) gives (6, 0, 4): return Sizes(state=…, work=…, moves=…)",
    ),
    Mistake(
        "players gives a list",
        '("First", "Second")',
        '["First", "Second"]',
        "players(options) gives ['First', 'Second']: return a tuple of names",
    ),
    Mistake(
        "a name with capitals and a blank",
        '"my-game"',
        '"My Game"',
        "my_game.py: NAME = 'My Game' is no name of a game: use small letters",
    ),
    Mistake(
        "a name that exists",
        '"my-game"',
        '"hex"',
        "my_game.py: NAME = 'hex' is the name of another game",
    ),
    Mistake(
        "options that are no options",
        "OPTIONS = ()",
        'OPTIONS = {"size": 3}',
        "my_game.py: OPTIONS = {'size': 3} is no tuple of topple.core.spec.Option",
    ),
    Mistake(
        "an error in tables",
        "    if board.directed:",
        '    options["size"]\n    if board.directed:',
        "my_game.py:35: tables: KeyError: 'size'",
    ),
    Mistake(
        "a kernel that calls itself for ever",
        BEGIN,
        "    begin(board, state, move)\n",
        "my_game.py:60: begin: RecursionError: maximum recursion depth exceeded",
    ),
    Mistake(
        "tables gives a list",
        "return KaylesBoard(board.n_vertices, board.successor_start, board.successors)",
        "return [board.n_vertices, board.successor_start, board.successors]",
        "tables(board, options) gives a list: return a NamedTuple",
    ),
    Mistake(
        "a name that is not there",
        BEGIN,
        "    state[GONE + mvoe] = 1\n",
        "my_game.py:60: begin: NameError: name 'mvoe' is not defined",
    ),
    Mistake(
        "a number that does not fit",
        BEGIN,
        "    state[GONE + move] = 5000000000\n",
        "my_game.py:60: begin: OverflowError: 5000000000 does not fit into the 32 bits",
    ),
    Mistake(
        "a syntax error",
        "n_moves = 0",
        "n_moves = = 0",
        "cannot be imported: SyntaxError: invalid syntax (my_game.py, line 51)",
    ),
)


DECIDE = "        return Decision(best.move, best.value, tuple(ranked), (best.move,), effort)\n"
LEAVE = "        return not self.waiting\n"

AGENTS = (
    Mistake(
        "an exception in advance",
        "(0, 0)",
        "(1 // 0, 0)",
        "my_agent.py:41: advance: ZeroDivisionError",
    ),
    Mistake(
        "an exception in decision",
        "best = ranked[0]",
        "best = ranked[99]",
        "my_agent.py:47: decision: IndexError: list index out of range",
    ),
    Mistake(
        "an exception in search",
        "return HoarderSearch(position)",
        "return HoarderSearch()",
        "my_agent.py:22: search: TypeError",
    ),
    Mistake(
        "is_done never becomes true",
        LEAVE,
        "        return False\n",
        "is_done of HoarderSearch is not true after advance(",
    ),
    Mistake(
        "an illegal move",
        DECIDE,
        DECIDE.replace("best.move,", "99,", 1),
        "my_agent.Hoarder: the agent my-agent decided on a move that cannot be played: "
        "move 99 is not legal",
    ),
    Mistake(
        "is_done is a method",
        "    @property\n",
        "",
        "my_agent.py:33: is_done of HoarderSearch is a method: mark it with @property",
    ),
    Mistake(
        "no decision",
        DECIDE,
        "        pass\n",
        "my_agent.py:44: decision of my-agent gives None: return a topple.agents.Decision",
    ),
    Mistake(
        "no search",
        "return HoarderSearch(position)",
        "HoarderSearch(position)",
        "my_agent.py:20: search of my-agent gives None: return a topple.agents.Search",
    ),
    Mistake(
        "a name with capitals and a blank",
        '"my-agent"',
        '"My Agent"',
        "my_agent.Hoarder: NAME = 'My Agent' is no name of an agent",
    ),
    Mistake(
        "a name that exists",
        '"my-agent"',
        '"uct"',
        "my_agent.Hoarder: NAME = 'uct' is the name of another agent",
    ),
    Mistake("no name", '    NAME = "my-agent"\n', "", "my_agent.Hoarder lacks NAME: write NAME"),
    Mistake(
        "no search method",
        "def search(",
        "def look(",
        "my_agent.Hoarder lacks search: write def search(self, position, seed, memory=None)",
    ),
    Mistake(
        "a search with other parameters",
        "position: Position, seed: int, memory: object = None",
        "position: Position",
        "my_agent.py:20: search(self, position) has the wrong parameters: write search(self, "
        "position, seed, memory)",
    ),
    Mistake(
        "an agent that is none",
        "register_agent(Hoarder)",
        "register_agent(Hoarder())",
        "is no agent: register a subclass of topple.Agent itself",
    ),
)

# What is found only by the whole suite, since a few moves do not show it.
SUITE_GAMES = (
    Mistake(
        "a game that never ends",
        BEGIN,
        "    state[PLAYER] = 1 - state[PLAYER]\n    if move >= 0:\n        return\n",
        "begin: a random game is not over after 10,000 plies, where the arena ends it",
    ),
    Mistake(
        "a turn that never passes",
        "state[PLAYER] = 1 - mover",
        "pass",
        "my_game.py:59: begin: Second is never to move: pass the turn on in state[PLAYER]",
        "path:9",
    ),
    Mistake(
        "a game that is over too early",
        "        if state[GONE + vertex] == 0:\n            return\n",
        "        pass\n",
        "every random game is over after its first move: is state[STATUS] set too early?",
    ),
    Mistake(
        "moves that depend on something else",
        BEGIN,
        "    state[GONE + (move + len(PLAYED)) % board.n] = 1\n    PLAYED.append(move)\n",
        "leads to another position the second time",
    ),
    Mistake(
        "scratch space that is left dirty",
        "work=0",
        "work=1",
        "leave the scratch space (Sizes.work) as it was, all zero",
        "path:7",
    ),
    Mistake(
        "a text that is read as another move",
        "def cell_text",
        "def parse_move(game, text):\n    return 0\n\n\ndef cell_text",
        "parse_move: it reads '2', the text of move 1, as 0 (position 0.0.0.0.0.0)",
    ),
    Mistake(
        "a position that is not read again",
        "def cell_text",
        'def position_text(game, state):\n    return "here"\n\n\ndef cell_text',
        "parse_position: it cannot read 'here', which position_text wrote",
    ),
    Mistake(
        "a position on two lines",
        "def cell_text",
        'def position_text(game, state):\n    return "a\\nb"\n\n\ndef cell_text',
        "position_text: its text 'a b' is not one line (position a",
    ),
    Mistake(
        "keys that are too few",
        "def cell_text",
        "@kernel\ndef key(board: object, state: State, n: int) -> int:\n    return 7\n\n\n"
        "def cell_text",
        "has the same key as another position",
    ),
    Mistake(
        "returns that do not sum to zero",
        "def cell_text",
        "@kernel\ndef outcome(board: object, state: State, returns: object) -> bool:\n"
        "    returns[0] = 1.0\n    return state[STATUS] != 0\n\n\ndef cell_text",
        "outcome: the returns (1.0, 0.0) do not sum to zero (position 0.0.0.0.0.0)",
    ),
    Mistake(
        "an error in a text function",
        'return "x" if state[GONE + vertex] else ""',
        'return {0: ""}[int(state[GONE + vertex])]',
        "my_game.py:72: cell_text: KeyError: 1",
    ),
    Mistake(
        "apply is not begin and step",
        "def cell_text",
        "@kernel\ndef apply(board: KaylesBoard, state: State, move: int) -> None:\n"
        "    begin(board, state, 0)\n\n\ndef cell_text",
        "apply: it leads elsewhere than begin and step (position 0.0.0.0.0.0, move 3)",
    ),
)

SUITE_AGENTS = (
    Mistake(
        "other parts, another decision",
        "(0, 0)",
        "(n, n)",
        "it decides otherwise if the work is cut into other parts",
    ),
    Mistake(
        "randomness of its own",
        "(0, 0)",
        "(random.random(), random.random())",
        "it decides otherwise if the work is cut into other parts, or each time",
    ),
    Mistake(
        "is_done is a method",
        "    @property\n",
        "",
        "my_agent.py:33: my-agent in my-game: is_done is a method: mark it with @property",
    ),
    Mistake(
        "is_done never becomes true",
        LEAVE,
        "        return False\n",
        "is_done is not true after 10,000 parts",
    ),
    Mistake(
        "candidates that are not legal",
        "Candidate(move, ",
        "Candidate(99, ",
        "my_agent.py:20: my-agent in my-game: its decision is not whole: its move 99 is not legal",
    ),
    Mistake(
        "no candidates",
        "tuple(ranked), (best.move,)",
        "(), (best.move,)",
        "its decision is not whole: it has no candidates",
    ),
    Mistake(
        "a variation that begins elsewhere",
        "(best.move,), effort",
        "(), effort",
        "its decision is not whole: variation must begin with the move",
    ),
    Mistake(
        "what cannot be sent to a worker",
        '    NAME = "my-agent"\n',
        '    NAME = "my-agent"\n\n    def __init__(self, **options):\n'
        "        super().__init__(**options)\n        self.draw = lambda: 0\n",
        "cannot be sent to the arena's worker processes",
    ),
    Mistake(
        "a refusal of every game",
        "game.n_players > 2",
        "game.n_players > 0",
        "my-agent refuses every game that it is offered: hoarder needs a score",
    ),
    Mistake(
        "an error in advance",
        "(0, 0)",
        "(1 // 0, 0)",
        "my_agent.py:41: advance: ZeroDivisionError: integer division or modulo by zero (position",
    ),
)
