"""An answer as a value: status, body and the headers of its own, before anything is sent."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from offprompt.http.headers import NOTHING_RUNS, Policy

if TYPE_CHECKING:
    from collections.abc import Mapping

JSON = "application/json"
HTML = "text/html; charset=utf-8"
TEXT = "text/plain; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Answer:
    """One HTTP answer; `policy` is what a browser lets it do."""

    status: int
    content_type: str
    body: bytes
    policy: Policy = NOTHING_RUNS
    extra: tuple[tuple[str, str], ...] = ()

    phrase: str = field(init=False)
    """The status in words."""
    headers: tuple[tuple[str, str], ...] = field(init=False)
    """All headers, Content-Length too: with it a HEAD has it as well, and nothing needs to be chunked."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "phrase", HTTPStatus(self.status).phrase)
        own = (("Content-Type", self.content_type), ("Content-Length", str(len(self.body))))
        object.__setattr__(self, "headers", (*own, *self.policy.headers, *self.extra))


def json_answer(members: Mapping[str, Any], *, status: int = 200, extra: tuple[tuple[str, str], ...] = ()) -> Answer:
    """Return an answer with `members` as JSON."""
    body = json.dumps(members, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    return Answer(status, JSON, body, extra=extra)


def closing(answer: Answer, *, date: str, head: bool) -> bytes:
    """Return the bytes of `answer`, after which the connection is closed.

    For a HEAD (`head`) the body is left out (RFC 9110, section 9.3.2).
    """
    lines = [f"HTTP/1.1 {answer.status} {answer.phrase}", f"Date: {date}", *map(": ".join, answer.headers)]
    return "\r\n".join([*lines, "Connection: close", "", ""]).encode() + (b"" if head else answer.body)
