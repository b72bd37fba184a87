"""The Accept headers: what a client takes, and how gladly (RFC 9110, section 12.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from werkzeug.http import parse_accept_header

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

MAX_ACCEPT = 1024
"""Characters of one header that are read; browsers send 200 at most. What follows the last whole range is dropped."""

_SCRIPTS = {"cn": "hans", "sg": "hans", "my": "hans", "tw": "hant", "hk": "hant", "mo": "hant"}
"""The script in which Chinese is written where a range names only the region (CLDR, likelySubtags)."""


def weights(header: str) -> dict[str, float]:
    """Return the weight of each range in lower case, the weightiest first; 0 is what the client does not take.

    A range whose weight cannot be read is left out. Werkzeug's parser takes linear time; its MIMEAccept does not.
    """
    if len(header) > MAX_ACCEPT:
        header = header[:MAX_ACCEPT].rpartition(",")[0]
    ranges = sorted(parse_accept_header(header), key=lambda pair: -pair[1])
    found: dict[str, float] = {}
    for name, weight in ranges:
        found.setdefault(name.lower(), weight)
    return found


def takes_gzip(header: str) -> bool:
    """Return whether an answer may be compressed for a client that sends this Accept-Encoding."""
    weight = weights(header)
    named = [weight[coding] for coding in ("gzip", "x-gzip") if coding in weight]
    return max(named or [weight.get("*", 0)]) > 0


def best_language(header: str, tags: Iterable[str], default: str) -> str:
    """Return which of `tags` (in lower case) suits an Accept-Language best: `default` where none does.

    The ranges are tried by weight, each whole or cut at its end (RFC 4647, section 3.4), then as a language. A range of
    another script is a last resort: who reads traditional Chinese rather gets the simplified than English, unless
    English is asked for too.
    """
    weight = weights(header)
    refused = [name for name, given in weight.items() if given == 0]
    offered = [tag for tag in tags if not any(tag == name or tag.startswith(name + "-") for name in refused)]
    other_script = ""
    for wanted in (name for name, given in weight.items() if given > 0):
        exact = _cut_to_fit(wanted, offered)
        if exact:
            return exact
        same = [tag for tag in offered if tag.partition("-")[0] == wanted.partition("-")[0]]
        fitting = [tag for tag in same if not _differ(_script(wanted), _script(tag))]
        if fitting:
            return fitting[0]
        if wanted == "*" and default in offered:
            return default
        other_script = other_script or next(iter(same), "")
    return other_script or default


def _cut_to_fit(wanted: str, offered: Container[str]) -> str:
    while wanted and wanted not in offered:
        wanted = wanted.rpartition("-")[0]
    return wanted


def _script(tag: str) -> str:
    """Return the script that a tag of a language names or implies, "" where it leaves that open."""
    subtags = tag.split("-")[1:]
    named = [subtag for subtag in subtags if len(subtag) == 4 and subtag.isalpha()]
    return next(iter([*named, *(_SCRIPTS[subtag] for subtag in subtags if subtag in _SCRIPTS)]), "")


def _differ(one: str, other: str) -> bool:
    return one != "" and other != "" and one != other
