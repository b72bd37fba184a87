"""A submission from POST to written, and 1,000 open requests whose pages ask for their status every 10 s.

    make bench-submit
    python bench/submit.py --submissions 300 --seconds 30

Beside it, in the same run: Node's http server with libsodium-wrappers doing the same (peers/sealed_page.mjs), and what
the disk takes for the fsync of such a file and its folder alone. Budgets: 5 ms beyond the disk's; under 5 % of a core
and a p99 of 10 ms for the 1,000 pages.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import http.client
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from client import Client, cpu, memory
from nacl.public import PublicKey, SealedBox
from table import percentile, show

PEERS = Path(__file__).parent / "peers"
SESSIONS, EACH = 125, 8
"""1,000 requests: a session may have eight open."""
EVERY = 10.0
VALUE = "bench-" + "x" * 58


def unpadded(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def post(connection: http.client.HTTPConnection, path: str, body: object) -> float:
    """Seconds until the answer 200 is whole."""
    data = json.dumps(body)
    began = time.perf_counter()
    connection.request("POST", path, data, {"Content-Type": "application/json"})
    answer = connection.getresponse()
    text = answer.read()
    took = time.perf_counter() - began
    assert answer.status == 200, (answer.status, text[:200])
    return took


def ours(client: Client, number: int) -> float:
    """One request, answered."""
    told = client.call("collect_secret", {"secrets": [{"name": f"KEY_{number % 8}"}], "reason": str(number)})
    url = told["structuredContent"]["url"]
    origin, _, rest = url.partition("/r/")
    token, _, key = rest.partition("#k=")
    connection = http.client.HTTPConnection(origin.removeprefix("http://"))
    connection.request("GET", f"/r/{token}", headers={"Accept": "application/json"})
    request = json.loads(connection.getresponse().read())
    values = {f"KEY_{number % 8}": VALUE}
    plain = {"token": token, "nonce": request["nonce"], "values": values, "allow_tracked": False,
             "fingerprint_key": unpadded(os.urandom(32))}  # fmt: skip
    box = SealedBox(PublicKey(base64.urlsafe_b64decode(key + "="))).encrypt(json.dumps(plain).encode().ljust(4096))
    took = post(connection, f"/r/{token}", {"nonce": request["nonce"], "sealed": "v1." + unpadded(box)})
    connection.close()
    return took


def theirs(connection: http.client.HTTPConnection, key: bytes) -> float:
    box = SealedBox(PublicKey(key)).encrypt(json.dumps({"values": {"KEY": VALUE}}).encode().ljust(4096))
    return post(connection, "/", {"sealed": unpadded(box)})


def disk(folder: str) -> float:
    """What any safe write costs here: a file and its folder to the disk, and a rename."""
    began = time.perf_counter()
    target = os.path.join(folder, "plain.env")
    with open(target + ".tmp", "wb") as file:
        file.write(b"KEY=" + VALUE.encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())
    os.rename(target + ".tmp", target)
    descriptor = os.open(folder, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)
    return time.perf_counter() - began


def submissions(count: int) -> None:
    offprompt = [shutil.which("offprompt") or sys.exit("offprompt is not on PATH: make bench-submit"), "mcp"]
    here, there = tempfile.mkdtemp(dir=os.getcwd()), tempfile.mkdtemp(dir=os.getcwd())
    peer = subprocess.Popen(["node", str(PEERS / "sealed_page.mjs"), there], stdout=subprocess.PIPE, text=True)
    assert peer.stdout is not None
    facts = json.loads(peer.stdout.readline())
    key = base64.urlsafe_b64decode(facts["key"] + "=")
    connection = http.client.HTTPConnection("127.0.0.1", facts["port"])
    env = {**os.environ, "SSH_CONNECTION": "bench", "OFFPROMPT_TUNNEL": "off", "CLAUDE_PROJECT_DIR": here}
    client = Client(offprompt, cwd=here, env=env)
    client.initialize()
    taken: dict[str, list[float]] = {"offprompt": [], "Node + libsodium-wrappers": [], "the disk alone": []}
    try:
        for number in range(count + 10):
            sample = {"offprompt": ours(client, number), "Node + libsodium-wrappers": theirs(connection, key),
                      "the disk alone": disk(there)}  # fmt: skip
            if number >= 10:  # the first ten warm everything up
                for label, took in sample.items():
                    taken[label].append(took * 1e3)
    finally:
        client.end()
        peer.kill()
        peer.wait()
        shutil.rmtree(here)
        shutil.rmtree(there)
    rows = [
        [label, statistics.median(took), percentile(took, 0.95), percentile(took, 0.99)]
        for label, took in taken.items()
    ]
    show(f"POST to written, {count} submissions, ms", ["server", "median", "p95", "p99"], rows)


def open_thousand(path: str) -> tuple[str, list[str]]:
    """The page's origin, and the paths of 1,000 requests' states."""
    paths, origin = [], ""
    for number in range(SESSIONS):
        with socket.socket(socket.AF_UNIX) as agent:
            agent.connect(path)
            lines = agent.makefile("rwb")
            info = {"name": f"bench-{number}", "version": "1"}
            for asked, (method, params) in enumerate(_messages(info)):
                lines.write(
                    json.dumps({"jsonrpc": "2.0", "id": asked, "method": method, "params": params}).encode() + b"\n"
                )
                lines.flush()
                result = json.loads(lines.readline())["result"]
                if method == "tools/call":
                    origin, _, rest = result["structuredContent"]["url"].partition("/r/")
                    paths.append(f"/r/{rest.partition('#')[0]}/status")
    return origin.removeprefix("http://"), paths


def _messages(info: dict[str, str]) -> Iterator[tuple[str, dict[str, object]]]:
    yield "initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info}
    for number in range(EACH):
        arguments = {"secrets": [{"name": f"KEY_{number}"}], "sandbox": True}
        yield "tools/call", {"name": "collect_secret", "arguments": arguments}


async def poll(host: str, path: str, first: float, end: float, taken: list[float]) -> None:
    """One page: its own connection, a look every 10 s."""
    address, _, port = host.partition(":")
    await asyncio.sleep(first)
    reader, writer = await asyncio.open_connection(address, int(port))
    request = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nAccept: application/json\r\n\r\n".encode()
    while time.perf_counter() < end:
        began = time.perf_counter()
        writer.write(request)
        await writer.drain()
        head = await reader.readuntil(b"\r\n\r\n")
        length = next((line for line in head.lower().splitlines() if line.startswith(b"content-length:")), None)
        if length is None:
            while (size := int((await reader.readline()).strip() or b"0", 16)) > 0:
                await reader.readexactly(size + 2)
            await reader.readline()
        else:
            await reader.readexactly(int(length.split(b":")[1]))
        taken.append((time.perf_counter() - began) * 1e3)
        assert head.startswith(b"HTTP/1.1 200"), head
        await asyncio.sleep(max(0.0, EVERY - (time.perf_counter() - began)))
    writer.close()


async def poll_all(host: str, paths: list[str], seconds: float) -> list[float]:
    taken: list[float] = []
    end = time.perf_counter() + seconds
    pages = (poll(host, path, EVERY * number / len(paths), end, taken) for number, path in enumerate(paths))
    await asyncio.gather(*pages)
    return taken


def watch(label: str, pid: int, host: str, paths: list[str], seconds: float) -> list[object]:
    before, began = cpu(pid), time.perf_counter()
    taken = asyncio.run(poll_all(host, paths, seconds))
    share = (cpu(pid) - before) / (time.perf_counter() - began) * 100
    return [label, len(taken), share, statistics.median(taken), percentile(taken, 0.99), max(taken), memory(pid)[0]]


def thousand(seconds: float) -> None:
    serve = [shutil.which("offprompt") or sys.exit("offprompt is not on PATH: make bench-submit"), "serve"]
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/agents.sock"
        env = {**os.environ, "SSH_CONNECTION": "bench", "OFFPROMPT_TUNNEL": "off"}
        ours = subprocess.Popen([*serve, f"--agent=unix:{path}:mode=600", f"--project={folder}"], env=env,
                                stderr=subprocess.DEVNULL)  # fmt: skip
        peer = subprocess.Popen(["node", str(PEERS / "sealed_page.mjs"), folder], stdout=subprocess.PIPE, text=True)
        try:
            while not os.path.exists(path):
                time.sleep(0.05)
            host, paths = open_thousand(path)
            assert peer.stdout is not None
            other = f"127.0.0.1:{json.loads(peer.stdout.readline())['port']}"
            rows = [
                watch("offprompt", ours.pid, host, paths, seconds),
                watch("Node, a constant answer", peer.pid, other, ["/status"] * len(paths), seconds),
            ]
        finally:
            for process in (ours, peer):
                process.kill()
                process.wait()
    columns = ["server", "looks", "% of a core", "median ms", "p99 ms", "slowest ms", "RSS MiB"]
    show(f"1,000 open requests, each looked at every 10 s, for {seconds:.0f} s", columns, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--submissions", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=30)
    arguments = parser.parse_args()
    submissions(arguments.submissions)
    thousand(arguments.seconds)


if __name__ == "__main__":
    main()
