"""Who may ask for what: decisions on a request's first line and headers alone, before its body is read.

A page of any site can make a browser send requests to 127.0.0.1. The Host says that the name was not rebound to us (DNS
rebinding), Sec-Fetch-Site and Origin say whose script or form is asking (W3C Fetch Metadata; RFC 6454, section 7).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from offprompt import errors
from offprompt.http.limits import MAX_BODY

if TYPE_CHECKING:
    from offprompt.http.head import Asked

METHODS = ("GET", "HEAD", "POST")

_LOCAL = re.compile(r"(?:127\.0\.0\.1|localhost)(?::[0-9]{1,5})?\Z")
"""Any port: forwarding (`ssh -L`, `forwardPorts`) may change it. No `[::1]`: the page listens on 127.0.0.1."""

_PATH = re.compile(r"(?:/[A-Za-z0-9._-]+)+\Z")
"""Every path that can be one of ours: nothing to decode, and so no second spelling."""


def admit(asked: Asked, tunnel_host: str) -> None:
    """Let `asked` in; `tunnel_host` is the tunnel's host, "" while there is none.

    Raises:
        WrongHost: checked before anything else.
        ForeignSite: another site's page makes the browser ask.
        NoSuchPage, MethodRefused: nothing answers to this path or method.
        BodyTooLarge: the body is said to be longer than anything that a page sends.
    """
    if not _host_is_ours(asked, tunnel_host):
        raise errors.WrongHost()
    if not _site_may_ask(asked):
        raise errors.ForeignSite()
    if not _PATH.match(asked.path):
        raise errors.NoSuchPage()
    if asked.method not in METHODS:
        raise errors.MethodRefused(methods=", ".join(METHODS))
    if any(_is_long(length) for length in asked.lengths):
        raise errors.BodyTooLarge(most=MAX_BODY // 1024)


def through_tunnel(asked: Asked, tunnel_host: str) -> bool:
    """Whether an admitted request came through the tunnel."""
    return tunnel_host != "" and asked.host.lower() == tunnel_host.lower()


def _host_is_ours(asked: Asked, tunnel_host: str) -> bool:
    # Exactly one, or two readers could disagree about it (RFC 9112, section 3.2).
    if len(asked.hosts) != 1:
        return False
    return bool(_LOCAL.match(asked.host.lower())) or through_tunnel(asked, tunnel_host)


def _site_may_ask(asked: Asked) -> bool:
    """Whether the page that makes a browser ask is our own, or there is none.

    What is no browser (curl, `offprompt fill`) sends neither header and passes. A click on the link in the agent's own
    web page is cross-site: a top-level navigation passes, as nobody but the person sees what comes.
    """
    if asked.sites:
        if asked.sites in (("same-origin",), ("none",)):
            return True
        navigates = (asked.modes, asked.dests) == (("navigate",), ("document",))
        return asked.method in ("GET", "HEAD") and navigates
    if asked.origins:
        host = asked.host.lower()
        return len(asked.origins) == 1 and asked.origins[0].lower() in (f"http://{host}", f"https://{host}")
    return True


def _is_long(length: str) -> bool:
    # By its digits first: Python refuses to read a number of thousands of them.
    return length.isascii() and length.isdigit() and (len(length) > 9 or int(length) > MAX_BODY)
