"""The store: every game whole, in one order, whatever happens to the processes and the file."""

import gc
import itertools
import os
import random
import re
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import topple
from tests.arena.played_games import many_games, moves_of, played, some_games
from topple.arena.planning.plan import Plan
from topple.arena.playing.run import planned_results
from topple.arena.store.lookup_tables import game_spec
from topple.arena.store.played import PlayedGame, moves_digest
from topple.arena.store.rows import Pairing
from topple.arena.store.store import Store, open_store
from topple.boards import BOARDS, load_board
from topple.core.errors import StoreError
from topple.game.record import Ending, Record

GAMES = some_games()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a store may be made."""
    return tmp_path / "results.db"


def stored(path: Path, games: list[PlayedGame]) -> Path:
    """A closed store with some games in it."""
    with open_store(path) as store:
        assert store.add(games) == len(games)
    return path


def is_whole(path: Path) -> bool:
    """Whether SQLite finds nothing wrong, foreign keys among it."""
    with closing(sqlite3.connect(path)) as connection:
        [(verdict,)] = connection.execute("PRAGMA integrity_check").fetchall()
        return verdict == "ok" and not connection.execute("PRAGMA foreign_key_check").fetchall()


def key_of(game: PlayedGame) -> tuple[str, int]:
    return game.pair, game.side


def test_games_come_back_whole(path: Path) -> None:
    stored(path, GAMES)
    with open_store(path, read_only=True) as store:
        found = {key_of(game): game for game in store.games()}
    assert found == {key_of(game): game for game in GAMES}
    for game in GAMES:
        assert found[key_of(game)].record.version == game.record.version
        assert found[key_of(game)].record.replay() == game.record.replay()


def test_a_temporary_store_is_a_store() -> None:
    with open_store(None) as store:
        store.add(GAMES)
        assert {key_of(game) for game in store.games()} == {key_of(game) for game in GAMES}


def test_the_order_is_the_games_own(tmp_path: Path) -> None:
    """Not the order of arrival: the pairing's settings decide, and pairs stay together."""
    orders = []
    for seed in range(4):
        shuffled = random.Random(seed).sample(GAMES, len(GAMES))
        with open_store(tmp_path / f"{seed}.db") as store:
            for game in shuffled:
                store.add([game])
            orders.append([key_of(game) for game in store.games()])
            assert [(each.pair, each.side) for each in store.results()] == orders[-1]

    def place(game: PlayedGame) -> tuple[Any, ...]:
        record, seats = game.record, game.record.players
        agents = seats[::-1] if game.side else seats
        return (
            record.game,
            record.board.spec,
            agents,
            game.tournament_seed,
            game.opening_number,
            game.side,
        )

    expected = [key_of(game) for game in sorted(GAMES, key=place)]
    assert orders == [expected] * 4


def test_results_are_the_games_in_short(path: Path) -> None:
    stored(path, GAMES)
    with open_store(path) as store:
        games, results = list(store.games()), list(store.results())
    assert len(results) == len(GAMES)
    for game, result in zip(games, results, strict=True):
        record, ending = game.record, game.record.ending
        assert result.game == record.load_game().spec
        assert (result.board, result.board_digest) == (record.board.spec, record.board.digest)
        assert result.agents == record.players
        assert (result.pair, result.side) == key_of(game)
        assert result.opening_number == game.opening_number
        assert result.returns == record.result
        assert result.ending == (None if ending is None else ending.by)
        assert result.ending_player == (None if ending is None else ending.player)
        assert (result.plies, result.opening) == (len(record.moves), record.opening)
        for name in ("moves", "seconds", "simulations", "nodes"):
            assert getattr(result, name) == tuple(getattr(part, name) for part in game.participants)
        assert result.moves_digest == moves_digest(record.moves)


def test_any_game_can_be_opened(path: Path) -> None:
    stored(path, GAMES[1:])
    with open_store(path, read_only=True) as store:
        assert [store.game(*key_of(game)) for game in GAMES] == [None, *GAMES[1:]]
        assert store.game("no pair", 7) is None


def test_a_wrong_game_is_not_opened(path: Path) -> None:
    changed("UPDATE games SET plies = plies + 1")(path)
    with open_store(path) as store, pytest.raises(StoreError, match=GAMES[0].pair):
        store.game(*key_of(GAMES[0]))


def test_what_is_not_wanted_is_not_even_read(path: Path) -> None:
    """Rows and boards that are wrong do no harm to others."""
    changed("""
        UPDATE games SET plies = 'many' WHERE contest =
        (SELECT id FROM contests WHERE game = 'hex');
        UPDATE boards SET data = '{' WHERE spec = 'hex:3'
    """)(path)

    def is_wanted(pairing: Pairing) -> bool:
        contest, agents = pairing.contest, {pairing.agent.spec, pairing.opponent.spec}
        return contest.spec == "spread-it:loyalty=full" and agents == {"random", "greedy"}

    wanted = [game for game in GAMES if game.record.game == "spread-it"]
    with open_store(path) as store:
        with pytest.raises(StoreError, match=r"board .*: Expecting"):
            list(store.results())
        assert list(store.games(is_wanted)) == wanted
        assert [(each.pair, each.side) for each in store.results(is_wanted)] == [
            key_of(game) for game in wanted
        ]
        assert list(store.results(lambda pairing: False)) == []


