"""Prefixes of frameworks, such as `NEXT_PUBLIC_`: what they say of a variable, and the name without them."""

from __future__ import annotations

from offprompt.registry.tables import built


def public_prefix(name: str) -> str:
    """Return the prefix by which build tools give the value to every visitor's browser, or ""."""
    return next((prefix for prefix in built()["public_prefixes"] if name.startswith(prefix) and name != prefix), "")


def plain_name(name: str) -> str:
    """Return `name` without all prefixes that build tools put before what a browser may see."""
    prefixes = tuple(built()["public_prefixes"])
    while name.startswith(prefixes):
        rest = next(name.removeprefix(prefix) for prefix in prefixes if name.startswith(prefix))
        if not rest:
            break
        name = rest
    return name
