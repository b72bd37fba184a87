"""The folder that outlives a process: the manhole's keys and its socket, nobody else's to read."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

DEFAULT_SOCKET = "manhole.sock"
"""The manhole's socket in that folder, where `offprompt attach` looks when it is told nothing else."""


def state_directory(environ: Mapping[str, str], home: str) -> str:
    """`$XDG_STATE_HOME/offprompt`, else `~/.local/state/offprompt` (XDG Base Directory 0.8: only if absolute)."""
    base = environ.get("XDG_STATE_HOME", "")
    return os.path.join(base if os.path.isabs(base) else os.path.join(home, ".local", "state"), "offprompt")
