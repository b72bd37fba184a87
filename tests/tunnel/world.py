"""The whole world outside on loopback: a cloudflared that plays a script, a DNS, an edge, and a page of proofs."""

from __future__ import annotations

import json
import os
import secrets
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from twisted.internet.defer import Deferred, succeed
from twisted.internet.task import deferLater
from twisted.web.resource import NoResource, Resource
from twisted.web.server import Site

from offprompt.tunnel.limits import Limits
from offprompt.tunnel.network import Network
from offprompt.tunnel.tunnel import Tunnel
from tests.interpreter import head
from tests.tunnel.fake_dns import FakeDNS
from tests.tunnel.front import Front
from tests.tunnel.scripted_cloudflared import HOST

HASTY = Limits(first_question=0.02, question_every=0.05, pause=0.05, poll_every=0.05, grace=0.3, drain=0.1)
"""Hundredths of seconds where the service takes seconds: most tests are not about those."""

SCRIPT = Path(__file__).with_name("scripted_cloudflared.py")


def put_script(folder: Path, behaviour: str, **more: object) -> None:
    """Put a cloudflared into `folder` that does as told: one behaviour, or one for each start with `,` between."""
    text = SCRIPT.read_text(encoding="utf-8").split("\n", 1)[1]
    program = folder / "cloudflared"
    program.write_text(head("-IS") + text, encoding="utf-8")
    program.chmod(0o755)
    (folder / "script.json").write_text(json.dumps({"behaviour": behaviour, **more}), encoding="utf-8")
    (folder / "starts.jsonl").unlink(missing_ok=True)


class Proofs(Resource):
    """A page that answers the proofs of `tunnel` at its host, and counts."""

    isLeaf = True

    def __init__(self) -> None:
        super().__init__()
        self.tunnel: Tunnel | None = None
        self.hosts: list[str] = []

    def render_GET(self, request: Any) -> Any:
        assert self.tunnel is not None
        host = request.getHeader("host") or ""
        self.hosts.append(host)
        parts = request.path.decode().split("/")
        nonce = self.tunnel.well_known(parts[-1]) if parts[1:3] == [".well-known", "offprompt"] else None
        if host != self.tunnel.host():
            request.setResponseCode(421)
            return b"Wrong host"
        return NoResource().render(request) if nonce is None else nonce.encode()


class World:
    """Everything; `script` what the next cloudflared does, then `tunnel()`."""

    def __init__(self, reactor: Any, folder: Path) -> None:
        self.reactor = reactor
        self.folder = folder
        self.bin = folder / "bin"
        self.bin.mkdir()
        self.page = Proofs()
        self.dns = FakeDNS(reactor)
        self.dns.records[HOST] = ["127.0.0.1"]
        self._port = reactor.listenTCP(0, Site(self.page), interface="127.0.0.1")
        self.port: int = self._port.getHost().port
        self.front = Front(reactor, lambda: self.port)
        self.front.listen()
        self.said: list[str] = []
        self.told: list[str] = []
        self.is_wanted = False
        self.environ = {"PATH": str(self.bin)}
        self.limits = HASTY
        self._tunnels: list[Tunnel] = []

    def hurry(self, **seconds: float) -> None:
        """Change the limits of the tunnels to come."""
        self.limits = replace(self.limits, **seconds)

    def script(self, behaviour: str = "ok", folder: Path | None = None, **more: object) -> None:
        """As `put_script`, by default for the cloudflared on this world's PATH."""
        put_script(folder or self.bin, behaviour, **more)

    def starts(self) -> list[dict[str, Any]]:
        """What each child wrote down at its start."""
        try:
            lines = (self.bin / "starts.jsonl").read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return []
        return [json.loads(line) for line in lines]

    def tell(self, word: str) -> None:
        """Tell the child that runs: "503", "200", "die" or "again"."""
        (self.bin / "flip.new").write_text(word)
        os.replace(self.bin / "flip.new", self.bin / "flip")

    def network(self, **changes: Any) -> Network:
        facts: dict[str, Any] = {
            "trust": self.front.authority.trust,
            "https_port": self.front.port,
            "dns_port": self.dns.port,
            "nameservers": lambda: [("127.0.0.1", self.dns.port)],
            "system_lookup": self._system_lookup,
            "over_https": (),
            "releases": "https://nothing.invalid/",
        }
        return Network(**facts | changes)

    def tunnel(self, **changes: Any) -> Tunnel:
        """A tunnel in this world, started."""
        facts: dict[str, Any] = {
            "local_port": lambda: self.port,
            "environ": self.environ,
            "cache_dir": str(self.folder / "cache"),
            "random": secrets.token_bytes,
            "progress": self.said.append,
            "wanted": lambda: self.is_wanted,
            "network": self.network(),
            "limits": self.limits,
        }
        tunnel = Tunnel(self.reactor, **facts | changes)
        self.page.tunnel = tunnel
        tunnel.subscribe(self.told.append)
        tunnel.startService()
        self._tunnels.append(tunnel)
        return tunnel

    async def until(self, true: Callable[[], object], seconds: float = 10.0) -> None:
        """Return when `true` is."""
        end = self.reactor.seconds() + seconds
        while not true():
            assert self.reactor.seconds() < end, "it never became true"
            await deferLater(self.reactor, 0.02)

    async def close(self) -> None:
        for tunnel in self._tunnels:
            await tunnel.stopService()
        await self.front.close()
        await self.dns.close()
        await self._port.stopListening()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _system_lookup(self, reactor: Any, host: str) -> Deferred[list[str]]:
        if host.startswith("ns"):
            return succeed(["127.0.0.1"])
        self.dns.questions_of_the_system = [*getattr(self.dns, "questions_of_the_system", []), host]
        return succeed(self.dns.records.get(host, []))


def alive(pid: int) -> bool:
    """Whether process `pid` runs (a zombie does not, where that can be told)."""
    try:
        if not os.path.exists("/proc/self/stat"):
            os.kill(pid, 0)
            return True
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
