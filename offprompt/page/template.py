"""Pages with holes in them: `{{name}}` in a template is where a text goes."""

from __future__ import annotations

import json
import re
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

_HOLE = re.compile(r"\{\{(\w+)\}\}")

_IN_SCRIPT = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}
"""What could end a script element, begin a comment in it (HTML, "Restrictions for contents of script elements") or, in
old engines, a line."""


class Template:
    """A template that is cut at its holes once: what goes into one hole is never searched for others."""

    def __init__(self, text: str) -> None:
        self._pieces = _HOLE.split(text)

    @property
    def holes(self) -> frozenset[str]:
        """The names of what is missing."""
        return frozenset(self._pieces[1::2])

    def fill(self, texts: Mapping[str, str]) -> str:
        """Return the page with `texts` (each already fit for its place) in the holes.

        Raises:
            KeyError: there is no text for a hole.
        """
        return "".join(texts[piece] if number % 2 else piece for number, piece in enumerate(self._pieces))

    def part(self, texts: Mapping[str, str]) -> Template:
        """Return the template that is left when some holes are filled for good."""
        left = Template("")
        for hole, after in zip(self._pieces[1::2], self._pieces[2::2], strict=True):
            if hole in texts:
                left._pieces[-1] += texts[hole] + after
            else:
                left._pieces += [hole, after]
        left._pieces[0] = self._pieces[0] + left._pieces[0]
        return left


def as_html(text: str) -> str:
    """Return `text` for a place between tags or in a quoted attribute."""
    return escape(text, quote=True)


def as_json(members: Mapping[str, Any]) -> str:
    """Return `members` as JSON for a place inside a script element."""
    return json.dumps(members, ensure_ascii=False, separators=(",", ":")).translate(_IN_SCRIPT)
