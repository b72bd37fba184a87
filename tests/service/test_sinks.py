from __future__ import annotations

from offprompt.agent.mcp import schema
from offprompt.service.sinks import SINKS


def test_the_kinds_that_agents_are_told_of_are_those_that_the_service_has() -> None:
    """Agents read the list before the service is loaded, so that it stands there a second time."""
    assert tuple(SINKS) == schema.SINK_KINDS
