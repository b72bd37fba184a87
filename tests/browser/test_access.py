"""The page for everybody: axe-core in every state, keyboard alone, narrow screens, large text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import AXE
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
SINK = {"tracked": True, "ignored": False, "exists": True, "readable_by_others": True}
REASON = (
    "<p>Checkout needs <strong>Stripe</strong>:</p><ul><li>a key</li></ul><pre><code>" + "x" * 200 + "</code></pre>"
)


def findings(page: Page) -> list[str]:
    """What axe-core has to say about the page, best practices included."""
    page.evaluate(AXE.read_text())  # by the debugger, as the page's own policy lets no script in
    seen = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [f"{one['id']}: {json.dumps([node['html'][:120] for node in one['nodes']])}" for one in seen["violations"]]


def overflow(page: Page) -> int:
    """By how many px the page is wider than its window."""
    width: int = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return max(0, width)


@pytest.fixture(
    params=[("light", 390), ("dark", 390), ("light", 1280), ("dark", 1280)], ids=lambda one: f"{one[0]}-{one[1]}"
)
def view(request: pytest.FixtureRequest, chromium: Browser) -> Iterator[Page]:
    scheme, width = request.param
    if not AXE.is_file():
        pytest.skip("needs axe-core: npm ci in offprompt/page/script")
    context = chromium.new_context(
        color_scheme=scheme, viewport={"width": width, "height": 800}, has_touch=width == 390
    )
    yield context.new_page()
    context.close()


def test_axe_finds_nothing_in_any_state(view: Page, stand_in: Start) -> None:
    service = stand_in(*EVERYTHING, sink=SINK, reason=REASON)
    view.goto(service.link)
    expect(view.locator("#contact")).to_have_text("Connected")
    found = {"form": findings(view)}
    for field in view.locator(".typed").all():
        field.fill(VALUE)
    view.get_by_label("Write it all the same").check()
    view.get_by_role("button", name="Decline", exact=True).click()
    found["filled and declining"] = findings(view)
    view.get_by_role("button", name="Go on filling in").click()
    service.script.answers = [
        (422, {"errors": {"MAX_RETRIES": ["A whole number."]}, "form": ["And more."]}),
        (500, {"error": "Disk full."}),
    ]
    view.locator(".write").click()
    expect(view.locator(".wrong")).to_have_count(1)
    found["errors"] = findings(view)
    view.locator(".write").click()
    expect(view.locator(".problems.warn")).to_be_visible()
    found["try again"] = findings(view)
    service.script.status = {"status": "gone"}
    view.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(view.locator(".lost")).not_to_be_empty()
    found["away"] = findings(view)
    assert overflow(view) == 0
    service.script.status = None
    view.locator(".write").click()
    expect(view.locator(".fingerprint")).to_be_visible()
    found["written"] = findings(view)
    assert found == {state: [] for state in found}
    assert overflow(view) == 0


def test_axe_finds_nothing_in_the_pages_that_end(view: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"))
    found = {}
    view.goto(service.link[:-1])
    expect(view.get_by_role("heading", level=1)).to_have_text("The link was cut")
    found["cut"] = findings(view)
    view.goto(service.link)
    view.get_by_label("ONE", exact=True).fill(VALUE)
    service.script.status = {"status": "expired", "expires_in": 0}
    view.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(view.get_by_role("heading", level=1)).to_have_text("This request has expired")
    found["expired"] = findings(view)
    service.script.status, service.script.wrong_fingerprint = None, True
    view.reload()
    view.get_by_label("ONE", exact=True).fill(VALUE)
    view.locator(".write").click()
    expect(view.locator(".fault")).to_be_visible()
    found["fault"] = findings(view)
    assert found == {state: [] for state in found}


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
