"""`offprompt demo` as a process: both sides shown, nothing of them left."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.answering import answer, ask, decline, page_of
from tests.cli.service_process import OFFPROMPT, PATIENCE

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")

REMOTE = {"SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22", "OFFPROMPT_TUNNEL": "off"}
VALUES = {"DEMO_API_KEY": "made-up-value-7Qz-of-a-demo", "MAX_RETRIES": "3"}
LINK = re.compile(r"^(http://127\.0\.0\.1:\d+/r/[0-9a-f]{32}#k=\S+)$", re.MULTILINE)


class Demo:
    """A demo in `folder`, which is all that it may write to."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.scratch = folder / "scratch"
        self._output = folder / "output"
        for made in (self.scratch, folder / "home"):
            made.mkdir()
        environ = {"HOME": str(folder / "home"), "PATH": os.environ["PATH"], "TMPDIR": str(self.scratch), **REMOTE}
        with self._output.open("wb") as output:
            self.process = subprocess.Popen(
                [*OFFPROMPT, "demo", *options], env=environ, stdin=subprocess.DEVNULL, stdout=output, stderr=output
            )

    def said(self) -> str:
        return self._output.read_text(encoding="utf-8")

    def link(self) -> str:
        """The link, on a line of its own, once the demo waits for it to be opened."""
        end = time.monotonic() + PATIENCE
        while "Waiting for you" not in self.said():
            assert time.monotonic() < end, self.said()
            time.sleep(0.02)
        (link,) = LINK.findall(self.said())
        return str(link)

    def exit(self) -> int:
        return self.process.wait(PATIENCE)


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Demo]:
    one = Demo(tmp_path)
    yield one
    one.process.kill()
    one.process.wait()


def test_it_shows_the_call_the_link_the_result_and_that_no_value_passed(demo: Demo) -> None:
    link = demo.link()
    _, data = ask(page_of(link))
    assert data["host"] == "The demo"
    assert [secret["name"] for secret in data["secrets"]] == ["DEMO_API_KEY", "MAX_RETRIES", "AUTH_SECRET"]
    emoji = answer(link, VALUES)
    assert demo.exit() == 0, demo.said()
    said = demo.said()
    order = ["collect_secret", link, "Waiting for you", f"Fingerprint {' '.join(emoji)}", "it holds none"]
    places = [said.index(text) for text in order]
    assert places == sorted(places)
    assert VALUES["DEMO_API_KEY"] not in said
    assert "The scratch project is removed." in said
    assert list(demo.scratch.iterdir()) == []


def test_a_no_is_shown_too(demo: Demo) -> None:
    decline(demo.link())
    assert demo.exit() == 1
    assert "Nothing was written." in demo.said()
    assert list(demo.scratch.iterdir()) == []


def test_ctrl_c_ends_both_sides_and_leaves_nothing(demo: Demo) -> None:
    link = demo.link()
    demo.process.send_signal(signal.SIGINT)
    assert demo.exit() == 130
    assert "Stopped. The link no longer works." in demo.said()
    assert "Traceback" not in demo.said()
    assert list(demo.scratch.iterdir()) == []
    port = int(page_of(link).split(":")[2].partition("/")[0])
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), 5).close()


def test_the_scratch_project_is_kept_for_who_wants_to_look(tmp_path: Path) -> None:
    one = Demo(tmp_path, "--keep")
    try:
        answer(one.link(), VALUES)
        assert one.exit() == 0, one.said()
        (project,) = one.scratch.iterdir()
        assert str(project) in one.said()
        held = (project / ".env").read_text()
        assert f"DEMO_API_KEY={VALUES['DEMO_API_KEY']}\nMAX_RETRIES=3\nAUTH_SECRET=" in held
    finally:
        one.process.kill()
        one.process.wait()
