"""Logs of inspect_ai, .eval and .json, read and written by the package itself, whose formats change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from .counts import Counts
from .errors import ConvertError, need_package
from .inputs import Input
from .json_text import as_text, dump
from .marks import Mark, mark_of
from .origins import Origin
from .outputs import whole_path
from .samples import MISSING, Options, Sample, first_target

NAME = "inspect"
ABOUT = "logs of inspect_ai, .eval or .json, or the folder that holds the .eval files (needs inspect_ai)"
OUTPUT = "log.eval or log.json"
FILES = "*.eval"
IDS = "task/id of the sample; its epochs are answers to one id"
LETTERS = {"C": Mark(1.0, True), "P": Mark(0.5, False), "I": Mark(0.0, False), "N": Mark(0.0, False)}
BIG_FIELDS = {"events", "messages", "store", "timelines"}
CHUNK = 64


def looks_like(keys: set[str]) -> bool:
    return {"version", "status", "eval"} <= keys


def package() -> Any:
    """The package, which is imported where it is needed: it takes seconds to import."""
    try:
        import inspect_ai
        import inspect_ai.log
    except ImportError:
        raise need_package("inspect_ai", "the format inspect") from None
    return inspect_ai


def record_id(task: str, metadata: dict[str, Any] | None, sample_id: Any) -> str:
    """The id of a sample's record, but for the epoch; one that leafscore wrote into a log has its old id again."""
    own = (metadata or {}).get("leafscore_id")
    return own if isinstance(own, str) else f"{task}/{sample_id}"


def origin(source: Input) -> Origin:
    spec = _header(source).eval
    scorers = {each.name: each.options or {} for each in spec.scorers or []}
    return Origin(
        "inspect_ai",
        (spec.packages or {}).get("inspect_ai", ""),
        metrics=tuple(scorers),
        tasks={str(spec.task): {"version": spec.task_version, "scorers": scorers}},
    )


def _header(source: Input) -> Any:
    log_api = package().log
    if not source.path.is_file():
        raise ConvertError(f"{source.name} is no file: inspect_ai reads logs by their names")
    try:
        return log_api.read_eval_log(str(source.path), header_only=True)
    except Exception as error:  # any exception: from the package, pydantic, zip or JSON
        raise ConvertError(f"inspect_ai cannot read {source.name}: {_first_line(error)}") from error


def read(source: Input, options: Options, counts: Counts) -> Iterator[Sample]:
    log_api = package().log
    header = _header(source)
    try:
        spec = header.eval
        ran = set()
        for sample in _log_samples(log_api, source.path):
            ran.add((sample.id, sample.epoch))
            yield from _samples(sample, spec, options, counts)
    except ConvertError:
        raise
    except Exception as error:  # any exception, as above
        raise ConvertError(f"inspect_ai cannot read {source.name}: {_first_line(error)}") from error
    epochs = range(1, (spec.config.epochs or 1) + 1)
    for sample_id in spec.dataset.sample_ids or []:
        for epoch in epochs:
            if (sample_id, epoch) not in ran:
                missing = f"the log has no such sample (its status: {header.status})"
                place = f"{spec.task}/{sample_id}"
                yield Sample(
                    place,
                    repeat=epoch,
                    model=str(spec.model),
                    task=str(spec.task),
                    error=missing,
                    not_run=True,
                )


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]


def _log_samples(log_api: Any, path: Path) -> Iterator[Any]:
    """The samples; of an .eval file some at a time, so that the largest log takes little memory."""
    if path.suffix != ".eval":
        yield from log_api.read_eval_log(str(path), resolve_attachments="core").samples or []
        return
    places = iter([(each.id, each.epoch) for each in log_api.read_eval_log_sample_summaries(str(path))])
    while chunk := list(islice(places, CHUNK)):
        yield from log_api.read_eval_log_samples_by_id(
            str(path), chunk, resolve_attachments="core", exclude_fields=BIG_FIELDS
        )


