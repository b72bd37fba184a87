from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from offprompt.request.fields import Field


def test_a_field_is_a_secret_of_one_line_unless_said_otherwise() -> None:
    field = Field("API_KEY")
    assert (field.secret, field.multiline, field.generate, field.rules) == (True, False, None, ())


def test_a_field_cannot_be_changed_after_the_page_was_made() -> None:
    with pytest.raises(FrozenInstanceError):
        Field("API_KEY").secret = False  # type: ignore[misc]
