"""The whole road with a real child: found, started, proven through a TLS front, looked after, ended."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import pytest_twisted
from twisted.internet.defer import CancelledError, DeferredList
from twisted.internet.task import deferLater
from twisted.names import dns as wire

from offprompt import errors
from offprompt.tunnel import backoff
from offprompt.tunnel.pinned_release import Asset
from tests.tunnel.front import answer
from tests.tunnel.github import GitHub
from tests.tunnel.scripted_cloudflared import HOST
from tests.tunnel.world import World, alive

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no tunnels there")

ORIGIN = f"https://{HOST}"


async def failure(tunnel: Any) -> Exception:
    """The error with which `origin` fails."""
    with pytest.raises(errors.TunnelUnavailable) as caught:
        await tunnel.origin()
    return caught.value


async def fails(tunnel: Any, error: type[errors.TunnelUnavailable]) -> str:
    """The sentence with which `origin` fails."""
    with pytest.raises(error) as caught:
        await tunnel.origin()
    return str(caught.value)


@pytest_twisted.ensureDeferred
async def test_the_first_caller_starts_it_and_gets_an_origin_that_leads_here(world: World):
    world.script("ok")
    tunnel = world.tunnel()
    assert (tunnel.state, tunnel.host(), tunnel.attempts, tunnel.steps) == ("down", "", 0, ())
    assert await tunnel.origin() == ORIGIN
    assert (tunnel.state, tunnel.host(), tunnel.attempts) == ("up", HOST, 1)
    assert [step for step, _ in tunnel.steps] == ["asking", "connecting", "checking"]
    assert world.told == [ORIGIN]
    assert world.page.hosts == [HOST]
    assert world.said == [
        "Looking for cloudflared.",
        "Asking Cloudflare for a link.",
        "Cloudflare made a link; connecting it.",
        "The link is connected; waiting until it can be reached.",
        "The link works.",
    ]


@pytest_twisted.ensureDeferred
async def test_nothing_is_started_before_somebody_asks(world: World):
    world.script("ok")
    tunnel = world.tunnel()
    await deferLater(world.reactor, 0.3)
    assert world.starts() == []
    assert (world.dns.questions, world.said, tunnel.state) == ([], [], "down")


@pytest_twisted.ensureDeferred
async def test_R1_R2_R3_R4_the_child_gets_what_it_needs_and_nothing_else(world: World):
    world.script("ok")
    world.environ |= {
        "TUNNEL_EDGE": "x", "TUNNEL_HELLO_WORLD": "true", "TUNNEL_LOGLEVEL": "error", "TUNNEL_GRACE_PERIOD": "soon",
        "STDIN_CONTROL": "true", "LANG": "C.UTF-8", "AWS_SECRET_ACCESS_KEY": "made-up",
    }  # fmt: skip
    await world.tunnel().origin()
    (start,) = world.starts()
    assert start["argv"][3:] == [
        "--no-autoupdate", "--url", f"http://127.0.0.1:{world.port}", "--protocol", "auto",
        "--max-edge-addr-retries", "0", "--retries", "2", "--metrics", "127.0.0.1:0", "--loglevel", "info",
        "--grace-period", "1s",
    ]  # fmt: skip
    assert (start["config"], start["config_mode"]) == ("no-autoupdate: true\n", 0o600)
    assert set(start["environ"]) - {"LC_CTYPE"} == {"PATH", "HOME", "LANG", "TUNNEL_NO_PRECHECKS"}
    assert start["environ"]["HOME"] == start["cwd"] == os.path.dirname(start["argv"][2])
    assert start["stdin"] in ("", "/dev/null")
    assert start["sid"] != os.getsid(0)


@pytest_twisted.ensureDeferred
async def test_R22_ten_at_once_start_one_child(world: World):
    world.script("ok")
    tunnel = world.tunnel()
    results = await DeferredList([tunnel.origin() for _ in range(10)])
    assert results == [(True, ORIGIN)] * 10
    assert len(world.starts()) == 1
    assert await tunnel.origin() == ORIGIN
    assert len(world.front.passages) == 1


@pytest_twisted.ensureDeferred
async def test_who_no_longer_waits_leaves_the_others_their_tunnel(world: World):
    world.script("ok")
    tunnel = world.tunnel()
    impatient, patient = tunnel.origin(), tunnel.origin()
    impatient.cancel()
    with pytest.raises(CancelledError):
        await impatient
    assert await patient == ORIGIN


@pytest_twisted.ensureDeferred
async def test_when_all_have_left_the_tunnel_comes_up_all_the_same(world: World):
    world.script("ok")
    tunnel = world.tunnel()
    only = tunnel.origin()
    only.cancel()
    with pytest.raises(CancelledError):
        await only
    await world.until(lambda: world.told == [ORIGIN])


@pytest_twisted.ensureDeferred
async def test_R13_R14_no_question_for_the_name_before_it_has_registered_and_then_not_at_once(world: World):
    world.hurry(first_question=0.5)
    world.script("ok", edge_seconds=0.2)
    registered: list[float] = []
    tunnel = world.tunnel(
        progress=lambda words: registered.append(world.reactor.seconds()) if "is connected" in words else None
    )
    await tunnel.origin()
    assert min(question.at for question in world.dns.questions) >= registered[0]
    asked = world.dns.asked_of(HOST)
    assert min(question.at for question in asked) >= registered[0] + 0.5
    assert not any(question.recursive for question in asked)
    assert world.dns.remembered == set()
    assert {question.kind for question in world.dns.questions} == {wire.NS, wire.A, wire.AAAA}


@pytest_twisted.ensureDeferred
async def test_the_page_answers_at_the_host_only_while_it_is_the_tunnels(world: World):
    world.script("ok")
    hosts: list[str] = []
    tunnel = world.tunnel(progress=lambda words: hosts.append(tunnel.host()))
    await tunnel.origin()
    assert hosts == ["", "", "", "", HOST]
    assert tunnel.well_known("0" * 32) is None
    await tunnel.stopService()
    assert tunnel.host() == ""
    assert world.told == [ORIGIN, ""]


GOOD = [
    "cut_banner", "coloured", "invalid_utf8", "long_line", "flood", "json_log", "second_banner", "ready_without_words",
    "forks", "escapes", "slow_to_stop",
]  # fmt: skip


@pytest_twisted.ensureDeferred
@pytest.mark.parametrize("behaviour", GOOD)
async def test_a_child_that_is_only_strange_makes_a_tunnel(world: World, behaviour: str):
    world.script(behaviour)
    tunnel = world.tunnel()
    assert await tunnel.origin() == ORIGIN
    await tunnel.stopService()
    assert not alive(world.starts()[0]["pid"])
    grandchild = world.bin / "grandchild"
    if grandchild.exists():
        pid = int(grandchild.read_text())
        if behaviour == "escapes":
            os.kill(pid, signal.SIGKILL)
        await world.until(lambda: not alive(pid))


FAILING = [
    ("banner_then_exit", errors.NoEdgeDns, "argotunnel.com cannot be looked up"),
    ("exit_before_banner,exit_before_banner", errors.TunnelCrashed, "something nobody has seen before"),
    ("exit_0_silent", errors.StartFailed, "it said nothing"),
    ("usage", errors.StartFailed, "flag provided but not defined: -max-edge-addr-retries"),
    ("no_dns", errors.NoDns, "cannot look up api.trycloudflare.com"),
    ("intercepted", errors.Intercepted, r"certificate of \*.safezone.mcafee.com"),
    ("limited", errors.RateLimited, "429"),
    ("down", errors.LinkServiceDown, "not working right now"),
    ("dies_by_signal", errors.TunnelCrashed, "ended unexpectedly"),
    ("panics", errors.TunnelCrashed, "ended unexpectedly"),
]


@pytest_twisted.ensureDeferred
@pytest.mark.parametrize(("behaviour", "error", "sentence"), FAILING)
async def test_a_child_that_fails_leaves_a_sentence(
    world: World, behaviour: str, error: type, sentence: str, monkeypatch: pytest.MonkeyPatch
):
    import re

    monkeypatch.setattr(backoff, "_RULES", dict.fromkeys(backoff._RULES, backoff._Rule(backoff._NEVER)))
    world.script(behaviour)
    tunnel = world.tunnel()
    assert re.search(sentence, await fails(tunnel, error))
    assert (tunnel.state, tunnel.host(), world.told) == ("down", "", [])
    assert re.search(sentence, tunnel.last_error)
    assert len(world.starts()) == 1
    assert world.dns.questions == []
    await world.until(lambda: not alive(world.starts()[0]["pid"]))


@pytest_twisted.ensureDeferred
@pytest.mark.parametrize(
    ("behaviour", "error"),
    [("silent", errors.NotConnected), ("never_registered", errors.NotConnected), ("blocked", errors.PortBlocked)],
)
async def test_twenty_seconds_after_the_start_who_waits_is_told_how_it_stands(
    world: World, behaviour: str, error: type[errors.TunnelUnavailable]
):
    world.hurry(answer=0.3)
    world.script(behaviour)
    tunnel = world.tunnel()
    await fails(tunnel, errors.TunnelUnavailable)
    assert tunnel.state == "starting"
    for _ in range(500):  # each is told at once: the time is over
        if isinstance(await failure(tunnel), error):
            break
        await deferLater(world.reactor, 0.02)
    await fails(tunnel, error)
    assert (tunnel.state, tunnel.attempts) == ("starting", 1)
    assert world.dns.questions == []


@pytest_twisted.ensureDeferred
async def test_a_late_tunnel_is_probed_on_and_handed_over(world: World):
    world.hurry(answer=0.3)
    world.script("ok")
    world.dns.records.clear()
    tunnel = world.tunnel()
    await failure(tunnel)
    await world.until(lambda: tunnel.state == "proving")
    assert "not yet visible everywhere" in await fails(tunnel, errors.NotVisible)
    assert (tunnel.state, world.told) == ("proving", [])
    world.dns.records[HOST] = ["127.0.0.1"]
    await world.until(lambda: world.told == [ORIGIN])
    assert await tunnel.origin() == ORIGIN
    assert len(world.starts()) == 1


@pytest_twisted.ensureDeferred
async def test_a_tunnel_that_does_not_answer_yet_is_probed_on_and_handed_over(world: World):
    world.hurry(answer=0.3)
    world.script("ok")
    world.front.dead = True
    tunnel = world.tunnel()
    await failure(tunnel)
    await world.until(lambda: world.front.passages)
    await fails(tunnel, errors.NotAnswering)
    world.front.dead = False
    await world.until(lambda: world.told == [ORIGIN])
    assert await tunnel.origin() == ORIGIN
    assert len(world.dns.asked_of(HOST)) <= 4


@pytest_twisted.ensureDeferred
async def test_R20_a_child_that_never_registers_is_tried_once_more_behind_the_answer(world: World):
    world.hurry(connecting=0.4, answer=0.3)
    world.is_wanted = True
    world.script("never_registered,ok")
    tunnel = world.tunnel()
    await fails(tunnel, errors.NotConnected)
    await world.until(lambda: world.told == [ORIGIN])
    first, second = world.starts()
    assert not alive(first["pid"])
    assert alive(second["pid"])
    assert tunnel.attempts == 2


@pytest_twisted.ensureDeferred
async def test_the_edge_says_530_502_and_resets_before_it_answers(world: World):
    world.front.instead.extend(
        [answer(530, b"<html>1033</html>"), answer(502), b"", answer(200, b"hello"), answer(429)]
    )
    world.script("ok")
    assert await world.tunnel().origin() == ORIGIN
    assert len(world.front.passages) == 6


@pytest_twisted.ensureDeferred
async def test_R16_another_page_at_the_link_is_no_tunnel(world: World):
    world.front.instead.extend([answer(200, b"Congrats! You created a tunnel!")] * 3)
    world.script("ok")
    tunnel = world.tunnel()
    await fails(tunnel, errors.ForeignPage)
    assert (tunnel.state, tunnel.host()) == ("down", "")


@pytest_twisted.ensureDeferred
async def test_R18_a_child_that_dies_while_links_are_out_takes_them_with_it(world: World):
    world.script("ok")
    tunnel = world.tunnel()
    await tunnel.origin()
    world.tell("die")
    await world.until(lambda: world.told == [ORIGIN, ""])
    assert (tunnel.state, tunnel.host()) == ("down", "")
    assert "ended unexpectedly" in tunnel.last_error
    world.script("ok", host="red-slow-cat-sleeps.trycloudflare.com")
    world.dns.records["red-slow-cat-sleeps.trycloudflare.com"] = ["127.0.0.1"]
    assert await tunnel.origin() == "https://red-slow-cat-sleeps.trycloudflare.com"
    assert tunnel.last_error == ""


@pytest_twisted.ensureDeferred
async def test_a_tunnel_that_somebody_still_wants_is_started_again_by_itself(world: World):
    world.script("ok")
    world.is_wanted = True
    await world.tunnel().origin()
    world.tell("die")
    await world.until(lambda: world.told == [ORIGIN, "", ORIGIN])
    assert len(world.starts()) == 2
    assert "Making a new link in 1 seconds." in world.said


@pytest_twisted.ensureDeferred
async def test_R17_a_dead_tunnel_in_a_living_process_is_noticed(world: World):
    world.hurry(look_every=0.1, look_sooner=0.1)
    world.script("ok")
    tunnel = world.tunnel()
    await tunnel.origin()
    await deferLater(world.reactor, 0.3)
    assert tunnel.state == "up"
    world.front.dead = True
    world.tell("503")
    await world.until(lambda: world.told == [ORIGIN, ""])
    assert tunnel.state == "down"
    await world.until(lambda: not alive(world.starts()[0]["pid"]))


@pytest_twisted.ensureDeferred
async def test_R17_an_edge_that_drops_the_connection_for_a_moment_costs_no_link(world: World):
    world.hurry(look_every=0.1, look_sooner=0.1)
    world.script("ok")
    tunnel = world.tunnel()
    await tunnel.origin()
    world.tell("503")  # cloudflared misses; what goes through the tunnel comes back
    await world.until(lambda: len(world.front.passages) > 1)
    world.tell("again")
    await world.until(lambda: not (world.bin / "flip").exists())
    assert (tunnel.state, world.told, len(world.starts())) == ("up", [ORIGIN], 1)


@pytest_twisted.ensureDeferred
async def test_a_link_is_proven_anew_before_it_is_handed_out_again(world: World):
    world.hurry(fresh=0.2)
    world.script("ok")
    tunnel = world.tunnel()
    await tunnel.origin()
    await deferLater(world.reactor, 0.3)
    results = await DeferredList([tunnel.origin() for _ in range(5)])
    assert results == [(True, ORIGIN)] * 5
    assert len(world.front.passages) == 2
    assert world.told == [ORIGIN]


@pytest_twisted.ensureDeferred
async def test_a_link_that_has_stopped_working_is_never_handed_out_again(world: World):
    world.hurry(fresh=0.1, reproving=0.3)
    red = "red-slow-cat-sleeps.trycloudflare.com"
    world.script("ok")
    tunnel = world.tunnel()
    await tunnel.origin()
    await deferLater(world.reactor, 0.2)
    world.front.dead = True
    world.dns.records[red] = ["127.0.0.1"]
    script = world.bin / "script.json"
    script.write_text(json.dumps({"behaviour": "ok", "host": red}))
    world.reactor.callLater(0.6, setattr, world.front, "dead", False)
    assert await tunnel.origin() == f"https://{red}"
    assert world.told == [ORIGIN, "", f"https://{red}"]


@pytest_twisted.ensureDeferred
async def test_R21_a_limit_is_told_at_once_and_not_asked_against(world: World):
    """Nothing is tried again for 60 s, so that nobody who waits would get a link in their 20."""
    world.script("limited")
    world.is_wanted = True
    tunnel = world.tunnel()
    first, second = tunnel.origin(), tunnel.origin()
    await world.until(lambda: tunnel.state == "resting")
    for waiter in (first, second, *[tunnel.origin() for _ in range(5)]):
        assert waiter.called
        with pytest.raises(errors.RateLimited):
            await waiter
    assert (tunnel.state, len(world.starts())) == ("resting", 1)


@pytest_twisted.ensureDeferred
async def test_R21_a_service_that_comes_back_in_time_gives_its_link(world: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(
        backoff, "_RULES", backoff._RULES | {each: backoff._Rule((0.1, 0.2)) for each in backoff._RULES}
    )
    world.script("down,down,ok")
    assert await world.tunnel().origin() == ORIGIN
    assert len(world.starts()) == 3


@pytest_twisted.ensureDeferred
@pytest.mark.parametrize(
    ("behaviour", "wait"),
    [("ok", 0.0), ("ok", 0.15), ("ok", 0.4), ("silent", 0.4), ("never_registered", 0.3), ("ignores_term", 0.4)],
)
async def test_R24_stopping_at_any_moment_leaves_nothing(world: World, behaviour: str, wait: float):
    world.script(behaviour)
    tunnel = world.tunnel()
    origin = tunnel.origin()
    outcome: list[Any] = []
    origin.addBoth(outcome.append)
    await deferLater(world.reactor, wait)
    await tunnel.stopService()
    assert (tunnel.state, tunnel.host()) == ("stopped", "")
    assert outcome[0] == ORIGIN or outcome[0].check(errors.TunnelStopped)
    assert not any(alive(start["pid"]) for start in world.starts())
    await fails(tunnel, errors.TunnelStopped)


@pytest_twisted.ensureDeferred
async def test_R23_a_child_that_ignores_term_is_killed(world: World):
    world.script("ignores_term")
    tunnel = world.tunnel()
    await tunnel.origin()
    asked = world.reactor.seconds()
    await tunnel.stopService()
    assert world.reactor.seconds() - asked >= world.limits.grace
    assert not alive(world.starts()[0]["pid"])


@pytest_twisted.ensureDeferred
async def test_kill_now_leaves_no_child(world: World):
    world.script("ignores_term")
    tunnel = world.tunnel()
    await tunnel.origin()
    tunnel.kill_now()
    assert not os.path.exists(world.starts()[0]["cwd"])
    await world.until(lambda: not alive(world.starts()[0]["pid"]))
    assert (world.told, tunnel.state) == ([ORIGIN, ""], "stopped")
    await tunnel.stopService()


@pytest_twisted.ensureDeferred
async def test_no_cloudflared_is_there_and_it_is_downloaded_first(world: World):
    script = world.folder / "made"
    script.mkdir()
    world.script("ok", folder=script)
    body = (script / "cloudflared").read_bytes()
    asset = Asset("cloudflared-linux-amd64", hashlib.sha256(body).hexdigest(), least=1000)
    cache = world.folder / "cache"
    cache.mkdir()
    (script / "script.json").rename(cache / "script.json")
    github = GitHub(world.reactor, body, authority=world.front.authority)
    github.behaviour = "slow"
    try:
        network = world.network(releases=github.address, release_hosts=frozenset({"localhost"}))
        tunnel = world.tunnel(network=network, asset=asset)
        assert await tunnel.origin() == ORIGIN
        assert len(github.asked) == 1
    finally:
        await github.close()


@pytest_twisted.ensureDeferred
async def test_the_service_stops_during_the_download(world: World):
    github = GitHub(world.reactor, b"x" * 100_000)
    github.behaviour = "stalled"
    try:
        network = world.network(
            releases=github.address, release_hosts=frozenset({"localhost"}), trust=github.authority.trust
        )
        tunnel = world.tunnel(network=network, asset=Asset("cloudflared-linux-amd64", "0" * 64, least=1000))
        origin = tunnel.origin()
        await world.until(lambda: github.sent)
        assert tunnel.state == "finding"
        await tunnel.stopService()
        with pytest.raises(errors.TunnelStopped):
            await origin
        assert os.listdir(world.folder / "cache") == []
        await world.until(github.all_closed)
    finally:
        await github.close()


@pytest_twisted.ensureDeferred
async def test_switched_off_it_says_so_and_does_nothing(world: World):
    world.script("ok")
    tunnel = world.tunnel(off=True)
    assert "OFFPROMPT_TUNNEL" in await fails(tunnel, errors.TunnelOff)
    assert (world.starts(), tunnel.state) == ([], "down")


@pytest_twisted.ensureDeferred
async def test_on_windows_it_says_so_and_does_nothing(world: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "platform", "win32")
    await fails(world.tunnel(), errors.TunnelUnsupported)


@pytest_twisted.ensureDeferred
async def test_who_no_longer_listens_hears_nothing(world: World):
    world.script("ok")
    tunnel = world.tunnel()
    heard: list[str] = []
    end = tunnel.subscribe(heard.append)
    end()
    end()
    await tunnel.origin()
    assert heard == []


SERVICE = """
import pathlib, sys
from twisted.internet import reactor
from tests.tunnel.world import World
folder, behaviour = sys.argv[1:]
world = World(reactor, pathlib.Path(folder))
world.script(behaviour)
world.tunnel().origin().addBoth(lambda result: print("origin", result, flush=True))
print("started", flush=True)
reactor.run()
"""


@pytest_twisted.ensureDeferred
@pytest.mark.parametrize("behaviour", ["ignores_term", "forks", "never_registered"])
async def test_R25_killing_the_service_leaves_no_child(world: World, behaviour: str, tmp_path: Path):
    folder = tmp_path / "other"
    folder.mkdir()
    service = subprocess.Popen([sys.executable, "-c", SERVICE, str(folder), behaviour], stdout=-1, text=True)
    starts = folder / "bin" / "starts.jsonl"
    try:
        await world.until(starts.exists)
        await deferLater(world.reactor, 0.2)
        pids = [json.loads(line)["pid"] for line in starts.read_text().splitlines()]
        grandchild = folder / "bin" / "grandchild"
        if grandchild.exists():
            pids.append(int(grandchild.read_text()))
        assert all(map(alive, pids))
        service.kill()
        service.wait()
        await world.until(lambda: not any(map(alive, pids)))
    finally:
        service.kill()
        service.wait()
        service.stdout.close()  # type: ignore[union-attr]


@pytest.mark.skipif(sys.platform != "linux", reason="a process's start is read from /proc")
@pytest_twisted.ensureDeferred
async def test_R26_the_next_start_clears_away_what_a_killed_service_has_left(
    world: World, tmp_path: Path, temporary: Path
):
    folder = tmp_path / "other"
    folder.mkdir()
    with subprocess.Popen([sys.executable, "-c", SERVICE, str(folder), "ok"], stdout=-1, text=True) as service:
        await world.until((folder / "bin" / "starts.jsonl").exists)
        (left,) = temporary.iterdir()
        (child,) = [json.loads(line) for line in (folder / "bin" / "starts.jsonl").read_text().splitlines()]
        assert json.loads((left / "owner.json").read_text())["child"][0] == child["pgid"]
        service.kill()
    assert left.name.startswith("offprompt-tunnel-")
    world.script("ok")
    await world.tunnel().origin()
    (ours,) = temporary.iterdir()
    assert (left.exists(), str(ours)) == (False, world.starts()[0]["cwd"])


def test_a_service_without_a_tunnel_loads_no_client_for_one():
    """A link on the person's own machine must be there in 400 ms."""
    heavy = ("treq", "OpenSSL", "twisted.names", "twisted.web")
    code = f"import sys, offprompt.tunnel.tunnel; print([each for each in {heavy} if each in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
