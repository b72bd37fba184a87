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

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_log = Logger()

TEXT_BROWSERS = frozenset({"www-browser", "lynx", "w3m", "links", "links2", "elinks", "browsh", "carbonyl", "chawan"})
"""Browsers that draw in a terminal, which the agent owns."""

GRAPHICAL = "x-www-browser:firefox:chromium:chromium-browser:google-chrome:epiphany:konqueror"
"""What xdg-open may fall back to where it knows no desktop; its own list goes on with text browsers."""

PASSED_ON = frozenset(
    {
        "DBUS_SESSION_BUS_ADDRESS", "DESKTOP_SESSION", "DISPLAY", "GNOME_DESKTOP_SESSION_ID", "HOME",
        "KDE_FULL_SESSION", "KDE_SESSION_VERSION", "LANG", "LOGNAME", "PATH", "SHELL", "TMPDIR", "USER",
        "WAYLAND_DISPLAY", "WSL_DISTRO_NAME", "WSL_INTEROP", "XAUTHORITY", "XDG_CONFIG_DIRS", "XDG_CONFIG_HOME",
        "XDG_CURRENT_DESKTOP", "XDG_DATA_DIRS", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_SESSION_DESKTOP",
        "XDG_SESSION_TYPE",
    }
)  # fmt: skip
"""What a desktop's opener needs. Hosts hand their own keys to us in the environment; none of it goes on."""


def opener_command(
    url: str, platform: str, environ: Mapping[str, str], which: Callable[[str], str | None]
) -> list[str] | None:
    """The command that opens `url` on `platform` (`sys.platform`), or None when there is none.

    `$BROWSER` first, where it names a graphical browser: a list with `:`, in which `%s` stands for the address as
    xdg-open has it; then the platform's own.
    """
    for words in _graphical(environ):
        if which(words[0]):
            marked = any("%s" in word for word in words)
            return [word.replace("%s", url) for word in words] if marked else [*words, url]
    own = "open" if platform == "darwin" else "xdg-open"
    found = which(own)
    return [found, url] if found else None


def opener_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """The child's environment: the desktop's variables, and in `BROWSER` none but graphical browsers."""
    passed = {name: value for name, value in environ.items() if name in PASSED_ON or name.startswith("LC_")}
    return passed | {"BROWSER": ":".join(shlex.join(words) for words in _graphical(environ)) or GRAPHICAL}


def _graphical(environ: Mapping[str, str]) -> list[list[str]]:
    """The commands in `$BROWSER` that open a window."""
    found = []
    for choice in environ.get("BROWSER", "").split(":"):
        try:
            words = shlex.split(choice)
        except ValueError:  # a quote that nobody closed
            continue
        if words and os.path.basename(words[0]) not in TEXT_BROWSERS:
            found.append(words)
    return found


class Opener:
    """Opens pages; made once for a service, from its environment."""

    def __init__(
        self, platform: str, environ: Mapping[str, str], which: Callable[[str], str | None], *, off: bool = False
    ) -> None:
        """`off` keeps every page from being opened."""
        self.off = off
        self._platform = platform
        self._environ = environ
        self._which = which

    @property
    def program(self) -> str:
        """What opens pages here, "" when nothing does."""
        if self.off:
            return ""
        if self._platform == "win32":
            return "the system's browser"
        command = opener_command("", self._platform, self._environ, self._which)
        return command[0] if command else ""

    def open(self, url: str) -> bool:
        """Hand `url` to the person's browser; False when there is no way to. True says no more than "started"."""
        if self.off:
            return False
        if self._platform == "win32":
            return _open_on_windows(url)
        command = opener_command(url, self._platform, self._environ, self._which)
        if command is None:
            return False
        try:
            child = subprocess.Popen(
                command,
                env=opener_environment(self._environ),
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


def _open_on_windows(url: str) -> bool:
    try:
        os.startfile(url)  # type: ignore[attr-defined,unused-ignore]  # the shell's own; only Windows has it
    except OSError as error:
        _log.warn("The browser could not be started: {reason}", reason=error.strerror)
        return False
    return True
