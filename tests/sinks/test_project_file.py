"""A write: what it does, what it says, what it refuses, and that nothing else is touched."""

from __future__ import annotations

import errno
import os
import subprocess
import traceback
from pathlib import Path

import pytest

from offprompt.errors import (
    ConsentMissing,
    DiskFull,
    FolderBusy,
    NoPermission,
    NotHeld,
    OffpromptError,
    PathInGit,
    PathNotFolder,
    PathOutside,
    ProjectMissing,
    SinkFailed,
    SinkRefused,
    TargetLinked,
    TargetMoved,
    TargetNotText,
    TargetRestless,
    TrackedTarget,
    ValueNotCarried,
    WriteFailed,
)
from offprompt.request.fingerprint import fingerprint
from offprompt.request.outcome import Outcome, Written
from offprompt.sinks import atomic, lock, place
from offprompt.sinks.sink import Change
from tests.sinks.put import KEY, put

MARKER = "marker-5521"


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o7777


def test_a_new_file(project: Path) -> None:
    written = put(project, Change("A", "x y"), Change("B", "made", generated=True))
    assert (project / ".env").read_bytes() == b"A='x y'\nB=made\n"
    outcomes = (Outcome("A", "added"), Outcome("B", "generated"))
    assert written == Written(fingerprint(KEY, {"A": "x y", "B": "made"}), ".env", outcomes, ("A", "B"))


def test_an_existing_one(project: Path) -> None:
    (project / ".env").write_bytes(b"# mine\r\nA=old\r\nSALT=kept-one\r\n")
    written = put(project, Change("A", "new"), Change("SALT", "made", generated=True))
    assert (project / ".env").read_bytes() == b"# mine\r\nA=new\r\nSALT=kept-one\r\n"
    assert written.outcomes == (Outcome("A", "replaced"), Outcome("SALT", "kept"))
    assert written.fingerprint == fingerprint(KEY, {"A": "new"})
    assert written.file_keys == ("A", "SALT")
    assert written.shell_differs == ("A",)


def test_a_file_sink(project: Path) -> None:
    key = "-----BEGIN-----\r\nMII=\n"
    written = put(project, Change("KEY", key), path="keys/key.pem", kind="file")
    assert (project / "keys" / "key.pem").read_bytes() == key.encode()
    assert written == Written(fingerprint(KEY, {"KEY": key}), "keys/key.pem", (Outcome("KEY", "added"),))
    assert put(project, Change("KEY", "x"), path="keys/key.pem", kind="file").outcomes == (Outcome("KEY", "replaced"),)
    assert (project / "keys" / "key.pem").read_text() == "x"


def test_a_file_sink_s_old_bytes_need_not_be_text(project: Path) -> None:
    (project / "key.der").write_bytes(b"\xff\0")
    assert put(project, Change("K", "new"), path="key.der", kind="file").outcomes == (Outcome("K", "replaced"),)
    (project / "key.der").write_bytes(b"\xff\0")
    assert put(project, Change("K", "new", generated=True), path="key.der", kind="file").outcomes == (
        Outcome("K", "kept"),
    )
    assert (project / "key.der").read_bytes() == b"\xff\0"
    (project / "key.der").write_bytes(b"\xff" * 2**21)
    assert put(project, Change("K", "new"), path="key.der", kind="file").outcomes == (Outcome("K", "replaced"),)
    assert (project / "key.der").read_bytes() == b"new"


def test_only_the_owner_may_read_what_was_written(project: Path) -> None:
    old = os.umask(0)
    try:
        put(project, Change("A", "1"), path="a/b/.env")
        (project / "open.env").write_text("B=1\n")
        (project / "open.env").chmod(0o666)
        put(project, Change("A", "1"), path="open.env")
    finally:
        os.umask(old)
    assert mode(project / "a" / "b" / ".env") == 0o600
    assert mode(project / "a") == mode(project / "a" / "b") == 0o700
    assert mode(project / "open.env") == 0o600


def test_a_tight_umask_does_not_lock_the_owner_out(project: Path) -> None:
    old = os.umask(0o777)
    try:
        put(project, Change("A", "1"))
    finally:
        os.umask(old)
    assert mode(project / ".env") == 0o600


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_root_writes_for_the_project_s_owner(project: Path) -> None:
    os.chown(project, 1234, 1235)
    put(project, Change("A", "1"))
    assert ((project / ".env").stat().st_uid, (project / ".env").stat().st_gid) == (1234, 1235)
    os.chown(project / ".env", 4321, 4322)
    put(project, Change("A", "2"))
    assert ((project / ".env").stat().st_uid, (project / ".env").stat().st_gid) == (4321, 4322)


