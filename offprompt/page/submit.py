"""A press of the button: from a sealed submission to the file, or to the lines that say what to mend."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING, Protocol

from offprompt import errors
from offprompt.http.answer import Answer, json_answer
from offprompt.http.json_body import read_posted
from offprompt.page.data import faults_object, status_object, written_object
from offprompt.request.submission import Faults, read_submission
from offprompt.sinks.writer import examine

if TYPE_CHECKING:
    from collections.abc import Mapping

    from twisted.internet.defer import Deferred

    from offprompt.http.head import Asked
    from offprompt.request.outcome import Written
    from offprompt.request.record import Record


class Fulfils(Protocol):
    """Who writes values; `offprompt.sinks.writer.Fulfilment` says what it fires and fails with."""

    def write(
        self, record: Record, values: Mapping[str, str], *, allow_tracked: bool, fingerprint_key: bytes | None
    ) -> Deferred[Written]:
        """Write `values` and what is to be generated."""
        ...


async def submit(record: Record, asked: Asked, body: bytes, fulfilment: Fulfils, nonce: str) -> Answer:
    """Open, check and write a submission.

    The client may go away at any time: a write that has begun is not cancelled by that.

    Raises:
        NotJsonType, NotTheseMembers, SealMalformed, SealForeign: it is no submission to this request.
        RequestBusy: another one is being written.
        RequestClosed: the request is closed.
        SinkFailed: the file system refused; nothing was written and the request is open again.
    """
    sent_nonce, sealed = read_posted(asked.content_types, body, "nonce", "sealed")
    if record.status == "writing":
        raise errors.RequestBusy()
    submission = read_submission(record, sent_nonce, sealed)
    faults = examine(record, submission)
    if not faults:
        try:
            written = await fulfilment.write(
                record,
                submission.values,
                allow_tracked=submission.allow_tracked,
                fingerprint_key=submission.fingerprint_key,
            )
        except errors.SinkRefused as error:
            faults = _faults(error)
        else:
            return json_answer(nonce, written_object(record, written))
    return json_answer(nonce, faults_object(faults), status=422)


def _faults(error: errors.SinkRefused) -> Faults:
    """A refusal by the sink that only the write could find, for example because the file has changed since."""
    if isinstance(error, errors.NotHeld | errors.ValueNotCarried):
        return Faults({str(error.details["name"]): (str(error),)})
    return Faults(form=(str(error),))


def decline(record: Record, now: float, asked: Asked, body: bytes, nonce: str) -> Answer:
    """The person says no.

    Raises:
        NotJsonType, NotTheseMembers: the body is not what a page sends.
        SealForeign: the nonce is not this request's.
        RequestBusy: it is being written.
    """
    (sent_nonce,) = read_posted(asked.content_types, body, "nonce")
    if not hmac.compare_digest(sent_nonce.encode("utf-8", "replace"), record.nonce.encode()):
        raise errors.SealForeign()
    if record.status == "writing":
        raise errors.RequestBusy()
    record.cancel("person", now)
    return json_answer(nonce, status_object(record, now))
