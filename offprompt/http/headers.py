"""The headers of every answer, whoever made it.

Every answer gets all of them, a refusal of two lines too, so that there are no exceptions to remember.
"""

from __future__ import annotations

from dataclasses import dataclass, field

_CLOSED_FEATURES = (
    "accelerometer", "autoplay", "browsing-topics", "camera", "clipboard-read", "display-capture", "encrypted-media",
    "fullscreen", "geolocation", "gyroscope", "hid", "idle-detection", "local-fonts", "magnetometer", "microphone",
    "midi", "payment", "picture-in-picture", "publickey-credentials-get", "screen-wake-lock", "serial",
    "storage-access", "usb", "window-management", "xr-spatial-tracking",
)  # fmt: skip
"""Closed for our own pages too: what reaches out of a page and is known to Chromium, which warns of names it does not
know. `clipboard-write` is for each page to decide."""

_CLOSED = ", ".join(f"{feature}=()" for feature in _CLOSED_FEATURES)

_FIXED = (
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
    ("Cache-Control", "no-store, no-transform"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
)


@dataclass(frozen=True, slots=True)
class Policy:
    """What a browser lets an answer do: nothing, unless the answer says otherwise.

    `content` is a Content-Security-Policy (CSP Level 3). `copies` says whether the page may write to the clipboard.
    """

    content: str = "default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    copies: bool = False
    headers: tuple[tuple[str, str], ...] = field(init=False)
    """The headers that keep the answer to itself."""

    def __post_init__(self) -> None:
        clipboard = "clipboard-write=(self)" if self.copies else "clipboard-write=()"
        permissions = ("Permissions-Policy", f"{_CLOSED}, {clipboard}")
        object.__setattr__(self, "headers", (("Content-Security-Policy", self.content), *_FIXED, permissions))


NOTHING_RUNS = Policy()
"""The policy of data, which no browser shows as a page."""
