"""`offprompt fill` as a person has it: a process on a terminal of its own, against the real service."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import pytest_twisted
from dotenv import dotenv_values
from twisted.internet.defer import Deferred
from twisted.internet.protocol import ProcessProtocol
from twisted.internet.task import deferLater
from twisted.logger import LogEvent, globalLogPublisher
from twisted.python.failure import Failure

from offprompt.cli.fill.line_editor import PASTE_OFF, PASTE_ON
from offprompt.http.listener import WebListener, loopback_endpoints
from offprompt.request.fields import Field
from offprompt.request.fingerprint import key_id
from offprompt.request.ledger import Ledger
from offprompt.request.order import RequestOrder
from offprompt.request.record import Record
from offprompt.request.spec import Entry, Generate, RequestSpec, SinkSpec
from offprompt.service.sinks import SINKS
from offprompt.sinks.sink import Target
from offprompt.sinks.writer import RequestWriter
from tests.request.reach import reaches

MARKER = "made-up-marker-e5a0"
RUN = [sys.executable, "-c", "import sys; from offprompt.cli import main; sys.exit(main())", "fill"]
PASTE, PASTED = b"\x1b[200~", b"\x1b[201~"
KEY_FILE = "-----BEGIN MADE UP KEY-----\nAAAA" + "b" * 5000 + "\n-----END MADE UP KEY-----\n"
"""Its second line is longer than a terminal's own line mode carries (4,095 bytes on Linux)."""


@dataclass
class World:
    """A running page and a project folder."""

    reactor: Any
    project: Path
    ledger: Ledger
    page: WebListener
    logged: list[LogEvent] = field(default_factory=list)

    def ask(self, *fields: Field, kind: Any = "dotenv", path: str = ".env") -> Record:
        """Open a request for these fields."""
        entries = tuple(Entry(each.name, generate=each.generate) for each in fields)
        spec = RequestSpec(entries, "To **see** it work.", SinkSpec(kind, path))
        target = SINKS[kind].inspect(Target(str(self.project), kind, path))
        order = RequestOrder(spec, fields, "one", str(self.project), "Made-up agent", False, target)
        return self.ledger.open(order, self.reactor.seconds())[0]

    def link(self, record: Record) -> str:
        return str(record.link(self.page.origin))

    def fill(self, *arguments: str, tty: bool = True) -> Fill:
        """Start the command."""
        environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TERM": "xterm", "PYTHONUTF8": "1"}
        fill = Fill(self.reactor)
        command = [*RUN, *arguments]
        if tty:
            self.reactor.spawnProcess(fill, command[0], command, environ, usePTY=True)
        else:
            command = ["setsid", *command]  # without a terminal to open, as under a service
            self.reactor.spawnProcess(fill, command[0], command, environ)
        return fill


@dataclass
class Fill(ProcessProtocol):
    """The command as seen from in front of the terminal."""

    reactor: Any
    shown: str = ""
    exit: int | None = None
    at: int = 0
    ended: Deferred[None] = field(default_factory=Deferred)

    def outReceived(self, data: bytes) -> None:
        self.shown += data.decode()

    errReceived = outReceived

    def processEnded(self, reason: Failure) -> None:
        self.exit = reason.value.exitCode if reason.value.signal is None else -reason.value.signal
        self.ended.callback(None)

    async def sees(self, text: str) -> None:
        """Wait until `text` was shown behind what was waited for before."""
        await self.comes(lambda: text in self.shown[self.at :], text)
        self.at = self.shown.index(text, self.at) + len(text)

    async def comes(self, true: Callable[[], bool], what: str) -> None:
        for _ in range(3000):
            if true():
                return
            if self.exit is not None:
                break
            await deferLater(self.reactor, 0.01, lambda: None)
        assert true(), f"{what!r} did not come; shown was {self.shown!r}"

    async def types(self, prompt: str, *keys: bytes) -> None:
        """Wait for a prompt, then press keys."""
        await self.sees(prompt)
        for each in keys:
            self.transport.write(each)
            await deferLater(self.reactor, 0.02, lambda: None)

    async def end(self) -> int:
        await self.ended.addTimeout(20, self.reactor)
        assert self.exit is not None
        return self.exit


@pytest_twisted.async_yield_fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    from twisted.internet import reactor

    from offprompt.page.app import page_site

    project = tmp_path / "shop"
    project.mkdir()
    ledger = Ledger(os.urandom)
    site = page_site(
        ledger=ledger,
        write=RequestWriter(reactor, reactor, os.urandom, SINKS).write,  # type: ignore[arg-type]
        reactor=reactor,  # type: ignore[arg-type]
        random=os.urandom,
        tunnel_host=lambda: "",
        tunnel_nonce=lambda random: None,
    )
    page = WebListener("page", loopback_endpoints(reactor), site)  # type: ignore[arg-type]
    page.startService()
    world = World(reactor, project, ledger, page)
    globalLogPublisher.addObserver(world.logged.append)
    yield world
    globalLogPublisher.removeObserver(world.logged.append)
    await page.stopService()


