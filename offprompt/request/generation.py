"""Values that offprompt makes itself, such as session keys."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from offprompt.encoding import base64url

if TYPE_CHECKING:
    from collections.abc import Callable

    from offprompt.request.spec import Generate


def generate(wanted: Generate, random: Callable[[int], bytes]) -> str:
    """Return a new value: `wanted.bytes` bytes of `random` in `wanted.encoding` (RFC 4648: sections 4, 5, 8).

    base64url comes without padding, as such keys stand in URLs; base64 with it, as its readers demand it.
    """
    raw = random(wanted.bytes)
    if wanted.encoding == "hex":
        return raw.hex()
    if wanted.encoding == "base64":
        return base64.b64encode(raw).decode("ascii")
    return base64url(raw)
