"""Real git, and repositories that would like to run something."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from offprompt.sinks import git
from offprompt.sinks.git import GitState, state, tracked

NONE, UNKNOWN = GitState(), GitState("unknown")
DUBIOUS = {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}
PLAIN = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1"}

as_root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root")
pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")


def run(folder: Path, *command: str) -> None:
    author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *author, *command], cwd=folder, env=PLAIN, check=True, capture_output=True)


@pytest.fixture
def repository(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(project.parent))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    run(project, "init")
    (project / ".gitignore").write_text(".env\nsecrets/\n")
    (project / "tracked.env").write_text("A=1\n")
    run(project, "add", ".")
    run(project, "commit", "-m", "first")
    return project


def asked(project: Path, path: str) -> GitState:
    return state(str(project), path)


def test_tracked_ignored_and_neither(repository: Path) -> None:
    assert asked(repository, "tracked.env") == GitState("tracked")
    assert asked(repository, ".env") == GitState("untracked", ignored=True)
    assert asked(repository, "new.env") == GitState("untracked")
    assert tracked(str(repository), "tracked.env") == "tracked"
    assert tracked(str(repository), ".env") == "untracked"


def test_folders_that_do_not_exist_yet(repository: Path) -> None:
    assert asked(repository, "secrets/deep/key.pem") == GitState("untracked", ignored=True)
    assert asked(repository, "config/deep/key.pem") == GitState("untracked")


def test_an_added_file_may_be_tracked_from_then_on(repository: Path) -> None:
    """Git's answer is kept only as long as the repository's index stays the same."""
    (repository / "new.env").write_text("A=1\n")
    assert tracked(str(repository), "new.env") == "untracked"
    run(repository, "add", "new.env")
    assert tracked(str(repository), "new.env") == "tracked"
    run(repository, "rm", "--cached", "new.env")
    assert tracked(str(repository), "new.env") == "untracked"


def test_a_kept_answer_starts_no_git(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert asked(repository, "tracked.env").git == "tracked"
    monkeypatch.setattr(git._Question, "run", lambda *arguments: pytest.fail("git was started"))
    assert tracked(str(repository), "tracked.env") == "tracked"


def test_a_tracked_file_that_is_ignored_too_or_deleted_may_be_tracked(repository: Path) -> None:
    (repository / ".gitignore").write_text("*.env\n")
    assert asked(repository, "tracked.env").git == "tracked"
    (repository / "tracked.env").unlink()
    assert asked(repository, "tracked.env").git == "tracked"


@pytest.mark.parametrize("name", ["*.env", "tracked.en?", ":(top)tracked.env", "[t]racked.env", "--help", "-x"])
def test_a_name_is_taken_literally(repository: Path, name: str) -> None:
    assert asked(repository, name).git == "untracked"


def test_a_project_that_is_a_folder_of_a_repository(repository: Path) -> None:
    (repository / "web").mkdir()
    (repository / "web" / "kept.env").touch()
    run(repository, "add", ".")
    assert asked(repository / "web", "kept.env").git == "tracked"
    assert asked(repository / "web", ".env").ignored


def test_a_worktree(repository: Path) -> None:
    run(repository, "worktree", "add", "../tree")
    assert asked(repository.parent / "tree", "tracked.env").git == "tracked"
    assert asked(repository.parent / "tree", ".env").ignored


def test_the_user_s_own_ignore_file_counts(repository: Path) -> None:
    (repository.parent / "ignored").write_text("*.key\n")
    (repository.parent / ".gitconfig").write_text(f"[core]\nexcludesFile = {repository.parent}/ignored\n")
    assert asked(repository, "x.key").ignored


def test_no_repository(project: Path) -> None:
    assert asked(project, ".env") == NONE
    assert tracked(str(project), ".env") == "none"


def test_a_repository_without_a_commit(project: Path) -> None:
    run(project, "init")
    assert asked(project, ".env") == GitState("untracked")
    (project / ".env").touch()
    run(project, "add", ".env")
    assert asked(project, ".env").git == "tracked"


@pytest.mark.parametrize("broken", ["config", "index", "file", "link", "extension"])
def test_a_repository_that_git_cannot_read_is_unknown(repository: Path, broken: str) -> None:
    folder = repository / ".git"
    if broken == "config":
        (folder / "config").write_text("[core\nnonsense")
    elif broken == "index":
        (folder / "index").write_bytes(b"DIRC\0\0\0\2nonsense")
    elif broken == "extension":
        (folder / "config").write_text("[core]\nrepositoryFormatVersion = 1\n[extensions]\nfromTheFuture = true\n")
    else:
        shutil.rmtree(folder)
        if broken == "file":
            folder.write_text("gitdir: /nonexistent\n")
        else:
            folder.symlink_to("/nonexistent")
    assert asked(repository, "tracked.env") == UNKNOWN
    assert tracked(str(repository), "tracked.env") == "unknown"


def test_an_empty_folder_named_git_is_unknown(project: Path) -> None:
    (project / ".git").mkdir()
    assert asked(project, ".env") == UNKNOWN


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
@pytest.mark.parametrize("blocking", ["index", "HEAD", "config", "include", "excludesFile"])
def test_a_repository_that_keeps_git_waiting_is_unknown(
    repository: Path, monkeypatch: pytest.MonkeyPatch, blocking: str
) -> None:
    monkeypatch.setattr(git, "SECONDS", 0.5)
    pipe = repository / ".git" / blocking
    if blocking == "include":
        run(repository, "config", "include.path", str(pipe))
    elif blocking == "excludesFile":
        run(repository, "config", "core.excludesFile", str(pipe))
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    assert asked(repository, "new.env") == UNKNOWN


@pytest.mark.parametrize("inner", ["empty", "new", "file"])
def test_a_git_folder_within_does_not_hide_that_the_repository_around_it_tracks_the_file(
    repository: Path, inner: str
) -> None:
    web = repository / "web"
    web.mkdir()
    (web / "kept.env").touch()
    run(repository, "add", ".")
    if inner == "empty":
        (web / ".git").mkdir()
    elif inner == "new":
        run(web, "init")
    else:
        (web / ".git").write_text("gitdir: /nonexistent\n")
    for project, path in ((repository, "web/kept.env"), (web, "kept.env")):
        assert asked(project, path) == GitState("tracked")
        assert tracked(str(project), path) == "tracked"


def test_a_submodule_s_file_is_judged_by_the_submodule(repository: Path) -> None:
    inner = repository / "inner"
    inner.mkdir()
    run(inner, "init")
    (inner / ".gitignore").write_text(".env\n")
    run(inner, "add", ".")
    run(inner, "commit", "-m", "first")
    run(repository, "add", "inner")
    assert asked(inner, ".gitignore") == GitState("tracked")
    assert asked(inner, ".env") == GitState("untracked", ignored=True)
    assert asked(inner, "new.env") == GitState("untracked")


def test_ownership_that_git_calls_dubious_stops_no_answer(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Git's own tests have this variable, by which every repository belongs to somebody else."""
    plain = subprocess.run(["git", "ls-files"], cwd=repository, env={**PLAIN, **DUBIOUS}, capture_output=True)
    assert b"dubious ownership" in plain.stderr
    monkeypatch.setitem(git._SET, *next(iter(DUBIOUS.items())))
    assert asked(repository, "tracked.env") == GitState("tracked")
    assert asked(repository, ".env") == GitState("untracked", ignored=True)
    assert tracked(str(repository), "tracked.env") == "tracked"


