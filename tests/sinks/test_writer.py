"""The road from values to a file that both doors take: claims, threads, fingerprints, ends."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from twisted.internet.defer import CancelledError, Deferred
from twisted.internet.task import Clock
from twisted.logger import LogEvent, formatEvent, globalLogPublisher

from offprompt import errors
from offprompt.request.fields import Field
from offprompt.request.fingerprint import fingerprint
from offprompt.request.outcome import Outcome, Written
from offprompt.request.spec import Generate, SinkSpec
from offprompt.request.submission import Faults, Submission
from offprompt.request.target import TargetState
from offprompt.sinks import dotenv_file, project_file
from offprompt.sinks.dotenv_file import DotenvFile
from tests.page.world import CANARY, FINGERPRINT_KEY, GENERATED, World

A, B = Field("A_KEY"), Field("B_KEY")


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path.resolve())


@pytest.fixture(autouse=True)
def logged() -> Iterator[list[str]]:
    lines: list[str] = []

    def observe(event: LogEvent) -> None:
        lines.append(f"{formatEvent(event)} {event!r}")

    globalLogPublisher.addObserver(observe)
    yield lines
    globalLogPublisher.removeObserver(observe)
    assert not [line for line in lines if CANARY in line]


def write(
    world: World, record: Any, values: dict[str, str], *, key: bytes | None = FINGERPRINT_KEY
) -> Deferred[Written]:
    submission = None if key is None else Submission(values, False, key)
    writing: Deferred[Written] = world.writer.write(record, submission)
    return writing


def result(writing: Deferred[Written]) -> Written:
    found: list[Written] = []
    writing.addCallback(found.append)
    return found[0]


def failure(writing: Deferred[Written]) -> BaseException:
    found: list[Any] = []
    writing.addErrback(found.append)
    error: BaseException = found[0].value
    return error


def test_typed_values_are_written_and_sealed_by_a_fingerprint_of_what_the_file_holds(world: World) -> None:
    record = world.record(A, B)
    written = result(write(world, record, {"A_KEY": CANARY, "B_KEY": "2"}))
    assert written == Written(
        fingerprint(FINGERPRINT_KEY, {"A_KEY": CANARY, "B_KEY": "2"}),
        ".env",
        (Outcome("A_KEY", "added"), Outcome("B_KEY", "added")),
        ("A_KEY", "B_KEY"),
    )
    assert record.status == "written"
    assert record.result == written


def test_generated_names_alone_need_nobody_and_have_no_fingerprint(world: World) -> None:
    fields = [
        Field(f"G{n}", generate=Generate(16, encoding)) for n, encoding in enumerate(("hex", "base64", "base64url"))
    ]
    record = world.record(*fields)
    written = result(write(world, record, {}, key=None))
    assert written.fingerprint == ()
    assert {one.outcome for one in written.outcomes} == {"generated"}
    lines = (world.project / ".env").read_text().splitlines()
    assert [len(line.partition("=")[2].strip("'\"")) for line in lines] == [32, 24, 22]
    assert len(set(lines)) == 3


def test_the_fingerprint_leaves_out_what_nobody_typed(world: World) -> None:
    (world.project / ".env").write_text("KEPT=1\n")
    record = world.record(A, GENERATED, Field("KEPT"), target=TargetState(keys=("KEPT",)))
    written = result(write(world, record, {"A_KEY": CANARY}))
    assert written.fingerprint == fingerprint(FINGERPRINT_KEY, {"A_KEY": CANARY})
    assert [one.outcome for one in written.outcomes] == ["added", "generated", "kept"]


def test_the_fingerprint_is_that_of_the_file_and_not_of_what_was_sent(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else it could not show that something went wrong on the way."""
    real = project_file.write

    def forging(*args: Any, **more: Any) -> Any:
        composed, _text = real(*args, **more)
        return composed, "A_KEY='something else'"

    monkeypatch.setattr(dotenv_file.project_file, "write", forging)
    written = result(write(world, world.record(A), {"A_KEY": CANARY}))
    assert written.fingerprint == fingerprint(FINGERPRINT_KEY, {"A_KEY": "something else"})


def test_a_typed_value_for_a_generated_name_that_is_there_by_now_is_thrown_away(world: World) -> None:
    (world.project / ".env").write_text("AUTH_SECRET=theirs\n")
    written = result(write(world, world.record(GENERATED), {"AUTH_SECRET": CANARY}))
    assert written.outcomes == (Outcome("AUTH_SECRET", "kept"),)
    assert written.fingerprint == ()


def test_there_is_one_write(world: World) -> None:
    world.threads.held = True
    record = world.record(A)
    first = write(world, record, {"A_KEY": CANARY})
    assert isinstance(failure(write(world, record, {"A_KEY": "2"})), errors.RequestBusy)
    world.threads.let_go()
    result(first)
    assert isinstance(failure(write(world, record, {"A_KEY": "3"})), errors.RequestClosed)
    assert (world.project / ".env").read_text() == f"A_KEY={CANARY}\n"


