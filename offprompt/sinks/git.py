"""What git knows of a file, asked so that nothing of the repository runs.

The repository may belong to another account, and its configuration may name programs (`core.fsmonitor`, hooks, filters,
transports of missing objects). The two commands used read the index and the ignore files. What they could still start
is switched off for them, so it is safe to ask whoever owns the repository.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass

from offprompt.children.environment import child_environment
from offprompt.programs import find_program
from offprompt.request.target import Git

SECONDS = 2.0
"""For all questions about one file together: a person is waiting, and git on a healthy disk answers in milliseconds."""

# safe.directory: git 2.38 and later take it from the command line; an older one gives no answer about a repository of
# another account (git-config(1), "safe.directory" and "protected configuration").
_QUIET = [
    "--no-pager",
    "--no-optional-locks",
    "-c",
    "safe.directory=*",
    "-c",
    "core.fsmonitor=false",
    "-c",
    f"core.hooksPath={os.devnull}",
    "-c",
    "core.untrackedCache=false",
]
# The user's own settings stay, since an ignore file of theirs counts. The caller's GIT_… variables do not: they may
# point at another repository.
_PASSED_ON = frozenset({"HOME", "USERPROFILE", "XDG_CONFIG_HOME"})
_SET = {
    "GIT_ALLOW_PROTOCOL": "none",  # of a transport that fetches missing objects; also of one that names a program
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM": "1",  # a folder of the repository may be mounted by itself
    "LC_ALL": "C",
}
_FAILURES = (b"error:", b"fatal:")
"""How git begins the lines on which it says that it could not read something; it may still exit with 0 or 1."""


@dataclass(frozen=True, slots=True)
class GitState:
    """`git` is `unknown` where there is a repository and git cannot tell: no git, an error, no answer in time."""

    git: Git = "none"
    ignored: bool = False


def state(project: str, real: str) -> GitState:
    """Return whether the file is tracked or ignored. Blocks for at most SECONDS.

    Every repository on the way up is asked whether it tracks the file: a `.git` below another one may be junk, or new.
    The innermost one is asked whether it ignores the file.

    Args:
        project: the project's absolute folder.
        real: the file's way from there, without links; it and its folders need not exist.
    """
    questions = tuple(_questions(project, real))
    if not questions:
        return GitState()
    ends = time.monotonic() + SECONDS
    git = _tracked(questions, ends)
    if git != "untracked":
        return GitState(git)
    # check-ignore takes names as they are, but for what starts with a colon, and has no --literal-pathspecs.
    ignored = questions[0].run(["check-ignore", "--quiet", "--", f"./{questions[0].name}"], ends)
    if ignored is None or ignored.code not in (0, 1):
        return GitState("unknown")
    return GitState("untracked", ignored.code == 0)


def tracked(project: str, real: str) -> Git:
    """Return whether git tracks the file, as `state` has it.

    Starts git only if the repository's index changed since it was asked.
    """
    return _tracked(tuple(_questions(project, real)), time.monotonic() + SECONDS)


def _tracked(questions: tuple[_Question, ...], ends: float) -> Git:
    if not questions:
        return "none"
    answers = [question.tracked(ends) for question in questions]
    if True in answers:
        return "tracked"
    return "unknown" if None in answers else "untracked"


# What git said of a file (folder and name), and the index it said it by: a page's second question comes with its
# values.
_Index = tuple[int, int, int]
_answers: dict[tuple[str, str], tuple[_Index, bool]] = {}
_MOST_ANSWERS = 1000  # as many as requests can be open


@dataclass(frozen=True, slots=True)
class _Answer:
    code: int
    output: bytes


@dataclass(frozen=True, slots=True)
class _Question:
    """What is asked of one repository."""

    project: str
    folder: str  # the deepest of the repository on the way to the file that exists
    name: str  # from there
    repository: str  # its .git

    def tracked(self, ends: float) -> bool | None:
        """None when git cannot tell."""
        key = (self.folder, self.name)
        index = self.index()
        if index is not None and key in _answers and _answers[key][0] == index:
            return _answers[key][1]
        answer = self.run(["--literal-pathspecs", "ls-files", "-z", "--", self.name], ends)
        if answer is None or answer.code != 0:
            return None
        found = answer.output != b""
        if index is not None:
            if len(_answers) >= _MOST_ANSWERS:
                _answers.clear()
            _answers[key] = (index, found)
        return found

    def index(self) -> _Index | None:
        """Inode, size and time of the repository's index; git puts a new file in its place for every change of it."""
        try:
            status = os.stat(os.path.join(self.repository, "index"))
        except OSError:  # none yet, or `.git` is a file that points elsewhere
            return None
        return (status.st_ino, status.st_size, status.st_mtime_ns)

    def run(self, command: list[str], ends: float) -> _Answer | None:
        """Return git's answer; None when it was not started, said that it could not read something, or was too slow."""
        git = find_program("git", os.environ.get("PATH", os.defpath), self.project)
        if git is None:
            return None
        environment = child_environment(os.environ, _PASSED_ON, (self.project,)) | _SET
        try:
            done = subprocess.run(
                [git, *_QUIET, "-C", self.folder, *command],
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=max(0.0, ends - time.monotonic()),
            )
        except (OSError, ValueError, subprocess.SubprocessError):
            return None
        if any(line.startswith(_FAILURES) for line in done.stderr.splitlines()):
            return None
        return _Answer(done.returncode, done.stdout)


def _questions(project: str, real: str) -> Iterator[_Question]:
    """One for each folder above the file that has a `.git`, the innermost first."""
    folder, name = os.path.split(os.path.join(project, real))
    while not os.path.isdir(folder):
        folder, above = os.path.split(folder)
        name = f"{above}/{name}"
    asked = folder, name
    while True:
        repository = os.path.join(folder, ".git")
        if os.path.lexists(repository):
            yield _Question(project, *asked, repository)
        outer = os.path.dirname(folder)
        if outer == folder:
            return
        if os.path.lexists(repository):  # from inside, git would find this one again
            asked = outer, os.path.relpath(os.path.join(*asked), outer)
        folder = outer
