"""Reads the log of cloudflared while it runs.

Its levels mean nothing: healthy runs print errors, and dead tunnels are silent. Only three kinds of lines count. The
address is taken from the banner alone, since failures print `https://api.trycloudflare.com/tunnel`, and error pages are
logged word by word.
"""

from __future__ import annotations

import json
import re
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from offprompt.tunnel.causes import Cause, cause_in
from offprompt.tunnel.splitter import Splitter

if TYPE_CHECKING:
    from collections.abc import Callable

TAIL_LINES = 60
"""Lines kept to find why a start failed; cloudflared's longest failure (no DNS at all) prints 40."""
TAIL_WIDTH = 2000
"""Characters kept of each of them."""
MAX_OUTPUT = 4000
"""Characters kept of its stdout. Only a usage text comes there, with the reason in its first lines."""

HOST = r"(?!api\.)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.trycloudflare\.com"
"""The name of a quick tunnel: one label of RFC 1123, but not Cloudflare's own API."""

_TEXT = re.compile(r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d) ([A-Z]{3}|\?\?\?) ?(.*)\Z", re.S)
_HEADER = "|  Your quick Tunnel has been created!"
_ADDRESS = re.compile(rf"\A\|  https://({HOST}) +\|\Z")
_METRICS = re.compile(r"\AStarting metrics server on 127\.0\.0\.1:(\d{1,5})/metrics\Z")
_REGISTERED = re.compile(r"\A(?:Registered tunnel connection|Connection [0-9a-f-]{36} registered)")


@dataclass(frozen=True, slots=True)
class HostPrinted:
    """Cloudflare has given the tunnel this name; nothing answers there yet."""

    host: str


@dataclass(frozen=True, slots=True)
class MetricsListening:
    """cloudflared answers `/ready` on this port of 127.0.0.1."""

    port: int


@dataclass(frozen=True, slots=True)
class Registered:
    """A connection to Cloudflare's edge stands; from now on the name may be looked up."""


Event = HostPrinted | MetricsListening | Registered


class OutputReader:
    """Reads the log of one child as it comes: bytes in, events out.

    `host` and `metrics_port` are "" and 0 until they are known. `log` is called with each line that may be logged.
    """

    def __init__(self, log: Callable[[str], None] = lambda line: None) -> None:
        self.host = ""
        self.metrics_port = 0
        self.registrations = 0
        self.tail: deque[str] = deque(maxlen=TAIL_LINES)
        self._log = log
        self._splitter = Splitter()
        self._output = ""
        self._below_header = False

    def feed(self, data: bytes) -> list[Event]:
        """Return the events in `data`, a piece of its stderr."""
        return self._read(self._splitter.feed(data))

    def end(self) -> list[Event]:
        """Return the events in its last line, where that has no newline."""
        return self._read(self._splitter.end())

    def feed_output(self, data: bytes) -> None:
        """Keep the beginning of its stdout."""
        if len(self._output) < MAX_OUTPUT:
            self._output = (self._output + data.decode("utf-8", "replace"))[:MAX_OUTPUT]

    def cause(self) -> Cause:
        """Return why it failed, by its log so far. For a child that has not failed this means nothing."""
        return cause_in("\n".join((*self.tail, self._output)))

    def last_words(self) -> str:
        """Return the last bare line, cloudflared's own reason for giving up, or the first line of its usage."""
        bare = [line for line in self.tail if line.strip() and not line.startswith("{") and not _TEXT.match(line)]
        spoken = bare or self._output.strip().splitlines()[:1]
        return spoken[-1].strip() if spoken else ""

    def _read(self, lines: list[str]) -> list[Event]:
        events = []
        for line in lines:
            self.tail.append(line[:TAIL_WIDTH])
            level, message = parse(line)
            if logged := loggable(level, message):
                self._log(logged)
            event = self._event(level, message)
            if event is not None:
                events.append(event)
        return events

    def _event(self, level: str, message: str) -> Event | None:
        below_header, self._below_header = self._below_header, False
        if level != "INF":
            return None
        if below_header and not self.host and (address := _ADDRESS.match(message)):
            self.host = address.group(1)
            return HostPrinted(self.host)
        if metrics := _METRICS.match(message):
            self.metrics_port = int(metrics.group(1))
            return MetricsListening(self.metrics_port)
        if _REGISTERED.match(message):
            self.registrations += 1
            return Registered()
        self._below_header = message.startswith(_HEADER)
        return None


def parse(line: str) -> tuple[str, str]:
    """Return the level ("INF", "" for a bare line) and the message of a line, in either log format, text or JSON."""
    if line.startswith("{"):
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):  # not ours to mend: it is a bare line then
            return "", line
        if isinstance(entry, dict) and "message" in entry:
            return str(entry.get("level", ""))[:4].upper().replace("INFO", "INF"), str(entry["message"])
    found = _TEXT.match(line)
    return (found.group(1), found.group(2)) if found else ("", line)


_VISITED = re.compile(rf"(https?://{HOST})[^\s\"]*")
_DESTINATION = re.compile(r"\bdest=(\"[^\"]*\"|\S*)")
MAX_LOGGED = 300
"""Characters of a child's line that go to our log."""


def loggable(level: str, message: str) -> str:
    """Return a line's message for our log, "" when it may not stand there.

    cloudflared echoes every variable of the environment with TUNNEL_ in its name or value, and the paths that visitors
    asked for: a path is the secret half of a link.
    """
    if level not in ("INF", "WRN", "ERR", "FTL") or message.startswith("Environmental variables"):
        return ""
    return _VISITED.sub(r"\1", _DESTINATION.sub("dest=…", message))[:MAX_LOGGED]
