"""Where the pinned cloudflared is kept, and proof that what is run is what was pinned.

No other account may be able to change the folder, anything on the way to it, or the program. Otherwise it could put
another program there between the check and the start. What this account itself puts there is not guarded against: it
could as well change this process.

Everything but `cache_folder` blocks: call it in a thread.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import tarfile
import tempfile
import time
from collections.abc import Mapping
from typing import IO, TYPE_CHECKING

from offprompt import errors
from offprompt.ownership import changeable_by_others
from offprompt.private_files import own_folder, refuse_if_changeable

if TYPE_CHECKING:
    from offprompt.tunnel.pinned_release import Asset

MEMBER = "cloudflared"
"""The one file in the archives for macOS."""
STALE = 3600.0
"""Seconds after which a part of a download belongs to a process that is gone: a download has one minute."""
_PART = ".part"


def cache_folder(environ: Mapping[str, str], home: str) -> str:
    """Return where a download is kept: the host's folder for plugin data, else the user's cache."""
    for name in ("CLAUDE_PLUGIN_DATA", "PLUGIN_DATA"):
        folder = environ.get(name, "")
        if os.path.isabs(folder):
            return folder
    caches = environ.get("XDG_CACHE_HOME", "")
    # The XDG specification has relative paths ignored.
    return os.path.join(caches if os.path.isabs(caches) else os.path.join(home, ".cache"), "offprompt")


def kept(folder: str, asset: Asset) -> str | None:
    """Return the path of the program in `folder`, checked against the pin; None when there is none or another one.

    Raises:
        CacheShared: another account could change what is in `folder`.
    """
    archive = _path(folder, asset)
    try:
        refuse_if_changeable(folder)
        if not asset.packed:
            return archive if _sha256(archive) == asset.sha256 else None
        return _unpacked(folder, asset, archive)
    except errors.ChangeableByOthers as error:
        raise errors.CacheShared(folder=folder, place=error.path) from None
    except (OSError, EOFError, tarfile.TarError, gzip.BadGzipFile):
        return None


def begin(folder: str, asset: Asset) -> tuple[IO[bytes], str]:
    """Return a new file beside the kept ones for a download, and its path; remove what dead processes left of theirs.

    Raises:
        CacheShared: another account could change what is in `folder`.
        OSError: `folder` cannot be made or written.
    """
    try:
        own_folder(folder)
    except errors.ChangeableByOthers as error:
        raise errors.CacheShared(folder=folder, place=error.path) from None
    for entry in os.scandir(folder):
        if entry.name.endswith(_PART) and entry.stat(follow_symlinks=False).st_mtime < time.time() - STALE:
            os.unlink(entry)
    descriptor, path = tempfile.mkstemp(prefix=f"{asset.name}-", suffix=_PART, dir=folder)
    return os.fdopen(descriptor, "wb"), path


def keep(folder: str, asset: Asset, part: str, sha256: str) -> str:
    """Take the downloaded file `part`, whose hash is `sha256`, into `folder`. Return the path of the program.

    Two processes may do so at the same time: both leave the same bytes under the same name.

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
    """Return the program beside its archive, written again where it does not hold the archive's bytes.

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
    """Return the program in `archive`: its only member, a plain file named cloudflared of at most `limit` bytes.

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
    """Give the finished file `part` its name, once it is whole on the disk and closed: an open one cannot be run."""
    with open(part, "rb+") as file:
        os.fsync(file.fileno())
    os.chmod(part, mode)
    os.replace(part, path)


def _sha256(path: str) -> str:
    """Return the hash of the file there, "" when another account could change it or it is not the one just read."""
    with open(path, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        same = os.path.samestat(os.fstat(file.fileno()), os.lstat(path))
    return digest if same and not changeable_by_others(path) else ""
