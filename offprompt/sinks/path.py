"""Paths as agents write them, pure: what is refused whatever lies on the disk."""

from __future__ import annotations

from offprompt.errors import PathInGit, PathOutside, PathUnusable
from offprompt.request.spec import MAX_PATH

MOST_STEPS = 64
"""Of a whole path: each folder on the way is held open while it is walked."""

# Code points that HFS+ leaves out when it compares names: `.g\u200cit` opens `.git` there (git's own list,
# CVE-2014-9390).
_LEFT_OUT = dict.fromkeys(
    [*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF],
)


def is_git_folder(name: str) -> bool:
    """Whether a file system might open git's folder by this name.

    Compared without case, and without what HFS+ leaves out, what NTFS cuts off (trailing dots and blanks, a stream
    behind a colon) and NTFS's short name of it.
    """
    plain = name.translate(_LEFT_OUT).casefold().partition(":")[0].rstrip(". ")
    return plain in (".git", "git~1")


def steps(path: str, project: str, *, link: str = "") -> list[str]:
    """The folders to go through and the file, from the project's folder on. `..` stays in: what it means depends on
    links.

    `link` is the asked path when `path` is what a symbolic link on the way says, and is what refusals then name.

    Raises:
        PathUnusable: empty, too long, names a folder, with control characters or backslashes.
        PathOutside: absolute and not inside the project, or in a home directory as shells write it.
        PathInGit: a component is git's folder.
    """
    named = link or path
    absolute = path.startswith("/")
    root = project.rstrip("/") + "/"
    inside = path.removeprefix(root) if absolute else path
    if not link and not _is_usable(path):
        raise PathUnusable(path="".join(c if c.isprintable() else "?" for c in named[:MAX_PATH]))
    if not link and path.split("/")[0] == "~":  # nobody means a folder of that name
        raise PathOutside(path=named)
    if absolute and inside == path:
        if path + "/" != root:
            raise PathOutside(path=named)
        inside = ""
    parts = [part for part in inside.split("/") if part not in ("", ".")]
    if any(is_git_folder(part) for part in parts):
        raise PathInGit(path=named)
    if (not parts and not link) or len(parts) > MOST_STEPS:
        raise PathUnusable(path=named)
    return parts


def _is_usable(path: str) -> bool:
    names_a_folder = path.endswith(("/", "/.", "/..")) or path in ("", ".", "..")
    return not names_a_folder and len(path) <= MAX_PATH and path.isprintable() and "\\" not in path