def test_a_plan_finds_its_results_among_those_of_others() -> None:
    hexes = topple.load("hex", "hex:3")
    agents = tuple(map(topple.agent, ("random", "greedy")))
    plans = [
        Plan((hexes,), agents, n_games=6),
        Plan((hexes,), (*agents, topple.agent("uct:iterations=5")), n_games=4),
        Plan((hexes, topple.load("hex:swap=true", "hex:3")), agents, n_games=2, seed=2),
    ]
    games = {}
    for plan in plans:
        for fixture in plan.fixtures():
            game = plan.games[fixture.game]
            record = Record.of(game, moves_of(game, fixture.seed))
            seats = [plan.agents[seat].spec for seat in fixture.seats]
            met = (seats[fixture.side], seats[1 - fixture.side])
            game_played = played(record, fixture.opening_number, fixture.side, agents=met)
            games[fixture.key] = replace(game_played, pair=fixture.pair)
    with open_store(None) as store:
        store.add(GAMES)
        store.add(list(games.values()))
        for plan in plans:
            found = [(each.pair, each.side) for each in planned_results(plan, store)]
            assert sorted(found) == sorted(plan.game_keys())


def test_within_a_snapshot_the_store_stays_as_it_is(path: Path) -> None:
    with open_store(path) as writer, open_store(path) as reader:
        writer.add(GAMES[:5])
        with reader.snapshot():
            writer.add(GAMES[5:9])
            assert reader.n_games() == len(list(reader.results())) == 5
            writer.remember({"seed": 1})
            writer.remove([key_of(GAMES[0])])
            assert {key_of(each) for each in reader.games()} == set(map(key_of, GAMES[:5]))
            assert reader.tournaments() == []
            with pytest.raises(StoreError, match="is being read as a snapshot"):
                reader.add(GAMES[9:])
            assert reader.n_games() == 5
        assert reader.n_games() == 8
        assert reader.add(GAMES[9:]) == len(GAMES) - 9


def test_a_game_is_stored_once_and_stays_as_it_is(path: Path) -> None:
    with open_store(path) as store:
        assert store.add(GAMES[:3]) == 3
        changed = [replace(game, reason="otherwise") for game in GAMES[:5]]
        assert store.add(changed) == 2
        assert store.add([]) == 0
        reasons = {key_of(game): game.reason for game in store.games()}
    assert [reasons[key_of(game)] for game in GAMES[:5]] == [
        *["as it happened"] * 3,
        *["otherwise"] * 2,
    ]


def test_known_and_removed_games(path: Path) -> None:
    games = many_games(1300)
    keys = [key_of(game) for game in games]
    with open_store(path) as store:
        store.add(games[:1200])
        assert store.known(keys) == set(keys[:1200])
        assert store.known((pair, 1 - side) for pair, side in keys) == set()
        assert store.known([]) == set()
        assert store.remove(keys[1100:]) == 100
        assert store.n_games() == 1100
        assert store.known(keys) == set(keys[:1100])


def test_tournaments_are_remembered_once(path: Path) -> None:
    first = {"games": ["hex"], "seed": 1, "sprt": None}
    with open_store(path) as store:
        number = store.remember(first)
        other = store.remember({**first, "seed": 2})
        assert store.remember(dict(reversed(first.items()))) == number != other
    with open_store(path, read_only=True) as store:
        assert [(each, what) for each, what, _ in store.tournaments()] == [
            (number, first),
            (other, {**first, "seed": 2}),
        ]
        assert all(moment.endswith("+00:00") for _, _, moment in store.tournaments())


def test_reasons_come_by_key_and_must_be_plain(path: Path) -> None:
    stored(path, GAMES)
    with open_store(path, read_only=True) as store:
        assert list(store.reasons()) == [(key_of(game), game.reason) for game in store.games()]
        assert list(store.reasons(lambda pairing: False)) == []
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE games SET reason = 'two' || char(10) || 'lines'")
    with open_store(path) as store, pytest.raises(StoreError, match="not plain text"):
        list(store.reasons())


FACT = {"whole": 3, "share": 0.5, "text": "ü", "truth": True, "list": [None, [1, 2]]}


def test_computed_facts_come_back_and_replace_each_other(path: Path) -> None:
    with open_store(path) as store:
        assert store.read_fact("a") is None
        store.save_fact("a", FACT, 1.5)
        store.save_fact("b", [1])
        store.save_fact("b", [2])
    with open_store(path, read_only=True) as store:
        kept = store.read_fact("a")
        assert kept is not None
        assert (kept.data, kept.seconds, kept.version) == (FACT, 1.5, topple.__version__)
        assert [getattr(store.read_fact(name), "data", None) for name in "bc"] == [[2], None]
        with pytest.raises(StoreError, match="for reading only"):
            store.save_fact("c", 1)
    assert is_whole(path)


def test_a_store_without_computed_facts_is_as_it_was_made(path: Path) -> None:
    stored(path, GAMES[:2])
    with open_store(path, read_only=True) as store:
        assert store.read_fact("a") is None
    with closing(sqlite3.connect(path)) as connection:
        assert not connection.execute(
            "SELECT 1 FROM sqlite_master WHERE name = 'computed'"
        ).fetchall()


