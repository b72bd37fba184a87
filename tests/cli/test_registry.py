"""`offprompt registry`: what is known of a name."""

from __future__ import annotations

import pytest

from offprompt.cli import commands
from offprompt.cli.registry import WIDTH, about
from offprompt.registry.tables import built


def told(capsys: pytest.CaptureFixture[str], name: str, code: int = 0) -> str:
    assert commands.main(["registry", "--", name]) == code
    captured = capsys.readouterr()
    assert not (captured.out and captured.err)
    return captured.out if code == 0 else captured.err


def test_a_key_is_told_whole(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "STRIPE_SECRET_KEY") == (
        "Stripe secret key (stripe/secret_key)\n"
        "  get one     https://dashboard.stripe.com/apikeys\n"
        "  looks like  starts with sk_live_, sk_test_, rk_live_, rk_test_ or sk_org_\n"
        "              20 to 512 characters\n"
        "              letters, digits and _\n"
        "  on the page hidden while typed\n"
        "  usual names STRIPE_SECRET_KEY, STRIPE_API_KEY, STRIPE_SK\n"
        "  sent to     api.stripe.com, files.stripe.com, meter-events.stripe.com\n"
        "              in the header Authorization, behind Bearer\n"
    )


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("stripe/webhook_secret", "Stripe webhook signing secret (stripe/webhook_secret)"),
        ("Stripe/Webhook_Secret", "Stripe webhook signing secret (stripe/webhook_secret)"),
        (" VITE_SUPABASE_URL ", "Supabase project URL (supabase/project_url)"),
        ("DATABASE_URL", "Postgres URL (the format postgres_url)"),
        ("integer", "integer (the format integer)"),
        ("Hugging Face", "Hugging Face user access token (huggingface/user_access_token)"),
    ],
)
def test_a_name_may_be_a_key_a_variable_a_provider_or_a_format(
    name: str, head: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert told(capsys, name).splitlines()[0] == head


def test_a_provider_is_told_with_all_its_keys(capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys, "stripe")
    assert [f"(stripe/{short})" in text for short in built()["providers"]["stripe"]["keys"]] == [True] * 4


def test_a_secret_under_a_public_name_is_warned_of(capsys: pytest.CaptureFixture[str]) -> None:
    assert "names that start with NEXT_PUBLIC_" in told(capsys, "NEXT_PUBLIC_OPENAI_API_KEY")
    assert "NEXT_PUBLIC_" not in told(capsys, "OPENAI_API_KEY")


@pytest.mark.parametrize(
    ("name", "way"),
    [
        ("anthropic/api_key", "in the header x-api-key"),
        ("discord/bot_token", "in the header Authorization, behind Bot"),
        ("twilio/account_sid", "as the user of HTTP Basic"),
        ("postgres_url", ""),
    ],
)
def test_how_a_key_is_sent_is_told(name: str, way: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert way in told(capsys, name)


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("Strpe", "stripe"),
        ("STRIPE_SECRET_KYE", "STRIPE_SECRET_KEY"),
        ("postgre_url", "postgres_url"),
        ("hugging fase", "huggingface"),
    ],
)
def test_what_is_unknown_gets_the_nearest_names(name: str, near: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert near in told(capsys, name, code=1).partition("Nearest: ")[2]


def test_an_unknown_key_of_a_known_provider_gets_that_provider_s_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert "stripe/secret_key, stripe/publishable_key" in told(capsys, "stripe/nothing", code=1)


@pytest.mark.parametrize("name", ["", "/", "q" * 5000, "鍵", "\udcff", "a/b/c"])
def test_what_is_near_nothing_is_not_repeated(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert len(told(capsys, name, code=1)) < 300


def test_everything_that_is_known_can_be_told_in_lines_that_fit() -> None:
    data = built()
    for name in (*data["providers"], *data["keys_by_name"], *data["formats"], *data["formats_by_name"]):
        lines = about(name)
        assert lines, name
        assert all(len(line) <= WIDTH or " " not in line.strip() or "https://" in line for line in lines), name


def test_it_is_one_of_the_program_s_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main(["registry", "STRIPE_SECRET_KEY"]) == 0
    assert "Stripe secret key" in capsys.readouterr().out