@as_root
def test_a_repository_of_another_account_gets_the_true_answer(repository: Path) -> None:
    """A bind mount, or root in a container: git calls the ownership dubious and answers nothing by itself."""
    for folder, _, files in os.walk(repository):
        for name in (".", *files):
            os.chown(os.path.join(folder, name), 4711, 4711, follow_symlinks=False)
    plain = subprocess.run(["git", "ls-files"], cwd=repository, env=PLAIN, capture_output=True)
    assert b"dubious ownership" in plain.stderr
    assert asked(repository, "tracked.env") == GitState("tracked")
    assert asked(repository, ".env") == GitState("untracked", ignored=True)


def test_no_git(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repository.parent))
    assert asked(repository, ".env") == UNKNOWN


def canary(folder: Path, name: str = "canary") -> tuple[Path, Path]:
    """A program that leaves a trace when it runs."""
    trace = folder.parent / f"{name}-ran"
    program = folder.parent / name
    program.write_text(f'#!/bin/sh\n: > "{trace}"\necho\n')
    program.chmod(0o755)
    return program, trace


def test_nothing_that_the_repository_s_configuration_names_is_run(repository: Path) -> None:
    program, trace = canary(repository)
    for key in (
        "core.fsmonitor",
        "core.sshCommand",
        "core.pager",
        "core.editor",
        "core.askPass",
        "diff.external",
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "credential.helper",
        "alias.ls-files",
        "alias.check-ignore",
    ):
        run(repository, "config", key, f"!{program}" if key.startswith("alias") else str(program))
    run(repository, "config", "core.hooksPath", "hooks")
    (repository / "hooks").mkdir()
    for hook in ("post-index-change", "fsmonitor-watchman", "pre-commit", "post-checkout", "reference-transaction"):
        shutil.copy(program, repository / "hooks" / hook)
        shutil.copy(program, repository / ".git" / "hooks" / hook)
    (repository / ".gitattributes").write_text("* filter=evil\n")
    (repository / "tracked.env").write_text("A=2\n")
    assert asked(repository, "tracked.env").git == "tracked"
    assert asked(repository, ".env").ignored
    assert asked(repository, "new.env") == GitState("untracked")
    assert not trace.exists()


