"""`offprompt doctor`: says whether a person would get a page from here, and what stands in the way."""

from __future__ import annotations

import json
import os
import shutil
import sys
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Literal

import click
from twisted.internet.defer import Deferred
from twisted.internet.task import react

from offprompt import errors
from offprompt.cli.cells import laid_out, wrapped
from offprompt.service.collect import compose_from_environment
from offprompt.version import VERSION
from offprompt.whereabouts import Place

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from offprompt.service.collect import Parts, Reactor

PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")
"""Variables by which programs find a proxy; cloudflared heeds none of them for its own connections."""
MAX_COLUMNS = 100
"""Cells of a line at most: longer ones are hard to read."""
MIN_WIDTH = 20
"""Cells of a finding's text at least."""

State = Literal["good", "note", "bad"]
MARKS: dict[State, str] = {"good": "✓", "note": "·", "bad": "✗"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    `state` is good, note (neither good nor bad) or bad; `text` what was found, `advice` what to do about it or "".
    """

    subject: str
    state: State
    text: str
    advice: str = ""

    def lines(self, columns: int) -> list[str]:
        """Return it for people, for a terminal of `columns` cells: a mark, the subject, what was found."""
        head = f"  {MARKS[self.state]} {self.subject:13} "
        width = max(MIN_WIDTH, columns - len(head) - 1)
        found = [line for part in (self.text, self.advice) if part for line in wrapped(part, width)]
        return [f"{'' if number else head:{len(head)}}{line}" for number, line in enumerate(found)]


def as_json(findings: Sequence[Finding], *, works: bool) -> str:
    """Return them for programs: `{"works": bool, "findings": [{"subject", "state", "text", "advice"}]}`."""
    members = {"works": works, "findings": [asdict(finding) for finding in findings]}
    return json.dumps(members, ensure_ascii=False, indent=2)


@click.command(
    "doctor",
    help="Say whether a person would get a page from here, and if not, why: where offprompt runs, the project, the "
    "browser, the port, the settings, and the public link.",
    epilog="Exit status: 0 a person would get a page, 1 they would not.",
)
@click.option("--json", "as_data", is_flag=True, help="Print what was found as JSON on stdout, and nothing else there.")
@click.option("--no-tunnel", is_flag=True, help="Do not try to make a public link.")
@click.option("--tunnel", is_flag=True, help="Try it even where no public link would be needed.")
def command(as_data: bool, no_tunnel: bool, tunnel: bool) -> int:
    """Look and say; return 0 where a person would get a page, 1 where they would not."""

    async def look(reactor: Reactor) -> None:
        works = await _examine(reactor, as_data=as_data, link="no" if no_tunnel else "yes" if tunnel else "if needed")
        raise SystemExit(0 if works else 1)

    try:
        react(lambda reactor: Deferred.fromCoroutine(look(reactor)))
    except SystemExit as end:
        return int(end.code or 0)


async def _examine(reactor: Reactor, *, as_data: bool, link: Literal["no", "yes", "if needed"]) -> bool:
    """Say what is found, at once or as one object; return whether a person would get a page."""
    environ = os.environ
    columns = min(MAX_COLUMNS, shutil.get_terminal_size().columns)
    findings: list[Finding] = []

    def found(*several: Finding) -> None:
        findings.extend(several)
        if not as_data:
            for line in (line for finding in several for line in finding.lines(columns)):
                print(line, flush=True)

    if not as_data:
        print(f"offprompt {VERSION}\n")
    parts = compose_from_environment(reactor, environ, lambda words: print(f"    … {words}", file=sys.stderr))
    parts.root.startService()
    try:
        found(*_settings(parts), _place(parts), _project(parts), _browser(parts), _port(parts), *_proxies(environ))
        found(await _cloudflared(parts))
        if link == "yes" or (link == "if needed" and parts.where.place is not Place.HERE):
            found(*await _tunnel(parts))
    finally:
        await parts.root.stopService()
    works = _works(parts, findings)
    print(as_json(findings, works=works) if as_data else "\n".join(["", *laid_out(_verdict(findings, works), columns)]))
    return works


def _works(parts: Parts, findings: Sequence[Finding]) -> bool:
    state = {finding.subject: finding.state for finding in findings}
    if state["project"] == "bad":
        return False
    return parts.where.place is not Place.AWAY or state.get("public link") == "good"


def _verdict(findings: Sequence[Finding], works: bool) -> str:
    if works:
        return "A person would get a page."
    if any(finding.subject == "project" and finding.state == "bad" for finding in findings):
        return "A person would not get a page. The lines marked ✗ say why."
    return "A person elsewhere would get a link to this machine. It works only where their tool forwards the port."


def _settings(parts: Parts) -> list[Finding]:
    return [Finding("setting", "bad", problem) for problem in parts.settings.problems]


def _place(parts: Parts) -> Finding:
    words = {Place.HERE: "on the person's machine", Place.AWAY: "away from the person", Place.UNCLEAR: "cannot tell"}
    return Finding("runs", "note", f"{words[parts.where.place]}: {parts.where.reason}")


def _project(parts: Parts) -> Finding:
    try:
        return Finding("project", "good", parts.project(()))
    except errors.ProjectRefused as refused:
        return Finding("project", "bad", str(refused))


def _browser(parts: Parts) -> Finding:
    if parts.where.place is Place.AWAY:
        return Finding("browser", "note", "none is opened here: the person's is elsewhere")
    program = parts.opener.program
    if program:
        return Finding("browser", "good", f"pages open with {program}")
    off = "OFFPROMPT_BROWSER=off keeps pages from opening" if parts.opener.off else "no program that opens pages"
    return Finding("browser", "note", f"{off}: the agent shows the link instead")


def _port(parts: Parts) -> Finding:
    wished, port = parts.settings.port, parts.page.port
    if wished and port != wished:
        return Finding("port", "note", f"{wished} is in use, so the page would be on {port}")
    return Finding("port", "good", f"the page listens on 127.0.0.1:{port}" + ("" if wished else ", any free port"))


def _proxies(environ: Mapping[str, str]) -> list[Finding]:
    names = [name for name in PROXIES if environ.get(name)]
    if not names:
        return []
    text = f"{' and '.join(names)} set: cloudflared does not use proxies"
    return [Finding("proxy", "note", text, "A public link needs direct connections to Cloudflare.")]


async def _cloudflared(parts: Parts) -> Finding:
    if not parts.settings.tunnel:
        return Finding("cloudflared", "note", "not used: OFFPROMPT_TUNNEL keeps public links off")
    installed = await parts.tunnel.finder.installed()
    if installed is not None:
        path, version = installed
        return Finding("cloudflared", "good", f"{path}, version {'.'.join(map(str, version))}")
    try:
        cached = await parts.tunnel.finder.cached()
    except errors.CacheShared as shared:
        return Finding("cloudflared", "bad", str(shared))
    if cached is not None:
        return Finding("cloudflared", "good", f"the pinned release, kept in {cached}")
    return Finding("cloudflared", "note", "none on PATH: the pinned release is downloaded when it is first needed")


STEPS = {
    "asking": ("link: name", "Cloudflare gave a name", "Cloudflare gave no name"),
    "connecting": ("link: edge", "connected to Cloudflare's edge", "no connection to Cloudflare's edge (port 7844)"),
    "checking": ("link: way", "a request came back through it", "no request came back through it"),
}
"""The steps of a public link: the subject of each, what to say once it is done, and what where it fails."""


async def _tunnel(parts: Parts) -> list[Finding]:
    try:
        origin = await parts.tunnel.origin()
        last = Finding("public link", "good", f"{origin} reached this very process")
    except errors.TunnelUnavailable as unavailable:
        last = Finding("public link", "bad", str(unavailable))
    return [*_steps(dict(parts.tunnel.steps), started=parts.tunnel.attempts > 0), last]


def _steps(done: Mapping[str, float], *, started: bool) -> list[Finding]:
    findings: list[Finding] = []
    for step, (subject, good, bad) in STEPS.items():
        if step not in done:
            return [*findings, Finding(subject, "bad", bad)] if started else []
        findings.append(Finding(subject, "good", f"{good}, {done[step]:.1f} s"))
    return findings
