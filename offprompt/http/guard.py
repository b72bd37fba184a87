"""Who may ask for what: decisions on a request's first line and headers alone, before its body is read.

A page of any site can make a browser send requests to 127.0.0.1. The Host says that the name was not rebound to us (DNS
rebinding). Sec-Fetch-Site and Origin say whose script or form is asking (W3C Fetch Metadata; RFC 6454, section 7).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from offprompt import errors

if TYPE_CHECKING:
    from collections.abc import Callable

    from offprompt.http.head import RequestHead

METHODS = ("GET", "HEAD", "POST")

_LOCAL = re.compile(r"(?:127\.0\.0\.1|localhost)(?::[0-9]{1,5})?\Z")
"""Any port: forwarding (`ssh -L`, `forwardPorts`) may change it. No `[::1]`: our doors listen on 127.0.0.1."""

_PATH = re.compile(r"(?:/[A-Za-z0-9._-]+)+\Z")
"""Every path that can be one of ours: nothing to decode, and so no second spelling."""


def is_local(host: str) -> bool:
    """Return whether a Host in lower case is this computer's own."""
    return _LOCAL.match(host) is not None


class Guard:
    """Lets requests in that a door may answer."""

    def __init__(self, public_host: Callable[[], str], max_body: int, methods: tuple[str, ...] = METHODS) -> None:
        """Let this computer's own hosts in, and `public_host()` unless it is ""; `max_body` is in bytes, whole KiB."""
        self._public_host = public_host
        self._max_body = max_body
        self._methods = methods

    def admit(self, head: RequestHead) -> None:
        """Let `head` in.

        Raises:
            WrongHost: checked before anything else.
            ForeignSite: another site's page makes the browser ask.
            NoSuchPage, MethodRefused: nothing answers to this path or method.
            BodyTooLarge: the body is said to be longer than the door takes.
        """
        # Exactly one Host, or two readers could disagree about it (RFC 9112, section 3.2).
        if len(head.hosts) != 1 or not self._is_ours(head.hosts[0].lower()):
            raise errors.WrongHost()
        if not _site_may_ask(head):
            raise errors.ForeignSite()
        if not _PATH.match(head.path):
            raise errors.NoSuchPage()
        if head.method not in self._methods:
            raise errors.MethodRefused(methods=", ".join(self._methods))
        if any(_is_longer(length, self._max_body) for length in head.lengths):
            raise errors.BodyTooLarge(most=self._max_body // 1024)

    def _is_ours(self, host: str) -> bool:
        return is_local(host) or host == self._public_host().lower() != ""


def _site_may_ask(head: RequestHead) -> bool:
    """Return whether the page that makes a browser ask is our own, or there is none.

    What is no browser (curl, `offprompt fill`) sends neither header and passes. A click on the link in the agent's own
    web page is cross-site: a top-level navigation passes, as nobody but the person sees what comes.
    """
    if head.sites:
        if head.sites in (("same-origin",), ("none",)):
            return True
        navigates = (head.modes, head.dests) == (("navigate",), ("document",))
        return head.method in ("GET", "HEAD") and navigates
    if head.origins:
        host = head.hosts[0].lower()
        return len(head.origins) == 1 and head.origins[0].lower() in (f"http://{host}", f"https://{host}")
    return True


def _is_longer(length: str, most: int) -> bool:
    # By its digits first: Python refuses to read a number of thousands of them.
    return length.isascii() and length.isdigit() and (len(length) > 9 or int(length) > most)
