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
        if serve is None:
            light_loop.refuse(handover, words.refuse_outdated())
        else:
            serve()
    os._exit(0)  # nothing is open; while Python tidies up, a second signal would end us with another code


def _service(handover: Handover) -> Callable[[], None] | None:
    """Return what serves the conversation from its first call on; None where the program is no longer on disk."""
    if not installation.is_intact():
        return None
    try:
        from offprompt.service.stdio import prepare

        return prepare(handover)
    except (ImportError, SyntaxError, OSError) as error:  # some of its files are gone, or of another version
        descriptors.remark(f"The service could not be loaded ({type(error).__name__}).")
        return None
