"""Paths as agents write them, pure: what is refused whatever lies on the disk."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from offprompt.errors import (
    PathAddress,
    PathBlank,
    PathInGit,
    PathMixed,
    PathOutside,
    PathTooLong,
    PathUnseen,
    PathUnusable,
)
from offprompt.request.spec import MAX_PATH
from offprompt.text import is_unseen, printable

MOST_STEPS = 64
"""Of a whole path: each folder on the way is held open while it is walked."""

MOST_BYTES = 255
"""Of one name: NAME_MAX of every file system in use (pathconf(3))."""

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")  # a scheme (RFC 3986, section 3.1), or a drive of Windows
_WORDS = re.compile(r"[^\W\d_]+")
_SELECTORS = "\ufe0e\ufe0f"  # of text or emoji: honest in a sentence, but two names that differ by one look the same
_EAST_ASIA = {"CJK", "HIRAGANA", "KATAKANA", "HALFWIDTH", "HANGUL", "BOPOMOFO", "IDEOGRAPHIC"}

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


@lru_cache(maxsize=256)
def steps(path: str, project: str, *, link: str = "") -> tuple[str, ...]:
    """Return the folders to go through and the file, from the project's folder on.

    `..` stays in: what it means depends on links. `link` is the asked path when `path` is what a symbolic link on the
    way says, and is what refusals then name. A write takes the same steps several times, so that they are remembered.

    Raises:
        PathUnusable: empty, names a folder, with control characters or backslashes, too many folders.
        PathTooLong: the path or a name in it is longer than a file system takes.
        PathAddress: an address such as `file:///x`.
        PathOutside: absolute and not inside the project, or in a home directory as shells write it.
        PathInGit: a component of the path or of the project is git's folder.
        PathBlank, PathUnseen, PathMixed: a component looks like another one.
    """
    named = link or path
    absolute = path.startswith("/")
    root = project.rstrip("/") + "/"
    inside = path.removeprefix(root) if absolute else path
    if not link:
        _require_usable(path)
    if absolute and inside == path:
        if path + "/" != root:
            raise PathOutside(path=_shown(named))
        inside = ""
    parts = tuple(part for part in inside.split("/") if part not in ("", "."))
    if any(map(is_git_folder, (*project.split("/"), *parts))):
        raise PathInGit(path=_shown(named))
    for part in parts:
        _require_plain(part, named)
    if (not parts and not link) or len(parts) > MOST_STEPS:
        raise PathUnusable(path=_shown(named))
    return parts


def _shown(path: str, most: int = MAX_PATH) -> str:
    """The path for a sentence: ? stands for what does not print, and for what nobody sees."""
    return printable(path, most).translate(dict.fromkeys(map(ord, _SELECTORS), "?"))


def _require_usable(path: str) -> None:
    if len(path) > MAX_PATH:
        raise PathTooLong(path=_shown(path, 40), what="the whole path", most=MAX_PATH, unit="characters")
    if _ADDRESS.match(path):
        raise PathAddress(path=_shown(path))
    if path.split("/")[0] == "~":  # nobody means a folder of that name
        raise PathOutside(path=_shown(path))
    names_a_folder = path.endswith(("/", "/.", "/..")) or path in ("", ".", "..")
    if names_a_folder or "\\" in path or any(unicodedata.category(letter) in ("Cc", "Cs") for letter in path):
        raise PathUnusable(path=_shown(path))


def _require_plain(part: str, named: str) -> None:
    """Refuse a component that a person would take for another one."""
    if part != part.strip() or "  " in part:
        raise PathBlank(path=_shown(named))
    if not (part.isascii() and part.isprintable()):
        unseen = next((letter for letter in part if _is_unseen(letter)), "")
        if unseen or unicodedata.category(part[0]).startswith("M"):  # a mark without a letter of its own
            raise PathUnseen(path=_shown(named), code=f"U+{ord(unseen or part[0]):04X}")
        if any(len(_scripts(word)) > 1 for word in _WORDS.findall(part)):
            raise PathMixed(path=_shown(named))
    if len(part.encode("utf-8", "surrogatepass")) > MOST_BYTES:
        raise PathTooLong(path=_shown(named, 40), what="a name in it", most=MOST_BYTES, unit="bytes")


def _is_unseen(letter: str) -> bool:
    return letter in _SELECTORS or not letter.isprintable() or is_unseen(letter)


def _scripts(word: str) -> set[str]:
    """The scripts of a word's letters, as far as they do not usually stand in one word.

    The first word of a letter's Unicode name is its script, or what sets it apart from the letter that it looks like
    (FULLWIDTH, MATHEMATICAL, KELVIN). Han, Kana, Hangul and Latin stand together in the languages of East Asia: UTS 39,
    section 5.2, "Highly Restrictive".
    """
    named = {unicodedata.name(letter, "?") for letter in word if unicodedata.category(letter).startswith("L")}
    found = {re.split("[ -]", name)[0] for name in named}
    return found - _EAST_ASIA if found & _EAST_ASIA and found - _EAST_ASIA <= {"LATIN"} else found
