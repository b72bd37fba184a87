#!/usr/bin/env python3
"""A stand-in for cloudflared that behaves as a file tells it: a real process with real signals and the real words.

Beside it lies `script.json`: `behaviour`, one of the functions here, and what it needs. It listens as cloudflared does
(`/ready` and `/quicktunnel` on a port of 127.0.0.1), and can write its environment and arguments down. The road to
the page is not its business: front.py stands in for Cloudflare's edge.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time

HOST = "blue-quick-fox-jumps.trycloudflare.com"
HERE = os.path.dirname(os.path.abspath(__file__))


class Child:
    """What the behaviours are made of."""

    def __init__(self, script: dict) -> None:
        self.script = script
        self.host = script.get("host", HOST)
        self.ready = 503
        self.crlf = False
        self.json = False

    def raw(self, data: bytes) -> None:
        os.write(2, data)

    def log(self, message: str, level: str = "INF") -> None:
        if self.json:
            names = {"INF": "info", "ERR": "error", "WRN": "warn"}
            line = json.dumps({"level": names[level], "message": message, "time": "2026-11-29T12:24:28Z"})
        elif self.crlf:
            line = f"2026-11-29T12:24:28Z \x1b[32m{level}\x1b[0m {message}\r"
        else:
            line = f"2026-11-29T12:24:28Z {level} {message}"
        self.raw(line.encode() + b"\n")

    def bare(self, text: str) -> None:
        self.raw(text.encode() + b"\n")

    def banner(self, host: str | None = None) -> None:
        width = max(88, len(f"https://{host or self.host}"))
        self.log("+" + "-" * (width + 4) + "+")
        title = "Your quick Tunnel has been created! Visit it at (it may take some time to be reachable):"
        self.log(f"|  {title.ljust(width)}  |")
        self.log(f"|  {('https://' + (host or self.host)).ljust(width)}  |")
        self.log("+" + "-" * (width + 4) + "+")

    def metrics(self) -> None:
        import http.server  # slow: not for a child that only tells its version

        child = self

        class Answer(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                status = child.ready if self.path == "/ready" else 200
                body = json.dumps({"hostname": child.host} if self.path == "/quicktunnel" else {"status": status})
                self.send_response(status)
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *words: object) -> None:
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.log(f"Starting metrics server on 127.0.0.1:{server.server_port}/metrics")

    def register(self) -> None:
        self.ready = 200
        self.log(
            "Registered tunnel connection connIndex=0 connection=41159c70-35d7-4095-9d55-6b1d2932c068 event=0"
            " ip=198.41.192.7 location=fra08 protocol=quic"
        )

    def api_failure(self, error: str) -> None:
        self.bare(f'failed to request quick Tunnel: Post "https://api.trycloudflare.com/tunnel": {error}')
        sys.exit(1)

    def linger(self, grace: float = 0.0) -> None:
        """Run until TERM, and `grace` seconds more."""
        ended = threading.Event()
        signal.signal(signal.SIGTERM, lambda *_: ended.set())
        while not ended.wait(0.02):
            flip = os.path.join(HERE, "flip")
            if os.path.exists(flip):
                with open(flip) as word:
                    told = word.read().strip()
                os.unlink(flip)
                if told == "503":
                    self.ready = 503
                elif told == "200":
                    self.ready = 200
                elif told == "die":
                    os._exit(1)
                elif told == "again":
                    self.log("Retrying connection in up to 1s connIndex=0", "WRN")
                    self.register()
        self.ready = 503
        self.log("Initiating graceful shutdown due to signal terminated ...")
        time.sleep(grace)
        sys.exit(0)


def start(child: Child) -> None:
    """The usual beginning."""
    child.log("Thank you for trying Cloudflare Tunnel. (https://www.cloudflare.com/website-terms/)")
    child.log("Requesting new quick Tunnel on trycloudflare.com...")
    time.sleep(child.script.get("api_seconds", 0.01))
    child.banner()
    child.log('ICMP proxy feature is disabled error="cannot create ICMPv4 proxy: permission denied"', "WRN")
    child.metrics()
    time.sleep(child.script.get("edge_seconds", 0.02))


def ok(child: Child) -> None:
    start(child)
    child.register()
    child.linger()


def banner_then_exit(child: Child) -> None:
    child.banner()
    child.bare("Could not lookup srv records on _v2-origintunneld._tcp.argotunnel.com: no such host")
    sys.exit(1)


def exit_before_banner(child: Child) -> None:
    child.bare("something nobody has seen before")
    sys.exit(1)


def never_registered(child: Child) -> None:
    start(child)
    child.linger()


def blocked(child: Child) -> None:
    start(child)
    child.log(
        'Failed to dial a quic connection error="failed to dial to edge with quic: timeout: no recent network'
        ' activity" connIndex=0',
        "ERR",
    )
    child.log("Switching to fallback protocol http2")
    child.log(
        'Unable to establish connection with Cloudflare edge error="DialContext error: dial tcp 198.41.192.7:7844:'
        ' i/o timeout" connIndex=0',
        "ERR",
    )
    child.linger()


def ready_without_words(child: Child) -> None:
    """A release whose words for the banner and the registration are others."""
    child.log("Have a tunnel!")
    child.metrics()
    time.sleep(0.05)
    child.ready = 200
    child.linger()


def silent(child: Child) -> None:
    child.linger()


def exit_0_silent(child: Child) -> None:
    sys.exit(0)


def usage(child: Child) -> None:
    os.write(
        1, b"Incorrect Usage. flag provided but not defined: -max-edge-addr-retries\n\nNAME:\n   cloudflared tunnel\n"
    )
    sys.exit(0)


def no_dns(child: Child) -> None:
    child.api_failure("dial tcp: lookup api.trycloudflare.com on 127.0.0.1:53: no such host")


def intercepted(child: Child) -> None:
    child.api_failure(
        "tls: failed to verify certificate: x509: certificate is valid for *.safezone.mcafee.com, not"
        " api.trycloudflare.com"
    )


def limited(child: Child) -> None:
    """429 with a page full of addresses that look like tunnels."""
    child.log("Requesting new quick Tunnel on trycloudflare.com...")
    page = (
        "<html>\n|  Your quick Tunnel has been created!  |\n|  https://decoy-one.trycloudflare.com  |\n"
        "https://decoy-two.trycloudflare.com\n</html>"
    )
    child.log(
        f"Error unmarshaling QuickTunnel response: {page} error=\"invalid character '<'\""
        ' status_code="429 Too Many Requests"',
        "ERR",
    )
    child.bare("failed to unmarshal quick Tunnel: invalid character '<' looking for beginning of value")
    sys.exit(1)


def down(child: Child) -> None:
    child.log(
        'Error unmarshaling QuickTunnel response: error="unexpected end of JSON input"'
        ' status_code="500 Internal Server Error"',
        "ERR",
    )
    child.bare("failed to unmarshal quick Tunnel: unexpected end of JSON input")
    sys.exit(1)


def cut_banner(child: Child) -> None:
    """Every byte by itself."""
    raw = child.raw
    child.raw = lambda data: [raw(data[i : i + 1]) for i in range(len(data))]  # type: ignore[method-assign,assignment]
    ok(child)


def coloured(child: Child) -> None:
    child.crlf = True
    ok(child)


def invalid_utf8(child: Child) -> None:
    child.raw(b"\xff\xfe\x00\xc3\n2026-11-29T12:24:28Z INF \xf0\x28\n")
    ok(child)


def long_line(child: Child) -> None:
    child.log("x" * 300_000, "ERR")
    ok(child)


def flood(child: Child) -> None:
    """7 MB, more than any pipe holds."""
    start(child)
    child.register()
    for _ in range(700):
        child.raw((b"2026-11-29T12:24:28Z ERR " + b"y" * 99 + b"\n") * 80)
    child.linger()


def ignores_term(child: Child) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    start(child)
    child.register()
    while True:
        time.sleep(60)


def slow_to_stop(child: Child) -> None:
    start(child)
    child.register()
    child.linger(30)


def dies_by_signal(child: Child) -> None:
    start(child)
    os.kill(os.getpid(), signal.SIGSEGV)


def forks(child: Child) -> None:
    """A shim that does not exec: the real one is its child, and outlives a TERM of the shim."""
    import subprocess

    grandchild = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"])
    with open(os.path.join(HERE, "grandchild"), "w") as file:
        file.write(str(grandchild.pid))
    ok(child)


def escapes(child: Child) -> None:
    """Something it started has left the group and holds its pipes."""
    import subprocess

    grandchild = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(20)"], start_new_session=True)
    with open(os.path.join(HERE, "grandchild"), "w") as file:
        file.write(str(grandchild.pid))
    ok(child)


def second_banner(child: Child) -> None:
    start(child)
    child.banner("another-one.trycloudflare.com")
    child.register()
    child.linger()


def json_log(child: Child) -> None:
    child.json = True
    ok(child)


def panics(child: Child) -> None:
    start(child)
    child.bare("panic: runtime error: invalid memory address or nil pointer dereference")
    for number in range(800):
        child.bare(f"goroutine {number} [running]:\nmain.main()\n\t/go/src/main.go:1")
    os._exit(2)


def main() -> None:
    with open(os.path.join(HERE, "script.json"), encoding="utf-8") as file:
        script = json.load(file)
    if sys.argv[1:] == ["--version"]:
        time.sleep(script.get("version_seconds", 0))
        print(script.get("version", "cloudflared version 2026.9.1 (built 2026-09-01-10:00 UTC)"))
        return
    with open(os.path.join(HERE, "starts.jsonl"), "a", encoding="utf-8") as file:
        config = sys.argv[sys.argv.index("--config") + 1]
        with open(config, encoding="utf-8") as settings:
            text = settings.read()
        entry = {
            "pid": os.getpid(),
            "pgid": os.getpgid(0),
            "sid": os.getsid(0),
            "argv": sys.argv[1:],
            "environ": dict(os.environ),
            "cwd": os.getcwd(),
            "at": time.time(),
            "config": text,
            "config_mode": os.stat(config).st_mode & 0o777,
            "stdin": os.readlink("/proc/self/fd/0") if os.path.exists("/proc/self/fd/0") else "",
        }
        file.write(json.dumps(entry) + "\n")
    behaviours = script["behaviour"].split(",")
    with open(os.path.join(HERE, "starts.jsonl"), encoding="utf-8") as file:
        number = len(file.readlines()) - 1
    globals()[behaviours[min(number, len(behaviours) - 1)]](Child(script))


if __name__ == "__main__":
    main()
