"""What a target holds is read, or there is a reason not to touch it."""

from __future__ import annotations

import os
import socket
import stat
from pathlib import Path

import pytest

from offprompt.errors import (
    PathOutside,
    TargetLinked,
    TargetMounted,
    TargetNotFile,
    TargetNotText,
    TargetTooLarge,
    TargetUnreadable,
    WriteFailed,
)
from offprompt.sinks import content, place
from tests.sinks.mounts import mounted

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")


def seen(project: Path, *, whole: bool = True) -> content.Content | None:
    """What .env holds; its text is asked for, since a dotenv file has to be text."""
    with place.found(str(project), ".env") as found:
        read = content.read(found, ".env", whole=whole)
        if read is not None:
            read.text(".env")
        return read


def test_nothing_there(project: Path) -> None:
    assert seen(project) is None
    with place.found(str(project), ".env") as found:
        assert content.file_version(found) is None


def test_bytes_mode_owner_and_version(project: Path) -> None:
    path = project / ".env"
    path.write_bytes("KEY=marker-5521é\r\n".encode())
    path.chmod(0o640)
    read = seen(project)
    assert read is not None
    assert read.text(".env") == "KEY=marker-5521é\r\n"
    status = path.stat()
    assert (read.mode, read.owner, read.size) == (0o640, (status.st_uid, status.st_gid), 19)
    with place.found(str(project), ".env") as found:
        assert content.file_version(found) == read.version
    assert "5521" not in repr(read)


def test_bytes_that_are_not_wanted_are_not_read(project: Path) -> None:
    (project / ".env").write_bytes(b"\xff" * (content.MOST_BYTES + 1))
    read = seen(project, whole=False)
    assert read is not None
    assert (read.data, read.size) == (b"", content.MOST_BYTES + 1)


@pytest.mark.parametrize("change", ["longer", "later", "replaced"])
def test_a_change_is_seen_by_the_version(project: Path, change: str) -> None:
    path = project / ".env"
    path.write_text("A=1\n")
    read = seen(project)
    assert read is not None
    if change == "longer":
        path.write_text("A=12\n")
    elif change == "later":
        os.utime(path, ns=(0, path.stat().st_mtime_ns + 1))
    else:
        (project / "new").write_text("A=2\n")
        os.utime(project / "new", ns=(0, path.stat().st_mtime_ns))
        (project / "new").rename(path)
    with place.found(str(project), ".env") as found:
        assert content.file_version(found) != read.version


def test_a_disk_that_fails_while_it_is_read(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / ".env").write_text("A=1\n")

    def refuse(descriptor: int, size: int) -> bytes:
        raise OSError(5, "Input/output error")

    before = len(os.listdir("/proc/self/fd"))
    monkeypatch.setattr("os.read", refuse)
    with pytest.raises(WriteFailed):
        seen(project)
    monkeypatch.undo()
    assert len(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize("kind", ["folder", "pipe", "socket", "device"])
def test_what_is_no_regular_file_is_refused(project: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = project / ".env"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        monkeypatch.chdir(project)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(".env")
    elif os.geteuid() != 0:
        pytest.skip("making a device needs root")
    else:
        os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 3))
    with pytest.raises(TargetNotFile):
        seen(project)


def test_a_pipe_that_is_swapped_in_does_not_hold_us(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / ".env").touch()
    honest = os.open

    def swap(path: str, *arguments: object, **options: object) -> int:
        if path == ".env":
            (project / ".env").unlink()
            os.mkfifo(project / ".env")
        return honest(path, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("os.open", swap)
    with pytest.raises(TargetNotFile):
        seen(project)


def test_a_link_that_is_swapped_in_is_not_read(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / ".env").touch()
    (project.parent / "outside").write_text("OUTSIDE=1\n")
    honest = os.open

    def swap(path: str, *arguments: object, **options: object) -> int:
        if path == ".env":
            (project / ".env").unlink()
            (project / ".env").symlink_to("../outside")
        return honest(path, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("os.open", swap)
    with pytest.raises((TargetNotFile, PathOutside)):
        seen(project)


def test_a_file_of_several_names_is_refused(project: Path) -> None:
    (project.parent / "other").touch()
    (project / ".env").hardlink_to(project.parent / "other")
    with pytest.raises(TargetLinked):
        seen(project)


@as_root
@pytest.mark.parametrize("disk", ["same", "other"])
def test_a_mounted_file_is_refused(project: Path, disk: str) -> None:
    (project / ".env").touch()
    source = project.parent / "source"
    if disk == "other":
        with mounted("tmpfs", source, "size=64k"):
            (source / "file").touch()
            with mounted("bind", project / ".env", str(source / "file")), pytest.raises(TargetMounted):
                seen(project)
    else:
        source.touch()
        with mounted("bind", project / ".env", str(source)), pytest.raises(TargetMounted):
            seen(project)
    assert seen(project) is not None


@as_root
@pytest.mark.parametrize("layer", ["lower", "upper"])
def test_a_file_on_an_overlay_of_two_disks_is_not_a_mounted_one(project: Path, layer: str) -> None:
    """There a file says another device than its folder: the file systems of sandboxes are such overlays."""
    below, above, merged = (project.parent / name for name in ("below", "above", "merged"))
    with mounted("tmpfs", below, "size=64k"), mounted("tmpfs", above, "size=64k"):
        for folder in (below / "files", above / "files", above / "work"):
            folder.mkdir()
        (below / "files" / ".env").write_text("A=1\n")
        layers = f"lowerdir={below}/files,upperdir={above}/files,workdir={above}/work"
        with mounted("overlay", merged, layers):
            if layer == "upper":
                (merged / ".env").write_text("A=2\n")
            assert (merged / ".env").stat().st_dev != merged.stat().st_dev
            assert seen(merged) is not None


def test_text_that_is_not_utf_8_is_refused(project: Path) -> None:
    for data in ("A=é\n".encode("latin-1"), "A=1\n".encode("utf-16"), b"\xff"):
        (project / ".env").write_bytes(data)
        with pytest.raises(TargetNotText) as refused:
            seen(project)
        assert refused.value.__context__ is None  # a UnicodeDecodeError holds all bytes


def test_a_file_of_more_than_a_mebibyte_is_refused(project: Path) -> None:
    (project / ".env").write_bytes(b"#" * content.MOST_BYTES)
    assert seen(project) is not None
    with (project / ".env").open("ab") as file:
        file.write(b"#")
    with pytest.raises(TargetTooLarge):
        seen(project)
    os.truncate(project / ".env", 1 << 40)
    with pytest.raises(TargetTooLarge):
        seen(project)


def test_a_file_that_cannot_be_read_stops_it(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / ".env").touch(mode=0)
    honest = os.open

    def denied(path: str, *arguments: object, **options: object) -> int:
        if path == ".env":
            raise PermissionError(13, "Permission denied", path)
        return honest(path, *arguments, **options)  # type: ignore[arg-type]

    if os.geteuid() == 0:  # root may read it
        monkeypatch.setattr("os.open", denied)
    with pytest.raises(TargetUnreadable):
        seen(project)
