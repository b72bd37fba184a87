"""Text from elsewhere, made safe for a terminal: it can neither move the cursor nor hide nor reorder what is shown.

A terminal obeys control characters (ECMA-48), among them C1 controls of one byte; bidirectional controls show a line in
another order than it has (Unicode UAX 9, section 2); unseen format characters make two different names look alike.
"""

from __future__ import annotations

import unicodedata

_DANGEROUS = {"Cc", "Cf", "Cs", "Zl", "Zp"}
"""General categories (Unicode, table 4-4): controls, formats, halves of pairs, line and paragraph separators."""
_JOINERS = "\u200c\u200d"
"""Format characters that honest text needs: Persian writes with the first, emoji of several parts with the second."""


def plain(text: str, most: int = 200) -> str:
    """`text` on one line of at most `most` characters: blanks for line ends and tabs, U+FFFD for what is dangerous."""
    shown = "".join(map(_shown, text[: most + 1]))
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def plain_lines(text: str, most: int = 40) -> tuple[str, ...]:
    """The lines of `text`, each made plain; at most `most` of them, the last is then …"""
    lines = tuple(plain(line, 2000) for line in text.replace("\r\n", "\n").split("\n"))
    return lines if len(lines) <= most else (*lines[: most - 1], "…")


def _shown(letter: str) -> str:
    if letter in "\t\n":
        return " "
    if letter not in _JOINERS and unicodedata.category(letter) in _DANGEROUS:
        return "\ufffd"
    return letter
