"""Opening a page in the person's own browser.

Their desktop decides which one. It runs as a child of its own session, so that an agent that kills our process group
does not take the browser with it; it gets the desktop's variables and no other; it is never waited for, and never a
browser that draws in a terminal.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import threading
from typing import TYPE_CHECKING

from twisted.logger import Logger

from offprompt.children.environment import child_environment
from offprompt.programs import find_programs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

_log = Logger()

TEXT_BROWSERS = frozenset({"www-browser", "lynx", "w3m", "links", "links2", "elinks", "browsh", "carbonyl", "chawan"})
"""Browsers that draw in a terminal, which the agent owns."""

GRAPHICAL = "x-www-browser:firefox:chromium:chromium-browser:google-chrome:epiphany:konqueror"
"""What xdg-open may fall back to where it knows no desktop; its own list goes on with text browsers."""

DESKTOP = frozenset(
    {
        "DBUS_SESSION_BUS_ADDRESS", "DESKTOP_SESSION", "DISPLAY", "GNOME_DESKTOP_SESSION_ID", "HOME",
        "KDE_FULL_SESSION", "KDE_SESSION_VERSION", "LOGNAME", "SHELL", "USER", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME",
        "WSL_INTEROP", "XAUTHORITY", "XDG_CONFIG_DIRS", "XDG_CONFIG_HOME", "XDG_CURRENT_DESKTOP", "XDG_DATA_DIRS",
        "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_SESSION_DESKTOP", "XDG_SESSION_TYPE",
    }
)  # fmt: skip
"""What a desktop's opener needs, beside what every child of ours gets."""


def opener_command(
    url: str, platform: str, environ: Mapping[str, str], find: Callable[[str], str | None]
) -> list[str] | None:
    """Return the command that opens `url` on `platform` (`sys.platform`), or None when there is none.

    `$BROWSER` first, where it names a graphical browser: a list with `:`, in which `%s` stands for the address as
    xdg-open has it; then the platform's own. `find` returns the path of a program by its name, None for none.
    """
    for words in _graphical(environ, find):
        marked = any("%s" in word for word in words)
        return [word.replace("%s", url) for word in words] if marked else [*words, url]
    found = find("open" if platform == "darwin" else "xdg-open")
    return [found, url] if found else None


def opener_environment(
    environ: Mapping[str, str], find: Callable[[str], str | None], projects: Iterable[str] = ()
) -> dict[str, str]:
    """Return the child's environment: the desktop's variables, and in `BROWSER` none but graphical browsers."""
    browsers = ":".join(shlex.join(words) for words in _graphical(environ, find))
    return child_environment(environ, DESKTOP, projects) | {"BROWSER": browsers or GRAPHICAL}


def _graphical(environ: Mapping[str, str], find: Callable[[str], str | None]) -> list[list[str]]:
    """The commands in `$BROWSER` that open a window, each with its program's path."""
    commands = []
    for choice in environ.get("BROWSER", "").split(":"):
        try:
            words = shlex.split(choice)
        except ValueError:  # a quote that nobody closed
            continue
        if not words or os.path.basename(words[0]) in TEXT_BROWSERS:
            continue
        program = find(words[0])
        if program is not None:
            commands.append([program, *words[1:]])
    return commands


class Opener:
    """Opens pages; made once for a service, from its environment."""

    def __init__(
        self,
        platform: str,
        environ: Mapping[str, str],
        projects: Callable[[], Iterable[str]] = tuple,
        *,
        off: bool = False,
    ) -> None:
        """No program is taken from `projects()`; `off` keeps every page from being opened."""
        self.off = off
        self._platform = platform
        self._environ = environ
        self._projects = projects

    @property
    def program(self) -> str:
        """What opens pages here, "" when nothing does."""
        if self.off:
            return ""
        if self._platform == "win32":
            return "the system's browser"
        command = opener_command("", self._platform, self._environ, self._find)
        return command[0] if command else ""

    def open(self, url: str) -> bool:
        """Hand `url` to the person's browser; False when there is no way to. True says no more than "started"."""
        if self.off:
            return False
        if self._platform == "win32":
            return _open_on_windows(url)
        command = opener_command(url, self._platform, self._environ, self._find)
        if command is None:
            return False
        try:
            child = subprocess.Popen(
                command,
                env=opener_environment(self._environ, self._find, self._projects()),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            _log.warn("The browser could not be started: {reason}", reason=error.strerror)
            return False
        threading.Thread(target=child.wait, daemon=True).start()  # reaps it, whenever it ends
        return True

    def _find(self, name: str) -> str | None:
        path = self._environ.get("PATH", os.defpath)
        return next(iter(find_programs(name, path, self._projects())), None)


def _open_on_windows(url: str) -> bool:
    try:
        os.startfile(url)  # type: ignore[attr-defined,unused-ignore]  # the shell's own; only Windows has it
    except OSError as error:
        _log.warn("The browser could not be started: {reason}", reason=error.strerror)
        return False
    return True