@pytest.mark.parametrize("data", [float("nan"), {1, 2}, b"bytes", float("inf")])
def test_what_is_no_plain_data_is_not_kept(data: object, path: Path) -> None:
    with open_store(path) as store:
        with pytest.raises(StoreError, match="plain JSON data"):
            store.save_fact("a", data)
        with pytest.raises(StoreError, match="not a time"):
            store.save_fact("a", 1, float("nan"))
        assert store.read_fact("a") is None


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE computed SET data = '{'",
        "UPDATE computed SET data = '[1e999]'",
        "UPDATE computed SET data = '[NaN]'",
        "UPDATE computed SET data = x'00ff'",
        "UPDATE computed SET data = NULL",
        "UPDATE computed SET data = '" + "[" * 100_000 + "'",
        "UPDATE computed SET seconds = -1",
        "UPDATE computed SET seconds = 'long'",
        "UPDATE computed SET made = 'today'",
        "UPDATE computed SET made = NULL",
        "UPDATE computed SET topple = x'00'",
        "UPDATE computed SET topple = '1' || char(10) || '2'",
        "DROP TABLE computed; CREATE VIEW computed AS SELECT 1 AS data",
        "ALTER TABLE computed RENAME COLUMN data TO other",
    ],
)
def test_damaged_facts_are_refused_in_one_line(statement: str, path: Path) -> None:
    with open_store(path) as store:
        store.save_fact("a", FACT)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(statement)
    with open_store(path) as store:
        with pytest.raises(StoreError) as caught:
            store.read_fact("a")
        assert str(path) in str(caught.value)
        assert len(str(caught.value).splitlines()) == 1


def test_versions_that_played(path: Path) -> None:
    old = replace(GAMES[0], record=replace(GAMES[0].record, version="0.0.9"))
    with open_store(path) as store:
        store.add([old, *GAMES[1:]])
        assert store.versions() == {"0.0.9", topple.__version__}


def test_boards_are_shared(path: Path) -> None:
    stored(path, GAMES)
    with open_store(path) as store:
        boards = [game.record.board for game in itertools.chain(store.games(), store.games())]
        assert store.boards() == {board.digest: board for board in boards}
    assert len({id(board) for board in boards}) == len({board.digest for board in boards}) == 2


@pytest.mark.parametrize("kind", list(BOARDS))
def test_every_kind_of_board_comes_back(kind: str, path: Path, tmp_path: Path) -> None:
    network = tmp_path / "net.csv"
    network.write_text("ann,bob\nbob,cleo mae\ncleo mae,ann\n")
    files = {"file": f"file:{network}", "snapshots": f"snapshots:{network}@0,{network}@5"}
    board = load_board(files.get(kind, BOARDS[kind].example))
    record = Record("influence", {}, board, ("a", "b"), ("x y", "z"), (0.0, 0.0))
    stored(path, [played(record)])
    with open_store(path) as store:
        [game] = store.games()
    again = game.record.board
    assert (again, again.spec, again.form) == (board, board.spec, board.form)
    assert again.n_edges == board.n_edges


def test_many_games_of_one_pairing_stream_in_order(path: Path) -> None:
    """More than are read in one go, and some are added while they are read."""
    games = many_games(1200)
    with open_store(path) as store:
        store.add(games[:900])
        seen = []
        for number, result in enumerate(store.results()):
            seen.append(result.opening_number)
            if number == 100:
                assert store.add(games[900:]) == 300
    assert seen == list(range(1200))


def test_reading_takes_no_more_memory_for_more_games(path: Path) -> None:
    def peak(store: Store) -> int:
        gc.collect()
        gc.disable()  # when it happens to run would tell in the figures
        tracemalloc.start()
        for _ in store.results():
            pass
        for _ in store.games():
            pass
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        gc.enable()
        return most

    games = many_games(2000)
    with open_store(path) as store:
        store.add(games[:600])
        peak(store)  # what is imported and remembered
        few = peak(store)
        store.add(games)
        assert peak(store) < 1.5 * few


def test_reading_needs_no_room_of_its_own(path: Path) -> None:
    stored(path, GAMES)
    with open_store(path, read_only=True) as store:
        assert store.n_games() == len(GAMES)
    assert list(path.parent.iterdir()) == [path]


class Writer:
    """A process that writes games into a store."""

    def __init__(self, path: Path, games: list[PlayedGame], batch: int) -> None:
        import pickle

        file = path.with_name(f"{id(self)}.pickle")
        file.write_bytes(pickle.dumps(games))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.arena.store_writer", str(path), str(file), str(batch)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )

    def go(self) -> None:
        assert self.process.stdin is not None
        assert self._output.readline() == "ready\n"
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def batch_done(self) -> None:
        """Wait until one more batch is in."""
        assert self._output.readline()

    def end(self) -> tuple[int, int]:
        """Wait for the end: how many games were added, how many were new."""
        lines = self._output.read().splitlines()
        assert self.process.wait() == 0
        added, new = map(int, lines[-1].split())
        return added, new

    def kill(self) -> int:
        """Kill it: how many games it had said to have added."""
        self.process.kill()
        lines = [line for line in self._output.read().split("\n")[:-1] if line]
        self.process.wait()
        return int(lines[-1].split()[0]) if lines else 0

    @property
    def _output(self) -> Any:
        return self.process.stdout

    def __enter__(self) -> "Writer":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            stream.close()


