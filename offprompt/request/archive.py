"""What is kept of a closed request, in a few hundred bytes: what a repeated `await_secret` and a late page are told.

A long session closes thousands of requests and remembers each for an hour. The reason, the captions, the fields and the
keys that the target held go; names, outcomes and the place stay, packed as JSON.
"""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import TYPE_CHECKING

from offprompt.request.order import RequestOrder
from offprompt.request.outcome import Outcome, Written
from offprompt.request.spec import Entry, Generate, RequestSpec, SinkSpec
from offprompt.request.target import TargetState

if TYPE_CHECKING:
    from typing import Any


def pack(order: RequestOrder, result: Written | None) -> bytes:
    """Return what stays of a request with this order and result."""
    spec, sink = order.spec, order.spec.sink
    members: list[Any] = [
        [[entry.name, entry.generate is not None] for entry in spec.entries],
        [sink.kind, sink.path, order.target.lands],
        order.remote,
        digest(spec),
    ]
    if result is not None:
        members += [
            "".join(result.fingerprint),
            result.file,
            [[one.name, one.outcome] for one in result.outcomes],
            result.file_keys,
            result.shell_differs,
            result.file_keys_more,
        ]
    return json.dumps(members, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def unpack_order(packed: bytes, session: str) -> RequestOrder:
    """Return the order as far as it is kept: no reason, no captions, no fields, no project, and bare entries."""
    entries, (kind, path, lands), remote, *_ = _members(packed)
    bare = tuple(Entry(name, generate=Generate() if generated else None) for name, generated in entries)
    spec = RequestSpec(bare, sink=SinkSpec(kind, path))
    return RequestOrder(spec, (), session, "", remote=remote, target=TargetState(lands=lands))


def unpack_result(packed: bytes) -> Written | None:
    """Return the result, None when nothing was written."""
    _entries, _place, _remote, _digest, *written = _members(packed)
    if not written:
        return None
    fingerprint, file, outcomes, keys, shell_differs, more = written
    made = tuple(Outcome(name, outcome) for name, outcome in outcomes)
    return Written(tuple(fingerprint), file, made, tuple(keys), tuple(shell_differs), more)


def asked_for(packed: bytes, spec: RequestSpec) -> bool:
    """Return whether the request asked for exactly `spec`."""
    return bool(_members(packed)[3] == digest(spec))


def digest(spec: RequestSpec) -> str:
    """Return 24 hex digits that are the same for equal specs alone."""
    return blake2b(repr(spec).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def _members(packed: bytes) -> Any:
    return json.loads(packed.decode("utf-8", "surrogatepass"))
