"""The page for everybody: keyboard alone, screen readers, narrow screens, large text, few colours.

What axe-core says of every state is in test_gallery.py, of every language in test_languages.py.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.reading import overflow
from tests.browser.standin import StandIn, secret

pytestmark = pytest.mark.browser

Start = Callable[..., StandIn]

VALUE = "made-up-value-of-a-test"
EVERYTHING = [
    secret("STRIPE_SECRET_KEY", label="Stripe secret key", caption="Dashboard, Developers", url="https://dashboard.stripe.com/apikeys"),
    secret("DATABASE_URL", label="Postgres address", present=True),
    secret("AUTH_SECRET", generate={"bytes": 32, "encoding": "base64url"}),
    secret("MAX_RETRIES", label="integer", secret=False),
    secret("SIGNING_KEY", label="private key", multiline=True),
    secret("A_NAME_SO_LONG_THAT_IT_NEEDS_MORE_THAN_ONE_LINE_ON_ANY_SCREEN_A_PERSON_HOLDS_IN_THE_HAND"),
]  # fmt: skip
SINK = {"git": "tracked", "ignored": False, "exists": True, "readable_by_others": True}
REASON = (
    "<p>Checkout needs <strong>Stripe</strong>:</p><ul><li>a key</li></ul><pre><code>" + "x" * 200 + "</code></pre>"
)


def test_the_whole_page_can_be_used_with_the_keyboard_alone(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"), secret("TWO", multiline=True), sink=SINK)
    page.goto(service.link)
    expect(page.locator("#contact")).to_have_text("Connected")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Language")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_label("Write it all the same")).to_be_focused()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Choose a file", exact=True)).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_label("ONE", exact=True)).to_be_focused()
    page.keyboard.type(VALUE)
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Show ONE")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Hide ONE")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.type("a\nb")
    for name in ("Choose a file for TWO", "Show TWO"):
        page.keyboard.press("Tab")
        expect(page.get_by_role("button", name=name)).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator(".write")).to_be_focused()
    outline = page.locator(".write").evaluate("element => getComputedStyle(element).outlineStyle")
    assert outline == "solid"
    page.keyboard.press("Enter")
    expect(page.locator(".fingerprint")).to_be_visible()
    assert service.script.opened[0]["values"] == {"ONE": VALUE, "TWO": "a\nb"}


def test_ctrl_enter_writes_from_any_field(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"), secret("TWO", multiline=True))
    page.goto(service.link)
    page.get_by_label("ONE", exact=True).fill(VALUE)
    page.get_by_label("TWO", exact=True).fill("lines")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".fingerprint")).to_be_visible()
    assert service.script.opened[0]["values"] == {"ONE": VALUE, "TWO": "lines"}


@pytest.mark.parametrize("width", [320, 390, 640, 768])
def test_no_width_makes_the_page_scroll_sideways(
    context: BrowserContext, page: Page, stand_in: Start, width: int
) -> None:
    """320 px is 1280 px at a zoom of 400 % (WCAG 2.2, 1.4.10), 640 px at 200 %."""
    service = stand_in(*EVERYTHING, sink=SINK, reason=REASON, host="An agent with a remarkably long name indeed")
    page.set_viewport_size({"width": width, "height": 700})
    page.goto(service.link)
    expect(page.locator("#contact")).to_have_text("Connected")
    assert overflow(page) == 0


def test_what_a_finger_presses_is_at_least_44_px_high(chromium: Browser, stand_in: Start) -> None:
    context = chromium.new_context(viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(stand_in(*EVERYTHING, sink=SINK).link)
    expect(page.locator("#contact")).to_have_text("Connected")
    boxes = [one.bounding_box() for one in page.locator("button:visible, .tick:visible, textarea, a").all()]
    assert len(boxes) > 8
    assert not [box for box in boxes if box is None or box["height"] < 44]
    size = page.locator("textarea").first.evaluate("element => parseFloat(getComputedStyle(element).fontSize)")
    assert size >= 16  # below that a phone zooms into the field
    context.close()


def test_nothing_moves_where_motion_is_not_wanted(chromium: Browser, stand_in: Start) -> None:
    context = chromium.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.goto(stand_in(secret("ONE")).link)
    moves = page.evaluate(
        "[...document.querySelectorAll('*')].filter(e => getComputedStyle(e).transitionDuration !== '0s').length"
    )
    assert moves == 0
    context.close()
