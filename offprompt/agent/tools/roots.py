"""The folders that a host names as its workspace (`roots/list` of MCP 2025-11-25, client/roots)."""

from __future__ import annotations

import ntpath
import posixpath
from urllib.parse import unquote, urlsplit

MAX_ROOTS = 64
"""Roots that are read. A workspace of more is no project that anybody means."""
MAX_SHOWN = 200
"""Characters kept of a root that is no local folder: enough to recognise it in a refusal."""


def root_folders(result: object, windows: bool = False) -> tuple[str, ...]:
    """Return the roots in the result of a `roots/list`, in its order.

    A local folder is returned as its path, absolute by the rules of the system: hosts send `file:` URIs, some bare
    paths. Any other root is returned as it came, so that whoever chooses the project can refuse it by name.

    Args:
        result: what the client answered; anything.
        windows: whether paths have the form of Windows: `file:///C:/shop` is `C:/shop`.
    """
    roots = result.get("roots") if isinstance(result, dict) else None
    folders = []
    for root in (roots if isinstance(roots, list) else [])[:MAX_ROOTS]:
        uri = root.get("uri") if isinstance(root, dict) else None
        if isinstance(uri, str) and uri.strip():
            folders.append(_path(uri, windows) or uri[:MAX_SHOWN])
    return tuple(folders)


def _path(uri: str, windows: bool) -> str:
    """Return the local path, "" where there is none."""
    is_absolute = ntpath.isabs if windows else posixpath.isabs
    if is_absolute(uri):
        path = uri
    else:
        try:
            parts = urlsplit(uri)
        except ValueError:  # an IPv6 address that is none
            return ""
        if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
            return ""
        path = unquote(parts.path, errors="surrogateescape")
        path = path[1:] if windows and path[2:3] == ":" else path
    return "" if "\0" in path or not is_absolute(path) else path
