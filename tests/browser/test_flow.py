"""The whole way, nothing stood in for: an agent asks, a person answers in Chromium, the file holds it."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, Request, Route, expect

from tests.browser.agent import Agent
from tests.browser.conftest import ARGUMENTS
from tests.browser.other_site import other_site
from tests.browser.person import VALUE, open_page
from tests.browser.traffic import Traffic

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """The whole browser, as a person has it on their desktop."""
    found = shutil.which("chromium")
    if found is None:
        pytest.skip("needs chromium: run make setup")
    browser = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
    yield browser
    browser.close()


STRIPE = "sk_" + "test_" + "MadeUpForATestOnly123456"
HARD = 'made up, too: $HOME `id` # " \\ é 🔑'


def test_an_agent_asks_a_person_answers_the_file_holds_it_and_nothing_else_does(
    page: Page, agent: Agent, project: Path
) -> None:
    asked = agent.call(
        "collect_secret",
        secrets=[{"name": "STRIPE_SECRET_KEY"}, {"name": "DATABASE_PASSWORD"}, {"name": "AUTH_SECRET", "generate": {}}],
        reason="Checkout needs **Stripe**. <script>alert(1)</script> [a link](https://example.com)",
    )
    assert asked["status"] == "awaiting"
    requests: list[str] = []
    page.on("request", lambda request: requests.append(f"{request.method} {request.url} {request.post_data or ''}"))
    open_page(page, asked["url"])
    expect(page.get_by_role("heading", level=1)).to_have_text("Claude Code asks you to fill in .env")
    expect(page.locator(".reason strong")).to_have_text("Stripe")
    assert page.locator(".reason a, .reason script").count() == 0
    expect(page.locator(".where .full")).to_have_text(str(project))
    page.get_by_label("STRIPE_SECRET_KEY", exact=True).fill(STRIPE)
    page.get_by_label("DATABASE_PASSWORD", exact=True).fill(VALUE)
    made = page.get_by_label("AUTH_SECRET", exact=True).input_value()
    expect(page.locator(".write")).to_have_text("Write 3 values to .env")
    page.locator(".write").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Written to .env")
    four = page.locator(".emoji").all_text_contents()
    expect(page.locator(".outcomes .outcome")).to_have_text(["Added", "Added", "Generated"])

    answered = agent.call("await_secret", request_id=asked["request_id"])
    assert answered["status"] == "written"
    assert answered["fingerprint"] == " ".join(four)
    held = dict(line.split("=", 1) for line in (project / ".env").read_text().splitlines())
    assert held["STRIPE_SECRET_KEY"] == STRIPE
    assert held["DATABASE_PASSWORD"].strip("'\"") == VALUE
    assert held["AUTH_SECRET"].strip("'\"") == made
    for value in (STRIPE, VALUE, made):
        assert value not in " ".join(requests)
        assert value.encode() not in agent.said()
    assert [path.name for path in project.iterdir()] == [".env"]


def test_a_wrong_value_is_told_under_its_field_and_mended(page: Page, agent: Agent, project: Path) -> None:
    """No line of a dotenv file carries all three quotes with a line break; the page keeps everything and says so."""
    asked = agent.collect("FIRST", "SECOND")
    open_page(page, asked["url"])
    page.get_by_label("FIRST", exact=True).fill(VALUE)
    page.get_by_label("SECOND", exact=True).fill("'\"`\n$X \\")
    page.locator(".write").click()
    expect(page.locator(".wrong")).to_have_count(1)
    expect(page.get_by_label("SECOND", exact=True)).to_be_focused()
    expect(page.locator("#value-SECOND-errors li").first).not_to_be_empty()
    assert not (project / ".env").exists()
    assert page.get_by_label("FIRST", exact=True).input_value() == VALUE
    page.get_by_label("SECOND", exact=True).fill(HARD)
    page.locator(".write").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Written to .env")
    assert agent.call("await_secret", request_id=asked["request_id"])["status"] == "written"
    assert VALUE.encode() not in agent.said()


def test_a_file_system_that_refuses_keeps_everything_for_another_try(page: Page, agent: Agent, project: Path) -> None:
    """Another program holds the folder's lock for longer than a write waits."""
    asked = agent.collect("FIRST")
    open_page(page, asked["url"])
    page.get_by_label("FIRST", exact=True).fill(VALUE)
    held = os.open(project, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        page.locator(".write").click()
        expect(page.locator(".write")).to_have_text("Sealing and writing")
        expect(page.get_by_role("alert")).not_to_be_empty(timeout=15_000)
    finally:
        os.close(held)
    expect(page.locator(".write")).to_have_text("Try again")
    assert page.get_by_label("FIRST", exact=True).input_value() == VALUE
    page.locator(".write").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Written to .env")
    assert VALUE in (project / ".env").read_text()


def test_an_answered_link_is_a_page_with_words(page: Page, agent: Agent) -> None:
    asked = agent.collect("FIRST")
    open_page(page, asked["url"])
    page.get_by_label("FIRST", exact=True).fill(VALUE)
    page.locator(".write").click()
    expect(page.locator(".fingerprint")).to_be_visible()
    response = page.reload()
    assert response is not None
    assert response.status == 410
    expect(page.get_by_role("heading", level=1)).to_have_text("Already written")
    assert page.locator("input, textarea").count() == 0
    unknown = page.goto(asked["url"].split("/r/")[0] + "/r/" + "0" * 32)
    assert unknown is not None
    assert unknown.status == 404
    expect(page.get_by_role("heading", level=1)).to_have_text("Nothing here")


def test_two_tabs_one_writes_and_the_other_cannot(
    context: BrowserContext, page: Page, agent: Agent, project: Path
) -> None:
    asked = agent.collect("FIRST")
    open_page(page, asked["url"])
    second = context.new_page()
    open_page(second, asked["url"])
    second.get_by_label("FIRST", exact=True).fill("from the second tab")
    page.get_by_label("FIRST", exact=True).fill(VALUE)
    page.locator(".write").click()
    expect(page.locator(".fingerprint")).to_be_visible()
    second.locator(".write").click()
    expect(second.get_by_role("heading", level=1)).to_have_text("Already answered")
    assert VALUE in (project / ".env").read_text()


def test_a_press_held_up_on_its_way_that_arrives_before_a_later_one_is_told_as_the_earlier(
    page: Page, agent: Agent, project: Path
) -> None:
    """The first press never gets an answer; it reaches the service just before the second does."""
    asked = agent.collect("FIRST", "SECOND")
    open_page(page, asked["url"])
    held: list[Request] = []

    def hold(route: Route) -> None:
        if route.request.method != "POST":
            route.continue_()
        elif not held:
            held.append(route.request)
            route.abort()
        else:
            sent = held[0]
            arrived = page.context.request.post(sent.url, data=sent.post_data, headers=sent.headers)
            assert arrived.json()["status"] == "written"
            route.continue_()

    page.route("**/r/*", hold)
    page.get_by_label("FIRST", exact=True).fill(VALUE)
    page.get_by_label("SECOND", exact=True).fill("stays as it is")
    page.locator(".write").click()
    expect(page.locator(".write")).to_have_text("Try again")
    page.get_by_label("FIRST", exact=True).fill("typed after the first press")
    page.locator(".write").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("An earlier version was written")
    expect(page.get_by_role("alert")).to_have_text(
        ".env holds what this page sent before your last change. The newer value of FIRST was not written."
    )
    expect(page.locator(".overtaken")).to_contain_text("tell Claude Code to ask again")
    assert VALUE in (project / ".env").read_text()
    four = page.locator(".emoji").all_text_contents()
    assert agent.call("await_secret", request_id=asked["request_id"])["fingerprint"] == " ".join(four)
    assert page.locator(".overtaken .typed").count() == 1
    assert page.get_by_label("FIRST", exact=True).input_value() == "typed after the first press"
    expect(page.get_by_role("button", name="Copy FIRST")).to_be_visible()


def test_declining_is_told_to_the_agent(page: Page, agent: Agent, project: Path) -> None:
    asked = agent.collect("FIRST")
    open_page(page, asked["url"])
    page.get_by_label("FIRST", exact=True).fill(VALUE)
    page.get_by_role("button", name="Decline", exact=True).click()
    page.get_by_role("button", name="Yes, decline").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Declined")
    assert agent.call("await_secret", request_id=asked["request_id"])["status"] == "cancelled"
    assert not (project / ".env").exists()


def test_a_request_that_the_agent_withdraws_closes_the_page(page: Page, agent: Agent) -> None:
    asked = agent.collect("FIRST")
    open_page(page, asked["url"])
    page.get_by_label("FIRST", exact=True).fill(VALUE)
    agent.call("cancel_secret", request_id=asked["request_id"])
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(page.get_by_role("heading", level=1)).to_have_text("This request was withdrawn")
    assert page.get_by_label("FIRST", exact=True).input_value() == VALUE


def test_a_tracked_file_wants_its_tick_and_other_accounts_are_told_of(page: Page, agent: Agent, project: Path) -> None:
    (project / ".env").write_text("OLD=1\nFIRST=before\n")
    (project / ".env").chmod(0o644)
    for command in (["init", "-q"], ["add", ".env"]):
        subprocess.run(["git", *command], cwd=project, check=True, capture_output=True)
    asked = agent.collect("FIRST")
    open_page(page, asked["url"])
    expect(page.locator(".where")).to_contain_text("tracked by git")
    expect(page.locator(".where")).to_contain_text("Other accounts")
    page.get_by_label("FIRST", exact=True).fill(VALUE)
    expect(page.locator(".write")).to_have_text("Tick the box above first")
    page.get_by_label("Write it all the same").check()
    page.locator(".write").click()
    expect(page.locator(".outcomes .outcome")).to_have_text(["Replaced"])
    text = (project / ".env").read_text()
    assert text.startswith("OLD=1\n")
    assert VALUE in text


def test_a_present_key_left_empty_stays(page: Page, agent: Agent, project: Path) -> None:
    (project / ".env").write_text("FIRST=before\n")
    asked = agent.collect("FIRST", "SECOND")
    open_page(page, asked["url"])
    page.get_by_label("SECOND", exact=True).fill(VALUE)
    page.locator(".write").click()
    expect(page.locator(".outcomes .outcome")).to_have_text(["Kept as it was", "Added"])
    assert (project / ".env").read_text().startswith("FIRST=before\n")


@pytest.fixture
def elsewhere(agent: Agent) -> Iterator[tuple[str, dict[str, str]]]:
    """Another site, and the request whose link stands on it."""
    asked = agent.collect("FIRST")
    link = f'<!doctype html><title>chat</title><a href="{asked["url"]}">the link</a>'
    with other_site(link.encode) as address:
        yield address, asked


def test_a_click_on_the_link_in_a_page_of_another_site_opens_it(
    page: Page, elsewhere: tuple[str, dict[str, str]]
) -> None:
    page.goto(elsewhere[0])
    page.get_by_role("link").click()
    expect(page.locator("#contact")).to_have_text("Connected")
    page.get_by_label("FIRST", exact=True).fill(VALUE)
    page.locator(".write").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Written to .env")


def test_another_site_can_neither_read_nor_frame_nor_post(
    context: BrowserContext, agent: Agent, elsewhere: tuple[str, dict[str, str]], project: Path
) -> None:
    other, asked = elsewhere
    address = asked["url"].split("#")[0]
    page = context.new_page()
    page.goto(other)
    read = "address => fetch(address).then(() => 'read', () => 'refused')"
    blind = """address => fetch(address + '/decline', {method: 'POST', mode: 'no-cors', body: '{}'})
        .then(() => 'sent', () => 'refused')"""
    assert page.evaluate(read, address) == "refused"
    assert page.evaluate(blind, address) == "refused"
    page.evaluate(
        """address => {
            const frame = document.createElement('iframe');
            frame.onload = () => frame.setAttribute('data-loaded', '');
            frame.src = address;
            document.body.append(frame);
        }""",
        address,
    )
    expect(page.locator("iframe")).to_have_attribute("data-loaded", "")
    assert [frame.locator("#page").count() for frame in page.frames[1:]] in ([0], [])
    assert agent.call("await_secret", request_id=asked["request_id"], wait_seconds=0)["status"] == "awaiting"
    assert not (project / ".env").exists()


def test_the_page_works_by_the_other_name_of_this_machine(page: Page, agent: Agent, project: Path) -> None:
    """As with a forwarded port."""
    asked = agent.collect("FIRST")
    open_page(page, asked["url"].replace("127.0.0.1", "localhost"))
    page.get_by_label("FIRST", exact=True).fill(VALUE)
    page.locator(".write").click()
    expect(page.locator(".fingerprint")).to_be_visible()
    assert VALUE in (project / ".env").read_text()


def test_a_service_that_ends_leaves_the_values_on_the_page(page: Page, project: Path) -> None:
    with Agent(project) as agent:
        asked = agent.collect("FIRST")
        page.clock.install()
        traffic = Traffic(page)
        page.goto(asked["url"])
        page.clock.run_for(10)
        page.get_by_label("FIRST", exact=True).fill(VALUE)
    traffic.run(45)
    expect(page.locator(".lost")).to_contain_text("The session of Claude Code has probably ended")
    assert page.get_by_label("FIRST", exact=True).input_value() == VALUE
    expect(page.get_by_role("button", name="Copy FIRST")).to_be_visible()
