"""What a conversation of a real agent with `offprompt mcp` takes."""

from __future__ import annotations

import sys

import pytest

from tests.harness.person import chromium
from tests.harness.programs import installed

SERVER = (sys.executable, "-P", "-c", "import sys; from offprompt.cli import main; sys.exit(main())", "mcp")
"""`offprompt mcp`, by the Python that runs the tests."""

REMOTE = {"SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22", "OFFPROMPT_TUNNEL": "off"}
"""As in a session over SSH: no browser is opened, the link is in the result."""


def needs(*programs: str) -> None:
    """Skip the test when one of the harness's programs is missing."""
    missing = [program for program in programs if not installed(program)]
    if missing:
        pytest.skip(f"needs {', '.join(missing)}: run make setup")


@pytest.fixture(params=["claude", "codex"])
def agent(request: pytest.FixtureRequest) -> str:
    """The two that most people use."""
    needs(request.param)
    return str(request.param)


@pytest.fixture(scope="session")
def chromium_is_there() -> None:
    if chromium() is None:
        pytest.skip("needs chromium: run make setup")
