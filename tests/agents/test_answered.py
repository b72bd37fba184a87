"""Real agents ask, a person answers in a real browser; afterwards the value is looked for everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from dotenv import dotenv_values

from tests.agents.conftest import REMOTE, SERVER, needs
from tests.agents.watching import assert_gone, link, statuses, told, until
from tests.harness.agents import KEY, Played, play
from tests.harness.evidence import files_with
from tests.harness.person import browser, person

pytestmark = [pytest.mark.agents, pytest.mark.usefixtures("chromium_is_there")]

NAME = "WAREHOUSE_PHRASE"
VALUE = "made-up-value-7Qz-of-a-test"
REQUEST = r"{prev:request_id\W+(\w+)}"
COLLECT: dict[str, Any] = {
    "tool": "collect_secret",
    "args": {"secrets": [{"name": NAME}], "reason": "Orders go to the **warehouse**."},
}
FINAL = r'Done. The fingerprint is {last:"fingerprint":\s*"([^"]+)"}.'


def wait(seconds: int) -> dict[str, Any]:
    return {"tool": "await_secret", "args": {"request_id": REQUEST, "wait_seconds": seconds}}


def assert_answered(played: Played, emoji: list[str]) -> None:
    """The file holds the value, the model has told the fingerprint, and nothing else holds the value."""
    assert played.returncode == 0, played.text
    assert dotenv_values(played.project / ".env") == {NAME: VALUE}
    assert len(emoji) == 4
    assert f"The fingerprint is {' '.join(emoji)}." in played.text
    # The folder holds both directions of the MCP traffic and our stderr (mcp.jsonl), the model's traffic, what the
    # agent printed, its whole home with its session files, OFFPROMPT_LOG, and the project.
    assert files_with(played.folder, VALUE) == {"project/.env"}
    # ...and the search would have found it there: the request's id was told to everybody.
    request_id = played.results()[0]["structuredContent"]["request_id"]
    kept = files_with(played.folder, request_id)
    assert {"mcp.jsonl", "model.jsonl"} <= kept
    assert any(name.startswith("home/") for name in kept)
    assert (played.folder / "offprompt.log").exists()
    assert_gone(played)


def test_a_person_answers_the_link_and_the_agent_learns_the_fingerprint(agent: str, tmp_path: Path) -> None:
    emoji: list[str] = []

    def answer(trace: Path) -> None:
        with person() as somebody:
            somebody.open(until(trace, link))
            emoji.extend(somebody.answer({NAME: VALUE}))

    folder = tmp_path / agent
    environ = {**REMOTE, "OFFPROMPT_LOG": str(folder / "offprompt.log")}
    played = play(agent, SERVER, [COLLECT, wait(45)], folder, final=FINAL, server_environ=environ, meanwhile=answer)
    assert statuses(played) == ["awaiting", "written"]
    assert_answered(played, emoji)


@pytest.mark.parametrize("agent", ["codex", "gemini", "opencode"])
def test_a_browser_that_opens_by_itself_is_waited_for_and_the_model_never_sees_a_link(
    agent: str, tmp_path: Path
) -> None:
    """On the person's machine: $BROWSER gets the link, and of the environment nothing but what a desktop needs.

    OpenCode keeps the changes of all files that git does not ignore, `.env` among them where it is not ignored.
    """
    needs(agent)
    scripted = browser(tmp_path / "desktop", {NAME: VALUE})
    folder = tmp_path / agent
    environ = {"DISPLAY": ":9", "BROWSER": str(scripted.command), "OFFPROMPT_LOG": str(folder / "offprompt.log")}
    files = {".gitignore": ".env\n"}
    played = play(agent, SERVER, [COLLECT], folder, final=FINAL, server_environ=environ, files=files)
    report = scripted.report()
    assert statuses(played) == ["written"]
    assert_answered(played, report["emoji"])
    link = report["link"]
    for part in (link, *link.partition("/r/")[2].split("#k=")):
        assert files_with(played.folder, part) == set()
    assert KEY not in report["environ"].values()
    for name in report["environ"]:
        assert not name.startswith(("CODEX", "GEMINI", "GOOGLE", "OPENCODE", "OFFPROMPT"))


def test_codex_hands_over_six_variables_and_the_page_opens_all_the_same(tmp_path: Path) -> None:
    """Whether there is a display is told by Codex's own environment; the opener is found by PATH, one of the six."""
    needs("codex")
    scripted = browser(tmp_path / "desktop", {NAME: VALUE}, name="xdg-open")
    environ = {"DISPLAY": ":9", "PATH": f"{scripted.command.parent}:/usr/local/bin:/usr/bin:/bin"}
    played = play("codex", SERVER, [COLLECT], tmp_path / "codex", final=FINAL, environ=environ, tee=False)
    report = scripted.report()
    assert played.returncode == 0, played.text
    assert dotenv_values(played.project / ".env") == {NAME: VALUE}
    assert f"The fingerprint is {' '.join(report['emoji'])}." in played.text
    assert files_with(played.folder, VALUE) == {"project/.env"}
    assert report["environ"]["DISPLAY"] == ":9"


def test_E3_claude_without_a_screen_declines_by_itself_and_the_person_still_gets_the_link(tmp_path: Path) -> None:
    """It offers to open pages and says no at once where nobody sits; then nothing opens, and the link is told."""
    needs("claude")
    scripted = browser(tmp_path / "desktop", {NAME: VALUE})
    environ = {"DISPLAY": ":9", "BROWSER": str(scripted.command)}
    final = r'Please open {last:"url":\s*"([^"]+)"}'
    played = play("claude", SERVER, [COLLECT], tmp_path / "claude", final=final, server_environ=environ)
    assert played.returncode == 0, played.text
    (told,) = (result["structuredContent"] for result in played.results())
    assert told["status"] == "awaiting"
    assert f"Please open {told['url']}" in played.text
    assert not scripted.seen.exists()
    assert_gone(played)


def test_a_wait_that_ends_before_the_person_has_answered_is_taken_up_again(agent: str, tmp_path: Path) -> None:
    emoji: list[str] = []

    def answer(trace: Path) -> None:
        with person() as somebody:
            until(trace, lambda traffic: len(told(traffic)) == 2)
            somebody.open(link(until(trace, lambda traffic: traffic)))
            emoji.extend(somebody.answer({NAME: VALUE}))

    folder = tmp_path / agent
    environ = {**REMOTE, "OFFPROMPT_LOG": str(folder / "offprompt.log")}
    steps = [COLLECT, wait(1), wait(45)]
    played = play(agent, SERVER, steps, folder, final=FINAL, server_environ=environ, meanwhile=answer)
    assert statuses(played) == ["awaiting", "awaiting", "written"]
    assert_answered(played, emoji)


def test_a_person_who_says_no_is_respected(agent: str, tmp_path: Path) -> None:
    def decline(trace: Path) -> None:
        with person() as somebody:
            somebody.open(until(trace, link))
            somebody.decline()

    played = play(agent, SERVER, [COLLECT, wait(45)], tmp_path / agent, server_environ=REMOTE, meanwhile=decline)
    assert played.returncode == 0, played.text
    assert statuses(played) == ["awaiting", "cancelled"]
    assert "do not ask for this again unless they tell you to" in played.text
    assert not (played.project / ".env").exists()
