"""Why a tunnel failed: the classes of cloudflared's failures, and the sentence for each.

The signs were taken from the output of cloudflared 2026.8.2 under faults; tests/tunnel/captures has it. cloudflared
names the cause in its last lines, yet not always: a refused registration over QUIC is never logged.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum

from offprompt import errors
from offprompt.text import one_line


class Cause(Enum):
    """The classes; `backoff.py` says what follows from each."""

    RATE_LIMITED = "rate-limited"
    SERVICE_DOWN = "service-down"
    SERVICE_REFUSED = "service-refused"
    SERVICE_GARBLED = "service-garbled"
    NO_DNS = "no-dns"
    INTERCEPTED = "intercepted"
    SERVICE_TIMEOUT = "service-timeout"
    NO_NETWORK = "no-network"
    NO_DNS_EDGE = "no-dns-edge"
    METRICS_PORT = "metrics-port"
    BAD_CONFIG = "bad-config"
    BAD_FLAGS = "bad-flags"
    CANNOT_RUN = "cannot-run"
    REFUSED_BY_EDGE = "refused-by-edge"
    UDP_BLOCKED = "udp-blocked"
    TCP_BLOCKED = "tcp-blocked"
    CRASHED = "crashed"
    SILENT = "silent"
    UNKNOWN = "unknown"
    # Not read from its output: what we find ourselves.
    STUCK = "stuck"
    """A phase took too long."""
    INVISIBLE = "invisible"
    """The name was nowhere to be found."""
    FOREIGN = "foreign"
    """Somebody else's page answers there."""
    LOST = "lost"
    """It was up, and has stopped working."""


_ASKED = "failed to request quick Tunnel: "
"""How its own reason begins when Cloudflare's service could not be asked."""


def _any(*words: str, after: str = "") -> Callable[[str], bool]:
    """Return a check: whether a line has one of `words`, behind `after` where that is given.

    No expression of the kind `.*(a|b)` reads this text: an error page in it could make that take minutes.
    """

    def in_line(line: str) -> bool:
        _, found, rest = line.partition(after) if after else ("", True, line)
        return bool(found) and any(word in rest for word in words)

    return in_line


def _begins(*words: str) -> Callable[[str], bool]:
    return lambda line: line.startswith(words)


def _status(pattern: str) -> Callable[[str], bool]:
    """Return a check: whether a line has an HTTP status, in either log format, or Cloudflare's own code for it."""
    compiled = re.compile(pattern)
    return lambda line: compiled.search(line) is not None


_SIGNS: tuple[tuple[Cause, Callable[[str], bool]], ...] = (
    (Cause.CANNOT_RUN, _begins("offprompt: cannot run ")),
    (Cause.RATE_LIMITED, _status(r'status_code="?429|"status_code":"429|error code: 1015|Error 1015')),
    (Cause.SERVICE_DOWN, _status(r'status_code="?5\d\d|"status_code":"5\d\d|error code: 1[01]\d\d')),
    (Cause.SERVICE_REFUSED, _any("failed to parse quick Tunnel ID: invalid UUID length: 0")),
    (
        Cause.SERVICE_GARBLED,
        _any(
            "failed to unmarshal quick Tunnel",
            "failed to parse quick Tunnel",
            "failed to read quick-tunnel response: unexpected EOF",
        ),
    ),
    (Cause.NO_DNS, _any("no such host", "server misbehaving", after=_ASKED)),
    (Cause.NO_DNS, lambda line: _any("i/o timeout", "connection refused", after="lookup ")(line.partition(_ASKED)[2])),
    (Cause.INTERCEPTED, _any("x509", "tls: ", after=_ASKED)),
    (Cause.SERVICE_TIMEOUT, _any("Client.Timeout", "context deadline exceeded", "TLS handshake timeout")),
    (
        Cause.NO_NETWORK,
        _any("connection refused", "unreachable", "no route", "i/o timeout", "EOF", "reset", after=_ASKED),
    ),
    (Cause.NO_DNS_EDGE, _any("Could not lookup srv records on")),
    (Cause.METRICS_PORT, _any("Error opening metrics server listener")),
    (
        Cause.BAD_CONFIG,
        _any(
            "error parsing YAML in config file",
            "Couldn't start tunnel",
            "couldn't create client to talk",
            "origin cert",
            "Error validating origin URL",
        ),
    ),
    (Cause.BAD_CONFIG, _any(": no such file", after="open ")),
    (
        Cause.BAD_FLAGS,
        _any("Incorrect Usage", "flag provided but not defined", "did not specify any valid additional argument"),
    ),
    (Cause.REFUSED_BY_EDGE, _any("Register tunnel error from server side")),
    (
        Cause.UDP_BLOCKED,
        _any(*(f"failed to dial to edge with quic: {why}" for why in ("timeout", "INTERNAL_ERROR", "CRYPTO_ERROR"))),
    ),
    (Cause.TCP_BLOCKED, _any("DialContext error: dial tcp", "TLS handshake with edge error")),
    (Cause.CRASHED, _begins("panic:", "fatal error:", "SIGQUIT: quit", "runtime: ")),
)
"""The first that any line shows counts: causes stand before their consequences."""