def test_objects_that_are_missing_are_not_fetched_and_what_they_would_say_is_unknown(repository: Path) -> None:
    """An index of folders needs their trees: one that is missing would be fetched by a program of the configuration."""
    program, trace = canary(repository)
    for folder in ("web", "other"):
        (repository / folder).mkdir()
        (repository / folder / "kept.env").write_text(folder)
    run(repository, "add", ".")
    run(repository, "commit", "-m", "second")
    run(repository, "sparse-checkout", "init", "--cone", "--sparse-index")
    for key, setting in (
        ("core.repositoryFormatVersion", "1"),
        ("extensions.partialClone", "origin"),
        ("remote.origin.url", str(repository.parent)),
        ("remote.origin.promisor", "true"),
        ("remote.origin.uploadpack", str(program)),
    ):
        run(repository, "config", key, setting)
    shutil.rmtree(repository / ".git" / "objects")
    (repository / ".git" / "objects").mkdir()
    assert asked(repository, "web/kept.env") == UNKNOWN
    assert not trace.exists()
    subprocess.run(["git", "ls-files", "web/kept.env"], cwd=repository, env=PLAIN, capture_output=True)
    assert trace.exists()


def test_the_canary_would_sing(repository: Path) -> None:
    """The configuration of the test above does run something when git is asked without care."""
    program, trace = canary(repository)
    run(repository, "config", "core.fsmonitor", str(program))
    subprocess.run(["git", "status"], cwd=repository, env=PLAIN, capture_output=True)
    assert trace.exists()


def test_the_caller_s_git_variables_do_not_count(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, trace = canary(repository)
    other = tmp_path / "other"
    other.mkdir()
    run(other, "init")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / "index"))
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(repository.parent))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", str(program))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.fsmonitor")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(program))
    monkeypatch.setenv("GIT_TRACE", str(tmp_path / "trace"))
    assert asked(repository, "tracked.env").git == "tracked"
    assert asked(repository, ".env").ignored
    assert not trace.exists()
    assert not (tmp_path / "trace").exists()


@pytest.mark.parametrize("how", ["absolute", "relative", "link"])
def test_a_git_that_lies_in_the_project_is_not_run(repository: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    program, trace = canary(repository)
    bin_folder = repository / "node_modules" / ".bin"
    bin_folder.mkdir(parents=True)
    shutil.copy(program, bin_folder / "git")
    (repository.parent / "bin").mkdir()
    (repository.parent / "bin" / "git").symlink_to(bin_folder / "git")
    first = {"absolute": str(bin_folder), "relative": "node_modules/.bin", "link": str(repository.parent / "bin")}[how]
    monkeypatch.chdir(repository)
    monkeypatch.setenv("PATH", first + os.pathsep + os.environ["PATH"])
    assert tracked(str(repository), "tracked.env") == "tracked"
    assert asked(repository, ".env") == GitState("untracked", ignored=True)
    assert not trace.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="the slow git is a shell script")
def test_a_git_that_does_not_answer_is_given_up(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = repository.parent / "slow"
    slow.mkdir()
    (slow / "git").write_text("#!/bin/sh\nexec /bin/sleep 60\n")
    (slow / "git").chmod(0o755)
    monkeypatch.setenv("PATH", str(slow))
    monkeypatch.setattr(git, "SECONDS", 0.2)
    assert asked(repository, ".env") == UNKNOWN
    assert git._answers == {} or all("slow" not in str(key) for key in git._answers)


def test_git_gets_two_seconds() -> None:
    assert git.SECONDS == 2.0


def test_what_is_remembered_is_bounded(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git, "_answers", {})
    monkeypatch.setattr(git, "_MOST_ANSWERS", 3)
    for number in range(8):
        tracked(str(repository), f"file{number}")
        assert len(git._answers) <= 3
