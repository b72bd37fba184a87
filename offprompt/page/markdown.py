"""The agent's reason, from Markdown to HTML that cannot do anything.

No HTML of its own, no links, no images, no headings that could pass for the page's. What would have made one is shown
as it was written, so that a person reads an address rather than clicking it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from offprompt.text import visible

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

MAX_NESTING = 20
"""Levels of a reason's Markdown: deeper is text. The number is CommonMark's usual preset in markdown-it."""

_NEVER = ["heading", "lheading", "html_block", "html_inline", "link", "image", "autolink", "reference"]


@cache
def _renderer() -> MarkdownIt:
    from markdown_it import MarkdownIt  # 20 ms that only the first page pays

    return MarkdownIt("commonmark", {"html": False, "maxNesting": MAX_NESTING}).disable(_NEVER)


def render_reason(reason: str) -> str:
    """Return `reason` (2,000 characters of Markdown at most) as HTML of p, em, strong, code, pre, lists, quotes, br, hr

    Markdown decodes HTML entities (`&#x202e;`), so the characters that a page must not show are replaced afterwards.
    """
    html: str = _renderer().render(reason)
    return visible(html)
