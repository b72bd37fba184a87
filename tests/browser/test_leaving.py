"""What leaves the browser and what does not: values are masked, sealed, sent nowhere else, and gone afterwards."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from offprompt.request.spec import Entry, Generate
from tests.browser.person import OTHER, VALUE, open_page, write
from tests.browser.standin import TOKEN, Script, StandIn, asked, request_data, secret

pytestmark = pytest.mark.browser

Start = Callable[..., StandIn]


def test_the_page_is_one_request_and_everything_stays_at_its_origin(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("API_KEY"))
    asked: list[tuple[str, str]] = []
    page.on("request", lambda request: asked.append((request.method, request.url)))
    open_page(page, service.link)
    origin = f"http://127.0.0.1:{service.port}"
    assert asked == [("GET", service.link.split("#")[0])]
    page.get_by_label("API_KEY", exact=True).fill(VALUE)
    write(page)
    expect(page.locator(".fingerprint")).to_be_visible()
    assert {url.split("#")[0] for _, url in asked} <= {f"{origin}/r/{TOKEN}", f"{origin}/r/{TOKEN}/status"}
    assert VALUE not in json.dumps(asked) + json.dumps(service.script.posts) + page.url


def test_a_value_is_masked_until_shown_and_left_alone_by_helpers(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("API_KEY"), secret("PEM", multiline=True), secret("RETRIES", secret=False))
    open_page(page, service.link)
    mask = "element => getComputedStyle(element).webkitTextSecurity"
    fields = page.locator(".typed")
    assert [fields.nth(at).evaluate(mask) for at in range(3)] == ["disc", "disc", "none"]
    page.get_by_role("button", name="Show API_KEY").click()
    assert fields.nth(0).evaluate(mask) == "none"
    page.get_by_role("button", name="Hide API_KEY").click()
    assert fields.nth(0).evaluate(mask) == "disc"
    for at in range(3):
        has = fields.nth(at).evaluate(
            "element => Object.fromEntries([...element.attributes].map(a => [a.name, a.value]))"
        )
        assert "name" not in has
        assert has["autocomplete"] == has["autocorrect"] == has["autocapitalize"] == "off"
        assert has["spellcheck"] == has["writingsuggestions"] == "false"
        assert has["translate"] == "no"
    assert page.locator("form, [type=password], [name]:not(meta)").count() == 0


def test_without_a_script_there_is_nothing_to_type_into_and_nothing_leaves(
    context: BrowserContext, stand_in: Start
) -> None:
    """Before the script runs the page is what it is without one: no field, no form, no way to send anything."""
    service = stand_in(secret("API_KEY"), reason="<p>It <strong>needs</strong> one.</p>")
    assert context.browser is not None
    plain = context.browser.new_context(java_script_enabled=False)
    page = plain.new_page()
    page.goto(service.link)
    expect(page.locator(".noscript")).to_contain_text("offprompt fill")
    expect(page.locator(".reason")).to_contain_text("It needs one.")
    assert page.locator("input, textarea, select:visible, form, button, a[href]").count() == 0
    page.keyboard.type(VALUE)
    page.keyboard.press("Enter")
    assert page.url == service.link
    assert service.script.requests == [f"GET /r/{TOKEN}"]
    plain.close()


def test_fields_are_disabled_until_the_script_has_proved_itself(page: Page, stand_in: Start) -> None:
    """The check of the page's own cryptography is held back; until it has passed nothing can be typed."""
    service = stand_in(secret("API_KEY"))
    page.clock.install()
    page.clock.pause_at("2100-01-01")
    page.goto(service.link)
    field = page.get_by_label("API_KEY", exact=True)
    expect(field).to_be_disabled()
    expect(page.locator(".write")).to_be_disabled()
    expect(page.locator("#contact")).to_have_text("Getting ready")
    page.clock.run_for(10)
    expect(field).to_be_enabled()


def test_a_browser_that_computes_wrong_says_so_and_takes_nothing(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("API_KEY"))
    page.add_init_script(
        "const of = Uint32Array.of; Uint32Array.of = (...words) => of.apply(Uint32Array, words).map((one) => one ^ 1);"
    )
    page.goto(service.link)
    expect(page.get_by_role("heading", level=1)).to_have_text("This browser cannot seal your values")
    assert page.locator(".typed").count() == 0