@pytest.mark.parametrize("n_writers", [4, pytest.param(10, marks=pytest.mark.prove)])
def test_killed_writers_leave_all_they_have_stored(path: Path, n_writers: int) -> None:
    """kill -9 at random moments, again and again on one file; also while it is made."""
    rng = random.Random(5)
    before: set[tuple[str, int]] = set()
    half_way = n_writers // 2
    for half in (range(half_way), range(half_way, n_writers)):  # as many as may wait at a time
        sets = [many_games(1500, f"writer {number}") for number in half]
        writers = [Writer(path, games, 4) for games in sets]
        for writer, games in zip(writers, sets, strict=True):
            with writer:
                writer.go()
                time.sleep(rng.choice([0.002, 0.05, 0.2]) * rng.random())
                said = writer.kill()
            assert not path.exists() or is_whole(path)
            with open_store(path) as store:
                now = {(each.pair, each.side) for each in store.results()}
            assert before | {key_of(game) for game in games[:said]} <= now
            assert (len(now) - len(before)) % 4 == 0  # whole batches
            before = now
    assert before  # it was not always too early


def test_two_processes_write_into_one_new_file(path: Path) -> None:
    """Some games are the same, some are not; both make the file at the same time."""
    games = many_games(600)
    with Writer(path, games[:400], 3) as one, Writer(path, games[200:], 3) as two:
        one.go()
        two.go()
        (_, new_one), (_, new_two) = one.end(), two.end()
    assert new_one + new_two == 600
    assert is_whole(path)
    with open_store(path) as store:
        assert [result.opening_number for result in store.results()] == list(range(600))


def test_a_store_that_is_just_being_made_is_waited_for(path: Path) -> None:
    """Where two make a file at once, one of them finds it locked, and SQLite would not wait."""
    maker = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    maker.execute("BEGIN IMMEDIATE")
    let_go = threading.Timer(0.2, maker.execute, ["ROLLBACK"])
    let_go.start()
    stored(path, GAMES)
    let_go.join()
    maker.close()
    assert is_whole(path)


def test_games_are_read_while_another_process_writes(path: Path) -> None:
    games = many_games(3000)
    stored(path, games[:10])
    with Writer(path, games, 10) as writer, open_store(path, read_only=True) as reader:
        writer.go()
        counts = [reader.n_games()]
        for _ in range(20):
            writer.batch_done()
            numbers = [result.opening_number for result in reader.results()]
            assert numbers == list(range(len(numbers)))
            counts.append(len(numbers))
        writer.end()
        counts.append(sum(1 for _ in reader.games()))
    assert counts == sorted(counts)
    assert counts[0] >= 10
    assert counts[-1] == 3000


def test_a_failed_batch_leaves_nothing_behind(path: Path) -> None:
    unknown = replace(GAMES[-1], record=replace(GAMES[-1].record, game="hexx"))
    with open_store(path) as store:
        with pytest.raises(StoreError, match=r"results\.db: unknown game 'hexx'"):
            store.add([*GAMES[:4], unknown])
        assert store.n_games() == 0
        assert store.add(GAMES) == len(GAMES)  # also the agents that were given ids in vain
        assert sum(1 for _ in store.games()) == len(GAMES)
    assert is_whole(path)


def test_a_store_that_another_process_holds(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("topple.arena.store.files.PATIENCE", 0.05)
    stored(path, GAMES[:1])
    with closing(sqlite3.connect(path, isolation_level=None)) as other, open_store(path) as store:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="held by another process: the games stored so far"):
            store.add(GAMES)
        assert store.n_games() == 1
        other.execute("ROLLBACK")
        assert store.add(GAMES) == len(GAMES) - 1


