"""The published rules of ExtractBench (September 2026) in plain Python, for benchmarks: two objects, a schema, and the
matched, expected and actual cells. Rows are paired by SciPy, dates are read by dateutil and similar texts compared by
RapidFuzz, as there. Written from the description of the rules, without accepted values, normalisers by path and lists
around answers."""

from __future__ import annotations

import re
from typing import Any, Iterator

import numpy
from dateutil import parser
from rapidfuzz.fuzz import ratio
from scipy.optimize import linear_sum_assignment

ABSENT = object()
LIKENESS = {"description": 95, "court": 85}  # in percent
MAX_PAIRS = 10**8
DATE = re.compile(
    r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}([/-])\d{1,2}\1(\d{4}|\d{2}\b)"
    r"|[^\W\d]+\.? ([^\W\d]+\.? )?\d{1,2},? \d{4}|\d{1,2} [^\W\d]+ \d{4}"
)
SPACE = re.compile(r"\s+")
PUNCTUATION = re.compile(r"[^\w\s]")


def as_date(text: str) -> str:
    """The text, or its day as YYYY-MM-DD if it is a date as a whole."""
    if not 4 <= len(text) <= 50 or text.isdigit() or re.search(r"\d{10}", text):
        return text
    joined = re.sub(r"\s*,\s*", ", ", text)
    if not DATE.search(joined):
        return text
    try:
        day = parser.parse(joined)
    except (ValueError, OverflowError):
        return text
    return day.strftime("%Y-%m-%d") if 1900 <= day.year <= 2100 else text


def prepared(value: Any) -> Any:
    if isinstance(value, str):
        return as_date(value)
    if isinstance(value, list):
        return [prepared(element) for element in value]
    if isinstance(value, dict):
        return {key: prepared(member) for key, member in value.items()}
    return value


