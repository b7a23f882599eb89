"""Texts of data as people see them: what cannot be seen, and what is too long. Escaping is up to what shows them."""

from __future__ import annotations

import re

# Characters that change how other text is shown, or are invisible; joiners stay, as scripts and emoji need them.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]"
)


def seen(text: str) -> str:
    r"""The text with what cannot be seen as escapes, as JSON has them; tabs and line ends stay.

    >>> seen("gpt\u200b-4")
    'gpt\\u200B-4'
    """
    return _UNSEEN.sub(lambda found: f"\\u{ord(found.group()):04X}", text)


def cut(text: str, characters: int) -> str:
    """The text, or how it begins and a note of how long it is.

    >>> cut("abcdef", 3)
    'abc… (cut: 6 characters)'
    """
    return text if len(text) <= characters else f"{text[:characters]}… (cut: {len(text):,} characters)"