@contextmanager
def little_room(folder: Path, size: int) -> Iterator[None]:
    """A disk of so many bytes, or where none may be mounted a limit on the size of files."""
    mounted = subprocess.run(
        f"mount -t tmpfs -o size={size} tmpfs {folder}",
        shell=True,
        capture_output=True,
        check=False,
    )
    if mounted.returncode == 0:
        filler = folder / "filler"
        filler.write_bytes(bytes(size // 2))
        try:
            yield
        finally:
            filler.unlink()
    else:
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size // 2, hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))


@pytest.fixture
def mountable(tmp_path: Path) -> Iterator[Path]:
    """A folder that a disk may be mounted on; it is taken off in the end."""
    folder = tmp_path / "disk"
    folder.mkdir()
    yield folder
    if folder.is_mount():
        subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_loses_nothing_and_is_gone_on_from(mountable: Path) -> None:
    path = mountable / "results.db"
    games = many_games(6000)
    n_stored = 0
    with little_room(mountable, 2**21):
        store = open_store(path)
        with pytest.raises(StoreError) as caught:  # noqa: PT012
            for start in range(0, len(games), 20):
                store.add(games[start : start + 20])
                n_stored += 20
        assert "the games stored so far are kept" in str(caught.value)
        assert "give the same command again" in str(caught.value)
        assert 0 < n_stored < 5000
        assert store.n_games() == n_stored
        with pytest.raises(StoreError, match="so far are kept"):
            store.add(games[n_stored:])
    with store:
        rest = games[n_stored : n_stored + 200]
        assert store.add(rest) == 200  # the same process goes on
    assert is_whole(path)
    with open_store(path) as store:  # and another
        assert store.add(games[: n_stored + 300]) == 100
        assert [each.opening_number for each in store.results()] == list(range(n_stored + 300))


def test_no_store_is_made_on_a_full_disk(mountable: Path) -> None:
    path = mountable / "results.db"
    with little_room(mountable, 2**14), pytest.raises(StoreError, match="full"):
        open_store(path)


@contextmanager
def unprivileged() -> Iterator[None]:
    """Permissions hold for the superuser too, for a while."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everyone can reach."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)
        Path(name).chmod(0o755)


@pytest.mark.parametrize("log", [False, True], ids=["closed", "in use"])
def test_a_store_is_read_where_nothing_can_be_written(open_folder: Path, log: bool) -> None:
    path = stored(open_folder / "results.db", GAMES[:5])
    with open_store(path) as writer:
        if not log:
            writer.close()
        path.chmod(0o444)
        open_folder.chmod(0o555)
        with unprivileged():
            with open_store(path, read_only=True) as store:
                assert {key_of(game) for game in store.games()} == set(map(key_of, GAMES[:5]))
                with pytest.raises(StoreError, match="open for reading only"):
                    store.add(GAMES)
                for change in (lambda: store.remove([]), lambda: store.remember({})):
                    with pytest.raises(StoreError, match="open for reading only"):
                        change()
            with pytest.raises(StoreError, match="cannot be written"):
                open_store(path)


def test_games_in_a_log_that_cannot_be_read_are_not_passed_over(open_folder: Path) -> None:
    """A copy of file and log, as after kill -9, in a folder where no index can be made."""
    source = open_folder / "source.db"
    with open_store(source) as store:
        store.add(GAMES[:5])
        for ending in ("", "-wal"):
            copy = open_folder / f"results.db{ending}"
            copy.write_bytes(Path(f"{source}{ending}").read_bytes())
            copy.chmod(0o444)
    open_folder.chmod(0o555)
    with unprivileged(), pytest.raises(StoreError, match=r"games in results\.db-wal.*copy both"):
        open_store(open_folder / "results.db", read_only=True)
    open_folder.chmod(0o755)
    with open_store(open_folder / "results.db", read_only=True) as store:
        assert store.n_games() == 5


def test_what_may_not_be_read_or_made(open_folder: Path) -> None:
    path = stored(open_folder / "results.db", GAMES[:1])
    path.chmod(0o200)
    with unprivileged():
        with pytest.raises(StoreError, match="cannot be read: no permission"):
            open_store(path, read_only=True)
        with pytest.raises(StoreError, match="cannot be written: no permission"):
            open_store(path)
        with pytest.raises(StoreError, match=r"new\.db cannot be written: its folder"):
            open_store(open_folder / "new.db")


def foreign(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE songs (title)")
        connection.commit()


def changed(statement: str) -> Any:
    """Make a store and change it behind topple's back."""

    def make(path: Path) -> None:
        stored(path, GAMES)
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA foreign_keys = OFF")
            connection.executescript(statement)
            connection.commit()

    return make


def cut(path: Path) -> None:
    stored(path, GAMES)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def garbled(path: Path) -> None:
    stored(path, many_games(200))
    content = bytearray(path.read_bytes())
    middle = len(content) // 8192 * 4096
    content[middle : middle + 4096] = random.Random(1).randbytes(4096)
    path.write_bytes(content)


NO_STORES = {
    "missing": (lambda path: None, "there is no store .*results.db"),
    "a folder": (Path.mkdir, "is a folder: name a file"),
    "a device": (lambda path: path.symlink_to(os.devnull), "is not a file"),
    "empty": (Path.touch, "is not a store: it is empty"),
    "zeros": (lambda path: path.write_bytes(bytes(8192)), "not an SQLite file"),
    "text": (lambda path: path.write_text("games\n" * 1000), "not an SQLite file"),
    "of somebody else": (foreign, "is an SQLite file, but not a store of topple's"),
    "newer": (changed("PRAGMA user_version = 3"), "has format 3, .* needs a newer topple"),
    "without its further seats": (changed("PRAGMA user_version = 2"), "its further_seats is not"),
    "older": (changed("PRAGMA user_version = 0"), "its format 0 is not as topple made it"),
    "without a table": (changed("DROP TABLE games"), "its games is not as topple made it"),
    "with another column": (changed("ALTER TABLE agents ADD COLUMN more"), "its agents is not"),
    "with a table for a view": (
        changed("DROP VIEW results; CREATE TABLE results (game)"),
        "its results is not as",
    ),
    "with a trigger": (
        changed("CREATE TRIGGER t AFTER INSERT ON games BEGIN DELETE FROM games; END"),
        "has a trigger",
    ),
    "cut": (cut, "is damaged"),
    "garbled": (garbled, "is damaged"),
}


@pytest.mark.parametrize("read_only", [True, False], ids=["to read", "to write"])
@pytest.mark.parametrize("name", NO_STORES)
def test_what_is_no_store_is_refused_and_left_alone(name: str, read_only: bool, path: Path) -> None:
    make, words = NO_STORES[name]
    make(path)
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(StoreError, match=words) as caught:
        open_store(path, create=False, read_only=read_only)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)
    assert (path.read_bytes() if path.is_file() else None) == before


@pytest.mark.parametrize("name", sorted(set(NO_STORES) - {"missing", "empty"}))
def test_no_store_is_made_of_something_else(name: str, path: Path) -> None:
    make, words = NO_STORES[name]
    make(path)
    with pytest.raises(StoreError, match=words):
        open_store(path)


def test_damage_that_was_not_looked_for_is_told_where_it_is_met(path: Path) -> None:
    garbled(path)
    with pytest.raises(StoreError, match="is damaged"):
        open_store(path)
    with open_store(path, check=False) as store, pytest.raises(StoreError) as caught:
        list(store.games())
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("name", ["foreign", "newer", "with another column"])
def test_what_is_no_store_is_refused_without_a_check_of_pages(name: str, path: Path) -> None:
    make, words = NO_STORES["of somebody else" if name == "foreign" else name]
    make(path)
    with pytest.raises(StoreError, match=words):
        open_store(path, check=False)


def view_of(path: Path) -> list[tuple[str, str]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'view'"
        ).fetchall()


@pytest.mark.parametrize(
    "other", ["DROP VIEW results", "DROP VIEW results; CREATE VIEW results AS SELECT 1 AS x"]
)
def test_another_version_may_have_another_view(other: str, path: Path, tmp_path: Path) -> None:
    """Readers do not care; who may write gives the file the view of today."""
    usual = view_of(stored(tmp_path / "usual.db", GAMES))
    changed(other)(path)
    before = path.read_bytes()
    with open_store(path, read_only=True) as store:
        assert store.n_games() == len(list(store.games())) == len(GAMES)
    assert path.read_bytes() == before
    with open_store(path) as store:
        assert store.n_games() == len(GAMES)
    assert view_of(path) == usual


def test_an_empty_file_becomes_a_store(path: Path) -> None:
    """A process that is killed at the very beginning leaves one."""
    path.touch()
    stored(path, GAMES)
    assert is_whole(path)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("none/results.db", "there is no folder"),
        ("x" * 300, "cannot be opened: File name too"),
        ("a\0b", "not the name of a file"),
        (".", "is a folder"),
    ],
)
def test_names_that_no_store_can_have(name: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=words):
        open_store(tmp_path / name)


