"""Requests and submissions for tests: made up, and each different from the others."""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Callable, Mapping
from typing import Any

from offprompt.encoding import base64url
from offprompt.request.fields import Field
from offprompt.request.order import RequestOrder
from offprompt.request.record import Record
from offprompt.request.seal import pad, seal
from offprompt.request.spec import Entry, Generate, RequestSpec, SinkSpec
from offprompt.request.target import TargetState

KEY = bytes(range(32))


def counting() -> Callable[[int], bytes]:
    """Randomness that never repeats itself and is the same in every run."""
    numbers = itertools.count()
    return lambda size: hashlib.blake2b(next(numbers).to_bytes(8, "big"), digest_size=size).digest()


def order(
    *names: str,
    session: str = "one",
    project: str = "/made/up",
    generated: tuple[str, ...] = (),
    plain: tuple[str, ...] = (),
    remote: bool = False,
    target: TargetState | None = None,
    sink: SinkSpec | None = None,
    fields: tuple[Field, ...] = (),
) -> RequestOrder:
    """An order for `names` (API_KEY when none); `generated` are made by offprompt, `plain` are no secrets.

    `fields` are those of the page, where plain ones would not do.
    """
    asked = names or ("API_KEY",)
    entries = tuple(Entry(name, generate=Generate() if name in generated else None) for name in asked)
    made = tuple(Field(entry.name, secret=entry.name not in plain, generate=entry.generate) for entry in entries)
    spec = RequestSpec(entries, "Because.", sink or SinkSpec())
    return RequestOrder(spec, fields or made, session, project, "Test agent", remote, target or TargetState())


def record(*names: str, now: float = 0.0, **kinds: Any) -> Record:
    """An open request."""
    return Record(order(*names, **kinds), counting(), now)


def plaintext(record: Record, values: Mapping[str, Any], /, **members: Any) -> bytes:
    """What a page seals for `record`; `members` replace or add to its own."""
    whole = {
        "token": record.token,
        "nonce": record.nonce,
        "values": dict(values),
        "allow_tracked": False,
        "fingerprint_key": base64url(KEY),
    }
    return json.dumps(whole | members).encode()


def sealed(record: Record, values: Mapping[str, Any], /, **members: Any) -> str:
    """`plaintext`, padded and sealed to `record`."""
    return seal(record.public_key, pad(plaintext(record, values, **members)))
