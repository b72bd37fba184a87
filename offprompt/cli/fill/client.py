"""HTTP to a request's page, for a terminal: three calls, each bounded in time and size, without redirects.

It uses Python's own urllib. A command that makes three calls needs no reactor, and starts twice as fast without one.
"""

from __future__ import annotations

import json
import ssl
import threading
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from http.client import HTTPException, HTTPResponse, IncompleteRead
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from offprompt import errors
from offprompt.text import one_line
from offprompt.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable

    from offprompt.request.link import Link

DEADLINE = 30.0
"""Seconds for a whole call, with the look-up of the name. A write may wait 5 s for its file and 2 s for git."""
MAX_ANSWER = 256 * 1024
"""Bytes of an answer. Twelve values with rules and the longest reason are a tenth of it."""
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer: its status, its JSON object (empty for none), and the seconds of its Retry-After (0 for none)."""

    status: int
    members: dict[str, Any] = field(default_factory=dict)
    retry_after: int = 0


class PageClient:
    """The page of one link.

    Every method may raise
    - Unreachable: nobody is there, or the connection broke;
    - TooSlowToAnswer;
    - NotTrusted: the certificate does not prove the name.
    After a `submit` that failed it is not known whether something was written.
    """

    def __init__(self, link: Link, deadline: float = DEADLINE) -> None:
        """`deadline`: seconds for each call.

        Raises:
            NotALink: the link's host is none.
        """
        try:
            address = urlsplit(link.origin)
        except ValueError:
            raise errors.NotALink() from None
        self.host = one_line(address.netloc)
        self._page = f"{link.origin}/r/{link.token}"
        self._deadline = deadline
        self._opener = urllib.request.OpenerDirector()
        # A proxy cannot know our own loopback; elsewhere the environment's is what the person's network needs.
        proxies: dict[str, str] | None = {} if address.hostname in LOOPBACK else None
        for handler in (
            urllib.request.ProxyHandler(proxies),
            urllib.request.HTTPHandler(),
            urllib.request.HTTPSHandler(context=ssl.create_default_context()),
        ):
            self._opener.add_handler(handler)

    def fetch(self) -> Reply:
        """Fetch the request as data."""
        return self._call("", None)

    def submit(self, nonce: str, sealed: str) -> Reply:
        """Send sealed values."""
        return self._call("", {"nonce": nonce, "sealed": sealed})

    def decline(self, nonce: str) -> Reply:
        """Say no."""
        return self._call("/decline", {"nonce": nonce})

    def _call(self, path: str, members: dict[str, str] | None) -> Reply:
        headers = {"Accept": "application/json", "User-Agent": f"offprompt/{VERSION}"}
        body = None
        if members is not None:
            headers["Content-Type"] = "application/json"
            body = json.dumps(members).encode()
        request = urllib.request.Request(self._page + path, body, headers)
        return _in_time(lambda: self._exchange(request), self._deadline, self.host)

    def _exchange(self, request: urllib.request.Request) -> Reply:
        try:
            with self._opener.open(request, timeout=self._deadline) as response:
                return _reply(response)
        except ssl.SSLCertVerificationError:
            raise errors.NotTrusted(host=self.host) from None
        except urllib.error.URLError as error:
            if isinstance(error.reason, ssl.SSLCertVerificationError):
                raise errors.NotTrusted(host=self.host) from None
            raise errors.Unreachable(host=self.host) from None
        except (OSError, HTTPException, ValueError, OverflowError):  # the last two: no host's name, no port's number
            raise errors.Unreachable(host=self.host) from None


def _reply(response: HTTPResponse) -> Reply:
    """Return what `response` says. The opener handles no status, so all arrive here, redirects too."""
    raw = response.read(MAX_ANSWER + 1)
    if response.length and len(raw) <= MAX_ANSWER:
        raise IncompleteRead(b"")  # urllib says nothing of a body that ends early
    wait = response.headers.get("Retry-After", "")
    seconds = int(wait) if wait.isascii() and wait.isdigit() and len(wait) < 6 else 0
    try:
        members = json.loads(raw.decode("utf-8")) if len(raw) <= MAX_ANSWER else None
    except (ValueError, RecursionError):
        members = None
    return Reply(response.status, members if isinstance(members, dict) else {}, seconds)


def _in_time(call: Callable[[], Reply], seconds: float, host: str) -> Reply:
    """Return what `call` does in a thread. One that takes too long is left behind.

    A socket's own timeout starts anew with every byte, so it would not end a call that drips.
    """
    done: list[Reply] = []
    failed: list[errors.OffpromptError] = []

    def run() -> None:
        try:
            done.append(call())
        except errors.OffpromptError as error:
            failed.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if failed:
        raise failed[0]
    if not done:
        raise errors.TooSlowToAnswer(host=host, seconds=f"{seconds:g}")
    return done[0]
