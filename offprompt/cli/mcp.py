"""`offprompt mcp`: MCP on stdio, as an agent's configuration starts it. Light until a tool is called."""

from __future__ import annotations

import os

from offprompt.agent import installation
from offprompt.agent.mcp import words
from offprompt.agent.wire import descriptors, light_loop

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

    from offprompt.agent.wire.light_loop import Handover


def main() -> NoReturn:
    """Serve the client until it is gone, then end the process with code 0."""
    handover = light_loop.run()
    if handover is not None:
        serve = _service(handover)
        if isinstance(serve, str):
            light_loop.refuse(handover, serve)
        else:
            serve()
    os._exit(0)  # nothing is open; while Python tidies up, a second signal would end us with another code


def _service(handover: Handover) -> Callable[[], None] | str:
    """Return what serves the conversation from its first call on; or why nothing can, in a sentence for the agent."""
    if not installation.is_intact():
        return words.refuse_outdated()
    try:
        from offprompt.service.stdio import prepare

        return prepare(handover)
    except Exception as error:  # whatever it is, a call has been made and gets an answer
        descriptors.remark(f"The service could not be started ({type(error).__name__}).")
        return words.refuse_outdated() if installation.is_cause_of(error) else words.refuse_fault()
