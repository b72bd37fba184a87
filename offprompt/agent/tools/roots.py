"""The folders a host names as its workspace (`roots/list` of MCP 2025-11-25, client/roots)."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

MAX_ROOTS = 64
"""Folders that are looked at: a workspace of more is no project that anybody means."""


def root_paths(result: object, windows: bool = False) -> tuple[str, ...]:
    """The local folders in the result of a `roots/list`, in its order; whatever is no `file:` URI is passed over.

    `windows` turns `file:///C:/shop` into `C:/shop`.
    """
    roots = result.get("roots") if isinstance(result, dict) else None
    found = []
    for root in (roots if isinstance(roots, list) else [])[:MAX_ROOTS]:
        uri = root.get("uri") if isinstance(root, dict) else None
        path = _path(uri) if isinstance(uri, str) else ""
        if path:
            found.append(path[1:] if windows and path[2:3] == ":" else path)
    return tuple(found)


def _path(uri: str) -> str:
    try:
        parts = urlsplit(uri)
    except ValueError:  # an IPv6 address that is none
        return ""
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return ""
    path = unquote(parts.path, errors="surrogateescape")
    return "" if "\0" in path else path
