"""Values that nobody has to type: made in the page, made anew, replaced by one's own, or kept as the file has them."""

from __future__ import annotations

import base64
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from offprompt.request.spec import Entry, Generate
from tests.browser.person import VALUE, open_page, paste, write
from tests.browser.standin import StandIn, asked, secret

pytestmark = pytest.mark.browser

Start = Callable[..., StandIn]

AUTH = Entry("AUTH_SECRET", generate=Generate())


def test_a_value_is_made_as_the_page_opens_masked_and_made_anew(page: Page, stand_in: Start) -> None:
    service = stand_in(asked(AUTH), asked(Entry("HEX", generate=Generate(16, "hex"))))
    open_page(page, service.link)
    field = page.get_by_label("AUTH_SECRET", exact=True)
    first = field.input_value()
    assert len(base64.urlsafe_b64decode(first + "=")) == 32
    assert len(bytes.fromhex(page.get_by_label("HEX", exact=True).input_value())) == 16
    assert field.evaluate("element => getComputedStyle(element).webkitTextSecurity") == "disc"
    page.get_by_role("button", name="Regenerate AUTH_SECRET").click()
    second = field.input_value()
    assert second not in ("", first)
    expect(page.locator("#value-AUTH_SECRET-state")).to_contain_text("Made in this browser")
    expect(page.locator(".write")).to_have_text("Write 2 values to .env")
    write(page)
    expect(page.locator(".outcomes .outcome")).to_have_text(["Generated", "Generated"])
    assert service.script.opened[0]["values"]["AUTH_SECRET"] == second


def test_ones_own_is_checked_for_length_and_encoding(page: Page, stand_in: Start) -> None:
    service = stand_in(asked(AUTH))
    open_page(page, service.link)
    field = page.get_by_label("AUTH_SECRET", exact=True)
    made = field.input_value()
    for value, says in (
        ("not+url/safe" * 4, "It is not in base64url."),
        ("tooshort", "It is shorter than 32 bytes as base64url."),
    ):
        field.focus()
        page.keyboard.press("Control+A")
        paste(page, value)
        field.blur()
        expect(page.locator(".judged li.warn")).to_have_text([says])
        expect(page.locator("#value-AUTH_SECRET-state")).to_be_empty()
    field.fill(made)
    expect(page.locator("#value-AUTH_SECRET-state")).to_contain_text("Made in this browser")
    field.fill("MadeUpOwnValue_" * 4)
    write(page)
    expect(page.locator(".fingerprint")).to_be_visible()
    assert service.script.opened[0]["values"] == {"AUTH_SECRET": "MadeUpOwnValue_" * 4}


def test_left_empty_it_is_the_services_to_make(page: Page, stand_in: Start) -> None:
    service = stand_in(asked(AUTH), secret("ONE"))
    open_page(page, service.link)
    page.get_by_label("AUTH_SECRET", exact=True).fill("")
    expect(page.locator("#value-AUTH_SECRET-state")).to_have_text("Left empty, it is made when you write.")
    page.get_by_label("ONE", exact=True).fill(VALUE)
    write(page)
    expect(page.locator(".outcomes .outcome")).to_have_text(["Generated", "Added"])
    assert service.script.opened[0]["values"] == {"ONE": VALUE}


def test_what_the_file_holds_is_kept_and_none_is_made(page: Page, stand_in: Start) -> None:
    service = stand_in(asked(AUTH, present=True), secret("ONE"), sink={"exists": True})
    open_page(page, service.link)
    expect(page.locator(".made")).to_contain_text("Already in .env. It is kept as it is.")
    assert page.locator(".typed").count() == 1
    page.get_by_label("ONE", exact=True).fill(VALUE)
    write(page)
    expect(page.locator(".outcomes .outcome")).to_have_text(["Kept as it was", "Added"])
    assert service.script.opened[0]["values"] == {"ONE": VALUE}


@pytest.mark.parametrize("meanwhile", [set(), {"AUTH_SECRET"}], ids=["as it was", "the file has got it meanwhile"])
def test_a_write_whose_answer_was_lost_is_known_with_a_made_value_in_it(
    page: Page, stand_in: Start, meanwhile: set[str]
) -> None:
    service = stand_in(asked(AUTH), secret("ONE"))
    service.script.drop_answer = True
    service.script.meanwhile = meanwhile
    open_page(page, service.link)
    page.get_by_label("ONE", exact=True).fill(VALUE)
    write(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Written to .env")
    assert service.script.written is not None
    assert page.locator(".emoji").all_text_contents() == service.script.written["fingerprint"]


def test_a_made_value_alone_is_nothing_to_be_kept_when_the_request_ends(page: Page, stand_in: Start) -> None:
    service = stand_in(asked(AUTH), secret("ONE"))
    open_page(page, service.link)
    page.get_by_label("ONE", exact=True).fill(VALUE)
    service.script.status = {"status": "expired", "expires_in": 0}
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(page.get_by_role("heading", level=1)).to_have_text("This request has expired")
    expect(page.locator(".field .name")).to_have_text(["ONE"])
