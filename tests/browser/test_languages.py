"""The page in every language: chosen by the browser, switched in place, clean for axe-core, wide enough for words."""

from __future__ import annotations

import difflib
import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.agent import Agent
from tests.browser.reading import findings, overflow, words
from tests.browser.standin import TOKEN, StandIn, secret
from tests.browser.states import STATES, VALUE, Scene
from tests.browser.traffic import Traffic

pytestmark = pytest.mark.browser

Start = Callable[..., StandIn]

WORDS = Path(__file__).parents[2] / "offprompt" / "page" / "words"
LANGUAGES = sorted(path.stem for path in WORDS.glob("*.json"))

SWITCHED = {"de": STATES, "ar": ("filled", "warned", "pasted", "written")}
"""Where a switch is compared with the same state opened in that language: all in one, in Arabic where facts turn."""


def switch(page: Page, lang: str) -> None:
    """Choose another language."""
    page.locator("#language").select_option(lang)
    expect(page.locator("html")).to_have_attribute("lang", lang)


@pytest.fixture
def narrow(chromium: Browser) -> Iterator[Page]:
    """A small phone."""
    context = chromium.new_context(viewport={"width": 320, "height": 640})
    yield context.new_page()
    context.close()


@pytest.mark.parametrize(
    ("wanted", "lang", "direction"),
    [("de-CH", "de", "ltr"), ("zh-CN", "zh-Hans", "ltr"), ("ar-EG", "ar", "rtl"), ("fi", "en", "ltr")],
)  # fmt: skip
def test_a_browser_gets_its_language_from_the_service(
    chromium: Browser, tmp_path: Path, wanted: str, lang: str, direction: str
) -> None:
    """The page, and the small page after it."""
    project = tmp_path / "shop"
    project.mkdir()
    said = json.loads((WORDS / f"{lang}.json").read_text())
    context = chromium.new_context(locale=wanted)
    page = context.new_page()
    with Agent(project) as agent:
        asked = agent.collect("API_KEY")
        page.goto(asked["url"])
        expect(page.locator("#contact.connected")).to_have_text(said["page"]["bar.connected"])
        assert page.locator("html").get_attribute("lang") == lang
        assert page.locator("html").get_attribute("dir") == direction
        expect(page.locator("#language")).to_have_value(lang)
        options = page.locator("#language option").evaluate_all("all => all.map(one => one.value).sort()")
        assert options == LANGUAGES
        agent.call("cancel_secret", request_id=asked["request_id"])
        page.reload()
        expect(page.locator("h1")).to_have_text(said["notice"]["410.cancelled"]["heading"])
        assert page.locator("html").get_attribute("dir") == direction
    context.close()


@pytest.mark.parametrize(("lang", "state"), [(lang, state) for lang, states in SWITCHED.items() for state in states])
def test_after_a_switch_every_word_is_as_if_it_had_been_so_from_the_start(
    context: BrowserContext, page: Page, stand_in: Start, lang: str, state: str
) -> None:
    STATES[state](Scene(page, stand_in))
    before = words(page)
    switch(page, lang)
    other = context.new_page()
    STATES[state](Scene(other, stand_in, lang))
    assert _differences(words(page), words(other)) == ""
    switch(page, "en")
    assert words(page) == before


def _differences(one: list[str], other: list[str]) -> str:
    return "\n".join(difflib.unified_diff(_told(one), _told(other), "switched", "opened", n=1, lineterm=""))


def _told(seen: list[str]) -> list[str]:
    """Emoji and their names differ from write to write."""
    names = {name for path in WORDS.glob("*.json") for name in json.loads(path.read_text())["page"]["emoji"].split("|")}
    return [text for text in seen if text not in names and not (len(text) == 1 and ord(text) > 0x2000)]


def test_what_was_typed_stays_and_so_does_the_focus(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"), secret("EMPTY", secret=False), sink={"git": "tracked", "exists": True})
    page.goto(service.link)
    expect(page.locator("#contact.connected")).to_be_visible()
    page.locator("#allow-tracked").check()
    page.locator("#value-ONE").fill(VALUE)
    page.get_by_role("button", name="Show ONE").click()
    page.get_by_label("Write it empty").check()
    page.locator("#language").focus()
    switch(page, "ar")
    expect(page.locator("#language")).to_be_focused()
    assert page.locator("html").get_attribute("dir") == "rtl"
    assert page.locator("#value-ONE").input_value() == VALUE
    assert page.locator("#value-ONE").evaluate("element => element.classList.contains('masked')") is False
    assert page.locator("#value-ONE").evaluate("element => getComputedStyle(element).direction") == "ltr"
    expect(page.locator("#allow-tracked")).to_be_checked()
    assert [one for one in service.script.requests if "words" in one] == [f"GET /r/{TOKEN}/words/ar"]
    page.locator(".write").click()
    expect(page.locator(".fingerprint")).to_be_visible()
    assert service.script.opened[0]["values"] == {"ONE": VALUE, "EMPTY": ""}
    heading = page.locator("h1").text_content()
    assert heading is not None
    assert page.title() == heading


def test_a_switch_while_values_are_being_written_changes_words_alone(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"))
    service.script.held = threading.Event()
    page.goto(service.link)
    expect(page.locator("#contact.connected")).to_be_visible()
    page.locator("#value-ONE").fill(VALUE)
    page.locator(".write").click()
    expect(page.locator(".write")).to_have_text("Sealing and writing")
    switch(page, "de")
    expect(page.locator(".write")).to_have_text("Wird versiegelt und geschrieben")
    service.script.held.set()
    expect(page.locator("h1")).to_have_text("In .env geschrieben")
    assert len(service.script.posts) == 1


def test_a_language_that_cannot_be_fetched_leaves_the_page_as_it_is(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"))
    page.goto(service.link)
    expect(page.locator("#contact.connected")).to_be_visible()
    page.locator("#value-ONE").fill(VALUE)
    service.script.silent = True
    page.locator("#language").select_option("fr")
    expect(page.locator("#language")).to_have_value("en")
    message = page.locator("#language").evaluate("element => element.validationMessage")
    assert message == "The words in this language could not be fetched. Try again in a moment."
    assert page.locator("html").get_attribute("lang") == "en"
    assert page.locator("#value-ONE").input_value() == VALUE
    service.script.silent = False
    switch(page, "fr")
    assert page.locator("#language").evaluate("element => element.validationMessage") == ""


def test_of_two_choices_in_a_hurry_the_last_one_holds(page: Page, stand_in: Start) -> None:
    page.goto(stand_in(secret("ONE")).link)
    expect(page.locator("#contact.connected")).to_be_visible()
    traffic = Traffic(page)
    page.evaluate(
        """() => {
            const select = document.querySelector('#language');
            for (const lang of ['fr', 'ja', 'de']) {
                select.value = lang;
                select.dispatchEvent(new Event('change'));
            }
        }"""
    )
    expect(page.locator("html")).to_have_attribute("lang", "de")
    traffic.settle()
    assert page.locator("html").get_attribute("lang") == "de"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_small_phone_and_axe_have_nothing_against_a_language(narrow: Page, stand_in: Start, lang: str) -> None:
    """The widest words on the narrowest screen, and what only some languages can get wrong."""
    wrong: dict[str, object] = {}
    for state in ("form", "warned", "written"):
        STATES[state](Scene(narrow, stand_in, lang))
        wrong[state] = (findings(narrow), overflow(narrow))
        bar = narrow.locator(".bar > div").bounding_box()
        assert bar is not None
        assert bar["height"] < 70, state  # one line of 44 px, or two of small text
    assert wrong == dict.fromkeys(wrong, ([], 0))
