"""Why a person has to agree, in sentences."""

from __future__ import annotations

from typing import get_args

import pytest

from offprompt.request.consent import reasons
from offprompt.request.target import TargetState, Trust


def test_a_target_that_needs_no_word_has_no_reasons() -> None:
    assert reasons(TargetState(exists=True, git="untracked", lands="a/.env"), ".env") == ()


def test_each_reason_is_a_sentence_about_the_place_where_the_file_is() -> None:
    lines = reasons(TargetState(git="tracked", public="public", trusted="shell", lands="public/.envrc"), ".env")
    assert lines == (
        "Git tracks .env → public/.envrc, so values can end up in a commit.",
        "Web servers serve the files of public/ to everyone, and .env → public/.envrc would be one of them.",
        "Shells run what .env → public/.envrc holds.",
    )


def test_git_that_gave_no_answer_is_not_said_to_track() -> None:
    (line,) = reasons(TargetState(git="unknown"), ".env")
    assert line == "Git gave no answer about .env. If git tracks it, values can end up in a commit."


@pytest.mark.parametrize("trusted", [code for code in get_args(Trust) if code])
def test_every_code_has_a_sentence_with_the_path(trusted: Trust) -> None:
    (line,) = reasons(TargetState(trusted=trusted), "a/b")
    assert "a/b" in line
    assert line.endswith(".")
