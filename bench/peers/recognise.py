"""Reads a list of values, a line of JSON; says how many µs detect-secrets takes to look at one, and what it finds."""

from __future__ import annotations

import json
import sys
import time

from detect_secrets.core.scan import scan_line
from detect_secrets.settings import default_settings

values = json.loads(sys.stdin.readline())
with default_settings():
    lines = [f"KEY={value}" for value in values]
    found = [sorted({secret.type for secret in scan_line(line)}) for line in lines]
    began = time.perf_counter()
    for _ in range(20):
        for line in lines:
            list(scan_line(line))
    took = (time.perf_counter() - began) / 20 / len(lines)
print(json.dumps({"us": took * 1e6, "found": found}))
