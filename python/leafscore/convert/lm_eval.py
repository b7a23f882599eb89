"""Samples of lm_eval (EleutherAI's lm-evaluation-harness), as `--log_samples` writes them to samples_TASK_DATE.jsonl.

A line is a document under one filter, and lm_eval has turned all answers and targets into texts. Tasks of multiple
choice hold the likelihood of each choice in place of an answer.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterable, Iterator
from typing import Any

from .counts import Counts
from .inputs import Input
from .json_text import as_text, dump
from .marks import Mark, mark_of
from .origins import Origin
from .outputs import lines_to
from .samples import MISSING, Options, Sample, given

NAME = "lm-eval"
ABOUT = "samples_*.jsonl of lm_eval --log_samples, or the folder that holds them"
OUTPUT = "samples_TASK.jsonl, also with .gz, or -"
FILES = "samples_*.jsonl"
IDS = "task/doc_id"
NO_METRICS = set(
    "doc_id doc target arguments resps filtered_resps filter metrics doc_hash prompt_hash target_hash "
    "leafscore_id model error".split()
)
DATE = re.compile(r"_\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(\.\d+)?$")


def looks_like(keys: set[str]) -> bool:
    return "doc_id" in keys and bool(keys & {"doc", "filtered_resps", "resps"})


def read(source: Input, options: Options, counts: Counts) -> Iterator[Sample]:
    task = _task(source)
    model = _text(_results(source).get("model_name"))
    for number, line in source.lines(counts):
        if isinstance(line, ValueError):
            yield Sample(
                f"{source.stem}:{number}",
                model=model,
                task=task,
                unreadable=True,
                named=False,
                error=str(line),
            )
            continue
        yield from _samples(line, task, model, options, counts, number)


def origin(source: Input) -> Origin:
    results, task = _results(source), _task(source)
    better = _of_task(results, "higher_is_better", task)
    better = better if isinstance(better, dict) else {}
    return Origin(
        "lm_eval",
        _text(results.get("lm_eval_version")) or "",
        tasks={task: {"version": version} if (version := _of_task(results, "versions", task)) else {}},
        less_is_better=tuple(metric for metric, more in better.items() if more is False),
    )


def _task(source: Input) -> str:
    return DATE.sub("", source.stem).removeprefix("samples_")


def _results(source: Input) -> dict[str, Any]:
    """Reads the file that lm_eval writes beside the samples: the model, versions, and which metrics should be low."""
    date = DATE.search(source.stem)
    path = source.path.with_name(f"results{date.group()}.json") if date else None
    if path is None or not path.is_file():
        return {}
    try:
        results = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return results if isinstance(results, dict) else {}


def _of_task(results: dict[str, Any], member: str, task: str) -> Any:
    """Returns the entry of a task in a member of the results."""
    by_task = results.get(member)
    return by_task.get(task) if isinstance(by_task, dict) else None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _samples(
    line: dict[str, Any], task: str, model: str | None, options: Options, counts: Counts, number: int
) -> Iterator[Sample]:
    chosen_filter = line.get("filter")
    if "doc_id" not in line:
        counts.add("no_id")
    parts = [task, as_text(line.get("doc_id", f"line-{number}"))]
    own_id = line.get("leafscore_id", MISSING)
    score_id = "/".join(parts) if own_id is MISSING else own_id
    extra = {}
    if isinstance(chosen_filter, str) and chosen_filter != "none":
        parts.append(chosen_filter)
        extra["filter"] = chosen_filter
    target = line.get("target", MISSING)
    answers = _answers(line, target, counts)
    if len(answers) > 1 and not options.all_responses:
        counts.add("other_responses")
        del answers[1:]
    for repeat, answer in enumerate(answers or [MISSING], 1):
        yield Sample(
            line.get("leafscore_id", "/".join(parts)),
            expected=MISSING if target is None else target,
            actual=answer,
            repeat=repeat,
            model=model if model else line.get("model"),
            task=task,
            error=line.get("error"),
            extra=dict(extra),
            source=given(line),
            scores=_marks(line, extra.get("filter", "")),
            family=extra.get("filter", ""),
            score_id=score_id,
            named="doc_id" in line or own_id is not MISSING,
        )


def _marks(line: dict[str, Any], chosen_filter: str) -> dict[str, Mark]:
    """The marks by metric, and by metric and filter where that has a name, as in lm_eval's results."""
    names = line.get("metrics")  # older versions do not write it
    if not isinstance(names, list):
        names = [name for name in line if name not in NO_METRICS]
    end = f",{chosen_filter}" if chosen_filter else ""
    return {f"{name}{end}": mark_of(line[name]) for name in names if isinstance(name, str) and name in line}


