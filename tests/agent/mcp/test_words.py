"""The sentences about the server and its tools that an agent acts on."""

from __future__ import annotations

import re

import pytest

from offprompt.agent.mcp import words

TEXTS = {name: text for name, text in vars(words).items() if name.isupper() and isinstance(text, str)}
REFUSALS = {name: function() for name, function in vars(words).items() if name.startswith("refuse_")}


@pytest.mark.parametrize("name", sorted({**TEXTS, **REFUSALS}))
def test_sentences_are_plain(name: str):
    text = {**TEXTS, **REFUSALS}[name]
    assert text == text.strip()
    assert text.isprintable()
    assert "  " not in text
    assert "{" not in text
    assert "http" not in text


@pytest.mark.parametrize("name", sorted(REFUSALS))
def test_a_refusal_says_what_to_do_next(name: str):
    assert "call again" in REFUSALS[name].lower()


def test_the_instructions_name_the_tools_and_what_never_to_do():
    for word in ("collect_secret", "await_secret", "Never ask for such a value in the chat", "Do not open the link"):
        assert word in words.INSTRUCTIONS
    assert not re.search(r"\bMCP\b|JSON|stdio|tunnel", words.INSTRUCTIONS), "no jargon"
