"""Spaces at the ends of a value: copied along, and never part of a key."""

from __future__ import annotations

SPACE = (
    " \t\n\r\f\v\u00a0\u1680"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b"
    "\u2028\u2029\u202f\u205f\u2060\u3000\ufeff"
)
"""What counts as space: Unicode's white space, and what has no width and comes along when copied from a web page.

Written out because `str.strip` and JavaScript's `trim` take different characters for space: `value.strip(SPACE)`.
"""
