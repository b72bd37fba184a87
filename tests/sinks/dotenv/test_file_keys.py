"""The names of a file that an agent is told: names, and never a piece of a value."""

from __future__ import annotations

import base64
import random
from collections.abc import Iterator

import pytest

from offprompt.registry.tables import built
from offprompt.sinks.dotenv.document import Document
from offprompt.sinks.dotenv.file_keys import MAX_JUDGED, MAX_REPORTED, reported_keys
from tests.registry.data import KEYS
from tests.registry.real_forms import made, values_of
from tests.request.test_key_names import ALPHABETS, USUAL

PUBLIC = ("POSTMARK_API_TEST",)
"""What a provider's documentation gives to everyone to try with."""

FORMS = ["{A:26}", "{C:16}", "{C:32}", "{h:32}", "{h:64}", "{n:40}", "{u:43}", "{b:43}=", "{b:86}=="]


def secrets(chance: random.Random) -> Iterator[str]:
    """Values as they really look: known keys, TOTP seeds, hex, base64, and what people make up."""
    for key_id in KEYS:
        yield from (
            value for value in values_of(key_id, chance) if "=" not in value.rstrip("=") and value not in PUBLIC
        )
    for form in FORMS * 5:
        yield made(form, chance)
    for size in (10, 16, 20, 32, 33, 48):
        for _ in range(4):
            random_bytes = chance.randbytes(size)
            yield base64.b32encode(random_bytes).decode()
            yield base64.b16encode(random_bytes).decode()
            yield base64.b64encode(random_bytes).decode()
            yield base64.urlsafe_b64encode(random_bytes).decode()
    yield from ("hunter2", "Passw0rd", "correcthorsebatterystaple", "correct_horse", "Tr0ub4dor&3")


def told(text: str) -> tuple[str, ...]:
    return reported_keys(Document(text))[0]


def test_names_are_told_in_their_order_once() -> None:
    assert told("B=1\nA=\n'C'=3\nD: 4\nB=5\nA-B=1\nN=`x\nM=1`\n") == ("B", "A", "N")


def test_usual_names_are_told_with_a_value_and_all_others_are_counted() -> None:
    text = "".join(f"{name}='a value'\n" for name in USUAL)
    names, more = reported_keys(Document(text), limit=1000)
    assert names == tuple(dict.fromkeys(USUAL))
    assert more == 0


def test_usual_names_without_a_value_are_told_as_in_an_example_file() -> None:
    names = [name for name in USUAL if name.isupper()]
    assert told("".join(f"{name}=\n" for name in names[:MAX_REPORTED])) == tuple(dict.fromkeys(names[:MAX_REPORTED]))


def test_names_of_the_registry_are_told_behind_real_values() -> None:
    chance = random.Random(1)
    for key_id, key in KEYS.items():
        for value in values_of(key_id, chance):
            names = built()["providers"][key_id.partition("/")[0]]["keys"][key.key_id.partition("/")[2]]["env"]
            if "\n" not in value:
                text = "".join(f"{name}={value}\n" for name in names)
                assert set(names) <= set(told(text)), (key_id, names)


@pytest.mark.parametrize("width", [4, 10, 16, 20, 31, 64])
def test_a_secret_that_is_wrapped_over_lines_is_never_told(width: int) -> None:
    """It was pasted without quotes, or with one that is not closed."""
    chance = random.Random(width)
    for secret in secrets(chance):
        wrapped = "\n".join(secret[at : at + width] for at in range(0, len(secret), width)).rstrip("=")
        wrapped += chance.choice(["", "=", "=", "==", "======"])
        before = chance.choice(["KEY=", "export KEY=", "KEY= ", 'KEY="', "KEY: ", "# comment\nKEY=", "KEY=\n"])
        text = f"{chance.choice(['', 'PORT=80'])}\n{before}{wrapped}\n{chance.choice(['', 'HOST=x'])}\n"
        assert set(told(text)) <= {"KEY", "PORT", "HOST"}, text


@pytest.mark.parametrize("name", ["STRIPE_SECRET_KEY", "DB_PASSWORD", "API_KEY", "TOTP_SEED", "MY_TOKEN"])
def test_a_line_that_is_turned_round_is_never_told(name: str) -> None:
    for secret in (*secrets(random.Random(name)), "HUNTER2", "A1B2C3"):
        for text in (f"{secret}={name}\n", f"export {secret}={name}\n", f"{secret} = '{name}' # why\n"):
            assert told(text) == (), text


@pytest.mark.parametrize("alphabet", ALPHABETS)
def test_a_turned_round_secret_is_not_told_whatever_its_name_is(alphabet: str) -> None:
    chance = random.Random(alphabet)
    for _ in range(200):
        secret = "".join(chance.choices(ALPHABETS[alphabet], k=chance.choice([16, 20, 32])))
        assert told(f"{secret}=whatever\nPORT=80\n") == ("PORT",), secret


def test_pieces_of_a_pem_text_are_not_told() -> None:
    key = "KEY=-----BEGIN KEY-----\nMIIEvQIBADANBg/kqh\nQ0FOQVJZ=\nQ0FOQVJZ==\nQUJDRA=\nZm9v=\n-----END KEY-----\n"
    assert told(f"{key}PORT=\n") == ("KEY", "PORT")
    assert told("KEY=MIIEvQIBADANBgkqh\nMIICANARYvQIBADANBgkqh==\n") == ("KEY",)


@pytest.mark.parametrize("mark", ["'", '"', "`"])
def test_nothing_behind_a_quote_that_stays_open_is_told(mark: str) -> None:
    names, more = reported_keys(Document(f"A=1\nKEY={mark}open\nPORT=80\nDB_HOST=x\n"))
    assert names == ("A",) if mark != "`" else ("A", "KEY")
    assert more == 4 - len(names)


def test_what_stands_between_quotes_is_not_told() -> None:
    assert told("A='\nPORT=80\n'\nB=\"\nHOST=x\n\"\n") == ("A", "B")


def test_what_is_left_out_is_counted_each_name_once() -> None:
    text = "PORT=80\nA-B=1\nJBSWY3DPEHPK3PXP=\nJBSWY3DPEHPK3PXP=\n'QUOTED'=1\nno assignment\n"
    assert reported_keys(Document(text)) == (("PORT",), 3)


def test_at_most_a_hundred_names_are_told() -> None:
    text = "".join(f"NAME_{number}=1\n" for number in range(250))
    names, more = reported_keys(Document(text))
    assert len(names) == MAX_REPORTED == 100
    assert names[0] == "NAME_0"
    assert more == 150
    assert reported_keys(Document(text), limit=7) == (names[:7], 243)


def test_a_huge_file_is_counted_and_not_judged_to_its_end() -> None:
    text = "".join(f"QXZ{number}KJHWQ=1\n" for number in range(MAX_JUDGED))
    assert reported_keys(Document(text + "PORT=80\n")) == ((), MAX_JUDGED + 1)
    assert reported_keys(Document("PORT=80\n" + text)) == (("PORT",), MAX_JUDGED)
