"""Prefixes of frameworks: known where they stand, and cut off for the registry."""

from __future__ import annotations

import pytest

from offprompt.registry.public_prefixes import plain_name, public_prefix


@pytest.mark.parametrize(
    ("name", "prefix"),
    [
        ("NEXT_PUBLIC_X", "NEXT_PUBLIC_"),
        ("VITE_", ""),
        ("VITE_PUBLIC_X", "VITE_"),
        ("X_VITE_", ""),
        ("PUBLIC_X", "PUBLIC_"),
    ],
)
def test_the_prefix_for_browsers_is_known(name: str, prefix: str) -> None:
    assert public_prefix(name) == prefix


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY", "STRIPE_PUBLISHABLE_KEY"),
        ("VITE_PUBLIC_X", "X"),
        ("VITE_", "VITE_"),
        ("FLUX_CAPACITOR", "FLUX_CAPACITOR"),
    ],
)
def test_every_prefix_is_cut_off_but_never_the_whole_name(name: str, plain: str) -> None:
    assert plain_name(name) == plain
