"""What can be read off a page: what axe-core finds, whether it fits, every word on it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / "offprompt/page/script/node_modules/axe-core/axe.min.js"


def findings(page: Page, *but: str) -> list[str]:
    """What axe-core has to say about the page, best practices included, the rules `but` left out."""
    if not AXE.is_file():
        pytest.skip("needs axe-core: npm ci in offprompt/page/script")
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())  # by the debugger, as the page's own policy lets no script in
    rules = {rule: {"enabled": False} for rule in but}
    seen = page.evaluate("rules => axe.run(document, {resultTypes: ['violations'], rules})", rules)
    return [f"{one['id']}: {json.dumps([node['html'][:120] for node in one['nodes']])}" for one in seen["violations"]]


def overflow(page: Page) -> int:
    """By how many px the page is wider than its window."""
    width: int = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return max(0, width)


def words(page: Page) -> list[str]:
    """Every text that can be seen, heard or pointed at, in the order of the page; values and the time are no words."""
    texts: list[str] = page.evaluate(
        """() => {
            const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
            const found = [document.title];
            for (let at = walker.nextNode(); at; at = walker.nextNode()) {
                if (at.nodeType === Node.TEXT_NODE) {
                    const inside = at.parentElement.closest('script, style, noscript, option, .left');
                    if (!inside && at.data.trim()) found.push(at.data.trim());
                } else {
                    for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
                        if (at.getAttribute(name)) found.push(at.getAttribute(name));
                    }
                }
            }
            return found;
        }"""
    )
    return texts
