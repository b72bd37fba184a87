"""Sets of characters."""

from __future__ import annotations

import string

import pytest

from offprompt.registry.charsets import Characters, characters, only
from offprompt.registry.owner import marks_by_letter
from tests.registry.data import KEYS


@pytest.mark.parametrize(
    ("of", "words"),
    [
        ("A-Za-z0-9", Characters("all", True, False, "")),
        ("A-Za-z0-9_", Characters("all", True, False, "_")),
        ("A-Za-z0-9+/=:._ -", Characters("all", True, False, "+/=:._ -")),
        ("A-Z0-9-", Characters("capital", True, False, "-")),
        ("a-z-", Characters("small", False, False, "-")),
        ("0-9.", Characters("", True, False, ".")),
        ("0-9a-fA-F", Characters("", False, True, "")),
        ("0-9a-f", Characters("", False, True, "")),
        ("0-9A-F", Characters("", False, True, "")),
        ("0-9a-fA-F-", Characters("", False, True, "-")),
        ("", Characters("", False, False, "")),
    ],
)
def test_a_set_is_told_in_words(of: str, words: Characters) -> None:
    assert characters(of) == words


def test_every_character_must_be_of_the_set() -> None:
    assert only("sk_live-1", "A-Za-z0-9_-")
    assert not only("sk_live 1", "A-Za-z0-9_-")
    assert not only("sk_live\n", "A-Za-z0-9_")
    assert not only("é", "A-Za-z")
    assert only("", "0-9")


def test_every_set_of_the_registry_means_what_it_says() -> None:
    """No stray range: `+-/` would be five characters."""
    sets = {rule.of for key in KEYS.values() for rule in key.rules if hasattr(rule, "of")}
    sets |= {mark.form.of for marks in marks_by_letter().values() for mark in marks}
    assert len(sets) > 30
    for of in sets - {""}:
        signs = {c for c in string.printable if only(c, of) and not c.isalnum()}
        assert signs == {c for c in of if not c.isalnum() and (c != "-" or of.endswith("-"))}, of
