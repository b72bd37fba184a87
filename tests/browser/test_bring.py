"""Many values at once: lines pasted anywhere, files chosen or dropped, and the way back."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from offprompt.request.spec import Entry
from tests.browser.person import OTHER, VALUE, drop, open_page, paste, write
from tests.browser.standin import TOKEN, StandIn, asked, secret

pytestmark = pytest.mark.browser

Start = Callable[..., StandIn]

ENV = f"# mine\nexport ONE={VALUE}\nTWO='{OTHER}'\nELSE=1\n"
PEM = "-----BEGIN PRIVATE KEY-----\nTWFkZSB1cA==\n-----END PRIVATE KEY-----\n"


def values(page: Page, *names: str) -> list[str]:
    return [page.get_by_label(name, exact=True).input_value() for name in names]


def test_lines_pasted_into_any_field_fill_all_that_they_name(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"), secret("TWO"))
    open_page(page, service.link)
    page.get_by_label("TWO", exact=True).focus()
    paste(page, ENV)
    expect(page.locator(".filled li")).to_have_text(
        ["2 values filled in: ONE and TWO.", "Skipped, as nobody asked for it: ELSE."]
    )
    assert values(page, "ONE", "TWO") == [VALUE, OTHER]
    expect(page.locator(".write")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".fingerprint")).to_be_visible()
    assert service.script.opened[0]["values"] == {"ONE": VALUE, "TWO": OTHER}


def test_lines_pasted_onto_the_page_itself_fill_it_and_undo_gives_back_what_was_there(
    page: Page, stand_in: Start
) -> None:
    open_page(page, stand_in(secret("ONE"), secret("TWO"), secret("THREE")).link)
    page.get_by_label("ONE", exact=True).fill("typed before")
    page.locator("h1").click()
    paste(page, ENV)
    assert values(page, "ONE", "TWO", "THREE") == [VALUE, OTHER, ""]
    expect(page.get_by_label("THREE", exact=True)).to_be_focused()
    page.get_by_label("TWO", exact=True).fill("typed afterwards")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".filled")).to_have_text("Undone. What was there before is back.")
    assert values(page, "ONE", "TWO", "THREE") == ["typed before", "typed afterwards", ""]
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)


def test_a_paste_that_names_no_key_is_an_ordinary_one(page: Page, stand_in: Start) -> None:
    open_page(page, stand_in(secret("ONE"), secret("TWO")).link)
    page.get_by_label("ONE", exact=True).focus()
    for text in ("ELSE=1", "postgres://u:p@host/db?a=b", "ONE="):
        page.get_by_label("ONE", exact=True).fill("")
        paste(page, text)
        assert values(page, "ONE", "TWO") == [text, ""]
    expect(page.locator(".filled")).to_be_empty()


def test_a_line_end_copied_along_is_dropped_and_the_browsers_own_undo_still_works(page: Page, stand_in: Start) -> None:
    open_page(page, stand_in(secret("ONE"), secret("PEM", multiline=True)).link)
    page.get_by_label("ONE", exact=True).focus()
    page.keyboard.type("before-")
    paste(page, VALUE + "\n")
    assert values(page, "ONE") == ["before-" + VALUE]
    page.keyboard.press("Control+Z")
    assert values(page, "ONE") == ["before-"]
    page.get_by_label("PEM", exact=True).focus()
    paste(page, PEM)
    assert values(page, "PEM") == [PEM]


def test_what_needs_a_look_is_told_apart_and_gone_to(page: Page, stand_in: Start) -> None:
    service = stand_in(
        asked(Entry("STRIPE_SECRET_KEY")), asked(Entry("MAX_RETRIES", format="integer")), secret("BASE"),
        secret("NONE"), secret("HELD", present=True, generate={"bytes": 32, "encoding": "hex"}),
    )  # fmt: skip
    open_page(page, service.link)
    lines = ["STRIPE_SECRET_KEY=sk_live_short", "MAX_RETRIES=5", "BASE=${HOME}/x", "NONE=", "HELD=new"]
    paste(page, "\n".join(lines + [f"MORE_{number}=x" for number in range(20)]))
    expect(page.locator(".filled li")).to_have_text([
        "2 values filled in: STRIPE_SECRET_KEY and MAX_RETRIES.",
        "Needs another look: STRIPE_SECRET_KEY.",
        "Not filled in, as programs read it in different ways: BASE.",
        "Empty there: NONE.",
        "Already in .env, and kept: HELD.",
        "20 skipped, as nobody asked for them: MORE_0, MORE_1, MORE_2, MORE_3, MORE_4, and 15 more.",
    ])  # fmt: skip
    expect(page.get_by_label("STRIPE_SECRET_KEY", exact=True)).to_be_focused()


def test_a_chosen_file_is_read_in_the_page_and_never_sent(page: Page, stand_in: Start, tmp_path: Path) -> None:
    service = stand_in(secret("ONE"), secret("TWO"))
    open_page(page, service.link)
    (tmp_path / ".env").write_text(ENV)
    for _ in range(2):  # the same file can be chosen again
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name="Choose a file", exact=True).click()
        chooser.value.set_files(tmp_path / ".env")
        expect(page.locator(".filled li").first).to_have_text("2 values filled in: ONE and TWO.")
    assert values(page, "ONE", "TWO") == [VALUE, OTHER]
    assert {line.split(" ", 1)[0] for line in service.script.requests} == {"GET"}
    assert set(service.script.requests) <= {f"GET /r/{TOKEN}", f"GET /r/{TOKEN}/status"}


@pytest.mark.parametrize(
    "packed",
    [
        ENV.encode(),
        ENV.replace("\n", "\r\n").encode(),
        ENV.replace("\n", "\r").encode(),
        b"\xef\xbb\xbf" + ENV.encode(),
        b"\xff\xfe" + ENV.replace("\n", "\r\n").encode("utf-16-le"),
        b"\xfe\xff" + ENV.encode("utf-16-be"),
    ],
    ids=["plain", "crlf", "cr", "bom", "utf-16-le", "utf-16-be"],
)
def test_a_file_dropped_anywhere_fills_whatever_wrote_it(page: Page, stand_in: Start, packed: bytes) -> None:
    open_page(page, stand_in(secret("ONE"), secret("TWO")).link)
    drop(page, "h1", (".env", packed))
    expect(page.locator(".filled li").first).to_have_text("2 values filled in: ONE and TWO.")
    assert values(page, "ONE", "TWO") == [VALUE, OTHER]
    expect(page.locator(".drop")).to_be_hidden()


def test_a_file_that_is_a_value_is_taken_whole(page: Page, stand_in: Start, tmp_path: Path) -> None:
    service = stand_in(secret("ONE"), asked(Entry("SIGNING_KEY", format="pem")), asked(Entry("CONFIG", format="json")))
    open_page(page, service.link)
    drop(page, "#value-SIGNING_KEY", ("key.pem", PEM.encode()))
    expect(page.locator(".filled li")).to_have_text(["Filled in: SIGNING_KEY."])
    expect(page.locator(".judged").nth(1)).to_have_text("This looks like a PEM text.")
    (tmp_path / "config.json").write_text('{"made": "up"}\n')
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose a file for CONFIG").click()
    chooser.value.set_files(tmp_path / "config.json")
    expect(page.locator(".filled li")).to_have_text(["Filled in: CONFIG."])
    drop(page, "#value-ONE", ("token", VALUE.encode() + b"\n"))
    expect(page.locator(".filled li")).to_have_text(["Filled in: ONE."])
    write(page)
    expect(page.locator(".fingerprint")).to_be_visible()
    assert service.script.opened[0]["values"] == {"ONE": VALUE, "SIGNING_KEY": PEM, "CONFIG": '{"made": "up"}\n'}


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ([("a.env", b"ELSE=1\nMORE=2\n")], "Nothing in this file is named like a key that is asked for."),
        ([("picture.png", b"\x89PNG\r\n\x1a\n\0\0")], "This is not a text file, so nothing was filled in."),
        ([("disk.img", 50 * 2**20)], "This file is larger than 1 MiB, so it was not read."),
        ([("a.env", b"ONE=1"), ("b.env", b"TWO=2")], "Drop one file at a time."),
        ([("empty", b"")], "Nothing in this file is named like a key that is asked for."),
    ],
    ids=["none", "binary", "50 MB", "two", "empty"],
)
def test_a_file_that_is_of_no_use_is_told_of_and_costs_nothing(
    page: Page, stand_in: Start, files: list[tuple[str, bytes | int]], says: str
) -> None:
    open_page(page, stand_in(secret("ONE"), secret("TWO")).link)
    page.get_by_label("ONE", exact=True).fill(VALUE)
    began = time.perf_counter()
    drop(page, "main", *files)
    expect(page.locator(".filled")).to_have_text(says)
    assert time.perf_counter() - began < 10
    assert values(page, "ONE", "TWO") == [VALUE, ""]


def test_a_dropped_folder_is_told_of(page: Page, stand_in: Start) -> None:
    """A folder comes as a file that cannot be read."""
    open_page(page, stand_in(secret("ONE"), secret("TWO")).link)
    page.evaluate("() => { File.prototype.arrayBuffer = () => Promise.reject(new DOMException('', 'NotFoundError')); }")
    drop(page, "main", ("folder", 4096))
    expect(page.locator(".filled")).to_have_text("This could not be read. A folder cannot be dropped here.")


def test_five_thousand_lines_are_read_at_once(page: Page, stand_in: Start) -> None:
    open_page(page, stand_in(secret("ONE"), secret("TWO")).link)
    lines = [f"KEY_{number}='it is {number}' # why" for number in range(5000)]
    lines.insert(2500, ENV)
    drop(page, "main", (".env", "\n".join(lines).encode()))
    expect(page.locator(".filled li").last).to_contain_text("5001 skipped")
    assert values(page, "ONE", "TWO") == [VALUE, OTHER]


def test_a_megabyte_pasted_into_a_field_freezes_nothing(page: Page, stand_in: Start) -> None:
    open_page(page, stand_in(secret("ONE"), secret("TWO")).link)
    page.get_by_label("ONE", exact=True).focus()
    quarter, whole = page.evaluate(
        """() => {
            const took = (size) => {
                const clipboardData = new DataTransfer();
                clipboardData.setData('text/plain', 'x='.repeat(size));
                const began = performance.now();
                const how = {clipboardData, bubbles: true, cancelable: true};
                document.activeElement.dispatchEvent(new ClipboardEvent('paste', how));
                return performance.now() - began;
            };
            return [125_000, 500_000].map((size) => Math.min(took(size), took(size), took(size)));
        }"""
    )
    expect(page.locator(".errors").first).to_have_text("This is too long for a value: at most 64 KiB.")
    assert values(page, "ONE") == [""]
    assert whole < 8 * max(quarter, 5)  # four times the text takes some four times as long; under 5 ms all is noise


def test_what_is_dropped_while_nothing_is_taken_does_not_open_in_place_of_the_page(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("ONE"), secret("TWO"))
    service.script.held = threading.Event()
    open_page(page, service.link)
    for name in ("ONE", "TWO"):
        page.get_by_label(name, exact=True).fill(VALUE)
    write(page)
    expect(page.locator(".write")).to_have_text("Sealing and writing")
    drop(page, "main", (".env", ENV.encode()))
    assert values(page, "TWO") == [VALUE]
    service.script.held.set()
    expect(page.locator(".fingerprint")).to_be_visible()
    page.evaluate(
        """() => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File(['x'], 'x'));
            const event = new DragEvent('drop', {dataTransfer, bubbles: true, cancelable: true});
            if (document.body.dispatchEvent(event)) throw new Error('it was left to the browser');
        }"""
    )
