from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from twisted.logger import ILogObserver, Logger, LogLevel, LogPublisher
from twisted.python.failure import Failure

from offprompt import errors
from offprompt.operate import logs
from offprompt.operate.logs import Form, observer, own_fields

MARKER = "made-up-marker-20bd"


def logger(stream: io.StringIO, form: Form = "text", level: str = "debug", namespace: str = "offprompt.test") -> Logger:
    return Logger(namespace, observer=LogPublisher(observer(stream.write, stream.flush, form, level)))


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_keyword_that_the_format_does_not_name_never_shows(form: Form) -> None:
    stream = io.StringIO()
    logger(stream, form).info("Wrote {count} values", count=3, values={"A": MARKER}, request=MARKER)
    assert "Wrote 3 values" in stream.getvalue()
    assert MARKER not in stream.getvalue()


@pytest.mark.parametrize("form", ["text", "json"])
def test_of_a_failure_kind_and_place_are_told_and_not_its_words(form: Form) -> None:
    stream = io.StringIO()
    try:
        int(MARKER)
    except ValueError:
        logger(stream, form).failure("While reading {what}", what="a number")
    shown = stream.getvalue()
    assert MARKER not in shown
    assert "ValueError" in shown
    assert "test_logs.py" in shown
    assert "While reading a number" in shown


def test_a_failure_that_caught_its_variables_does_not_tell_them() -> None:
    stream = io.StringIO()
    value = MARKER
    try:
        raise RuntimeError(value)
    except RuntimeError:
        failure = Failure(captureVars=True)
    logger(stream).failure("Broken", failure=failure)
    assert MARKER not in stream.getvalue()


def test_an_error_of_ours_is_told_in_its_words() -> None:
    stream = io.StringIO()
    logger(stream).failure("Refused", failure=Failure(errors.NotPrivate(path="/made/up")))
    assert "NotPrivate: /made/up is not private" in stream.getvalue()


def test_the_systems_reason_is_told_without_the_file() -> None:
    stream = io.StringIO()
    logger(stream).failure("Broken", failure=Failure(OSError(28, "No space left on device", MARKER)))
    assert "OSError: No space left on device" in stream.getvalue()
    assert MARKER not in stream.getvalue()


def test_an_error_logged_the_old_way_is_told_without_its_words() -> None:
    """The reactor reports what a protocol raises through twisted.python.log, which makes one text of it all."""
    stream = io.StringIO()
    script = (
        "import sys\n"
        "from offprompt.operate.logs import begin_logging\n"
        "begin_logging(sys.stderr)\n"
        "from twisted.python import log\n"
        "try:\n"
        f"    int('{MARKER}')\n"
        "except ValueError:\n"
        "    log.err()\n"
        "    log.err(None, 'While counting')\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    stream.write(ran.stderr)
    assert MARKER not in stream.getvalue()
    assert "While counting" in stream.getvalue()
    assert stream.getvalue().count("ValueError") == 2
    assert ran.stdout == ""


@pytest.mark.parametrize(
    ("log_format", "named"),
    [
        ("{a}", {"a"}),
        ("{a.b} {c[d]} {e()}", {"a", "c", "e"}),
        ("{a!r:>10} {{b}}", {"a"}),
        ("", set()),
        ("{", set()),
        (None, set()),
        (7, set()),
    ],
)
def test_an_event_keeps_the_fields_that_its_format_names(log_format: Any, named: set[str]) -> None:
    event = {"log_format": log_format, "log_level": LogLevel.info, "log_source": object(), **dict.fromkeys("abcde", 1)}
    assert {key for key in own_fields(event) if not key.startswith("log_")} == named
    assert "log_source" not in own_fields(event)


def test_lines_of_json_hold_level_place_message_and_fields() -> None:
    stream = io.StringIO()
    logger(stream, "json").warn("{count} of {names} in {where}", count=2, names=("A", "B"), where="/made/up", more=1)
    line = json.loads(stream.getvalue())
    assert line.pop("time").endswith("Z")
    assert line == {
        "level": "warn",
        "namespace": "offprompt.test",
        "message": "2 of ('A', 'B') in /made/up",
        "fields": {"count": 2, "names": "('A', 'B')", "where": "/made/up"},
    }


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_message_is_one_line_that_moves_no_cursor(form: Form) -> None:
    stream = io.StringIO()
    logger(stream, form).info("From {host}", host="\x1b[2J\nfake line\u2028\u202e")
    assert len(stream.getvalue().splitlines()) == 1
    assert "\x1b" not in stream.getvalue()


def test_a_long_message_is_cut() -> None:
    stream = io.StringIO()
    logger(stream).info("{text}", text="x" * 100_000)
    assert len(stream.getvalue()) < logs.MAX_LINE + 200


def test_less_than_the_level_is_left_out() -> None:
    stream = io.StringIO()
    talk = logger(stream, level="warn")
    talk.info("quiet")
    talk.warn("loud")
    assert "quiet" not in stream.getvalue()
    assert "loud" in stream.getvalue()


def test_another_level_is_refused() -> None:
    with pytest.raises(ValueError, match="debug, info"):
        observer(print, lambda: None, level="verbose")


def test_libraries_keep_their_small_talk_to_themselves() -> None:
    stream = io.StringIO()
    logger(stream, namespace="twisted.web.http").info("Got {thing}", thing=MARKER)
    assert stream.getvalue() == ""
    logger(stream, namespace="twisted.web.http").error("Broken")
    logger(stream, namespace="twisted.internet.base").info("Received {signal}", signal="SIGTERM")
    assert "Broken" in stream.getvalue()
    assert "SIGTERM" in stream.getvalue()


@pytest.mark.parametrize("error", [OSError(32, "Broken pipe"), ValueError("I/O operation on closed file")])
def test_a_stream_that_broke_breaks_nothing_else(error: Exception) -> None:
    def write(line: str) -> None:
        raise error

    Logger("offprompt.test", observer=LogPublisher(observer(write, lambda: None))).info("hello")


def test_a_format_that_cannot_be_filled_is_told_without_the_event() -> None:
    stream = io.StringIO()
    logger(stream).info("{missing} {", value=MARKER)
    assert MARKER not in stream.getvalue()


def test_begin_logging_writes_to_the_stream_and_the_file_and_catches_prints(tmp_path: Path) -> None:
    path = tmp_path / "log"
    script = (
        "import sys\n"
        "from offprompt.operate.logs import begin_logging\n"
        f"begin_logging(sys.stderr, form='json', path={str(path)!r})\n"
        "from twisted.logger import Logger\n"
        "Logger('made.up').info('hello {who}', who='world', secret='x')\n"
        "print('printed')\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout == ""
    assert ran.stderr == path.read_text()
    assert [json.loads(line)["message"] for line in ran.stderr.splitlines()] == ["hello world", "printed"]


def test_a_log_file_that_cannot_be_used_is_told_and_missed_by_nobody(tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "from offprompt.operate.logs import begin_logging\n"
        f"begin_logging(sys.stderr, path={str(tmp_path / 'no' / 'such')!r})\n"
        "from twisted.logger import Logger\n"
        "Logger('made.up').info('going on')\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "cannot be used (FileNotFoundError)" in ran.stderr
    assert "going on" in ran.stderr


def test_twistd_can_be_told_to_log_like_this() -> None:
    assert ILogObserver.providedBy(logs.stderr_observer())
