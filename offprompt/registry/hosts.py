"""Names for the program that hosts the agent, from the name it gives itself when the conversation begins.

`clientInfo.name` is a claim, not proof: any program can send any name. It is for display only.
"""

from __future__ import annotations

from offprompt.registry.tables import built
from offprompt.text import is_unseen

MAX_HOST_NAME = 40
"""Characters of an unknown program's own name that a page shows: longer ones are not names."""

UNNAMED = "an agent"


def host_name(client_info_name: str) -> str:
    """Return the name to show for `clientInfo.name`.

    A relay's addition is cut off. The rest is compared in small letters, whole or by its beginning as the data says:
    some programs add a server's name or a version. An unknown name is shown as it came, cut to 40 characters and
    without control and format characters, which could turn the line round. Where nothing is left: "an agent".
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
