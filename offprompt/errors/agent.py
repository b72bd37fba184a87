"""What an agent is refused."""

from __future__ import annotations

from offprompt.errors.root import OffpromptError


class CallRefused(OffpromptError):
    """{sentence}"""


class UnknownRequest(OffpromptError):
    """There is no request with this request_id in this session, or it ended over an hour ago. Call collect_secret
    again."""


class StrangeState(OffpromptError):
    """This call was repeated with a state that does not belong to it. Call collect_secret again, without any state."""


class GeneratedUnagreed(OffpromptError):
    """{reasons} So keys are written to {path} only when a person agrees. Put them into another file, such as a .env
    that git ignores, or ask in the same call for something that the person has to type."""
