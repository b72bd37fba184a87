"""The sentences that an agent acts on."""

from __future__ import annotations

import inspect
import re

import pytest

from offprompt.agent.mcp import words

ARGUMENTS: dict[str, object] = {
    "remote": True, "path": ".env", "names": ["AUTH_SECRET", "OTHER", "THIRD"], "status": "expired", "port": 51234,
    "asked": 8080, "problem": "The tunnel is switched off.",
}  # fmt: skip


def said(prefix: str) -> dict[str, str]:
    """What every function of a kind says, with made-up facts."""
    functions = {name: f for name, f in vars(words).items() if name.startswith(prefix) and callable(f)}
    assert functions
    return {
        name: function(*[ARGUMENTS[parameter] for parameter in inspect.signature(function).parameters])
        for name, function in functions.items()
    }


def every_text() -> dict[str, str]:
    constants = {name: text for name, text in vars(words).items() if name.isupper() and isinstance(text, str)}
    return {**constants, **said("note_"), **said("refuse_")}


@pytest.mark.parametrize("name", sorted(every_text()))
def test_sentences_are_plain(name: str):
    text = every_text()[name]
    assert text == text.strip()
    assert text.isprintable()
    assert "  " not in text
    assert "{" not in text
    assert "http" not in text, "a link stands in `url` alone"


ADDITIONS = {"note_kept", "note_shell_differs", "note_forward", "note_port_taken"}
"""Notes that stand behind another."""


@pytest.mark.parametrize("name", sorted(set(said("note_")) - ADDITIONS))
def test_every_note_says_to_keep_the_hands_off(name: str):
    assert said("note_")[name].endswith("Do not open the file, do not open the link.")


@pytest.mark.parametrize("name", ["note_link", "note_open", "note_preparing", "note_new_link"])
def test_while_a_person_is_awaited_the_note_says_what_to_call(name: str):
    assert "await_secret" in said("note_")[name]


def test_a_no_is_to_be_respected():
    assert "do not ask for this again unless they tell you to" in words.note_declined()


def test_a_request_that_cannot_be_withdrawn_any_more_says_why():
    assert "await_secret" in words.note_too_late("awaiting")
    assert "written" in words.note_too_late("written")


def test_names_are_listed_as_people_do():
    assert words.note_kept(["A"], ".env").startswith(".env already had A;")
    assert "had A and B;" in words.note_kept(["A", "B"], ".env")
    assert "had A, B and C;" in words.note_kept(["A", "B", "C"], ".env")


def test_a_link_of_this_machine_says_why_and_how_it_is_reached():
    note = words.note_forward(51234, "The tunnel is switched off.")
    assert note.startswith("The tunnel is switched off. So this link leads to port 51234")
    assert "ssh -L 51234:127.0.0.1:51234" in note
    assert words.note_forward(51234, "").startswith("So this link")


def test_a_person_who_is_asked_by_their_agent_reads_what_for():
    assert "fill in A and B. It goes into .env, not into the chat." in words.elicitation(["A", "B"], ".env")


def test_the_instructions_name_the_tools_and_what_never_to_do():
    for word in ("collect_secret", "await_secret", "Never ask for such a value in the chat", "Do not open the link"):
        assert word in words.INSTRUCTIONS
    assert not re.search(r"\bMCP\b|JSON|stdio|tunnel", words.INSTRUCTIONS), "no jargon"
