"""Which share of random values each form of writing them into a dotenv file carries, and how many no form does.

    python bench/dotenv_forms.py [VALUES OF EACH KIND] [SEED]

Prints the table of docs/dotenv.md. The forms are judged by `offprompt.sinks.dotenv`, which the tests hold to the real
readers.
"""

from __future__ import annotations

import base64
import random
import string
import sys
from collections import Counter
from collections.abc import Callable

from offprompt.sinks.dotenv import shell
from offprompt.sinks.dotenv.document import Document, put
from offprompt.sinks.dotenv.forms import carry

PRINTABLE = string.ascii_letters + string.digits + string.punctuation
WORDS = ("apple", "brave", "candle", "don't", "eagle", "forest", "garden", "island", "it's", "kettle", "lemon")


def kinds(chance: random.Random) -> dict[str, Callable[[], str]]:
    def of(alphabet: str, length: int) -> Callable[[], str]:
        return lambda: "".join(chance.choices(alphabet, k=length))

    return {
        "20 letters and digits": of(string.ascii_letters + string.digits, 20),
        "44 characters of base64": lambda: base64.b64encode(chance.randbytes(32)).decode(),
        "passphrase, 5 words, some with '": lambda: " ".join(chance.choices(WORDS, k=5)),
        "20 printable ASCII": of(PRINTABLE, 20),
        "40 printable ASCII": of(PRINTABLE, 40),
        "20 symbols": of(string.punctuation, 20),
        "20 letters, digits and !@#$%^&*": of(string.ascii_letters + string.digits + "!@#$%^&*", 20),
        "PEM key": lambda: (
            "-----BEGIN PRIVATE KEY-----\n"
            + base64.encodebytes(chance.randbytes(1200)).decode()
            + "-----END PRIVATE KEY-----\n"
        ),
        "PEM key with CR LF": lambda: (
            "-----BEGIN PRIVATE KEY-----\r\n"
            + base64.encodebytes(chance.randbytes(1200)).decode().replace("\n", "\r\n")
            + "-----END PRIVATE KEY-----\r\n"
        ),
        "JSON with a PEM key in it": lambda: (
            '{"type": "service_account", "private_key": "-----BEGIN\\n'
            + base64.b64encode(chance.randbytes(900)).decode()
            + '\\n-----END\\n"}'
        ),
    }


def form(value: str) -> str:
    """The form that the writer chooses in a file of its own, or why it refuses."""
    carried = carry("KEY", value)
    if isinstance(carried, tuple):
        return "refused: would run" if "would run" in carried[0] else "refused: read differently"
    document = put(Document(""), carried, ".env")
    view: shell.View = document.sourced("KEY", value)
    written = document.text.removeprefix("KEY=")
    quote = {"'": "single", '"': "double"}.get(written[0], "bare")
    if quote == "double" and "\r" in value:
        quote = "escaped"
    return quote if view.exact or quote == "escaped" else "raw" if quote == "bare" else f"{quote}, shell differs"


REFUSED = ["refused: read differently", "refused: would run"]
COLUMNS = ["bare", "single", "double", "double, shell differs", "escaped", "raw", *REFUSED]


def main(count: int, seed: int) -> None:
    print(f"| {count:,} random values each, seed {seed} | " + " | ".join(COLUMNS) + " |")
    print("| --- |" + " ---: |" * len(COLUMNS))
    for name, make in kinds(random.Random(seed)).items():
        found = Counter(form(make()) for _ in range(count))
        assert found.keys() <= set(COLUMNS), found
        shares = [f"{found[column] / count:.2%}" if found[column] else "" for column in COLUMNS]
        print(f"| {name} | {' | '.join(shares)} |")


if __name__ == "__main__":
    count, seed = (*map(int, sys.argv[1:3]), *(20_000, 5521)[len(sys.argv[1:3]) :])
    main(count, seed)
