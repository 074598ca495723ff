"""Starting the lab: its address, its port, the browser, and what is said when that fails."""

import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.core.command_line import assert_one_line_refusal, topple
from tests.lab.lab_client import until
from topple.lab import limits
from topple.lab.lab import LabAddress
from topple.lab.server import serve
from topple.lab.server.serve import has_desktop, is_loopback, listen, own_address, url_of


def test_a_port_that_is_taken_is_refused_in_one_line() -> None:
    listening, address = listen("127.0.0.1", 0)
    with listening:
        ran = topple("lab", "--no-browser", "--port", str(address.port))
    assert_one_line_refusal(ran)
    assert f"port {address.port} is taken" in ran.err


@pytest.mark.parametrize("host", ["no such host", "203.0.113.9", "é" * 100])
def test_a_host_that_is_not_this_machine_is_refused_in_one_line(host: str) -> None:
    assert_one_line_refusal(topple("lab", "--no-browser", "--port", "0", "--host", host))


def test_help_shows_an_example_and_loads_no_web_framework() -> None:
    ran = topple("lab", "--help")
    assert ran.status == 0
    assert "Example: topple lab" in ran.out
    program = (
        "import sys\n"
        "from topple.cli.main import main\n"
        "sys.argv[1:] = ['lab', '--help']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(sorted({'fastapi', 'uvicorn', 'pydantic', 'numba'} & set(sys.modules)))\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert ran.stdout.endswith(b"\n[]\n")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.0.0.9"])
def test_this_machine_alone_needs_no_token(host: str) -> None:
    listening, address = listen(host, 0)
    listening.close()
    assert address.token is None
    assert url_of(address) == f"http://{host}:{address.port}/"


@pytest.mark.parametrize("host", ["0.0.0.0", "0"])
def test_other_addresses_have_a_token(host: str) -> None:
    listening, address = listen(host, 0)
    listening.close()
    assert address.is_everywhere
    assert address.token is not None
    assert url_of(address) == f"http://{own_address()}:{address.port}/?token={address.token}"


def test_a_name_that_only_looks_like_this_machine_has_a_token(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = [(socket.AF_INET, socket.SOCK_STREAM, 0, "", ("0.0.0.0", 0))]
    monkeypatch.setattr(serve.socket, "getaddrinfo", lambda *_, **__: found)
    listening, address = listen("127.example.org", 0)
    listening.close()
    assert address.token is not None


def test_addresses_are_written_as_a_browser_takes_them() -> None:
    assert url_of(LabAddress("127.0.0.1", 8000)) == "http://127.0.0.1:8000/"
    assert url_of(LabAddress("::1", 8000)) == "http://[::1]:8000/"
    for address in ("0.0.0.0", "192.168.0.1", "localhost", "127.example.org", ""):
        assert not is_loopback(address)


def test_a_browser_opens_on_a_desktop_only(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(serve.webbrowser, "open", opened.append)
    monkeypatch.setattr(serve.sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert not has_desktop()
    assert not serve.open_browser("http://127.0.0.1:8000/")
    monkeypatch.setenv("DISPLAY", ":0")
    assert serve.open_browser("http://127.0.0.1:8000/")
    until(lambda: opened == ["http://127.0.0.1:8000/"])


def test_every_limit_and_every_option_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "lab.md").read_text("utf-8")
    table = page.partition("## Limits")[2].partition("## Safety")[0]
    for name, most in limits.limits_data().items():
        assert re.search(rf"\b{most:,.0f}\b", table), name
    for flag in re.findall(r"--[a-z-]+", topple("lab", "--help").out):
        assert flag == "--help" or f"`{flag}" in page, flag
