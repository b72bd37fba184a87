"""The page for who does not see it as most do: heard, enlarged, in a system's own few colours."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.reading import findings, overflow
from tests.browser.standin import StandIn, secret
from tests.browser.states import STATES, VALUE, Scene, everything

pytestmark = pytest.mark.browser

Start = Callable[..., StandIn]


@pytest.fixture
def heard(page: Page) -> Callable[[], list[dict[str, Any]]]:
    """What Chromium tells a screen reader, as a list of nodes: role, name, description and other properties."""
    devtools = page.context.new_cdp_session(page)

    def nodes() -> list[dict[str, Any]]:
        told = []
        for node in devtools.send("Accessibility.getFullAXTree")["nodes"]:
            if not node["ignored"]:
                properties = {one["name"]: one["value"].get("value") for one in node.get("properties", [])}
                texts = {part: node.get(part, {}).get("value", "") for part in ("role", "name", "description")}
                told.append({**properties, **texts})
        return told

    return nodes


def test_every_field_is_heard_with_its_name_and_all_that_is_known_of_it(
    page: Page, stand_in: Start, heard: Callable[[], list[dict[str, Any]]]
) -> None:
    service = Scene(page, stand_in).open(*everything())
    fields = {node["name"]: node for node in heard() if node["role"] == "textbox"}
    assert list(fields) == [one["name"] for one in service.script.data["secrets"]]
    stripe, database = fields["STRIPE_SECRET_KEY"], fields["DATABASE_URL"]
    for known in ("Stripe secret key", "Dashboard, Developers, API keys", "at least 20 characters"):
        assert known in stripe["description"]
    assert "Already in .env. Leave it empty to keep what is there." in database["description"]
    assert "Made in this browser" in fields["AUTH_SECRET"]["description"]
    buttons = [node["name"] for node in heard() if node["role"] == "button"]
    assert "Show STRIPE_SECRET_KEY" in buttons
    assert len(buttons) == len(set(buttons))


def test_what_is_wrong_with_a_field_is_heard_with_it(
    page: Page, stand_in: Start, heard: Callable[[], list[dict[str, Any]]]
) -> None:
    service = Scene(page, stand_in).open(secret("ONE"), secret("TWO"))
    service.script.answers = [(422, {"errors": {"TWO": ["Something is wrong with it."]}, "form": []})]
    page.locator("#value-ONE").fill(VALUE)
    page.locator("#value-TWO").fill(VALUE)
    page.locator(".write").click()
    expect(page.locator("#value-TWO")).to_be_focused()
    fields = {node["name"]: node for node in heard() if node["role"] == "textbox"}
    assert (fields["ONE"].get("invalid"), fields["TWO"].get("invalid")) == ("false", "true")
    assert "Something is wrong with it." in fields["TWO"]["description"]
    assert "Something is wrong with it." not in fields["ONE"]["description"]


def test_no_value_is_ever_part_of_a_name_or_a_description(
    page: Page, stand_in: Start, heard: Callable[[], list[dict[str, Any]]]
) -> None:
    """Of a field that is masked not even its own value is heard."""
    Scene(page, stand_in).open(secret("ONE"))
    page.locator("#value-ONE").fill(VALUE)
    assert not [node for node in heard() if VALUE in node["name"] or VALUE in node["description"]]


@pytest.mark.parametrize(
    ("state", "place", "says"),
    [
        ("failing", ".problems", "A write for this request is under way."),
        ("refused", ".problems", "1 value needs another look."),
        ("away", ".lost", "The session of Claude Code has probably ended"),
        ("pasted", ".filled", "values filled in"),
        ("away", "#contact", "No connection"),
    ],
)
def test_news_is_spoken_by_a_region_that_was_there_before(
    page: Page, stand_in: Start, state: str, place: str, says: str
) -> None:
    """Screen readers speak what changes inside a live region, not a region that appears with its text in it."""
    page.add_init_script(
        f"""addEventListener('DOMContentLoaded', () => {{
            const region = document.querySelector({place!r});
            window.before = [region, region.textContent];
        }});"""
    )
    STATES[state](Scene(page, stand_in))
    region = page.locator(place)
    expect(region).to_contain_text(says)
    assert region.evaluate("element => element === window.before[0] && element.textContent !== window.before[1]")
    assert region.get_attribute("role") in ("alert", "status")


def test_a_page_that_ends_is_heard_from_its_heading_on(page: Page, stand_in: Start) -> None:
    STATES["expired"](Scene(page, stand_in))
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    assert page.title() == "This request has expired"


@pytest.fixture
def doubled(chromium: Browser) -> Iterator[Page]:
    """A window of 1280 px at a zoom of 200 %: 640 px of twice the size (WCAG 2.2, 1.4.4)."""
    context = chromium.new_context(viewport={"width": 640, "height": 400}, device_scale_factor=2)
    yield context.new_page()
    context.close()


def test_at_200_percent_the_whole_way_can_be_gone_with_the_keyboard(doubled: Page, stand_in: Start) -> None:
    """And what has the focus is never under the bar on top, which stays (WCAG 2.2, 2.4.11)."""
    service = Scene(doubled, stand_in).open(*everything()[:3], secret("LAST"), sink={"git": "tracked", "exists": True})
    covered = []
    for _ in range(40):
        doubled.keyboard.press("Tab")
        at = doubled.evaluate("document.activeElement.id || document.activeElement.className")
        bar = doubled.locator(".bar").bounding_box()
        box = doubled.evaluate("document.activeElement.getBoundingClientRect().toJSON()")
        assert bar is not None
        in_bar = doubled.evaluate("document.activeElement.closest('.bar') !== null")
        if not in_bar and not bar["height"] - 1 <= box["top"] <= 400 - 20:
            covered.append((at, box["top"], box["bottom"]))
        if at == "allow-tracked":
            doubled.keyboard.press("Space")
        elif at.startswith("value-") and at != "value-AUTH_SECRET":
            doubled.keyboard.insert_text("sk_test_" + "a1B2c3D4" * 4 if "STRIPE" in at else "postgres://localhost/shop")
        elif at.startswith("write"):
            break
    assert covered == []
    assert overflow(doubled) == 0
    doubled.keyboard.press("Enter")
    expect(doubled.locator(".fingerprint")).to_be_visible()
    assert service.script.opened[0]["values"].keys() >= {"STRIPE_SECRET_KEY", "DATABASE_URL", "LAST"}


@pytest.mark.parametrize("state", ["form", "warned", "written", "expired"])
def test_text_of_twice_the_size_fits_a_phone(page: Page, stand_in: Start, state: str) -> None:
    """Who sets a larger text in the browser gets it: all sizes are relative to it."""
    page.set_viewport_size({"width": 390, "height": 800})
    STATES[state](Scene(page, stand_in))
    size = "parseFloat(getComputedStyle(document.querySelector('main p')).fontSize)"
    before = page.evaluate(size)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate(size) == 2 * before
    assert overflow(page) == 0
    heights = "all => all.map(one => [one.scrollHeight, one.offsetHeight + 1])"
    seen = page.locator(".field:not(.tall) .typed").evaluate_all(heights)
    assert all(inside <= outside for inside, outside in seen)  # no line of a field is cut off


@pytest.fixture
def few_colours(chromium: Browser) -> Iterator[Page]:
    """Windows' high contrast, as Chromium imitates it."""
    context = chromium.new_context(forced_colors="active", color_scheme="dark")
    yield context.new_page()
    context.close()