def test_enter_goes_from_field_to_field_and_sends_nothing(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"), secret("TWO"), secret("THREE", present=True))
    open_page(page, service.link)
    one, two = page.get_by_label("ONE", exact=True), page.get_by_label("TWO", exact=True)
    one.fill(VALUE)
    one.press("Enter")
    expect(two).to_be_focused()
    two.fill(OTHER)
    two.press("Enter")
    expect(page.locator(".write")).to_be_focused()
    assert page.url == service.link
    assert service.script.posts == []
    assert one.input_value() == VALUE
    page.keyboard.press("Enter")
    expect(page.locator(".fingerprint")).to_be_visible()


def test_every_press_has_a_fingerprint_key_and_a_seal_of_its_own(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"))
    service.script.answers = [(500, {"error": "First."}), (500, {"error": "Second."})]
    open_page(page, service.link)
    page.get_by_label("ONE", exact=True).fill(VALUE)
    for sentence in ("First.", "Second."):
        write(page)
        expect(page.get_by_role("alert")).to_contain_text(sentence)
    write(page)
    expect(page.locator(".fingerprint")).to_be_visible()
    for failed in service.script.posts[:2]:
        service.script.write(failed)
    assert len({said["fingerprint_key"] for said in service.script.opened}) == 3
    assert len({post["sealed"] for post in service.script.posts}) == 3


def test_a_link_that_was_cut_is_said_before_anything_can_be_typed(page: Page, stand_in: Start) -> None:
    """The script's own test cuts it at every length."""
    service = stand_in(secret("ONE"))
    for size in (0, 1, 3, 4, len(service.script.fragment) // 2, len(service.script.fragment) - 1):
        page.goto("about:blank")
        page.goto(service.link[: len(service.link) - len(service.script.fragment) + size])
        expect(page.get_by_role("heading", level=1)).to_have_text("The link was cut")
        assert page.locator("input, textarea").count() == 0


def test_a_cut_link_mended_in_the_address_bar_opens(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"))
    page.goto(service.link[:-5])
    expect(page.get_by_role("heading", level=1)).to_have_text("The link was cut")
    page.goto(service.link)
    expect(page.get_by_label("ONE", exact=True)).to_be_enabled()


def test_the_key_of_another_request_is_taken_for_a_cut_link(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"))
    page.goto(service.link.split("#")[0] + Script(request_data()).fragment)
    expect(page.get_by_role("heading", level=1)).to_have_text("The link was cut")


def test_after_the_write_no_value_is_left_in_the_page_nor_comes_back(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"))
    open_page(page, service.link)
    page.get_by_label("ONE", exact=True).fill(VALUE)
    write(page)
    expect(page.locator(".fingerprint")).to_be_visible()
    assert VALUE not in page.content()
    assert page.locator("input, textarea").count() == 0
    page.goto("about:blank")
    page.go_back()
    expect(page.locator("#contact")).not_to_be_empty()
    assert [field.input_value() for field in page.locator("textarea").all()] in ([], [""])


def test_a_reload_brings_back_no_value(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"))
    open_page(page, service.link)
    page.get_by_label("ONE", exact=True).fill(VALUE)
    page.reload()
    expect(page.get_by_label("ONE", exact=True)).to_be_enabled()
    assert page.get_by_label("ONE", exact=True).input_value() == ""


def test_an_old_browser_that_cannot_mask_by_style_gets_a_password_input(page: Page, stand_in: Start) -> None:
    """Firefox before 111. A value of several lines cannot be masked there, and is not."""
    service = stand_in(secret("ONE"), secret("PEM", multiline=True))
    page.add_init_script("CSS.supports = () => false")
    open_page(page, service.link)
    one = page.get_by_label("ONE", exact=True)
    assert one.get_attribute("type") == "password"
    assert one.get_attribute("name") is None
    one.fill(VALUE)
    page.get_by_role("button", name="Show ONE").click()
    assert one.get_attribute("type") == "text"
    page.get_by_label("PEM", exact=True).fill("a\nb")
    write(page)
    expect(page.locator(".fingerprint")).to_be_visible()
    assert service.script.opened[0]["values"] == {"ONE": VALUE, "PEM": "a\nb"}


@pytest.mark.parametrize("typed", [True, False])
def test_the_browser_asks_before_the_page_is_left_only_when_something_was_typed(
    page: Page, stand_in: Start, typed: bool
) -> None:
    """A value that was made here is nothing that somebody would lose."""
    service = stand_in(asked(Entry("AUTH_SECRET", generate=Generate())), secret("ONE"))
    open_page(page, service.link)
    asks: list[str] = []
    page.on("dialog", lambda dialog: (asks.append(dialog.type), dialog.accept()))
    page.get_by_label("ONE", exact=True).click()  # browsers ask nobody who has not touched the page
    if typed:
        page.keyboard.type(VALUE)
    page.close(run_before_unload=True)
    page.wait_for_event("close") if not page.is_closed() else None
    assert asks == (["beforeunload"] if typed else [])


def test_after_the_write_the_page_is_left_without_a_question_and_back_brings_nothing(
    page: Page, stand_in: Start
) -> None:
    service = stand_in(secret("ONE"))
    open_page(page, service.link)
    page.on("dialog", lambda dialog: pytest.fail(dialog.type))
    page.get_by_label("ONE", exact=True).click()
    page.keyboard.type(VALUE)
    write(page)
    expect(page.locator(".fingerprint")).to_be_visible()
    page.goto("about:blank")
    page.go_back()
    expect(page.locator("#contact")).not_to_be_empty()
    assert VALUE not in page.content()
