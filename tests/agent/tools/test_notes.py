"""The sentences about a request that an agent acts on."""

from __future__ import annotations

import inspect
from types import FunctionType

import pytest

from offprompt.agent.tools import notes

ARGUMENTS: dict[str, object] = {
    "remote": True, "path": ".env", "names": ["AUTH_SECRET", "OTHER", "THIRD"], "status": "expired", "port": 51234,
    "asked": 8080, "problem": "The tunnel is switched off.", "where": "public/env.txt", "reasons": ["Git tracks .env."],
}  # fmt: skip

FUNCTIONS = {
    name: function
    for name, function in vars(notes).items()
    if isinstance(function, FunctionType) and function.__module__ == notes.__name__
}
ADDITIONS = {"kept", "shell_differs", "forward", "port_taken", "lands", "consent"}
"""Notes that stand behind another."""

FOR_THE_PERSON = {"elicitation"}


def said(name: str) -> str:
    """What the note says with made-up facts."""
    return FUNCTIONS[name](*[ARGUMENTS[parameter] for parameter in inspect.signature(FUNCTIONS[name]).parameters])


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_notes_are_plain(name: str):
    text = said(name)
    assert text == text.strip()
    assert text.isprintable()
    assert "  " not in text
    assert "{" not in text
    assert "http" not in text, "a link stands in `url` alone"


@pytest.mark.parametrize("name", sorted(set(FUNCTIONS) - ADDITIONS - FOR_THE_PERSON))
def test_every_note_says_to_keep_the_hands_off(name: str):
    assert said(name).endswith("Do not open the file, do not open the link.")


@pytest.mark.parametrize("name", ["link", "page_open", "preparing", "new_link"])
def test_while_a_person_is_awaited_the_note_says_what_to_call(name: str):
    assert "await_secret" in said(name)


def test_a_no_is_to_be_respected():
    assert "do not ask for this again unless they tell you to" in notes.declined()


def test_a_request_that_cannot_be_withdrawn_any_more_says_why():
    assert "await_secret" in notes.too_late("awaiting")
    assert "written" in notes.too_late("written")


def test_names_are_listed_as_people_do():
    assert notes.kept(["A"], ".env").startswith(".env already had A;")
    assert "had A and B;" in notes.kept(["A", "B"], ".env")
    assert "had A, B and C;" in notes.kept(["A", "B", "C"], ".env")


def test_a_link_of_this_machine_says_why_and_how_it_is_reached():
    note = notes.forward(51234, "The tunnel is switched off.")
    assert note.startswith("The tunnel is switched off. So this link leads to port 51234")
    assert "ssh -L 51234:127.0.0.1:51234" in note
    assert notes.forward(51234, "").startswith("So this link")


def test_a_person_who_is_asked_by_their_agent_reads_what_for():
    assert "fill in A and B. It goes into .env, not into the chat." in notes.elicitation(["A", "B"], ".env")
