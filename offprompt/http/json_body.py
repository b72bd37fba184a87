"""Bodies of JSON, read strictly."""

from __future__ import annotations

from offprompt import errors
from offprompt.encoding import strict_json


def read_json_object(content_types: tuple[str, ...], body: bytes, *members: str) -> tuple[str, ...]:
    """Return the values of `members`, in their order, from a JSON object that holds these and nothing else.

    Raises:
        NotJsonType: the body is not sent as JSON.
        NotTheseMembers: it is not JSON in UTF-8, or not this object with a string for each member.
    """
    if len(content_types) != 1 or content_types[0].partition(";")[0].strip().lower() != "application/json":
        raise errors.NotJsonType()
    sent = strict_json(body)
    if not isinstance(sent, dict) or set(sent) != set(members) or not all(isinstance(v, str) for v in sent.values()):
        raise errors.NotTheseMembers(members=" and ".join(members))
    return tuple(sent[member] for member in members)
