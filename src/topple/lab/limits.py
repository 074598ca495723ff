"""The limits that the server enforces: sizes, times and numbers; the page gets some of them."""

BODY_BYTES = 4_000_000  # of one request, an uploaded file included
VERTICES, EDGES = 2_000, 20_000  # of a board
NETWORKS, NETWORK_EDGES = 200, 60_000  # of a board that changes; edges of all its networks
MOVES = 10_000  # of a line of play
STEPS, STEP_CELLS = 400, 100_000  # steps of one move that are sent; cells compared to find them

SECONDS = 120.0  # for one agent and one position
REVIEW_SECONDS = SOLVE_SECONDS = 600.0  # for a whole game, for an exact value
LEAST_SECONDS = 0.01
COMPILING_SECONDS = 1800.0  # for what a task has to compile first; its own clock stops meanwhile
LINE_SECONDS = 5.0  # for replaying a line; the next request continues from there
PLAIN_SECONDS = 0.5  # for replaying a line while the rules still run as plain Python
RULES_SECONDS = 20.0  # that such a line then waits for compiled rules
MEMORY = 1024  # megabytes for one search
WORKER_MEMORY = 4 * 1024  # megabytes that a worker process may allocate in all
THREADS = 8  # of one search
CANDIDATES, VARIATION = 400, 100  # moves of a decision that are sent

CONNECTIONS = 900  # at a time, of all pages together; a page opens about six
LISTENERS = 200  # open event streams, of all pages together
WAITING_PER_CLIENT, WAITING = 8, 64  # queued jobs
FINISHED = 200  # finished jobs that are remembered
LARGE_LATEST = 20_000  # characters; the list of jobs leaves out longer results

TOURNAMENT_GAMES = 100_000  # in all
TOURNAMENT_GAME_KINDS, TOURNAMENT_BOARDS, TOURNAMENT_AGENTS = 5, 16, 16
TOURNAMENT_PLIES = 100  # of random opening

LISTED_BOARDS = 30  # of those that are kept
KEPT_GAMES, KEPT_BOARDS, KEPT_STORES = 10_000, 1_000, 200
KEPT_GAME_BYTES, KEPT_BOARD_BYTES = 500_000_000, 200_000_000
ROWS = 200  # games of a store in one answer

SPEC, NAME, MOVE_TEXT = 400, 80, 90  # characters; a move is a vertex with its draw
CLIENT = 64  # characters
LARGEST_NUMBER = 2**31 - 1


def limits_data() -> dict[str, float]:
    """The limits that the page needs to know."""
    return {
        "vertices": VERTICES,
        "edges": EDGES,
        "moves": MOVES,
        "steps": STEPS,
        "seconds": SECONDS,
        "review_seconds": REVIEW_SECONDS,
        "solve_seconds": SOLVE_SECONDS,
        "memory": MEMORY,
        "threads": THREADS,
        "upload_bytes": BODY_BYTES,
        "jobs_per_client": WAITING_PER_CLIENT,
        "jobs": WAITING,
        "tournament_games": TOURNAMENT_GAMES,
        "tournament_boards": TOURNAMENT_BOARDS,
        "tournament_agents": TOURNAMENT_AGENTS,
        "tournament_plies": TOURNAMENT_PLIES,
        "name": NAME,
    }
