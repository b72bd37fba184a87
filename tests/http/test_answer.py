"""Answers as values, and on the wire."""

from __future__ import annotations

import json

from offprompt.http.answer import Answer, closing, json_answer
from tests.http.test_headers import ALWAYS
from tests.page.world import read_replies


def test_json_is_utf_8_with_real_characters() -> None:
    answer = json_answer({"fingerprint": ["🍋"]})
    assert answer.body == '{"fingerprint":["🍋"]}'.encode()
    assert dict(answer.headers)["Content-Length"] == str(len(answer.body))


def test_half_a_character_from_outside_breaks_no_answer() -> None:
    assert json.loads(json_answer({"file": "\ud800"}).body) == {"file": "?"}


def test_a_closing_answer_is_whole_and_says_that_it_closes() -> None:
    answer = json_answer({"error": "é"}, status=421, extra=(("Retry-After", "1"),))
    (reply,) = read_replies(closing(answer, date="Sun, 29 Nov 2026 12:00:00 GMT", head=False))
    assert (reply.status, reply.json, reply["connection"], reply["retry-after"]) == (421, {"error": "é"}, "close", "1")
    assert reply.headers.keys() >= ALWAYS | {"date"}


def test_for_a_head_the_body_is_left_out_and_its_length_is_told() -> None:
    answer = Answer(404, "text/plain", b"four")
    said = closing(answer, date="", head=True)
    assert said.endswith(b"\r\n\r\n")
    assert b"Content-Length: 4\r\n" in said
