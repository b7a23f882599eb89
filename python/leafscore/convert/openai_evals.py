"""Logs of OpenAI's evals (`oaieval`, its LocalRecorder): JSON Lines of a spec, events of samples, and a report.

The events of a sample lie anywhere in the log, as samples run side by side. So what they say of targets and answers is
held until the log ends; prompts are not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from .counts import Counts
from .inputs import Input
from .json_text import dump
from .marks import Mark, mark_of
from .origins import Origin
from .outputs import lines_to
from .samples import MISSING, Options, Sample, first_target, given

NAME = "openai-evals"
ABOUT = "logs of OpenAI's evals: JSON Lines of events, as oaieval --record_path writes them"
IDS = "sample_id"
OUTPUT = "log.jsonl, also with .gz, or -"


def looks_like(keys: set[str]) -> bool:
    return "spec" in keys or "final_report" in keys or {"run_id", "event_id", "type"} <= keys


@dataclass
class _Events:
    """One sample, as its events describe it."""

    match: dict[str, Any] | None = None
    sampled: list[Any] | None = None
    raw: dict[str, Any] | None = None
    error: str | None = None
    metrics: dict[str, Any] = field(default_factory=dict)

    def marks(self) -> dict[str, Mark]:
        match = {"match": mark_of(self.match["correct"])} if self.match and "correct" in self.match else {}
        return match | {name: mark_of(value) for name, value in self.metrics.items()}


def origin(source: Input) -> Origin:
    return Origin("evals")


def read(source: Input, options: Options, counts: Counts) -> Iterator[Sample]:
    model = task = None
    samples: dict[str, _Events] = {}
    for _, line in source.lines(counts):
        if isinstance(line, ValueError):
            continue  # an event of a sample; other events may belong to the same sample
        if isinstance(spec := line.get("spec"), dict):
            model, task = _first_text(spec.get("completion_fns")), spec.get("eval_name")
        elif isinstance(line.get("sample_id"), str) and isinstance(line.get("data"), dict):
            _take(samples.setdefault(line["sample_id"], _Events()), line.get("type"), line["data"], counts)
        elif "final_report" not in line:
            counts.add("other_events")
    for sample_id, events in samples.items():
        yield from _samples(sample_id, events, model, task, options, counts)


def _first_text(names: Any) -> str | None:
    return names[0] if isinstance(names, list) and names and isinstance(names[0], str) else None


def _take(events: _Events, kind: Any, data: dict[str, Any], counts: Counts) -> None:
    if kind == "match":
        events.match = data
    elif kind == "sampling":
        sampled = data.get("sampled")
        events.sampled = (events.sampled or []) + (sampled if isinstance(sampled, list) else [sampled])
    elif kind == "raw_sample":
        events.raw = data
    elif kind == "error":
        events.error = ": ".join(str(data[name]) for name in ("type", "message") if name in data) or "error"
    else:
        counts.add("other_events")
        if kind == "metrics":
            events.metrics |= data


def _samples(
    sample_id: str, events: _Events, model: str | None, task: str | None, options: Options, counts: Counts
) -> Iterator[Sample]:
    match = events.match or {}
    answers = [match["sampled"]] if match.get("sampled") is not None else []
    answers = answers or [each for each in events.sampled or [] if each is not None]
    if not answers and match.get("picked") is not None:
        answers = [match["picked"]]
    if events.error is not None:
        answers = []
    if len(answers) > 1 and not options.all_responses:
        counts.add("other_responses")
        del answers[1:]
    source = {
        "match": events.match,
        "sampled": events.sampled,
        "raw_sample": events.raw,
        "error": events.error,
    }
    for repeat, answer in enumerate(answers or [MISSING], 1):
        sample = Sample(
            match.get("leafscore_id", sample_id),
            actual=answer,
            repeat=repeat,
            model=model,
            task=task,
            error=events.error,
            source=given(source),
            scores=events.marks(),
        )
        expected = match.get("expected")
        if expected is None:
            expected = (events.raw or {}).get("ideal")
        sample.expected = MISSING if expected is None else first_target(sample, expected, counts)
        yield sample


def write(records: Iterable[dict[str, Any]], output: str, counts: Counts) -> None:
    """A spec, then for each record a sampling and a match, or an error. `correct` says whether both sides are equal."""
    with lines_to(output) as lines:
        spec = {
            "completion_fns": [],
            "eval_name": "leafscore",
            "base_eval": "leafscore",
            "split": "",
            "run_id": "leafscore",
        }
        number = -1
        for record in records:
            if number < 0:
                number = 0
                spec["completion_fns"] = [record["model"]] if "model" in record else []
                lines.write(dump({"spec": spec | {"run_config": {}, "created_by": "", "created_at": ""}}))
            for kind, data in _events(record, counts):
                event = {
                    "run_id": "leafscore",
                    "event_id": number,
                    "sample_id": str(record["id"]),
                    "type": kind,
                }
                lines.write(dump(event | {"data": data, "created_by": "", "created_at": ""}, counts.add))
                number += 1


def _events(record: dict[str, Any], counts: Counts) -> Iterator[tuple[str, dict[str, Any]]]:
    if set(record) - {"id", "expected", "actual", "model", "task", "error"}:
        counts.add("not_written")
    answer, expected = record.get("actual"), record.get("expected")
    if "actual" in record:
        yield "sampling", {"prompt": "", "sampled": [answer]}
    correct = "actual" in record and "expected" in record and dump(answer) == dump(expected)
    yield (
        "match",
        {
            "correct": correct,
            "expected": expected,
            "picked": None,
            "sampled": answer,
            "leafscore_id": record["id"],
        },
    )
    if "error" in record:
        yield "error", {"type": "Error", "message": record["error"]}