@pytest_twisted.ensureDeferred
async def test_values_of_every_kind_reach_the_file_and_none_the_screen(world: World) -> None:
    (world.project / ".env").write_text("KEEP=there\nOTHER=1\n")
    record = world.ask(
        Field("API_KEY", label="Made-up key", caption="Dashboard, Keys"),
        Field("PEM", multiline=True),
        Field("KEEP"),
        Field("RETRIES", secret=False),
        Field("AUTH_SECRET", generate=Generate()),
    )
    fill = world.fill(world.link(record))
    await fill.sees("An agent asks for 5 values.")
    await fill.sees("| Made-up agent")
    await fill.sees("| To **see** it work.")
    await fill.sees("1/4  API_KEY  Made-up key")
    await fill.types("> ", MARKER.encode(), b"\r")
    await fill.types("> ", PASTE + KEY_FILE.replace("\n", "\r").encode() + PASTED, b".\r")
    await fill.sees("keep what is there")
    await fill.types("> ", b"\r")
    await fill.sees("Kept as it is.")
    await fill.types("> ", b"7\x7f3\r")
    await fill.types("Press Enter to seal 3 values", b"\r")
    assert await fill.end() == 0
    held = dotenv_values(world.project / ".env", interpolate=False)
    assert held["API_KEY"] == MARKER
    assert held["PEM"] == KEY_FILE
    assert (held["KEEP"], held["OTHER"], held["RETRIES"]) == ("there", "1", "3")
    assert len(held["AUTH_SECRET"] or "") == 43
    assert record.result is not None
    assert " ".join(record.result.fingerprint) in fill.shown
    assert "AUTH_SECRET  generated" in fill.shown
    for secret in (MARKER, "BEGIN MADE UP", held["AUTH_SECRET"] or "?"):
        assert secret not in fill.shown
        assert not reaches(world.ledger, secret)
        assert not any(reaches(dict(event), secret) for event in world.logged)


@pytest_twisted.ensureDeferred
async def test_the_terminal_is_left_as_it_was_found(world: World) -> None:
    fill = world.fill(world.link(world.ask(Field("A"))))
    await fill.types("> ", b"\x03")
    await fill.types("Enter, Ctrl-C or Ctrl-D: ", b"\x04")
    assert await fill.end() == 130
    assert fill.shown.count(PASTE_ON) == fill.shown.count(PASTE_OFF) == 2


@pytest_twisted.ensureDeferred
async def test_what_is_left_of_a_paste_reaches_neither_the_next_question_nor_the_screen(world: World) -> None:
    """A terminal that marks no pastes, and two lines where one fits."""
    record = world.ask(Field("A"), Field("B"))
    fill = world.fill(world.link(record))
    await fill.types("> ", f"{MARKER}1\r{MARKER}2\r".encode())
    await fill.sees("more than one line")
    await fill.types("> ", b"a\r")
    await fill.types("> ", b"b\r")
    await fill.types("Press Enter", b"\r")
    assert await fill.end() == 0
    assert dotenv_values(world.project / ".env") == {"A": "a", "B": "b"}
    assert MARKER not in fill.shown


@pytest_twisted.ensureDeferred
async def test_a_tab_and_what_keys_take_back_arrive_as_they_were_typed(world: World) -> None:
    record = world.ask(Field("A"), Field("B"))
    fill = world.fill(world.link(record))
    await fill.types("> ", b"a\tb\r")
    await fill.types("> ", b"one wrong\x17two\x0b\r")
    await fill.sees("Ctrl-K does nothing here.")
    await fill.types("Press Enter", b"\r")
    assert await fill.end() == 0
    assert dotenv_values(world.project / ".env", interpolate=False) == {"A": "a\tb", "B": "one two"}


@pytest_twisted.ensureDeferred
async def test_a_single_file_is_written_as_it_was_pasted(world: World) -> None:
    record = world.ask(Field("KEY", multiline=True), kind="file", path="keys/made-up.pem")
    fill = world.fill(world.link(record))
    await fill.types("> ", PASTE + KEY_FILE.replace("\n", "\r").encode() + PASTED, b"\x04")
    await fill.types("Press Enter", b"\r")
    assert await fill.end() == 0
    assert (world.project / "keys" / "made-up.pem").read_text() == KEY_FILE


@pytest_twisted.ensureDeferred
async def test_ctrl_c_twice_declines(world: World) -> None:
    record = world.ask(Field("A"))
    fill = world.fill(world.link(record))
    await fill.types("> ", b"half a val", b"\x03")
    await fill.types("Enter, Ctrl-C or Ctrl-D: ", b"\x03")
    assert await fill.end() == 3
    assert (record.status, record.cancelled_by) == ("cancelled", "person")


