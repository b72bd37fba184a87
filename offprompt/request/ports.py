"""What both doors need of who writes values: the service hands it to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from offprompt.request.outcome import Written
    from offprompt.request.record import Record
    from offprompt.request.submission import Faults, Submission


class WriteRequest(Protocol):
    """Writes the values of a request; `offprompt.sinks.writer.RequestWriter.write` is the real one."""

    def __call__(self, record: Record, submission: Submission | None = None) -> Awaitable[Written | Faults]:
        """Write what a person sent, and what is to be generated; None when nobody had to send anything.

        Return what was written, or the faults for which nothing was. Raise OffpromptError leaves.
        """
        ...
