"""The kinds of sinks: a new one is one file in `offprompt/sinks` and one line here."""

from __future__ import annotations

from collections.abc import Mapping

from offprompt.sinks.dotenv_file import DotenvFile
from offprompt.sinks.plain_file import PlainFile
from offprompt.sinks.sink import Sink

SINKS: Mapping[str, Sink] = {
    "dotenv": DotenvFile(),
    "file": PlainFile(),
}
