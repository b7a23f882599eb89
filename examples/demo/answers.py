#!/usr/bin/env python3
"""Writes the questions of `make demo` and the answers of three made-up models, one of them in two releases.

Each question asks for the fields of a document. All models are asked the same; those named north and south err equally
often, the small one more. North's second release writes the day of a check-in before the month.

Usage: answers.py FOLDER QUESTIONS
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

CITIES = "Bergen Cusco Dakar Hanoi Lyon Osaka Perth Quito Riga Sofia".split()
NAMES = "Adamu Baker Costa Duarte Eriksen Fofana Green Haddad Ito Jansen".split()
GOODS = "desk lamp,bookshelf,office chair,filing cabinet,whiteboard,coffee machine,paper shredder".split(",")
RELEASES = {"north-1": 0.15, "north-2": 0.15, "south-1": 0.15, "small-1": 0.3}  # the share of fields that are wrong


def document(topic: str, chance: random.Random) -> dict[str, Any]:
    """What is asked of a document of that topic."""
    day = f"2026-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}"
    who = f"{chance.choice('ABCDEFGHKLM')}. {chance.choice(NAMES)}"
    city = chance.choice(CITIES)
    amount = chance.randint(900, 250_000) / 100
    if topic == "invoices":
        lines = [
            {"item": chance.choice(GOODS), "count": chance.randint(1, 9), "price": chance.randint(500, 90_000) / 100}
            for _ in range(chance.randint(1, 3))
        ]
        return {"number": f"INV-{chance.randint(1000, 9999)}", "customer": who, "due": day, "total": amount, "lines": lines}
    if topic == "bookings":
        return {"guest": who, "city": city, "check_in": day, "nights": chance.randint(1, 14), "price": amount}
    return {"claimant": who, "place": city, "damage": chance.choice(("fire", "theft", "water", "storm")), "amount": amount}


def mistaken(value: Any, rate: float, chance: random.Random) -> Any:
    """The value with some of its fields wrong."""
    if isinstance(value, dict):
        return {key: mistaken(field, rate, chance) for key, field in value.items()}
    if isinstance(value, list):
        return [mistaken(element, rate, chance) for element in value]
    if chance.random() >= rate:
        return value
    if isinstance(value, str):
        return value[: chance.randrange(len(value))]
    return value + chance.randint(1, 9)


def answer(release: str, topic: str, expected: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """What the release of a model answers."""
    given: dict[str, Any] = mistaken(expected, RELEASES[release], chance)
    if release == "north-2" and topic == "bookings" and given["check_in"].count("-") == 2:
        year, month, day = given["check_in"].split("-")
        given["check_in"] = f"{day}/{month}/{year}"
    return given


def main(folder: Path, questions: int) -> None:
    """Writes the questions to questions.jsonl, and the answers of a release to a file named after it."""
    asked = []
    for number in range(questions):
        topic = ("invoices", "bookings", "claims")[number % 3]
        expected = document(topic, random.Random(f"question {number}"))
        asked.append({"id": f"q{number + 1}", "topic": topic, "expected": expected})
    write(folder / "questions.jsonl", asked)
    for release in RELEASES:
        # Both releases of a model err in the same places, but for what the second was changed in.
        chance = random.Random(release.split("-")[0])
        answers = [
            {"id": question["id"], "actual": answer(release, question["topic"], question["expected"], chance)}
            for question in asked
        ]
        write(folder / f"{release}.answers.jsonl", answers)


def write(path: Path, records: list[dict[str, Any]]) -> None:
    """Writes a record a line."""
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
