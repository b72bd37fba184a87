"""The 64 emoji of a fingerprint.

Each is one code point with emoji presentation by default (Emoji_Presentation=Yes in Unicode's emoji-data) from
Unicode 9 or older, so that every system in use draws it; animals, food and things that look different and are easily
named aloud.
The order is part of the protocol: page and service index the same list (docs/protocol.md, "Fingerprint").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_LIST = """
🐶 dog|🐱 cat|🐭 mouse|🐰 rabbit|🦊 fox|🐻 bear|🐼 panda|🦁 lion
🐮 cow|🐷 pig|🐸 frog|🐵 monkey|🐔 chicken|🐧 penguin|🦉 owl|🦆 duck
🐴 horse|🦄 unicorn|🐝 bee|🦋 butterfly|🐌 snail|🐞 ladybird|🐢 turtle|🐙 octopus
🦀 crab|🐬 dolphin|🐳 whale|🦈 shark|🐘 elephant|🐪 camel|🌵 cactus|🌻 sunflower
🍄 mushroom|🌈 rainbow|🌙 moon|🔥 fire|🍎 apple|🍋 lemon|🍌 banana|🍉 watermelon
🍇 grapes|🍓 strawberry|🍒 cherries|🍍 pineapple|🥝 kiwi|🥑 avocado|🌽 corn|🥕 carrot
🍞 bread|🧀 cheese|🍕 pizza|🌮 taco|🍩 doughnut|🎂 cake|🍿 popcorn|🎈 balloon
🎸 guitar|🎲 dice|🚀 rocket|🚲 bicycle|🚂 train|⚓ anchor|🔑 key|⏰ clock
"""

_PAIRS = tuple(item.split(" ", 1) for line in _LIST.split("\n") for item in line.split("|") if item)

EMOJI: tuple[str, ...] = tuple(pair[0] for pair in _PAIRS)
EMOJI_NAMES: tuple[str, ...] = tuple(pair[1] for pair in _PAIRS)

_NAMES = dict(zip(EMOJI, EMOJI_NAMES, strict=True))


def names_of(fingerprint: Iterable[str]) -> tuple[str, ...]:
    """Return the name of each emoji, for who cannot see it or has no font for it."""
    return tuple(_NAMES[one] for one in fingerprint)
