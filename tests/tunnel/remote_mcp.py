"""`offprompt mcp` in the world of `edge.py`: the same program, told where its network is.

python -m tests.tunnel.remote_mcp FACTS.json
"""

from __future__ import annotations

import json
import os
import sys


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        facts = json.load(file)
    from offprompt.agent.wire import light_loop

    handover = light_loop.run()
    if handover is None:
        os._exit(0)
    from twisted.internet.defer import succeed
    from twisted.internet.ssl import Certificate, trustRootFromCertificates

    from offprompt.service.stdio import prepare
    from offprompt.tunnel.network import Network

    trust = trustRootFromCertificates([Certificate.loadPEM(facts["pem"].encode())])
    network = Network(
        trust=trust,
        https_port=facts["https_port"],
        dns_port=facts["dns_port"],
        nameservers=lambda: [("127.0.0.1", facts["dns_port"])],
        system_lookup=lambda reactor, host: succeed(["127.0.0.1"]),
        over_https=(),
        releases="https://nothing.invalid/",
    )
    prepare(handover, network)()


if __name__ == "__main__":
    main()
