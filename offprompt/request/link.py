"""The link that a person opens: `<origin>/r/<token>#k=<key>`.

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

# No user before the host: `https://127.0.0.1@elsewhere/` reads like one host and is another (RFC 3986, section 7.6).
# What stands behind /r/ may be any beginning of a token and a key, so that a link cut anywhere there is called cut.
_LINK = re.compile(
    r"(?P<origin>https?://[^/?#\\@\s]+)/r/(?:(?P<token>[0-9a-f]{32})(?:#(?:k(?:=(?P<key>[A-Za-z0-9_-]*))?)?)?|[0-9a-f]*)\Z"
)

_BEFORE = "<([{\"'`*“‘„«"
_BEHIND = ">)]}\"'`*”’“»….,;:!?。、"
"""What stands around a link in a sentence or in Markdown and is copied with it. No key ends with one of these."""


@dataclass(frozen=True, slots=True)
class Link:
    """A request's link in its parts; `str()` is what a browser takes."""

    origin: str
    token: str
    key: str

    def __str__(self) -> str:
        return f"{self.origin}/r/{self.token}#k={self.key}"


def parse_link(text: str) -> Link:
    """Return the link in `text`. Blanks, quotes, brackets and the end of a sentence around it do not count.

    Raises:
        NotALink: `text` is no link of offprompt.
        LinkCut: it ends within the token or the key, or has no key; without it nothing can be sealed.
    """
    found = _LINK.match(text.strip().lstrip(_BEFORE).rstrip(_BEHIND).strip())
    if found is None:
        raise errors.NotALink()
    token, key = found["token"] or "", found["key"] or ""
    if not TOKEN.match(token) or not KEY.match(key):
        raise errors.LinkCut()
    return Link(found["origin"], token, key)
