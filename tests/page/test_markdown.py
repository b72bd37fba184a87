"""The reason: Markdown that can say things and do nothing."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from offprompt.page.markdown import render_reason
from offprompt.request.spec import MAX_REASON

ALLOWED = {"p", "em", "strong", "code", "pre", "ul", "ol", "li", "blockquote", "br", "hr"}


def tags(html: str) -> set[str]:
    return set(re.findall(r"</?([a-zA-Z0-9-]+)", html))


def test_plain_marks_are_rendered() -> None:
    assert render_reason("Needs **Stripe** and `a.b`:\n\n- one\n- *two*") == (
        "<p>Needs <strong>Stripe</strong> and <code>a.b</code>:</p>\n<ul>\n<li>one</li>\n<li><em>two</em></li>\n</ul>\n"
    )


def test_no_reason_is_nothing_at_all() -> None:
    assert render_reason("") == ""


@pytest.mark.parametrize(
    "reason",
    [
        "[click](https://evil.example)", "[click](javascript:alert(1))", "<https://evil.example>", "https://evil.example",
        "![x](https://evil.example/pixel.png)", "[a][b]\n\n[b]: https://evil.example", "<a href=//evil.example>x</a>",
        "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<!-- x -->", "<style>*{display:none}</style>",
        "# Heading", "Heading\n=======", "<b onmouseover=x>", "&lt;script&gt;", "<svg/onload=x>", "</script><script>",
        "```html\n<script>\n```", "    <script>", "`<script>`", "> <script>", "1. <script>", "{{nonce}} {{script}}",
        '```a"onclick="x\ncode\n```',
    ],
)  # fmt: skip
def test_nothing_in_it_is_live(reason: str) -> None:
    html = render_reason(reason)
    assert tags(html) <= ALLOWED
    assert not re.search(r"<[^>]+\s(?!class=\"language-)[a-z]+=", html)
    assert not re.search(r"\b(?:href|src|style)\s*=\s*[\"']?[^&]", re.sub(r">[^<]*<", "><", html))


def test_an_address_is_there_to_be_read() -> None:
    assert "https://evil.example" in render_reason("[click](https://evil.example)")


@given(st.text(alphabet=st.sampled_from("<>&\"'`*_~[]()!#-+=|\\:/ \n\tab1.\u202e{}"), max_size=400))
def test_no_markdown_makes_other_tags(reason: str) -> None:
    html = render_reason(reason)
    assert tags(html) <= ALLOWED
    assert "\u202e" not in html


@pytest.mark.parametrize(
    "bomb",
    [
        "> ",
        ">",
        "- ",
        "* * ",
        "[",
        "![",
        "**a",
        "_a_",
        "`",
        "``` ",
        "<",
        "&",
        "\\",
        "1. ",
        "\n\n- a",
        "*a **b ",
        "![[]](",
        "\t- ",
    ],
)
def test_no_bomb_grows_or_takes_long(bomb: str) -> None:
    """2,000 characters that grow at most twentyfold, in at most half a second on a slow machine."""
    reason = (bomb * MAX_REASON)[:MAX_REASON]
    started = time.process_time()
    html = render_reason(reason)
    assert time.process_time() - started < 0.5
    assert len(html) < 20 * MAX_REASON
