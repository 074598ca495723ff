"""Whole trainings: they learn, can be repeated, stopped, killed and gone on with."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import topple
from tests.core.command_line import assert_one_line_refusal
from tests.core.command_line import topple as command
from tests.nets.small_nets import small_net
from tests.training.tiny import Never, tiny, trained
from topple.game.game import Game
from topple.nets.net import Net
from topple.nets.net_file import load_net, save_net
from topple.training.run import BEFORE, CHECKPOINT, CURVE, NET, SETTINGS, Training
from topple.training.settings import RANGES, TrainingSettings
from topple.training.strength import pair_score

ROOT = Path(__file__).parents[2]
SHORT = (
    "--board", "hex:3", "--channels", "16", "--blocks", "1", "--simulations", "6",
    "--considered", "4", "--parallel", "8", "--batch", "16", "--workers", "1",
)  # fmt: skip


def weights(folder: Path) -> Net:
    return load_net(folder / NET).net


def same(first: Net, second: Net) -> bool:
    return all(bool((a == b).all()) for a, b in zip(first, second, strict=True))


def points(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / CURVE).read_text("utf-8").splitlines()]


def score(game: Game, net: Path, other: str) -> float:
    """The share of the points that a network takes with few simulations in 30 pairs of games."""
    own, opponent = topple.agent("puct", iterations=16, net=str(net)), topple.agent(other)
    return float(np.mean([pair_score(game, own, opponent, i) for i in range(30)]))


def test_a_short_training_beats_random_and_greedy(tmp_path: Path) -> None:
    """Untrained, such a network takes 74% from random and 8% from greedy."""
    settings = tiny(
        boards=("hex:4",), channels=16, blocks=2, policy=16, value=16, simulations=16, considered=8,
        parallel=64, batch=64, positions=14_000, rate=0.008, reuse=2.0, window=4000,
    )  # fmt: skip
    trained(settings, tmp_path)
    game = topple.load("hex", "hex:4")
    assert score(game, tmp_path / NET, "random") > 0.95
    assert score(game, tmp_path / NET, "greedy") > 0.65
    save_net(tmp_path / "random.npz", small_net(game, channels=16, blocks=2))
    assert score(game, tmp_path / "random.npz", "greedy") < 0.3


def test_the_same_seed_gives_the_same_weights(tmp_path: Path) -> None:
    for name, seed in (("first", 1), ("second", 1), ("other", 2)):
        trained(tiny(seed=seed), tmp_path / name)
    assert same(weights(tmp_path / "first"), weights(tmp_path / "second"))
    assert not same(weights(tmp_path / "first"), weights(tmp_path / "other"))
    curves = [points(tmp_path / name)[-1] for name in ("first", "second")]
    assert curves[0]["losses"] == curves[1]["losses"]
    assert curves[0]["positions"] >= 300
    assert curves[0]["batches"] > 5


def test_a_finished_training_is_whole(tmp_path: Path) -> None:
    training = trained(tiny(), tmp_path)
    read = load_net(tmp_path / NET)
    assert read.game == "hex"
    assert read.design == training.play.design
    assert read.made["positions"] == training.positions
    assert read.made["settings"]["boards"] == ["hex:3"]
    assert training.progress == 1
    assert same(read.net, load_net(tmp_path / NET).net)
    rounded = [array.astype(np.float16).astype(np.float32) for array in training.learner.net()]
    assert all((a == b).all() for a, b in zip(rounded, read.net, strict=True))
    assert "1 block of 16 channels" in training.text()
    game = topple.load("hex", "hex:5")  # it plays on boards of every size
    decision = topple.agent("policy", net=str(tmp_path / NET)).choose(game.start())
    assert len(decision.candidates) == 25


def test_a_training_goes_on_where_it_stopped(tmp_path: Path) -> None:
    class After:
        """A stop after so many questions."""

        def __init__(self, n: int) -> None:
            self.left = n

        def is_set(self) -> bool:
            """Whether it has been asked often enough."""
            self.left -= 1
            return self.left < 0

    first = trained(tiny(positions=600), tmp_path, After(25))
    assert 0 < first.positions < 600
    saved = torch.load(tmp_path / CHECKPOINT, weights_only=True)
    again = Training(tiny(positions=600), tmp_path)
    assert again.positions == first.positions
    assert again.games == first.games
    assert again.elapsed >= saved["seconds"]
    for name, tensor in again.learner.twin.state().items():
        assert (tensor == saved["learner"]["twin"][name]).all(), name
    for name, tensor in again.learner.average.state().items():
        assert (tensor == saved["learner"]["average"][name]).all(), name
    assert again.learner.n_batches == first.learner.n_batches > 0
    again.run(Never(), lambda: None)
    again.close()
    assert again.positions >= 600
    found = points(tmp_path)
    assert [point["positions"] for point in found] == [first.positions, again.positions]
    assert (tmp_path / BEFORE).exists()


def test_a_finished_training_is_not_written_again(tmp_path: Path) -> None:
    trained(tiny(), tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    again = trained(tiny(), tmp_path)
    assert again.progress == 1
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    # More positions go on from there.
    longer = trained(tiny(positions=500), tmp_path)
    assert longer.positions >= 500 > again.positions


KILLED = """
import sys
from pathlib import Path
from tests.training.tiny import Never, tiny
from topple.training import run

