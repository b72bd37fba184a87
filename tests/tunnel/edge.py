"""The outside of a tunnel as a process of its own, for services that are processes too.

    python -m tests.tunnel.edge FOLDER [BEHAVIOUR]

Puts a scripted cloudflared into `FOLDER/bin` and its authority into `FOLDER/ca.pem`, and says in one line of JSON
where DNS and the TLS front are. When its input ends it says what has passed the front, and ends. `OFFPROMPT` is
what such a service runs instead of `offprompt`: the same, with this outside (its last argument) for the real one.
"""

from __future__ import annotations

import base64
import functools
import json
import sys
from pathlib import Path
from typing import Any

OFFPROMPT = [sys.executable, "-P", "-c", "import sys; from tests.tunnel.edge import offprompt; sys.exit(offprompt())"]


def offprompt() -> int:
    """`offprompt`, whose public links are made in the outside that the last argument describes."""
    from twisted.internet.defer import succeed
    from twisted.internet.ssl import Certificate, trustRootFromCertificates

    from offprompt.cli import main, takeover
    from offprompt.tunnel.outside import Outside

    facts = json.loads(sys.argv.pop())
    outside = Outside(
        trust=trustRootFromCertificates([Certificate.loadPEM(Path(facts["ca"]).read_bytes())]),
        https_port=facts["https_port"],
        dns_port=facts["dns_port"],
        nameservers=lambda: [("127.0.0.1", facts["dns_port"])],
        system_lookup=lambda reactor, host: succeed(["127.0.0.1"]),
        over_https=(),
    )
    takeover.take_over = functools.partial(takeover.take_over, outside=outside)  # type: ignore[assignment]
    return main()


def serve(folder: Path, behaviour: str) -> None:
    from twisted.internet import reactor
    from twisted.internet.protocol import Protocol, connectionDone
    from twisted.internet.stdio import StandardIO
    from twisted.python.failure import Failure

    from tests.tunnel.fake_dns import FakeDNS
    from tests.tunnel.front import Front
    from tests.tunnel.scripted_cloudflared import HOST
    from tests.tunnel.world import put_script

    starts = folder / "bin" / "starts.jsonl"

    def origin() -> int:
        last = json.loads(starts.read_text(encoding="utf-8").splitlines()[-1])
        return int(last["argv"][last["argv"].index("--url") + 1].rpartition(":")[2])

    (folder / "bin").mkdir(parents=True)
    put_script(folder / "bin", behaviour)
    dns = FakeDNS(reactor)
    dns.records[HOST] = ["127.0.0.1"]
    front = Front(reactor, origin)
    front.listen()
    (folder / "ca.pem").write_bytes(front.authority.pem)
    told: dict[str, Any] = {"https_port": front.port, "dns_port": dns.port, "ca": str(folder / "ca.pem")}
    print(json.dumps({**told, "spki": front.spki, "bin": str(folder / "bin"), "host": HOST}), flush=True)

    class UntilItsEnd(Protocol):
        def connectionLost(self, reason: Failure = connectionDone) -> None:
            both = [(bytes(passage.up), bytes(passage.down)) for passage in front.passages]
            print(json.dumps([[base64.b64encode(way).decode() for way in one] for one in both]), flush=True)
            reactor.stop()

    StandardIO(UntilItsEnd(), stdout=2)
    reactor.run()


if __name__ == "__main__":
    serve(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "ok")
