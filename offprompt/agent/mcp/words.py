"""Every word an agent reads: what the tools are for, what comes next, what was wrong with a call.

An agent acts on these sentences, so they are part of the product: short, plain, what happened and what to do next. They
are told to the model, which tells the person; so no note holds a value, and only `url` holds a link. Standard library
only, and little of it: this file is read at every start.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# --- the server and its tools -----------------------------------------------------------------------------------------

INSTRUCTIONS = (
    "Use offprompt whenever you need a secret or a setting that only the person has: an API key, a token, a"
    " password, a database URL. Never ask for such a value in the chat, and never let it be pasted there."
    " collect_secret gives the person a private page; what they type is written straight to the project's .env (or a"
    " file), and you get the names and a fingerprint of four emoji, never a value. It can also make random keys. Ask"
    " for everything you need in one call. When a result has a url, show it to the person on a line of its own, then"
    " call await_secret. Do not open the link, and do not open, print or copy the file afterwards: your code reads"
    " the values from it at run time."
)

COLLECT_TITLE = "Collect a secret from the person"
COLLECT = (
    "Ask the person for secrets or settings (API key, token, password, database URL) on a private page in their own"
    " browser. The values are written to the project's .env or to a file; you get names and a fingerprint, never a"
    " value. One request takes 1 to 12 names and can also generate random keys. Waits while the page is in front of"
    " the person; if the result has a url instead, show it to them on a line of its own and call await_secret. The"
    " link works once, for 10 to 30 minutes. Do not open the link or the file yourself."
)
COLLECT_SECRETS = "What to ask for, 1 to 12 entries, each name once."
COLLECT_NAME = (
    "Environment variable: A-Z, 0-9 and _, a letter first, at most 128 characters. Example: STRIPE_SECRET_KEY"
)
COLLECT_PROVIDER = (
    "Rarely needed, usual names are recognised. Whose key it is: stripe, or stripe/webhook_secret. At most one of"
    " provider, format, generate."
)
COLLECT_FORMAT = (
    "What the value looks like: url, postgres_url, mongodb_url, redis_url, email, integer, boolean, pem, json."
    " Others exist."
)
COLLECT_CAPTION = "Where the person finds it, at most 90 characters. Example: Dashboard, Developers, API keys"
COLLECT_GENERATE = "Make a random value instead of asking. A key the file already has is kept."
COLLECT_BYTES = "16 to 64, 32 if left out."
COLLECT_ENCODING = "base64url if left out."
COLLECT_SECRET = "false shows the value while it is typed and allows an empty one: for settings."
COLLECT_REASON = "Why you need it, for the person. Markdown, at most 2000 characters."
COLLECT_SINK = "Where to write. Left out: dotenv, .env"
COLLECT_KIND = "dotenv: NAME=value lines. file: the value is the whole file, exactly one secret."
COLLECT_PATH = "Inside the project, relative to it."
COLLECT_SANDBOX = "true only if your environment says that you run in a cloud sandbox, away from the person's machine."
COLLECT_WAIT = "Seconds to wait for the person, 0 to 240. Best left out."

AWAIT_TITLE = "Wait for the person"
AWAIT = (
    "Wait up to 45 seconds for the person to answer a request of collect_secret. Call it again while the status is"
    " awaiting. Can be asked again after written, for an hour."
)
AWAIT_WAIT = "0 to 45, 45 if left out."

CANCEL_TITLE = "Withdraw a request"
CANCEL = "Withdraw a request of collect_secret: its link stops working, nothing is written."
REQUEST_ID = "The request_id of collect_secret's result."

# --- progress ---------------------------------------------------------------------------------------------------------

WAITING = "Waiting for the person to answer on the page."

# --- what the person reads in their agent -----------------------------------------------------------------------------


def elicitation(names: Sequence[str], path: str) -> str:
    """Why the host offers to open a page."""
    return (
        f"offprompt has a private page on which you can fill in {_and(names)}. It goes into {path}, not into the chat."
    )


# --- notes: what to do next -------------------------------------------------------------------------------------------

HANDS_OFF = "Do not open the file, do not open the link."


def note_link(remote: bool) -> str:
    """The person has to be shown the link."""
    where = "in the browser on their own machine" if remote else "in their browser"
    return (
        f"Show the person the url now, on a line of its own, and ask them to open it {where} and type the values there."
        f" Then call await_secret with this request_id, again and again while the status is awaiting. {HANDS_OFF}"
    )


def note_open() -> str:
    """The page is in front of the person, who has not answered yet; the agent has no link."""
    return (
        "The page is open in the person's browser; they have not answered yet. Call await_secret with this"
        f" request_id, again and again while the status is awaiting. {HANDS_OFF}"
    )


def note_written(path: str) -> str:
    """The values are where they were asked for."""
    return (
        f"The person has answered; {path} holds the values. Tell them the fingerprint: it is the same four emoji that"
        f" their page shows. Go on with your work; your code reads the values at run time. {HANDS_OFF}"
    )


def note_generated(path: str) -> str:
    """Only generated names: written at once, nobody was asked."""
    return (
        f"{path} holds the values; offprompt made them, nobody had to be asked. Go on with your work; your code reads"
        f" them at run time. {HANDS_OFF}"
    )


def note_nothing_typed(path: str) -> str:
    """The person has pressed the button and left everything as it was, but for what is generated."""
    return (
        f"The person has answered and typed no new value; {path} holds the values. Go on with your work; your code"
        f" reads them at run time. {HANDS_OFF}"
    )


def note_kept(names: Sequence[str], path: str) -> str:
    """Generated keys the file already held."""
    return f"{path} already had {_and(names)}; what was there is kept."


def note_expired() -> str:
    """Nobody answered in time."""
    return (
        "The link has expired; nothing was written. Ask the person whether they want to go on; if so, call"
        f" collect_secret again. {HANDS_OFF}"
    )


def note_declined() -> str:
    """The person pressed the button that says no."""
    return (
        "The person said no on the page; nothing was written. Respect it: do not ask for this again unless they tell"
        f" you to. Go on without it, or ask what they would like instead. {HANDS_OFF}"
    )


def note_withdrawn() -> str:
    """The agent cancelled its own request."""
    return f"The request is withdrawn; its link no longer works and nothing was written. {HANDS_OFF}"


def note_stopped() -> str:
    """Whoever runs the service cancelled the request."""
    return (
        "The operator of this offprompt service cancelled the request; nothing was written. Tell the person; ask"
        f" again only if they want it. {HANDS_OFF}"
    )


def note_too_late(status: str) -> str:
    """A cancel that found the request closed, or being written."""
    if status == "awaiting":
        return f"Too late to withdraw: the values are being written. Call await_secret to see the end. {HANDS_OFF}"
    return f"There was nothing to withdraw: the request was closed before, with the status {status}. {HANDS_OFF}"


def note_shell_differs(names: Sequence[str], path: str) -> str:
    """Values that a shell would read differently from dotenv libraries."""
    return f"A shell that sources {path} would read {_and(names)} differently: read {path} with a dotenv library."


def note_preparing() -> str:
    """There is no link yet: a tunnel takes its time."""
    return (
        "The link for the person is being prepared. Call await_secret with this request_id: it brings the link as soon"
        f" as there is one. {HANDS_OFF}"
    )


def note_forward(port: int, problem: str) -> str:
    """The link points to this machine, which is not the person's; `problem` says why there is no public one."""
    return (
        f"{problem} So this link leads to port {port} of the machine that you run on. It opens where the person's tool"
        f" forwards that port as localhost or 127.0.0.1; forwarded under another number, they change {port} in the link"
        f" to that. Over SSH: ssh -L {port}:127.0.0.1:{port} HOST. If nothing forwards it, ask the person to turn on"
        " port forwarding, or to allow outbound connections to Cloudflare, and call collect_secret again."
    ).lstrip()


def note_new_link() -> str:
    """A public link where the agent had shown none, or one that no longer works."""
    return (
        "Show the person this url now, on a line of its own: it replaces any earlier link. They open it in the browser"
        f" on their own machine. Then call await_secret again while the status is awaiting. {HANDS_OFF}"
    )


def note_port_taken(asked: int, port: int) -> str:
    """The port of OFFPROMPT_PORT was in use."""
    return f"Port {asked} was in use, so the page is on port {port}."


# --- refusals: how to mend the call -----------------------------------------------------------------------------------


def refuse_calls() -> str:
    """The session has as many unanswered calls as it may have."""
    return "Too many calls are waiting in this session. Let some of them end, then call again."


def refuse_outdated() -> str:
    """The program's files were replaced or removed since this process was started."""
    return (
        "offprompt was updated or removed while it ran, so it can serve no call any more. Ask the person to restart"
        " offprompt's MCP server, or their agent, then call again."
    )


def refuse_fault() -> str:
    """Something broke inside offprompt."""
    return (
        "offprompt hit a fault of its own, and nothing was written. Call again; if it happens twice, ask the person"
        " to run: offprompt doctor"
    )


def _and(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)
