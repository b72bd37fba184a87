"""Which folder is the project."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import offprompt
from offprompt.errors import (
    ProjectElsewhere,
    ProjectMissing,
    ProjectTooWide,
    ProjectUnclear,
    RootsUnusable,
    ServiceProjectUnfit,
    StartFolderGone,
)
from offprompt.text import printable

VARIABLE = "CLAUDE_PROJECT_DIR"
"""What Claude Code sets for the servers it starts, and what anybody else may set."""

MOST_LISTED = 5
"""Folders that a refusal names."""

# The package, and the folder it lies in: a checkout of offprompt, a plugin's copy of it, or all installed packages.
# Hosts start a plugin's server there.
_PACKAGE = os.path.realpath(os.path.dirname(offprompt.__file__))


def choose_project(roots: Sequence[str], environ: Mapping[str, str], cwd: str, home: str) -> str:
    """Return the project's folder, absolute and without links.

    The workspace that the host names comes first: one folder is it. Of several it is the one that holds the working
    directory, the innermost of these. Those that cannot be used do not count while others can. A host that names
    nothing leaves it to CLAUDE_PROJECT_DIR, then to the working directory.

    Args:
        roots: what the host names, in its order: paths, and addresses that are no local folder.
        environ: the environment; only CLAUDE_PROJECT_DIR is read.
        cwd: the working directory, "" when it is gone.
        home: the person's home directory, "" when there is none.

    Raises:
        RootsUnusable: the host names folders, and none of them is there.
        StartFolderGone: nothing else names a folder, and the working directory is gone.
        ProjectMissing: the folder is not there, or its path is not absolute.
        ProjectUnclear: several folders, and none of them holds the working directory.
        ProjectTooWide: it is the home directory or holds it, a disk's root, or a folder of offprompt itself.
    """
    named = list(dict.fromkeys(os.path.realpath(root) for root in roots if _is_folder(root)))
    if roots and not named:
        raise RootsUnusable(folders=_list(roots))
    if len(named) > 1:
        return _fit(_holding(named, cwd), home)
    if named:
        return _fit(named[0], home)
    folder = environ.get(VARIABLE) or cwd
    if not folder:
        raise StartFolderGone()
    return _fit(_real(folder), home)


def narrow_project(folder: str, roots: Sequence[str], home: str) -> str:
    """Return the project of an agent on a socket: the service's `folder`, or the one workspace of its host within it.

    Raises:
        ProjectElsewhere: the host names folders, and all of them lie outside.
        ServiceProjectUnfit: `folder` is not there, or too wide as for `choose_project`.
    """
    try:
        project = _fit(_real(folder), home)
    except ProjectMissing:
        raise ServiceProjectUnfit(folder=printable(folder), what="not there") from None
    except ProjectTooWide as error:
        raise ServiceProjectUnfit(**error.details) from None
    named = {os.path.realpath(root) for root in roots if os.path.isdir(root)}
    inside = [root for root in named if _is_within(root, project)]
    if named and not inside and not any(_is_within(project, root) for root in named):
        raise ProjectElsewhere(folder=printable(project))
    return inside[0] if len(inside) == 1 else project


def _is_folder(path: str) -> bool:
    return os.path.isabs(path) and "\0" not in path and os.path.isdir(path)


def _real(folder: str) -> str:
    if not _is_folder(folder):
        raise ProjectMissing(folder=printable(folder))
    return os.path.realpath(folder)


def _holding(folders: list[str], cwd: str) -> str:
    real = os.path.realpath(cwd) if cwd else ""
    holding = [folder for folder in folders if real and _is_within(real, folder)]
    if not holding:
        raise ProjectUnclear(folders=_list(folders))
    return max(holding, key=len)


def _fit(folder: str, home: str) -> str:
    real_home = os.path.realpath(home) if os.path.isabs(home) else ""
    what = ""
    if os.path.dirname(folder) == folder:
        what = "the root of the disk"
    elif real_home and _is_same(folder, real_home):
        what = "your home directory"
    elif real_home and _is_within(real_home, folder):
        what = "a folder that holds your home directory"
    elif _is_same(folder, os.path.dirname(_PACKAGE)) or _is_within(folder, _PACKAGE):
        what = "the folder of offprompt itself"
    if what:
        raise ProjectTooWide(folder=printable(folder), what=what)
    return folder


def _is_within(path: str, folder: str) -> bool:
    """Whether `path` is `folder` or lies in it, however the two are spelt."""
    while not _is_same(path, folder):
        above = os.path.dirname(path)
        if above == path:
            return False
        path = above
    return True


def _is_same(path: str, folder: str) -> bool:
    # Not by their names alone: macOS and Windows open /users/ADA for /Users/ada.
    try:
        return path == folder or os.path.samefile(path, folder)
    except OSError:
        return False


def _list(folders: Sequence[str]) -> str:
    more = len(folders) - MOST_LISTED
    return ", ".join(map(printable, folders[:MOST_LISTED])) + (f" and {more} more" if more > 0 else "")
