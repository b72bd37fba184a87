"""Searches everything that an object leads to."""

from __future__ import annotations

import gc
from types import FunctionType, MethodType, ModuleType


def reaches(root: object, marker: str) -> bool:
    """Whether any text or bytes that `root` leads to contains `marker`."""
    seen: set[int] = set()
    left: list[object] = [root]
    while left:
        each = left.pop()
        if id(each) in seen or isinstance(each, type | ModuleType | FunctionType | MethodType):
            continue
        seen.add(id(each))
        if isinstance(each, str) and marker in each:
            return True
        if isinstance(each, bytes | bytearray) and marker.encode() in each:
            return True
        left.extend(gc.get_referents(each))
    return False
