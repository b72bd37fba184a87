"""A host names its workspace by file URIs or bare paths; what is no local folder keeps the name that it came with."""

from __future__ import annotations

import pytest

from offprompt.agent.tools.roots import MAX_ROOTS, MAX_SHOWN, root_folders
from tests.growth import LINEAR, growth


def test_file_uris_become_paths_in_the_hosts_order():
    roots = [
        {"uri": "file:///home/me/shop", "name": "shop"},
        {"uri": "file://localhost/b"},
        {"uri": "file:///a%20b/%C3%A9"},
    ]
    assert root_folders({"roots": roots}) == ("/home/me/shop", "/b", "/a b/é")


def test_a_bare_absolute_path_is_a_path_as_it_stands():
    assert root_folders({"roots": [{"uri": "/home/me/50%20off"}]}) == ("/home/me/50%20off",)


@pytest.mark.parametrize(("uri", "folder"), [("file:///C:/shop", "C:/shop"), (r"C:\shop", r"C:\shop")])
def test_a_windows_drive_has_no_slash_in_front(uri, folder):
    assert root_folders({"roots": [{"uri": uri}]}, windows=True) == (folder,)


@pytest.mark.parametrize(
    "uri", ["vscode-remote://wsl/home/me", "https://x/y", "file://server/share", "file://[x", "file:///a%00b", "shop"]
)
def test_what_is_no_local_folder_keeps_its_name_so_that_it_can_be_refused_by_it(uri):
    assert root_folders({"roots": [{"uri": uri}]}) == (uri,)


def test_of_a_long_name_the_beginning_is_kept():
    (name,) = root_folders({"roots": [{"uri": "data:" + "x" * 10_000}]})
    assert len(name) == MAX_SHOWN


@pytest.mark.parametrize(
    "result",
    [
        None, [], "file:///x", {}, {"roots": None}, {"roots": "file:///x"}, {"roots": [None, 1, "file:///x", {}]},
        {"roots": [{"uri": 1}, {"uri": ""}, {"uri": " "}]},
    ],
)  # fmt: skip
def test_what_names_nothing_is_passed_over(result):
    assert root_folders(result) == ()


def test_a_flood_of_roots_is_cut():
    assert len(root_folders({"roots": [{"uri": f"file:///{n}"} for n in range(1000)]})) == MAX_ROOTS


@pytest.mark.parametrize("shape", ["a%", "/", "file://", "[:", "%41"])
def test_no_root_takes_more_than_linear_time(shape):
    assert growth(lambda size: {"roots": [{"uri": "file:///" + shape * size}]}, root_folders) < LINEAR
    assert growth(lambda size: {"roots": [{"uri": shape * size}]}, root_folders) < LINEAR
