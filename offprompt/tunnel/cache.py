"""The folder where the pinned cloudflared is kept, and proof that what is run is what was pinned.

Everything here blocks: call it in a thread.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import tarfile
import tempfile
import time
from typing import IO, TYPE_CHECKING

from offprompt import errors

if TYPE_CHECKING:
    from offprompt.tunnel.pinned_release import Asset

MEMBER = "cloudflared"
"""The one file in the archives for macOS."""
STALE = 3600.0
"""Seconds after which a part of a download belongs to a process that is gone: a download has one minute."""
_PART = ".part"


def kept(folder: str, asset: Asset) -> str | None:
    """The path of the program in `folder`, checked against the pin; None when there is none or another one."""
    archive = _path(folder, asset)
    try:
        if not asset.packed:
            return archive if _sha256(archive) == asset.sha256 else None
        return _unpacked(folder, asset, archive)
    except (OSError, EOFError, tarfile.TarError, gzip.BadGzipFile):
        return None


def begin(folder: str, asset: Asset) -> tuple[IO[bytes], str]:
    """A new file beside the kept ones for a download, and its path; what dead processes left of theirs is removed.

    Raises:
        OSError: `folder` cannot be made or written.
    """
    os.makedirs(folder, mode=0o700, exist_ok=True)
    for entry in os.scandir(folder):
        if entry.name.endswith(_PART) and entry.stat(follow_symlinks=False).st_mtime < time.time() - STALE:
            os.unlink(entry)
    descriptor, path = tempfile.mkstemp(prefix=f"{asset.name}-", suffix=_PART, dir=folder)
    return os.fdopen(descriptor, "wb"), path


def keep(folder: str, asset: Asset, part: str, sha256: str) -> str:
    """Take the downloaded file `part`, whose hash is `sha256`, into `folder`; the path of the program.

    Whoever does the same at the same time leaves the same bytes under the same name.

    Raises:
        DownloadFailed: its bytes are not the pinned ones.
        OSError: the file system refuses.
    """
    if not asset.packed:
        if sha256 != asset.sha256:
            raise _wrong(asset)
        _put(part, _path(folder, asset), 0o700)
        return _path(folder, asset)
    try:
        if asset.sha256 not in (sha256, hashlib.sha256(_member(part, asset.most)).hexdigest()):
            raise _wrong(asset)
    except (EOFError, tarfile.TarError, gzip.BadGzipFile) as error:
        raise _wrong(asset) from error
    _put(part, _path(folder, asset), 0o600)
    program = kept(folder, asset)
    if program is None:
        raise _wrong(asset)
    return program


def _wrong(asset: Asset) -> errors.DownloadFailed:
    return errors.DownloadFailed(
        reason=f"what came is not the file that offprompt knows as {asset.name} {asset.version} and was thrown away"
    )


def _path(folder: str, asset: Asset) -> str:
    return os.path.join(folder, f"{asset.version}-{asset.name}")


def _unpacked(folder: str, asset: Asset, archive: str) -> str | None:
    """The program beside its archive, written anew where it does not hold the archive's bytes.

    Cloudflare's published sums are of the program in the archive; a pin may be of either (cloudflared issue 1648).
    """
    packed = _sha256(archive)
    program = _member(archive, asset.most)
    if asset.sha256 not in (packed, hashlib.sha256(program).hexdigest()):
        return None
    path = archive.removesuffix(".tgz")
    try:
        if _sha256(path) == hashlib.sha256(program).hexdigest():
            return path
    except FileNotFoundError:
        pass
    file, part = begin(folder, asset)
    try:
        with file:
            file.write(program)
        _put(part, path, 0o700)
    except OSError:
        os.unlink(part)
        raise
    return path


def _member(archive: str, limit: int) -> bytes:
    """The program in `archive`: its only member, a plain file of at most `limit` bytes named cloudflared, not a path.

    Raises:
        tarfile.TarError: it holds anything else.
    """
    with tarfile.open(archive, "r:gz") as members:
        first = members.next()
        if first is None or first.name != MEMBER or not first.isreg() or first.size > limit:
            raise tarfile.TarError
        file = members.extractfile(first)
        program = b"" if file is None else file.read(limit)
        if len(program) != first.size or members.next() is not None:
            raise tarfile.TarError
        return program


def _put(part: str, path: str, mode: int) -> None:
    """Give the finished file `part` its name: whole on the disk before, and never open for writing when it is run."""
    with open(part, "rb+") as file:
        os.fsync(file.fileno())
    os.chmod(part, mode)
    os.replace(part, path)


def _sha256(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
