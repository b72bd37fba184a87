"""`offprompt fill LINK`: answer a request from a terminal, without a browser and without a page to trust.

Exit status: 0 written, 1 not written, 2 wrong link or usage, 3 declined, 4 the request is closed, 129 the terminal is
gone (as SIGHUP is reported by shells), 130 left without an answer, 143 ended by SIGTERM.
"""

from __future__ import annotations

import argparse
import base64
import os
import sys
import time
from typing import TYPE_CHECKING

from offprompt import errors
from offprompt.cli.fill.client import PageClient
from offprompt.cli.fill.dialogue import Dialogue, Exit, closed, decline, refused
from offprompt.cli.fill.request import AskedRequest, read_request
from offprompt.cli.fill.terminal import EndOfInput, HungUp, Interrupted, NotTaken, Terminal, open_terminal
from offprompt.operate.crashes import leave_no_core
from offprompt.request.fingerprint import key_id
from offprompt.request.link import Link, parse_link
from offprompt.request.seal import seal

if TYPE_CHECKING:
    from collections.abc import Sequence

_WRONG = (
    errors.NotALink,
    errors.LinkCut,
    errors.LinkOfAnother,
    errors.NotAKey,
    errors.NoSuchRequest,
    errors.StrangeAnswer,
)


class _Over(Exception):
    """The request is closed: `lines` say how."""

    def __init__(self, lines: tuple[str, ...]) -> None:
        super().__init__()
        self.lines = lines


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit status is an `Exit`."""
    options = _parser().parse_args(argv)
    leave_no_core()
    try:
        if options.decline:
            return _decline(parse_link(options.link or ""))
        with open_terminal() as terminal:
            link = parse_link(options.link if options.link is not None else terminal.ask("Link: ", shown=True))
            return _answer(link, terminal)
    except _Over as over:
        print(*over.lines, sep="\n", file=sys.stderr)
        return Exit.CLOSED
    except errors.OffpromptError as error:
        print(error, file=sys.stderr)
        return Exit.WRONG_LINK if isinstance(error, _WRONG) else Exit.NOT_WRITTEN
    except (KeyboardInterrupt, Interrupted, EndOfInput):
        return Exit.LEFT
    except HungUp:
        return Exit.HUNG_UP
    except NotTaken:
        print(errors.NotALink(), file=sys.stderr)
        return Exit.WRONG_LINK


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="offprompt fill",
        description="Answer an agent's request from a terminal. Values are asked for without being shown, sealed here, "
        "and only the service that asked can open them.",
        epilog="Exit status: 0 written, 1 not written, 2 wrong link, 3 declined, 4 the request is closed, "
        "129 the terminal was closed, 130 left without an answer.",
    )
    parser.add_argument("link", nargs="?", metavar="LINK", help="the whole link, with #k=…; asked for when left out")
    parser.add_argument("--decline", action="store_true", help="say no: nothing is written and the agent is told")
    return parser


def _answer(link: Link, terminal: Terminal) -> int:
    client = PageClient(link)
    request = _fetch(link, client)
    return Dialogue(request, _public_key(link), client, terminal, os.urandom, time.sleep).run()


def _decline(link: Link) -> int:
    client = PageClient(link)
    return decline(_fetch(link, client).nonce, client, _print)


def _fetch(link: Link, client: PageClient) -> AskedRequest:
    """The request behind `link`, which is the one that the link's key was made for."""
    reply = client.fetch()
    if reply.status == 404:
        raise errors.NoSuchRequest()
    if reply.status == 410:
        raise _Over(closed(reply.members))
    if reply.status != 200:
        raise refused(client.host, reply)
    request = read_request(reply.members, client.host)
    if request.token != link.token or request.key_id != key_id(_public_key(link)):
        raise errors.LinkOfAnother()
    seal(_public_key(link), b"")  # a key that seals nothing is found before anything is typed
    return request


def _public_key(link: Link) -> bytes:
    return base64.urlsafe_b64decode(link.key + "=")


def _print(*lines: str) -> None:
    """Print lines on standard output, without the empty ones that keep paragraphs apart."""
    for line in filter(None, lines):
        print(line)
