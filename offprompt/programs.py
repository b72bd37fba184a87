"""Where the programs that we start may come from: never the project, never a place that another account can change.

A PATH often leads into the project (`node_modules/.bin`, `.`), whose files an agent writes. What we start has our
rights, and what a child of ours starts by its own PATH has them too.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable

from offprompt import ownership

SYSTEM_PATH = "/usr/bin:/bin"
"""What a child gets where nothing of the PATH may be used: an empty PATH means the working directory (POSIX 8.3)."""

_WINDOWS_SUFFIXES = (".exe", ".com")  # a .cmd would be read by a shell, arguments and all
_WINDOWS_FROM_WSL = re.compile(r"/mnt/[a-z]/windows(/|\Z)", re.IGNORECASE)


def find_program(name: str, path: str, project: str = "") -> str | None:
    """Return the absolute path of the program `name`, None when there is none that may be started.

    Only absolute entries of `path` (a PATH) count. No folder or link on the way may lie in the project or be anything
    that another account can change, and the program must belong to this account or to root.

    Args:
        name: the program's name, or its absolute path, which is judged in the same way.
        path: where to look.
        project: a folder whose programs are never taken; "" for none.
    """
    return next(iter(find_programs(name, path, (project,))), None)


def find_programs(name: str, path: str, projects: Iterable[str]) -> list[str]:
    """Return every program `name` that `find_program` would accept, in the order of `path`."""
    folders = [os.path.dirname(name)] if os.path.dirname(name) else path.split(os.pathsep)
    files = _file_names(os.path.basename(name))
    forbidden = _identities(projects)
    candidates = [os.path.join(folder, file) for folder in folders if os.path.isabs(folder) for file in files]
    return list(dict.fromkeys(candidate for candidate in candidates if _may_start(candidate, forbidden)))


def clean_path(path: str, projects: Iterable[str], default: str = SYSTEM_PATH) -> str:
    """Return `path` without the entries that `find_program` would not use, for a child; `default` if none is left."""
    forbidden = _identities(projects)
    kept = [folder for folder in path.split(os.pathsep) if os.path.isabs(folder) and _may_hold(folder, forbidden)]
    return os.pathsep.join(kept) or ("" if os.name == "nt" else default)


def _may_start(candidate: str, forbidden: frozenset[tuple[int, int]]) -> bool:
    """Whether the program there is one, and nobody else can change what stands there."""
    try:
        if not os.path.isfile(candidate) or not os.access(candidate, os.X_OK):
            return False
        *_, (real, _status) = ownership.way(candidate)
        folders = (os.path.dirname(candidate), os.path.dirname(real))
    except OSError:
        return False
    return _is_clean(candidate, forbidden) and all(_may_hold(folder, forbidden) for folder in folders)


def _may_hold(folder: str, forbidden: frozenset[tuple[int, int]]) -> bool:
    """Whether nobody else can add programs to `folder`: here a sticky bit is not enough."""
    if _is_windows_from_wsl(folder):
        return True
    try:
        status = os.stat(folder)
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and not ownership.others_can_write(status) and _is_clean(folder, forbidden)


def _is_clean(path: str, forbidden: frozenset[tuple[int, int]]) -> bool:
    """Whether the way to `path` avoids the `forbidden` folders and whatever another account can change."""
    try:
        passed = {(status.st_dev, status.st_ino) for _, status in ownership.way(path)}
        return not passed & forbidden and (_is_windows_from_wsl(path) or not ownership.changeable_by_others(path))
    except OSError:
        return False


def _identities(projects: Iterable[str]) -> frozenset[tuple[int, int]]:
    """The folders by device and inode: a path can be spelt in many ways, and lead there by a link."""
    found = set()
    for project in projects:
        try:
            status = os.stat(project) if project else None
        except (OSError, ValueError):
            continue
        if status is not None:
            found.add((status.st_dev, status.st_ino))
    return frozenset(found)


def _is_windows_from_wsl(path: str) -> bool:
    """Whether `path` is a part of Windows seen from WSL, where every file looks as if everybody could write it.

    Windows itself protects that folder, and xdg-open starts its programs to open a page.
    """
    if not _WINDOWS_FROM_WSL.match(path) or os.pardir in path.split("/"):
        return False
    return hasattr(os, "uname") and "microsoft" in os.uname().release.lower()


def _file_names(name: str) -> list[str]:
    if os.name != "nt" or name.lower().endswith(_WINDOWS_SUFFIXES):
        return [name]
    return [name + suffix for suffix in _WINDOWS_SUFFIXES]
