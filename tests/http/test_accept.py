"""What a client takes, read from its Accept headers."""

from __future__ import annotations

import pytest

from offprompt.http.accept import MAX_ACCEPT, best_language, takes_gzip, weights
from offprompt.http.head import RequestHead as RequestHead
from tests.growth import LINEAR, growth

TAGS = ("en", "de", "pt-br", "zh-hans", "ar")


def test_ranges_come_by_weight_in_lower_case() -> None:
    assert list(weights("De;q=0.5, EN, ar;q=0, fr ; q=0.9").items()) == [
        ("en", 1),
        ("fr", 0.9),
        ("de", 0.5),
        ("ar", 0),
    ]


@pytest.mark.parametrize("header", ["", ",", ";;;,,,", "en;q=x", "en;q=nan", "en;q=-1", "en;q=2", '"', "a;b*=UTF-8''%"])
def test_what_cannot_be_read_is_left_out(header: str) -> None:
    assert {name: weight for name, weight in weights(header).items() if name in ("en", "de")} == {}


def test_a_header_longer_than_any_browsers_is_cut_after_a_whole_range() -> None:
    assert weights("en, " + "d" * MAX_ACCEPT) == {"en": 1}
    assert weights("d" * (MAX_ACCEPT + 1)) == {}


@pytest.mark.parametrize(
    ("languages", "tag"),
    [
        ("", "en"), ("de", "de"), ("de-CH", "de"), ("DE-ch, en;q=0.5", "de"), ("en;q=0.5, de;q=0.9", "de"),
        ("fr, ar;q=0.1", "ar"), ("pt-BR", "pt-br"), ("pt", "pt-br"), ("pt-PT", "pt-br"),
        ("fr", "en"), ("*", "en"), ("*, de;q=0.5", "en"), ("de;q=x, ar", "ar"), ("de;q=0.000, ar;q=0.001", "ar"),
        ("-", "en"), ("\xff", "en"), ("x" * 10_000, "en"), ("fr," * 5000 + "de", "en"),
    ],
)  # fmt: skip
def test_the_weightiest_language_we_have_is_chosen(languages: str, tag: str) -> None:
    assert best_language(languages, TAGS, "en") == tag


@pytest.mark.parametrize(
    ("languages", "tag"),
    [
        ("zh", "zh-hans"), ("zh-CN", "zh-hans"), ("zh-SG", "zh-hans"), ("zh-Hans-CN", "zh-hans"),
        ("zh-Hans-TW", "zh-hans"),
        ("zh-TW,zh;q=0.9,en-US;q=0.8,en;q=0.7", "zh-hans"),  # what Chrome sends in Taiwan: any Chinese before English
        ("zh-Hant", "zh-hans"), ("zh-HK, fr;q=0.5", "zh-hans"),  # better than English, which is not asked for
        ("zh-Hant, en;q=0.5", "en"), ("zh-TW, de;q=0.1", "de"),
    ],
)  # fmt: skip
def test_chinese_in_the_other_script_is_better_than_nothing_that_was_asked_for(languages: str, tag: str) -> None:
    assert best_language(languages, TAGS, "en") == tag


@pytest.mark.parametrize(
    ("languages", "tag"),
    [("de;q=0", "en"), ("de;q=0, de-CH", "en"), ("zh;q=0, zh-CN;q=0.5, ar;q=0.1", "ar"), ("en;q=0, *;q=0.5", "en")],
)
def test_a_language_that_is_refused_is_not_chosen_while_there_is_another(languages: str, tag: str) -> None:
    assert best_language(languages, TAGS, "en") == tag


@pytest.mark.parametrize(
    ("encodings", "taken"),
    [
        ("gzip", True), ("gzip, deflate, br, zstd", True), ("br;q=1.0, gzip;q=0.8", True), ("GZIP", True), ("*", True),
        ("x-gzip", True), ("gzip;q=0.001", True), ("gzip;Q=0.5", True), ("gzip; q=0", False), ("gzip;q=0.000", False),
        ("br", False), ("", False), ("identity", False), ("gzipped", False), ("*;q=0", False), ("gzip;q=x", False),
        ("gzip;q=0, *", False), ("*, gzip;q=0", False), ("*;q=0, gzip", True),
    ],
)  # fmt: skip
def test_gzip_is_sent_to_who_takes_it(encodings: str, taken: bool) -> None:
    assert takes_gzip(encodings) is taken


@pytest.mark.parametrize(
    "shape",
    ["gzip" + " ", "gzip;", "gzip;q=1" + "1", ",", '"', 'a="\\', "en-", "en-US;q=0.5,", "a;b*0=c;", "gzip\t", "*;"],
)
def test_no_header_takes_more_than_linear_time(shape: str) -> None:
    """15 KB of blanks behind one coding stopped the reactor for half a second."""

    def header(size: int) -> str:
        return shape[:-1] + shape[-1] * size + "x" if len(shape) < 10 else shape * size

    assert growth(header, takes_gzip) < LINEAR
    assert growth(header, lambda languages: best_language(languages, TAGS, "en")) < LINEAR
    assert growth(header, lambda accept: RequestHead("GET", "/", accept=accept).data) < LINEAR
