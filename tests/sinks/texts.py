"""Random contents of dotenv files and random values, rich in what readers disagree about."""

from __future__ import annotations

from hypothesis import strategies as st

PIECES = [
    *"'\"`\\$#=:;&|<>(){}[]~*?!^%@+,.-_/ \t",
    "\n",
    "\r\n",
    "\r",
    "\v",
    "\f",
    "\x85",
    "\xa0",
    "\u2028",
    "\ufeff",
    "\x1c",
    "a",
    "B",
    "7",
    "é",
    "🍋",
    "\\n",
    "\\r",
    "\\t",
    "\\\\",
    "\\'",
    '\\"',
    "${HOME}",
    "${X:-y}",
    "${X:=y}",
    "${X%y}",
    "${X:-",
    "${X/y/z}",
    "${",
    "$X",
    "$1",
    "canary",
    " canary ",
    "$(canary)",
    "`canary`",
    ";canary;",
    "|canary",
    "&canary&",
    "\ncanary\n",
    ">made",
    "export ",
    "A=",
    "B='x'\n",
    'C="y"\n',
    "# it's\n",
]

noise = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)
"""Text of special characters, escapes and pieces of assignments in any order."""

LINES = [
    "",
    "# a comment",
    "# it's a comment with a quote",
    "A=1",
    "B=two words",
    "C='single quoted'",
    'D="double quoted"',
    'E="it\'s"',
    "F = spaced",
    "export G=exported",
    "  H=indented",
    "I=value # with a comment",
    "J=value#without",
    "K=",
    "K= # nothing but a comment",
    "L='several\nlines'",
    'M="several\nlines"',
    "N=`back\nticks`",
    "O='open",
    'P="open',
    "Q=it's",
    "R: colon",
    "'S'=quoted name",
    "T",
    "U=<your-key>",
    "V=$HOME/x",
    'W="${A}"',
    "B=${C:-x y}",
    "C=${B:=$A}",
    "'KEY'='old'# c",
    "KEY='old'#c",
    "X=a b c d",
    "not an assignment",
    "Y.y-y=dotted",
    "AA=1\nAA=2",
    "BB='x' trailing",
    "export",
    "CC=\\",
    "DD=a&b=c",
    "EE=(1 2)",
    "if",
    "FF+=more",
    "UID=1000",
    "GG='it'\\''s'",
    'HH=""',
    "II=''",
    "-----BEGIN KEY-----",
    "JJ=$(true)",
    "KK=~/x",
    "exit 3",
    "return",
    "LL='a\\'b'",
    "KEY=old",
    "export KEY=old",
    "KEY = 'old' # comment",
    "KEY=old\nKEY=older",
    "KEY: old",
    "'KEY'=old",
    "KEY",
    'KEY="several\nKEY=lines"',
    "KEY=it's",
    "MM=`KEY=old`",
]


@st.composite
def contents(draw: st.DrawFn, *, broken: bool = True) -> str:
    """A file's text: lines as people write them, some broken, with any line ending, with or without a last one."""
    lines = draw(st.lists(st.one_of(st.sampled_from(LINES), *([noise] if broken else [])), max_size=8))
    ending = draw(st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"]))
    text = ending.join(line.replace("\n", ending) for line in lines)
    if draw(st.booleans()) and text:
        text += ending
    if draw(st.integers(0, 9)) == 0:
        text = "\ufeff" + text
    return text


texts = st.one_of(contents(), noise, st.lists(noise, max_size=4).map("\nKEY=".join))
"""Any text at all that a reader might be given."""

_PEM = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqh/kiG9w0BAQ+EFAASC==\n-----END PRIVATE KEY-----\n"
_ASCII = "".join(map(chr, range(33, 127)))

values = st.one_of(
    noise,
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=30),
    st.text(_ASCII, min_size=20, max_size=20),
    st.text("'\"\\$`#() canary", max_size=12),
    st.text("ab'\"", max_size=8),
    st.text("a\\", max_size=5),
    st.sampled_from(
        [
            _PEM,
            _PEM.replace("\n", "\r\n"),
            '{"type": "service_account", "private_key": "-----BEGIN\\nMII+/=\\n-----END\\n"}',
            "postgres://user:p%40ss@db.example.com:5432/shop?sslmode=require",
            " both ends ",
            "\ttabs\t",
            "🍋 \u200d🥝",
            "x" * 65536,
            "x y\n" * 16384,
            "'" * 65536,
            "",
        ]
    ),
)
