"""A person at the page, in Chromium: what they see, what leaves the browser, and what stays when something fails."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from offprompt.request.emoji import EMOJI, EMOJI_NAMES
from tests.browser.standin import TOKEN, Script, StandIn, request_data, secret

pytestmark = pytest.mark.browser

Start = Callable[..., StandIn]

VALUE = "made-up-value-of-a-test"
OTHER = "another made-up value"


def open_page(page: Page, service: StandIn) -> None:
    page.goto(service.link)
    expect(page.locator("#contact")).to_have_text("Connected")


def write(page: Page) -> None:
    page.locator(".write").click()


def test_a_typed_value_is_written_and_the_four_emoji_are_named(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("API_KEY"))
    open_page(page, service)
    expect(page.get_by_role("heading", level=1)).to_have_text("Claude Code asks you to fill in .env")
    expect(page.locator(".write")).to_have_text("1 value left to fill in")
    page.get_by_label("API_KEY", exact=True).fill(VALUE)
    expect(page.locator(".write")).to_have_text("Write 1 value to .env")
    write(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Written to .env")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    assert service.script.written is not None
    four = service.script.written["fingerprint"]
    assert page.locator(".emoji").all_text_contents() == four
    assert page.locator(".called").all_text_contents() == [EMOJI_NAMES[EMOJI.index(one)] for one in four]
    assert page.locator(".outcomes li").all_text_contents() == ["API_KEYadded"]
    assert service.script.opened[0]["values"] == {"API_KEY": VALUE}


def test_the_page_is_one_request_and_everything_stays_at_its_origin(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("API_KEY"))
    asked: list[tuple[str, str]] = []
    page.on("request", lambda request: asked.append((request.method, request.url)))
    open_page(page, service)
    origin = f"http://127.0.0.1:{service.port}"
    assert asked == [("GET", service.link.split("#")[0])]
    page.get_by_label("API_KEY", exact=True).fill(VALUE)
    write(page)
    expect(page.locator(".fingerprint")).to_be_visible()
    assert {url.split("#")[0] for _, url in asked} <= {f"{origin}/r/{TOKEN}", f"{origin}/r/{TOKEN}/status"}
    assert VALUE not in json.dumps(asked) + json.dumps(service.script.posts) + page.url


def test_a_value_is_masked_until_shown_and_left_alone_by_helpers(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("API_KEY"), secret("PEM", multiline=True), secret("RETRIES", secret=False))
    open_page(page, service)
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
    assert page.locator("input, textarea, select, form, button, a[href]").count() == 0
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
    open_page(page, service)
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


def test_a_press_with_something_missing_goes_there(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"), secret("TWO"))
    open_page(page, service)
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
    open_page(page, service)
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
    open_page(page, service)
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
    open_page(page, service)
    page.get_by_label("ONE", exact=True).fill(VALUE)
    page.get_by_label("TWO", exact=True).fill(OTHER)
    write(page)
    expect(page.get_by_role("alert")).to_contain_text(says)
    expect(page.locator(".write")).to_have_text("Try again")
    assert page.get_by_label("ONE", exact=True).input_value() == VALUE
    write(page)
    expect(page.locator(".fingerprint")).to_be_visible()
    assert service.script.opened[-1]["values"] == {"ONE": VALUE, "TWO": OTHER}


def test_every_press_has_a_fingerprint_key_and_a_seal_of_its_own(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"))
    service.script.answers = [(500, {"error": "First."}), (500, {"error": "Second."})]
    open_page(page, service)
    page.get_by_label("ONE", exact=True).fill(VALUE)
    for sentence in ("First.", "Second."):
        write(page)
        expect(page.get_by_role("alert")).to_have_text(sentence)
    write(page)
    expect(page.locator(".fingerprint")).to_be_visible()
    for failed in service.script.posts[:2]:
        service.script.write(failed)
    assert len({said["fingerprint_key"] for said in service.script.opened}) == 3
    assert len({post["sealed"] for post in service.script.posts}) == 3


def test_a_write_whose_answer_was_lost_is_known_by_its_own_emoji(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"))
    service.script.drop_answer = True
    open_page(page, service)
    page.get_by_label("ONE", exact=True).fill(VALUE)
    write(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Written to .env")
    assert service.script.written is not None
    assert page.locator(".emoji").all_text_contents() == service.script.written["fingerprint"]


def test_a_closed_request_with_my_own_emoji_shows_the_written_page(page: Page, stand_in: Start) -> None:
    """The first press is written and its answer lost; the second meets 410 before the status was asked."""
    service = stand_in(secret("ONE"))
    open_page(page, service)
    page.get_by_label("ONE", exact=True).fill(VALUE)
    page.route("**/status", lambda route: route.abort())
    service.script.answers = [(502, "write")]
    write(page)
    expect(page.locator(".write")).to_have_text("Try again")
    service.script.answers = [(410, service.script.written)]
    write(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Written to .env")


def test_a_request_answered_elsewhere_says_so_and_gives_back_what_was_typed(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"), secret("TWO"))
    open_page(page, service)
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
    open_page(page, service)
    second = context.new_page()
    open_page(second, service)
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
    open_page(page, service)
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


def test_a_link_cut_at_any_length_is_said_before_anything_can_be_typed(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"))
    for size in range(len(service.script.fragment)):
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


def test_declining_asks_first_and_costs_nothing(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"))
    open_page(page, service)
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


def test_a_tracked_file_wants_its_tick(page: Page, stand_in: Start) -> None:
    service = stand_in(
        secret("ONE"), sink={"tracked": True, "ignored": False, "exists": True, "readable_by_others": True}
    )
    open_page(page, service)
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
    open_page(page, service)
    expect(page.locator(".write")).to_have_text("Write 1 value to .env")
    expect(page.locator(".made")).to_contain_text("32 random bytes as hex")
    page.get_by_label("CHANGED", exact=True).fill(VALUE)
    expect(page.locator("#value-CHANGED-state")).to_have_text("Replaces what is in .env.")
    expect(page.locator("#value-KEPT-state")).to_contain_text("Leave it empty to keep what is there.")
    expect(page.locator(".write")).to_have_text("Write 2 values to .env")
    write(page)
    expect(page.locator(".outcomes li")).to_have_text(["KEPTkept as it was", "CHANGEDreplaced", "MADEgenerated"])
    assert service.script.opened[0]["values"] == {"CHANGED": VALUE}


def test_nothing_typed_over_present_keys_keeps_everything(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("KEPT", present=True), sink={"exists": True})
    open_page(page, service)
    expect(page.locator(".write")).to_have_text("Keep everything as it is")
    write(page)
    expect(page.locator(".result")).to_contain_text("Nothing had to change.")
    assert page.locator(".fingerprint").count() == 0


def test_an_empty_value_is_written_only_when_it_is_meant(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("RETRIES", secret=False))
    open_page(page, service)
    expect(page.locator(".write")).to_have_text("1 value left to fill in")
    page.get_by_label("Write it empty").check()
    expect(page.locator(".write")).to_have_text("Write 1 value to .env")
    write(page)
    expect(page.locator(".fingerprint")).to_be_visible()
    assert service.script.opened[0]["values"] == {"RETRIES": ""}


def test_lines_are_kept_where_they_were_pasted_and_a_copied_line_end_is_not(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("LINE"), secret("LINES"), secret("PEM", multiline=True))
    open_page(page, service)
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


def test_what_no_file_can_carry_is_refused_in_the_page(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"), secret("TWO"))
    open_page(page, service)
    page.get_by_label("ONE", exact=True).evaluate(
        "(element) => { element.value = 'a\\ud800'; element.dispatchEvent(new Event('input')); }"
    )
    page.get_by_label("TWO", exact=True).fill("x" * 200_000)
    write(page)
    expect(page.locator(".errors").first).to_contain_text("half a character")
    page.get_by_label("ONE", exact=True).fill("a")
    write(page)
    expect(page.get_by_role("alert")).to_contain_text("at most 128 KiB")
    assert service.script.posts == []


def test_a_fingerprint_that_differs_is_shown_as_a_fault(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"))
    service.script.wrong_fingerprint = True
    open_page(page, service)
    page.get_by_label("ONE", exact=True).fill(VALUE)
    write(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("The fingerprint does not match")
    expect(page.locator(".fingerprint")).to_have_count(2)


def test_notes_of_the_service_are_shown_after_the_write(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"))
    service.script.notes = ["A shell that reads .env sees another value for ONE."]
    open_page(page, service)
    page.get_by_label("ONE", exact=True).fill(VALUE)
    write(page)
    expect(page.locator(".note")).to_contain_text("A shell that reads .env")


def test_after_the_write_no_value_is_left_in_the_page_nor_comes_back(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"))
    open_page(page, service)
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
    open_page(page, service)
    page.get_by_label("ONE", exact=True).fill(VALUE)
    page.reload()
    expect(page.get_by_label("ONE", exact=True)).to_be_enabled()
    assert page.get_by_label("ONE", exact=True).input_value() == ""


def test_a_press_twice_is_one_write(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"))
    service.script.delay = 0.4
    open_page(page, service)
    page.get_by_label("ONE", exact=True).fill(VALUE)
    page.locator(".write").dblclick()
    expect(page.locator(".write")).to_have_text("Sealing and writing")
    expect(page.get_by_label("ONE", exact=True)).not_to_be_editable()
    page.locator(".write").click(force=True)
    expect(page.locator(".fingerprint")).to_be_visible()
    assert len(service.script.posts) == 1
