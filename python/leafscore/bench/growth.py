"""Records made larger, to see how the time of a scorer grows with the size of a record.

Records of different sizes in real data differ in more than size, so that a fit over them mixes what grows with what is
merely different. Here the same records come in several sizes: nothing but the size differs.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

Pair = tuple[str, str]  # the JSON texts of the expected and the actual value

KINDS = ("records", "texts", "none")
MAX_FACTOR = 64
MIN_SIZES = 4  # fewer points do not determine a power


def factors(records: int) -> list[int]:
    """How many times larger records are made: powers of two, as far as there are records to join."""
    found = [1]
    while found[-1] * 2 <= min(records, MAX_FACTOR):
        found.append(found[-1] * 2)
    return found


def grown(pairs: Sequence[Pair], kind: str, factor: int) -> list[Pair]:
    """Returns larger records.

    "records" joins `factor` records to one, an object of them: there are as many times fewer, so a scorer of linear time
    takes the same time for all of each size. "texts" has each string (not the keys) `factor` times in a row.
    """
    if kind == "texts":
        return [(_longer(expected, factor), _longer(actual, factor)) for expected, actual in pairs]
    groups = [pairs[first : first + factor] for first in range(0, len(pairs) - factor + 1, factor)]
    return [(_joined([pair[0] for pair in group]), _joined([pair[1] for pair in group])) for group in groups]


def _joined(texts: Sequence[str]) -> str:
    return "{" + ", ".join(f'"r{number}": {text}' for number, text in enumerate(texts)) + "}"


def _longer(text: str, factor: int) -> str:
    return json.dumps(_repeated(json.loads(text), factor))


def _repeated(value: Any, factor: int) -> Any:
    if isinstance(value, str):
        return value * factor
    if isinstance(value, list):
        return [_repeated(item, factor) for item in value]
    if isinstance(value, dict):
        return {key: _repeated(member, factor) for key, member in value.items()}
    return value


def mean_size(pairs: Sequence[Pair]) -> float:
    """The mean bytes of a record."""
    return sum(len(text.encode("utf-8", "surrogatepass")) for pair in pairs for text in pair) / len(pairs)
