"""The faults of an answer in words: a sentence for each cause of docs/causes.md."""

from __future__ import annotations

from typing import Any

# The words for one answer, and for several.
WORDS = {
    "no_value": ("is null or absent", "are null or absent"),
    "empty": ("is empty", "are empty"),
    "refusal": ("declines to answer", "decline to answer"),
    "failure": ("is the error message of a service or program", "are error messages of a service or program"),
    "cut_off": ("breaks off in the middle", "break off in the middle"),
    "prose": ("is prose without JSON", "are prose without JSON"),
    "malformed": ("is malformed JSON", "are malformed JSON"),
    "json_text": ("is JSON inside a string", "are JSON inside a string"),
    "fenced": ("stands between code fences", "stand between code fences"),
    "in_prose": ("stands inside a longer text", "stand inside a longer text"),
    "python_literal": ("is written in Python's notation, not as JSON", "are written in Python's notation, not as JSON"),
    "wrapped": ("is wrapped in another object", "are wrapped in another object"),
    "list_of_one": ("is wrapped in an array", "are wrapped in an array"),
    "other_kind": (
        "has the wrong type, such as an array for an object",
        "have the wrong type, such as an array for an object",
    ),
    "key_names": ("spells keys differently", "spell keys differently"),
    "nested_text": ("holds an object or array as a string", "hold an object or array as a string"),
    "number_form": ("writes numbers in another form", "write numbers in another form"),
    "date_form": ("writes dates in another form", "write dates in another form"),
    "letter_case": (
        "has texts that differ only in case, spaces or punctuation",
        "have texts that differ only in case, spaces or punctuation",
    ),
    "reordered": ("has array elements in another order", "have array elements in another order"),
    "missing": ("lacks expected values", "lack expected values"),
    "extra": ("holds mostly values that nobody expects", "hold mostly values that nobody expects"),
    "near_miss": ("is right except for one value", "are right except for one value"),
    "swapped": ("is the expected value of another record", "are the expected values of other records"),
    "duplicate": ("is also the answer to other records", "are also the answers to other records"),
}


def of_one(cause: str) -> str:
    """
    >>> of_one("cut_off"), of_one("of_a_later_version")
    ('breaks off in the middle', 'has the cause of_a_later_version')
    """
    return WORDS[cause][0] if cause in WORDS else f"has the cause {cause}"


def of_many(cause: str) -> str:
    return WORDS[cause][1] if cause in WORDS else f"have the cause {cause}"


def change_of(row: dict[str, Any]) -> str:
    """How many answers have a cause now and in the base, as a row of a comparison tells it.

    >>> change_of({"cause": "cut_off", "base_records": 0, "now_records": 92})
    '92 answers break off in the middle (0 before)'
    """
    now = row["now_records"]
    told = f"answer {of_one(row['cause'])}" if now == 1 else f"answers {of_many(row['cause'])}"
    return f"{now:,} {told} ({row['base_records']:,} before)"


def listed(line: dict[str, Any]) -> list[str]:
    """Returns the faults of the answer of a line of scores: for each cause, a sentence without its subject."""
    return [of_one(str(cause)) for cause in line.get("causes") or ()]
