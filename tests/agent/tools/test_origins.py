"""The best origin there is: this machine's for a person who is here, the tunnel's for one who is not."""

from __future__ import annotations

from twisted.internet.defer import Deferred
from twisted.trial.unittest import SynchronousTestCase

from offprompt import errors
from offprompt.agent.tools.origins import Origin, Origins
from tests.agent.world import HERE, Tunnel


class OriginsTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.tunnel = Tunnel()
        self.origins = Origins(lambda: HERE, self.tunnel)

    def reach(self, remote: bool) -> Origin:
        return self.successResultOf(Deferred.fromCoroutine(self.origins.reach(remote)))

    def test_a_person_who_is_here_needs_no_tunnel(self) -> None:
        assert self.reach(False) == HERE
        assert self.tunnel.asked == 0

    def test_a_person_who_is_elsewhere_gets_the_tunnels(self) -> None:
        self.tunnel.up("four-words.trycloudflare.com")
        assert self.reach(True) == Origin("https://four-words.trycloudflare.com", public=True)

    def test_without_a_tunnel_this_machines_comes_with_the_reason(self) -> None:
        self.tunnel.problem = errors.PortBlocked()
        origin = self.reach(True)
        assert (origin.url, origin.public, origin.port) == (HERE.url, False, HERE.port)
        assert origin.problem == str(errors.PortBlocked())

    def test_only_a_link_that_works_is_news(self) -> None:
        heard: list[str] = []
        unsubscribe = self.origins.subscribe(heard.append)
        self.tunnel.up("a.trycloudflare.com")
        self.tunnel.up("")
        self.tunnel.up("b.trycloudflare.com")
        unsubscribe()
        self.tunnel.up("c.trycloudflare.com")
        assert heard == ["https://a.trycloudflare.com", "https://b.trycloudflare.com"]
