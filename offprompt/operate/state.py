"""The state folder, which outlives a process: the manhole's keys and its socket, private to this account."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

DEFAULT_SOCKET = "manhole.sock"
"""The manhole's socket in that folder, where `offprompt attach` looks when it is told nothing else."""
HOST_KEY = "manhole_host_key"
"""The private key by which the service proves itself."""
KNOWN_HOSTS = "manhole_known_hosts"
"""Its public half, in OpenSSH's form."""
HOST_NAME = "offprompt"
"""The name under which `KNOWN_HOSTS` has it, wherever the manhole listens."""
OPERATOR_KEY = "manhole_key"
"""The private key of the operator, made where no others are named."""
AUTHORIZED_KEYS = "manhole_authorized_keys"
"""Its public half: who may log in."""


def state_directory(environ: Mapping[str, str], home: str) -> str:
    """Return `$XDG_STATE_HOME/offprompt` if absolute (XDG Base Directory 0.8), else `~/.local/state/offprompt`."""
    base = environ.get("XDG_STATE_HOME", "")
    return os.path.join(base if os.path.isabs(base) else os.path.join(home, ".local", "state"), "offprompt")
