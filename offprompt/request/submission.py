"""What a person sent: opened, read strictly, and compared with what was asked for."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from offprompt import errors
from offprompt.encoding import from_base64url, strict_json
from offprompt.registry.sentences import refusals
from offprompt.request.consent import reasons
from offprompt.request.fingerprint import KEY_SIZE
from offprompt.request.seal import open_seal
from offprompt.text import is_storable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from offprompt.request.order import RequestOrder
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
    nonce_fits = record.has_nonce(nonce)
    plaintext = open_seal(record.private_key, sealed)
    if not nonce_fits:
        raise errors.SealForeign()
    submission = _read(record, plaintext)
    if submission is None:
        raise errors.SealForeign()
    return submission


def _read(record: Record, plaintext: bytes) -> Submission | None:
    """Return what `plaintext` says, or None where it is no submission to `record`."""
    members = strict_json(plaintext)
    if not isinstance(members, dict) or members.keys() != _MEMBERS:
        return None
    values, allow_tracked = members["values"], members["allow_tracked"]
    if not isinstance(values, dict) or not all(isinstance(value, str) for value in values.values()):
        return None
    if not _is_same(members["token"], record.token) or not _is_same(members["nonce"], record.nonce):
        return None
    key = members["fingerprint_key"]
    raw_key = from_base64url(key) if isinstance(key, str) else None
    if not isinstance(allow_tracked, bool) or raw_key is None or len(raw_key) != KEY_SIZE:
        return None
    return Submission(values, allow_tracked, raw_key)


def _is_same(given: object, own: str) -> bool:
    """Return whether `given` is the request's `own` secret, in a time that tells nothing of it."""
    return isinstance(given, str) and hmac.compare_digest(given.encode("utf-8", "replace"), own.encode())


def judge(order: RequestOrder, submission: Submission) -> Faults:
    """Return what stands against writing `submission` to a request for `order`; no line contains a value.

    Of the registry's rules only those count that no working value breaks; the page warns of the others.
    """
    wanted = {entry.name: entry for entry in order.fields}
    lines: dict[str, tuple[str, ...]] = {}
    form: list[str] = []
    if not submission.values.keys() <= wanted.keys():
        form.append("The form holds a name that this request did not ask for. Reload the page and try again.")
    for name, entry in wanted.items():
        value = submission.values.get(name)
        if value is None:
            if entry.generate is None and name not in order.present:
                lines[name] = ("A value is needed here.",)
        elif problem := _problem(value, secret=entry.secret):
            lines[name] = (problem,)
        elif value and (refused := refusals(entry.rules, value)):
            lines[name] = refused
    if order.target.needs_consent and not submission.allow_tracked:
        form.append(" ".join([*reasons(order.target, order.spec.sink.path), "Tick the box to write anyway."]))
    return Faults(lines, tuple(form))


def _problem(value: str, *, secret: bool) -> str:
    if not value and secret:
        return "A value is needed here."
    if not is_storable(value):
        return "The value holds a character that cannot be stored (a NUL or half of a pair). Copy it again."
    if len(value.encode()) > MAX_VALUE:
        return f"The value is too long: at most {MAX_VALUE // 1024} KiB can be written."
    return ""