def test_a_refused_write_gives_the_claim_back_and_the_next_one_may_succeed(world: World) -> None:
    (world.project / ".env").mkdir()
    record = world.record(A)
    assert isinstance(failure(write(world, record, {"A_KEY": CANARY})), errors.SinkRefused)
    assert record.status == "awaiting"
    (world.project / ".env").rmdir()
    result(write(world, record, {"A_KEY": CANARY}))


def test_what_was_to_be_kept_and_is_gone_is_named(world: World) -> None:
    record = world.record(A, B, target=TargetState(keys=("B_KEY",)))
    error = failure(write(world, record, {"A_KEY": CANARY}))
    assert isinstance(error, errors.NotHeld)
    assert error.details["name"] == "B_KEY"
    assert not (world.project / ".env").exists()


def test_an_error_carries_no_values_along(world: World) -> None:
    """Its traceback would hold the frames, and the frames the values, for as long as somebody keeps it."""
    (world.project / ".env").mkdir()
    error = failure(write(world, world.record(A), {"A_KEY": CANARY}))
    seen: set[int] = set()
    following: list[Any] = [error, error.__context__, error.__cause__]
    frames = []
    trace = error.__traceback__
    while trace is not None:
        frames.append(trace.tb_frame)
        trace = trace.tb_next
    following += [value for frame in frames for value in frame.f_locals.values()]
    for thing in following:
        if id(thing) not in seen:
            seen.add(id(thing))
            assert CANARY not in repr(thing)
    assert error.__context__ is None
    assert error.__cause__ is None


@pytest.mark.parametrize("kind", [ValueError, SystemExit])
def test_a_fault_of_ours_ends_in_a_sentence_and_in_the_log_by_its_place(
    world: World, monkeypatch: pytest.MonkeyPatch, logged: list[str], kind: type[BaseException]
) -> None:
    """One that would end the thread as well: the request must not stay claimed by nobody."""

    def broken(*_: Any, **__: Any) -> Any:
        raise kind(CANARY)

    monkeypatch.setattr(DotenvFile, "write", broken)
    record = world.record(A)
    error = failure(write(world, record, {"A_KEY": CANARY}))
    assert isinstance(error, errors.WriteBroke)
    assert "Look at .env" in str(error)
    assert record.status == "awaiting"
    (line,) = (line for line in logged if "broke" in line)
    assert kind.__name__ in line
    assert "test_writer.py" in line


def test_cancelling_the_wait_cancels_nothing(world: World) -> None:
    world.threads.held = True
    record = world.record(A)
    writing = write(world, record, {"A_KEY": CANARY})
    writing.cancel()
    assert isinstance(failure(writing), CancelledError)
    assert record.status == "writing"
    world.threads.let_go()
    assert record.status == "written"


def test_a_write_that_fails_after_its_waiter_left_troubles_nobody(world: World) -> None:
    world.threads.held = True
    (world.project / ".env").mkdir()
    record = world.record(A)
    writing = write(world, record, {"A_KEY": CANARY})
    writing.cancel()
    writing.addErrback(lambda _: None)
    world.threads.let_go()
    gc.collect()
    assert record.status == "awaiting"


def test_a_cancel_that_waited_for_the_write_takes_effect_when_it_fails(world: World) -> None:
    world.threads.held = True
    (world.project / ".env").mkdir()
    record = world.record(A)
    writing = write(world, record, {"A_KEY": CANARY})
    record.cancel("agent", world.clock.seconds())
    world.threads.let_go()
    failure(writing)
    assert (record.status, record.closed_at) == ("cancelled", world.clock.seconds())


def test_settled_waits_for_every_write(world: World) -> None:
    assert world.writer.settled().called
    world.threads.held = True
    one = write(world, world.record(A, session="1"), {"A_KEY": CANARY})
    two = write(world, world.record(A, session="2"), {"A_KEY": CANARY})
    settled = world.writer.settled()
    assert not settled.called
    world.threads.let_go()
    assert settled.called
    assert result(one).file == result(two).file


def test_the_time_of_the_end_is_when_it_ended(world: World) -> None:
    world.threads.held = True
    record = world.record(A)
    writing = write(world, record, {"A_KEY": CANARY})
    assert isinstance(world.clock, Clock)
    world.clock.advance(7)
    world.threads.let_go()
    result(writing)
    assert record.closed_at == 7


def test_what_the_request_and_the_sink_have_against_it_is_told_together(world: World) -> None:
    record = world.record(A, B, Field("C_KEY"))
    unwritable = f"{CANARY} mixes ' \" ` and a break\n\\n"
    faults = result(write(world, record, {"A_KEY": unwritable, "B_KEY": "", "OTHER": unwritable}))
    assert isinstance(faults, Faults)
    assert faults.errors.keys() == {"A_KEY", "B_KEY", "C_KEY"}
    assert len(faults.form) == 1
    assert CANARY not in repr(faults)
    assert record.status == "awaiting"


def test_a_file_takes_what_a_dotenv_file_does_not(world: World) -> None:
    unwritable = f"{CANARY} mixes ' \" ` and a break\n\\n"
    assert isinstance(result(write(world, world.record(A), {"A_KEY": unwritable})), Faults)
    record = world.record(A, sink=SinkSpec("file", "key.txt"))
    assert isinstance(result(write(world, record, {"A_KEY": unwritable})), Written)
    assert (world.project / "key.txt").read_text() == unwritable
