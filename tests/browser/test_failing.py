"""A press that fails: what is said, where, and that everything typed is still there."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.person import OTHER, VALUE, open_page, write
from tests.browser.standin import StandIn, secret

pytestmark = pytest.mark.browser

Start = Callable[..., StandIn]


def test_a_press_with_something_missing_goes_there(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"), secret("TWO"))
    open_page(page, service.link)
    page.get_by_label("ONE", exact=True).fill(VALUE)
    expect(page.locator(".write")).to_have_text("1 value left to fill in")
    write(page)
    expect(page.get_by_label("TWO", exact=True)).to_be_focused()
    expect(page.locator(".errors").nth(1)).to_have_text("Still to be filled in.")
    assert service.script.posts == []


def test_a_wrong_value_is_told_under_its_field_mended_and_written(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"), secret("TWO"))
    service.script.answers = [
        (422, {"errors": {"TWO": ["It starts with sk_.", "It is too short."]}, "form": ["Both belong together."]})
    ]
    open_page(page, service.link)
    page.get_by_label("ONE", exact=True).fill(VALUE)
    two = page.get_by_label("TWO", exact=True)
    two.fill(OTHER)
    write(page)
    expect(two).to_be_focused()
    expect(two).to_have_attribute("aria-invalid", "true")
    expect(page.locator(".errors").nth(1).locator("li")).to_have_text(["It starts with sk_.", "It is too short."])
    expect(page.get_by_role("alert")).to_contain_text("Both belong together.")
    two.fill("sk_" + VALUE)
    expect(page.locator(".wrong")).to_have_count(0)
    write(page)
    expect(page.locator(".fingerprint")).to_be_visible()
    assert service.script.opened[0]["values"] == {"ONE": VALUE, "TWO": "sk_" + VALUE}


def test_a_line_for_a_name_that_has_no_field_is_not_lost(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"))
    service.script.answers = [(422, {"errors": {"ELSE": ["It was not asked for."]}, "form": []})]
    open_page(page, service.link)
    page.get_by_label("ONE", exact=True).fill(VALUE)
    write(page)
    expect(page.get_by_role("alert")).to_contain_text("It was not asked for.")


@pytest.mark.parametrize(
    ("status", "body", "says"),
    [
        (500, {"error": "The disk is full."}, "The disk is full."),
        (500, {}, "could not be written and was not changed"),
        (409, {}, "under way"),
        (429, {}, "Too many tries"),
        (403, {"error": "no"}, "did not accept this page"),
        (413, {}, "at most 128 KiB"),
        (400, {}, "do not understand each other"),
        (502, {}, "No answer"),
    ],
)
def test_a_press_that_fails_keeps_everything_and_can_be_tried_again(
    page: Page, stand_in: Start, status: int, body: object, says: str
) -> None:
    service = stand_in(secret("ONE"), secret("TWO"))
    service.script.answers = [(status, body)]
    open_page(page, service.link)
    page.get_by_label("ONE", exact=True).fill(VALUE)
    page.get_by_label("TWO", exact=True).fill(OTHER)
    write(page)
    expect(page.get_by_role("alert")).to_contain_text(says)
    expect(page.locator(".write")).to_have_text("Try again")
    assert page.get_by_label("ONE", exact=True).input_value() == VALUE
    write(page)
    expect(page.locator(".fingerprint")).to_be_visible()
    assert service.script.opened[-1]["values"] == {"ONE": VALUE, "TWO": OTHER}


def test_a_write_whose_answer_was_lost_is_known_by_its_own_emoji(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"))
    service.script.drop_answer = True
    open_page(page, service.link)
    page.get_by_label("ONE", exact=True).fill(VALUE)
    write(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Written to .env")
    assert service.script.written is not None
    assert page.locator(".emoji").all_text_contents() == service.script.written["fingerprint"]


def test_a_closed_request_with_my_own_emoji_shows_the_written_page(page: Page, stand_in: Start) -> None:
    """The first press is written and its answer lost; the second meets 410 before the status was asked."""
    service = stand_in(secret("ONE"))
    open_page(page, service.link)
    page.get_by_label("ONE", exact=True).fill(VALUE)
    page.route("**/status", lambda route: route.abort())
    service.script.answers = [(502, "write")]
    write(page)
    expect(page.locator(".write")).to_have_text("Try again")
    service.script.answers = [(410, service.script.written)]
    write(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Written to .env")


def first_press_is_written_and_its_answer_lost(page: Page, service: StandIn) -> None:
    """And the status cannot be asked for; then the person goes on typing."""
    open_page(page, service.link)
    page.route("**/status", lambda route: route.abort())
    service.script.answers = [(502, "write")]
    page.get_by_label("ONE", exact=True).fill(VALUE)
    page.get_by_label("TWO", exact=True).fill(OTHER)
    write(page)
    expect(page.locator(".write")).to_have_text("Try again")
    page.get_by_label("ONE", exact=True).fill("typed afterwards")


def says_what_the_file_holds(page: Page, service: StandIn) -> None:
    """The emoji are those of the first press, and the value that was not written is there to be copied."""
    expect(page.get_by_role("heading", level=1)).to_have_text("An earlier version was written")
    expect(page.get_by_role("alert")).to_contain_text("The newer value of ONE was not written.")
    assert service.script.written is not None
    assert page.locator(".emoji").all_text_contents() == service.script.written["fingerprint"]
    assert [field.input_value() for field in page.locator(".typed").all()] == ["typed afterwards"]
    expect(page.get_by_role("button", name="Copy ONE")).to_be_visible()


def test_a_lost_write_that_the_status_tells_of_after_an_edit_is_the_earlier_version(
    page: Page, stand_in: Start
) -> None:
    service = stand_in(secret("ONE"), secret("TWO"))
    first_press_is_written_and_its_answer_lost(page, service)
    page.unroute("**/status")
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    says_what_the_file_holds(page, service)


@pytest.mark.parametrize("status", [409, 410, 200])
def test_a_later_press_that_meets_the_write_of_an_earlier_one_is_told_so(
    page: Page, stand_in: Start, status: int
) -> None:
    """409: that write is still under way, and the status tells of its end."""
    service = stand_in(secret("ONE"), secret("TWO"))
    first_press_is_written_and_its_answer_lost(page, service)
    page.unroute("**/status")
    keys = [{"name": name, "outcome": "added"} for name in ("ONE", "TWO")]
    body = {} if status == 409 else {**(service.script.written or {}), "file": ".env", "keys": keys}
    service.script.answers = [(status, body)]
    write(page)
    says_what_the_file_holds(page, service)


def test_a_value_that_was_changed_and_changed_back_is_the_one_in_the_file(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"), secret("TWO"))
    first_press_is_written_and_its_answer_lost(page, service)
    page.get_by_label("ONE", exact=True).fill(VALUE)
    page.unroute("**/status")
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(page.get_by_role("heading", level=1)).to_have_text("Written to .env")


def test_what_no_file_can_carry_is_refused_in_the_page(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"), secret("TWO"))
    open_page(page, service.link)
    page.get_by_label("ONE", exact=True).evaluate(
        "(element) => { element.value = 'a\\ud800'; element.dispatchEvent(new Event('input')); }"
    )
    page.get_by_label("TWO", exact=True).fill("x" * 65_537)
    write(page)
    expect(page.locator(".errors")).to_contain_text(["half a character", "at most 64 KiB"])
    page.get_by_label("ONE", exact=True).fill("a" * 65_536)
    page.get_by_label("TWO", exact=True).fill("x" * 65_536)
    write(page)
    expect(page.get_by_role("alert")).to_contain_text("at most 128 KiB")
    assert service.script.posts == []


def test_a_fingerprint_that_differs_is_shown_as_a_fault(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"))
    service.script.wrong_fingerprint = True
    open_page(page, service.link)
    page.get_by_label("ONE", exact=True).fill(VALUE)
    write(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("The fingerprint does not match")
    expect(page.locator(".fingerprint")).to_have_count(2)


def test_a_press_twice_is_one_write(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"))
    service.script.held = threading.Event()
    open_page(page, service.link)
    page.get_by_label("ONE", exact=True).fill(VALUE)
    page.locator(".write").dblclick()
    expect(page.locator(".write")).to_have_text("Sealing and writing")
    expect(page.get_by_label("ONE", exact=True)).not_to_be_editable()
    page.locator(".write").click(force=True)
    service.script.held.set()
    expect(page.locator(".fingerprint")).to_be_visible()
    assert len(service.script.posts) == 1
