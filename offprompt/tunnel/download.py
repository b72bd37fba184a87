"""Downloads the pinned cloudflared: one deadline, one size, one hash, and either a good file or none."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from OpenSSL.SSL import Error as TLSError
from service_identity import VerificationError
from twisted.internet.defer import CancelledError, Deferred
from twisted.internet.error import ConnectError, DNSLookupError
from twisted.internet.threads import deferToThreadPool
from twisted.web.client import ResponseFailed, ResponseNeverReceived

from offprompt import errors
from offprompt.tunnel import sentences
from offprompt.tunnel.cache import begin, keep
from offprompt.tunnel.fetch import TooLong, ask, drop, read

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from treq.response import _Response as Response
    from twisted.web.iweb import IAgent

    from offprompt.tunnel.network import Network
    from offprompt.tunnel.pinned_release import Asset

SECONDS = 60.0
"""From the call to the last byte. Nobody waits longer than this for a link."""
MOST_REDIRECTS = 5
"""GitHub uses one."""
MEGABYTE = 1_000_000
TOLD_EVERY = 5 * MEGABYTE
"""Bytes between two sentences of progress."""


def download(
    reactor: Any,
    network: Network,
    asset: Asset,
    folder: str,
    progress: Callable[[str], None],
    seconds: float = SECONDS,
) -> Deferred[str]:
    """Download `asset` into `folder`. Fire with the path of the program.

    Fail with DownloadFailed, or with CacheRefused when the folder cannot be written. Cancelled or too late, it closes
    the connection and leaves nothing behind.
    """

    def too_late(result: object, _: float) -> str:
        if isinstance(result, str):
            return result
        raise errors.DownloadFailed(reason=f"it was not finished within {seconds:g} seconds")

    done = Deferred.fromCoroutine(_download(reactor, network, asset, folder, progress))
    return done.addTimeout(seconds, reactor, onTimeoutCancel=too_late)


async def _download(reactor: Any, network: Network, asset: Asset, folder: str, progress: Callable[[str], None]) -> str:
    part = ""
    try:
        file, part = begin(folder, asset)
        with file:
            transfer = _Transfer(asset, file.write, progress)
            await _fetch(network.agent(reactor), network, asset, transfer)
        transfer.check()
        return await deferToThreadPool(
            reactor, reactor.getThreadPool(), keep, folder, asset, part, transfer.hash.hexdigest()
        )
    except OSError as error:
        raise errors.CacheRefused(folder=folder, reason=error.strerror or "it failed") from error
    finally:
        if os.path.exists(part):
            os.unlink(part)


class _Transfer:
    """An asset on its way: its bytes are hashed, written and counted, and the progress is told."""

    def __init__(self, asset: Asset, write: Callable[[bytes], object], progress: Callable[[str], None]) -> None:
        self.hash = hashlib.sha256()
        self.asset = asset
        self.announced = 0
        self._count = 0
        self._told = 0
        self._write = write
        self._progress = progress

    def write(self, data: bytes) -> None:
        self.hash.update(data)
        self._write(data)
        self._count += len(data)
        if self._count >= self._told + TOLD_EVERY:
            self._told = self._count
            self._tell()

    def check(self) -> None:
        """Raise DownloadFailed when what came cannot be the asset, whatever its hash."""
        if self._count < self.asset.least:
            raise errors.DownloadFailed(reason=f"only {self._count} bytes came, which is no cloudflared")

    def _tell(self) -> None:
        done, size = self._count // MEGABYTE, self.announced // MEGABYTE
        unsized = sentences.DOWNLOADING_UNSIZED.format(done=done)
        self._progress(sentences.DOWNLOADING.format(done=done, size=size) if size else unsized)


async def _fetch(agent: IAgent, network: Network, asset: Asset, transfer: _Transfer) -> None:
    """Hand the asset's bytes to `transfer`, following redirects within the allowed hosts.

    Raises:
        DownloadFailed: it is not there, or the connection fails.
        OSError: `transfer` could not write.
    """
    url = f"{network.releases}{asset.version}/{asset.name}"
    for _ in range(MOST_REDIRECTS + 1):
        response = await _ask(agent, url)
        if response.code in (301, 302, 303, 307, 308):
            drop(response)
            url = _next(url, (response.headers.getRawHeaders("location") or [""])[0], network.release_hosts)
            continue
        if response.code != 200:
            drop(response)
            raise errors.DownloadFailed(reason=f"{urlsplit(url).hostname} answered {response.code}")
        transfer.announced = response.length if isinstance(response.length, int) else 0
        try:
            await read(response, transfer.write, asset.most)
        except TooLong:
            raise errors.DownloadFailed(reason=f"it is longer than {asset.most // MEGABYTE} MB") from None
        except ResponseFailed:
            raise errors.DownloadFailed(reason="the connection was cut before its end") from None
        return
    raise errors.DownloadFailed(reason="it led from one address to the next without end")


async def _ask(agent: IAgent, url: str) -> Response:
    try:
        return await ask(agent, url)
    except CancelledError:
        raise
    except Exception as error:
        host = urlsplit(url).hostname
        raise errors.DownloadFailed(reason=_reason(error).format(host=host)) from error


def _reason(error: Exception) -> str:
    """Return a sentence's half on why `{host}` could not be asked."""
    causes = [failure.value for failure in error.reasons] if isinstance(error, ResponseNeverReceived) else [error]
    for cause in causes:
        if isinstance(cause, DNSLookupError):
            return "{host} cannot be looked up here"
        if isinstance(cause, (TLSError, VerificationError)):
            return "what answers as {host} has no certificate for it that this computer trusts"
        if isinstance(cause, ConnectError):
            return "{host} cannot be reached"
    return "{host} did not answer"


def _next(url: str, location: str, hosts: frozenset[str]) -> str:
    """Return where a redirect from `url` to `location` leads.

    Raises:
        DownloadFailed: to another host than `hosts`, or to no https.
    """
    led = urljoin(url, location)
    parts = urlsplit(led)
    if parts.scheme != "https" or parts.hostname not in hosts:
        raise errors.DownloadFailed(reason="it led to an address that is not GitHub's")
    return led
