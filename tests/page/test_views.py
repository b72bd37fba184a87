"""The views, as functions of a record and a head."""

from __future__ import annotations

import gzip

import pytest

from offprompt import errors
from offprompt.http.head import RequestHead
from offprompt.page.pages import Pages
from offprompt.page.views import show_page, show_tunnel_nonce, show_words
from tests.page.world import World

PAGES = Pages(lambda: "N0nce")


@pytest.mark.parametrize("accept", ["text/html", "application/json"])
def test_compressed_and_plain_are_the_same(world: World, accept: str) -> None:
    record = world.record()
    plain, packed = (
        show_page(record, 0.0, RequestHead("GET", "/", accept=accept, encodings=coding), PAGES, tunnel=False)
        for coding in ("", "gzip, br")
    )
    assert gzip.decompress(packed.body) == plain.body
    assert dict(packed.headers)["Content-Encoding"] == "gzip"
    assert dict(packed.headers)["Content-Length"] == str(len(packed.body))
    assert "Content-Encoding" not in dict(plain.headers)


def test_the_whole_page_is_small_on_the_wire(world: World) -> None:
    """60 KB, everything in one request."""
    asked = RequestHead("GET", "/", accept="text/html", encodings="gzip")
    assert len(show_page(world.record(), 0.0, asked, PAGES, tunnel=False).body) < 60_000


def test_words_are_compressed_too() -> None:
    answer = show_words("en", RequestHead("GET", "/", encodings="gzip"), PAGES)
    assert gzip.decompress(answer.body).startswith(b'{"lang":"en"')


def test_without_a_tunnel_start_there_is_no_proof() -> None:
    with pytest.raises(errors.NoSuchPage):
        show_tunnel_nonce(None)
    assert show_tunnel_nonce("proof").body == b"proof"
