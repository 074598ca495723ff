"""Networks in the lab: shipped ones by name, and never a file."""

from pathlib import Path

import pytest

import topple
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
