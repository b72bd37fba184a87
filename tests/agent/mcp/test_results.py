"""What a call answers: twice the same, for clients that read the one and those that read the other (T5)."""

from __future__ import annotations

import json

import pytest

from offprompt.agent.mcp import results
from tests.agent.schemas import VERSIONS, valid

FIELDS = {"status": "awaiting", "url": "http://127.0.0.1:51234/r/0123#k=AbC", "note": "Go on – with “care” 🍋."}


def test_T5_the_text_is_the_same_object_with_real_characters_one_key_a_line():
    result = results.of_fields(FIELDS)
    ((text,),) = [[content["text"] for content in result["content"]]]
    assert json.loads(text) == result["structuredContent"]
    rows = text.splitlines()
    assert (rows[0], rows[-1]) == ("{", "}")
    assert [row.split('"')[1] for row in rows[1:-1]] == list(FIELDS)
    assert f'  "url": "{FIELDS["url"]}",' in rows, "the link stands on a line of its own"
    assert "– with “care” 🍋" in text


def test_what_is_empty_is_absent_and_zero_is_not_empty():
    fields = {"url": "", "names": [], "file_keys_more": None, "expires_in": 0}
    assert results.of_fields(fields)["structuredContent"] == {"expires_in": 0}


def test_a_refusal_is_an_error_that_reads_the_same_twice():
    result = results.refusal('Say "please".\nTwice.')
    assert result["isError"] is True
    assert result["structuredContent"] == {"error": 'Say "please".\nTwice.'}
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]


@pytest.mark.parametrize("version", VERSIONS)
def test_H8_results_fit_every_revision(version: str):
    modern = {"resultType": "complete"} if version == "2026-07-28" else {}
    valid(version, "CallToolResult", {**results.of_fields(FIELDS), **modern})
    valid(version, "CallToolResult", {**results.refusal("No."), **modern})


def test_E2_a_modern_client_can_be_asked():
    ask = {"page": {"method": "elicitation/create", "params": {"mode": "url", "message": "m", "url": "http://x/"}}}
    result = results.input_required(ask, "state")
    assert list(result) == ["resultType", "inputRequests", "requestState"]
    valid("2026-07-28", "InputRequiredResult", result)
