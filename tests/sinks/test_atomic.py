"""New content beside its target: complete on the disk, without a name, then in its place, or gone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from offprompt.sinks import atomic, place

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="files without a name are Linux's")


def names(project: Path) -> list[str]:
    return sorted(os.listdir(project))


@linux
def test_it_has_no_name_until_it_takes_its_place(project: Path) -> None:
    with place.found(str(project), ".env") as found, atomic.replacement(found, b"A=1\n", None) as staged:
        assert names(project) == []
        assert staged.replace() == b"A=1\n"
        assert names(project) == [".env"]
    assert (project / ".env").read_bytes() == b"A=1\n"


def test_it_is_gone_when_it_does_not(project: Path) -> None:
    (project / ".env").write_text("old")
    with place.found(str(project), ".env") as found, atomic.replacement(found, b"new", None):
        pass
    with (
        place.found(str(project), ".env") as found,
        pytest.raises(ZeroDivisionError),
        atomic.replacement(found, b"new", None),
    ):
        raise ZeroDivisionError
    assert names(project) == [".env"]
    assert (project / ".env").read_text() == "old"


def test_a_disk_without_nameless_files_gets_a_name_beside_the_target(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(atomic.AtomicReplacement, "_nameless", lambda staged: -1)
    with place.found(str(project), ".env") as found:
        with atomic.replacement(found, b"1", None) as staged:
            (name,) = names(project)
            assert (project / name).stat().st_mode & 0o7777 == 0o600
            assert staged.replace() == b"1"
        with atomic.replacement(found, b"2", None):
            assert len(names(project)) == 2
    assert names(project) == [".env"]


@linux
def test_a_disk_that_cannot_name_them_has_it_staged_anew(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object, **options: object) -> None:
        raise OSError(2, "No such file or directory")

    monkeypatch.setattr("os.link", refuse)
    with place.found(str(project), ".env") as found, atomic.replacement(found, b"1", None) as staged:
        assert staged.replace() is None
        assert not (project / ".env").exists()
        assert staged.replace() == b"1"
    assert names(project) == [".env"]


def test_a_short_write_is_gone_on_with(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = os.write
    monkeypatch.setattr("os.write", lambda descriptor, data: honest(descriptor, data[:7]))
    with place.found(str(project), ".env") as found, atomic.replacement(found, b"x" * 100, None) as staged:
        assert staged.replace() == b"x" * 100


def test_it_is_on_the_disk_before_it_takes_its_place_and_the_folder_after(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = []
    fsync, rename = os.fsync, os.rename

    def syncing(descriptor: int) -> None:
        done.append("folder" if os.path.isdir(f"/proc/self/fd/{descriptor}") else "file")
        fsync(descriptor)

    def renaming(*arguments: str, **options: int) -> None:
        done.append("rename")
        rename(*arguments, **options)

    monkeypatch.setattr("os.fsync", syncing)
    monkeypatch.setattr("os.rename", renaming)
    with place.found(str(project), ".env") as found, atomic.replacement(found, b"1", None) as staged:
        staged.replace()
    assert done == ["file", "rename", "folder"]


def test_a_sweep_takes_only_what_writers_leave(project: Path) -> None:
    (project / ".offprompt-0123456789abcdef.tmp").touch()
    (project / ".offprompt-0123456789abcdee.tmp").symlink_to("kept")
    os.mkfifo(project / ".offprompt-0123456789abcdff.tmp")
    for name in ("kept", ".offprompt-0123.tmp", ".offprompt-0123456789abcdef.tmp~"):
        (project / name).touch()
    before = set(names(project))
    with place.found(str(project), ".env") as found:
        atomic.sweep(found.folder)
    assert before - set(names(project)) == {".offprompt-0123456789abcdef.tmp"}


@linux
def test_no_name_of_a_process_shows_it(project: Path) -> None:
    """A value is in no argument and no environment of a child: there is no child."""
    with place.found(str(project), ".env") as found, atomic.replacement(found, b"marker-5521", None):
        listed = subprocess.run(["ps", "axeww"], capture_output=True, text=True).stdout
    assert "marker-5521" not in listed