def test_nothing_is_left_beside_it(project: Path) -> None:
    for number in range(3):
        put(project, Change("A", str(number)))
    assert os.listdir(project) == [".env"]


def test_what_a_killed_writer_left_is_removed_and_nothing_else(project: Path) -> None:
    left = [".offprompt-0123456789abcdef.tmp", ".offprompt-fedcba9876543210.tmp"]
    others = [".offprompt-x.tmp", "offprompt-0123456789abcdef.tmp", ".offprompt-0123456789abcdef.tmp.bak"]
    for name in left + others:
        (project / name).write_text(MARKER)
    folder = project / ".offprompt-aaaaaaaaaaaaaaaa.tmp"
    folder.mkdir()
    put(project, Change("A", "1"))
    assert sorted(os.listdir(project)) == sorted([".env", folder.name, *others])


def test_the_file_behind_a_link_is_replaced_and_the_link_stays(project: Path) -> None:
    (project / "config").mkdir()
    (project / "config" / "real.env").write_text("B=1\n")
    (project / ".env").symlink_to("config/real.env")
    put(project, Change("A", "1"))
    assert os.readlink(project / ".env") == "config/real.env"
    assert (project / "config" / "real.env").read_text() == "B=1\nA=1\n"


def test_all_kept_writes_nothing(project: Path) -> None:
    (project / ".env").write_text("A=1\n")
    (project / ".env").chmod(0o644)
    before = (project / ".env").stat()
    written = put(project, Change("A", "x", generated=True))
    after = (project / ".env").stat()
    assert (before.st_ino, before.st_mtime_ns, before.st_mode) == (after.st_ino, after.st_mtime_ns, after.st_mode)
    assert written == Written((), ".env", (Outcome("A", "kept"),), ("A",))


def test_a_name_that_was_to_be_kept_and_is_gone(project: Path) -> None:
    (project / ".env").write_text("B=1\n")
    with pytest.raises(NotHeld):
        put(project, Change("C", "x"), held=["A"])
    assert (project / ".env").read_text() == "B=1\n"
    with pytest.raises(NotHeld):
        put(project, held=["A"], path="new/.env")
    assert not (project / "new").exists()


def test_one_value_that_cannot_be_held_stops_all(project: Path) -> None:
    (project / ".env").write_text("A=old\n")
    with pytest.raises(ValueNotCarried) as refused:
        put(project, Change("A", "new"), Change("B", "${" + MARKER + "}"), path=".env")
    assert refused.value.details == {"name": "B"}
    assert (project / ".env").read_text() == "A=old\n"
    with pytest.raises(ValueNotCarried):
        put(project, Change("B", "half \ud800"), path="new/key", kind="file")
    assert not (project / "new").exists()


def test_a_tracked_file_needs_the_person_s_word(project: Path) -> None:
    (project / ".env").write_text("A=1\n")
    for command in (["init", "-q"], ["add", ".env"]):
        subprocess.run(["git", *command], cwd=project, check=True, capture_output=True)
    with pytest.raises(TrackedTarget):
        put(project, Change("A", "2"))
    assert (project / ".env").read_text() == "A=1\n"
    put(project, Change("A", "2"), agreed=True)
    assert (project / ".env").read_text() == "A=2\n"
    put(project, Change("A", "2"), path="other.env")


def test_a_file_that_git_gives_no_answer_about_needs_the_person_s_word(project: Path) -> None:
    (project / ".git").mkdir()
    with pytest.raises(ConsentMissing, match=r"Git gave no answer about \.env\."):
        put(project, Change("A", "2"))
    assert not (project / ".env").exists()
    put(project, Change("A", "2"), agreed=True)


@pytest.mark.parametrize(
    ("path", "said"), [(".envrc", "Shells run"), ("public/.env", "Web servers serve"), (".npmrc", "Package installers")]
)
def test_a_file_that_runs_or_is_served_needs_the_person_s_word(project: Path, path: str, said: str) -> None:
    with pytest.raises(ConsentMissing, match=said):
        put(project, Change("A", "2"), path=path)
    assert os.listdir(project) == []
    put(project, Change("A", "2"), path=path, agreed=True)


