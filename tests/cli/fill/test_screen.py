from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from offprompt.cli.cells import cells
from offprompt.cli.fill import screen
from offprompt.cli.fill.request import AskedRequest, AskedValue, Destination
from offprompt.text import each_line, one_line

VALUE = AskedValue("API_KEY", "", "", "", secret=True, multiline=False, present=False, generated=False)
DESTINATION = Destination(
    kind="dotenv",
    path=".env",
    lands="",
    exists=False,
    git="untracked",
    ignored=True,
    readable_by_others=False,
    public="",
    trusted="",
    writable=True,
    agree=False,
)
REQUEST = AskedRequest(
    token="0" * 32,
    key_id="0" * 8,
    nonce="0" * 32,
    host="Made-up agent",
    project="shop",
    reason=("Because.",),
    destination=DESTINATION,
    expires_in=1790,
    values=(VALUE,),
)


def told(request: AskedRequest) -> str:
    return " ".join(" ".join(screen.introduction(request, 80)).split())


@pytest.mark.parametrize("columns", [80, 60, 42])
def test_an_introduction_fits_its_terminal(columns: int) -> None:
    risky = replace(DESTINATION, exists=True, readable_by_others=True, trusted="shell", agree=True, path="é" * 90)
    long = replace(REQUEST, reason=("word " * 60, "", "x" * 70, "鍵" * 90), destination=risky)
    lines = screen.introduction(long, columns)
    assert max(map(cells, lines)) <= columns
    assert not any(line != line.rstrip() for line in lines)


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"host": ""}, "It calls itself | (no name)"),
        ({"reason": ("",)}, "Its reason | (no reason)"),
        ({"project": "/home/me/shop"}, "Its project | /home/me/shop"),
        ({"values": (VALUE, replace(VALUE, name="B"))}, "An agent asks for 2 values."),
        ({"expires_in": 119}, "119 seconds"),
        ({"expires_in": 120}, "2 minutes"),
    ],
)
def test_what_a_person_has_to_know_is_said(facts: dict[str, object], words: str) -> None:
    assert words in told(replace(REQUEST, **facts))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({}, "Its file | .env new; ignored by git"),
        ({"ignored": False}, "new; not ignored by git: take care not to commit it"),
        ({"exists": True, "git": "tracked"}, "exists; tracked by git"),
        ({"git": "none"}, "new; not known to git"),
        ({"git": "unknown"}, "new; not known to git"),
        ({"exists": True, "kind": "file"}, "exists and will be replaced; ignored by git"),
        ({"lands": "public/env.txt"}, "Its file | .env → public/env.txt"),
        ({"readable_by_others": True}, "Other accounts on that computer can read this file now."),
        ({"writable": False}, "offprompt may not write this file now"),
        ({"path": "é.env"}, "characters that are not plain ASCII: é (U+00E9, latin small letter e with acute)."),
        ({"path": ".\u0435nv"}, "(U+0435, cyrillic small letter ie)"),
        ({"path": "éèêëēĕ"}, "and 2 more."),
    ],
)
def test_where_the_values_go_is_said_whole(facts: dict[str, object], words: str) -> None:
    assert words in told(replace(REQUEST, destination=replace(DESTINATION, **facts)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"git": "tracked"}, "can end up in a commit"),
        ({"git": "unknown"}, "Git gave no answer about .env."),
        ({"public": "public"}, "Web servers serve the files of public/ to everyone"),
        ({"trusted": "shell"}, "Shells run what .env holds."),
        ({"trusted": "a code of tomorrow"}, "A program trusts .env, and runs or does what it says."),
        ({}, "asks for your word"),
    ],
)
def test_what_the_person_has_to_agree_to_is_said(facts: dict[str, object], words: str) -> None:
    request = replace(REQUEST, destination=replace(DESTINATION, agree=True, **facts))  # type: ignore[arg-type]
    assert f"Take care {screen.consents(request.destination)[0]}" in told(request)
    assert words in told(request)
    assert screen.consents(DESTINATION) == []


AGENT = "Q"  # no word of ours has it


@given(
    st.text(st.sampled_from(f"{AGENT} \n\r\t\x1b\u202e\u2028é鍵😀|"), max_size=300),
    st.integers(min_value=42, max_value=90),
)
def test_every_word_of_the_agent_s_stands_behind_a_bar(text: str, columns: int) -> None:
    """Whatever it writes: no line of the terminal begins with a word of its."""
    caption = one_line(text, 90)
    host, reason = one_line(text, 60), each_line(text)
    asked = replace(VALUE, caption=caption)
    request = replace(REQUEST, host=host, project=one_line(text), reason=reason, values=(asked,))
    lines = [*screen.introduction(request, columns), *screen.question(1, 1, asked, columns, keep=False)]
    for line in lines:
        assert cells(line) <= columns
        assert AGENT not in line.partition("| ")[0]


def test_a_question_says_what_kind_of_value_where_it_is_and_how_it_ends() -> None:
    full = replace(
        VALUE,
        label="Label",
        caption="Caption",
        url="https://made-up.invalid",
        multiline=True,
    )
    text = "\n".join(screen.question(2, 3, full, 80, keep=True, expected=("starts with x", "9 letters")))
    for words in (
        "2/3  API_KEY  Label",
        "     | Caption",
        "https://made-up.invalid",
        "Expected: starts with x; 9 letters.",
        "a single dot",
        "Leave it empty",
    ):
        assert words in text
    assert screen.question(1, 1, VALUE, 80, keep=False) == ("", "1/1  API_KEY")
    assert "it is not secret" in "".join(screen.question(1, 1, replace(VALUE, secret=False), 80, keep=False))


@pytest.mark.parametrize(
    ("typed", "words"),
    [(0, "to write to .env"), (1, "seal the value and write it"), (3, "seal 3 values and write them")],
)
def test_the_last_question_says_what_enter_does(typed: int, words: str) -> None:
    assert words in screen.ready(typed, ".env")


def test_generated_values_are_named_where_there_are_some() -> None:
    assert screen.left_to_the_service([VALUE]) == ()
    assert "API_KEY" in screen.left_to_the_service([replace(VALUE, generated=True)])[1]


def test_a_fingerprint_is_shown_with_the_names_to_say_aloud() -> None:
    assert screen.fingerprint_line(("🍋", "🥝", "🌮", "🧀")) == "Fingerprint 🍋 🥝 🌮 🧀 (lemon, kiwi, taco, cheese)"
    assert "?" in screen.fingerprint_line(("x",))


def test_outcomes_stand_in_a_column() -> None:
    lines = screen.outcomes(".env", {"A": "added", "LONGER": "kept"}, ["A note."], 80)
    assert lines == ("", "Written to .env.", "  A       added", "  LONGER  kept", "A note.")
    assert screen.outcomes(".env", {}, [], 80) == ("", "Written to .env.")
