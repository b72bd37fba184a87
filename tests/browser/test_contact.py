"""A service that goes away under the page, and one that does not come back."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.standin import StandIn, secret
from tests.browser.traffic import Traffic

pytestmark = pytest.mark.browser

Start = Callable[..., StandIn]

VALUE = "made-up-value-of-a-test"


def open_page(page: Page, service: StandIn) -> Traffic:
    """With a clock that goes when told."""
    page.clock.install()
    traffic = Traffic(page)
    page.goto(service.link)
    page.clock.run_for(10)
    expect(page.locator("#contact")).to_have_text("Connected")
    return traffic


def test_a_service_that_goes_away_and_comes_back_while_typing_costs_nothing(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"), secret("TWO"))
    traffic = open_page(page, service)
    page.get_by_label("ONE", exact=True).fill(VALUE)
    port = service.port
    service.close()
    traffic.run(11)
    expect(page.locator("#contact")).to_have_text("Reconnecting")
    page.get_by_label("TWO", exact=True).fill("typed while it was away")
    page.locator(".write").click()
    expect(page.get_by_role("alert")).to_contain_text("No answer. Everything you typed is still here.")
    again = StandIn(service.script, port)
    traffic.run(3)
    expect(page.locator("#contact")).to_have_text("Connected")
    page.locator(".write").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Written to .env")
    assert service.script.opened[0]["values"] == {"ONE": VALUE, "TWO": "typed while it was away"}
    again.close()


def test_after_half_a_minute_the_session_has_probably_ended_and_values_can_be_copied(
    page: Page, stand_in: Start
) -> None:
    service = stand_in(secret("ONE"), secret("TWO"))
    traffic = open_page(page, service)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_label("ONE", exact=True).fill(VALUE)
    service.script.silent = True
    traffic.run(35)
    expect(page.locator(".lost")).to_be_empty()
    traffic.run(10)
    expect(page.locator(".lost")).to_contain_text("The session of Claude Code has probably ended")
    expect(page.locator("#contact")).to_have_text("No connection")
    expect(page.locator("#left")).to_be_empty()
    assert page.get_by_label("ONE", exact=True).input_value() == VALUE
    assert page.get_by_role("button", name="Copy TWO").count() == 0
    page.get_by_role("button", name="Copy ONE").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == VALUE
    service.script.silent = False
    traffic.run(11)
    expect(page.locator("#contact")).to_have_text("Connected")
    expect(page.locator(".lost")).to_be_empty()
    expect(page.locator(".write")).to_have_text("1 value left to fill in")


def test_another_service_on_the_same_port_is_told_at_once(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"))
    open_page(page, service)
    page.get_by_label("ONE", exact=True).fill(VALUE)
    service.script.status = {"status": "gone"}
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(page.locator(".lost")).to_contain_text("probably ended")
    assert page.get_by_label("ONE", exact=True).input_value() == VALUE


def test_a_page_that_is_looked_at_again_asks_at_once(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"))
    open_page(page, service)
    before = len(service.script.requests)
    with page.expect_response("**/status"):
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert len(service.script.requests) == before + 1


def test_an_hour_asleep_ends_with_a_question_and_costs_nothing_typed(page: Page, stand_in: Start) -> None:
    """The lid was closed: no timer ran, and then all that were due run once."""
    service = stand_in(secret("ONE"))
    open_page(page, service)
    page.get_by_label("ONE", exact=True).fill(VALUE)
    service.script.status = {"status": "expired", "expires_in": 0}
    page.clock.fast_forward("01:00:00")
    expect(page.get_by_role("heading", level=1)).to_have_text("This request has expired")
    assert page.get_by_label("ONE", exact=True).input_value() == VALUE


def test_a_nap_shorter_than_the_request_goes_on_where_it_was(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"))
    open_page(page, service)
    page.get_by_label("ONE", exact=True).fill(VALUE)
    service.script.data["expires_in"] = 100
    with page.expect_response("**/status"):
        page.clock.fast_forward("08:00")
    expect(page.locator("#left")).to_have_text("2 min left")
    page.locator(".write").click()
    expect(page.locator(".fingerprint")).to_be_visible()


@pytest.mark.parametrize("to", ["2001-01-01T00:00:00Z", "2100-01-01T00:00:00Z"], ids=["back", "on"])
def test_a_clock_that_is_set_changes_neither_what_is_left_nor_the_contact(page: Page, stand_in: Start, to: str) -> None:
    """Time is measured by a clock that nobody sets; one that jumps is only a reason to ask."""
    service = stand_in(secret("ONE"))
    page.goto(service.link)
    expect(page.locator("#contact")).to_have_text("Connected")
    with page.expect_response("**/status"):
        page.evaluate("to => { const then = Date.parse(to); Date.now = () => then; }", to)
    expect(page.locator("#contact")).to_have_text("Connected")
    expect(page.locator("#left")).to_have_text("10 min left")


def test_a_phone_on_a_slow_line_fills_and_writes(page: Page, stand_in: Start) -> None:
    """400 kbit/s and 400 ms."""
    service = stand_in(secret("ONE"), secret("TWO"))
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")
    slow = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
    devtools.send("Network.emulateNetworkConditions", slow)
    service.script.held = threading.Event()
    page.goto(service.link)
    for name in ("ONE", "TWO"):
        page.get_by_label(name, exact=True).fill(VALUE)
    page.locator(".write").click()
    expect(page.locator(".write")).to_have_text("Sealing and writing")
    service.script.held.set()
    expect(page.locator(".fingerprint")).to_be_visible()
    assert len(service.script.posts) == 1
