"""What a call answers: twice the same, for clients that read the one and those that read the other (T5)."""

from __future__ import annotations

import json

import pytest

from offprompt.agent.mcp import results
from tests.agent.schemas import VERSIONS, valid

URL = "http://127.0.0.1:51234/r/0123456789abcdef0123456789abcdef#k=" + "A" * 43
EVERYTHING = {
    "request_id": "req-1", "status": "written", "expires_in": 1790, "names": ("A", "B"), "kept": ("B",),
    "fingerprint": ("🍋", "🥝", "🌮", "🧀"), "file_keys": ["A", "B", "C"], "sink": ("dotenv", ".env"), "url": URL,
    "note": "Go on – with “care”.",
}  # fmt: skip
ORDER = ["tell_user", "request_id", "status", "expires_in", "names", "kept", "fingerprint", "file_keys", "sink", "url",
         "note"]  # fmt: skip


def test_fields_stand_in_their_order():
    result = results.outcome(**EVERYTHING)  # type: ignore[arg-type]
    assert result["isError"] is False
    fields = result["structuredContent"]
    assert list(fields) == ORDER
    assert fields == {
        "tell_user": "Fingerprint 🍋 🥝 🌮 🧀", "request_id": "req-1", "status": "written", "expires_in": 1790,
        "names": ["A", "B"], "kept": ["B"], "fingerprint": "🍋 🥝 🌮 🧀", "file_keys": ["A", "B", "C"],
        "sink": {"kind": "dotenv", "path": ".env"}, "url": URL, "note": "Go on – with “care”.",
    }  # fmt: skip


def test_what_is_empty_is_absent():
    result = results.outcome(request_id="r", status="expired", names=["A"], sink=("file", "key.pem"), note="n")
    assert list(result["structuredContent"]) == ["request_id", "status", "names", "sink", "note"]


def test_no_second_left_is_said_all_the_same():
    result = results.outcome(
        request_id="r", status="awaiting", names=["A"], sink=("dotenv", ".env"), note="n", expires_in=0
    )
    assert result["structuredContent"]["expires_in"] == 0


def test_T5_the_text_is_the_same_object_with_real_characters_one_key_a_line():
    result = results.outcome(**EVERYTHING)  # type: ignore[arg-type]
    ((text,),) = [[content["text"] for content in result["content"]]]
    assert json.loads(text) == result["structuredContent"]
    rows = text.splitlines()
    assert (rows[0], rows[-1]) == ("{", "}")
    assert [row.split('"')[1] for row in rows[1:-1]] == ORDER
    assert f'  "url": "{URL}",' in rows, "the link stands on a line of its own"
    assert "🍋 🥝 🌮 🧀" in text


def test_a_refusal_is_an_error_that_reads_the_same_twice():
    result = results.refusal('Say "please".\nTwice.')
    assert result["isError"] is True
    assert result["structuredContent"] == {"error": 'Say "please".\nTwice.'}
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]


@pytest.mark.parametrize("version", VERSIONS)
def test_H8_results_fit_every_revision(version: str):
    modern = {"resultType": "complete"} if version == "2026-07-28" else {}
    valid(version, "CallToolResult", {**results.outcome(**EVERYTHING), **modern})  # type: ignore[arg-type]
    valid(version, "CallToolResult", {**results.refusal("No."), **modern})


def test_E2_a_modern_client_can_be_asked():
    ask = {"page": {"method": "elicitation/create", "params": {"mode": "url", "message": "m", "url": "http://x/"}}}
    result = results.input_required(ask, "state")
    assert list(result) == ["resultType", "inputRequests", "requestState"]
    valid("2026-07-28", "InputRequiredResult", result)
