"""What a person sent: opened, read strictly, and held against what was asked."""

from __future__ import annotations

import base64
import binascii
import hmac
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from offprompt import errors
from offprompt.registry.sentences import refusals
from offprompt.request.fingerprint import KEY_SIZE
from offprompt.request.seal import open_seal
from offprompt.request.spec import clean_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from offprompt.request.record import Record

MAX_VALUE = 65_536
"""Bytes of one value in UTF-8: a large PEM bundle or service account is a fifth of it, and two fill a submission."""

_MEMBERS = {"token", "nonce", "values", "allow_tracked", "fingerprint_key"}


@dataclass(frozen=True, slots=True)
class Submission:
    """An opened seal that belongs to its request. Its values show in no repr."""

    values: Mapping[str, str] = field(repr=False)
    allow_tracked: bool
    fingerprint_key: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Faults:
    """Why a submission was not written: lines for each name, and lines for the whole form. Empty means none."""

    errors: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    form: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.errors or self.form)


def read_submission(record: Record, nonce: str, sealed: str) -> Submission:
    """Open `sealed` as a submission to `record`, whose `nonce` was sent outside the seal.

    Raises:
        SealMalformed: `sealed` is not `v1.` and base64url.
        SealForeign: the nonce is another one, the seal does not open, or holds no submission to this request; which of
            these is not said, so that nobody learns from it.
        RequestClosed: the request's key is gone.
    """
    plaintext = open_seal(record.private_key, sealed)
    if not hmac.compare_digest(nonce.encode("utf-8", "replace"), record.nonce.encode()):
        raise errors.SealForeign()
    submission = _read(record, plaintext)
    if submission is None:
        raise errors.SealForeign()
    return submission


def _read(record: Record, plaintext: bytes) -> Submission | None:
    try:
        members = json.loads(plaintext.decode("utf-8"), object_pairs_hook=distinct)
        return _submission(record, members)
    except (ValueError, RecursionError):
        # Not raised from here: a decoding error holds what it could not decode, and would travel as the context.
        return None


def distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The members of a JSON object; ValueError where one stands twice, which readers take in two ways (RFC 8259, 4)."""
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member stands twice")
    return members


def _submission(record: Record, members: object) -> Submission:
    if not isinstance(members, dict) or set(members) != _MEMBERS:
        raise ValueError("not a submission")
    values, allow_tracked, key = members["values"], members["allow_tracked"], members["fingerprint_key"]
    if not isinstance(values, dict) or not all(isinstance(value, str) for value in values.values()):
        raise ValueError("values are no strings")
    if not isinstance(allow_tracked, bool) or not isinstance(key, str):
        raise ValueError("wrong types")
    for member, own in (("token", record.token), ("nonce", record.nonce)):
        given = members[member]
        if not isinstance(given, str) or not hmac.compare_digest(given.encode("utf-8", "replace"), own.encode()):
            raise ValueError("another request's")
    return Submission(values, allow_tracked, _fingerprint_key(key))


def _fingerprint_key(text: str) -> bytes:
    try:
        key = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise ValueError("no key") from None
    if len(key) != KEY_SIZE:
        raise ValueError("no key")
    return key


def judge(record: Record, submission: Submission) -> Faults:
    """What stands against writing `submission`; no line contains a value.

    Of the registry's rules only those refuse a value that cannot work; a person who insists on the others is right.
    """
    wanted = {entry.name: entry for entry in record.fields}
    lines: dict[str, tuple[str, ...]] = {}
    form: list[str] = []
    if not submission.values.keys() <= wanted.keys():
        form.append("The form holds a name that this request did not ask for. Reload the page and try again.")
    for name, entry in wanted.items():
        value = submission.values.get(name)
        if value is None:
            if entry.generate is None and name not in record.present:
                lines[name] = ("A value is needed here.",)
        elif problem := _problem(value, secret=entry.secret):
            lines[name] = (problem,)
        elif value and (refused := refusals(entry.rules, value)):
            lines[name] = refused
    if record.target.needs_agreement and not submission.allow_tracked:
        form.append(
            f"Git tracks {record.spec.sink.path}, so values can end up in a commit. Tick the box to write anyway."
        )
    return Faults(lines, tuple(form))


def _problem(value: str, *, secret: bool) -> str:
    if not value and secret:
        return "A value is needed here."
    if not clean_text(value):
        return "The value holds a character that cannot be stored (a NUL or half of a pair). Copy it again."
    if len(value.encode()) > MAX_VALUE:
        return f"The value is too long: at most {MAX_VALUE // 1024} KiB can be written."
    return ""