class Rules:
    def __init__(self, schema: dict[str, Any]) -> None:
        self.schema = schema
        self.matched = self.expected = self.actual = 0

    def score(self, expected: dict[str, Any], actual: dict[str, Any]) -> dict[str, float]:
        self.matched = self.expected = self.actual = 0
        expected, actual = prepared(expected), prepared(actual)
        of_schema = self.schema.get("properties", {})
        for key in dict.fromkeys((*of_schema, *expected, *actual)):
            if key != "_provenance":
                self.walk(key, of_schema.get(key, {}), expected.get(key, ABSENT), actual.get(key, ABSENT))
        both = self.expected + self.actual
        return {
            "matched": self.matched,
            "expected_cells": self.expected,
            "actual_cells": self.actual,
            "f1": 2 * self.matched / both if both else 0.0,
        }

    def branches(self, schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
        yield schema
        if "$ref" in schema:
            target: Any = self.schema
            for step in schema["$ref"].removeprefix("#/").split("/"):
                target = target[step]
            yield from self.branches(target)
        for word in ("anyOf", "oneOf", "allOf"):
            for branch in schema.get(word, ()):
                yield from self.branches(branch)

    def properties(self, schema: dict[str, Any]) -> dict[str, Any]:
        return {key: below for branch in self.branches(schema) for key, below in branch.get("properties", {}).items()}

    def row_schema(self, schema: dict[str, Any]) -> dict[str, Any] | None:
        """The schema of the rows of an array; None for what is no array of objects."""
        for branch in self.branches(schema):
            items = branch.get("items")
            if isinstance(items, dict):
                if self.properties(items) or any(below.get("type") == "object" for below in self.branches(items)):
                    return items
        return None

    def members(self, schema: dict[str, Any], *values: Any) -> Iterator[tuple[Any, ...]]:
        """Yields key, schema and the value on each side; a missing key reads as its default."""
        for key, below in self.properties(schema).items():
            default = below.get("default", ABSENT)
            yield (key, below, *(v.get(key, default) if isinstance(v, dict) else default for v in values))

    @staticmethod
    def rows_in(value: Any) -> list[Any]:
        return value if isinstance(value, list) else []

    def leaves(self, schema: dict[str, Any], value: Any) -> int:
        if value is ABSENT:
            return 0
        rows = self.row_schema(schema)
        if rows is not None:
            return sum(self.leaves(rows, row) for row in self.rows_in(value))
        if self.properties(schema):
            return sum(self.leaves(below, member) for _, below, member in self.members(schema, value))
        return 1

    def equal(self, key: str, one: Any, other: Any) -> bool:
        if not isinstance(one, str) or not isinstance(other, str):
            return bool(one == other)
        one, other = SPACE.sub(" ", one).strip(), SPACE.sub(" ", other).strip()
        if one == other or key not in LIKENESS:
            return one == other
        folded = [SPACE.sub(" ", PUNCTUATION.sub(" ", text)).strip().lower() for text in (one, other)]
        return folded[0] == folded[1] or ratio(*folded) >= LIKENESS[key]

    def cost(self, key: str, schema: dict[str, Any], expected: Any, actual: Any) -> int:
        """The leaves that differ, with the rows of arrays paired as cheaply as they can be."""
        rows = self.row_schema(schema)
        if rows is not None:
            wanted, given = self.rows_in(expected), self.rows_in(actual)
            pairs, cost = self.pairs(rows, wanted, given)
            left = [row for i, row in enumerate(wanted) if i not in {e for e, _ in pairs}]
            left += [row for i, row in enumerate(given) if i not in {a for _, a in pairs}]
            return cost + sum(self.leaves(rows, row) for row in left)
        if self.properties(schema):
            return sum(self.cost(*member) for member in self.members(schema, expected, actual))
        if expected is ABSENT or actual is ABSENT:
            return int(expected is not actual)
        return int(not self.equal(key, expected, actual))

    def is_flat(self, rows: dict[str, Any]) -> bool:
        return not any(
            key in LIKENESS or self.row_schema(below) or (self.properties(below) and not self.is_flat(below))
            for key, below in self.properties(rows).items()
        )

    def pairs(self, rows: dict[str, Any], wanted: list[Any], given: list[Any]) -> tuple[list[tuple[int, int]], int]:
        """All rows of the shorter side with rows of the other, and what that costs."""
        pairs = []
        free = list(range(len(given)))
        rest = list(range(len(wanted)))
        if self.is_flat(rows):
            for i in list(rest):
                equal = next((j for j in free if self.cost("", rows, wanted[i], given[j]) == 0), None)
                if equal is not None:
                    pairs.append((i, equal))
                    free.remove(equal)
                    rest.remove(i)
        if not free or not rest or len(free) * len(rest) > MAX_PAIRS:
            return pairs, 0
        costs = numpy.array([[self.cost("", rows, wanted[i], given[j]) for i in rest] for j in free])
        chosen = linear_sum_assignment(costs)
        pairs += [(rest[i], free[j]) for j, i in zip(*chosen)]
        return pairs, int(costs[chosen].sum())

    def walk(self, key: str, schema: dict[str, Any], expected: Any, actual: Any) -> None:
        rows = self.row_schema(schema)
        if expected is ABSENT or actual is ABSENT:
            self.expected += self.leaves(schema, expected)
            self.actual += self.leaves(schema, actual)
        elif rows is not None:
            wanted, given = self.rows_in(expected), self.rows_in(actual)
            pairs, _ = self.pairs(rows, wanted, given)
            for i, j in pairs:
                self.walk("", rows, wanted[i], given[j])
            paired = {i for i, _ in pairs}, {j for _, j in pairs}
            self.expected += sum(self.leaves(rows, row) for i, row in enumerate(wanted) if i not in paired[0])
            self.actual += sum(self.leaves(rows, row) for j, row in enumerate(given) if j not in paired[1])
        elif self.properties(schema):
            for member in self.members(schema, expected, actual):
                self.walk(*member)
        else:
            self.expected += 1
            self.actual += 1
            self.matched += self.equal(key, expected, actual)
