"""What an agent reads of a request: what happened, and what to do next.

Each function returns the note for one situation, which its docstring names. The model tells the person, so no note
holds a value, and only `url` holds a link.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from offprompt.text import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

# --- what the person reads in their agent -----------------------------------------------------------------------------


def elicitation(names: Sequence[str], path: str) -> str:
    """Return why the host offers to open a page."""
    asked = f"offprompt has a private page on which you can fill in {listed(names)}."
    return f"{asked} It goes into {path}, not into the chat."


# --- notes: what to do next -------------------------------------------------------------------------------------------

HANDS_OFF = "Do not open the file, do not open the link."


def link(remote: bool) -> str:
    """The person has to be shown the link."""
    where = "in the browser on their own machine" if remote else "in their browser"
    return (
        f"Show the person the url now, on a line of its own, and ask them to open it {where} and type the values there."
        f" Then call await_secret with this request_id, again and again while the status is awaiting. {HANDS_OFF}"
    )


def page_open() -> str:
    """The page is in front of the person, who has not answered yet; the agent has no link."""
    return (
        "The page is open in the person's browser; they have not answered yet. Call await_secret with this"
        f" request_id, again and again while the status is awaiting. {HANDS_OFF}"
    )


def written(path: str) -> str:
    """The values are where they were asked for."""
    return (
        f"The person has answered; {path} holds the values. Tell them the fingerprint: it is the same four emoji that"
        f" their page shows. Go on with your work; your code reads the values at run time. {HANDS_OFF}"
    )


def generated(path: str) -> str:
    """Only generated names: written at once, nobody was asked."""
    return (
        f"{path} holds the values; offprompt made them, nobody had to be asked. Go on with your work; your code reads"
        f" them at run time. {HANDS_OFF}"
    )


def nothing_typed(path: str) -> str:
    """The person has pressed the button and left everything as it was, but for what is generated."""
    return (
        f"The person has answered and typed no new value; {path} holds the values. Go on with your work; your code"
        f" reads them at run time. {HANDS_OFF}"
    )


def kept(names: Sequence[str], path: str) -> str:
    """Generated keys the file already held."""
    return f"{path} already had {listed(names)}; what was there is kept."


def expired() -> str:
    """Nobody answered in time."""
    return (
        "The link has expired; nothing was written. Ask the person whether they want to go on; if so, call"
        f" collect_secret again. {HANDS_OFF}"
    )


def declined() -> str:
    """The person pressed the button that says no."""
    return (
        "The person said no on the page; nothing was written. Respect it: do not ask for this again unless they tell"
        f" you to. Go on without it, or ask what they would like instead. {HANDS_OFF}"
    )


def withdrawn() -> str:
    """The agent cancelled its own request."""
    return f"The request is withdrawn; its link no longer works and nothing was written. {HANDS_OFF}"


def stopped() -> str:
    """Whoever runs the service cancelled the request."""
    return (
        "The operator of this offprompt service cancelled the request; nothing was written. Tell the person; ask"
        f" again only if they want it. {HANDS_OFF}"
    )


def too_late(status: str) -> str:
    """A cancel that found the request closed, or being written."""
    if status == "awaiting":
        return f"Too late to withdraw: the values are being written. Call await_secret to see the end. {HANDS_OFF}"
    return f"There was nothing to withdraw: the request was closed before, with the status {status}. {HANDS_OFF}"


def shell_differs(names: Sequence[str], path: str) -> str:
    """Values that a shell would read differently from dotenv libraries."""
    return f"A shell that sources {path} would read {listed(names)} differently: read {path} with a dotenv library."


def preparing() -> str:
    """There is no link yet: a tunnel takes its time."""
    return (
        "The link for the person is being prepared. Call await_secret with this request_id: it brings the link as soon"
        f" as there is one. {HANDS_OFF}"
    )


def forward(port: int, problem: str) -> str:
    """The link points to this machine, which is not the person's; `problem` says why there is no public one."""
    return (
        f"{problem} So this link leads to port {port} of the machine that you run on. It opens where the person's tool"
        f" forwards that port as localhost or 127.0.0.1; forwarded under another number, they change {port} in the link"
        f" to that. Over SSH: ssh -L {port}:127.0.0.1:{port} HOST. If nothing forwards it, ask the person to turn on"
        " port forwarding, or to allow outbound connections to Cloudflare, and call collect_secret again."
    ).lstrip()


def new_link() -> str:
    """A public link where the agent had shown none, or one that no longer works."""
    return (
        "Show the person this url now, on a line of its own: it replaces any earlier link. They open it in the browser"
        f" on their own machine. Then call await_secret again while the status is awaiting. {HANDS_OFF}"
    )


def lands(path: str, where: str) -> str:
    """The path is a link, or leads through one."""
    return f"{path} leads to {where}: that file is written."


def consent(reasons: Sequence[str]) -> str:
    """The person has to agree to the target on the page; `reasons` are whole sentences."""
    return f"{' '.join(reasons)} So the page asks the person to agree first; they may say no."


def port_taken(asked: int, port: int) -> str:
    """The port of OFFPROMPT_PORT was in use."""
    return f"Port {asked} was in use, so the page is on port {port}."
