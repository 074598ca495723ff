"""A stand-in for the lab's server: the page can be looked at without workers or compiled rules.

    python tests/lab_stub.py [PORT]

Boards and positions are real, rules run uncompiled; what agents, solvers and
tournaments say is made up, the same every time. Nothing is kept.
"""

import json
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import topple
from topple.agents import agent_names, find_agent
from topple.boards import BOARDS, Board, load_board
from topple.catalogue import describe_agent, describe_game, describe_kind
from topple.errors import ToppleError
from topple.lab.lines import Reached
from topple.lab.views import board_data, place_data, view_data
from topple.record import Ending, Record
from topple.rules import find_rules, game_names

STATIC = Path(__file__).parents[1] / "src" / "topple" / "lab" / "static"
POLICY = (
    "default-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "frame-ancestors 'none'; base-uri 'none'"
)
PICTURE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 120"><path fill="none" '
    'stroke="#0072b2" stroke-width="4" d="M10 110 80 70 150 85 290 15"/></svg>'
)
ENDED = ("done", "stopped", "failed")

kept_boards: dict[str, Board] = {}
kept_games: dict[int, dict[str, Any]] = {}
jobs: dict[str, dict[str, Any]] = {}


@cache
def board_of(text: str) -> Board:
    """A board by its text."""
    return kept_boards[text] if text.startswith("kept:") else load_board(text, files=False)


@cache
def game_of(game: str, board: str) -> topple.Game:
    """A game whose rules run as plain Python."""
    return topple.load(game, board=board_of(board), compiled=False)


def reach(line: dict[str, Any]) -> Reached:
    """Where a line leads."""
    game = game_of(line["game"], line["board"])
    position, before, movers, numbers = game.start(), None, b"", []
    for move in line["moves"]:
        before, movers = position, movers + bytes([position.player])
        numbers.append(position.check_move(move))
        position = position.play(move)
    return Reached(position, tuple(numbers), movers, before)


def catalogue() -> dict[str, Any]:
    """All that can be chosen."""
    return {
        "version": topple.__version__,
        "games": [describe_game(find_rules(name)) | {"evaluations": []} for name in game_names()],
        "agents": [describe_agent(find_agent(name)) for name in agent_names()],
        "boards": [describe_kind(kind) for name, kind in BOARDS.items() if name != "file"],
        "limits": {"vertices": 2000, "moves": 10_000, "seconds": 120, "upload_bytes": 4_000_000},
    }


def decision(reached: Reached, visits: int, seconds: float) -> dict[str, Any]:
    """A decision out of thin air; more visits make it surer."""
    position, rng = reached.position, random.Random(len(reached.moves))
    game = position.game
    found = []
    for move in position.legal_moves()[:40]:
        value, n = rng.uniform(-0.6, 0.6), int(visits * rng.random() ** 3) + 1
        half = min(1.0, 1.2 / n**0.5)
        interval = [max(-1.0, value - half), min(1.0, value + half)]
        found.append(place_data(game, move) | {
            "value": value, "visits": n, "interval": interval, "exact": True, "proven": None,
        })  # fmt: skip
    found.sort(key=lambda each: -each["visits"])
    total = sum(each["visits"] for each in found)
    for each in found:
        each["share"] = each["visits"] / total
    best = found[0]
    variation = [{part: each[part] for part in ("move", "text", "vertex")} for each in found[:4]]
    effort = {"simulations": total, "nodes": 0, "depth": 6, "seconds": seconds}
    return best | {"unit": "return", "variation": variation, "candidates": found, "effort": effort}


def think(asked: dict[str, Any]) -> Iterator[Any]:
    """Decisions over a second."""
    for tenth in range(1, 11):
        yield decision(reach(asked), 100 * tenth, tenth / 10)


def review(asked: dict[str, Any]) -> Iterator[Any]:
    """A curve, and a mistake now and then."""
    game, rng = game_of(asked["game"], asked["board"]), random.Random(5)
    values, mistakes, n = [], [], len(asked["moves"]) + 1
    for ply in range(n):
        values.append(max(-0.95, min(0.95, (values[-1] if values else 0) + rng.uniform(-0.3, 0.3))))
        if ply and ply % 5 == 0:
            move = asked["moves"][ply - 1]
            text = game.move_text(move)
            mistakes.append({"ply": ply, "player": 0, "move": move, "text": text, "best": move,
                             "best_text": text, "loss": 0.31})  # fmt: skip
        padded = values + [None] * (n - len(values))
        yield {"values": padded, "mistakes": mistakes, "unit": "return", "done": ply + 1, "of": n}


def solve(asked: dict[str, Any]) -> Iterator[Any]:
    """Every third move wins."""
    position = reach(asked).position
    moves = [place_data(position.game, move) | {"value": 1 if i % 3 == 0 else -1,
             "text_value": "wins" if i % 3 == 0 else "loses"}
             for i, move in enumerate(position.legal_moves())]  # fmt: skip
    best = [each["move"] for each in moves if each["value"] == 1]
    name = position.game.players[position.player]
    yield {"solved": True, "value": 1, "value_text": f"{name} wins", "best": best, "moves": moves}


