"""A request as its service describes it to a client (docs/protocol.md, "The request as data"). It is read strictly.

The service is on another machine, and its texts are an agent's. All of them are made safe to show before they are kept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from offprompt import errors
from offprompt.request.spec import MAX_CAPTION, MAX_ENTRIES, MAX_NAME, MAX_PATH, MAX_REASON, NAME
from offprompt.text import each_line, one_line

VERSION = 1
MAX_RULES = 8
"""Rules of one value that are looked at: no field has more."""
_HEX = re.compile(r"[0-9a-f]+\Z")
_REGISTRY_ID = re.compile(r"[a-z0-9_/]{1,80}\Z")
"""The id of a key or format: longer than any that the registry has."""


@dataclass(frozen=True, slots=True)
class AskedValue:
    """One value that is asked for.

    Attributes:
        generated: the service makes it.
        present: the file holds the name already.
        key_id: which provider's key it is, such as `stripe/secret_key`; "" where that is not known.
        format_id: the format that the agent named for it, or "".
    """

    name: str
    label: str
    caption: str
    url: str
    secret: bool
    multiline: bool
    present: bool
    generated: bool
    key_id: str = ""
    format_id: str = ""


@dataclass(frozen=True, slots=True)
class Destination:
    """Where the values go, as the service found it (docs/protocol.md; `offprompt.request.target.TargetState`).

    `agree`: the person has to agree before anything is written there.
    """

    kind: str
    path: str
    lands: str
    exists: bool
    git: str
    ignored: bool
    readable_by_others: bool
    public: str
    trusted: str
    writable: bool
    agree: bool

    def __str__(self) -> str:
        """The path, and the one where a link leads."""
        return f"{self.path} → {self.lands}" if self.lands else self.path


@dataclass(frozen=True, slots=True)
class AskedRequest:
    """The whole request. `nonce` is 32 hex digits and goes back with the answer; `expires_in` is in seconds."""

    token: str
    key_id: str
    nonce: str
    host: str
    project: str
    reason: tuple[str, ...]
    destination: Destination
    expires_in: int
    values: tuple[AskedValue, ...]


def read_request(members: dict[str, Any], host: str) -> AskedRequest:
    """Return the request in `members`, which `host` sent. Unknown members are ignored.

    Raises:
        OtherVersion: it is of a version that this client does not know.
        StrangeAnswer: it is no request, or not a whole one.
    """
    version = members.get("v")
    if type(version) is int and version > VERSION:
        raise errors.OtherVersion(version=version)
    try:
        return _request(members)
    except (KeyError, TypeError, ValueError):
        pass
    raise errors.StrangeAnswer(host=one_line(host))


def _request(members: dict[str, Any]) -> AskedRequest:
    sink, secrets = members["sink"], members["secrets"]
    if members["v"] != VERSION or not isinstance(sink, dict) or not isinstance(secrets, list):
        raise ValueError("not a request")
    if not 1 <= len(secrets) <= MAX_ENTRIES:
        raise ValueError("no or too many values")
    values = tuple(map(_value, secrets))
    if len({value.name for value in values}) != len(values):
        raise ValueError("a name twice")
    return AskedRequest(
        token=_hex(members["token"], 32),
        key_id=_hex(members["key_id"], 8),
        nonce=_hex(members["nonce"], 32),
        host=one_line(_text(members["host"]), 60),
        project=one_line(_text(members["project"]), MAX_PATH),
        reason=each_line(_text(members["reason"])[:MAX_REASON]),
        destination=_destination(sink),
        expires_in=_whole(members["expires_in"]),
        values=values,
    )


def _destination(members: dict[str, Any]) -> Destination:
    return Destination(
        kind=one_line(_text(members["kind"]), 20),
        path=one_line(_text(members["path"]), MAX_PATH),
        lands=one_line(_text(members["lands"]), MAX_PATH),
        exists=_truth(members["exists"]),
        git=one_line(_text(members["git"]), 20),
        ignored=_truth(members["ignored"]),
        readable_by_others=_truth(members["readable_by_others"]),
        public=one_line(_text(members["public"]), MAX_PATH),
        trusted=one_line(_text(members["trusted"]), 20),
        writable=_truth(members["writable"]),
        agree=_truth(members["agree"]),
    )


def _value(members: dict[str, Any]) -> AskedValue:
    name = _text(members["name"])
    if len(name) > MAX_NAME or not NAME.match(name):
        raise ValueError("not a name")
    rules = members.get("rules", [])
    if not isinstance(rules, list):
        raise TypeError("rules are a list")
    return AskedValue(
        name=name,
        label=one_line(_text(members.get("label", "")), 80),
        caption=one_line(_text(members.get("caption", "")), MAX_CAPTION),
        url=one_line(_text(members.get("url", "")), 200),
        secret=_truth(members["secret"]),
        multiline=_truth(members["multiline"]),
        present=_truth(members["present"]),
        generated=members.get("generate") is not None,
        key_id=_key_id(members.get("key")),
        format_id=next((found for rule in rules[:MAX_RULES] if (found := _named_format(rule))), ""),
    )


def _key_id(key: object) -> str:
    """Return whose key it is, as the registry names it."""
    return _registry_id(key.get("id")) if isinstance(key, dict) else ""


def _named_format(rule: object) -> str:
    """Return the format of a rule that holds as the agent named it; "" for any other rule."""
    if not isinstance(rule, dict) or rule.get("id") != "format" or rule.get("firm") is not True:
        return ""
    return _registry_id(rule.get("is"))


def _registry_id(member: object) -> str:
    return member if isinstance(member, str) and _REGISTRY_ID.match(member) else ""


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
