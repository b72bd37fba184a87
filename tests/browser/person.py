"""What every test at the page does."""

from __future__ import annotations

from playwright.sync_api import Page, expect

VALUE = "made-up-value-of-a-test"
OTHER = "another made-up value"


def open_page(page: Page, url: str) -> None:
    """Open the link and wait until the page is ready to be typed into."""
    page.goto(url)
    expect(page.locator("#contact")).to_have_text("Connected")


def write(page: Page) -> None:
    """Press the button."""
    page.locator(".write").click()
