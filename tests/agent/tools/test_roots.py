"""A host names its workspace by file URIs; whatever else it sends names nothing."""

from __future__ import annotations

import pytest

from offprompt.agent.tools.roots import MAX_ROOTS, root_paths


def test_file_uris_become_paths_in_the_hosts_order():
    roots = [
        {"uri": "file:///home/me/shop", "name": "shop"},
        {"uri": "file://localhost/b"},
        {"uri": "file:///a%20b/%C3%A9"},
    ]
    assert root_paths({"roots": roots}) == ("/home/me/shop", "/b", "/a b/é")


def test_a_windows_drive_has_no_slash_in_front():
    assert root_paths({"roots": [{"uri": "file:///C:/shop"}]}, windows=True) == ("C:/shop",)


@pytest.mark.parametrize(
    "result",
    [
        None, [], "file:///x", {}, {"roots": None}, {"roots": "file:///x"}, {"roots": [None, 1, "file:///x", {}]},
        {"roots": [{"uri": 1}, {"uri": ""}, {"uri": "https://x/y"}, {"uri": "file://server/share"}, {"uri": "file://[x"}]},
        {"roots": [{"uri": "file:///a%00b"}]},
    ],
)  # fmt: skip
def test_what_is_no_local_folder_is_passed_over(result):
    assert root_paths(result) == ()


def test_a_flood_of_roots_is_cut():
    assert len(root_paths({"roots": [{"uri": f"file:///{n}"} for n in range(1000)]})) == MAX_ROOTS
