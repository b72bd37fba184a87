"""What the tests of the agent's door start, and how."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from tests.agent.peer import Peer
from tests.agent.process import Running, running


@pytest.fixture
def peer() -> Peer:
    """A client that has said nothing yet."""
    return Peer()


@pytest.fixture(scope="session")
def offprompt_argv() -> list[str]:
    """The `offprompt` of this checkout, as the console script runs it, without any argument."""
    return [sys.executable, "-c", "import sys; from offprompt.cli import main; sys.exit(main())"]


@pytest.fixture
def start(offprompt_argv: list[str]) -> Iterator[Callable[..., Running]]:
    """Starts `offprompt mcp`, as often as called; all are gone afterwards."""
    with ExitStack() as stack:

        def start(env: dict[str, str] | None = None, **more: Any) -> Running:
            return stack.enter_context(running([*offprompt_argv, "mcp"], env, **more))

        yield start


HEAVY = """
import os, subprocess, sys
from offprompt.agent.mcp import results
from offprompt.agent.mcp.events import CallStarted
from offprompt.agent.wire import light_loop

handover = light_loop.run()
if handover is None:
    os._exit(0)
{body}
"""


@pytest.fixture
def start_heavy() -> Iterator[Callable[..., Running]]:
    """Starts the light loop with something of the test's own in the place of the service that takes it over."""
    with ExitStack() as stack:

        def start(body: str, **more: Any) -> Running:
            return stack.enter_context(running([sys.executable, "-c", HEAVY.format(body=body)], **more))

        yield start
