"""The page's words in every language: the same keys, the same places for facts, a name for every emoji."""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from offprompt.request.emoji import EMOJI

WORDS = Path(__file__).parents[2] / "offprompt" / "page" / "words"
CATALOGUES: dict[str, dict[str, Any]] = {path.stem: json.loads(path.read_text()) for path in WORDS.glob("*.json")}
ENGLISH = CATALOGUES["en"]
OTHERS = sorted(CATALOGUES.keys() - {"en"})

ISOLATES = "\u2068\u2069"


def _phrases(catalogue: dict[str, Any]) -> dict[str, dict[str, str]]:
    """Every phrase, notices included, as its plural forms: `other` alone where it has none."""
    notices = {
        f"notice.{code}.{part}": text for code, words in catalogue["notice"].items() for part, text in words.items()
    }
    phrases = {**catalogue["page"], **notices}
    return {key: phrase if isinstance(phrase, dict) else {"other": phrase} for key, phrase in phrases.items()}


def _facts(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def test_these_languages_are_there() -> None:
    assert set(CATALOGUES) == {"ar", "de", "en", "es", "fr", "ja", "ko", "pt", "zh-Hans"}


@pytest.mark.parametrize("lang", OTHERS)
def test_a_language_says_what_english_says_in_its_order(lang: str) -> None:
    words = CATALOGUES[lang]
    assert (words["lang"], words["dir"]) == (lang, "rtl" if lang == "ar" else "ltr")
    assert words["name"]
    for part in ("page", "notice"):
        assert list(words[part]) == list(ENGLISH[part])
    assert all(notice.keys() == {"heading", "body"} for notice in words["notice"].values())


@pytest.mark.parametrize("lang", OTHERS)
def test_facts_stand_in_every_language_and_counted_phrases_are_counted(lang: str) -> None:
    """A form for zero, one or two may say its number in words."""
    for key, phrase in _phrases(CATALOGUES[lang]).items():
        english = _phrases(ENGLISH)[key]
        assert (len(phrase) > 1) >= (len(english) > 1 and lang not in ("ja", "ko", "zh-Hans")), key
        for form, text in phrase.items():
            wanted = _facts(english["other"])
            spoken = {"n"} if form in ("zero", "one", "two") else set()
            assert wanted - spoken <= _facts(text) <= wanted, (key, form)


@pytest.mark.parametrize("lang", sorted(CATALOGUES))
def test_every_emoji_has_a_name_of_its_own(lang: str) -> None:
    names = CATALOGUES[lang]["page"]["emoji"].split("|")
    assert len(names) == len(set(names)) == len(EMOJI)
    assert all(name == name.strip() and name for name in names)


@pytest.mark.parametrize("lang", OTHERS)
def test_nothing_was_left_in_english(lang: str) -> None:
    """A phrase of several words that is the same in two languages was forgotten."""
    english = _phrases(ENGLISH)
    same = [key for key, phrase in _phrases(CATALOGUES[lang]).items() if phrase["other"] == english[key]["other"]]
    assert not [key for key in same if len(re.sub(r"\{\w+\}", "", english[key]["other"]).split()) > 1]


@pytest.mark.parametrize("lang", sorted(CATALOGUES))
def test_phrases_are_plain_text(lang: str) -> None:
    """Without markup, stray blanks and signs nobody sees, but isolates that are closed again."""
    for key, phrase in _phrases(CATALOGUES[lang]).items():
        for text in phrase.values():
            assert text == text.strip() == unicodedata.normalize("NFC", text), key
            assert "<" not in text, key
            assert "  " not in text, key
            unseen = [sign for sign in text if unicodedata.category(sign) in ("Cc", "Cf") and sign not in ISOLATES]
            assert not unseen, key
            assert text.count("\u2068") == text.count("\u2069"), key


def test_in_arabic_signs_that_belong_to_latin_words_stay_with_them() -> None:
    """`#k=` would be read as `=k#` between letters from right to left."""
    for key, phrase in _phrases(CATALOGUES["ar"]).items():
        for text in phrase.values():
            loose = re.sub("\u2068[^\u2069]*\u2069", "", text)
            assert not re.search(r"#k=|[0-9]\.[0-9]|[0-9] [A-Z]", loose), key


@pytest.mark.parametrize("lang", sorted(CATALOGUES))
def test_what_a_button_is_called_holds_what_is_written_on_it(lang: str) -> None:
    """Who speaks to the browser says what they read (WCAG 2.2, 2.5.3)."""
    page = CATALOGUES[lang]["page"]
    of = [key for key in page if key.endswith(".of")]
    assert "field.show.of" in of
    assert not [key for key in of if page[key.removesuffix(".of")].lower() not in page[key].lower()]


FRAGMENTS = re.compile(
    r"(title|says|values|language|bar\..*|left\..*|where|where\.(in|path|allow)|bring\.choose|fill\.(more|undo)"
    r"|field\.(get|show|hide|copy|file)(\..*)?|field\.(copied|uncopied|empty)|made\.again(\.of)?|check\.(form|trim)"
    r"|span(\..*)?|chars\..*|format\..*|write(\.(nothing|left|tick|sending|again|anyway))?|decline(\.(yes|no))?"
    r"|away|written|written\.(fault|theirs|ours)|overtaken|overtaken\.typed|outcome\..*|ended\.\w+|ended\.typed"
    r"|cut|unfit|emoji|notice\..*\.heading)"
)
"""Headings, labels, what stands on buttons, and the parts that sentences are made of."""

BEGINS = re.compile(r"[\u2068\u2066]|[{(1-9]")
"""A fact, a number or something in isolates, as which no letter can be large."""


@pytest.mark.parametrize("lang", sorted(CATALOGUES))
def test_a_message_is_a_whole_sentence(lang: str) -> None:
    """It begins with a capital, where the language has any, and ends with a full stop."""
    for key, phrase in _phrases(CATALOGUES[lang]).items():
        if FRAGMENTS.fullmatch(key) and key != "ended.typed":
            continue
        for text in phrase.values():
            assert text.endswith((".", "。", "?", "؟")), (key, text)
            first = text[0]
            own_name = text.startswith(("git", "offprompt", "shell"))
            assert BEGINS.match(text) or own_name or first == first.upper(), (key, text)


@pytest.mark.parametrize("lang", sorted(CATALOGUES))
def test_the_label_of_the_agents_words_is_quoted_where_it_is_explained(lang: str) -> None:
    page = CATALOGUES[lang]["page"]
    assert page["says"] in page["claims"]
