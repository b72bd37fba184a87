"""The lock that writers of one folder share: `flock` on the folder itself, so that no lock file is left behind."""

from __future__ import annotations

import errno
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from offprompt.errors import FolderBusy, SystemLacks

if sys.platform != "win32":
    import fcntl

SECONDS = 5.0
"""How long a writer waits for others. A write takes milliseconds: this is a queue of hundreds, or a stuck program."""

# flock(2) of Linux, "NFS details": EBADF; the others where a file system or its server has none.
_NO_LOCKS = (errno.EBADF, errno.ENOLCK, errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP)

# Who has waited longer asks more often, so that nobody starves: flock keeps no queue that a deadline could be put on.
_FIRST_PAUSE = 0.010
_LAST_PAUSE = 0.001
_FULL_AGE = 1.0


@contextmanager
def held(folder: int, path: str) -> Iterator[bool]:
    """Hold the exclusive lock on an open folder. The system frees it when the process ends, however it ends.

    Yield whether there is one: some network file systems lock only what is open for writing, as no folder can be. A
    write still compares before its rename there.

    Raises:
        FolderBusy: somebody else kept it for SECONDS (`path` is for the sentence).
        SystemLacks: there is no `flock`.
    """
    if sys.platform == "win32":
        raise SystemLacks(what="lock on folders")
    begun = time.monotonic()
    while True:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except OSError as error:
            if error.errno in _NO_LOCKS:
                yield False
                return
            if not isinstance(error, BlockingIOError):
                raise
            waited = time.monotonic() - begun
            if waited >= SECONDS:
                raise FolderBusy(path=path, seconds=int(SECONDS)) from None
        age = min(waited / _FULL_AGE, 1.0)
        time.sleep(_FIRST_PAUSE + (_LAST_PAUSE - _FIRST_PAUSE) * age)
    try:
        yield True
    finally:
        fcntl.flock(folder, fcntl.LOCK_UN)
