"""Runs a program that must not outlive the process that started it. A script of its own: `python -I -S leash.py …`.

Arguments: the process id of the parent, the folder to work in, the program, its arguments. Standard input is a pipe
that the parent holds open and never writes to. The program gets /dev/null there, and a session and a process group of
its own. The group's id is this process's, so that a signal to the group reaches whatever the program starts.

Linux kills a process when its parent ends, on request (PR_SET_PDEATHSIG, prctl(2)): this script requests it and becomes
the program. Elsewhere it stays as a guard and kills the whole group when the pipe closes. It also stays where the
request would be lost, and for a script, which may start the real program as a child of its own.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import stat
import subprocess
import sys
import threading

CANNOT_RUN = 126
"""The exit code when the program could not be started, as a shell has it (POSIX 2.8.2)."""
PR_SET_PDEATHSIG = 1


def dies_with_parent(parent: int) -> bool:
    """Have Linux kill this process when `parent` ends. Return False where the system cannot."""
    try:
        if ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0) != 0:
            return False
    except (OSError, AttributeError):
        return False
    if os.getppid() != parent:  # it ended before it was asked for
        os.kill(os.getpid(), signal.SIGKILL)
    return True


def remembers(program: str) -> bool:
    """Return whether the request still holds once this process has become `program`.

    It is lost where the program runs with the rights of others, or with capabilities of its own (prctl(2)).
    """
    try:
        with open(program, "rb") as file:
            if file.read(2) == b"#!":
                return False
    except PermissionError:  # it may be run and not read: who knows what it is
        return False
    if os.stat(program).st_mode & (stat.S_ISUID | stat.S_ISGID):
        return False
    try:
        return "security.capability" not in os.listxattr(program)
    except OSError:  # a file system that knows no such thing
        return True


def guard(command: list[str]) -> int:
    """Run `command` in this group and return its exit code. When standard input closes, kill everything."""

    def watch() -> None:
        with contextlib.suppress(OSError):
            while os.read(0, 1):
                pass
        os.killpg(0, signal.SIGKILL)

    # The group's signals reach the program itself; a handler, unlike SIG_IGN, is not inherited by it.
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: None)
    threading.Thread(target=watch, daemon=True).start()
    return subprocess.Popen(command, stdin=subprocess.DEVNULL).wait()


def become(command: list[str]) -> None:
    """Replace this process by `command`, with no input and the signals as a program expects them."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    for ignored in (signal.SIGPIPE, signal.SIGXFSZ):  # by Python, and a program would inherit that
        signal.signal(ignored, signal.SIG_DFL)
    os.execv(command[0], command)


def main(arguments: list[str]) -> int:
    """Run the program, as the head of this file says."""
    parent, folder, *command = arguments
    try:
        os.setsid()
        os.chdir(folder)
        if sys.platform == "linux" and remembers(command[0]) and dies_with_parent(int(parent)):
            become(command)
        ended = guard(command)
    except OSError as error:
        print(f"offprompt: cannot run {command[0]}: {error.strerror}", file=sys.stderr, flush=True)  # noqa: T201
        return CANNOT_RUN
    if ended < 0:
        signal.signal(-ended, signal.SIG_DFL)
        os.kill(os.getpid(), -ended)
    return ended


if __name__ == "__main__":
    # Not sys.exit: the thread that watches the pipe may hold the interpreter up.
    os._exit(main(sys.argv[1:]))
