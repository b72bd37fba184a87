"""What an operator sees: who asks for what, how the tunnel stands, where the service runs; and nothing secret."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field

import pytest

from offprompt.operate.manhole.views import OpenRequest, Requests, TunnelNow, WhereNow, requests_view, views
from offprompt.request.ledger import Ledger
from offprompt.request.lifetime import LIFETIME_HERE
from offprompt.request.record import Record
from tests.request.made import counting, order


@dataclass
class World:
    """A ledger with a clock, and what an operator sees of it."""

    now: float = 0.0
    ledger: Ledger = field(default_factory=lambda: Ledger(counting()))

    def __post_init__(self) -> None:
        self.requests = requests_view(self.ledger, lambda: self.now)

    def open(self, *names: str, session: str = "one") -> Record:
        return self.ledger.open(order(*names, session=session), self.now)[0]


def secrets_of(record: Record) -> list[str]:
    """Everything of a record that must not be shown, in the ways it could be."""
    raw = [record.private_key, record.public_key]
    texts = [record.token, record.nonce, record.key_id, record.link("http://127.0.0.1:1").key]
    for each in raw:
        texts += [each.hex(), repr(each), base64.b64encode(each).decode(), base64.urlsafe_b64encode(each).decode()]
    return texts


def everything(root: object) -> str:
    """What can be seen from `root`: repr and str of it, of every attribute, item and answer, and so on from there."""
    seen: list[object] = []
    text: list[str] = []
    left = [root]
    while left:
        each = left.pop()
        if any(each is known for known in seen):
            continue
        seen.append(each)
        text += [repr(each), str(each)]
        if isinstance(each, str | int | float | bytes | type) or each is None:
            continue
        left += [getattr(each, name) for name in dir(each) if not (name.startswith("__") and name.endswith("__"))]
        left += list(getattr(each, "__dict__", {}).values())
        if isinstance(each, dict):
            left += [*each, *each.values()]
        elif isinstance(each, tuple | list | set | frozenset | Requests):
            left += list(each)
    return "\n".join(text)


def test_an_operator_sees_who_asks_for_what_where_and_since_when() -> None:
    world = World()
    world.open("STRIPE_KEY", "DATABASE_URL")
    world.now = 65.0
    shown = repr(world.requests)
    for word in ("STRIPE_KEY DATABASE_URL", "awaiting", "1m05s", "8m55s", "Test agent", "/made/up"):
        assert word in shown


def test_nothing_that_can_be_reached_shows_a_key_a_token_or_a_link() -> None:
    """Whatever the states: awaiting, writing, closed."""
    world = World()
    records = [world.open("A"), world.open("B"), world.open("C")]
    secrets = [secret for record in records for secret in secrets_of(record)]
    records[1].begin_write()
    records[2].cancel("agent", 0.0)
    seen = everything({"requests": world.requests})
    assert records[0].request_id in seen, "the walk goes as far as the requests"
    for secret in secrets:
        assert secret not in seen


def test_the_walk_would_find_a_token() -> None:
    world = World()
    record = world.open("A")
    assert record.token in everything({"deep": [record]})


def test_no_attribute_leads_to_a_record_or_the_ledger() -> None:
    world = World()
    world.open("A")
    for holder in (world.requests, next(iter(world.requests))):
        for name in set(dir(holder)) - {"__weakref__"}:  # which Python 3.11.2 names on classes that have none
            assert not isinstance(getattr(holder, name), Record | Ledger)
        assert not hasattr(holder, "__dict__")


def test_an_operator_cancels_one_by_the_beginning_of_its_id() -> None:
    world = World()
    first, second = world.open("A"), world.open("B")
    assert world.requests.cancel(first.request_id[:8]) == f"cancelled {first.request_id[:8]} (A)"
    assert (first.status, first.cancelled_by) == ("cancelled", "operator")
    assert second.open
    assert len(world.requests) == 1


@pytest.mark.parametrize("beginning", ["zz", "0" * 32, 7, None])
def test_a_wrong_id_cancels_nothing_and_says_so(beginning: str) -> None:
    world = World()
    record = world.open("A")
    assert "no open request" in world.requests.cancel(beginning)
    with pytest.raises(KeyError):
        world.requests[beginning]
    assert record.open


def test_an_id_that_fits_several_cancels_none() -> None:
    world = World()
    records = [world.open("A"), world.open("B")]
    assert "2 open requests" in world.requests.cancel("")
    assert all(record.open for record in records)


def test_a_cancel_during_a_write_says_that_the_write_decides() -> None:
    world = World()
    record = world.open("A")
    record.begin_write()
    assert "is being written" in world.requests.cancel(record.request_id)
    record.fail_write(1.0)
    assert record.status == "cancelled"


def test_what_is_past_its_time_is_not_listed() -> None:
    world = World()
    record = world.open("A")
    world.now = LIFETIME_HERE
    assert list(world.requests) == []
    assert repr(world.requests) == "no open requests"
    assert "no open request" in world.requests.cancel(record.request_id)


def test_one_request_is_found_by_its_id() -> None:
    world = World()
    record = world.open("A")
    found = world.requests[record.request_id[:6]]
    assert isinstance(found, OpenRequest)
    assert found.request_id == record.request_id


def test_what_an_agent_calls_itself_does_not_move_the_operators_cursor() -> None:
    shown = repr(OpenRequest("0" * 32, "awaiting", ("A",), "\x1b[2Jevil\u202e", "/p/\x1b]0;x\x07", ".env", False, 1, 2))
    assert "\x1b" not in shown
    assert "\u202e" not in shown


HOST = "four-made-up-words.trycloudflare.com"


@dataclass
class Told:
    """What a tunnel tells of itself."""

    state: str = "down"
    since: float = 10.0
    last_error: str = ""
    attempts: int = 0
    at: str = ""

    def host(self) -> str:
        return self.at


HERE = WhereNow("away", "SSH_CONNECTION is set: this machine is used over SSH.")


def shown_of(told: Told, now: float) -> str:
    return repr(views(Ledger(counting()), told, HERE, lambda: now)["tunnel"])


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (Told(), ["no tunnel is running", "1m05s", "started 0 times"]),
        (Told("up", 10.0, "", 1, HOST), ["the tunnel is up", HOST, "started once"]),
        (Told("resting", 10.0, "Cloudflare said no.", 3), ["after a rest", "last problem: Cloudflare said no."]),
        (Told("unheard-of"), ["unheard-of (for"]),
    ],
)
def test_an_operator_reads_how_the_tunnel_stands(told: Told, words: list[str]) -> None:
    shown = shown_of(told, 75.9)
    for word in words:
        assert word in shown


def test_the_same_comes_as_an_object() -> None:
    view = views(Ledger(counting()), Told("up", 10.0, "", 2, HOST), HERE, lambda: 20.0)["tunnel"]
    assert view.now() == TunnelNow("up", 10, HOST, 2, "")


def test_what_cloudflared_said_does_not_move_the_cursor() -> None:
    assert "\x1b" not in shown_of(Told(last_error="\x1b[2J", at="a\x1bb"), 0.0)


def test_no_attribute_leads_to_the_tunnel() -> None:
    told = Told()
    view = views(Ledger(counting()), told, HERE, lambda: 0.0)["tunnel"]
    assert not any(getattr(view, name) is told for name in dir(view))
    assert not hasattr(view, "__dict__")


@pytest.mark.parametrize("state", ["down", "finding", "starting", "proving", "up", "resting", "stopped"])
def test_every_state_of_the_tunnel_has_words(state: str) -> None:
    assert not shown_of(Told(state), 0.0).startswith(f"{state} (")


def test_the_place_comes_with_its_reason() -> None:
    where = views(Ledger(counting()), Told(), HERE, lambda: 0.0)["where"]
    assert repr(where) == "away: SSH_CONNECTION is set: this machine is used over SSH."


def test_every_name_of_the_prompt_shows_how_things_stand_now() -> None:
    told = Told("starting")
    shown = views(Ledger(counting()), told, HERE, lambda: 0.0)
    assert shown.keys() == {"requests", "tunnel", "where"}
    told.state = "up"
    assert repr(shown["tunnel"]) == repr(shown["tunnel"].now()) != ""
    assert shown["requests"].now() == ()
