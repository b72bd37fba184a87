from __future__ import annotations

import pytest

from offprompt import errors
from offprompt.tunnel.causes import MAX_QUOTED, Cause, cause_in, sentence
from tests.tunnel.growth import TOO_MUCH, growth


def test_every_cause_has_a_sentence_for_a_person():
    for cause in Cause:
        error = sentence(cause, "")
        assert isinstance(error, errors.TunnelUnavailable)
        assert str(error).endswith(".")
        assert "{" not in str(error)


def test_words_tell_the_cause():
    for words, cause in (
        ("", Cause.SILENT),
        ("  \n ", Cause.SILENT),
        ("words that nobody has seen", Cause.UNKNOWN),
        ("panic: runtime error", Cause.CRASHED),
        ("a line that speaks of panic: only", Cause.UNKNOWN),
        ("offprompt: cannot run /usr/bin/cloudflared: Exec format error", Cause.CANNOT_RUN),
        ('failed to request quick Tunnel: Post "x": dial tcp: lookup x on 127.0.0.1:53: i/o timeout', Cause.NO_DNS),
        ('failed to request quick Tunnel: Post "x": dial tcp 104.16.230.132:443: i/o timeout', Cause.NO_NETWORK),
        ('failed to request quick Tunnel: Post "x": EOF', Cause.NO_NETWORK),
        (
            'failed to request quick Tunnel: Post "x": (Client.Timeout exceeded while awaiting headers)',
            Cause.SERVICE_TIMEOUT,
        ),
        ("failed to read quick-tunnel response: context deadline exceeded", Cause.SERVICE_TIMEOUT),
        ("failed to read quick-tunnel response: unexpected EOF", Cause.SERVICE_GARBLED),
        ("ERR x DialContext error: dial tcp 198.41.192.7:7844: i/o timeout", Cause.TCP_BLOCKED),
        ("error parsing YAML in config file at x", Cause.BAD_CONFIG),
    ):
        assert cause_in(words) is cause, words


def test_whose_certificate_answers_is_said():
    words = "tls: x509: certificate is valid for *.safezone.mcafee.com, not api.trycloudflare.com"
    assert "certificate of *.safezone.mcafee.com" in str(sentence(Cause.INTERCEPTED, words))
    assert "somebody else" in str(sentence(Cause.INTERCEPTED, "x509: certificate signed by unknown authority"))


def test_the_childs_own_words_are_short_printable_and_without_addresses():
    said = f"\x1b]0;title\x07 https://a.trycloudflare.com/r/0123456789abcdef {'x' * 5000}"
    shown = str(sentence(Cause.BAD_FLAGS, said))
    assert "0123456789abcdef" not in shown
    assert shown.isprintable()
    assert len(shown) < MAX_QUOTED + 100


def test_the_reason_why_it_cannot_be_run_is_the_systems():
    error = sentence(Cause.CANNOT_RUN, "offprompt: cannot run /home/x/cloudflared: Exec format error")
    assert "Exec format error" in str(error)
    assert "/home/x" not in str(error)


@pytest.mark.parametrize(
    "hostile",
    [
        "failed to request quick Tunnel: ",
        "failed to request quick Tunnel: lookup ",
        "lookup ",
        "open ",
        'status_code="',
        "error code: 1",
        "x509: certificate is valid for a, ",
        "https://",
        "failed to dial to edge with quic: ",
    ],
)
def test_an_error_page_full_of_our_signs_takes_no_longer_than_its_length(hostile: str):
    """Its time grows with its length; an expression that goes back would grow with its square."""

    def read(text: str) -> None:
        for cause in (cause_in(text), Cause.INTERCEPTED, Cause.BAD_FLAGS):
            sentence(cause, text)

    assert growth(read, hostile) < TOO_MUCH
