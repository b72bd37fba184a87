"""The page's templates and words, as files."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from offprompt.request.emoji import EMOJI_NAMES

ROOM = Path(__file__).parents[2] / "offprompt" / "page"


@pytest.mark.parametrize(
    ("template", "places"),
    [
        (
            "page.html",
            {
                "lang",
                "dir",
                "title",
                "says",
                "noscript",
                "reason",
                "nonce",
                "style",
                "script",
                "request",
                "words",
                "languages",
            },
        ),
        ("notice.html", {"lang", "dir", "nonce", "style", "heading", "body"}),
    ],
)
def test_a_template_has_these_places_and_nothing_that_loads(template: str, places: set[str]) -> None:
    text = (ROOM / "static" / template).read_text()
    assert set(re.findall(r"\{\{(\w+)\}\}", text)) == places
    assert re.findall(r'(?:src|href|action)="([^"]*)"', text) == ["data:,"]
    assert "style=" not in text
    assert not re.search(r"\son\w+=", text)


def test_every_word_is_text_and_every_emoji_has_its_name() -> None:
    words = json.loads((ROOM / "words" / "en.json").read_text())
    assert set(words) == {"lang", "dir", "name", "page", "notice"}
    assert words["page"]["emoji"].split("|") == list(EMOJI_NAMES)
    for phrase in words["page"].values():
        assert isinstance(phrase, str) or phrase.keys() == {"one", "other"}
        assert "<" not in str(phrase)
    assert set(words["notice"]) == {"403", "404", "410.written", "410.expired", "410.cancelled", "421"}
    assert all(notice.keys() == {"heading", "body"} for notice in words["notice"].values())
