from __future__ import annotations

from dataclasses import fields

from offprompt.request.outcome import Outcome, Written


def test_what_is_left_of_a_request_has_no_place_for_a_value() -> None:
    assert {field.name for field in fields(Written)} == {
        "fingerprint",
        "file",
        "outcomes",
        "file_keys",
        "shell_differs",
        "file_keys_more",
    }
    assert {field.name for field in fields(Outcome)} == {"name", "outcome"}
