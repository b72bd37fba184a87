"""An agent on a screen of its own, in tmux: for what is shown to people only."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tests.harness.agents import AGENTS, HOME, LABEL, MODEL, PROJECT, Played, Setting, behind_tee, played, prepare
from tests.harness.model_formats import Body
from tests.harness.private_network import in_private_network
from tests.harness.programs import plain_environ
from tests.harness.scripted_model import Model, Script

PATIENCE = 30.0
"""Seconds until something is on the screen."""


def available() -> bool:
    """Whether tmux is installed."""
    return shutil.which("tmux") is not None


class Screen:
    """A terminal of 150 times 48 characters."""

    def __init__(self, socket: str) -> None:
        self._tmux = ["tmux", "-S", socket, "-f", "/dev/null"]

    def start(self, argv: Sequence[str], folder: Path, environ: Mapping[str, str]) -> None:
        """Run a program on it."""
        size = ["-x", "150", "-y", "48", "-c", str(folder)]
        given = [word for name, value in environ.items() for word in ("-e", f"{name}={value}")]
        own = {name: environ[name] for name in ("HOME", "PATH", "LANG", "SHELL")}
        subprocess.run([*self._tmux, "new-session", "-d", *size, *given, *argv], env=own, check=True)

    def text(self) -> str:
        """What is to be seen."""
        seen = subprocess.run([*self._tmux, "capture-pane", "-p", "-J"], capture_output=True, text=True)
        return seen.stdout

    def until(self, *texts: str) -> str:
        """Wait until all of these are to be seen."""
        end = time.monotonic() + PATIENCE
        while not all(text in (seen := self.text()) for text in texts):
            assert time.monotonic() < end, f"{texts} not in\n{seen}"
            time.sleep(0.05)
        return seen

    def press(self, *keys: str) -> None:
        """Press keys by tmux's names; anything else is typed."""
        subprocess.run([*self._tmux, "send-keys", *keys], check=True)

    def press_until(self, key: str, *texts: str) -> None:
        """Press a key, and again where it was not heard: a dialog ignores keys that were meant for what it covers."""
        for _ in range(5):
            time.sleep(0.5)
            self.press(key)
            end = time.monotonic() + 3
            while time.monotonic() < end:
                if all(text in self.text() for text in texts):
                    return
                time.sleep(0.05)
        raise AssertionError(f"{key} does not lead to {texts}\n{self.text()}")

    def close(self) -> None:
        """Hang up: the program on it gets SIGHUP."""
        subprocess.run([*self._tmux, "kill-server"], capture_output=True)


def sit_at(
    agent: str,
    server: Sequence[str],
    steps: Sequence[Body],
    folder: Path,
    use: Callable[[Screen, Path], object],
    *,
    final: str = "FINAL<{last}>",
    environ: Mapping[str, str] | None = None,
    server_environ: Mapping[str, str] | None = None,
) -> Played:
    """One conversation, as `play` has it, of an agent on a screen that `use(screen, trace)` looks at and types to."""
    trace = prepare(folder, {})
    socket = folder.parent / f"{folder.name}.tmux"

    def converse() -> None:
        with Model(Script(LABEL, list(steps), final), folder / MODEL) as model:
            setting = Setting(
                folder / HOME, folder / PROJECT, model.url, behind_tee(server, trace), server_environ or {}, ""
            )
            start = AGENTS[agent](setting)
            everything = {**plain_environ(setting.home), **start.environ, "TERM": "xterm-256color", **(environ or {})}
            screen = Screen(os.path.relpath(socket))  # a socket's path has at most 107 bytes
            screen.start(start.argv, setting.project, everything)
            try:
                use(screen, trace)
            finally:
                screen.close()

    in_private_network(converse)
    return played(folder, None, "")
