"""The headers of every answer, whoever made it.

Each answer gets the whole set, a refusal of two lines too: none of them is worth a thought which it could do without.
"""

from __future__ import annotations

_POLICY = (
    "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'; img-src data:; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)

_CLOSED_FEATURES = (
    "accelerometer", "autoplay", "browsing-topics", "camera", "clipboard-read", "display-capture", "encrypted-media",
    "fullscreen", "geolocation", "gyroscope", "hid", "idle-detection", "local-fonts", "magnetometer", "microphone",
    "midi", "payment", "picture-in-picture", "publickey-credentials-get", "screen-wake-lock", "serial",
    "storage-access", "usb", "window-management", "xr-spatial-tracking",
)  # fmt: skip
"""Closed for this page too: what reaches out of a page and is known to Chromium, which warns of names it does not know.
`clipboard-write` is not here: the page offers to copy what was typed."""

_FIXED = (
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
    ("Cache-Control", "no-store, no-transform"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", ", ".join(f"{feature}=()" for feature in _CLOSED_FEATURES) + ", clipboard-write=(self)"),
)


def guarding(nonce: str) -> tuple[tuple[str, str], ...]:
    """The headers that keep a page to itself; its own script and style run by `nonce` (CSP Level 3, section 2.3.1)."""
    return (("Content-Security-Policy", _POLICY.format(nonce=nonce)), *_FIXED)