def test_a_file_that_became_a_program_needs_the_person_s_word(project: Path) -> None:
    (project / ".env").write_text("A=1\n")
    (project / ".env").chmod(0o700)
    with pytest.raises(ConsentMissing, match="run as a program"):
        put(project, Change("A", "2"))
    assert (project / ".env").read_text() == "A=1\n"
    put(project, Change("A", "2"), agreed=True)


def test_a_path_that_leads_elsewhere_than_the_person_was_told_is_refused(project: Path) -> None:
    (project / "real.env").touch()
    (project / ".env").symlink_to("real.env")
    with pytest.raises(TargetMoved, match=r"leads to real\.env now, and led to \.env"):
        put(project, Change("A", "1"), agreed=True, lands="")
    with pytest.raises(TargetMoved):
        put(project, Change("A", "1"), agreed=True, lands="other.env")
    assert (project / "real.env").read_bytes() == b""
    assert put(project, Change("A", "1"), lands="real.env").file == ".env → real.env"
    assert (project / "real.env").read_text() == "A=1\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_what_root_makes_belongs_to_the_owner_of_the_project(project: Path) -> None:
    os.chown(project, 4711, 4712)
    put(project, Change("A", "1"), path="config/deep/.env")
    for path, mode in (("config", 0o700), ("config/deep", 0o700), ("config/deep/.env", 0o600)):
        status = (project / path).stat()
        assert (status.st_uid, status.st_gid, status.st_mode & 0o7777) == (4711, 4712, mode)


@pytest.mark.parametrize(
    ("path", "refusal"), [("../.env", PathOutside), ("/etc/passwd", PathOutside), (".GIT/config", PathInGit)]
)
def test_elsewhere_is_refused(project: Path, path: str, refusal: type[OffpromptError]) -> None:
    (project / ".git").mkdir()
    with pytest.raises(refusal):
        put(project, Change("A", "1"), path=path)
    assert os.listdir(project) == [".git"]
    assert os.listdir(project / ".git") == []


def test_what_inspect_refuses_is_refused(project: Path) -> None:
    (project / "a.env").write_bytes(b"\xff")
    (project / "b.env").touch()
    (project / "c.env").hardlink_to(project / "b.env")
    with pytest.raises(TargetNotText):
        put(project, Change("A", "1"), path="a.env")
    with pytest.raises(TargetLinked):
        put(project, Change("A", "1"), path="b.env")
    with pytest.raises(ProjectMissing):
        put(project / "gone", Change("A", "1"))


