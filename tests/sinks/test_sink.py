"""The seam: what a sink is given, what it answers, and that a third kind is one class and one line."""

from __future__ import annotations

from pathlib import Path

from twisted.internet.defer import succeed

from offprompt.agent.tools.services import Services
from offprompt.agent.wire.protocol import AgentFactory
from offprompt.page.app import page_site
from offprompt.request.fingerprint import fingerprint
from offprompt.request.outcome import Outcome, Written
from offprompt.request.target import TargetState
from offprompt.service.sinks import SINKS
from offprompt.sinks.sink import Change, Target, WriteOrder
from offprompt.sinks.writer import RequestWriter
from tests.agent.world import HERE, Client, Tunnel
from tests.page.world import CANARY, FINGERPRINT_KEY
from tests.page.world import World as PageWorld

TARGET = Target("/shop", "vault", "team/stripe")


class Vault:
    """A place in memory that takes any number of values but the word "nothing"."""

    takes_one = False
    usual_path = "team"

    def __init__(self) -> None:
        self.held: dict[str, dict[str, str]] = {}

    def inspect(self, target: Target) -> TargetState:
        return TargetState(exists=target.path in self.held, keys=tuple(self.held.get(target.path, ())))

    def change(self, name: str, value: str, *, generated: bool = False) -> Change | tuple[str, ...]:
        return ("A vault does not hold nothing.",) if value == "nothing" else Change(name, value, generated)

    def write(self, order: WriteOrder) -> Written:
        place = self.held.setdefault(order.target.path, {})
        outcomes = {}
        for change in order.changes:
            outcomes[change.name] = "generated" if change.generated else "added"
            place[change.name] = change.value
        return order.written(outcomes, place, file_keys=tuple(place))


def test_what_was_written_has_each_requested_name_and_a_fingerprint_of_what_was_typed() -> None:
    order = WriteOrder(
        TARGET,
        ("A", "B", "C", "D"),
        (Change("A", "typed"), Change("B", "made", generated=True), Change("D", "late", generated=True)),
        held=("C",),
        typed=frozenset({"A", "D"}),
        lands="team/real",
        fingerprint_key=FINGERPRINT_KEY,
    )
    written = order.written({"A": "added", "B": "generated", "D": "kept"}, {"A": "typed", "B": "made"})
    assert written == Written(
        fingerprint(FINGERPRINT_KEY, {"A": "typed"}),
        "team/stripe → team/real",
        (Outcome("A", "added"), Outcome("B", "generated"), Outcome("C", "kept"), Outcome("D", "kept")),
    )


def test_no_order_shows_a_value() -> None:
    order = WriteOrder(TARGET, ("A",), (Change("A", CANARY),), fingerprint_key=CANARY.encode())
    assert CANARY not in repr(order)


def test_a_third_kind_is_one_class_and_one_line_and_a_whole_request_runs_through_it(tmp_path: Path) -> None:
    vault = Vault()
    sinks = {**SINKS, "vault": vault}
    page = PageWorld(tmp_path)
    writer = RequestWriter(page.clock, page.threads, page.chance, sinks)  # type: ignore[arg-type]
    page.site = page_site(
        ledger=page.ledger,
        write=writer.write,
        reactor=page.clock,
        random=page.chance,
        tunnel_host=lambda: "",
        tunnel_nonce=lambda random: None,
    )
    agents = AgentFactory(
        Services(
            ledger=page.ledger,
            clock=page.clock,
            is_remote=lambda sandbox: True,
            here=lambda: HERE,
            tunnel=Tunnel(),
            phase=lambda: "",
            open_page=lambda url: False,
            choose_project=lambda roots: str(tmp_path),
            sinks=sinks,
            inspect=lambda target: succeed(sinks[target.kind].inspect(target)),
            write=writer.write,
        )
    )
    agent = Client(agents.buildProtocol(None))
    agent.initialize()
    told = agent.result(agent.collect("STRIPE_KEY", "OTHER_KEY", sink={"kind": "vault"}))
    assert told["sink"] == {"kind": "vault", "path": "team"}
    (record,) = page.ledger.open_records()
    refused = page.submit(record, {"STRIPE_KEY": CANARY, "OTHER_KEY": "nothing"})
    assert refused.json["errors"] == {"OTHER_KEY": ["A vault does not hold nothing."]}
    assert page.written(record, STRIPE_KEY=CANARY, OTHER_KEY="2").json["file"] == "team"
    assert vault.held == {"team": {"STRIPE_KEY": CANARY, "OTHER_KEY": "2"}}
    told = agent.result(agent.call("await_secret", {"request_id": record.request_id}))
    assert (told["status"], told["file_keys"]) == ("written", ["STRIPE_KEY", "OTHER_KEY"])