def test_people_may_add_views_and_tables_of_their_own(path: Path) -> None:
    changed("CREATE VIEW long AS SELECT * FROM results WHERE plies > 5")(path)
    with open_store(path) as store:
        assert store.n_games() == len(GAMES)


def test_a_closed_store_says_so(path: Path) -> None:
    store = open_store(path)
    store.close()
    for use in (
        store.n_games,
        store.versions,
        store.tournaments,
        lambda: store.add(GAMES),
        lambda: list(store.games()),
        lambda: list(store.results()),
        lambda: store.known([("a", 0)]),
        lambda: store.remove([("a", 0)]),
        store.boards,
        lambda: store.game("a", 0),
        lambda: store.snapshot().__enter__(),
    ):
        with pytest.raises(StoreError, match="closed"):
            use()
    store.close()


WRONG = [
    ("UPDATE games SET plies = plies + 1", "its moves are not the"),
    ("UPDATE games SET plies = 'many'", "its plies is 'many'"),
    ("UPDATE games SET first_return = 'won'", "its first_return is 'won'"),
    ("UPDATE games SET second_return = 9e999", "its result is not a number"),
    ("UPDATE games SET side = 7 WHERE side = 1", "side 7: "),
    ("UPDATE games SET pair = 'x' || pair", "pair, side or digest"),
    ("UPDATE games SET opening = -1", "counts"),
    ("UPDATE games SET opening = plies + 1", "counts"),
    ("UPDATE games SET first_nodes = -5", "counts"),
    ("UPDATE games SET first_seconds = -5", "seconds are not a time"),
    ("UPDATE games SET second_seconds = 9e999", "seconds are not a time"),
    ("UPDATE games SET ending = 'magic'", "it ends by 'magic'"),
    ("UPDATE games SET ending = 'crash'", "it ends by 'crash' of player None"),
    ("UPDATE games SET ending_player = 1", "it ends by .* of player 1"),
    ("UPDATE games SET ending_player = 2 WHERE ending = 'time'", "it ends by 'time' of player 2"),
    ("UPDATE games SET tournament_seed = 'x'", "its seed 'x'"),
    ("UPDATE games SET tournament_seed = 1.5", "its tournament_seed is 1.5"),
    ("UPDATE games SET seed = x'00'", "its seed is b"),
    ("UPDATE games SET seed = '12'", "its seed '12'"),
    ("UPDATE games SET moves_digest = 'none'", "pair, side or digest"),
    ("UPDATE games SET moves = '[]'", "not those that were stored"),
    ("UPDATE games SET moves = x'ff'", "its moves is b"),
    ("UPDATE games SET move_microseconds = '[-1]'", "microseconds are not times"),
    ("UPDATE games SET move_microseconds = '[1.5]'", "microseconds are not times"),
    ("UPDATE games SET move_microseconds = '{}'", "microseconds are not times"),
    ("UPDATE games SET move_microseconds = '['", "Expecting value"),
    ("UPDATE games SET began = 'then'", "no proper time"),
    ("UPDATE games SET seconds = -1", "no proper time"),
    ("UPDATE games SET reason = 'a' || char(27) || '[31m'", "not plain text"),
    ("UPDATE games SET ending_detail = char(10)", "not plain text"),
    ("UPDATE games SET topple = char(0x202e)", "not plain text"),
    ("UPDATE games SET reason = CAST(x'ff41' AS TEXT)", "decode"),
    ("UPDATE games SET agent = 99", "agents 99"),
    ("UPDATE games SET contest = 99", "contest 99"),
    ("UPDATE agents SET options = '[]'", "agent 1: its options are not an object"),
    ("UPDATE agents SET options = '{\"a\":[1]}'", "agent 1: its options are not an object"),
    ("UPDATE agents SET options = '{'", "agent 1: its options are not JSON"),
    ("UPDATE agents SET options = x'00'", "agent 1: its options are not JSON"),
    ("UPDATE agents SET spec = id || char(9)", "agent 1: .* is not a name"),
    ("UPDATE agents SET name = x'00'", "agent 1: .* is not a name"),
    ("UPDATE contests SET spec = char(27)", "contest 1: .* is not a name"),
    ("UPDATE contests SET options = '{\"swap\":NaN}'", "contest 1: its options are not JSON"),
    ("UPDATE contests SET options = '{\"swap\":null}'", "options are not an object"),
    ("UPDATE contests SET board = 99", "contest 1: None is not a name"),
    ("UPDATE boards SET data = '\"grid:3x3\"'", "not the one that was stored"),
    ("UPDATE boards SET data = '\"file:/etc/passwd\"'", "board .*: .*written out"),
    ("UPDATE boards SET data = '{'", "board .*: Expecting"),
    ("UPDATE boards SET data = x'00'", "board .*: "),
    ("UPDATE boards SET data = replace(hex(zeroblob(100000)), '0', '[')", "nested too deeply"),
    ("UPDATE boards SET spec = 'hex:99'", "not the one that was stored"),
]


