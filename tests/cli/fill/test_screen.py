from __future__ import annotations

from dataclasses import replace

import pytest

from offprompt.cli.fill import screen
from offprompt.cli.fill.request import AskedSecret, Sheet

SECRET = AskedSecret("API_KEY", "", "", "", (), secret=True, multiline=False, present=False, generated=False)
SHEET = Sheet(
    token="0" * 32,
    key_id="0" * 8,
    nonce="0" * 32,
    host="Made-up agent",
    project="shop",
    reason=("Because.",),
    kind="dotenv",
    path=".env",
    exists=False,
    tracked=False,
    ignored=True,
    readable_by_others=False,
    expires_in=1790,
    secrets=(SECRET,),
)


def test_an_introduction_fits_a_narrow_terminal() -> None:
    long = replace(SHEET, reason=("word " * 60, "", "x" * 70), readable_by_others=True, exists=True)
    lines = screen.introduction(long)
    assert max(map(len, lines)) <= 80
    assert not any(line != line.rstrip() for line in lines)


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({}, "new; ignored by git"),
        ({"ignored": False}, "new; not tracked by git"),
        ({"exists": True, "tracked": True}, "exists; TRACKED BY GIT"),
        ({"exists": True, "kind": "file"}, "exists and will be replaced; ignored by git"),
        ({"readable_by_others": True}, "others on that computer can read it now"),
        ({"host": ""}, "An agent asks for one value."),
        ({"reason": ("",)}, "(it gives no reason)"),
        ({"secrets": (SECRET, replace(SECRET, name="B"))}, "asks for 2 values."),
        ({"expires_in": 119}, "119 seconds"),
        ({"expires_in": 120}, "2 minutes"),
    ],
)
def test_what_a_person_has_to_know_is_said(facts: dict[str, object], words: str) -> None:
    assert words in " ".join(" ".join(screen.introduction(replace(SHEET, **facts))).split())  # type: ignore[arg-type]


def test_a_question_says_what_kind_of_value_where_it_is_and_how_it_ends() -> None:
    full = replace(
        SECRET, label="Label", caption="Caption", url="https://made-up.invalid", rules=("Rule.",), multiline=True
    )
    text = "\n".join(screen.question(2, 3, full, keep=True))
    for words in (
        "2/3  API_KEY  Label",
        "Caption",
        "https://made-up.invalid",
        "Rule.",
        "a single dot",
        "Leave it empty",
    ):
        assert words in text
    assert screen.question(1, 1, SECRET, keep=False) == ("", "1/1  API_KEY")
    assert "it is not secret" in "".join(screen.question(1, 1, replace(SECRET, secret=False), keep=False))


@pytest.mark.parametrize(
    ("typed", "words"),
    [(0, "to write to .env"), (1, "seal the value and write it"), (3, "seal 3 values and write them")],
)
def test_the_last_question_says_what_enter_does(typed: int, words: str) -> None:
    assert words in screen.ready(typed, ".env")


def test_generated_values_are_named_where_there_are_some() -> None:
    assert screen.left_to_the_service([SECRET]) == ()
    assert "API_KEY" in screen.left_to_the_service([replace(SECRET, generated=True)])[1]


def test_a_fingerprint_is_shown_with_the_names_to_say_aloud() -> None:
    assert screen.fingerprint_line(("🍋", "🥝", "🌮", "🧀")).endswith("🍋 🥝 🌮 🧀   (lemon, kiwi, taco, cheese)")
    assert "?" in screen.fingerprint_line(("x",))


def test_outcomes_stand_in_a_column() -> None:
    lines = screen.outcomes(".env", {"A": "added", "LONGER": "kept"}, ["A note."])
    assert lines == ("", "Written to .env.", "  A       added", "  LONGER  kept", "A note.")
    assert screen.outcomes(".env", {}, []) == ("", "Written to .env.")
