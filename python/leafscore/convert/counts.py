"""Counts of what happened to the samples: nothing is lost without being counted and reported."""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from typing import TextIO

SENTENCES = {
    "no_target": "without a target: {} (their records have no expected value)",
    "no_answer": "without an answer: {} (their records have no actual value, and count as asked)",
    "errors": "ended in an error: {} (their records say so, and count as asked)",
    "only_likelihoods": "with likelihoods in place of a text: {} (their records have no actual value)",
    "choices": "with likelihoods of choices: {} (the answer is the most likely choice)",
    "several_targets": "with several targets: {} (the first is the expected value, other_expected has the others)",
    "templates": "expected values that are templates still: {} (their variables are unknown; --expected-field)",
    "other_responses": "with more responses than the one that was taken: {} (--all-responses takes each)",
    "repeated_ids": "with the id of an earlier one: {} (#2, #3 and so on tell them apart; --same-ids leaves them)",
    "no_id": "without an id: {} (they are named after their file and line)",
    "not_kept": "values of --keep that are not there: {}",
    "not_finite": "numbers that are NaN or infinite, which JSON does not know: {} (they are texts now)",
    "not_json": "values of no kind that JSON knows: {} (they are texts now)",
    "surrogates": "texts with halves of surrogate pairs, which the format does not know: {} (they are U+FFFD now)",
    "as_json": "values that are no texts, and the format knows only these: {} (they are JSON in a text now)",
    "empty_answer": "without an answer, which the format does not know: {} (the answer is the empty text)",
    "not_written": "records with members that the format has no place for: {} (these are left out)",
    "other_events": "events that tell nothing of an answer: {} (they are left out)",
    "no_score": "samples without a line of scores: {} (they stay as they were)",
    "no_sample": "lines of scores without a sample: {}",
}
SCORE_SENTENCES = {
    "failed": "for samples that ended in an error: {} (they are errors, and count as asked)",
    "not_run": "for samples that were not run: {} (they are unanswered, and count as asked)",
    "unreadable_scores": "for lines that cannot be read: {} (they count as asked)",
    "no_score": "without a score that is a number: {} (they are errors, and count as asked)",
    "unnamed": "samples without an id: {} (they are joined by their number; --id names where it is)",
    "further_answers": "further answers to one id: {} (--repeats of compare and leaderboard says which count)",
    "not_kept": "values of --keep that are not there: {}",
}
SHOWN_BAD_LINES = 10


CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def _escaped(found: re.Match[str]) -> str:
    """A sign that would change what a terminal shows, as JSON writes it: names of files may hold any."""
    return f"\\u{ord(found.group()):04X}"


def printable(text: str) -> str:
    return CONTROLS.sub(_escaped, text)


class Counts:
    """Counts by kind, and the lines that could not be read; the first ones are reported when they are met. `unit` is
    the word for what is written."""

    def __init__(self, stream: TextIO | None = None):
        self.unit = "records"
        self._kinds: Counter[str] = Counter()
        self._stream = stream

    def __getitem__(self, kind: str) -> int:
        return self._kinds[kind]

    def add(self, kind: str, number: int = 1) -> None:
        self._kinds[kind] += number

    def bad_line(self, file: str, line: int, reason: str) -> None:
        self.add("unreadable")
        if self["unreadable"] <= SHOWN_BAD_LINES:
            self.say(f"{file}:{line}: {reason}")
        elif self["unreadable"] == SHOWN_BAD_LINES + 1:
            self.say("more lines cannot be read; they are counted below")

    def say(self, sentence: str) -> None:
        """Tells something; what standard error does not take is lost, and nothing else."""
        try:
            print(
                "leafscore-convert: " + printable(sentence),
                file=self._stream or sys.stderr,
                flush=True,
            )
        except (OSError, ValueError, AttributeError):
            sys.stderr = open(
                os.devnull, "w"
            )  # otherwise Python tries again when it exits, and changes the exit status

    def tell(self, task: str) -> None:
        """The summary: how many samples came in and records went out, then what was not as plain as that."""
        unreadable = self["unreadable"]
        lines = f", {unreadable:,} lines cannot be read" if unreadable else ""
        records = f"{self['records']:,}"
        made = f"{self['lines']:,} scores of {records} samples" if self["lines"] else f"{records} {self.unit}"
        self.say(f"{task}: {made}{lines}")
        for kind, sentence in (SCORE_SENTENCES if self["lines"] else SENTENCES).items():
            if self[kind]:
                self.say("  " + sentence.format(f"{self[kind]:,}"))
