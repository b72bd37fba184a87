"""A stand-in for the page's service, for the states that the real one cannot be brought to at will.

It fills the real template, opens real seals, and answers as told: a file system that refuses, a service that is silent,
a request that closes under the page. It speaks docs/protocol.md, "The page" and nothing more.
"""

from __future__ import annotations

import base64
import html
import json
import re
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from nacl.public import PrivateKey, SealedBox

from offprompt.page.catalogues import Catalogue
from offprompt.page.data import _secret
from offprompt.registry.icons import icons
from offprompt.request.fields import describe
from offprompt.request.fingerprint import fingerprint, key_id
from offprompt.request.spec import Entry

PAGE = Path(__file__).parents[2] / "offprompt" / "page"

PATIENCE = 30
"""Seconds after which a post that a test forgot goes on."""

TOKEN, NONCE, CSP_NONCE = "0123456789abcdef" * 2, "fedcba9876543210" * 2, "c3RhbmQtaW4tbm9uY2U"

CSP = (
    f"default-src 'none'; script-src 'nonce-{CSP_NONCE}'; style-src 'nonce-{CSP_NONCE}'; connect-src 'self'; "
    "img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)


def secret(name: str, **more: Any) -> dict[str, Any]:
    """An entry of the request's `secrets`."""
    plain = {"label": "", "caption": "", "secret": True, "multiline": False, "present": False, "url": ""}
    return {"name": name, **plain, "key": None, "rules": [], "generate": None, **more}


def asked(entry: Entry, **more: Any) -> dict[str, Any]:
    """An entry of the request's `secrets` with all that the registry knows of it."""
    return {**_secret(describe(entry), present=False), **more}


def destination(**more: Any) -> dict[str, Any]:
    """The request's `sink`: a new file that git ignores, but for what `more` says of it."""
    known = {
        "kind": "dotenv", "path": ".env", "lands": "", "exists": False, "git": "untracked", "ignored": True,
        "readable_by_others": False, "public": "", "trusted": "", "writable": True, **more,
    }  # fmt: skip
    agree = bool(known["git"] in ("tracked", "unknown") or known["public"] or known["trusted"])
    return {**known, "tracked": known["git"] == "tracked", "agree": agree}


def request_data(*secrets: dict[str, Any], sink: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """The request as the page gets it."""
    return {
        "v": 1, "token": TOKEN, "nonce": NONCE, "host": "Claude Code", "project": "shop", "reason": "",
        "sink": destination(**(sink or {})),
        "expires_in": 590, "icons": icons({one["key"]["id"] for one in secrets if one["key"]}),
        "secrets": list(secrets), **more,
    }  # fmt: skip


@dataclass
class Script:
    """What the stand-in does: the request it shows, the answers it gives, and what it was sent."""

    data: dict[str, Any]
    reason: str = ""
    lang: str = "en"
    answers: list[tuple[int, Any]] = field(default_factory=list)
    """Answers to the next posts, in turn; when none is left a post is opened and written."""
    status: dict[str, Any] | None = None
    """The object of `/status`; None: awaiting, or written once something was."""
    silent: bool = False
    """Connections are dropped without a word."""
    drop_answer: bool = False
    """A post is written, its answer lost."""
    held: threading.Event | None = None
    """A post waits until this is set."""
    wrong_fingerprint: bool = False
    posts: list[dict[str, Any]] = field(default_factory=list)
    opened: list[dict[str, Any]] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    written: dict[str, Any] | None = None
    declined: bool = False
    notes: list[str] = field(default_factory=list)
    shell_differs: list[str] = field(default_factory=list)
    meanwhile: set[str] = field(default_factory=set)
    """Names that the file has got since the page was opened."""
    key: PrivateKey = field(default_factory=PrivateKey.generate)

    @property
    def public(self) -> bytes:
        return bytes(self.key.public_key)

    @property
    def fragment(self) -> str:
        return "#k=" + base64.urlsafe_b64encode(self.public).decode().rstrip("=")

    @property
    def shown_path(self) -> str:
        sink = self.data["sink"]
        return f"{sink['path']} → {sink['lands']}" if sink["lands"] else str(sink["path"])

    def page(self) -> bytes:
        words = json.loads((PAGE / "words" / f"{self.lang}.json").read_text())
        data = {**self.data, "key_id": key_id(self.public)}
        facts = {"host": data["host"], "path": self.shown_path}

        catalogue = Catalogue(words["lang"], words["dir"], words, {})

        def phrase(key: str) -> str:
            return html.escape(catalogue.phrase(key, **facts))

        def embedded(value: Any) -> str:
            text = json.dumps(value, ensure_ascii=False)
            return re.sub("[<>&\u2028\u2029]", lambda found: f"\\u{ord(found[0]):04x}", text)

        known = {
            "lang": words["lang"], "dir": words["dir"], "title": phrase("title"), "says": phrase("says"),
            "noscript": phrase("noscript"), "reason": self.reason, "nonce": CSP_NONCE,
            "style": (PAGE / "static" / "bundle.css").read_text(),
            "script": (PAGE / "static" / "bundle.js").read_text(),
            "languages": "".join(
                f'<option value="{path.stem}">{json.loads(path.read_text())["name"]}</option>'
                for path in sorted((PAGE / "words").glob("*.json"))
            ),
            "request": embedded(data), "words": embedded({k: v for k, v in words.items() if k != "notice"}),
        }  # fmt: skip
        template = (PAGE / "static" / "page.html").read_text()
        return re.sub(r"\{\{(\w+)\}\}", lambda found: known[found[1]], template).encode()

    def write(self, body: dict[str, Any]) -> tuple[int, Any]:
        sealed = body["sealed"]
        assert sealed.startswith("v1.")
        box = base64.urlsafe_b64decode(sealed[3:] + "=" * (-len(sealed[3:]) % 4))
        said = json.loads(SealedBox(self.key).decrypt(box))
        self.opened.append(said)
        assert (said["token"], said["nonce"]) == (TOKEN, NONCE)
        if self.data["sink"]["agree"] and not said["allow_tracked"]:
            return 422, {"errors": {}, "form": ["Tick the box first."]}
        keys = []
        for entry in self.data["secrets"]:
            typed = entry["name"] in said["values"]
            if entry["generate"]:
                held = entry["present"] or entry["name"] in self.meanwhile
                outcome = "kept" if held else "generated"
            elif typed:
                outcome = "replaced" if entry["present"] else "added"
            else:
                outcome = "kept"
            keys.append({"name": entry["name"], "outcome": outcome})
        raw = base64.urlsafe_b64decode(said["fingerprint_key"] + "=")
        went = {key["name"] for key in keys if key["outcome"] != "kept"}
        held = {name: value for name, value in said["values"].items() if name in went}
        four = list(fingerprint(raw, held)) if held else []
        if self.wrong_fingerprint:
            four = four[1:] + four[:1] if len(set(four)) > 1 else ["🔑"] * 4
        self.written = {"status": "written", "expires_in": 0, "fingerprint": four}
        more = {"notes": self.notes, "shell_differs": self.shell_differs}
        return 200, {**self.written, "file": self.shown_path, "keys": keys, **more}


class StandIn:
    """The stand-in at work on a port of its own; `script` says what it does."""

    def __init__(self, script: Script, port: int = 0) -> None:
        self.script = script
        self.closed = False
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                pass

            def reply(self, status: int, body: bytes, kind: str) -> None:
                self.send_response(status)
                for name, value in (
                    ("Content-Type", kind), ("Content-Length", str(len(body))), ("Content-Security-Policy", CSP),
                    ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-store"),
                    ("Cross-Origin-Opener-Policy", "same-origin"), ("X-Content-Type-Options", "nosniff"),
                ):  # fmt: skip
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def tell(self, status: int, value: Any) -> None:
                self.reply(status, json.dumps(value).encode(), "application/json")

            def quiet(self) -> bool:
                outer.script.requests.append(f"{self.command} {self.path}")
                if outer.closed or outer.script.silent:
                    self.close_connection = True
                return outer.closed or outer.script.silent

            def do_GET(self) -> None:
                script = outer.script
                if self.quiet():
                    return
                if self.path == f"/r/{TOKEN}":
                    self.reply(200, script.page(), "text/html; charset=utf-8")
                elif self.path == f"/r/{TOKEN}/status":
                    open_still = {"status": "awaiting", "expires_in": script.data["expires_in"]}
                    gone = {"status": "gone"}
                    said = script.status or script.written or open_still
                    self.tell(404 if said == gone else 200, said)
                elif self.path.startswith(f"/r/{TOKEN}/words/"):
                    words = json.loads((PAGE / "words" / f"{self.path.rsplit('/', 1)[1]}.json").read_text())
                    self.tell(200, {name: value for name, value in words.items() if name != "notice"})
                else:
                    self.tell(404, {})

            def do_POST(self) -> None:
                script = outer.script
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if self.quiet():
                    return
                assert body["nonce"] == NONCE
                if self.path.endswith("/decline"):
                    script.declined = True
                    self.tell(200, {"status": "cancelled", "expires_in": 0})
                    return
                script.posts.append(body)
                if script.held is not None:
                    script.held.wait(PATIENCE)
                if script.answers:
                    status, said = script.answers.pop(0)
                    if said == "write":
                        script.write(body)
                        said = {}
                else:
                    status, said = script.write(body)
                if script.drop_answer:
                    self.close_connection = True
                    return
                self.tell(status, said)

        ThreadingHTTPServer.allow_reuse_address = True
        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        return self._server.server_address[1]

    @property
    def link(self) -> str:
        return f"http://127.0.0.1:{self.port}/r/{TOKEN}{self.script.fragment}"

    def close(self) -> None:
        self.closed = True  # a connection that is kept alive ends with its next request
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