@pytest.mark.parametrize(("statement", "words"), WRONG)
def test_wrong_rows_are_refused_by_name(statement: str, words: str, path: Path) -> None:
    changed(statement)(path)
    with open_store(path, read_only=True) as store, pytest.raises(StoreError) as caught:
        list(store.games())
    assert re.search(words, str(caught.value)), caught.value
    assert str(caught.value).startswith(f"{path}")
    assert "\n" not in str(caught.value)
    if statement.startswith("UPDATE games") and "99" not in statement and words != "decode":
        assert any(game.pair in str(caught.value) for game in GAMES)


@pytest.mark.parametrize("text", ["[]", "{", "7"])
def test_wrong_tournaments_are_refused(text: str, path: Path) -> None:
    with open_store(path) as store:
        store.remember({"seed": 1})
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE tournaments SET settings = ?", (text,))
        connection.commit()
    with open_store(path) as store, pytest.raises(StoreError, match="tournament 1: "):
        store.tournaments()


def test_damage_anywhere_is_refused_or_harmless(path: Path) -> None:
    """Bytes changed or cut off in a file: a StoreError, or games that are games."""
    stored(path, GAMES)
    whole = path.read_bytes()
    rng = random.Random(11)
    refusals = []
    for trial in range(250):
        content = bytearray(whole)
        if trial % 5 == 0:
            content = content[: rng.randrange(1, len(content))]
        else:
            for _ in range(rng.choice([1, 8, 300])):
                content[rng.randrange(len(content))] = rng.randrange(256)
        damaged = path.with_name(f"{trial}.db")
        damaged.write_bytes(content)
        try:
            with open_store(damaged, read_only=True) as store:
                for game in store.games():
                    assert isinstance(game, PlayedGame)
                list(store.results())
                store.tournaments()
        except StoreError as error:
            refusals.append(str(error))
    assert len(refusals) > 100
    assert not any("\n" in each for each in refusals)


SOUND = GAMES[0]


RECORD = SOUND.record


UNSOUND = {
    "not over": ({"record": replace(RECORD, result=None)}, "not a finished"),
    "of three": ({"record": replace(RECORD, players=("a", "b", "c"))}, "not as many players"),
    "no pair": ({"pair": "pair"}, "pair, side or digest"),
    "a third side": ({"side": 2}, "pair, side or digest"),
    "a negative opening": ({"opening_number": -1}, "counts"),
    "too many nodes": (
        {"participants": (replace(SOUND.participants[0], nodes=2**64), SOUND.participants[1])},
        "cannot hold",
    ),
    "no time": ({"seconds": float("nan")}, "no proper time"),
    "endless moves": ({"move_seconds": (float("inf"),)}, "seconds are not a time"),
    "no moves' time": ({"move_seconds": (float("nan"),)}, "seconds are not a time"),
    "moves before they began": ({"move_seconds": (-1.0,)}, "microseconds are not times"),
    "steering a terminal": ({"reason": "\x1b[2J"}, "not plain text"),
    "a long story": ({"reason": "x" * 5000}, "too long"),
    "no date": ({"began": "yesterday"}, "no proper time"),
    "a long seed": ({"tournament_seed": 10**500}, "more than 400 digits"),
    "infinite result": ({"record": replace(RECORD, result=(float("inf"), 0.0))}, "not a number"),
    "no data": (
        {
            "participants": (
                replace(SOUND.participants[0], options={"a": {1}}),
                SOUND.participants[1],
            )
        },
        "not plain JSON",
    ),
    "NaN": (
        {
            "participants": (
                replace(SOUND.participants[0], options={"a": float("nan")}),
                SOUND.participants[1],
            )
        },
        "not plain JSON",
    ),
}


