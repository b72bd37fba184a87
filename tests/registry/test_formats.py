"""Formats by their ids."""

from __future__ import annotations

import pytest

from offprompt import errors
from offprompt.registry.built import built
from offprompt.registry.formats import DEFAULT, Format, format_of


def test_every_format_is_found_by_its_id() -> None:
    assert len(built()["formats"]) == 22
    for format_id in built()["formats"]:
        assert format_of(format_id, "X").format_id == format_id


def test_an_id_is_read_as_people_write_it() -> None:
    assert format_of(" Postgres_URL ", "X") == Format("postgres_url", "Postgres URL", multiline=False, secret=True)


def test_the_default_is_a_format() -> None:
    assert format_of(DEFAULT, "X").secret is True


@pytest.mark.parametrize("unknown", ["", "postgres", "q" * 10_000, "\ud800"])
def test_an_unknown_format_is_refused_with_all_there_are(unknown: str) -> None:
    with pytest.raises(errors.UnknownFormat) as refusal:
        format_of(unknown, "DATABASE")
    sentence = str(refusal.value)
    assert "DATABASE" in sentence
    assert all(format_id in sentence for format_id in built()["formats"])


def test_the_nearest_format_comes_first() -> None:
    with pytest.raises(errors.UnknownFormat, match=r"out: postgres_url, "):
        format_of("postgres", "DATABASE")
