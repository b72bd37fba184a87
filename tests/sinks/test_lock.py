"""Writers of one folder take turns."""

from __future__ import annotations

import errno
import fcntl
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from offprompt.errors import FolderBusy
from offprompt.sinks import lock


@pytest.fixture
def folders(project: Path) -> Iterator[tuple[int, int]]:
    """Two descriptors that know nothing of each other, as two processes have them."""
    pair = (os.open(project, os.O_RDONLY), os.open(project, os.O_RDONLY))
    yield pair
    for folder in pair:
        os.close(folder)


def is_free(folder: int) -> bool:
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    fcntl.flock(folder, fcntl.LOCK_UN)
    return True


def test_nobody_else_has_it_meanwhile(folders: tuple[int, int]) -> None:
    one, other = folders
    with lock.held(one, ".env") as locked:
        assert locked
        assert not is_free(other)
    assert is_free(other)


def test_it_is_given_back_whatever_happens(folders: tuple[int, int]) -> None:
    one, other = folders
    with pytest.raises(ZeroDivisionError), lock.held(one, ".env"):
        raise ZeroDivisionError
    assert is_free(other)


def test_who_waits_gets_it_when_it_is_free(folders: tuple[int, int]) -> None:
    one, other = folders
    fcntl.flock(other, fcntl.LOCK_EX)
    release = threading.Timer(0.1, lambda: fcntl.flock(other, fcntl.LOCK_UN))
    begun = time.monotonic()
    release.start()
    with lock.held(one, ".env"):
        assert time.monotonic() - begun >= 0.1
    release.join()


def test_it_is_free_when_its_holder_is_killed(project: Path, folders: tuple[int, int]) -> None:
    script = "import fcntl, os, sys; fcntl.flock(os.open(sys.argv[1], os.O_RDONLY), 2); print(flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", script, str(project)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        assert not is_free(folders[0])
        holder.kill()
    assert is_free(folders[0])


def test_waiting_ends_with_a_sentence(folders: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = folders
    fcntl.flock(other, fcntl.LOCK_EX)
    monkeypatch.setattr(lock, "SECONDS", 0.1)
    begun = time.monotonic()
    with pytest.raises(FolderBusy), lock.held(one, ".env"):
        pass
    assert time.monotonic() - begun >= 0.1


@pytest.mark.parametrize("number", [errno.EBADF, errno.ENOLCK, errno.EOPNOTSUPP])
def test_a_disk_without_locks_is_told_from_one_that_fails(
    folders: tuple[int, int], monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def refuse(*arguments: object) -> None:
        raise OSError(refused, os.strerror(refused))

    monkeypatch.setattr("fcntl.flock", refuse)
    refused = number
    with lock.held(folders[0], ".env") as locked:
        assert not locked
    refused = errno.EIO
    with pytest.raises(OSError, match=os.strerror(errno.EIO)), lock.held(folders[0], ".env"):
        pass


def test_waiting_for_the_lock_ends_after_five_seconds() -> None:
    assert lock.SECONDS == 5.0
