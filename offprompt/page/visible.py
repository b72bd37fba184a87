"""Text from outside, made safe to be read: nothing in it can move, hide or reorder what stands around it."""

from __future__ import annotations

import re

_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]")
"""Control characters but tab and line feed; embeddings, overrides and isolates of bidirectional text (Unicode UAX #9,
sections 2.1 to 2.4: an override makes a file name read backwards); marks that nobody sees, and the tag characters in
which text can be smuggled. Left-to-right and right-to-left marks stay: honest text needs them."""


def visible(text: str) -> str:
    """`text` with each such character replaced by U+FFFD, so that a reader sees that something was there."""
    return _UNSEEN.sub("\ufffd", text.replace("\r\n", "\n"))
