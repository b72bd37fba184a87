from __future__ import annotations

import dataclasses
import hashlib
import io
import os
import tarfile
import time
from pathlib import Path

import pytest

from offprompt import errors
from offprompt.tunnel.cache import STALE, begin, cache_folder, keep, kept
from offprompt.tunnel.pinned_release import Asset

as_root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")

PROGRAM = b"\x7fELF a cloudflared" * 1000
PLAIN = Asset("cloudflared-linux-amd64", hashlib.sha256(PROGRAM).hexdigest(), least=10, most=100_000)


def archive(*members: tuple[str, bytes, bytes]) -> bytes:
    """A .tgz of members (name, type, content)."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        for name, kind, content in members:
            member = tarfile.TarInfo(name)
            member.type = kind
            member.linkname = "/etc/passwd" if kind in (tarfile.SYMTYPE, tarfile.LNKTYPE) else ""
            member.size = len(content) if kind == tarfile.REGTYPE else 0
            tar.addfile(member, io.BytesIO(content))
    return packed.getvalue()


GOOD = archive(("cloudflared", tarfile.REGTYPE, PROGRAM))


def packed(data: bytes, of: str = "archive") -> Asset:
    pinned = data if of == "archive" else PROGRAM
    return Asset("cloudflared-darwin-arm64.tgz", hashlib.sha256(pinned).hexdigest(), least=10, most=100_000)


def take(folder: Path, asset: Asset, data: bytes) -> str:
    file, part = begin(str(folder), asset)
    with file:
        file.write(data)
    return keep(str(folder), asset, part, hashlib.sha256(data).hexdigest())


def test_a_downloaded_program_can_be_run_and_is_found_again(tmp_path: Path):
    path = take(tmp_path / "new", PLAIN, PROGRAM)
    assert Path(path).read_bytes() == PROGRAM
    assert os.stat(path).st_mode & 0o777 == 0o700
    assert os.stat(tmp_path / "new").st_mode & 0o777 == 0o700
    assert kept(str(tmp_path / "new"), PLAIN) == path
    assert os.listdir(tmp_path / "new") == [os.path.basename(path)]


def test_R6_other_bytes_are_neither_kept_nor_run(tmp_path: Path):
    with pytest.raises(errors.DownloadFailed, match="thrown away"):
        take(tmp_path, PLAIN, PROGRAM + b"!")
    path = take(tmp_path, PLAIN, PROGRAM)
    Path(path).write_bytes(PROGRAM[:-1])
    assert kept(str(tmp_path), PLAIN) is None
    Path(path).write_bytes(PROGRAM)
    os.truncate(path, 0)
    assert kept(str(tmp_path), PLAIN) is None
    assert take(tmp_path, PLAIN, PROGRAM) == path
    assert kept(str(tmp_path), PLAIN) == path


def test_nothing_is_kept_where_there_is_nothing(tmp_path: Path):
    assert kept(str(tmp_path / "missing"), PLAIN) is None
    assert kept(str(tmp_path), packed(GOOD)) is None
    (tmp_path / "file").write_text("x")
    assert kept(str(tmp_path / "file"), PLAIN) is None


def test_another_release_is_another_file(tmp_path: Path):
    take(tmp_path, PLAIN, PROGRAM)
    assert kept(str(tmp_path), dataclasses.replace(PLAIN, version="2027.1.0")) is None


@pytest.mark.parametrize("of", ["archive", "program"])
def test_R6_an_archive_is_unpacked_whether_the_pin_is_of_it_or_of_the_program(of: str, tmp_path: Path):
    asset = packed(GOOD, of)
    path = take(tmp_path, asset, GOOD)
    assert Path(path).read_bytes() == PROGRAM
    assert os.stat(path).st_mode & 0o777 == 0o700
    assert not path.endswith(".tgz")
    Path(path).write_bytes(b"something else")
    assert kept(str(tmp_path), asset) == path
    assert Path(path).read_bytes() == PROGRAM
    os.unlink(path)
    assert kept(str(tmp_path), asset) == path
    Path(path + ".tgz").write_bytes(archive(("cloudflared", tarfile.REGTYPE, b"other")))
    assert kept(str(tmp_path), asset) is None


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no archive",
        GOOD[:-20],
        GOOD[: len(GOOD) // 2],
        archive(),
        archive(("other", tarfile.REGTYPE, PROGRAM)),
        archive(("../cloudflared", tarfile.REGTYPE, PROGRAM)),
        archive(("/cloudflared", tarfile.REGTYPE, PROGRAM)),
        archive(("bin/cloudflared", tarfile.REGTYPE, PROGRAM)),
        archive(("cloudflared", tarfile.SYMTYPE, b"")),
        archive(("cloudflared", tarfile.LNKTYPE, b"")),
        archive(("cloudflared", tarfile.DIRTYPE, b"")),
        archive(("cloudflared", tarfile.FIFOTYPE, b"")),
        archive(("cloudflared", tarfile.REGTYPE, PROGRAM), ("other", tarfile.REGTYPE, b"x")),
        archive(("cloudflared", tarfile.REGTYPE, b"x" * 100_001)),
    ],
)
def test_R6_an_archive_holds_one_plain_file_or_is_refused(data: bytes, tmp_path: Path):
    """Even where the pin says that these are the right bytes."""
    asset = packed(data)
    with pytest.raises(errors.DownloadFailed):
        take(tmp_path, asset, data)
    assert [name for name in os.listdir(tmp_path) if not name.endswith(".part")] in ([], ["2026.9.1-" + asset.name])
    assert kept(str(tmp_path), asset) is None
    assert not (tmp_path / "2026.9.1-cloudflared-darwin-arm64").exists()


def test_what_a_dead_download_left_is_removed_and_a_living_ones_is_not(tmp_path: Path):
    dead, living, other = tmp_path / "a.part", tmp_path / "b.part", tmp_path / "other"
    for file in (dead, living, other):
        file.write_text("x")
    for file in (dead, other):
        os.utime(file, (time.time() - STALE - 10,) * 2)
    file, part = begin(str(tmp_path), PLAIN)
    file.close()
    assert {path.name for path in tmp_path.iterdir()} == {"b.part", "other", os.path.basename(part)}
    assert os.stat(part).st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("environ", "folder"),
    [
        ({}, "/home/me/.cache/offprompt"),
        ({"XDG_CACHE_HOME": "/caches"}, "/caches/offprompt"),
        ({"XDG_CACHE_HOME": "caches"}, "/home/me/.cache/offprompt"),
        ({"PLUGIN_DATA": "/plugins/offprompt", "XDG_CACHE_HOME": "/caches"}, "/plugins/offprompt"),
        ({"CLAUDE_PLUGIN_DATA": "/claude", "PLUGIN_DATA": "/plugins"}, "/claude"),
        ({"CLAUDE_PLUGIN_DATA": "claude", "PLUGIN_DATA": "/plugins"}, "/plugins"),
        ({"CLAUDE_PLUGIN_DATA": "", "PLUGIN_DATA": "."}, "/home/me/.cache/offprompt"),
    ],
)
def test_the_folder_is_the_hosts_for_plugins_else_the_users_cache(environ, folder):
    assert cache_folder(environ, "/home/me") == folder


@pytest.mark.parametrize(
    ("place", "mode"), [("cache", 0o777), ("cache", 0o1777), ("cache/offprompt", 0o777), ("cache/offprompt", 0o1777)]
)
def test_a_folder_that_others_can_change_is_neither_used_nor_written(tmp_path: Path, place: str, mode: int):
    folder = tmp_path / "cache" / "offprompt"
    path = take(folder, PLAIN, PROGRAM)
    (tmp_path / place).chmod(mode)
    if (place, mode) == ("cache", 0o1777):  # what is ours there stays ours
        assert kept(str(folder), PLAIN) == path
        return
    for use in (kept, begin):
        with pytest.raises(
            errors.CacheShared, match=f"another account of this computer can change {tmp_path}/{place}."
        ):
            use(str(folder), PLAIN)
    assert os.listdir(folder) == [os.path.basename(path)]


@as_root
@pytest.mark.parametrize("place", ["cache", "cache/offprompt"])
def test_a_folder_of_another_account_is_neither_used_nor_written(tmp_path: Path, place: str):
    folder = tmp_path / "cache" / "offprompt"
    take(folder, PLAIN, PROGRAM)
    os.chown(tmp_path / place, 12345, -1)
    for use in (kept, begin):
        with pytest.raises(errors.CacheShared, match=f"can change {tmp_path}/{place}."):
            use(str(folder), PLAIN)


def test_a_program_that_others_can_change_or_a_link_is_downloaded_anew(tmp_path: Path):
    path = Path(take(tmp_path / "cache", PLAIN, PROGRAM))
    path.chmod(0o722)
    assert kept(str(path.parent), PLAIN) is None
    assert take(path.parent, PLAIN, PROGRAM) == kept(str(path.parent), PLAIN) == str(path)
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    assert kept(str(path.parent), PLAIN) is None
    assert take(path.parent, PLAIN, PROGRAM) == kept(str(path.parent), PLAIN) == str(path)
    assert not path.is_symlink()


@as_root
def test_a_program_of_another_account_is_downloaded_anew(tmp_path: Path):
    path = take(tmp_path / "cache", PLAIN, PROGRAM)
    os.chown(path, 12345, -1)
    assert kept(str(tmp_path / "cache"), PLAIN) is None
    assert take(tmp_path / "cache", PLAIN, PROGRAM) == kept(str(tmp_path / "cache"), PLAIN)
