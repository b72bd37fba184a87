"""Makes `offprompt` a command of `twistd` and `twist`. The module is named, not imported: discovery cannot fail."""

from twisted.application.service import ServiceMaker

offprompt = ServiceMaker(
    "offprompt", "offprompt.service.maker", "Secrets for agents that must not see them.", "offprompt"
)
