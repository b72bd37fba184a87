"""`offprompt fill LINK`: answer a request from a terminal, without a browser and without a page to trust.

The exit status is a `dialogue.Exit`, or 143 where SIGTERM ends it (docs/commands.md).
"""

from __future__ import annotations

import base64
import os
import shutil
import sys
import time

import click

from offprompt import errors
from offprompt.cli.cells import laid_out
from offprompt.cli.fill import dialogue
from offprompt.cli.fill.client import PageClient
from offprompt.cli.fill.dialogue import Dialogue, Exit, closed, refused
from offprompt.cli.fill.request import AskedRequest, read_request
from offprompt.cli.fill.terminal import EndOfInput, HungUp, Interrupted, NotTaken, Terminal, open_terminal
from offprompt.operate.crashes import leave_no_core
from offprompt.request.fingerprint import key_id
from offprompt.request.link import Link, parse_link
from offprompt.request.seal import seal

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


@click.command(
    "fill",
    help="Answer an agent's request from this terminal. Values are asked for without being shown and are sealed here; "
    "only the service that asked can open them.",
    epilog="Exit status: 0 written, 1 not written, 2 wrong link, 3 declined, 4 the request is closed, 129 the terminal "
    "was closed, 130 left without an answer.",
)
@click.option("--decline", is_flag=True, help="Say no: nothing is written, and the agent is told.")
@click.argument("link", metavar="[LINK]", required=False)
def command(decline: bool, link: str | None) -> int:
    """Answer the request behind `link`, which is asked for where it is None; return an `Exit`."""
    leave_no_core()
    try:
        if decline:
            return _decline(parse_link(link or ""))
        with open_terminal() as terminal:
            return _answer(parse_link(terminal.ask("Link: ", shown=True) if link is None else link), terminal)
    except _Over as over:
        _complain(*over.lines)
        return Exit.CLOSED
    except errors.OffpromptError as error:
        _complain(str(error))
        return Exit.WRONG_LINK if isinstance(error, _WRONG) else Exit.NOT_WRITTEN
    except (KeyboardInterrupt, Interrupted, EndOfInput):
        return Exit.LEFT
    except HungUp:
        return Exit.HUNG_UP
    except NotTaken:
        _complain(str(errors.NotALink()))
        return Exit.WRONG_LINK


def _answer(link: Link, terminal: Terminal) -> int:
    client = PageClient(link)
    request = _fetch(link, client)
    return Dialogue(request, _public_key(link), client, terminal, os.urandom, time.sleep).run()


def _decline(link: Link) -> int:
    client = PageClient(link)
    return dialogue.decline(_fetch(link, client).nonce, client, _print)


def _fetch(link: Link, client: PageClient) -> AskedRequest:
    """Return the request behind `link`, once it is sure that the link's key was made for it."""
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


def _complain(*lines: str) -> None:
    """Print lines on standard error."""
    columns = shutil.get_terminal_size().columns
    print(*(piece for line in lines for piece in laid_out(line, columns)), sep="\n", file=sys.stderr)


def _print(*lines: str) -> None:
    """Print lines on standard output, without the empty ones that keep paragraphs apart."""
    for line in filter(None, lines):
        print(line)
