"""Networks in the lab: shipped ones by name, and never a file."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

import topple
from tests.lab.lab_client import asked, got
from tests.nets.small_nets import save_small
from topple.lab.data.allowed import named_agent
from topple.nets import shelf

AGENTS = ["puct:net={}", "policy:net={}", "alphabeta:evaluation=net,net={}"]


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one shipped network, and beside it a file that is none."""
    folder = tmp_path / "weights"
    folder.mkdir()
    game = topple.load("hex", "hex:3", compiled=False)
    save_small(folder / "hex.npz", game)
    save_small(tmp_path / "own.npz", game)
    monkeypatch.setattr(shelf, "SHIPPED", folder)
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("agent", AGENTS)
def test_a_shipped_network_may_be_named(agent: str, shipped: Path) -> None:
    assert named_agent(agent.format("hex")).options["net"] == "hex"


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize(
    "name",
    ["{}/hex.npz", "{}/../own.npz", "hex.npz", "../own.npz", "../own", "./hex", "HEX", "/dev/zero",
     "{}", "x" * 5000],
)  # fmt: skip
def test_a_file_may_not_be_named(agent: str, name: str, shipped: Path) -> None:
    with pytest.raises(
        topple.BadText, match="is not shipped: the lab opens no files by name"
    ) as no:
        named_agent(agent.format(name.format(shipped)))
    assert "\n" not in str(no.value)
    assert len(str(no.value)) < 200


@pytest.mark.parametrize(
    ("game", "board", "is_shipped"),
    [
        ("hex", "hex:4", True),
        ("hex:swap=true", "hex:13", True),
        ("chain-reaction", "grid:3x4", True),
        ("chain-reaction", "cycle:5", False),
        ("chain-reaction:players=3", "grid:3x4", False),
        ("infexion", "infexion:5", True),
        ("spread-it", "karate", True),
        ("spread-it:loyalty=full", "florentine", True),
        ("spread-it:accept=0.5", "karate", False),
        ("influence", "segment:9", False),
    ],
)
def test_the_page_is_told_whether_a_network_is_shipped(
    lab: TestClient, game: str, board: str, is_shipped: bool
) -> None:
    line = {"game": game, "board": board}
    assert asked(lab, "/api/view", **line)["has_net"] is is_shipped
    assert asked(lab, "/api/board", **line)["has_net"] is is_shipped
    assert asked(lab, "/api/board", board=board)["has_net"] is False


def test_the_catalogue_tells_which_agents_need_a_network(lab: TestClient) -> None:
    told = got(lab, "/api/catalogue")
    assert [each["name"] for each in told["agents"] if each["needs_net"]] == ["puct", "policy"]
    assert [each["name"] for each in told["games"] if not each["has_net"]] == ["influence"]
