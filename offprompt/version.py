"""The version, a constant: asking importlib.metadata for it would cost the light path 5 MiB."""

from __future__ import annotations

VERSION = "0.1.0"
