"""The person, played in Chromium: opens a link, types, presses the button, reads the four emoji.

From a program's point of view this file is a browser, too: `browser(folder, values)` makes a command that fits into
`$BROWSER`, which opens the link that it is given and answers it.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]

ARGUMENTS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
"""Root cannot use Chromium's sandbox; the rest keeps it from asking the network for anything of its own."""

PATIENCE = 20_000
"""Milliseconds for one step of the page, on a machine that does other things too."""


def chromium() -> str | None:
    """Debian's Chromium: its headless build, which does the same work in a third of the time, else the whole one."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    return next((found for name in names if (found := shutil.which(name))), None)


class Person:
    """Somebody in front of a browser."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def open(self, link: str) -> None:
        """Open a link and wait until the page can be typed into."""
        self._page.goto(link)
        expect(self._page.locator("#contact")).to_have_text("Connected", timeout=PATIENCE)

    def answer(self, values: Mapping[str, str]) -> list[str]:
        """Type the values and write them; the four emoji that the page shows then."""
        for name, value in values.items():
            self._page.get_by_label(name, exact=True).fill(value)
        self._page.locator(".write").click()
        expect(self._page.locator(".fingerprint")).to_be_visible(timeout=PATIENCE)
        return self._page.locator(".emoji").all_text_contents()

    def decline(self) -> None:
        """Say no."""
        self._page.get_by_role("button", name="Decline", exact=True).click()
        self._page.get_by_role("button", name="Yes, decline").click()
        expect(self._page.get_by_role("heading", level=1)).to_have_text("Declined", timeout=PATIENCE)


@contextmanager
def person() -> Iterator[Person]:
    """Somebody with a browser of their own, in the network of the thread that asks."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
        yield Person(browser.new_page())
        browser.close()


@dataclass(frozen=True, slots=True)
class ScriptedBrowser:
    """A browser command, with what became of it."""

    command: Path
    seen: Path

    def report(self) -> dict[str, Any]:
        """`link`: what it was asked to open; `emoji`: what the page showed; `environ`: the variables it was given."""
        end = time.monotonic() + PATIENCE / 1000
        while not self.seen.exists() and time.monotonic() < end:
            time.sleep(0.02)  # an agent is done as soon as the value is written, before the page shows that it is
        told: dict[str, Any] = json.loads(self.seen.read_text(encoding="utf-8"))
        return told


def browser(folder: Path, values: Mapping[str, str], name: str = "browser") -> ScriptedBrowser:
    """A command in `folder` (empty, or not there) that opens the link in its argument and answers it with `values`."""
    folder.mkdir(parents=True)
    made = ScriptedBrowser(folder / name, folder / "seen.json")
    (folder / "values.json").write_text(json.dumps(dict(values)), encoding="utf-8")
    words = [sys.executable, "-P", str(Path(__file__).resolve()), str(folder)]
    made.command.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$1"\n', encoding="utf-8")
    made.command.chmod(0o700)
    return made


def main(folder: Path, link: str) -> None:
    """What the command does."""
    environ = dict(os.environ)
    os.environ["HOME"] = str(folder)  # whatever Chromium leaves behind is the person's, not the agent's
    # A call waits 5 s for the page to be fetched; on a busy machine Chromium may take longer to start.
    urllib.request.urlopen(link.partition("#")[0], timeout=PATIENCE / 1000).close()
    with person() as somebody:
        somebody.open(link)
        emoji = somebody.answer(json.loads((folder / "values.json").read_text(encoding="utf-8")))
    told = json.dumps({"link": link, "emoji": emoji, "environ": environ})
    (folder / "writing.json").write_text(told, encoding="utf-8")
    (folder / "writing.json").rename(folder / "seen.json")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
