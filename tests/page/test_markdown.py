"""The reason: Markdown that can say things and do nothing."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from offprompt.page.markdown import render_reason
from offprompt.request.spec import MAX_REASON
from offprompt.text import is_unseen

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
    ("reason", "shown"),
    [
        ("a\u202eb", "a\ufffdb"),  # raw
        ("a&#x202e;b", "a\ufffdb"),
        ("a&#8238;b", "a\ufffdb"),
        ("a&ZeroWidthSpace;b", "a\ufffdb"),
        ("a&shy;b", "a\ufffdb"),
        ("a&#xE0041;b", "a\ufffdb"),  # a tag: text that is not shown
        ("a&#x3164;b", "a\ufffdb"),
        ("a&#0;b&#xd800;c", "a\ufffdb\ufffdc"),
        ("a&amp;#x202e;b", "a&amp;#x202e;b"),  # encoded twice: shown as it was written
        ("*&#x2066;a*", "<em>\ufffda</em>"),
        ("`&#x202e;`", "<code>&amp;#x202e;</code>"),
        ("`\u202e`", "<code>\ufffd</code>"),
        ("[a&#x202e;b](https://shop.example)", "[a\ufffdb](https://shop.example)"),
        ("![&#x202e;](x)", "![\ufffd](x)"),
        ("<&#x202e;>", "&lt;\ufffd&gt;"),
        ("a&rlm;b&zwnj;c", "a\u200fb\u200cc"),  # honest text needs them
    ],
)
def test_no_way_of_writing_a_character_hides_or_turns_anything(reason: str, shown: str) -> None:
    assert render_reason(reason) == f"<p>{shown}</p>\n"


def test_the_name_of_a_codes_language_hides_nothing_either() -> None:
    assert "\u202e" not in render_reason("```a&#x202e;b\ncode\n```")


@given(st.text(alphabet=st.sampled_from("&#x;202e8238shy `*[]()\\\n~>_\u202e\U000e0041"), max_size=200))
def test_nothing_unseen_is_ever_shown(reason: str) -> None:
    assert not [letter for letter in render_reason(reason) if letter not in "\n\t" and is_unseen(letter)]


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
