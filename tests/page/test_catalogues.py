"""Languages: loaded whole, chosen by the browser's wishes."""

from __future__ import annotations

import pytest

from offprompt.page.catalogues import Catalogue, choose, load_catalogues

TAGS = {tag: Catalogue(tag, "ltr", {}, {}) for tag in ("en", "de", "pt-br", "zh-hans", "ar")}


@pytest.mark.parametrize(
    ("languages", "tag"), [("", "en"), ("fr, ar;q=0.1", "ar"), ("de-CH", "de"), ("zh-CN", "zh-hans")]
)
def test_the_weightiest_language_we_have_is_chosen(languages: str, tag: str) -> None:
    assert choose(languages, TAGS).lang == tag


def test_english_is_there_and_whole() -> None:
    english = load_catalogues()["en"]
    assert (english.lang, english.dir) == ("en", "ltr")
    assert set(english.words) == {"lang", "dir", "name", "page"}
    assert {"403", "404", "421", "410.written", "410.expired", "410.cancelled"} <= english.notices.keys()
    assert all(set(words) == {"heading", "body"} for words in english.notices.values())


def test_in_a_language_from_right_to_left_every_fact_is_set_apart() -> None:
    """Else the point of `.env` would go to its other end."""
    catalogue = Catalogue("ar", "rtl", {"page": {"title": "{host} x {path}"}}, {})
    assert catalogue.phrase("title", host="Codex", path=".env") == "\u2068Codex\u2069 x \u2068.env\u2069"


def test_a_phrase_is_filled_in_once() -> None:
    catalogue = Catalogue("en", "ltr", {"page": {"title": "{host} asks for {path}, {nothing} {"}}, {})
    assert catalogue.phrase("title", host="{path}", path="{host}") == "{path} asks for {host}, {nothing} {"
