"""Formats by their ids."""

from __future__ import annotations

import pytest

from offprompt import errors
from offprompt.registry.formats import DEFAULT, Format, format_of, phrase
from offprompt.registry.tables import built


def test_every_format_is_found_by_its_id() -> None:
    assert len(built()["formats"]) == 22
    for format_id in built()["formats"]:
        assert format_of(format_id, "X").format_id == format_id


def test_an_id_is_read_as_people_write_it() -> None:
    form = format_of(" Postgres_URL ", "X")
    rule = form.rule
    assert form == Format("postgres_url", "Postgres URL", multiline=False, secret=True, rule=rule)
    assert rule is not None
    assert (rule.format_id, rule.schemes, rule.firm) == ("postgres_url", ("postgres", "postgresql"), False)


def test_the_default_is_a_format() -> None:
    assert format_of(DEFAULT, "X").secret is True


@pytest.mark.parametrize("unknown", ["", "postgres", "q" * 10_000, "\ud800"])
def test_an_unknown_format_is_refused_with_all_there_are(unknown: str) -> None:
    with pytest.raises(errors.UnknownFormat) as refusal:
        format_of(unknown, "DATABASE")
    sentence = str(refusal.value)
    assert "DATABASE" in sentence
    assert all(format_id in sentence for format_id in built()["formats"])


@pytest.mark.parametrize(
    ("format_id", "words"),
    [
        ("integer", "an integer"),
        ("uuid", "a UUID"),
        ("ssh_private_key", "an SSH private key"),
        ("boolean", "true or false"),
    ],
)
def test_a_format_is_spoken_of_with_its_article(format_id: str, words: str) -> None:
    assert phrase(format_id) == words


def test_a_format_of_everything_has_no_rule() -> None:
    assert [format_id for format_id in built()["formats"] if format_of(format_id, "X").rule is None] == [
        "text",
        "password",
    ]


def test_the_nearest_format_comes_first() -> None:
    with pytest.raises(errors.UnknownFormat, match=r"out: postgres_url, "):
        format_of("postgres", "DATABASE")
