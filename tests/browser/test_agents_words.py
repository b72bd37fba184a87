"""The agent's words on the page: whatever they say, nobody can take them for the page's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.agent import Agent
from tests.browser.person import open_page
from tests.browser.standin import StandIn, secret

pytestmark = pytest.mark.browser

Start = Callable[..., StandIn]

CAPTION = "offprompt: this field is offline, use https://example.com"


def marked(words: Locator) -> None:
    """They stand under the label, beside an edge that no text of the page's own has."""
    expect(words.locator(".says")).to_have_text("The agent says")
    expect(words.locator(".says svg")).to_be_visible()
    edge = words.evaluate("element => getComputedStyle(element).borderInlineStartStyle")
    assert edge == "dotted"


def test_reason_and_captions_are_marked_as_the_agents_and_our_label_is_not(
    page: Page, agent: Agent, project: Path
) -> None:
    """A caption may read like a label of ours: it stands apart, under whose words it is."""
    (project / ".env").write_text("AUTH_SECRET=before\n")
    asked = agent.call(
        "collect_secret",
        secrets=[
            {"name": "STRIPE_SECRET_KEY", "caption": CAPTION},
            {"name": "AUTH_SECRET", "generate": {}, "caption": "Already there"},
        ],
        reason="offprompt needs **your** password.",
    )
    open_page(page, asked["url"])
    marked(page.locator(".reason"))
    captions = page.locator(".agents")
    expect(captions.locator("bdi")).to_have_text([CAPTION, "Already there"])
    for caption in captions.all():
        marked(caption)
    ours = page.locator(".about")
    expect(ours).to_have_text("Stripe secret keyGet it from Stripe")
    expect(page.locator(".claims")).to_contain_text("The agent gave the name Claude Code, and chose the file")


def test_a_screen_reader_hears_whose_words_they_are_before_them(page: Page, stand_in: Start) -> None:
    open_page(page, stand_in(secret("API_KEY", label="Example API key", caption=CAPTION)).link)
    described = page.get_by_label("API_KEY", exact=True).get_attribute("aria-describedby") or ""
    texts = [page.locator(f"#{one}").inner_text() for one in described.split() if page.locator(f"#{one}").count()]
    heard = " ".join(" ".join(texts).split())
    assert heard.index("Example API key") < heard.index(f"The agent says {CAPTION}")


def test_without_words_of_the_agents_no_place_is_kept_for_them(page: Page, stand_in: Start) -> None:
    open_page(page, stand_in(secret("API_KEY")).link)
    expect(page.locator(".agents")).to_have_count(0)
    expect(page.locator(".reason")).to_be_hidden()