def cause_in(output: str) -> Cause:
    """Return the class of a failure whose output ends with `output`."""
    lines = output.split("\n")
    for cause, tells in _SIGNS:
        if any(map(tells, lines)):
            return cause
    return Cause.UNKNOWN if output.strip() else Cause.SILENT


_CERTIFICATE = re.compile(r"x509: certificate is valid for ([A-Za-z0-9*.,: -]{1,80}), not ")
MAX_QUOTED = 160
"""Characters of cloudflared's own words in a sentence of ours."""


def sentence(cause: Cause, last_words: str) -> errors.TunnelUnavailable:
    """Return the error that tells a person about `cause`; `last_words` is cloudflared's own reason, foreign text."""
    match cause:
        case Cause.RATE_LIMITED:
            return errors.RateLimited()
        case Cause.SERVICE_DOWN | Cause.SERVICE_REFUSED | Cause.SERVICE_GARBLED:
            return errors.LinkServiceDown()
        case Cause.NO_DNS:
            return errors.NoDns()
        case Cause.INTERCEPTED:
            owner = _CERTIFICATE.search(last_words)
            return errors.Intercepted(owner=owner.group(1) if owner else "somebody else")
        case Cause.SERVICE_TIMEOUT | Cause.NO_NETWORK:
            return errors.NoNetwork()
        case Cause.NO_DNS_EDGE:
            return errors.NoEdgeDns()
        case Cause.UDP_BLOCKED | Cause.TCP_BLOCKED:
            return errors.PortBlocked()
        case Cause.REFUSED_BY_EDGE:
            return errors.EdgeRefused()
        case Cause.STUCK:
            return errors.NeverWorked()
        case Cause.INVISIBLE:
            return errors.NeverVisible()
        case Cause.FOREIGN:
            return errors.ForeignPage()
        case Cause.LOST:
            return errors.TunnelLost()
        case Cause.CANNOT_RUN:
            return errors.CannotRun(reason=_quoted(last_words.rpartition(": ")[2]))
        case Cause.BAD_FLAGS | Cause.BAD_CONFIG | Cause.METRICS_PORT | Cause.SILENT:
            return errors.StartFailed(words=_quoted(last_words))
        case Cause.CRASHED | Cause.UNKNOWN:
            return errors.TunnelCrashed(words=_quoted(last_words))


def _quoted(words: str) -> str:
    """Return foreign words for a sentence: safe to show, short, without addresses (a path may be a link's)."""
    return one_line(re.sub(r"https?://\S+", "(address)", words), MAX_QUOTED).strip() or "it said nothing"
