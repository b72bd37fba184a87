"""A person at the page, in Chromium: what they see, type and press."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from offprompt.request.emoji import EMOJI, EMOJI_NAMES
from tests.browser.person import VALUE, open_page, write
from tests.browser.standin import StandIn, secret

pytestmark = pytest.mark.browser

Start = Callable[..., StandIn]


def test_a_typed_value_is_written_and_the_four_emoji_are_named(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("API_KEY"))
    open_page(page, service.link)
    expect(page.get_by_role("heading", level=1)).to_have_text("Claude Code asks you to fill in .env")
    expect(page.locator(".write")).to_have_text("1 value left to fill in")
    page.get_by_label("API_KEY", exact=True).fill(VALUE)
    expect(page.locator(".write")).to_have_text("Write 1 value to .env")
    write(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Written to .env")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(page).to_have_title("Written to .env")
    assert service.script.written is not None
    four = service.script.written["fingerprint"]
    assert page.locator(".emoji").all_text_contents() == four
    assert page.locator(".called").all_text_contents() == [EMOJI_NAMES[EMOJI.index(one)] for one in four]
    assert page.locator(".outcomes li").all_text_contents() == ["API_KEYAdded"]
    assert service.script.opened[0]["values"] == {"API_KEY": VALUE}


def test_a_tracked_file_wants_its_tick(page: Page, stand_in: Start) -> None:
    service = stand_in(
        secret("ONE"), sink={"git": "tracked", "ignored": False, "exists": True, "readable_by_others": True}
    )
    open_page(page, service.link)
    expect(page.locator(".where")).to_contain_text("tracked by git")
    expect(page.locator(".where")).to_contain_text("Other accounts on the machine can read this file now.")
    page.get_by_label("ONE", exact=True).fill(VALUE)
    expect(page.locator(".write")).to_have_text("Tick the box above first")
    write(page)
    assert service.script.posts == []
    expect(page.get_by_label("Write it all the same")).to_be_focused()
    page.get_by_label("Write it all the same").check()
    write(page)
    expect(page.locator(".fingerprint")).to_be_visible()
    assert service.script.opened[0]["allow_tracked"] is True


def test_a_present_key_may_stay_and_a_generated_one_is_made(page: Page, stand_in: Start) -> None:
    service = stand_in(
        secret("KEPT", present=True),
        secret("CHANGED", present=True),
        secret("MADE", generate={"bytes": 32, "encoding": "hex"}),
        sink={"exists": True},
    )
    open_page(page, service.link)
    expect(page.locator(".write")).to_have_text("Write 1 value to .env")
    expect(page.locator(".where")).to_contain_text("holds 2 of the 3 keys")
    expect(page.locator("#value-MADE-state")).to_contain_text("32 random bytes as hex")
    made = page.get_by_label("MADE", exact=True).input_value()
    assert len(bytes.fromhex(made)) == 32
    page.get_by_label("CHANGED", exact=True).fill(VALUE)
    expect(page.locator("#value-CHANGED-state")).to_have_text("Replaces what is in .env.")
    expect(page.locator("#value-KEPT-state")).to_contain_text("Leave it empty to keep what is there.")
    expect(page.locator(".write")).to_have_text("Write 2 values to .env")
    write(page)
    expect(page.locator(".outcomes li")).to_have_text(["KEPTKept as it was", "CHANGEDReplaced", "MADEGenerated"])
    assert service.script.opened[0]["values"] == {"CHANGED": VALUE, "MADE": made}


def test_nothing_typed_over_present_keys_keeps_everything(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("KEPT", present=True), sink={"exists": True})
    open_page(page, service.link)
    expect(page.locator(".write")).to_have_text("Keep everything as it is")
    write(page)
    expect(page.locator(".result")).to_contain_text("Nothing had to change.")
    assert page.locator(".fingerprint").count() == 0


def test_an_empty_value_is_written_only_when_it_is_meant(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("RETRIES", secret=False))
    open_page(page, service.link)
    expect(page.locator(".write")).to_have_text("1 value left to fill in")
    page.get_by_label("Write it empty").check()
    expect(page.locator(".write")).to_have_text("Write 1 value to .env")
    write(page)
    expect(page.locator(".fingerprint")).to_be_visible()
    assert service.script.opened[0]["values"] == {"RETRIES": ""}


def test_lines_are_kept_where_they_were_pasted_and_a_copied_line_end_is_not(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("LINE"), secret("LINES"), secret("PEM", multiline=True))
    open_page(page, service.link)
    page.get_by_label("LINE", exact=True).fill(VALUE + "\n")
    page.get_by_label("LINES", exact=True).fill("one\ntwo\n")
    page.get_by_label("PEM", exact=True).fill("-----A-----\nb\n-----C-----\n")
    assert page.get_by_label("LINES", exact=True).evaluate("element => element.rows") == 5
    assert page.get_by_label("LINE", exact=True).evaluate("element => element.rows") == 1
    write(page)
    expect(page.locator(".fingerprint")).to_be_visible()
    assert service.script.opened[0]["values"] == {
        "LINE": VALUE,
        "LINES": "one\ntwo",
        "PEM": "-----A-----\nb\n-----C-----\n",
    }


def test_notes_of_the_service_are_shown_after_the_write(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"))
    service.script.notes = ["A shell that reads .env sees another value for ONE."]
    open_page(page, service.link)
    page.get_by_label("ONE", exact=True).fill(VALUE)
    write(page)
    expect(page.locator(".note")).to_contain_text("A shell that reads .env")