def test_in_a_systems_own_colours_everything_still_has_its_edge(few_colours: Page, stand_in: Start) -> None:
    Scene(few_colours, stand_in).open(secret("ONE"), sink={"git": "tracked", "exists": True})
    edge = "element => [getComputedStyle(element).borderTopStyle, parseFloat(getComputedStyle(element).borderTopWidth)]"
    assert few_colours.locator(".entry").first.evaluate(edge) == ["solid", 1]
    assert few_colours.locator(".write").evaluate(edge) == ["solid", 1]
    few_colours.locator("#value-ONE").fill(VALUE)
    few_colours.locator("#allow-tracked").check()
    assert few_colours.locator(".write.ready").evaluate(edge) == ["solid", 2]
    few_colours.locator("#value-ONE").focus()
    outline = "element => getComputedStyle(element).outlineStyle"
    assert few_colours.locator(".entry").first.evaluate(outline) == "solid"
    few_colours.keyboard.press("Tab")
    assert few_colours.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    assert findings(few_colours, "color-contrast") == []  # it reads the page's colours, and not the system's


def test_who_wants_more_contrast_gets_no_quiet_text(chromium: Browser, stand_in: Start) -> None:
    context = chromium.new_context(contrast="more")
    page = context.new_page()
    Scene(page, stand_in).open(secret("ONE"))
    colour = "selector => getComputedStyle(document.querySelector(selector)).color"
    assert page.evaluate(colour, ".promise") == page.evaluate(colour, "h1")
    context.close()
