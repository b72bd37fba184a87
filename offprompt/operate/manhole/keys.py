"""The manhole's keys: the host's, by which operators know the service; the operators', by which it knows them."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from twisted.conch.checkers import IAuthorizedKeysDB
from twisted.conch.ssh.keys import Key
from twisted.logger import Logger
from zope.interface import implementer

from offprompt import errors
from offprompt.operate.state import AUTHORIZED_KEYS, HOST_KEY, HOST_NAME, KNOWN_HOSTS, OPERATOR_KEY
from offprompt.private_files import private_file, private_folder, write_once

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_KEYS = 256 * 1024
"""Bytes of a file of keys: some two thousand."""

_log = Logger()


def host_key(state_dir: str) -> Key:
    """Return the service's key, made on the first call. `offprompt attach` finds its public half beside it.

    Raises:
        NotPrivate: other accounts can read or change the folder or the key.
    """
    path = os.path.join(private_folder(state_dir), HOST_KEY)
    key = _own_key(path)
    known = os.path.join(state_dir, KNOWN_HOSTS)
    line = HOST_NAME.encode() + b" " + key.public().toString("openssh") + b"\n"
    if not _holds(known, line):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(known)  # of a key that is gone
        with contextlib.suppress(FileExistsError):
            write_once(known, line)
    return key


def operator_keys(state_dir: str) -> str:
    """Return the path of the authorized keys in `state_dir`; the first call makes the file, with one key.

    Raises:
        NotPrivate: other accounts can read or change the folder or one of the files.
    """
    private_folder(state_dir)
    path = os.path.join(state_dir, AUTHORIZED_KEYS)
    if not os.path.lexists(path):
        key = _own_key(os.path.join(state_dir, OPERATOR_KEY))
        with contextlib.suppress(FileExistsError):
            write_once(path, key.public().toString("openssh", comment=b"offprompt operator") + b"\n")
    private_file(path)
    return path


@implementer(IAuthorizedKeysDB)
class AuthorizedKeys:
    """The keys of a file in OpenSSH's form (sshd(8), "AUTHORIZED_KEYS FILE FORMAT"), read anew for every login.

    Whoever has one of them is the operator, under any name. A file that others may write to lets nobody in.
    """

    def __init__(self, path: str) -> None:
        """Read the keys from `path`. A missing file lets nobody in."""
        self._path = path

    def getAuthorizedKeys(self, avatarId: bytes) -> Iterable[Key]:
        """Return all keys of the file. Lines with options are passed over, as we would not keep those."""
        try:
            _refuse_if_writable(self._path)
            with open(self._path, "rb") as file:
                lines = file.read(MAX_KEYS).splitlines()
        except (OSError, errors.NotPrivate) as error:
            _log.warn(
                "No operator can log in: {path} cannot be used ({kind})", path=self._path, kind=type(error).__name__
            )
            return []
        return [key for number, line in enumerate(lines, 1) if (key := self._key(number, line.strip())) is not None]

    def _key(self, number: int, line: bytes) -> Key | None:
        if not line or line.startswith(b"#"):
            return None
        try:
            key: Key = Key.fromString(line, type="public_openssh")
        except Exception as error:  # whatever the parsers of six kinds of keys raise on what is none
            _log.warn(
                "Line {number} of {path} is no public key ({kind})",
                number=number,
                path=self._path,
                kind=type(error).__name__,
            )
            return None
        return key


def _own_key(path: str) -> Key:
    """Return the private key in `path`, made when missing. Of two processes that make it at once, one wins."""
    fresh = Key(Ed25519PrivateKey.generate())
    with contextlib.suppress(FileExistsError):
        write_once(path, fresh.toString("openssh"))
    private_file(path)
    key: Key = Key.fromFile(path)
    return key


def _holds(path: str, content: bytes) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(len(content) + 1) == content
    except FileNotFoundError:
        return False


def _refuse_if_writable(path: str) -> None:
    found = os.stat(path)
    if hasattr(os, "getuid") and (found.st_uid not in (0, os.getuid()) or found.st_mode & 0o022):
        raise errors.NotPrivate(path=path)
