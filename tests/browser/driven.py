"""A person in Firefox: Debian's, driven over WebDriver BiDi by firefox/driven.mjs."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest

DRIVER = Path(__file__).parent / "firefox"

PREFERENCES = {
    # As people have it: automation switches the password manager off.
    "signon.rememberSignons": True,
    "signon.autofillForms": True,
    "signon.formlessCapture.enabled": True,
    # What it decides is said on stdout.
    "signon.debug": True,
    "browser.dom.window.dump.enabled": True,
    "devtools.console.stdout.chrome": True,
    # What a tab holds is written down within a second, and not only every fifteen.
    "browser.sessionstore.interval": 1000,
    "browser.sessionstore.resume_from_crash": True,
}


class Firefox:
    """One window. What it says is in `said()`; its profile stays when it was closed."""

    def __init__(self, folder: Path, languages: str = "en") -> None:
        found = shutil.which("firefox-esr") or shutil.which("firefox")
        node = shutil.which("node")
        if found is None or node is None or not (DRIVER / "node_modules" / "puppeteer-core").is_dir():
            pytest.skip("needs firefox-esr, node, and `npm ci` in tests/browser/firefox")
        self.profile = folder / "profile"
        self.profile.mkdir(parents=True)
        self._stderr = (folder / "stderr").open("w+b")
        given = {
            "executable": found,
            "profile": str(self.profile),
            "preferences": {**PREFERENCES, "intl.accept_languages": languages},
        }
        self._process = subprocess.Popen(
            [node, str(DRIVER / "driven.mjs"), json.dumps(given)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
        )
        self.version: str = self._answer()

    def __enter__(self) -> Firefox:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        try:
            if self._process.poll() is None:
                self.close()
        finally:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout, self._stderr):
                assert pipe is not None
                pipe.close()

    def do(self, what: str, *given: Any) -> Any:
        """One thing, as driven.mjs names them."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([what, *given]).encode() + b"\n")
        self._process.stdin.flush()
        return self._answer()

    def close(self) -> None:
        """End it as a person does, so that it writes down what it remembers."""
        self.do("close")
        self._process.wait(20)

    def said(self) -> str:
        """What the browser said so far."""
        self._stderr.seek(0)
        return self._stderr.read().decode("utf-8", "replace")

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, self.said()[-2000:]
        answer = json.loads(line)
        assert "error" not in answer, answer["error"]
        return answer["value"]
