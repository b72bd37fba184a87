"""What an agent reads of the server and its tools: what they are for, and why no call can be served.

An agent acts on these sentences, so they are part of the product: short, plain, what happened and what to do next. What
it reads of a request is in `tools/notes.py`. Standard library only: this file is read at every start.
"""

from __future__ import annotations

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
