"""What git knows of a file, asked so that nothing of the repository runs.

A repository's own configuration may name programs (`core.fsmonitor`, hooks, filters, transports of missing objects).
The two commands used read the index and the ignore files; what they could still start is switched off for them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from dataclasses import dataclass

from offprompt.request.target import Git

SECONDS = 2.0
"""For all questions about one file together: a person is waiting, and git on a healthy disk answers in milliseconds."""

_QUIET = [
    "--no-pager",
    "--no-optional-locks",
    "-c",
    "core.fsmonitor=false",
    "-c",
    f"core.hooksPath={os.devnull}",
    "-c",
    "core.untrackedCache=false",
]
# The user's own settings stay, since an ignore file of theirs counts; the caller's GIT_… variables, which may point at
# another repository, do not. The second group is what Windows needs to start a program at all.
_KEPT = ("HOME", "XDG_CONFIG_HOME", "PATH", "SYSTEMROOT", "USERPROFILE", "PATHEXT", "TEMP", "TMP")
_SET = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


@dataclass(frozen=True, slots=True)
class GitState:
    """`git` is `unknown` where there is a repository and git cannot tell: no git, an error, no answer in time."""

    git: Git = "none"
    ignored: bool = False


def state(project: str, real: str) -> GitState:
    """Whether the file is tracked or ignored. Blocks for at most SECONDS.

    Args:
        project: the project's absolute folder.
        real: the file's way from there, without links; it and its folders need not exist.
    """
    ends = time.monotonic() + SECONDS
    asked = _Asked.about(project, real)
    if asked is None:
        return GitState()
    tracked = asked.tracked(ends)
    if tracked is None:
        return GitState("unknown")
    if tracked:
        return GitState("tracked")
    # check-ignore takes names as they are, but for what starts with a colon, and has no --literal-pathspecs.
    ignored = asked.run(["check-ignore", "--quiet", "--", f"./{asked.name}"], ends)
    return GitState("untracked" if ignored in (0, 1) else "unknown", ignored == 0)


def may_be_tracked(project: str, real: str) -> bool:
    """Whether git tracks the file or cannot tell, as `state` has it.

    Starts git only if the repository's index changed since it was asked.
    """
    asked = _Asked.about(project, real)
    return asked is not None and asked.tracked(time.monotonic() + SECONDS) is not False


# What git said of a file (folder and name), and the index it said it by: a page's second question comes with its
# values.
_Index = tuple[int, int, int]
_answers: dict[tuple[str, str], tuple[_Index, bool]] = {}
_MOST_ANSWERS = 1000  # as many as requests can be open


@dataclass(frozen=True, slots=True)
class _Asked:
    git: str | None
    folder: str  # the deepest on the way to the file that exists
    name: str  # from there
    repository: str

    @classmethod
    def about(cls, project: str, real: str) -> _Asked | None:
        """None where there is no repository."""
        folder, name = os.path.split(os.path.join(project, real))
        while not os.path.isdir(folder):
            folder, above = os.path.split(folder)
            name = f"{above}/{name}"
        repository = _repository(folder)
        return None if repository is None else cls(_program(project), folder, name, repository)

    def tracked(self, ends: float) -> bool | None:
        """None when git cannot tell."""
        key = (self.folder, self.name)
        index = self.index()
        if index is not None and key in _answers and _answers[key][0] == index:
            return _answers[key][1]
        code = self.run(["--literal-pathspecs", "ls-files", "--error-unmatch", "--", self.name], ends)
        if code not in (0, 1):
            return None
        if index is not None:
            if len(_answers) >= _MOST_ANSWERS:
                _answers.clear()
            _answers[key] = (index, code == 0)
        return code == 0

    def index(self) -> _Index | None:
        """Inode, size and time of the repository's index; git puts a new file in its place for every change of it."""
        try:
            status = os.stat(os.path.join(self.repository, "index"))
        except OSError:  # none yet, or `.git` is a file that points elsewhere
            return None
        return (status.st_ino, status.st_size, status.st_mtime_ns)

    def run(self, question: list[str], ends: float) -> int:
        """The exit code; -1 when git could not be started or did not answer in time."""
        if self.git is None:
            return -1
        environment = {name: os.environ[name] for name in _KEPT if name in os.environ} | _SET
        try:
            return subprocess.run(
                [self.git, *_QUIET, "-C", self.folder, *question],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=max(0.0, ends - time.monotonic()),
            ).returncode
        except (OSError, ValueError, subprocess.SubprocessError):
            return -1


def _repository(folder: str) -> str | None:
    """The `.git` of this folder or the next one above that has one: without one there is nothing to start git for."""
    while not os.path.lexists(os.path.join(folder, ".git")):
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above
    return os.path.join(folder, ".git")


def _program(project: str) -> str | None:
    """The git on PATH, unless that is a file of the project: an agent could have put it there."""
    found = shutil.which("git", path=os.environ.get("PATH", os.defpath))
    if found is None or not os.path.isabs(found):
        return None
    inside = os.path.realpath(found).startswith(os.path.join(os.path.realpath(project), ""))
    return None if inside else found
