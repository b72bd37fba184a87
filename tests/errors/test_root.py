"""Errors are sentences: the docstring of a leaf, with its details filled in."""

from __future__ import annotations

import inspect
import string

import pytest

from offprompt import errors

LEAVES = [
    leaf
    for _, leaf in inspect.getmembers(errors, inspect.isclass)
    if issubclass(leaf, errors.OffpromptError) and leaf.__module__.startswith("offprompt.errors.")
]


def details_of(leaf: type[errors.OffpromptError]) -> dict[str, str]:
    fields = [field for _, field, _, _ in string.Formatter().parse(leaf.__doc__ or "") if field]
    return {field.split(".")[0].split("[")[0]: f"<{field}>" for field in fields}


@pytest.mark.parametrize("leaf", LEAVES, ids=lambda leaf: leaf.__name__)
def test_every_error_is_one_line_that_a_person_can_read(leaf: type[errors.OffpromptError]) -> None:
    details = details_of(leaf)
    error = leaf(**details)
    sentence = str(error)
    assert sentence
    assert "\n" not in sentence
    assert "  " not in sentence
    assert sentence[-1] in ".?!…>", sentence  # ">": a detail that ends the sentence itself
    assert "{" not in sentence
    for name, detail in details.items():
        assert detail in sentence
        assert getattr(error, name) == detail


def test_the_details_stay_on_the_error_and_nothing_else_is_there() -> None:
    error = errors.UnknownFormat(name="DATABASE", formats="text")
    assert error.details == {"name": "DATABASE", "formats": "text"}
    assert error.name == "DATABASE"
    with pytest.raises(AttributeError):
        _ = error.value


def test_a_detail_with_braces_is_shown_as_it_is() -> None:
    assert "{formats}" in str(errors.UnknownFormat(name="{formats}", formats="text"))