def _answers(line: dict[str, Any], target: Any, counts: Counts) -> list[Any]:
    """The answers that the filter has let through: one, or a list of them."""
    filtered = line.get("filtered_resps")
    if not isinstance(filtered, list) or not filtered:
        return []
    arguments = _arguments(line)
    if all(len(each) == 1 for each in arguments) and arguments:
        counts.add("only_likelihoods")  # of a whole text: nothing was asked but that
        return []
    likelihoods = [likelihood for each in filtered if (likelihood := _likelihood(each)) is not None]
    if len(likelihoods) == len(filtered) == len(arguments):
        choice = _likeliest(likelihoods, [each[-1] if each else None for each in arguments], target)
        counts.add("only_likelihoods" if choice is None else "choices")
        return [] if choice is None else [choice]
    answers = filtered[0] if isinstance(filtered[0], list) else filtered
    return [answer for answer in answers if answer is not None]


def _arguments(line: dict[str, Any]) -> list[list[Any]]:
    """Returns the prompt: a text, and a continuation or how to go on."""
    arguments = line.get("arguments")
    each = (
        arguments.values()
        if isinstance(arguments, dict)
        else arguments
        if isinstance(arguments, list)
        else []
    )
    return [
        list(one.values()) if isinstance(one, dict) else list(one)
        for one in each
        if isinstance(one, (dict, list))
    ]


def _likelihood(response: Any) -> float | None:
    """The first of [log-likelihood, whether greedy decoding gives the text], which lm_eval writes as texts."""
    if not isinstance(response, list) or len(response) != 2 or str(response[1]) not in ("True", "False"):
        return None
    try:
        likelihood = float(str(response[0]))
    except ValueError:
        return None
    return None if math.isnan(likelihood) else likelihood


def _likeliest(likelihoods: list[float], choices: list[Any], target: Any) -> str | None:
    """The choice that lm_eval takes for the answer, in the words or as the number that the target is; else None."""
    best = max(range(len(likelihoods)), key=lambda number: likelihoods[number])
    if len(choices) < 2:
        return None
    texts = [choice.strip() if isinstance(choice, str) else choice for choice in choices]
    if target in texts:
        return texts[best]
    return str(best) if str(target) in map(str, range(len(choices))) else None


def write(records: Iterable[dict[str, Any]], output: str, counts: Counts) -> None:
    """Lines with the members that lm_eval writes; leafscore_id has the record's id, as doc_id is a number."""
    with lines_to(output) as lines:
        for number, record in enumerate(records):
            lines.write(dump(_line(number, record, counts), counts.add))


def _line(number: int, record: dict[str, Any], counts: Counts) -> dict[str, Any]:
    for name in ("expected", "actual"):
        if name in record and not isinstance(record[name], str):
            counts.add("as_json")
    target = as_text(record["expected"], counts.add) if "expected" in record else None
    responses = [as_text(record["actual"], counts.add)] if "actual" in record else []
    rest = {
        key: value
        for key, value in record.items()
        if key not in ("id", "expected", "actual", "model", "error")
    }
    line = {
        "doc_id": number,
        "doc": rest,
        "target": target,
        "arguments": {"gen_args_0": {"arg_0": "", "arg_1": {"until": []}}},
        "resps": [responses],
        "filtered_resps": responses,
        "filter": "none",
        "metrics": [],
        "doc_hash": _hash(dump(rest, counts.add)),
        "prompt_hash": _hash(""),
        "target_hash": _hash(str(target)),
        "leafscore_id": record["id"],
    }
    return line | {name: record[name] for name in ("model", "error") if name in record}


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
