"""The registry: bytes on disk, what reading it costs a start, what a look-up costs, and what the agent's tools cost.

    make bench-registry
    python bench/registry.py --runs 31

Beside it, in the same run: the same data read from its TOML files; `tools/list` as it would be if its schema named the
providers; detect-secrets, which is asked of the same values whose key they are.
"""

from __future__ import annotations

import argparse
import copy
import gzip
import json
import random
import statistics
import subprocess
import sys
import timeit
from collections.abc import Callable
from pathlib import Path

from table import show

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from offprompt.agent.mcp import schema  # noqa: E402
from offprompt.registry.checks import check  # noqa: E402
from offprompt.registry.lookup import facts_of  # noqa: E402
from offprompt.registry.owner import candidates, owner_of  # noqa: E402
from offprompt.registry.sentences import refusals  # noqa: E402
from offprompt.registry.tables import built  # noqa: E402
from tests.registry.real_forms import REAL, made  # noqa: E402

REGISTRY = ROOT / "offprompt" / "registry"
PAGE = ROOT / "offprompt" / "page" / "script" / "checks"
PEERS = Path(__file__).parent / "peers"
TOML = [REGISTRY / "formats.toml", REGISTRY / "hosts.toml", *sorted((REGISTRY / "providers").glob("*.toml"))]
NAMED = [
    "openai/api_key", "anthropic/api_key", "stripe/secret_key", "github/personal_access_token", "slack/bot_token",
    "sendgrid/api_key", "aws/access_key_id", "npm/access_token", "groq/api_key", "huggingface/user_access_token",
]  # fmt: skip


def on_disk() -> None:
    files = {
        "TOML, for people": TOML,
        "built.json, for the program": [REGISTRY / "built.json"],
        "icons.json, logos": [REGISTRY / "icons.json"],
        "marks.js, in the page": [PAGE / "marks.js"],
    }
    rows = []
    for label, paths in files.items():
        text = b"".join(path.read_bytes() for path in paths)
        rows.append([label, len(paths), len(text) / 1000, len(gzip.compress(text, 6)) / 1000])
    show("registry: on disk", ["what", "files", "kB", "gzip kB"], rows)


LIBRARY = "import json, re, time, tomllib, dataclasses, functools, difflib, base64\nbegan = time.perf_counter()\n"


def fresh(code: str, runs: int) -> float:
    """ms that `code` takes in a process of its own, after what it imports of the standard library; median."""
    timed = f"{LIBRARY}{code}\nprint(time.perf_counter() - began)"
    took = [
        subprocess.run([sys.executable, "-c", timed], capture_output=True, text=True, cwd=ROOT, check=True).stdout
        for _ in range(runs)
    ]
    return statistics.median(map(float, took)) * 1e3


def starting(runs: int) -> None:
    looking = "from offprompt.registry.lookup import facts_of\nfacts_of('STRIPE_SECRET_KEY')"
    toml = f"for path in {[str(path) for path in TOML]}: tomllib.loads(open(path, encoding='utf-8').read())"
    rows = [
        [
            "offprompt: import, read, first look-up",
            fresh(looking, runs),
        ],
        ["offprompt: import alone", fresh("import offprompt.registry.lookup", runs)],
        ["the same data from TOML, read alone", fresh(toml, runs)],
        [
            "offprompt: the logos, when a page has one",
            fresh("from offprompt.registry.icons import paths\npaths()", runs),
        ],
    ]
    show(f"registry: the first use in a process, medians of {runs}", ["what", "ms"], rows)


def micro(action: Callable[[], object]) -> float:
    times, _ = timeit.Timer(action).autorange()
    return min(timeit.repeat(action, number=times, repeat=5)) / times * 1e6


def looking_up() -> None:
    chance = random.Random(1)
    values = [made(REAL[key_id][0], chance) for key_id in NAMED]
    stripe, value = facts_of("STRIPE_SECRET_KEY"), made(REAL["stripe/secret_key"][0], chance)
    keys = built()["keys_by_name"]
    peer = [str(PEERS / ".venv" / "bin" / "python"), str(PEERS / "recognise.py")]
    asked = subprocess.run(peer, input=json.dumps(values), capture_output=True, text=True, check=True)
    theirs = json.loads(asked.stdout)
    providers = [owner_of(candidates(one)[1]) for one in values]
    rows = [
        ["the key of a name, by dictionary", micro(lambda: keys.get("STRIPE_SECRET_KEY")), ""],
        ["all that is known of a name", micro(lambda: facts_of("STRIPE_SECRET_KEY")), ""],
        ["of a name that nobody knows", micro(lambda: facts_of("FLUX_CAPACITOR")), ""],
        ["a submitted value's refusals", micro(lambda: refusals(stripe.rules, value)), ""],
        ["all checks of a value", micro(lambda: check(stripe.key, stripe.rules, value)), ""],
        [
            f"whose key a value is, {len(values)} well-known ones",
            micro(lambda: [owner_of(candidates(one)[1]) for one in values]) / len(values),
            f"{sum(found is not None for found in providers)} named",
        ],
        [
            "the same by detect-secrets",
            theirs["us"],
            f"{sum(bool(set(found) - ENTROPY) for found in theirs['found'])} named",
        ],
    ]
    show("registry: one look-up", ["what", "µs", ""], rows)


ENTROPY = {"Base64 High Entropy String", "Hex High Entropy String", "Secret Keyword"}
"""What detect-secrets says of any random text: no name of a company."""


def context() -> None:
    listed = schema.TOOLS
    answer = len(json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"tools": listed}}))
    rows: list[list[object]] = [["offprompt, 320 providers", answer, 6000]]
    ids = sorted(built()["providers"])
    for count in (65, 320):
        named = copy.deepcopy(listed)
        named[0]["inputSchema"]["properties"]["secrets"]["items"]["properties"]["provider"]["enum"] = ids[:count]
        size = len(json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"tools": named}}))
        rows.append([f"with an enum of {count} providers", size, ""])
    show("registry: the whole tools/list answer", ["what", "bytes", "budget"], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=15)
    runs = parser.parse_args().runs
    on_disk()
    starting(runs)
    looking_up()
    context()


if __name__ == "__main__":
    main()
