"""Everything outside as a process of its own: Cloudflare's edge, the DNS, and a cloudflared to put on PATH.

    python -m tests.tunnel.edge FOLDER

says one line of JSON (`https_port`, `dns_port`, `spki`, `pem`, `host`, `path`: the folder of cloudflared), then answers
each line on its stdin with another: what passed so far, `{"up": [base64, …], "down": [base64, …]}`, one entry for each
connection. It ends with its stdin. `remote_mcp.py` is the service that lives in this world.
"""

from __future__ import annotations

import base64
import json
import sys
from pathlib import Path

from twisted.internet import reactor  # noqa: TID253  # this is a program of its own
from twisted.internet.stdio import StandardIO
from twisted.protocols.basic import LineOnlyReceiver

from tests.tunnel.fake_dns import FakeDNS
from tests.tunnel.front import Front
from tests.tunnel.scripted_cloudflared import HOST
from tests.tunnel.world import put_script


class Told(LineOnlyReceiver):
    delimiter = b"\n"

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def connectionMade(self) -> None:
        put_script(self.folder, "ok")
        self.dns = FakeDNS(reactor)
        self.dns.records[HOST] = ["127.0.0.1"]
        self.front = Front(reactor, self.page_port)
        self.front.listen()
        facts = {"https_port": self.front.port, "dns_port": self.dns.port, "spki": self.front.spki}
        self.say({**facts, "pem": self.front.authority.pem.decode(), "path": str(self.folder), "host": HOST})

    def page_port(self) -> int:
        """The port that the last cloudflared was told to lead to."""
        last = (self.folder / "starts.jsonl").read_text(encoding="utf-8").splitlines()[-1]
        argv = json.loads(last)["argv"]
        return int(argv[argv.index("--url") + 1].rpartition(":")[2])

    def lineReceived(self, line: bytes) -> None:
        passed = [(bytes(one.up), bytes(one.down)) for one in self.front.passages]
        self.say({name: [base64.b64encode(one[n]).decode() for one in passed] for n, name in enumerate(("up", "down"))})

    def say(self, message: dict[str, object]) -> None:
        assert self.transport is not None
        self.transport.write(json.dumps(message).encode() + b"\n")

    def connectionLost(self, reason: object = None) -> None:
        reactor.stop()


if __name__ == "__main__":
    StandardIO(Told(Path(sys.argv[1])))
    reactor.run()
