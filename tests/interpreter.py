"""How a Python script that a test writes begins, so that it starts by itself wherever the checkout lies."""

from __future__ import annotations

import shlex
import sys


def head(flags: str, python: str = sys.executable) -> str:
    """Return the first lines of a script that `python` runs with `flags`, such as -IS.

    After `#!` a path ends at its first blank (execve(2)), and a virtual environment in such a checkout has one. There a
    shell starts the interpreter: what it reads as a command is a string to Python, as pip writes it.
    """
    if " " not in python:
        return f"#!{python} {flags}\n"
    return f"#!/bin/sh\n'''exec' {shlex.quote(python)} {flags} \"$0\" \"$@\"\n' '''\n"