def _samples(sample: Any, spec: Any, options: Options, counts: Counts) -> Iterator[Sample]:
    answers = (
        [] if sample.error or sample.output is None else [one.message.text for one in sample.output.choices]
    )
    if len(answers) > 1 and not options.all_responses:
        counts.add("other_responses")
        del answers[1:]
    epochs = spec.config.epochs or 1
    for number, answer in enumerate(answers or [MISSING]):
        found = Sample(
            record_id(spec.task, sample.metadata, sample.id),
            actual=answer,
            repeat=sample.epoch + number * epochs,
            model=str(spec.model),
            task=str(spec.task),
            error=_first_line(Exception(sample.error.message)) if sample.error else None,
            extra={"epoch": sample.epoch} if epochs > 1 else {},
            source=lambda: sample.model_dump(mode="json"),
            scores=_marks(sample.scores or {}),
        )
        # A sample without a target has an empty text as its target.
        found.expected = (
            MISSING if sample.target in ("", [], [""]) else first_target(found, sample.target, counts)
        )
        yield found


def _marks(scores: dict[str, Any]) -> dict[str, Mark]:
    """The marks by scorer; of a scorer with several values, by scorer and value."""
    marks: dict[str, Mark] = {}
    for scorer, score in scores.items():
        if isinstance(score.value, dict):
            marks |= {f"{scorer}.{name}": _mark(value) for name, value in score.value.items()}
        else:
            marks[scorer] = _mark(score.value)
    return marks


def _mark(value: Any) -> Mark:
    return LETTERS[value] if isinstance(value, str) and value in LETTERS else mark_of(value)


def write(records: Iterable[dict[str, Any]], output: str, counts: Counts) -> None:
    """One log of all records, which `inspect view` shows and `inspect score` scores; held in memory while it is made."""
    check_log_name(output)
    inspect = package()
    samples = []
    names: dict[str, set[str]] = {"model": set(), "task": set()}
    for record in records:
        samples.append(_written_sample(inspect, record, counts))
        for name, found in names.items():
            found.add(str(record.get(name, "none")))
    if any(len(found) > 1 for found in names.values()):
        raise ConvertError(
            "a log of inspect_ai is of one task and one model: convert the records of each apart"
        )
    log = inspect.log.EvalLog(
        status="success",
        eval=inspect.log.EvalSpec(
            created="1970-01-01T00:00:00+00:00",
            task=min(names["task"], default="none"),
            model=min(names["model"], default="none"),
            dataset=inspect.log.EvalDataset(samples=len(samples), sample_ids=[each.id for each in samples]),
            config=inspect.log.EvalConfig(),
        ),
        samples=samples,
    )
    write_log(inspect, log, output)


def check_log_name(output: str) -> None:
    if Path(output).suffix not in (".eval", ".json"):
        raise ConvertError(f"the name of a log ends in .eval or .json, not as {output}")


def write_log(inspect: Any, log: Any, output: str) -> None:
    with whole_path(output) as partial:
        inspect.log.write_eval_log(log, str(partial), format=Path(output).suffix.removeprefix("."))


def _written_sample(inspect: Any, record: dict[str, Any], counts: Counts) -> Any:
    from inspect_ai.model import ModelOutput

    for name in ("expected", "actual"):
        if name in record and not isinstance(record[name], str):
            counts.add("as_json")
    model = str(record.get("model", "none"))
    output = ModelOutput(model=model)
    if "actual" in record:
        output = ModelOutput.from_content(model, as_text(record["actual"], counts.add))
    error = None
    if "error" in record:
        text = as_text(record["error"], counts.add)
        error = inspect.log.EvalError(message=text, traceback="", traceback_ansi="")
    rest = {
        key: value
        for key, value in record.items()
        if key not in ("expected", "actual", "model", "task", "error")
    }
    texts = {
        key: value if isinstance(value, (str, bool, int)) else dump(value, counts.add)
        for key, value in rest.items()
    }
    return inspect.log.EvalSample(
        id=as_text(record["id"]),
        epoch=1,
        input="",
        target=as_text(record["expected"], counts.add) if "expected" in record else "",
        output=output,
        error=error,
        metadata={
            as_text(key, counts.add): as_text(value, counts.add) if isinstance(value, str) else value
            for key, value in texts.items()
            if key != "id"
        }
        | {"leafscore_id": as_text(record["id"])},
    )
