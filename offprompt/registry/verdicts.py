"""Whether a value is of a kind: an integer, a URL, a JSON text. formats.toml says what the facts of a rule mean."""

from __future__ import annotations

import base64
import binascii
import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from offprompt.registry.rules import FormatRule

Verdict = Literal["", "odd", "other", "broken"]
"""`""`: it is of the kind. `odd`: it is not, and may work all the same. `other`: it is something else. `broken`: it
says that it is of the kind, and cannot be read as such.
"""

MAX_JUDGED = 65_536
"""Characters of a text that is read at all; no longer value is written (offprompt/request/submission.py)."""

_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://([^/?#]*)", re.ASCII)
_PORT = re.compile(r":[0-9]*\Z")
_INNER_SPACE = re.compile(r"[ \t\r\n]+")
_PLACEHOLDER = re.compile(r"<[A-Za-z_ -]{3,40}>|\[[A-Z_-]{4,40}\]")


def verdict(rule: FormatRule, value: str) -> Verdict:
    """What `value`, without spaces at its ends, is by the format's rule."""
    if len(value) > MAX_JUDGED:
        return "odd"
    if _keeps(rule, value):
        return ""
    if rule.begins and _whole(rule.begins, rule.ignore_case).fullmatch(value):
        return "broken"
    if rule.odd and _whole(rule.odd, rule.ignore_case).fullmatch(value):
        return "odd"
    return "other"


def placeholder_left(value: str) -> bool:
    """Whether a URL still has a part like `<password>` or `[YOUR-PASSWORD]`, as consoles show it."""
    return _URL.match(value) is not None and _PLACEHOLDER.search(value) is not None


def _keeps(rule: FormatRule, value: str) -> bool:
    if not rule.min <= len(value) <= rule.max:
        return False
    if rule.strip:
        value = _INNER_SPACE.sub("", value)
    if len(value) % rule.multiple:
        return False
    if rule.pattern and not _whole(rule.pattern, rule.ignore_case).fullmatch(value):
        return False
    if rule.schemes and not _is_url(value, rule.schemes, rule.host):
        return False
    return not rule.parse or (_is_json(value) if rule.parse == "json" else _is_jwt(value))


@lru_cache(maxsize=128)
def _whole(expression: str, ignore_case: bool) -> re.Pattern[str]:
    return re.compile(expression, re.ASCII | re.DOTALL | (re.IGNORECASE if ignore_case else 0))


def _is_url(value: str, schemes: tuple[str, ...], host: bool) -> bool:
    """RFC 3986 read leniently: passwords are pasted as they are, and drivers read lists of hosts."""
    parts = _URL.match(value)
    if parts is None:
        return False
    scheme = parts[1].lower()
    if scheme not in schemes and scheme.partition("+")[0] not in schemes:
        return False
    name = _PORT.sub("", parts[2].rpartition("@")[2])
    return not host or (name != "" and _INNER_SPACE.search(name) is None)


def _is_json(value: str) -> bool:
    try:
        # Numbers stay text: what they would become is nobody's business, and long ones take Python long to read.
        json.loads(value, parse_int=str, parse_float=str, parse_constant=_refuse)
    except RecursionError:
        return True  # Too deep for us to tell.
    except ValueError:
        return False
    return True


def _refuse(constant: str) -> None:
    raise ValueError  # NaN and Infinity are Python's, not JSON's (RFC 8259, section 6)


def _is_jwt(value: str) -> bool:
    parts = value.split(".")
    if len(parts) != 3 or not all(_whole("[A-Za-z0-9_-]+", False).fullmatch(part) for part in parts):
        return False
    try:
        head = base64.urlsafe_b64decode(parts[0] + "=" * (-len(parts[0]) % 4)).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return False
    return head.strip(" \t\r\n").startswith("{") and _is_json(head)