def standings(agents: list[str], game: str, board: str, n: int) -> dict[str, Any]:
    """Standings in which who is named later is stronger."""
    k = len(agents)

    def row(i: int) -> dict[str, Any]:
        score = (i + 0.5) / k
        return {"agent": agents[i], "games": n, "elo": 120.0 * (i - (k - 1) / 2),
                "elo_interval": [120 * (i - (k - 1) / 2) - 60, 120 * (i - (k - 1) / 2) + 60],
                "score": score, "score_interval": [max(0, score - 0.1), min(1, score + 0.1)],
                "wins": int(n * score), "draws": 0, "losses": n - int(n * score), "moves": 10 * n,
                "mean_plies": 21.0, "seconds_per_move": 0.01 * (i + 1),
                "simulations_per_move": 100 * i, "nodes_per_move": 0, "forfeits": {}}  # fmt: skip

    rows = [row(i) for i in reversed(range(k))]
    pairings = [{"agents": [agents[i], agents[j]], "games": n, "wins": n // 3, "draws": 0,
                 "losses": n - n // 3, "score": 0.33, "score_interval": [0.2, 0.5]}
                for i in range(k) for j in range(i + 1, k)]  # fmt: skip
    contest = {"game": game, "board": board, "games": n, "mean_plies": 21.0, "ratings": rows,
               "first_move": 35.0, "first_move_interval": [-10.0, 80.0], "agents": rows,
               "pairings": pairings}  # fmt: skip
    return {"games": n * len(pairings), "ratings": rows, "agents": rows, "contests": [contest]}


def tournament(asked: dict[str, Any]) -> Iterator[Any]:
    """Standings that grow over some seconds."""
    game = asked["games"][0]
    for part in range(1, 21):
        made = standings(asked["agents"], game, (asked["boards"] or [""])[0], part)
        yield {"played": made["games"], "of": made["games"] // part * 20, "standings": made}
        time.sleep(0.2)


KINDS: dict[str, Callable[[dict[str, Any]], Iterator[Any]]] = {
    "think": think, "review": review, "solve": solve, "tournament": tournament,
}  # fmt: skip


def work(job: dict[str, Any]) -> None:
    """Do a job, until it is done or stopped."""
    job["state"] = "running"
    try:
        for latest in KINDS[job["kind"]](job["asked"]):
            job["latest"] = latest
            time.sleep(0.08)
            if job["state"] != "running":
                return
        job["state"] = "done"
    except ToppleError as error:
        job.update(state="failed", error=str(error))


def add_job(asked: dict[str, Any]) -> dict[str, Any]:
    """Start a job."""
    name = str(len(jobs) + 1)
    title = f"{asked['kind']}: {asked.get('agent') or asked.get('name') or asked.get('game')}"
    jobs[name] = {"id": name, "kind": asked["kind"], "title": title, "state": "queued", "place": 0,
                  "asked": asked, "latest": None, "error": None}  # fmt: skip
    threading.Thread(target=work, args=(jobs[name],), daemon=True).start()
    return jobs[name]


def line_of(record: Record) -> dict[str, Any]:
    """A record's line."""
    name = f"kept:{record.board.digest}"
    kept_boards[name] = record.board
    moves = [game_of(record.game, name).parse_move(text) for text in record.moves]
    return {"game": record.game, "board": name, "moves": moves, "players": list(record.players),
            "ending": None, "result": record.result, "result_text": ""}  # fmt: skip


def record_of(given: dict[str, Any]) -> Record:
    """The record of a played line."""
    ending = Ending(**given["ending"]) if given.get("ending") else None
    game = game_of(given["game"], given["board"])
    return Record.of(game, given["moves"], given["players"], ending=ending)


def keep(given: dict[str, Any]) -> dict[str, Any]:
    """Keep a game until the stub ends."""
    number = len(kept_games) + 1
    kept_games[number] = given | {"id": number, "plies": len(given["moves"]), "saved": "2026-01-01",
                                  "result_text": "not over"}  # fmt: skip
    return {"id": number}


def tournaments() -> list[dict[str, Any]]:
    """The tournaments asked for."""
    return [job for job in jobs.values() if job["kind"] == "tournament"]


def stores() -> list[dict[str, Any]]:
    """A store for each tournament."""
    return [
        {
            "name": job["asked"]["name"],
            "games": (job["latest"] or {}).get("played", 0),
            "agents": job["asked"]["agents"],
            "running": job["state"] == "running",
            "own": True,
            "error": None,
        }
        for job in tournaments()
    ]


def store(name: str) -> dict[str, Any]:
    """What a store holds."""
    job = next(job for job in tournaments() if job["asked"]["name"] == name)
    return {"name": name, "standings": (job["latest"] or {}).get("standings"), "letters": {},
            "plots": {"ratings": PICTURE}, "asked": []}  # fmt: skip


def papers() -> list[dict[str, Any]]:
    """Two papers with a table each."""
    cell = {"row": "UCT", "column": "wins", "choice": None, "verdict": "agrees",
            "published": {"value": 61.5, "margin": 3.0, "trials": None},
            "measured": {"value": 60.2, "low": 57.1, "high": 63.2, "games": 1000}}  # fmt: skip
    items = [{"name": f"table-{n}", "item": f"table-{n}", "kind": "table", "number": str(n),
              "title": "Win rates against Monte Carlo", "section": "4.2", "verdict": verdict,
              "cells": [cell] * 6, "claims": [{"claim": "UCT is ahead", "verdict": "holds"}],
              "why": [], "choices": [], "notes": ["A note."], "games": [], "n_games": 6000,
              "command": f"topple reproduce made-up table-{n}"}
             for n, verdict in ((1, "agrees"), (2, "differs, and here is why"))]  # fmt: skip
    return [{"name": name, "title": f"A paper on {name}", "authors": "A. Author", "source": "2024",
             "scale": "quick", "store": None, "items": items,
             "charts": {"table-1": PICTURE}} for name in ("spread-it", "hex")]  # fmt: skip


class Stub(SimpleHTTPRequestHandler):
    """Answers as the lab does."""

    protocol_version = "HTTP/1.1"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, directory=str(STATIC), **kwargs)

    def end_headers(self) -> None:
        """Put the lab's policy on every answer."""
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, *args: object) -> None:
        """Say nothing."""

    def answer(self, data: Any, status: int = 200) -> None:
        """Send JSON."""
        content = json.dumps(data).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_GET(self) -> None:  # noqa: PLR0912
        """Files, lists and events."""
        parts = [unquote(each) for each in urlsplit(self.path).path.strip("/").split("/")]
        if parts[0] != "api":
            super().do_GET()
            return
        match parts[1:]:
            case ["catalogue"]:
                self.answer(catalogue())
            case ["jobs"]:
                self.answer(list(jobs.values()))
            case ["jobs", name]:
                self.answer(jobs[name])
            case ["jobs", name, "events"]:
                self.tell(jobs[name])
            case ["games"]:
                self.answer(list(reversed(kept_games.values())))
            case ["games", number]:
                self.answer(kept_games[int(number)])
            case ["stores"]:
                self.answer(stores())
            case ["stores", name]:
                self.answer(store(name))
            case ["stores", _, "games"]:
                self.answer({"total": 0, "offset": 0, "rows": []})
            case ["papers"]:
                self.answer(papers())
            case ["papers", name]:
                self.answer(next(each for each in papers() if each["name"] == name))
            case _:
                self.answer({"error": "there is nothing here"}, 404)

    def tell(self, job: dict[str, Any]) -> None:
        """Events until a job has ended."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        told = ""
        while True:
            text = json.dumps(job)
            if text != told:
                self.wfile.write(f"data: {text}\n\n".encode())
                self.wfile.flush()
                told = text
            if job["state"] in ENDED:
                self.close_connection = True
                return
            time.sleep(0.05)

    def do_POST(self) -> None:
        """Boards, views, records, jobs."""
        address = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            if address.path == "/api/upload":
                self.answer(self.upload(parse_qs(address.query)["name"][0], body))
            else:
                self.answer(ANSWERS[address.path](json.loads(body)))
        except (ToppleError, KeyError) as error:
            self.answer({"error": str(error)}, 400)

    def upload(self, name: str, body: bytes) -> Any:
        """Read a graph from a file; only formats whose reader takes a path."""
        path = Path("/tmp") / f"topple-stub{Path(name).suffix}"
        path.write_bytes(body)
        board = load_board(f"file:{path}")
        kept_boards[f"kept:{board.digest}"] = board
        return board_data(board, f"kept:{board.digest}")

    def do_DELETE(self) -> None:
        """Stop a job, forget a game."""
        _, what, name = self.path.strip("/").split("/")
        if what == "jobs" and jobs[name]["state"] not in ENDED:
            jobs[name]["state"] = "stopped"
        elif what == "games":
            kept_games.pop(int(name), None)
        self.answer(jobs.get(name) if what == "jobs" else {})


def show_board(given: dict[str, Any]) -> Any:
    """A board, checked for a game."""
    board = board_of(given["board"])
    if given.get("game"):
        game_of(given["game"], given["board"])
    return board_data(board, given["board"] if given["board"].startswith("kept:") else board.spec)


ANSWERS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "/api/board": show_board,
    "/api/view": lambda given: view_data(reach(given), given["board"], steps=given["steps"]),
    "/api/jobs": add_job,
    "/api/games": keep,
    "/api/record": lambda given: line_of(Record.from_json(given["record"])),
    "/api/record/of": lambda given: {"record": record_of(given).to_json()},
}


if __name__ == "__main__":
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 8799
    print(f"http://127.0.0.1:{port}/")
    ThreadingHTTPServer(("127.0.0.1", port), Stub).serve_forever()
