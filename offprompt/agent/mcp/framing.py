"""One JSON-RPC message a line: bytes into messages, messages into lines. Standard library only.

MCP's stdio transport (every revision, "Transports"): UTF-8, one message a line, a newline ends it, none inside.
"""

from __future__ import annotations

from json import JSONDecoder, JSONEncoder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

MAX_LINE = 4 * 1024 * 1024
"""Bytes of one incoming line. The longest call we can serve is under 64 KiB; agents also send whole transcripts as
`_meta`, and readers that stop at 64 KiB hang their clients (docs/protocol.md, F5)."""

MAX_DEPTH = 64
"""Levels of nesting of an incoming message; the deepest legal one has under 10."""

_BOM = b"\xef\xbb\xbf"


TOO_LONG, NOT_JSON, TOO_DEEP = "too long", "not JSON", "too deep"
"""Why a line holds no message."""


class Unreadable(Exception):
    """A line that is no JSON text of ours: bad UTF-8, bad JSON, an integer beyond Python's 4300 digits, nested too
    deep."""


class NoMessage:
    """Stands for a line that holds no message: `reason` says why, `value` is what was nested too deep, else None."""

    __slots__ = ("reason", "value")

    def __init__(self, reason: str, value: object = None) -> None:
        self.reason = reason
        self.value = value


class Lines:
    """Cuts a stream of bytes into lines, however the bytes arrive, and holds at most `limit` bytes.

    A line longer than `limit` comes out once, as None, when its newline comes; its bytes are not kept.
    """

    __slots__ = ("_held", "_limit", "_skipping")

    def __init__(self, limit: int = MAX_LINE) -> None:
        self._limit = limit
        self._held = bytearray()
        self._skipping = False

    def feed(self, data: bytes) -> list[bytes | None]:
        """Return the lines that `data` completes, without newline and one carriage return; None for one too long."""
        lines: list[bytes | None] = []
        start = 0
        while (end := data.find(b"\n", start)) >= 0:
            self._hold(data, start, end)
            lines.append(self._take())
            start = end + 1
        self._hold(data, start, len(data))
        return lines

    def end(self) -> list[bytes | None]:
        """Return the line behind the last newline, if there is one: the stream has ended."""
        return [self._take()] if self._held or self._skipping else []

    def _hold(self, data: bytes, start: int, end: int) -> None:
        # One byte more than the limit: the carriage return of a line that is just not too long.
        if not self._skipping and len(self._held) + end - start <= self._limit + 1:
            self._held += data[start:end]
        elif end > start:
            self._skipping = True
            self._held = bytearray()

    def _take(self) -> bytes | None:
        line = None if self._skipping else bytes(self._held)
        self._held = bytearray()
        self._skipping = False
        if line is not None and line.endswith(b"\r"):
            line = line[:-1]
        return line if line is None or len(line) <= self._limit else None


class Messages:
    """Reads the messages in a stream of bytes, one a line, however the bytes arrive. Blank lines do not count."""

    __slots__ = ("_lines",)

    def __init__(self) -> None:
        self._lines = Lines()

    def feed(self, data: bytes) -> list[object]:
        """Return the messages that `data` completes, and a `NoMessage` for each line that holds none."""
        return _messages(self._lines.feed(data))

    def end(self) -> list[object]:
        """Return the message behind the last newline, if there is one: the stream has ended."""
        return _messages(self._lines.end())


def _messages(lines: list[bytes | None]) -> list[object]:
    messages: list[object] = []
    for line in lines:
        if line is None:
            messages.append(NoMessage(TOO_LONG))
        elif line.strip():
            try:
                message = decode(line)
            except Unreadable:
                messages.append(NoMessage(NOT_JSON))
            else:
                messages.append(NoMessage(TOO_DEEP, message) if too_deep(message) else message)
    return messages


def decode(line: bytes) -> object:
    """Return the value that a line holds.

    Raises:
        Unreadable: without the content of the line, which may hold anything.
    """
    try:
        text = line.removeprefix(_BOM).decode()  # RFC 8259, section 8.1: a reader may ignore a byte order mark
        return _decoder.decode(text)
    except (ValueError, RecursionError):
        raise Unreadable from None


def too_deep(value: object, limit: int = MAX_DEPTH) -> bool:
    """Return whether lists and objects are nested more than `limit` deep. Never recurse."""
    level = [value]
    for _ in range(limit):
        level = [
            inner
            for outer in level
            if isinstance(outer, (list, dict))
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, (list, dict))
        ]
        if not level:
            return False
    return True


def encode(message: object) -> bytes:
    """Return the message as one line of ASCII: no code page and no reader's idea of UTF-8 can change it.

    Half a surrogate pair is replaced by U+FFFD: two of the large clients hang on one (docs/protocol.md, F3).
    """
    text = _encoder.encode(message)
    if "\\ud" in text:
        text = _encoder.encode(_whole(message))
    return text.encode("ascii") + b"\n"


def _whole(value: object) -> object:
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, dict):
        return {_whole(key): _whole(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_whole(inner) for inner in value]
    return value


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)  # NaN and Infinity are Python's, not JSON's (RFC 8259, section 6)


_decoder = JSONDecoder(parse_constant=_no_constant)
_encoder = JSONEncoder(ensure_ascii=True, separators=(",", ":"))
