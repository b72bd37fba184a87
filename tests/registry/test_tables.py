"""The built form holds what the sources say, and the sources keep their own rules."""

from __future__ import annotations

import subprocess
import sys
from urllib.parse import urlsplit

import pytest

from offprompt.registry import tables as built_module
from offprompt.registry.tables import built
from tests.registry.data import FILES, PROVIDERS, ROOT

KEYS = [(provider, key) for provider in PROVIDERS for key in provider["key"]]


def test_the_built_form_is_fresh() -> None:
    script = ROOT / "scripts" / "build_registry.py"
    check = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True)
    assert check.returncode == 0, check.stdout + check.stderr


def test_it_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = built()
    monkeypatch.setattr(built_module.Path, "read_text", None)
    assert built() is first


def test_it_holds_every_provider_key_and_name() -> None:
    assert len(PROVIDERS) == len(built()["providers"]) >= 320
    assert len(KEYS) == sum(len(provider["keys"]) for provider in built()["providers"].values()) >= 582
    assert len(built()["keys_by_name"]) == sum(len(key["env"]) for _, key in KEYS)


def test_no_name_belongs_to_a_key_and_a_format() -> None:
    assert not built()["keys_by_name"].keys() & built()["formats_by_name"].keys()


def test_a_category_s_file_holds_that_category() -> None:
    for name, file in FILES.items():
        assert {provider["category"] for provider in file.get("provider", ())} <= {name}


def test_every_link_is_https_on_the_provider_s_own_domains() -> None:
    """A page makes registry links clickable, so none may lead elsewhere."""
    for provider, key in KEYS:
        for link in (provider["homepage"], key["url"]):
            parts = urlsplit(link)
            own = [d for d in provider["domains"] if parts.hostname == d or (parts.hostname or "").endswith(f".{d}")]
            assert parts.scheme == "https", link
            assert own, link
            assert "@" not in parts.netloc, link


def test_every_format_of_a_key_exists() -> None:
    assert {key["format"] for _, key in KEYS if "format" in key} <= built()["formats"].keys()


def test_host_names_are_written_small_and_no_prefix_answers_for_another_program() -> None:
    exact, prefix = built()["hosts_exact"], built()["hosts_prefix"]
    assert all(match == match.lower() for match in [*exact, *prefix])
    for start, name in prefix.items():
        for other, owner in {**exact, **prefix}.items():
            assert owner == name or not other.startswith(start), (start, other)
