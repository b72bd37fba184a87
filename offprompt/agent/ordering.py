"""From the arguments of a call to what is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from offprompt.request.spec import Entry, Generate, RequestSpec, SinkSpec

if TYPE_CHECKING:
    from offprompt.agent.arguments import Collect, Generated, Wanted
    from offprompt.request.spec import Encoding, SinkKind


def spec_of(asked: Collect) -> RequestSpec:
    """What `asked` asks for.

    Raises:
        BadRequest: leaves of it, where the arguments were not looked at closely enough.
    """
    return RequestSpec(
        tuple(_entry(wanted) for wanted in asked.secrets),
        asked.reason,
        SinkSpec(cast("SinkKind", asked.kind), asked.path),
    )


def _entry(wanted: Wanted) -> Entry:
    return Entry(
        wanted.name,
        provider=wanted.provider,
        format=wanted.format,
        caption=wanted.caption,
        generate=_generate(wanted.generate) if wanted.generate else None,
        secret=wanted.secret,
    )


def _generate(generated: Generated) -> Generate:
    return Generate(generated.bytes, cast("Encoding", generated.encoding))
