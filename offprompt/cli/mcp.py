"""`offprompt mcp`: MCP on stdio, as an agent's configuration starts it. Light until a tool is called."""

from __future__ import annotations

import os

from offprompt.agent.wire import light_loop


def main() -> int:
    """Serves the client until it is done; returns the exit code, where the process is not left without returning."""
    handover = light_loop.run()
    if handover is None:
        os._exit(0)  # nothing is open; while Python tidies up, a second signal would end us with another code
    from offprompt.service.stdio import take_over

    return take_over(handover)
