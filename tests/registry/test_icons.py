"""Logos."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from offprompt.registry import icons as icons_module
from offprompt.registry.icons import icons, paths
from tests.node.program import node
from tests.registry.data import PROVIDERS, ROOT


def test_only_the_providers_that_are_asked_for_are_sent() -> None:
    assert list(icons(["stripe/secret_key", "stripe/webhook_secret", "anthropic/api_key"])) == ["anthropic", "stripe"]
    assert icons([]) == {}
    assert icons(["nobody/key", "openai/api_key"]) == {}


def test_without_a_provider_nothing_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(icons_module, "paths", None)
    assert icons(()) == {}


def test_every_logo_is_one_path_of_a_provider_that_names_it() -> None:
    assert paths().keys() == {provider["id"] for provider in PROVIDERS if "icon" in provider}
    assert len(paths()) > 150
    for path in paths().values():
        assert re.fullmatch(r"[Mm][-0-9.A-Za-z, ]+", path)
        assert len(path) < 5000


def test_they_are_what_the_pinned_package_has() -> None:
    node("scripts/icons")
    check = [sys.executable, str(ROOT / "scripts" / "build_icons.py"), "--check"]
    done = subprocess.run(check, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
