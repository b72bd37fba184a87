"""A press of the button: from a sealed submission to the file, or to the lines that say what to mend."""

from __future__ import annotations

from typing import TYPE_CHECKING

from offprompt import errors
from offprompt.http.answer import Answer, json_answer
from offprompt.http.json_body import read_json_object
from offprompt.page.data import faults_object, status_object, written_object
from offprompt.request.submission import Faults, read_submission

if TYPE_CHECKING:
    from offprompt.http.head import RequestHead
    from offprompt.request.ports import WriteRequest
    from offprompt.request.record import Record


MAX_BODY = 256 * 1024
"""Bytes of a request's body (docs/protocol/http.md). The largest sealed submission is 171 KiB: 128 KiB of plaintext
and 48 bytes of box, in base64url. It takes 22 s at 64 kbit/s."""


async def submit(record: Record, head: RequestHead, body: bytes, write: WriteRequest) -> Answer:
    """Open, check and write a submission. Return the answer.

    The client may go away at any time; a write that has begun goes on.

    Raises:
        NotJsonType, NotTheseMembers, SealMalformed, SealForeign: the body is no submission to this request.
        RequestBusy: another one is being written.
        RequestClosed: the request is closed.
        SinkFailed: the file system refused; nothing was written and the request is open again.
    """
    sent_nonce, sealed = read_json_object(head.content_types, body, "nonce", "sealed")
    submission = read_submission(record, sent_nonce, sealed)
    try:
        outcome = await write(record, submission)
    except errors.SinkRefused as error:
        outcome = _faults(error)
    if isinstance(outcome, Faults):
        return json_answer(faults_object(outcome), status=422)
    return json_answer(written_object(outcome))


def _faults(error: errors.SinkRefused) -> Faults:
    """Return a refusal that only the write could find, for example because the file has changed since."""
    if isinstance(error, errors.NotHeld | errors.ValueNotCarried):
        return Faults({str(error.details["name"]): (str(error),)})
    return Faults(form=(str(error),))


def decline(record: Record, now: float, head: RequestHead, body: bytes) -> Answer:
    """Close the request, as the person says no. Return the answer.

    Raises:
        NotJsonType, NotTheseMembers: the body is not what a page sends.
        SealForeign: the nonce is not this request's.
        RequestBusy: it is being written.
    """
    (sent_nonce,) = read_json_object(head.content_types, body, "nonce")
    if not record.has_nonce(sent_nonce):
        raise errors.SealForeign()
    if record.status == "writing":
        raise errors.RequestBusy()
    record.cancel("person", now)
    return json_answer(status_object(record, now))
