"""The settings: every `OFFPROMPT_` variable of the environment, read once and in this file alone.

The README has the table of them; tests/test_settings.py holds the two together.
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

PORT = "OFFPROMPT_PORT"
TUNNEL = "OFFPROMPT_TUNNEL"
BROWSER = "OFFPROMPT_BROWSER"
LOG = "OFFPROMPT_LOG"
NAMES = (TUNNEL, PORT, BROWSER, LOG)
"""Every setting there is."""

LAST_PORT = 65_535
_NAME = re.compile("OFFPROMPT_[A-Z_]{1,40}")
ALIKE = 0.9
"""How alike (difflib's ratio) a misspelt name is: one letter more, less, wrong or swapped."""
_DIGITS = re.compile("0*([0-9]{1,5})")


@dataclass(frozen=True, slots=True)
class Settings:
    """What the person wishes of offprompt.

    Attributes:
        port: the page's port on 127.0.0.1; 0 is any free port.
        tunnel: whether a public link may be made.
        browser: whether a page may open by itself.
        log: the absolute path of the log file, "" for none.
        problems: a sentence for each setting that is set and cannot be used, and for each name that looks misspelt. It
            names the setting, says what is used instead, and never repeats the value: somebody may have pasted a secret
            there.
    """

    port: int = 0
    tunnel: bool = True
    browser: bool = True
    log: str = ""
    problems: tuple[str, ...] = ()

    @classmethod
    def read(cls, environ: Mapping[str, str]) -> Settings:
        """Return the settings in `environ`. A variable that is empty counts as not set."""
        problems = _misspelt(environ)
        tunnel = _switch(environ.get(TUNNEL, ""))
        if tunnel is None:
            problems.append(f"{TUNNEL} is neither on nor off, so no public link is made.")
        port = _port(environ.get(PORT, ""))
        if port is None:
            problems.append(f"{PORT} is not a number from 1 to {LAST_PORT}, so the page uses any free port.")
        browser = _switch(environ.get(BROWSER, ""))
        if browser is None:
            problems.append(f"{BROWSER} is neither on nor off, so pages open by themselves.")
        log = environ.get(LOG, "")
        fault = _log_fault(log) if log else ""
        if fault:
            problems.append(f"{LOG} {fault}, so no log file is written.")
        return cls(
            port=port or 0,
            tunnel=bool(tunnel),  # a wish that we cannot read never opens a way in from the internet
            browser=browser is not False,  # a page on the person's own desktop exposes nothing
            log="" if fault else log,
            problems=tuple(problems),
        )


def _misspelt(environ: Mapping[str, str]) -> list[str]:
    """Return a sentence for each variable whose name is nearly that of a setting."""
    unknown = [name for name in environ if _NAME.fullmatch(name) and name not in NAMES]
    if not unknown:
        return []
    import difflib  # the rare case alone pays for it

    meant = {name: difflib.get_close_matches(name, NAMES, 1, ALIKE) for name in unknown}
    return [f"{name} is not a setting; {meant[name][0]} is." for name in sorted(unknown) if meant[name]]


def _switch(text: str) -> bool | None:
    """Return what on or off stands for, on where nothing is set, None for any other word."""
    return {"": True, "on": True, "off": False}.get(text.lower())


def _port(text: str) -> int | None:
    """Return the port, 0 where nothing is set, None for anything that is no port."""
    if not text:
        return 0
    found = _DIGITS.fullmatch(text)
    port = int(found[1]) if found else 0
    return port if 0 < port <= LAST_PORT else None


def _log_fault(path: str) -> str:
    """Return what keeps `path` from being a log file, "" when nothing is seen to.

    The log opens the file by stricter rules (`offprompt.operate.log_file`); this look changes nothing.
    """
    if not os.path.isabs(path):
        return "is not an absolute path"
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        folder = os.path.dirname(path)
        if not os.path.isdir(folder):
            return "is in a folder that does not exist"
        return "" if os.access(folder, os.W_OK | os.X_OK) else "is in a folder that offprompt may not write to"
    except (OSError, ValueError):  # no right to look there, a name that is too long, a NUL
        return "cannot be reached"
    if not stat.S_ISREG(found.st_mode):
        return "is not a regular file"
    if hasattr(os, "geteuid") and found.st_uid != os.geteuid():
        return "belongs to another account"
    return "" if os.access(path, os.W_OK) else "is a file that offprompt may not write to"
