"""What the tests of the agent's door start, and how."""

from __future__ import annotations

import sys

import pytest

from tests.agent.peer import Peer


@pytest.fixture
def peer() -> Peer:
    """A client that has said nothing yet."""
    return Peer()


@pytest.fixture(scope="session")
def offprompt_argv() -> list[str]:
    """The `offprompt` of this checkout, as the console script runs it, without any argument."""
    return [sys.executable, "-c", "import sys; from offprompt.cli import main; sys.exit(main())"]
