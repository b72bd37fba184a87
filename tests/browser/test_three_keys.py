"""Somebody who has never seen the page, on a phone, in the dark, on a slow line: three keys with one paste."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.agent import Agent
from tests.browser.person import paste

pytestmark = pytest.mark.browser

BODY = "MadeUpForATestOnly123456"
KEYS = {
    "STRIPE_SECRET_KEY": "sk_" + "test_" + BODY,
    "DATABASE_URL": "postgres://shop:made-up@db.example.com:5432/shop?sslmode=require",
    "RESEND_API_KEY": "re_" + "made_up_" + BODY,
}
SLOW = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 100_000}
"""1.6 Mbit/s down and 150 ms: a phone with a poor signal, as Chromium's developer tools have it."""


def test_three_keys_are_filled_with_one_paste_and_written_with_one_press(
    chromium: Browser, agent: Agent, project: Path
) -> None:
    (project / ".env").write_text("# shop\nPORT=3000\n")
    asked = agent.call(
        "collect_secret",
        secrets=[{"name": name} for name in KEYS],
        reason="Checkout signs its requests with **Stripe**, keeps orders in Postgres and sends receipts with Resend.",
    )
    context = chromium.new_context(
        viewport={"width": 390, "height": 844}, color_scheme="dark", has_touch=True, is_mobile=True
    )
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", SLOW)

    page.goto(asked["url"])
    page.get_by_label("STRIPE_SECRET_KEY", exact=True).tap()
    paste(page, "".join(f"{name}={value}\n" for name, value in KEYS.items()) + "NODE_ENV=production\n")
    expect(page.locator(".filled li").first).to_contain_text("3 values filled in")
    expect(page.locator(".judged li")).to_have_text(
        ["This looks like a Stripe secret key.", "This looks like a Postgres URL.", "This looks like a Resend API key."]
    )
    page.get_by_role("button", name="Write 3 values to .env").tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("Written to .env")

    text = (project / ".env").read_text()
    assert text.startswith("# shop\nPORT=3000\n")
    assert all(value in text for value in KEYS.values())
    said = agent.said()
    assert not [name for name, value in KEYS.items() if value.encode() in said]
    context.close()
