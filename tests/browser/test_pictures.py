"""The pictures of the page in the README: taken by this test when it is asked for, and never older than the page.

`make pictures` takes them. Each carries a digest of the markup and the style that it shows. Any other run opens the
same page and compares: it fails when the page has changed. No pixels are compared, as fonts differ by machine.
"""

from __future__ import annotations

import hashlib
import os
import struct
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from offprompt.request.spec import Entry
from tests.browser.standin import StandIn, asked
from tests.browser.states import Scene

pytestmark = pytest.mark.browser

Start = Callable[..., StandIn]

IMAGES = Path(__file__).parents[2] / "docs" / "images"

WIDTH, SCALE = 720, 1.5
"""CSS pixels, and device pixels of each: sharp on the screens that most people read on."""

MAX_BYTES = 150_000
"""Of one picture: a README is read on slow lines, too."""

SIGNATURE = b"\x89PNG\r\n\x1a\n"

KEYWORD = b"offprompt-page\0"
"""Of the chunk of text (PNG, 11.3.4.3) that holds the digest."""

REASON = "<p>Checkout signs its requests with <strong>Stripe</strong> and keeps orders in a database.</p>"


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": WIDTH, "height": 600}, device_scale_factor=SCALE)
    yield context.new_page()
    context.close()


def filled(page: Page, start: Start) -> None:
    """Two values are asked for and typed; nothing has the focus."""
    scene = Scene(page, start)
    caption = "Dashboard, Developers, API keys"
    scene.open(asked(Entry("STRIPE_SECRET_KEY", caption=caption)), asked(Entry("DATABASE_URL")), reason=REASON)
    scene.type("STRIPE_SECRET_KEY", "sk_test_" + "a1B2c3D4" * 4)
    scene.type("DATABASE_URL", "postgres://shop:made-up@localhost:5432/shop")
    expect(page.locator(".judged li.pass")).to_have_count(2)


def shown(page: Page) -> bytes:
    """A digest of the markup and the style that the page shows."""
    text: str = page.evaluate("document.querySelector('main').outerHTML + document.querySelector('style').textContent")
    return hashlib.sha256(text.encode()).hexdigest().encode()


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def chunks(picture: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Each chunk's kind and data."""
    assert picture.startswith(SIGNATURE)
    at = len(SIGNATURE)
    while at < len(picture):
        (size,) = struct.unpack_from(">I", picture, at)
        yield picture[at + 4 : at + 8], picture[at + 8 : at + 8 + size]
        at += 12 + size


def packed(picture: bytes, digest: bytes) -> bytes:
    """The same picture, packed as tightly as zlib can, with the digest in it."""
    parts = list(chunks(picture))
    pixels = zlib.compress(zlib.decompress(b"".join(data for kind, data in parts if kind == b"IDAT")), 9)
    (head,) = (data for kind, data in parts if kind == b"IHDR")
    text = chunk(b"tEXt", KEYWORD + digest)
    return SIGNATURE + chunk(b"IHDR", head) + text + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_readmes_picture_shows_the_page_as_it_is(
    page: Page, stand_in: Start, scheme: Literal["light", "dark"]
) -> None:
    page.emulate_media(color_scheme=scheme)
    filled(page, stand_in)
    file, digest = IMAGES / f"page-{scheme}.png", shown(page)
    if os.environ.get("OFFPROMPT_PICTURES"):
        page.evaluate("scrollTo(0, 0)")
        file.write_bytes(packed(page.screenshot(full_page=True, animations="disabled"), digest))
    picture = file.read_bytes()
    parts = list(chunks(picture))
    width, height = struct.unpack_from(">II", parts[0][1])
    assert width == WIDTH * SCALE
    assert width / 2 < height < 2 * width
    assert len(picture) <= MAX_BYTES
    stale = "the page has changed since its picture was taken: run `make pictures`, look at them, and commit them"
    assert (b"tEXt", KEYWORD + digest) in parts, stale