@pytest.mark.parametrize("name", UNSOUND)
def test_unsound_games_are_not_stored(name: str, path: Path) -> None:
    changes, words = UNSOUND[name]
    with open_store(path) as store:
        with pytest.raises(StoreError, match=words) as caught:
            store.add([GAMES[1], replace(SOUND, **changes)])
        assert "\n" not in str(caught.value)
        assert store.n_games() == 0
        assert store.add([SOUND]) == 1


def test_a_board_that_could_not_be_read_again_is_not_stored(path: Path) -> None:
    board = load_board("ba:n=5,m=2,seed=1")
    longest = replace(RECORD, board=replace(board, spec="file:" + "x" * 10_000))
    with open_store(path) as store, pytest.raises(StoreError, match="cannot be stored"):
        store.add([replace(SOUND, record=longest)])


def test_endings_come_back(path: Path) -> None:
    game = topple.load("hex", "hex:3")
    endings = [
        Ending(by, None if by == "length" else number % 2, f"détail {number}")
        for number, by in enumerate(("resignation", "crash", "time", "illegal", "length"))
    ]
    games = [
        played(Record.of(game, moves_of(game, 1, most=3), ending=ending), number)
        for number, ending in enumerate(endings)
    ]
    stored(path, games)
    with open_store(path) as store:
        assert [each.record.ending for each in store.games()] == endings
        assert [each.ending for each in store.results()] == [each.by for each in endings]


def test_results_of_games_just_played_are_those_that_a_store_tells() -> None:
    games = some_games()
    games += [
        replace(
            game,
            pair=game.pair[::-1],
            participants=(
                replace(game.participants[0], moves=3, seconds=0.25, simulations=5, nodes=11),
                game.participants[1],
            ),
        )
        for game in games
    ]
    with open_store(None) as store:
        store.add(games)
        stored = {(result.pair, result.side): result for result in store.results()}
    for game in games:
        spec = game_spec(game.record.game, game.record.options)
        assert game.result(spec) == stored[game.pair, game.side]


def test_games_that_differ_in_options_or_costs_alone_come_back_as_they_were(
    tmp_path: Path,
) -> None:
    """On one board, by one pair of agents, in one batch."""
    base = some_games()[0]
    first, second = base.participants
    games = [
        replace(
            base,
            pair=f"{number:032x}",
            record=replace(base.record, options={"swap": bool(number % 2)}),
            participants=(
                replace(first, moves=number, nodes=10 + number, simulations=20 + number),
                replace(second, moves=30, nodes=number, simulations=40, seconds=0.5),
            ),
            move_seconds=(number + 0.001, number / 1000 + 0.000029, 0.000001 * number),
        )
        for number in range(20)
    ]
    with open_store(tmp_path / "results.db") as store:
        store.add(games)
    with open_store(tmp_path / "results.db", read_only=True) as store:
        found = {game.pair: game for game in store.games()}
    for game in games:
        again = found[game.pair]
        assert again.record.options == game.record.options
        assert again.participants == game.participants
        assert again.move_seconds == pytest.approx(game.move_seconds, abs=1e-9)


def test_the_view_of_results_has_the_agents_in_their_seats(tmp_path: Path) -> None:
    games = some_games()
    with open_store(tmp_path / "results.db") as store:
        store.add(games)
    with closing(sqlite3.connect(tmp_path / "results.db")) as connection:
        rows = connection.execute("SELECT pair, side, first, second, first_return FROM results")
        told = {(pair, side): rest for pair, side, *rest in rows}
    assert told == {
        (game.pair, game.side): [*game.record.players, (game.record.result or ())[0]]
        for game in games
    }


def test_results_from_an_offset_are_those_that_come_after_it() -> None:
    """Whether it lies within a pairing, at its end, or beyond the last game."""
    with open_store(None) as store:
        store.add([*GAMES, *many_games(600)])
        results = list(store.results())
        for offset in (0, 1, 2, 3, 4, 5, 6, 7, 8, 20, 255, 256, 257, 300, len(results) - 1):
            assert list(store.results(offset=offset)) == results[offset:], offset
        assert list(store.results(offset=len(results))) == []
        assert list(store.results(offset=len(results) + 1)) == []
        of_random = [r for r in results if r.agents in (("random", "greedy"), ("greedy", "random"))]

        def wanted(pairing: Pairing) -> bool:
            return {pairing.agent.spec, pairing.opponent.spec} == {"random", "greedy"}

        assert list(store.results(wanted, offset=5)) == of_random[5:]


def test_a_late_page_of_results_reads_none_of_the_earlier_games(tmp_path: Path) -> None:
    """They are not even checked: here all games but the last ten are damaged."""
    path = tmp_path / "results.db"
    with open_store(path) as store:
        store.add(many_games(300))
        last = list(store.results())[-10:]
    numbers = "SELECT opening_number FROM games ORDER BY opening_number LIMIT 290"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"UPDATE games SET plies = 'many' WHERE opening_number IN ({numbers})")
        connection.commit()
    with open_store(path, read_only=True) as store:
        assert list(store.results(offset=290)) == last
        with pytest.raises(StoreError, match="its plies is 'many'"):
            list(store.results(offset=289))
