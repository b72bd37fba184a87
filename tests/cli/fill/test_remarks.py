from __future__ import annotations

from dataclasses import replace

import pytest

from offprompt.cli.fill.remarks import Remarks, expectations, remarks
from offprompt.cli.fill.request import AskedValue, read_request
from offprompt.page.data import request_object
from offprompt.registry.tables import built
from offprompt.request.fields import describe
from offprompt.request.spec import Entry
from tests.registry.odd_values import ODD
from tests.request.made import record

BODY = "A1b2" * 10


def asked(name: str, **entry: str) -> AskedValue:
    """The value as the service describes it to a terminal."""
    members = request_object(record(name, fields=(describe(Entry(name, **entry)),)), 0.0, tunnel=True)  # type: ignore[arg-type]
    return read_request(members, "host").values[0]


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        (
            "STRIPE_SECRET_KEY",
            f"pk_test_{BODY}",
            "This is the publishable key. What is asked for is the secret key from the same page.",
        ),
        ("STRIPE_SECRET_KEY", f"sk-ant-{BODY}", "This looks like an Anthropic API key."),
        ("OPENAI_API_KEY", f"ghp_{BODY[:36]}", "This looks like a GitHub personal access token."),
        ("STRIPE_SECRET_KEY", "x" * 40, "It does not look as usual: starts with sk_live_, sk_test_"),
        ("STRIPE_SECRET_KEY", "sk_live_1", "It has 9 characters. Usual are 20 to 512 characters."),
        ("STRIPE_SECRET_KEY", f"sk_live_{BODY}!", "It holds other characters than letters, digits and _."),
        ("DATABASE_URL", "not a URL", "It does not look like a Postgres URL."),
        ("DATABASE_URL", "postgres://u:[YOUR-PASSWORD]@h/d", "A part of it is still a placeholder"),
        ("NEXT_PUBLIC_OPENAI_API_KEY", f"sk-proj-{BODY}", "A name that starts with NEXT_PUBLIC_ is built into"),
        ("K", " spaced", "There is space at its ends."),
        ("K", "a\x17b\x1b", "It holds a control character, which nobody can see."),
    ],
)
def test_what_looks_wrong_is_said_in_words(name: str, value: str, sentence: str) -> None:
    found = remarks(asked(name), value)
    assert any(doubt.startswith(sentence) for doubt in found.doubts), found
    assert not found.refused


@pytest.mark.parametrize(
    ("name", "entry", "value"),
    [
        ("STRIPE_SECRET_KEY", {}, f"sk_live_{BODY}"),
        ("K", {"provider": "stripe/webhook_secret"}, f"whsec_{BODY}"),
        ("K", {}, "anything at all\twith a tab"),
        ("K", {}, ""),
        ("DATABASE_URL", {}, "postgres://u:p@h/d"),
        ("PORT", {"format": "integer"}, "3000"),
        ("PEM_KEY", {"format": "pem"}, "-----BEGIN MADE UP KEY-----\nQUJD\n-----END MADE UP KEY-----\n"),
    ],
)
def test_what_looks_right_gets_no_word(name: str, entry: dict[str, str], value: str) -> None:
    assert remarks(asked(name, **entry), value) == Remarks()


@pytest.mark.parametrize(
    ("name", "entry", "words"),
    [
        ("STRIPE_WEBHOOK_SECRET", {}, ("starts with whsec_", "20 to 256 characters", "letters, digits and _")),
        ("K", {"format": "integer"}, ("an integer",)),
        ("NEXT_PUBLIC_DATABASE_URL", {}, ("a Postgres URL",)),
        ("K", {}, ()),
    ],
)
def test_how_a_value_should_look_is_said_before_it_is_typed(
    name: str, entry: dict[str, str], words: tuple[str, ...]
) -> None:
    assert expectations(asked(name, **entry)) == words


def test_no_rule_of_the_service_s_is_run_or_shown() -> None:
    """A hostile one may hold an expression that takes for ever."""
    members = request_object(record("K"), 0.0, tunnel=True)
    members["secrets"][0]["rules"] = [
        {"id": "format", "is": "text", "pattern": "(a*)*b", "firm": True},
        {"id": "charset", "of": "a-" * 100_000},
    ]
    (value,) = read_request(members, "host").values
    assert expectations(value) == ()
    assert remarks(value, "a" * 40) == Remarks()


def test_what_no_service_takes_is_refused_here_already() -> None:
    assert remarks(asked("RETRIES", format="integer"), "three").refused == (
        "This is not an integer, which is what the project reads here.",
    )


def test_a_key_that_our_registry_does_not_have_is_judged_by_its_name() -> None:
    newer = replace(asked("STRIPE_SECRET_KEY"), key_id="stripe/key_of_tomorrow")
    assert "publishable" in remarks(newer, f"pk_test_{BODY}").doubts[0]
    newest = replace(asked("K"), format_id="format_of_tomorrow")
    assert remarks(newest, "x") == Remarks()


@pytest.mark.parametrize("name", sorted(built()["keys_by_name"])[::7])
def test_whatever_is_typed_for_whatever_key_no_sentence_holds_it(name: str) -> None:
    for value in ODD:
        found = remarks(asked(name), value)
        for sentence in (*found.refused, *found.doubts):
            assert sentence[0].isupper()
            assert sentence.endswith(".")
            assert len(value) < 12 or value not in sentence
