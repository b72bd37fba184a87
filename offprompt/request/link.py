"""The link a person opens: `<origin>/r/<token>#k=<key>`.

A browser never sends what stands behind `#`, so the key reaches the page without passing the tunnel.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from offprompt import errors

TOKEN = re.compile(r"[0-9a-f]{32}\Z")
"""128 random bits in hex: too many to guess, and no letter that a chat window cuts."""
KEY = re.compile(r"[A-Za-z0-9_-]{43}\Z")
"""An X25519 public key, 32 bytes in base64url without padding."""

_LINK = re.compile(r"(?P<origin>https?://[^/?#\s]+)/r/(?P<token>[0-9a-f]{32})(?:#k=(?P<key>[A-Za-z0-9_-]*))?\Z")


@dataclass(frozen=True, slots=True)
class Link:
    """A request's link in its parts; `str()` is what a browser takes."""

    origin: str
    token: str
    key: str

    def __str__(self) -> str:
        return f"{self.origin}/r/{self.token}#k={self.key}"


def parse_link(text: str) -> Link:
    """The link in `text`, blanks at the ends dropped.

    Raises:
        NotALink: `text` is no link of offprompt.
        LinkCut: the key is missing or not whole; without it nothing can be sealed.
    """
    found = _LINK.match(text.strip())
    if found is None:
        raise errors.NotALink()
    key = found["key"] or ""
    if not KEY.match(key):
        raise errors.LinkCut()
    return Link(found["origin"], found["token"], key)
