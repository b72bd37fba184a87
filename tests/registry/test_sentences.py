"""Rules in English."""

from __future__ import annotations

import pytest

from offprompt.registry.lookup import facts_of
from offprompt.registry.rules import Charset, Exposed, Generated, Length, Rule
from offprompt.registry.sentences import refusals, rules_in_words
from tests.registry.data import KEYS


@pytest.mark.parametrize(
    ("name", "said", "words"),
    [
        (
            "STRIPE_SECRET_KEY",
            {},
            (
                "starts with sk_live_, sk_test_, rk_live_, rk_test_ or sk_org_",
                "20 to 512 characters",
                "letters, digits and _",
            ),
        ),
        ("CLOUDFLARE_ACCOUNT_ID", {}, ("exactly 32 characters", "hexadecimal digits")),
        (
            "GEMINI_API_KEY",
            {},
            ("usually starts with AIza or AQ.", "30 to 512 characters", "letters, digits, ., _ and -"),
        ),
        (
            "VERCEL_TOKEN",
            {},
            (
                "either starts with vcp_ and has 24 to 128 characters (letters, digits and _), "
                "or exactly 24 characters (letters and digits)",
            ),
        ),
        ("DATABASE_URL", {}, ("a Postgres URL",)),
        ("LIMIT", {"format_id": "integer"}, ("an integer",)),
        ("FLUX_CAPACITOR", {}, ()),
    ],
)
def test_a_rule_is_a_short_line(name: str, said: dict[str, str], words: tuple[str, ...]) -> None:
    assert rules_in_words(facts_of(name, **said).rules) == words


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (Length(3, 3), "exactly 3 characters"),
        (Charset("A-Z0-9-"), "capital letters, digits and -"),
        (Charset("A-Za-z0-9+/=:._ -"), "letters, digits, +, /, =, :, ., _, blanks and -"),
        (Generated(32, "hex"), "32 random bytes or more as hex"),
        (
            Exposed("VITE_", secret=True),
            "secret, yet names that start with VITE_ are built into what every visitor's browser gets",
        ),
    ],
)
def test_every_kind_of_rule_has_words(rule: Rule, words: str) -> None:
    assert rules_in_words([rule]) == (words,)


def test_every_rule_of_the_registry_has_words() -> None:
    for key_id, key in KEYS.items():
        for line in rules_in_words(key.rules):
            assert 5 < len(line) < 400, key_id
            assert "{" not in line.replace("starts with {", ""), key_id


def test_a_refusal_says_what_is_wrong_and_what_to_do() -> None:
    assert refusals(facts_of("A", format_id="integer").rules, "ten") == (
        "This is not an integer, which is what the project reads here.",
    )
    (broken,) = refusals(facts_of("A", format_id="json").rules, '{"secret": "Zq9canary"')
    assert broken == "This starts like a JSON text, but cannot be read as one. Copy it again, as a whole."


def test_what_is_fine_or_only_doubtful_is_not_refused() -> None:
    assert refusals(facts_of("A", format_id="integer").rules, " 10\n") == ()
    assert refusals(facts_of("DATABASE_URL").rules, "hello") == ()
    assert refusals(facts_of("STRIPE_SECRET_KEY").rules, "hello") == ()
    assert refusals(facts_of("A", format_id="pem").rules, "") == ()
