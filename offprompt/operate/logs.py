"""The service's log: lines for people, or lines of JSON, with nothing secret in either.

An event keeps only the fields that its format names, so a keyword argument that was merely handed along ends here. Of a
failure the log tells kind and place: the message of a foreign exception may quote the value that it choked on.
"""

from __future__ import annotations

import json
import string
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal, Protocol

from twisted.logger import (
    FilteringLogObserver,
    ILogFilterPredicate,
    ILogObserver,
    LogEvent,
    Logger,
    LogLevel,
    LogLevelFilterPredicate,
    PredicateResult,
    eventAsText,
    globalLogBeginner,
)
from zope.interface import implementer

from offprompt.errors import OffpromptError
from offprompt.operate.log_file import LogFile
from offprompt.text import one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from twisted.python.failure import Failure

    Write = Callable[[str], object]

Form = Literal["text", "json"]
_log = Logger()
LEVELS = ("debug", "info", "warn", "error", "critical")
MAX_LINE = 4000
"""Characters of a message. A foreign library that logs a whole body cannot fill the file with it."""
_KEPT = frozenset({"log_format", "log_level", "log_namespace", "log_time", "log_failure"})


class Stream(Protocol):
    """A text file, or what can be used like one."""

    def write(self, text: str, /) -> object:
        """Take text."""

    def flush(self) -> object:
        """Write everything that is held back."""


def begin_logging(stream: Stream, *, form: Form = "text", level: str = "info", path: str = "") -> None:
    """Send this process's log to `stream`, and to the file `path` unless that is empty.

    Call it once, before services start. From then on `print` and `sys.stderr` go to the log, too.

    Args:
        stream: takes the lines. One that breaks is given up in silence: nobody is there to be told.
        form: "text" for people, "json" for one object a line.
        level: the lowest level that is logged, one of `LEVELS`.
        path: the file of OFFPROMPT_LOG: mode 0600, bounded (see `LogFile`). One that cannot be used is reported to
            `stream`, and the service goes on: an agent's session does not end for want of a log.

    Raises:
        ValueError: there is no such level.
    """
    observers = [observer(stream.write, stream.flush, form, level)]
    problem = ""
    if path:
        try:
            file = LogFile(path)
        except (OSError, OffpromptError, ValueError) as error:  # ValueError: a NUL in the path
            problem = type(error).__name__
        else:
            observers.append(observer(file.write, file.flush, form, level))
    globalLogBeginner.beginLoggingTo(observers)
    if problem:
        _log.warn("The log file {path} cannot be used ({problem}); it stays empty", path=path, problem=problem)


def observer(write: Write, flush: Callable[[], object], form: Form = "text", level: str = "info") -> ILogObserver:
    """Return an observer that writes events of at least `level` to `write`, a line each, and flushes."""
    if level not in LEVELS:
        raise ValueError(f"a level is one of {', '.join(LEVELS)}")
    line = _as_json if form == "json" else _as_text

    @implementer(ILogObserver)
    def observe(event: LogEvent) -> None:
        try:
            write(line(event) + "\n")
            flush()
        except (OSError, ValueError):  # the stream is closed or its reader gone
            pass

    least = LogLevelFilterPredicate(LogLevel.lookupByName(level))
    return FilteringLogObserver(observe, [least, _noise])


def stderr_observer() -> ILogObserver:
    """Return the observer of `twistd --logger=offprompt.operate.logs.stderr_observer`: lines for people on stderr."""
    return observer(sys.stderr.write, sys.stderr.flush)


def own_fields(event: LogEvent) -> LogEvent:
    """Return `event` with the fields that its format names, and no others."""
    log_format = event.get("log_format")
    if not isinstance(log_format, str):
        return {key: event[key] for key in _KEPT if key in event}
    named = _named(log_format)
    return {key: value for key, value in event.items() if key in _KEPT or key in named}


def _named(log_format: str) -> frozenset[str]:
    """Return the fields that a format names: `a` for "{a.b}", "{a[b]}" and "{a()}"."""
    try:
        fields = [field for _, field, _, _ in string.Formatter().parse(log_format) if field]
    except ValueError:
        return frozenset()
    return frozenset(field.replace("[", ".").replace("(", ".").split(".", 1)[0] for field in fields)


def _message(event: LogEvent) -> str:
    """Return the event in words, without its failure."""
    if "failure" in event:
        return one_line(str(event.get("why") or "Unhandled error"))  # its text has the failure's words in it
    own = own_fields(event)
    own.pop("log_failure", None)
    return one_line(eventAsText(own, includeTraceback=False, includeTimestamp=False, includeSystem=False), MAX_LINE)


def _failure(event: LogEvent) -> Failure | None:
    """Return what broke. Events of twisted.python.log have it under another name."""
    failure: Failure | None = event.get("log_failure") or event.get("failure")
    return failure


def failure_lines(failure: Failure) -> tuple[str, ...]:
    """Return what broke and where, innermost last. Only our own errors are quoted: their words never hold a value."""
    frames = [f"  {file}:{line} in {function}" for function, file, line, _, _ in failure.frames]
    kind = getattr(failure.type, "__qualname__", "failure")
    error = failure.value
    words = f": {one_line(str(error), 500)}" if isinstance(error, OffpromptError) else _reason(error)
    return (*frames[-20:], f"  {kind}{words}")


def _reason(error: object) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f": {one_line(str(error.strerror))}"
    return ""


def _as_text(event: LogEvent) -> str:
    level = getattr(event.get("log_level"), "name", "info")
    head = f"{_time(event)} {level:<5} [{_namespace(event)}] {_message(event)}"
    failure = _failure(event)
    return "\n".join((head, *failure_lines(failure))) if failure is not None else head


def _as_json(event: LogEvent) -> str:
    members: dict[str, Any] = {
        "time": _time(event),
        "level": getattr(event.get("log_level"), "name", "info"),
        "namespace": _namespace(event),
        "message": _message(event),
    }
    fields = {
        key: value if isinstance(value, int | float | bool) or value is None else one_line(str(value), MAX_LINE)
        for key, value in own_fields(event).items()
        if not key.startswith("log_")
    }
    if fields:
        members["fields"] = fields
    failure = _failure(event)
    if failure is not None:
        members["failure"] = [line.strip() for line in failure_lines(failure)]
    return json.dumps(members, ensure_ascii=True)


def _namespace(event: LogEvent) -> str:
    return one_line(str(event.get("log_namespace", "")))


def _time(event: LogEvent) -> str:
    seconds = event.get("log_time")
    if not isinstance(seconds, int | float):
        return "-"
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@implementer(ILogFilterPredicate)
def _noise(event: LogEvent) -> Any:
    """Leave out what libraries log at "info": factories, ports and channels, in words that we do not know."""
    namespace = str(event.get("log_namespace", ""))
    foreign = namespace == "log_legacy" or (namespace.startswith("twisted.") and namespace not in _TELLING)
    return PredicateResult.no if foreign and event.get("log_level") == LogLevel.info else PredicateResult.maybe


_TELLING = frozenset({"twisted.internet.base"})
"""The library that says which signal ended the service."""
