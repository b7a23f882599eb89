"""Scores as events of OpenTelemetry's conventions for generative AI: a `gen_ai.evaluation.result` for each line of scores.

The output is what a collector's file exporter writes and its `otlpjsonfile` receiver reads: OTLP logs in JSON, a request on
each line (https://opentelemetry.io/docs/specs/otel/protocol/file-exporter/).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from .counts import Counts
from .errors import ConvertError
from .inputs import STANDARD_INPUT, Input
from .json_text import as_text, dump
from .outputs import lines_to
from .samples import id_text

NAME = "otlp"
OUTPUT = "events.jsonl, also with .gz, or -: OTLP logs in JSON, with the event gen_ai.evaluation.result for each score"
EVENT = "gen_ai.evaluation.result"
EVENTS_A_LINE = 512
TRACE_ID, SPAN_ID = re.compile("[0-9a-f]{32}"), re.compile("[0-9a-f]{16}")


def convert_to_otlp(sources: Sequence[Input], output: str, counts: Counts) -> None:
    """Writes the lines of scores in the inputs as events. ERRORS: ConvertError for inputs without one."""
    events = (event for source in sources for event in _events(source, counts))
    first = next(events, None)
    if first is None:
        names = ", ".join(source.name for source in sources[:3])
        raise ConvertError(f"there is no line of scores in {names}: make them with leafscore score, or with --to scores")
    with lines_to(output) as lines:
        batch = [first, *islice(events, EVENTS_A_LINE - 1)]
        while batch:
            scope = {"scope": {"name": "leafscore"}, "logRecords": batch}
            resource = {"attributes": [_attribute("service.name", "leafscore")]}
            lines.write(dump({"resourceLogs": [{"resource": resource, "scopeLogs": [scope]}]}, counts.add))
            batch = list(islice(events, EVENTS_A_LINE))


def _events(source: Input, counts: Counts) -> Iterator[dict[str, Any]]:
    # When the scores were written; scores from a pipe have no time, which is 0 in OTLP.
    time = 0 if source.name == STANDARD_INPUT or source.is_stream else os.stat(source.path).st_mtime_ns
    for _, line in source.score_lines(counts):
        counts.add("records")
        counts.add("lines")
        yield _event(line, time)


def _event(line: dict[str, Any], time: int) -> dict[str, Any]:
    outcome, groups = line["outcome"], line.get("groups")
    groups = dict(groups) if isinstance(groups, dict) else {}
    found: dict[str, Any] = {"gen_ai.evaluation.name": line["scorer"]}
    if outcome == "scored":
        found["gen_ai.evaluation.score.value"] = line.get("score")
        if "passed" in line:
            found["gen_ai.evaluation.score.label"] = "pass" if line["passed"] else "fail"
    else:  # no value: it would be 0 both for no answer and for an answer that could not be judged
        found["gen_ai.evaluation.score.label"] = outcome
        found["gen_ai.evaluation.explanation"] = line.get("message") or line.get("reason")
        if outcome == "error":
            found["error.type"] = line.get("reason") or "_OTHER"
    event: dict[str, Any] = {"timeUnixNano": str(time), "eventName": EVENT}
    for group, member, wanted in (("trace_id", "traceId", TRACE_ID), ("span_id", "spanId", SPAN_ID)):
        if isinstance(groups.get(group), str) and wanted.fullmatch(groups[group]):
            event[member] = groups.pop(group)
    if isinstance(groups.get("response_id"), str):
        found["gen_ai.response.id"] = groups.pop("response_id")
    found["leafscore.id"] = None if line.get("id") is None else id_text(line["id"])
    found["leafscore.outcome"] = outcome
    found.update((f"leafscore.groups.{name}", value) for name, value in groups.items())
    event["attributes"] = [_attribute(name, value) for name, value in found.items() if value is not None]
    return event


def _attribute(name: str, value: Any) -> dict[str, Any]:
    if name == "gen_ai.evaluation.score.value":
        return {"key": name, "value": {"doubleValue": value}}
    if isinstance(value, bool):
        return {"key": name, "value": {"boolValue": value}}
    return {"key": name, "value": {"stringValue": as_text(value)}}
