"""Words of others on the page: they are text, stay where they belong, and break nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.agent import Agent
from tests.browser.person import VALUE, open_page, write
from tests.browser.standin import StandIn, secret
from tests.browser.test_access import overflow

pytestmark = pytest.mark.browser

OVERRIDE = "\u202egnp.exe\u2066"

REASONS = {
    "html": "<script>document.title='x'</script><img src=x onerror=alert(1)><style>*{display:none}</style>"
    "<form action=https://example.com><button>Go</button></form><!-- <h1 id=title>Other</h1>",
    "links": "[press](javascript:alert(1)) ![x](https://example.com/x.png) <https://example.com> https://example.com",
    "nested": "> " * 200 + "deep\n\n" + "- " * 200 + "deep\n\n" + "*" * 500 + "[" * 300 + "(" * 100,
    "turned": f"Read {OVERRIDE} and \u05d0\u05d1\u05d2 \u200f\u200e\u2069\u2069 on",
    "emoji": "\U0001f34b" * 2000,
    "one word": "W" * 2000,
    "marks": "a" + "\u0300\u0489" * 900,
    "headings": "# One\n# Two\n" * 80,
    "template": "{{nonce}} {{request}} {host} {path} </script>",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder's name with quotes, markup and letters from right to left."""
    folder = tmp_path_factory.mktemp("hostile") / "sh'op\"<b>\u05d7\u05e0\u05d5\u05ea{path}"
    folder.mkdir()
    return folder


@pytest.fixture(scope="module")
def agent(project: Path) -> Iterator[Agent]:
    """One service for all that is said."""
    with Agent(project) as started:
        yield started


@pytest.mark.parametrize("kind", REASONS)
def test_whatever_an_agent_says_the_form_works_and_stays_in_its_column(
    page: Page, agent: Agent, project: Path, kind: str
) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    name = f"KEY_{kind.upper().replace(' ', '_')}"
    caption = f"See {OVERRIDE} <b>here</b>"
    told = agent.call("collect_secret", secrets=[{"name": name, "caption": caption}], reason=REASONS[kind])
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    open_page(page, told["url"])
    expect(page).to_have_title("Claude Code asks you to fill in .env")
    assert page.locator(".reason :is(a, img, script, form, button, style)").count() == 0
    expect(page.locator(".project")).to_contain_text("sh'op\"<b>\u05d7\u05e0\u05d5\u05ea{path}")
    shown = page.locator("main").inner_text()
    assert "\u202e" not in shown
    assert "<b>here</b>" in shown
    assert overflow(page) == 0
    page.get_by_text("Full path").click()
    expect(page.locator(".full")).to_have_text(str(project))
    assert overflow(page) == 0
    page.get_by_label(name, exact=True).fill(VALUE)
    write(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Written to .env")
    assert f"{name}={VALUE}" in (project / ".env").read_text()


def test_ten_thousand_emoji_and_a_thousand_headings_scroll_down_and_not_sideways(
    page: Page, stand_in: Callable[..., StandIn]
) -> None:
    """More than the service lets through."""
    reason = "<p>" + "\U0001f34b" * 10_000 + "</p>" + "<h1>One</h1>" * 1000
    service = stand_in(secret("ONE"), reason=reason, host="\u05d0" * 300)
    open_page(page, service.link)
    assert overflow(page) == 0
    page.get_by_label("ONE", exact=True).fill(VALUE)
    write(page)
    expect(page.locator(".fingerprint")).to_be_visible()