def test_a_busy_folder_is_given_up_with_a_sentence(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    monkeypatch.setattr(lock, "SECONDS", 0.1)
    holder = os.open(project, os.O_RDONLY)
    try:
        fcntl.flock(holder, fcntl.LOCK_EX)
        with pytest.raises(FolderBusy):
            put(project, Change("A", "1"))
        assert os.listdir(project) == []
        fcntl.flock(holder, fcntl.LOCK_UN)
        put(project, Change("A", "1"))
    finally:
        os.close(holder)


@pytest.mark.parametrize("number", [errno.EBADF, errno.ENOLCK, errno.EOPNOTSUPP])
def test_a_disk_that_locks_no_folders_is_written_without(
    project: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def refuse(*arguments: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("fcntl.flock", refuse)
    (project / ".offprompt-0123456789abcdef.tmp").touch()  # may be another writer's, at work
    put(project, Change("A", "1"))
    assert sorted(os.listdir(project)) == [".env", ".offprompt-0123456789abcdef.tmp"]


def test_a_lock_that_fails_otherwise_fails_the_write(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr("fcntl.flock", refuse)
    with pytest.raises(WriteFailed):
        put(project, Change("A", "1"))


@pytest.mark.parametrize("moment", ["stage", "name", "rename"])
@pytest.mark.parametrize(
    ("number", "failure"),
    [
        (errno.ENOSPC, DiskFull),
        (errno.EDQUOT, DiskFull),
        (errno.EROFS, NoPermission),
        (errno.EACCES, NoPermission),
        (errno.EIO, WriteFailed),
    ],
)
def test_what_the_system_refuses_changes_nothing(
    project: Path, monkeypatch: pytest.MonkeyPatch, moment: str, number: int, failure: type[SinkFailed]
) -> None:
    (project / ".env").write_text("A=old\n")

    def refuse(*arguments: object, **options: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr({"stage": "os.fsync", "name": "os.link", "rename": "os.rename"}[moment], refuse)
    if moment == "name":
        monkeypatch.setattr(atomic.AtomicReplacement, "_open_named", refuse)
    with pytest.raises(failure) as failed:
        put(project, Change("A", MARKER))
    assert (project / ".env").read_text() == "A=old\n"
    assert os.listdir(project) == [".env"]
    assert MARKER not in "".join(traceback.format_exception(failed.value))


def test_folders_that_were_made_go_again_when_the_write_fails(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "a").mkdir()

    def refuse(descriptor: int) -> None:
        if os.fstat(descriptor).st_size:
            raise OSError(errno.ENOSPC, "No space left on device")

    before = len(os.listdir("/proc/self/fd"))
    monkeypatch.setattr("os.fsync", refuse)
    with pytest.raises(DiskFull):
        put(project, Change("A", "1" * 40), path="a/b/c/.env")
    assert len(os.listdir("/proc/self/fd")) == before
    monkeypatch.undo()
    assert (project / "a").is_dir()
    put(project, Change("A", "1"), path="a/.env")


@pytest.mark.parametrize("lacking", ["nameless files", "links to them"])
def test_a_disk_without_nameless_files_is_written_all_the_same(
    project: Path, monkeypatch: pytest.MonkeyPatch, lacking: str
) -> None:
    if lacking == "nameless files":
        monkeypatch.setattr(atomic.AtomicReplacement, "_nameless", lambda staged: -1)
    else:

        def refuse(*arguments: object, **options: object) -> None:
            raise OSError(errno.ENOENT, "No such file or directory")

        monkeypatch.setattr("os.link", refuse)
    put(project, Change("A", "1"))
    put(project, Change("B", "2"))
    assert (project / ".env").read_text() == "A=1\nB=2\n"
    assert os.listdir(project) == [".env"]
    assert mode(project / ".env") == 0o600


def test_a_file_that_changes_meanwhile_is_read_anew(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An editor saves twice between our reading and our rename: its lines are all there in the end."""
    (project / ".env").write_text("A=1\n")
    honest = atomic.AtomicReplacement._fill
    saves = ["B=2\n", "C=3\n"]

    def fill(staged: atomic.AtomicReplacement) -> None:
        if saves:
            with (project / ".env").open("a") as file:
                file.write(saves.pop(0))
        honest(staged)

    monkeypatch.setattr(atomic.AtomicReplacement, "_fill", fill)
    put(project, Change("KEY", "x"))
    assert (project / ".env").read_text() == "A=1\nB=2\nC=3\nKEY=x\n"
    assert os.listdir(project) == [".env"]


def test_a_file_that_appears_meanwhile_is_not_lost(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = atomic.AtomicReplacement._fill

    def fill(staged: atomic.AtomicReplacement) -> None:
        if not (project / ".env").exists():
            (project / ".env").write_text("B=2\n")
        honest(staged)

    monkeypatch.setattr(atomic.AtomicReplacement, "_fill", fill)
    put(project, Change("KEY", "x"))
    assert (project / ".env").read_text() == "B=2\nKEY=x\n"


def test_a_file_that_never_rests_is_given_up_after_five_tries(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / ".env").write_text("A=0\n")
    honest = atomic.AtomicReplacement._fill
    tries = 0

    def fill(staged: atomic.AtomicReplacement) -> None:
        nonlocal tries
        tries += 1
        (project / ".env").write_text(f"A={tries}{'#' * tries}\n")
        honest(staged)

    monkeypatch.setattr(atomic.AtomicReplacement, "_fill", fill)
    with pytest.raises(TargetRestless):
        put(project, Change("KEY", "x"))
    assert tries == 5
    assert (project / ".env").read_text() == "A=5#####\n"
    assert os.listdir(project) == [".env"]


@pytest.mark.parametrize("swap", ["folder for a link", "file for a link", "folder moved out"])
def test_what_is_swapped_meanwhile_is_never_followed_out_of_the_project(
    project: Path, monkeypatch: pytest.MonkeyPatch, swap: str
) -> None:
    outside = project.parent / "outside"
    outside.mkdir()
    (outside / ".env").write_text("OUTSIDE=1\n")
    (project / "a").mkdir()
    (project / "a" / ".env").write_text("A=1\n")
    honest = atomic.AtomicReplacement._fill

    def fill(staged: atomic.AtomicReplacement) -> None:
        honest(staged)
        if not (project / "moved").exists() and not (project.parent / "moved").exists():
            if swap == "folder for a link":
                (project / "a").rename(project / "moved")
                (project / "a").symlink_to(outside)
            elif swap == "file for a link":
                (project / "a" / ".env").rename(project / "moved")
                (project / "a" / ".env").symlink_to(outside / ".env")
            else:
                (project / "a").rename(project.parent / "moved")

    monkeypatch.setattr(atomic.AtomicReplacement, "_fill", fill)
    if swap == "folder moved out":
        put(project, Change("KEY", "x"), path="a/.env")
        assert (project / "a" / ".env").read_text() == "KEY=x\n"
        assert (project.parent / "moved" / ".env").read_text() == "A=1\n"
        assert os.listdir(project.parent / "moved") == [".env"]
    else:
        with pytest.raises(PathOutside):
            put(project, Change("KEY", "x"), path="a/.env")
    assert (outside / ".env").read_text() == "OUTSIDE=1\n"
    assert os.listdir(outside) == [".env"]


@pytest.mark.parametrize("put_there", ["nothing", "file", "link out", "link in", "folder"])
def test_what_is_put_where_a_folder_is_being_made(
    project: Path, monkeypatch: pytest.MonkeyPatch, put_there: str
) -> None:
    outside = project.parent / "outside"
    outside.mkdir()
    (project / "other").mkdir()
    honest = os.mkdir
    calls = []

    def mkdir(path: str, *arguments: object, **options: object) -> None:
        calls.append(path)
        if len(calls) == 1 and put_there != "nothing":
            {
                "file": lambda: (project / "a").touch(),
                "link out": lambda: (project / "a").symlink_to(outside),
                "link in": lambda: (project / "a").symlink_to("other"),
                "folder": lambda: honest(project / "a"),
            }[put_there]()
        honest(path, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("os.mkdir", mkdir)
    if put_there in ("file", "link out"):
        with pytest.raises((PathNotFolder, PathOutside)):
            put(project, Change("A", "1"), path="a/b/.env")
    else:
        put(project, Change("A", "1"), path="a/b/.env")
        assert (project / "a" / "b" / ".env").read_text() == "A=1\n"
    assert os.listdir(outside) == []


def test_a_folder_that_is_removed_meanwhile_is_made_again(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "a").mkdir()
    honest = atomic.AtomicReplacement._nameless
    calls = []

    def nameless(staged: atomic.AtomicReplacement) -> int:
        calls.append(staged)
        if len(calls) == 1:
            (project / "a").rmdir()
        return honest(staged)

    monkeypatch.setattr(atomic.AtomicReplacement, "_nameless", nameless)
    put(project, Change("A", "1"), path="a/.env")
    assert (project / "a" / ".env").read_text() == "A=1\n"


def test_a_hard_link_made_meanwhile_is_seen(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second name does not change size or time, and the rename parts the two: the other name keeps the old file."""
    (project / ".env").write_text("A=1\n")
    honest = atomic.AtomicReplacement._fill

    def fill(staged: atomic.AtomicReplacement) -> None:
        honest(staged)
        (project.parent / "other").unlink(missing_ok=True)
        (project.parent / "other").hardlink_to(project / ".env")

    monkeypatch.setattr(atomic.AtomicReplacement, "_fill", fill)
    put(project, Change("A", MARKER))
    assert (project.parent / "other").read_text() == "A=1\n"


def test_no_descriptor_is_left_open(project: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    put(project, Change("A", "1"), path="a/b/.env")
    put(project, Change("A", "2"), path="a/b/.env")
    for change in (Change("A", "${X}"), Change("A", "\0")):
        with pytest.raises(SinkRefused):
            put(project, change, path="a/c/.env")
    assert len(os.listdir("/proc/self/fd")) == before


def test_nothing_says_a_value(project: Path) -> None:
    written = put(project, Change("A", MARKER))
    assert MARKER not in repr(written)
    with place.found(str(project), ".env") as found:
        assert MARKER not in repr(found)
