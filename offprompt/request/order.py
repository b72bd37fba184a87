"""Everything that is settled before a request is opened."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from offprompt.request.lifetime import lifetime
from offprompt.request.target import TargetState

if TYPE_CHECKING:
    from offprompt.request.fields import Field
    from offprompt.request.spec import RequestSpec


@dataclass(frozen=True, slots=True)
class RequestOrder:
    """What is asked for, where it goes, and on whose behalf.

    Attributes:
        spec: what the agent asked for.
        fields: what the page shows, in the agent's order.
        session: the agent's session.
        project: the project's absolute folder.
        host: what the agent calls itself.
        remote: whether the person is elsewhere, so that the link lives longer.
        target: the target as it was found.
    """

    spec: RequestSpec
    fields: tuple[Field, ...]
    session: str
    project: str
    host: str = ""
    remote: bool = False
    target: TargetState = field(default_factory=TargetState)

    @property
    def lifetime(self) -> float:
        """Seconds that the link is good for."""
        return lifetime(self.remote)

    @property
    def present(self) -> frozenset[str]:
        """The requested names that the target held when it was looked at."""
        return frozenset(self.spec.names) & frozenset(self.target.keys)
