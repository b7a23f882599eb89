"""Samples of Every Eval Ever (https://evalevalai.com): `UUID_samples.jsonl`, beside the results in `UUID.json`.

A sample has a line for each metric, anywhere in the file, so the samples are held until the file ends.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from .counts import Counts
from .errors import ConvertError
from .inputs import Input, top_level_keys
from .marks import mark_of, with_verdict
from .origins import Origin
from .samples import MISSING, Options, Sample, first_target, given

NAME = "every-eval-ever"
ABOUT = "samples of Every Eval Ever: JSON Lines, UUID_samples.jsonl"
OUTPUT = "a new folder of BENCHMARK/DEVELOPER/MODEL/UUID.json, made from lines of scores"
IDS = "evaluation_name/sample_id, or leafscore_id of the metadata"
SAMPLES = "_samples.jsonl"
FILES = "*" + SAMPLES
UNNAMED_METRIC = "score"


def looks_like(keys: set[str]) -> bool:
    return {"evaluation_id", "sample_id"} <= keys or _is_aggregate(keys)


def _is_aggregate(keys: set[str]) -> bool:
    return {"evaluation_id", "evaluation_results"} <= keys


def origin(source: Input) -> Origin:
    """Returns the content of the file of results, if it lies beside the samples."""
    path = source.path.with_name(source.path.name.removesuffix(".gz").removesuffix(SAMPLES) + ".json")
    try:
        results = json.loads(path.read_bytes())
        library = results["eval_library"]
        lower = [each for each in results["evaluation_results"] if each["metric_config"]["lower_is_better"]]
        names = tuple(str(each.get("evaluation_result_id", UNNAMED_METRIC)) for each in lower)
        return Origin(str(library["name"]), str(library["version"]), less_is_better=names)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return Origin()


def read(source: Input, options: Options, counts: Counts) -> Iterator[Sample]:
    if _is_aggregate(top_level_keys(source.head())):
        raise ConvertError(f"{source.name} has results without their samples: name the file UUID{SAMPLES} beside it")
    samples: list[Sample] = []
    by_answer: dict[tuple[str, int], Sample] = {}  # by id, and which answer to it
    answers: Counter[tuple[str, str]] = Counter()  # by id and metric
    for number, line in source.lines(counts):
        if isinstance(line, ValueError):
            place = f"{source.stem}:{number}"
            samples.append(Sample(place, unreadable=True, named=False, error=str(line)))
            continue
        sample_id, metric = _id(line), str(line.get("evaluation_result_id") or UNNAMED_METRIC)
        answers[sample_id, metric] += 1
        answer = sample_id, answers[sample_id, metric]
        if answer not in by_answer:
            by_answer[answer] = _sample(line, answer[1], counts)
            samples.append(by_answer[answer])
        by_answer[answer].scores[metric] = with_verdict(
            mark_of(_member(line, "evaluation", "score")), _member(line, "evaluation", "is_correct")
        )
    yield from samples


def _member(line: dict[str, Any], *path: str) -> Any:
    """The member at a path of names, or None."""
    value: Any = line
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _id(line: dict[str, Any]) -> str:
    ours = _member(line, "metadata", "leafscore_id")
    return ours if isinstance(ours, str) else f"{line.get('evaluation_name')}/{line.get('sample_id')}"


def _sample(line: dict[str, Any], repeat: int, counts: Counts) -> Sample:
    error = line.get("error")
    sample = Sample(
        _id(line),
        actual=MISSING if error else _answer(line),
        repeat=repeat,
        model=_text(line.get("model_id")),
        task=_text(line.get("evaluation_name")),
        error=str(error) if error else None,
        source=given(line),
    )
    targets = _member(line, "input", "reference")
    sample.expected = MISSING if targets is None else first_target(sample, targets, counts)
    return sample


def _answer(line: dict[str, Any]) -> Any:
    """The final answer that was extracted, or else the first output, or the last message of the model."""
    for found in reversed(_items(line.get("answer_attribution"))):
        if _member(found, "is_terminal") and "extracted_value" in found:
            return found["extracted_value"]
    for output in _items(_member(line, "output", "raw")):
        return output
    for message in reversed(_items(line.get("messages"))):
        if _member(message, "role") == "assistant" and message.get("content") is not None:
            return message["content"]
    return MISSING
