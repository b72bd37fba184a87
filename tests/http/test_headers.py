"""The headers that every answer has, whatever its status and whoever made it."""

from __future__ import annotations

from offprompt.http.headers import guarding

ALWAYS = {
    "content-security-policy",
    "referrer-policy",
    "x-content-type-options",
    "cache-control",
    "cross-origin-opener-policy",
    "cross-origin-resource-policy",
    "permissions-policy",
}


def test_the_policy_lets_one_nonce_run_and_nothing_else() -> None:
    assert dict(guarding("bm9uY2U="))["Content-Security-Policy"] == (
        "default-src 'none'; script-src 'nonce-bm9uY2U='; style-src 'nonce-bm9uY2U='; connect-src 'self'; "
        "img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    )


def test_the_set_is_whole() -> None:
    headers = {name.lower(): value for name, value in guarding("n")}
    assert headers.keys() == ALWAYS
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store, no-transform"
    assert headers["cross-origin-opener-policy"] == headers["cross-origin-resource-policy"] == "same-origin"


def test_features_are_closed_but_for_copying_what_was_typed() -> None:
    features = dict(item.split("=") for item in dict(guarding("n"))["Permissions-Policy"].split(", "))
    assert features.pop("clipboard-write") == "(self)"
    assert set(features.values()) == {"()"}
    assert {"camera", "microphone", "geolocation", "clipboard-read", "usb"} <= features.keys()