run.SAVED_EVERY = 0.1
training = run.Training(tiny(positions=10**9), Path(sys.argv[1]))
training.run(Never(), lambda: None)
"""


def test_a_killed_training_loses_nothing_of_its_last_checkpoint(tmp_path: Path) -> None:
    path = os.pathsep.join([str(ROOT), str(Path(topple.__file__).parents[1])])
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": path},
    ) as process:
        curve = tmp_path / CURVE
        while not (curve.exists() and len(points(tmp_path)) >= 3):
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
    saved = torch.load(tmp_path / CHECKPOINT, weights_only=True)
    load_net(tmp_path / NET)
    again = Training(tiny(positions=saved["positions"] + 100), tmp_path)
    assert (again.positions, again.games) == (saved["positions"], saved["games"])
    assert again.learner.n_batches == saved["learner"]["n_batches"] > 0
    again.run(Never(), lambda: None)
    again.close()
    assert again.positions >= saved["positions"] + 100


def test_other_settings_in_the_same_folder_are_refused(tmp_path: Path) -> None:
    trained(tiny(), tmp_path)
    for changes in ({"seed": 2}, {"channels": 32}, {"boards": ("hex:4",)}, {"rate": 0.01}):
        with pytest.raises(topple.BadText, match="holds a training with other settings: name"):
            Training(tiny(**changes), tmp_path)
    Training(tiny(positions=0, minutes=1.0), tmp_path).close()  # another end is no other training


@pytest.mark.parametrize("content", [b"", b"nonsense", b"PK\x03\x04" + bytes(99)])
def test_a_damaged_checkpoint_is_refused(tmp_path: Path, content: bytes) -> None:
    trained(tiny(), tmp_path)
    (tmp_path / CHECKPOINT).write_bytes(content)
    with pytest.raises(topple.BadText, match=r"checkpoint.pt is damaged: train in another folder"):
        Training(tiny(), tmp_path)


def test_a_checkpoint_of_something_else_is_refused(tmp_path: Path) -> None:
    trained(tiny(), tmp_path)
    saved = torch.load(tmp_path / CHECKPOINT, weights_only=True)
    learner = saved["learner"]
    twin = {**learner["twin"], "stem": torch.zeros(2, 3)}
    for wrong in ({}, [1, 2], {**saved, "games": "many"}, {**saved, "learner": {}},
                  {**saved, "learner": {**learner, "twin": twin}},
                  {**saved, "learner": {**learner, "optimiser": {"state": 1}}}):  # fmt: skip
        torch.save(wrong, tmp_path / CHECKPOINT)
        with pytest.raises(topple.BadText, match=r"checkpoint.pt is damaged: train in another fol"):
            Training(tiny(), tmp_path)


@pytest.mark.parametrize("name", [SETTINGS, CURVE])
@pytest.mark.parametrize("content", [b"{", b"[]", b"7", b"\xff", b"[" * 100_000, b'{"games": 5}'])
def test_damaged_settings_and_curves_are_refused(tmp_path: Path, name: str, content: bytes) -> None:
    trained(tiny(), tmp_path)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(topple.BadText, match="train in another folder") as refused:
        Training(tiny(), tmp_path)
    assert "\n" not in str(refused.value)


def test_what_cannot_be_trained_leaves_the_folder_free(tmp_path: Path) -> None:
    with pytest.raises(topple.ToppleError):
        Training(tiny(boards=("hex:99",)), tmp_path)
    assert list(tmp_path.iterdir()) == []
    trained(tiny(), tmp_path)


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(topple.ToppleError, match="file cannot be made: "):
        Training(tiny(), tmp_path / "file")


def test_a_device_that_is_not_there_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(topple.Unsupported, match="PyTorch finds no device cuda: --device cpu"):
        Training(tiny(), tmp_path, "cuda")


@pytest.mark.parametrize("name", RANGES)
def test_settings_out_of_range_are_refused(name: str) -> None:
    for value in (RANGES[name][0] - 1, RANGES[name][1] * 2 + 1, float("nan")):
        with pytest.raises(topple.BadText, match=f"^{name}=.* must be between"):
            tiny(**{name: value})


def test_settings_are_read_back() -> None:
    settings = tiny(rate=0.003)
    assert TrainingSettings.from_data(json.loads(json.dumps(settings.as_data()))) == settings
    for changes in ({"positions": 0}, {"channels": 10}, {"boards": ()}):
        with pytest.raises(topple.BadText):
            tiny(**changes)


@pytest.mark.parametrize(
    ("game", "board"), [("hex", "hex:3"), ("chain-reaction:players=3", "grid:2x3")]
)
def test_every_seat_counts_in_a_match(game: str, board: str) -> None:
    """An agent against itself takes its share, whoever has the better seat."""
    loaded = topple.load(game, board)
    agent = topple.agent("uct:iterations=300")
    for seed in range(3):
        assert pair_score(loaded, agent, agent, seed) == pytest.approx(1 / loaded.n_players)
    strong = np.mean([pair_score(loaded, agent, topple.agent("random"), i) for i in range(12)])
    assert strong > 1.4 / loaded.n_players


# The command.


def test_the_command_trains_measures_and_draws(tmp_path: Path) -> None:
    out = tmp_path / "a, folder=1"  # a name that no agent's text could hold
    ran = command(
        "train", "hex", *SHORT, "--positions", "200", "--matches", "1", "--out", str(out),
        "--plot", str(tmp_path / "curve.svg"),
    )  # fmt: skip
    assert ran.status == 0, ran.err
    lines = ran.out.splitlines()
    assert lines[0].startswith("trained for ")
    assert "puct:iterations=6 with it scores" in lines[1]
    assert lines[-1].startswith(f"network: {out / NET} (1 block of 16 channels, 0.0 MB)")
    assert (tmp_path / "curve.svg").read_text("utf-8").startswith("<?xml")
    ran = command("train", "hex", *SHORT, "--positions", "300", "--matches", "1",
                  "--out", str(out), "--json")  # fmt: skip
    assert ran.status == 0, ran.err
    assert "going on from" in ran.err
    data = json.loads(ran.out)
    assert data["settings"]["games"] == ["hex"]
    reached = [point["positions"] for point in data["points"]]
    assert reached == sorted(reached)
    assert reached[-1] >= 300
    assert set(data["points"][-1]["against"]) == {"uct:iterations=400", "before"}
    assert all(0 <= each <= 1 for each in data["points"][-1]["against"].values())


@pytest.mark.prove  # compiles the rules for three players
def test_three_players_can_be_trained_and_measured(tmp_path: Path) -> None:
    ran = command(
        "train", "chain-reaction:players=3", *SHORT[2:], "--board", "grid:2x2", "--positions", "60",
        "--matches", "1", "--out", str(tmp_path),
    )  # fmt: skip
    assert ran.status == 0, ran.err
    assert load_net(tmp_path / NET).design.players == 3


def test_ctrl_c_saves_what_was_learned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cycle, n_cycles = Training.cycle, 0

    def interrupted(training: Training) -> None:
        nonlocal n_cycles
        cycle(training)
        n_cycles += 1
        if n_cycles == 12:
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(Training, "cycle", interrupted)
    arguments = ("train", "hex", *SHORT, "--positions", "100000", "--matches", "5")
    ran = command(*arguments, "--out", str(tmp_path))
    assert ran.status == 130
    assert "the same command goes on" in ran.err
    assert "Traceback" not in ran.out + ran.err
    assert n_cycles == 12
    saved = torch.load(tmp_path / CHECKPOINT, weights_only=True)
    assert saved["positions"] == points(tmp_path)[-1]["positions"] > 0
    assert points(tmp_path)[-1]["against"] == {}
    load_net(tmp_path / NET)


@pytest.mark.parametrize(
    "arguments",
    [("hex", "--minutes", "-1"), ("hex", "--positions", "-5"), ("hex", "--channels", "10"),
     ("hex", "--channels", "0"), ("hex", "--seed", "-1"), ("hex", "--rate", "nan"),
     ("hex", "--simulations", "1"), ("hex", "--plot", "curve.doc"), ("hex", "--workers", "0"),
     ("chess",), ("hex:wings=2",), ("hex", "--board", "nowhere"), ("hex", "--board", "hex:9-3"),
     ("hex", "infexion"), ("spread-it:players=3", "--board", "karate"),
     ("spread-it", "--board", "networks:1-2"), ("hex", "--minutes", "0"),
     ("hex", "--device", "abacus"), ("hex", "--out", "file/below")],
    ids=" ".join,
)  # fmt: skip
def test_bad_options_are_refused_in_one_line(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    ran = command("train", *arguments)
    assert_one_line_refusal(ran)
    assert ran.out == ""
    left = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert left == [tmp_path / "file"]


def test_without_pytorch_one_line_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    for name in [name for name in sys.modules if name.startswith("topple.training.")]:
        monkeypatch.delitem(sys.modules, name)
    ran = command("train", "hex", *SHORT, "--positions", "10", "--out", str(tmp_path / "out"))
    assert_one_line_refusal(ran)
    assert "training needs PyTorch: pip install 'topple[train]'" in ran.err
    assert not (tmp_path / "out").exists()
