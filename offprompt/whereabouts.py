"""Where this process runs: on the person's machine, where a browser can be opened, or away from it.

The environment tells, once, at the start; docs/architecture.md has the table. `decide` is that table and touches
nothing. `read` asks the environment. Some hosts hand their servers next to no variables: then it asks the host's own.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

NAMES = ("CLAUDE_CODE_REMOTE", "SSH_CONNECTION", "CODESPACES", "DISPLAY", "WAYLAND_DISPLAY")
"""The variables that tell. Nothing else of an environment is read or kept."""

DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY")

NO_DISPLAY_NEEDED = {"darwin": "macOS", "win32": "Windows", "cygwin": "Windows"}
"""Systems (`sys.platform`) whose desktop has no variable of its own."""

MAX_ENVIRONMENT = 8 * 1024 * 1024
"""Bytes of a parent's environment; a larger one is not read. Linux allows arguments and environment a quarter of the
stack's limit, 2 MiB by default (execve(2))."""


class Place(Enum):
    """Where the process is, as far as the environment tells."""

    HERE = "here"
    """The person's machine."""
    AWAY = "away"
    """A sandbox, a server, a machine reached over the network."""
    UNCLEAR = "unclear"
    """The environment does not tell; the agent's `sandbox` decides."""


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """The place, and the reason in one sentence for a person.

    `display` holds the variables of the display that only the parent's environment has. A browser needs them to
    find the screen.
    """

    place: Place
    reason: str
    display: Mapping[str, str] = field(default_factory=dict)

    def remote(self, sandbox: bool) -> bool:
        """Return whether the person's browser is elsewhere. The agent's `sandbox` counts where nothing else tells."""
        return self.place is Place.AWAY or (self.place is Place.UNCLEAR and sandbox)


def silent(environ: Mapping[str, str]) -> bool:
    """Return whether `environ` has none of the variables that tell. Codex, for one, hands over six others."""
    return not any(environ.get(name) for name in NAMES)


def decide(platform: str, environ: Mapping[str, str]) -> Whereabouts:
    """Return the place for `platform` (as `sys.platform`) and `environ`, by the first rule that fits."""
    if environ.get("CLAUDE_CODE_REMOTE") == "true":
        return Whereabouts(Place.AWAY, "CLAUDE_CODE_REMOTE is true: Claude Code runs in the cloud.")
    if environ.get("SSH_CONNECTION"):
        return Whereabouts(Place.AWAY, "SSH_CONNECTION is set: this machine is used over SSH.")
    if environ.get("CODESPACES") == "true":
        return Whereabouts(Place.AWAY, "CODESPACES is true: this is a codespace.")
    if platform in NO_DISPLAY_NEEDED:
        system = NO_DISPLAY_NEEDED[platform]
        return Whereabouts(Place.HERE, f"This is {system}, and nothing says that it is used from elsewhere.")
    display = next((name for name in DISPLAYS if environ.get(name)), None)
    if display is None:
        return Whereabouts(Place.AWAY, "Neither DISPLAY nor WAYLAND_DISPLAY is set: no browser can be opened here.")
    return Whereabouts(Place.UNCLEAR, f"{display} is set, but a sandbox may have a display too.")


def parent_environment(parent: int, root: str = "/proc") -> Mapping[str, str] | None:
    """Return the variables of process `parent` that tell, or None when they cannot be read.

    Only a process of the same account is asked (Linux, proc(5)). Nothing but the five names is kept.
    """
    try:
        if os.stat(f"{root}/{parent}").st_uid != os.geteuid():
            return None
        with open(f"{root}/{parent}/environ", "rb") as environ:
            block = environ.read(MAX_ENVIRONMENT + 1)
    except OSError:
        return None
    if len(block) > MAX_ENVIRONMENT:
        return None
    wanted = {name.encode(): name for name in NAMES}
    pairs = (entry.partition(b"=") for entry in block.split(b"\0"))
    return {wanted[name]: value.decode(errors="replace") for name, _, value in pairs if name in wanted}


def read(environ: Mapping[str, str], platform: str = sys.platform, parent: int | None = None) -> Whereabouts:
    """Return where this process runs, by `environ`; on Linux, where that is silent, by its parent's environment.

    `parent` is the parent's process id; None asks the system for it.
    """
    if platform != "linux" or not silent(environ):
        return decide(platform, environ)
    asked = parent_environment(os.getppid() if parent is None else parent)
    if asked is None or silent(asked):
        return decide(platform, environ)
    found = decide(platform, asked)
    display = {name: asked[name] for name in DISPLAYS if asked.get(name)}
    return Whereabouts(found.place, f"{found.reason} (As the program that started offprompt sees it.)", display)
