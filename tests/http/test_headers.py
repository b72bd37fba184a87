"""The headers that every answer has, whatever its status and whoever made it."""

from __future__ import annotations

from offprompt.http.headers import NOTHING_RUNS, Policy

ALWAYS = {
    "content-security-policy",
    "referrer-policy",
    "x-content-type-options",
    "cache-control",
    "cross-origin-opener-policy",
    "cross-origin-resource-policy",
    "permissions-policy",
}


def test_data_may_do_nothing() -> None:
    assert dict(NOTHING_RUNS.headers)["Content-Security-Policy"] == (
        "default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    )


def test_a_page_says_what_it_may_do() -> None:
    assert dict(Policy("default-src 'self'").headers)["Content-Security-Policy"] == "default-src 'self'"


def test_the_set_is_whole() -> None:
    headers = {name.lower(): value for name, value in NOTHING_RUNS.headers}
    assert headers.keys() == ALWAYS
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store, no-transform"
    assert headers["cross-origin-opener-policy"] == headers["cross-origin-resource-policy"] == "same-origin"


def features(policy: Policy) -> dict[str, str]:
    return dict(item.split("=") for item in dict(policy.headers)["Permissions-Policy"].split(", "))


def test_features_are_closed() -> None:
    assert set(features(NOTHING_RUNS).values()) == {"()"}
    assert {"camera", "microphone", "geolocation", "clipboard-read", "usb"} <= features(NOTHING_RUNS).keys()


def test_a_page_may_ask_to_copy_and_for_nothing_else() -> None:
    open_ones = {name: whom for name, whom in features(Policy(copies=True)).items() if whom != "()"}
    assert open_ones == {"clipboard-write": "(self)"}
