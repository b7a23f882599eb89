"""A sample of any format, and the record that it becomes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from .counts import Counts
from .json_text import NumberText, dump
from .marks import Mark


def given(value: Any) -> Callable[[], Any]:
    return lambda: value


class Missing:
    """Stands for a part that a sample lacks; null is a value, and so is None."""

    def __repr__(self) -> str:
        return "MISSING"

    def __bool__(self) -> bool:
        return False


MISSING = Missing()


@dataclass
class Sample:
    """One sample, as far as a reader found it. `source` gives the sample as its format has it, for `--keep` and paths."""

    id: Any
    expected: Any = MISSING
    actual: Any = MISSING
    repeat: int = 1
    model: str | None = None
    task: str | None = None
    error: str | None = None
    unreadable: bool = False
    extra: dict[str, Any] = field(default_factory=dict)
    source: Callable[[], Any] = dict
    # Used only by the conversion of scores (scores.py):
    scores: dict[str, Mark] = field(default_factory=dict)  # by metric
    family: str = ""  # samples with the same input and family have the same metrics
    score_id: Any = MISSING  # if scores are joined by another id than records
    named: bool = True  # false: only the file and line distinguish it from others
    test: Any = MISSING  # what was asked for, if that is more than the expected value
    not_run: bool = False
    unscored: str | None = None  # why there is no score, unless that is an error of the sample


@dataclass(frozen=True)
class Options:
    """Which parts of a sample go where. Paths are those of the source format, as in `doc.answer` or `choices[0].text`."""

    id_field: str | None = None
    expected_field: str | None = None
    actual_field: str | None = None
    keep: tuple[str, ...] = ()
    all_responses: bool = False
    same_ids: bool = False
    split: str | None = None
    # For scores:
    for_scores: bool = False
    score: tuple[str, ...] = ()  # PATH, or NAME=PATH
    passed: str | None = None
    metric: tuple[str, ...] = ()
    score_range: tuple[str, ...] = ()  # LOW:HIGH, or NAME=LOW:HIGH
    # For single targets:
    about: str | None = None  # every-eval-ever: a file of what scores do not say
    scores: str | None = None  # every-eval-ever: lines of scores of the inputs
    gold: str | None = None  # sarif: the file that lint judged


def lookup(value: Any, path: str) -> Any:
    """The value at a path; a member whose name is the whole path comes first. RETURNS: MISSING where it leads nowhere."""
    if isinstance(value, dict) and path in value:
        return value[path]
    parts = re.findall(r"\[(\d{1,18})\]|([^.\[\]]+)", path)
    if not parts:
        return MISSING
    for position, name in parts:
        if name and isinstance(value, dict) and name in value:
            value = value[name]
        elif position and isinstance(value, list) and int(position) < len(value):
            value = value[int(position)]
        else:
            return MISSING
    return value


def first_target(sample: Sample, targets: Any, counts: Counts) -> Any:
    """One target of several that would do: the others stay in the record, as a scorer compares with one."""
    if not isinstance(targets, list):
        return targets
    if not targets:
        return MISSING
    if len(targets) > 1:
        counts.add("several_targets")
        sample.extra["other_expected"] = targets[1:]
    return targets[0]


def follow_paths(sample: Sample, options: Options, counts: Counts) -> None:
    """Takes what the paths among the options lead to."""
    paths = (options.id_field, options.expected_field, options.actual_field, *options.keep)
    if not any(paths):
        return
    source = sample.source()
    if options.id_field and (found := lookup(source, options.id_field)) is not MISSING:
        sample.id = sample.score_id = found
        sample.named = True
    if options.expected_field:
        sample.expected = lookup(source, options.expected_field)
        sample.extra.pop("other_expected", None)
    if options.actual_field and sample.error is None:
        sample.actual = lookup(source, options.actual_field)
    for path in options.keep:
        if (found := lookup(source, path)) is MISSING:
            counts.add("not_kept")
        elif path not in ("id", "expected", "actual", "error"):
            sample.extra[path] = found


class RecordMaker:
    """Turns samples into records with ids that no other record of the same model has.

    It remembers 16 bytes of each id, about 100 bytes of memory a sample.
    """

    def __init__(self, options: Options, counts: Counts):
        self._options = options
        self._counts = counts
        self._seen: set[bytes] = set()
        # For repeated ids, so that the thousandth does not need a thousand look-ups.
        self._last_number: dict[bytes, int] = {}

    def records(self, samples: Iterator[Sample]) -> Iterator[dict[str, Any]]:
        for sample in samples:
            yield self._record(sample)

    def _record(self, sample: Sample) -> dict[str, Any]:
        self._counts.add("records")
        if not sample.unreadable:
            follow_paths(sample, self._options, self._counts)
        record: dict[str, Any] = {"id": self._unique_id(sample)}
        record.update(sample.extra)
        for name in ("model", "task"):
            if getattr(sample, name) is not None:
                record[name] = getattr(sample, name)
        if sample.unreadable:
            record["error"] = sample.error
            return record
        if sample.expected is MISSING:
            self._counts.add("no_target")
        else:
            record["expected"] = sample.expected
        if sample.error is not None:
            self._counts.add("errors")
            record["error"] = sample.error
        elif sample.actual is MISSING:
            self._counts.add("no_answer")
        if sample.actual is not MISSING:
            record["actual"] = sample.actual
        return record

    def _unique_id(self, sample: Sample) -> Any:
        """The id, with #2, #3 and so on behind it for later samples with the same id, unless all keep theirs."""
        if self._options.same_ids:
            return sample.id
        base = self._key(sample, sample.id)
        number = sample.repeat
        chosen, key = self._numbered(sample, number, base)
        if key in self._seen:
            self._counts.add("repeated_ids")
            number = max(number, self._last_number.get(base, 1))
            while key in self._seen:
                number += 1
                chosen, key = self._numbered(sample, number, base)
            self._last_number[base] = number
        self._seen.add(key)
        return chosen

    def _numbered(self, sample: Sample, number: int, base: bytes) -> tuple[Any, bytes]:
        if number == 1:
            return sample.id, base
        chosen = f"{id_text(sample.id)}#{number}"
        return chosen, self._key(sample, chosen)

    @staticmethod
    def _key(sample: Sample, chosen: Any) -> bytes:
        text = dump([sample.model, id_text(chosen)])
        return blake2b(text.encode(), digest_size=16).digest()


def id_text(value: Any) -> str:
    """Ids are compared as texts, so 7 and "7" are one."""
    return value if isinstance(value, str) else value.text if isinstance(value, NumberText) else dump(value)
