"""A request as its service describes it to a client (docs/protocol.md, "The request as data"), read strictly.

The service is another machine's and its texts are an agent's: all of them are made plain before they are kept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from offprompt import errors
from offprompt.registry.rules import rule_of
from offprompt.registry.sentences import rules_in_words
from offprompt.request.spec import MAX_CAPTION, MAX_ENTRIES, MAX_NAME, MAX_PATH, MAX_REASON, NAME
from offprompt.text import each_line, one_line

VERSION = 1
MAX_RULES = 8
"""Rules that are shown of one value: no field has more."""
_HEX = re.compile(r"[0-9a-f]+\Z")


@dataclass(frozen=True, slots=True)
class AskedSecret:
    """One value that is asked for. `generated`: the service makes it. `present`: the file holds the name already."""

    name: str
    label: str
    caption: str
    url: str
    rules: tuple[str, ...]
    secret: bool
    multiline: bool
    present: bool
    generated: bool


@dataclass(frozen=True, slots=True)
class Sheet:
    """The whole request. `nonce` is 32 hex digits and goes back with the answer; `expires_in` is in seconds."""

    token: str
    key_id: str
    nonce: str
    host: str
    project: str
    reason: tuple[str, ...]
    kind: str
    path: str
    exists: bool
    tracked: bool
    ignored: bool
    readable_by_others: bool
    expires_in: int
    secrets: tuple[AskedSecret, ...]


def read_sheet(members: dict[str, Any], host: str) -> Sheet:
    """The request in `members`, which `host` sent. Members that are not known are ignored.

    Raises:
        OtherVersion: it is of a version that this client does not know.
        StrangeAnswer: it is no request, or not a whole one.
    """
    version = members.get("v")
    if type(version) is int and version > VERSION:
        raise errors.OtherVersion(version=version)
    try:
        return _sheet(members)
    except (KeyError, TypeError, ValueError):
        pass
    raise errors.StrangeAnswer(host=one_line(host))


def _sheet(members: dict[str, Any]) -> Sheet:
    sink, secrets = members["sink"], members["secrets"]
    if members["v"] != VERSION or not isinstance(sink, dict) or not isinstance(secrets, list):
        raise ValueError("not a request")
    if not 1 <= len(secrets) <= MAX_ENTRIES:
        raise ValueError("no or too many values")
    asked = tuple(map(_secret, secrets))
    if len({secret.name for secret in asked}) != len(asked):
        raise ValueError("a name twice")
    return Sheet(
        token=_hex(members["token"], 32),
        key_id=_hex(members["key_id"], 8),
        nonce=_hex(members["nonce"], 32),
        host=one_line(_text(members["host"]), 60),
        project=one_line(_text(members["project"]), MAX_PATH),
        reason=each_line(_text(members["reason"])[:MAX_REASON]),
        kind=one_line(_text(sink["kind"]), 20),
        path=one_line(_text(sink["path"]), MAX_PATH),
        exists=_truth(sink["exists"]),
        tracked=_truth(sink["tracked"]),
        ignored=_truth(sink["ignored"]),
        readable_by_others=_truth(sink.get("readable_by_others", False)),
        expires_in=_whole(members["expires_in"]),
        secrets=asked,
    )


def _secret(members: dict[str, Any]) -> AskedSecret:
    name = _text(members["name"])
    if len(name) > MAX_NAME or not NAME.match(name):
        raise ValueError("not a name")
    rules = members.get("rules", [])
    if not isinstance(rules, list):
        raise TypeError("rules are a list")
    return AskedSecret(
        name=name,
        label=one_line(_text(members.get("label", "")), 80),
        caption=one_line(_text(members.get("caption", "")), MAX_CAPTION),
        url=one_line(_text(members.get("url", "")), 200),
        rules=tuple(line for rule in rules[:MAX_RULES] for line in _in_words(rule)),
        secret=_truth(members["secret"]),
        multiline=_truth(members["multiline"]),
        present=_truth(members["present"]),
        generated=members.get("generate") is not None,
    )


def _in_words(rule: object) -> tuple[str, ...]:
    """A rule as a line; () for one that this version does not know."""
    try:
        return tuple(one_line(line) for line in rules_in_words((rule_of(rule),)))  # type: ignore[arg-type]
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        return ()


def _text(member: object) -> str:
    if not isinstance(member, str):
        raise TypeError("not text")
    return member


def _truth(member: object) -> bool:
    if not isinstance(member, bool):
        raise TypeError("neither true nor false")
    return member


def _whole(member: object) -> int:
    if type(member) is not int or member < 0:
        raise TypeError("not a number of seconds")
    return member


def _hex(member: object, digits: int) -> str:
    text = _text(member)
    if len(text) != digits or not _HEX.match(text):
        raise ValueError("not hex digits")
    return text
