"""Checks under a field: patient while it is typed in, exact afterwards, and never a word of the value."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from offprompt.request.spec import Entry
from tests.browser.person import open_page, paste, write
from tests.browser.standin import StandIn, asked

pytestmark = pytest.mark.browser

Start = Callable[..., StandIn]

BODY = "MadeUpForATest" * 3
STRIPE = "sk_" + "test_" + BODY[:24]
PUBLISHABLE = "pk_" + "test_" + BODY[:24]
ANTHROPIC = "sk-" + "ant-api03-" + BODY * 2

SECRET_KEY = Entry("STRIPE_SECRET_KEY", caption="Developers, API keys")


def test_lines_turn_while_a_key_is_typed_and_fold_into_one(page: Page, stand_in: Start) -> None:
    open_page(page, stand_in(asked(SECRET_KEY)).link)
    lines = page.locator(".judged li")
    expect(lines).to_contain_text(["start with sk_live_", "at least 20 characters", "only letters, digits"])
    assert page.locator(".judged li.pending").count() == 3
    page.get_by_label("STRIPE_SECRET_KEY", exact=True).focus()
    page.keyboard.type(STRIPE[:14])
    expect(lines.nth(1)).to_have_text("It has to have at least 20 characters, and has 14 so far.")
    expect(page.locator(".judged li.pass")).to_have_count(2)
    assert page.locator("li.warn, li.fail").count() == 0
    page.keyboard.type(STRIPE[14:])
    expect(lines).to_have_text(["This looks like a Stripe secret key."])
    expect(lines).to_have_class("pass")


def test_what_is_wrong_is_said_when_the_field_is_left(page: Page, stand_in: Start) -> None:
    open_page(page, stand_in(asked(SECRET_KEY), asked(Entry("MAX_RETRIES", format="integer"))).link)
    page.get_by_label("STRIPE_SECRET_KEY", exact=True).focus()
    page.keyboard.type(STRIPE[:14])
    page.keyboard.press("Tab")
    expect(page.locator(".judged li.warn")).to_have_text(["It has to have at least 20 characters, and has 14 so far."])
    page.get_by_label("MAX_RETRIES", exact=True).focus()
    page.keyboard.type("five")
    assert page.locator(".wrong").count() == 0
    page.keyboard.press("Shift+Tab")
    expect(page.locator(".wrong li.fail")).to_have_text(["This is not a whole number."])
    expect(page.get_by_label("MAX_RETRIES", exact=True)).to_have_attribute("aria-invalid", "true")


def test_a_doubt_is_pointed_out_once_and_a_second_press_writes(page: Page, stand_in: Start) -> None:
    service = stand_in(asked(SECRET_KEY))
    open_page(page, service.link)
    field = page.get_by_label("STRIPE_SECRET_KEY", exact=True)
    field.fill("rather-short")
    write(page)
    expect(page.locator(".problems")).to_contain_text("1 value does not look as it should.")
    expect(field).to_be_focused()
    expect(page.locator(".write")).to_have_text("Write it anyway")
    field.fill("another-one")
    expect(page.locator(".problems")).to_be_empty()
    expect(page.locator(".write")).to_have_text("Write 1 value to .env")
    write(page)
    expect(page.locator(".write")).to_have_text("Write it anyway")
    assert service.script.posts == []
    write(page)
    expect(page.locator(".fingerprint")).to_be_visible()
    assert service.script.opened[0]["values"] == {"STRIPE_SECRET_KEY": "another-one"}


def test_what_cannot_work_is_not_sent_however_often_the_button_is_pressed(page: Page, stand_in: Start) -> None:
    service = stand_in(asked(SECRET_KEY), asked(Entry("MAX_RETRIES", format="integer", secret=False)))
    open_page(page, service.link)
    page.get_by_label("STRIPE_SECRET_KEY", exact=True).fill(STRIPE)
    page.get_by_label("MAX_RETRIES", exact=True).fill("five")
    for _ in range(3):
        write(page)
        expect(page.get_by_label("MAX_RETRIES", exact=True)).to_be_focused()
    assert service.script.posts == []
    page.get_by_label("MAX_RETRIES", exact=True).fill("5")
    write(page)
    expect(page.locator(".fingerprint")).to_be_visible()


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (ANTHROPIC, "This looks like an Anthropic API key."),
        (PUBLISHABLE, "That is the publishable key; use the secret key from the same page."),
    ],
)
def test_a_key_of_somebody_else_is_called_by_its_name(page: Page, stand_in: Start, value: str, says: str) -> None:
    open_page(page, stand_in(asked(SECRET_KEY)).link)
    page.get_by_label("STRIPE_SECRET_KEY", exact=True).focus()
    paste(page, value)
    expect(page.locator(".judged li")).to_have_text([says])


def test_a_secret_key_under_a_public_name_is_warned_of_before_it_is_typed(page: Page, stand_in: Start) -> None:
    open_page(page, stand_in(asked(Entry("NEXT_PUBLIC_OPENAI_API_KEY"))).link)
    expect(page.locator(".judged li.warn")).to_contain_text("NEXT_PUBLIC_ is built into what every visitor")


def test_space_at_the_ends_is_pointed_out_and_trimmed(page: Page, stand_in: Start) -> None:
    service = stand_in(asked(SECRET_KEY), asked(Entry("PASSPHRASE")))
    open_page(page, service.link)
    page.get_by_label("STRIPE_SECRET_KEY", exact=True).focus()
    paste(page, f"  {STRIPE}\t")
    expect(page.locator(".heed")).to_contain_text(["This looks like a Stripe secret key.", ""])
    page.get_by_role("button", name="Trim").click()
    expect(page.get_by_role("button", name="Trim")).to_have_count(0)
    expect(page.get_by_label("STRIPE_SECRET_KEY", exact=True)).to_be_focused()
    page.get_by_label("PASSPHRASE", exact=True).focus()
    page.keyboard.type("two ")
    expect(page.get_by_role("button", name="Trim")).to_have_count(0)
    page.keyboard.type("words ")
    write(page)
    expect(page.locator(".write")).to_have_text("Write it anyway")
    expect(page.get_by_role("button", name="Trim")).to_be_visible()
    write(page)
    expect(page.locator(".fingerprint")).to_be_visible()
    assert service.script.opened[0]["values"] == {"STRIPE_SECRET_KEY": STRIPE, "PASSPHRASE": "two words "}


def test_a_press_counts_though_the_field_above_grows_when_it_loses_the_focus(page: Page, stand_in: Start) -> None:
    """The lines of the last field say more once it is left; the button moves down, and must not be missed."""
    page.clock.install()
    page.goto(stand_in(asked(SECRET_KEY)).link)
    page.clock.run_for(10)
    page.get_by_label("STRIPE_SECRET_KEY", exact=True).focus()
    page.keyboard.type("sk_")
    box = page.locator(".write").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + 4)
    page.mouse.down()
    page.clock.run_for(400)
    assert page.locator(".write").bounding_box() == box
    page.mouse.up()
    expect(page.locator(".write")).to_have_text("Write it anyway")


def test_the_way_to_the_key_is_the_registrys_and_opens_a_page_of_its_own(page: Page, stand_in: Start) -> None:
    open_page(page, stand_in(asked(SECRET_KEY), asked(Entry("MINE", caption="https://example.com/[x](y)"))).link)
    links = page.locator("main a")
    expect(links).to_have_text(["Get it from Stripe"])
    assert (links.get_attribute("href") or "").startswith("https://dashboard.stripe.com/")
    assert links.get_attribute("target") == "_blank"
    assert links.get_attribute("rel") == "noopener noreferrer"
    expect(page.locator(".about").first).to_contain_text("Stripe secret key")
    expect(page.locator(".about .logo")).to_have_count(1)


def test_no_message_holds_any_part_of_a_value(page: Page, stand_in: Start) -> None:
    service = stand_in(
        asked(SECRET_KEY), asked(Entry("DATABASE_URL", format="postgres_url")), asked(Entry("CONFIG", format="json")),
        asked(Entry("OPENAI_API_KEY")), asked(Entry("TOKEN", format="jwt")),
    )  # fmt: skip
    open_page(page, service.link)
    marker = "CANARYvalue"
    for value in (f" {marker} ", f"sk-{marker}", f'{{"{marker}": ', f"mysql://u:{marker}@<host>/x", f"a.{marker}.b"):
        for field in page.locator(".typed").all():
            field.fill(value)
        write(page)
        expect(page.locator(".judged li.fail").first).to_be_visible()
        assert marker not in page.locator("main").inner_text()
        html: str = page.evaluate("document.documentElement.outerHTML")
        assert marker not in html
    assert service.script.posts == []


def test_a_doubt_about_a_name_is_none_where_nothing_is_written(page: Page, stand_in: Start) -> None:
    """A public name warns from the first; a key that is left as it is asks for no second press."""
    service = stand_in(asked(Entry("NEXT_PUBLIC_OPENAI_API_KEY"), present=True))
    open_page(page, service.link)
    expect(page.locator(".judged li.warn")).to_have_count(1)
    write(page)
    expect(page.locator(".result")).to_contain_text("Nothing had to change.")
