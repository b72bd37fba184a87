"""What to call the program that hosts the agent, from the name it gives itself when the conversation begins.

`clientInfo.name` is a claim, not proof: any program can send any name. It serves display only.
"""

from __future__ import annotations

from offprompt.registry.tables import built
from offprompt.text import is_unseen

MAX_HOST_NAME = 40
"""Characters of an unknown program's own name that a page shows: longer ones are not names."""

UNNAMED = "an agent"


def host_name(client_info_name: str) -> str:
    """The name to show for `clientInfo.name`.

    What a relay adds behind the name is cut off first; the rest is compared without regard to case, whole or from its
    beginning as the data says. An unknown name is shown as it came, without control and format characters (they could
    turn the line around) and cut to 40 characters; where nothing is left, "an agent".
    """
    data = built()
    name = client_info_name
    for suffix in data["host_suffixes"]:
        name = name.partition(suffix)[0]
    folded = name.strip().lower()
    if folded in data["hosts_exact"]:
        return data["hosts_exact"][folded]
    prefixes = [prefix for prefix in data["hosts_prefix"] if folded.startswith(prefix)]
    if prefixes:
        return data["hosts_prefix"][max(prefixes, key=len)]
    shown = "".join(c for c in name if not is_unseen(c) and (c.isprintable() or c.isspace()))
    return " ".join(shown.split())[:MAX_HOST_NAME].rstrip() or UNNAMED
