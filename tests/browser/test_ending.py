"""A request that ends under the page: answered elsewhere, expired, withdrawn, declined."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.person import OTHER, VALUE, open_page, write
from tests.browser.standin import StandIn, secret

pytestmark = pytest.mark.browser

Start = Callable[..., StandIn]


def test_a_request_answered_elsewhere_says_so_and_gives_back_what_was_typed(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"), secret("TWO"))
    open_page(page, service.link)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_label("ONE", exact=True).fill(VALUE)
    page.get_by_label("TWO", exact=True).fill(OTHER)
    service.script.answers = [(410, {"status": "written", "expires_in": 0, "fingerprint": ["🐶", "🐶", "🐶", "🐶"]})]
    write(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Already answered")
    expect(page.locator(".write")).to_have_count(0)
    page.get_by_role("button", name="Copy TWO").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == OTHER


def test_two_tabs_one_writes_and_the_other_hears_of_it(context: BrowserContext, page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"))
    open_page(page, service.link)
    second = context.new_page()
    open_page(second, service.link)
    second.get_by_label("ONE", exact=True).fill(OTHER)
    page.get_by_label("ONE", exact=True).fill(VALUE)
    write(page)
    expect(page.locator(".fingerprint")).to_be_visible()
    second.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(second.get_by_role("heading", level=1)).to_have_text("Already answered")
    assert second.get_by_label("ONE", exact=True).input_value() == OTHER


@pytest.mark.parametrize(
    ("status", "heading"), [("expired", "This request has expired"), ("cancelled", "This request was withdrawn")]
)
def test_a_request_that_closes_while_typing_says_how(page: Page, stand_in: Start, status: str, heading: str) -> None:
    service = stand_in(secret("ONE"))
    open_page(page, service.link)
    page.get_by_label("ONE", exact=True).fill(VALUE)
    service.script.status = {"status": status, "expires_in": 0}
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)
    expect(page.locator("#contact")).to_have_text("Closed")
    assert page.get_by_label("ONE", exact=True).input_value() == VALUE
    expect(page.get_by_label("ONE", exact=True)).not_to_be_editable()


def test_time_runs_out_on_the_bar_and_the_page_asks_at_its_end(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"), expires_in=62)
    page.clock.install()
    page.goto(service.link)
    page.clock.run_for(10)
    expect(page.locator("#left")).to_have_text("2 min left")
    service.script.data["expires_in"] = 50
    page.clock.run_for(10_100)
    expect(page.locator("#left")).to_have_text("50 s left")
    page.clock.run_for(2_000)
    expect(page.locator("#left")).to_have_text("48 s left")
    service.script.status = {"status": "expired", "expires_in": 0}
    page.clock.run_for(50_000)
    expect(page.get_by_role("heading", level=1)).to_have_text("This request has expired")


def test_declining_asks_first_and_costs_nothing(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"))
    open_page(page, service.link)
    page.get_by_label("ONE", exact=True).fill(VALUE)
    page.get_by_role("button", name="Decline", exact=True).click()
    expect(page.get_by_role("button", name="Go on filling in")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Decline", exact=True)).to_be_focused()
    assert not service.script.declined
    assert page.get_by_label("ONE", exact=True).input_value() == VALUE
    page.get_by_role("button", name="Decline", exact=True).click()
    page.get_by_role("button", name="Yes, decline").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Declined")
    assert service.script.declined
    assert service.script.posts == []


def test_a_browser_that_does_not_let_the_page_copy_says_so_and_keeps_the_value(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"))
    page.add_init_script("navigator.clipboard.writeText = () => Promise.reject(new Error('no'))")
    open_page(page, service.link)
    page.get_by_label("ONE", exact=True).fill(VALUE)
    service.script.status = {"status": "expired", "expires_in": 0}
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    page.get_by_role("button", name="Copy ONE").click()
    expect(page.get_by_role("button", name="Could not copy")).to_be_visible()
    page.get_by_role("button", name="Show ONE").click()
    assert page.get_by_label("ONE", exact=True).input_value() == VALUE
