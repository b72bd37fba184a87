"""What the service says while it runs: lines for people, or lines of JSON; nothing secret in either.

An event is cut down to the fields that its format names, so that a keyword argument that was only handed along ends
here; a failure is told by its kind and place, because the message of a foreign exception may quote what it choked on.
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
"""Characters of a message: a foreign library that logs a whole body does not fill the file with it."""
_KEPT = frozenset({"log_format", "log_level", "log_namespace", "log_time", "log_failure"})


class Stream(Protocol):
    """What lines are written to: a text file, or what is used like one."""

    def write(self, text: str, /) -> object:
        """Take text."""

    def flush(self) -> object:
        """Hold nothing back."""


def begin_logging(stream: Stream, *, form: Form = "text", level: str = "info", path: str = "") -> None:
    """Send this process's log to `stream`, and to the file `path` unless it is empty.

    Call it once, before services start: from then on `print` and `sys.stderr` go to the log too.

    Args:
        stream: where lines go; one that breaks is given up without a word, since there is nobody to say it to.
        form: "text" for people, "json" for one object a line.
        level: the least that is told, one of `LEVELS`.
        path: the file of OFFPROMPT_LOG: mode 0600, bounded (see `LogFile`). One that cannot be used is told to
            `stream`, and service goes on: an agent's session does not end for want of a log.

    Raises:
        ValueError: no such level.
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
    """Tells events of at least `level` to `write`, a line each, and flushes."""
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
    """For `twistd --logger=offprompt.operate.logs.stderr_observer`: lines for people on standard error."""
    return observer(sys.stderr.write, sys.stderr.flush)


def own_fields(event: LogEvent) -> LogEvent:
    """`event` with the fields that its format names, and none of the others."""
    log_format = event.get("log_format")
    if not isinstance(log_format, str):
        return {key: event[key] for key in _KEPT if key in event}
    named = _named(log_format)
    return {key: value for key, value in event.items() if key in _KEPT or key in named}


def _named(log_format: str) -> frozenset[str]:
    """The fields that a format names: of "{a.b}", "{a[b]}" and "{a()}" it is a."""
    try:
        fields = [field for _, field, _, _ in string.Formatter().parse(log_format) if field]
    except ValueError:
        return frozenset()
    return frozenset(field.replace("[", ".").replace("(", ".").split(".", 1)[0] for field in fields)


def _message(event: LogEvent) -> str:
    """The event in words, without its failure."""
    if "failure" in event:
        return one_line(str(event.get("why") or "Unhandled error"))  # its text has the failure's words in it
    own = own_fields(event)
    own.pop("log_failure", None)
    return one_line(eventAsText(own, includeTraceback=False, includeTimestamp=False, includeSystem=False), MAX_LINE)


def _failure(event: LogEvent) -> Failure | None:
    """What broke; events of twisted.python.log have it under another name."""
    failure: Failure | None = event.get("log_failure") or event.get("failure")
    return failure


def failure_lines(failure: Failure) -> tuple[str, ...]:
    """What broke and where, innermost last. Only our own errors are quoted: their words never hold a value."""
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
    """Libraries tell at "info" of factories, ports and channels, in words we do not know: that is left out."""
    namespace = str(event.get("log_namespace", ""))
    foreign = namespace == "log_legacy" or (namespace.startswith("twisted.") and namespace not in _TELLING)
    return PredicateResult.no if foreign and event.get("log_level") == LogLevel.info else PredicateResult.maybe


_TELLING = frozenset({"twisted.internet.base"})
"""Says which signal ended the service."""
