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


def paste(page: Page, text: str) -> None:
    """Press Ctrl V with this in the clipboard, wherever the focus is."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.keyboard.press("Control+V")


def drop(page: Page, target: str, *files: tuple[str, bytes | int]) -> None:
    """Drag files over an element and let them go: each a name and its bytes, or how many bytes of nothing it has."""
    packed = [(name, held if isinstance(held, int) else list(held)) for name, held in files]
    page.evaluate(
        """([target, files]) => {
            const dataTransfer = new DataTransfer();
            for (const [name, held] of files) {
                const bytes = typeof held === 'number' ? new Uint8Array(held) : Uint8Array.from(held);
                dataTransfer.items.add(new File([bytes], name));
            }
            const element = document.querySelector(target);
            for (const kind of ['dragenter', 'dragover', 'drop']) {
                const event = new DragEvent(kind, {dataTransfer, bubbles: true, cancelable: true});
                if (element.dispatchEvent(event)) throw new Error(kind + ' was left to the browser');
            }
        }""",
        [target, packed],
    )