@pytest_twisted.ensureDeferred
async def test_a_no_needs_no_terminal(world: World) -> None:
    record = world.ask(Field("A"))
    fill = world.fill("--decline", world.link(record), tty=False)
    assert await fill.end() == 3
    assert record.cancelled_by == "person"
    again = world.fill("--decline", world.link(record), tty=False)
    assert await again.end() == 4
    assert "cancelled" in again.shown


@pytest_twisted.ensureDeferred
async def test_without_a_terminal_it_says_what_to_do(world: World) -> None:
    record = world.ask(Field("A"))
    fill = world.fill(world.link(record), tty=False)
    assert await fill.end() == 1
    assert "A terminal is needed" in fill.shown
    assert record.open


@pytest_twisted.ensureDeferred
async def test_the_link_can_be_pasted_instead_of_given(world: World) -> None:
    """So that it stays out of the shell's history."""
    record = world.ask(Field("A"))
    fill = world.fill()
    await fill.types("Link: ", PASTE + f"<{world.link(record)}>.".encode() + PASTED, b"\r")
    await fill.types("> ", b"a\r")
    await fill.types("Press Enter", b"\r")
    assert await fill.end() == 0


@pytest_twisted.ensureDeferred
async def test_a_wrong_link_asks_nothing(world: World) -> None:
    record = world.ask(Field("A"))
    whole = world.link(record)
    other = world.link(world.ask(Field("B")))
    links = {
        whole.split("#")[0]: "The link was cut",
        whole[:-1]: "The link was cut",
        "https://made-up.invalid/": "not a link of offprompt",
        whole.split("#")[0] + "#" + other.split("#")[1]: "not this request's",
        whole.replace(record.token, "0" * 32): "leads to no request",
    }
    for link, sentence in links.items():
        fill = world.fill(link)
        assert await fill.end() == 2, link
        assert sentence in fill.shown.replace("\r\n", " ")
        assert "> " not in fill.shown


@pytest_twisted.ensureDeferred
async def test_a_closed_request_and_a_service_that_is_gone_are_told_apart(world: World) -> None:
    record = world.ask(Field("A"))
    link = world.link(record)
    record.cancel("agent", world.reactor.seconds())
    fill = world.fill(link)
    assert await fill.end() == 4
    assert "cancelled" in fill.shown
    gone = world.fill(link.replace(f":{world.page.port}", ":9"))
    assert await gone.end() == 1
    assert "Nobody answers at 127.0.0.1:9" in gone.shown


@pytest_twisted.ensureDeferred
async def test_a_request_that_is_answered_elsewhere_meanwhile_is_closed(world: World) -> None:
    record = world.ask(Field("A"))
    fill = world.fill(world.link(record))
    await fill.types("> ", b"a\r")
    await fill.sees("Press Enter")
    record.cancel("operator", world.reactor.seconds())
    fill.transport.write(b"\r")
    assert await fill.end() == 4
    assert not (world.project / ".env").exists()


@pytest_twisted.ensureDeferred
async def test_a_folder_that_cannot_be_written_keeps_the_values_until_it_can(world: World) -> None:
    record = world.ask(Field("A"), path="sub/.env")
    fill = world.fill(world.link(record))
    (world.project / "sub").write_text("a file where a folder should be")
    await fill.types("> ", b"a\r")
    await fill.types("Press Enter", b"\r")
    await fill.sees("Your values are still here")
    (world.project / "sub").unlink()
    await fill.types("Press Enter", b"\r")
    assert await fill.end() == 0
    assert dotenv_values(world.project / "sub" / ".env") == {"A": "a"}


@pytest_twisted.ensureDeferred
@pytest.mark.parametrize(("signal", "code"), [("TERM", 143), ("HUP", 129)])
async def test_a_signal_ends_it_and_writes_nothing(world: World, signal: str, code: int) -> None:
    record = world.ask(Field("A"))
    fill = world.fill(world.link(record))
    await fill.types("> ", MARKER.encode())
    fill.transport.signalProcess(signal)
    assert await fill.end() == code
    assert record.open
    assert PASTE_OFF in fill.shown
    assert MARKER not in fill.shown


@pytest_twisted.ensureDeferred
async def test_a_terminal_that_is_closed_ends_it(world: World) -> None:
    record = world.ask(Field("A"))
    fill = world.fill(world.link(record))
    await fill.sees("> ")
    fill.transport.loseConnection()
    assert await fill.end() == 129
    assert record.open


@pytest_twisted.ensureDeferred
async def test_a_key_that_seals_nothing_is_found_before_anything_is_typed(world: World) -> None:
    """A point of low order, with a key_id that fits it: everybody could open what is sealed to it."""
    record = world.ask(Field("A"))
    record.public_key = bytes(32)
    record.key_id = key_id(bytes(32))
    fill = world.fill(world.link(record))
    assert await fill.end() == 2
    assert "none that can seal anything" in fill.shown
    assert "> " not in fill.shown
