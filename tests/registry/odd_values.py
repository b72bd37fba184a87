"""Values that are at the edge of something."""

from __future__ import annotations

ODD = (
    "", " ", "\n", "0", "-1", "+7", "1.5", "1e3", "1_000", "0x1F", "042", "٤٢", "yes", "TRUE", "ſ", "on ", "maybe",
    "hello", "hello world", "é", "😀", "\u200bkey\ufeff", "a\tb", "a\nb", "\x85", "\x1c",
    "{}", "[]", "null", "{", "[1,]", '{"a": 1}', '{"a": NaN}', '{"a": Infinity}', '{"a": 1e999}', '{"a": "\t"}',
    '{"a": "\\ud800"}', "\ufeff{}", '"text"', "1" * 5000, "eyJhIjoxfQ==", "[" * 3000 + "]" * 3000,
    "a.b.c", "eyJhbGciOiJub25lIn0.e30.", "eyJhbGciOiJub25lIn0.e30.c2ln", "eyJhbGciOiJub25lIn0.e30", "W10.e30.c2ln",
    "Bearer eyJhbGciOiJub25lIn0.e30.c2ln", "a.b.c.d.e", "_w.e30.c2ln", "77u_e30.e30.c2ln", "IHt9.e30.c2ln",
    "eyJhIjoi_yJ9.e30.c2ln",
    "http://", "https://", "http:///x", "https://example.com", "HTTPS://Example.com/x?y#z", "http://user@:80/", "ftp://x",
    "localhost:3000", "example.com", "mailto:me@example.com", "https://exa mple.com", "http://?x", "//example.com",
    "postgres://localhost", "postgresql+asyncpg://u:p@h/db", "postgres:///db?host=/run", "postgres://a@b@/db",
    "host=localhost dbname=x",
    "file:./dev.db", "postgres://u:p#a@b@h:5432/db", "postgres://u:<password>@h/db", "postgres://u:[YOUR-PASSWORD]@h/db",
    "redis://", "redis://:pass@:6379", "rediss://h:6379/0", "mongodb://a:1,b:2/db", "mongodb+srv://c.example.net",
    "amqp://", "mysql2://h/d", "mysql:///d",
    "me@example.com", "Me <me@example.com>", "me@localhost", "@", "a@b@c.d", "a@b.c, d@e.f",
    "00000000-0000-4000-8000-000000000000", "{00000000-0000-4000-8000-000000000000}", "0" * 32,
    "urn:uuid:00000000-0000-4000-8000-000000000000",
    "abc", "abcd", "abcde", "ab==", "abc=", "ab=", "a===", "ab cd\nef==", "base64:QUJD", "data:text/plain;base64,QUJD",
    "a-_b", "ÿ===",
    "-----BEGIN X-----\nabc\n-----END X-----", "-----BEGIN X-----\\nabc\\n-----END X-----\\n", "-----BEGIN X-----\nabc",
    '"-----BEGIN X-----\nabc\n-----END X-----"', "LS0tLS1CRUdJTiBYLS0tLS0=", "-----BEGIN PRIVATE KEY-----\nabc",
    "-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n-----END OPENSSH PRIVATE KEY-----",
    "ssh-ed25519 AAAA me@host", "ssh-rsa AAAA", 'command="x" ssh-rsa AAAA', "ssh-ed25519",
    "mail.example.com", "-x", "a..b", "::1", "/run/postgresql", "+49 30 1234567", "911",
    "short", "sixteen letters!", "x" * 15, "x" * 16,
)  # fmt: skip
