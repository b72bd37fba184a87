"""An agent's own dialog on a screen: the person is asked there, and the model never sees the link."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from dotenv import dotenv_values

from tests.agents.conftest import SERVER, needs
from tests.agents.watching import assert_gone, statuses, told, until
from tests.harness.evidence import files_with
from tests.harness.person import browser
from tests.harness.screen import Screen, available, sit_at

pytestmark = [
    pytest.mark.agents,
    pytest.mark.usefixtures("chromium_is_there"),
    pytest.mark.skipif(not available(), reason="needs tmux: run make setup"),
]

NAME = "WAREHOUSE_PHRASE"
VALUE = "made-up-value-7Qz-of-a-test"
COLLECT: dict[str, Any] = {"tool": "collect_secret", "args": {"secrets": [{"name": NAME}]}}
DISPLAY = {"DISPLAY": ":9"}


def ask_for_it(screen: Screen) -> None:
    """Type a prompt to Claude Code, and look at the dialog that follows from it."""
    screen.until("mode on")
    screen.press("-l", "Please call the tool.")
    screen.until("Please call the tool.")
    screen.press("Enter")
    screen.until("wants to open a URL", f"fill in {NAME}", "Open in browser")


def test_E2_claude_asks_the_person_opens_the_page_and_its_model_learns_the_fingerprint_alone(tmp_path: Path) -> None:
    needs("claude")
    scripted = browser(tmp_path / "desktop", {NAME: VALUE}, name="xdg-open")
    path = f"{scripted.command.parent}:/usr/local/bin:/usr/bin:/bin"

    def use(screen: Screen, trace: Path) -> None:
        ask_for_it(screen)
        screen.press_until("Enter", "Open again", "❯ I'm done, continue")
        emoji = scripted.report()["emoji"]
        screen.press("Enter")
        screen.until(f"The fingerprint is {' '.join(emoji)}.")

    final = r'Done. The fingerprint is {last:"fingerprint":\s*"([^"]+)"}.'
    environ = {**DISPLAY, "PATH": path}
    played = sit_at("claude", SERVER, [COLLECT], tmp_path / "claude", use, final=final, environ=environ)
    assert statuses(played) == ["written"]
    assert dotenv_values(played.project / ".env") == {NAME: VALUE}
    assert files_with(played.folder, VALUE) == {"project/.env"}
    token = scripted.report()["link"].partition("/r/")[2][:32]
    assert files_with(played.folder, token) == {"mcp.jsonl"}  # the agent shows it, and does not keep it
    assert_gone(played)


def test_E3_after_a_no_in_the_dialog_nothing_opens_and_the_model_gets_the_link(tmp_path: Path) -> None:
    """It may have been the wrong moment: the person's last word is a button on the page."""
    needs("claude")
    scripted = browser(tmp_path / "desktop", {NAME: VALUE}, name="xdg-open")

    def use(screen: Screen, trace: Path) -> None:
        ask_for_it(screen)
        screen.press_until("Right", "❯ I'm done, continue")
        screen.press_until("Right", "❯ Decline")
        screen.press("Enter")
        until(trace, told)

    environ = {**DISPLAY, "PATH": f"{scripted.command.parent}:/usr/local/bin:/usr/bin:/bin"}
    played = sit_at("claude", SERVER, [COLLECT], tmp_path / "claude", use, environ=environ)
    assert statuses(played) == ["awaiting"]
    assert told(played.traffic)[0]["url"].startswith("http://127.0.0.1:")
    assert not scripted.seen.exists()
    assert_gone(played)
