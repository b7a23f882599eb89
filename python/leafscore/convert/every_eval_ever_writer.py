"""Lines of scores as results of Every Eval Ever (schema 0.3.0), in the folders of its store: BENCHMARK/DEVELOPER/MODEL.

Each model has a `UUID.json` with a result for each scorer. With the records that were scored, `UUID_samples.jsonl`
beside it has a line for each record and scorer. The UUID is made from the results, so the same scores give the same
files.
"""

from __future__ import annotations

import json
import math
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import UUID

from .counts import Counts
from .errors import ConvertError
from .inputs import Input
from .json_text import as_text, dump
from .marks import mark_of
from .outputs import whole_path
from .samples import Options, id_text

SCHEMA_VERSION = "0.3.0"
UNKNOWN = "unknown"
QUESTIONS = ("question", "input", "prompt")  # the first that a record has, as for lint
ABOUT_MEMBERS = (
    "benchmark",
    "models",
    "evaluation_timestamp",
    "source_metadata",
    "model_info",
    "source_data",
    "generation_config",
)
ABOUT_OBJECTS = ("models", "source_metadata", "model_info", "source_data", "generation_config")
UNFIT_IN_NAMES = re.compile(r'[<>:"/\\|?*\x00-\x1f]')


@dataclass
class _Row:
    """A line of scores, its place in the input, and the record that it is of, if that is known."""

    number: int
    line: dict[str, Any]
    model: str
    record: dict[str, Any] | None = None


@dataclass
class _Lines:
    """The lines of scores. `unused` has those that no record was found for."""

    rows: list[_Row] = field(default_factory=list)
    unused: dict[tuple[str, str], list[_Row]] = field(default_factory=dict)  # by id and model

    def add(self, line: dict[str, Any]) -> None:
        row = _Row(len(self.rows), line, _model_of(line))
        self.rows.append(row)
        self.unused.setdefault((id_text(line.get("id")), row.model), []).append(row)

    def take(self, record: dict[str, Any]) -> list[_Row]:
        """Gives the record to its lines. RETURNS: these."""
        model = str(record.get("model", ""))
        key = id_text(record["id"])
        found = self.unused.pop((key, model), []) or self.unused.pop((key, ""), [])
        scorers = Counter(row.line["scorer"] for row in found)
        for scorer, number in scorers.items():
            if number > 1:
                raise ConvertError(f"there are {number} scores of {scorer} for {key}: convert without --same-ids")
        for row in found:
            row.record = record
            row.model = row.model or model
        return found


def _model_of(line: dict[str, Any]) -> str:
    model = _groups(line).get("model")
    return str(model if model is not None else line.get("source", ""))


def _groups(line: dict[str, Any]) -> dict[str, Any]:
    groups = line.get("groups")
    return groups if isinstance(groups, dict) else {}


def convert_scores(scores: Sequence[Input], output: str, options: Options, counts: Counts) -> None:
    """Writes the results in lines of scores."""
    lines = _read_lines(scores, counts)
    counts.unit = "scores"
    counts.add("records", len(lines.rows))
    _write(lines, scores[0], output, _read_about(options.about), counts, with_samples=False)


def convert_records(
    records: Iterable[dict[str, Any]], scores: Input, output: str, options: Options, counts: Counts
) -> None:
    """Writes the results, and the records as samples."""
    lines = _read_lines([scores], counts)
    for record in records:
        counts.add("no_score", not lines.take(record))
    counts.add("no_sample", sum(map(len, lines.unused.values())))
    _write(lines, scores, output, _read_about(options.about), counts, with_samples=True)


def _read_lines(sources: Sequence[Input], counts: Counts) -> _Lines:
    lines = _Lines()
    for source in sources:
        for number, line in source.score_lines(counts):
            if line["outcome"] == "scored" and mark_of(line.get("score")).score is None:
                counts.bad_line(source.name, number, "it has no score, which its outcome says")
                continue
            lines.add(line)
    if not lines.rows:
        raise ConvertError(f"there is no line of scores in {sources[0].name}: make them with leafscore score")
    return lines


def _read_about(name: str | None) -> dict[str, Any]:
    """Returns the content of the file of --about."""
    if name is None:
        return {}
    try:
        about = json.loads(Path(name).read_bytes())
    except ValueError as error:
        raise ConvertError(f"{name} is not JSON: {error}") from None
    if not isinstance(about, dict):
        raise ConvertError(f"{name} is no JSON object")
    for member, value in about.items():
        objects = [value, *value.values()] if member == "models" and isinstance(value, dict) else [value]
        if member in ABOUT_OBJECTS and not all(isinstance(each, dict) for each in objects):
            raise ConvertError(f"{name} has the member {member}, which is no object: {dump(value)}")
        if member not in ABOUT_MEMBERS:
            near = get_close_matches(member, ABOUT_MEMBERS, 1)
            hint = f"did you mean {near[0]}? " if near else ""
            raise ConvertError(f"{name} has the member {member}: {hint}There are: {', '.join(ABOUT_MEMBERS)}")
    return about


def _write(
    lines: _Lines, scores: Input, output: str, about: dict[str, Any], counts: Counts, *, with_samples: bool
) -> None:
    by_model: dict[str, list[_Row]] = {}
    for row in lines.rows:
        by_model.setdefault(row.model, []).append(row)
    written = 0.0 if scores.is_stream else scores.path.stat().st_mtime
    stamp = f"{written or time.time():.6f}"
    manifest = _manifest(scores)
    with whole_path(output, folder=True) as folder:
        for name, rows in by_model.items():
            run = _Run(name, rows, about, stamp, manifest, scores.stem)
            if run.developer == UNKNOWN:
                counts.say(f"the developer of {run.model_id} is unknown: models or model_info in --about name it")
            run.write(folder, counts, with_samples=with_samples)


def _manifest(scores: Input) -> dict[str, Any]:
    """The manifest beside the scores, or nothing."""
    try:
        found = json.loads(Path(scores.name + ".manifest.json").read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


class _Run:
    """The scores of one model, and what its files say of them."""

    def __init__(
        self, name: str, rows: list[_Row], about: dict[str, Any], stamp: str, manifest: dict[str, Any], stem: str
    ):
        self._rows = rows
        self._about = about
        self._stamp = stamp
        self._manifest = manifest
        self._benchmark = str(about.get("benchmark", stem))
        said: dict[str, Any] = about.get("model_info", {}) | about.get("models", {}).get(name, {})
        details = {"deployment_type": UNKNOWN, "model_availability": UNKNOWN, **said.get("additional_details", {})}
        self._info = {"name": name or UNKNOWN, "id": name or UNKNOWN, **said, "additional_details": details}
        self.model_id = str(self._info["id"])
        before, slash, after = self.model_id.partition("/")
        self.developer = before if slash else str(self._info.get("developer", UNKNOWN))
        self._place = [_folder_name(each) for each in (self._benchmark, self.developer, after if slash else before)]
        self._id = f"{self._benchmark}/{self.model_id}/{stamp}"

    def write(self, folder: Path, counts: Counts, *, with_samples: bool) -> None:
        results = self._results()
        uuid = UUID(bytes=sha256(dump([self._id, results["evaluation_results"]]).encode()).digest()[:16], version=4)
        place = folder.joinpath(*self._place)
        place.mkdir(parents=True, exist_ok=True)
        if with_samples:
            name = f"{uuid}_samples.jsonl"
            content = "".join(dump(line) + "\n" for line in self._samples(counts)).encode()
            (place / name).write_bytes(content)
            results["detailed_evaluation_results"] = {
                "format": "jsonl",
                "file_path": "/".join(["data", *self._place, name]),
                "hash_algorithm": "sha256",
                "checksum": sha256(content).hexdigest(),
                "total_rows": content.count(b"\n"),
            }
        text = json.dumps(results, ensure_ascii=False, indent=2, allow_nan=False)
        (place / f"{uuid}.json").write_text(text + "\n", encoding="utf-8", errors="replace")

    def _results(self) -> dict[str, Any]:
        metadata = {
            "source_type": "evaluation_run",
            "source_organization_name": UNKNOWN,
            "evaluator_relationship": "other",
        }
        results = {
            "schema_version": SCHEMA_VERSION,
            "evaluation_id": self._id,
            "retrieved_timestamp": self._stamp,
            "source_metadata": metadata | self._about.get("source_metadata", {}),
            "eval_library": self._library(),
            "model_info": self._info,
            "evaluation_results": [self._result(scorer) for scorer in self._scorers()],
        }
        if "evaluation_timestamp" in self._about:
            results["evaluation_timestamp"] = self._about["evaluation_timestamp"]
        return results

    def _library(self) -> dict[str, str]:
        """The tool that computed the scores."""
        origin = self._manifest.get("converted_from")
        if origin is None:
            return {"name": "leafscore", "version": str(self._manifest.get("leafscore", UNKNOWN))}
        return {name: origin.get(key) or UNKNOWN for name, key in (("name", "tool"), ("version", "version"))}

    def _settings(self, scorer: str) -> dict[str, str]:
        """Returns the facts that two scores of this scorer must share to be comparable, if there is a manifest."""
        for found in self._manifest.get("scorers", []):
            if found.get("name") == scorer:
                return {name: as_text(found[name]) for name in ("type", "revision", "options") if name in found}
        return {}

    def _scorers(self) -> list[str]:
        return list(dict.fromkeys(row.line["scorer"] for row in self._rows))

    def _result(self, scorer: str) -> dict[str, Any]:
        lines = [row.line for row in self._rows if row.line["scorer"] == scorer]
        source = {"dataset_name": self._benchmark, "source_type": "other"}
        result = {
            "evaluation_result_id": scorer,
            "evaluation_name": self._benchmark,
            "source_data": self._about.get("source_data", source),
            "metric_config": {
                "evaluation_description": f"mean of leafscore's {scorer}; what has no score counts as 0",
                "metric_id": f"leafscore.{scorer}",
                "metric_name": scorer,
                "metric_unit": "proportion",
                "lower_is_better": False,
                "score_type": "continuous",
                "min_score": 0,
                "max_score": 1,
                "additional_details": self._settings(scorer),
            },
            "score_details": _details(lines),
        }
        if "generation_config" in self._about:
            result["generation_config"] = self._about["generation_config"]
        return result

    def _samples(self, counts: Counts) -> Iterator[dict[str, Any]]:
        for row in self._rows:
            if row.record is not None:
                yield {
                    "schema_version": SCHEMA_VERSION,
                    "evaluation_id": self._id,
                    "model_id": self.model_id,
                    "evaluation_name": self._benchmark,
                    "evaluation_result_id": row.line["scorer"],
                    **_sample(row.record, row.line, counts),
                }


def _folder_name(text: str) -> str:
    """A name that every file system takes. Two models never share a file, whose name is made from the model's id."""
    return UNFIT_IN_NAMES.sub("_", text).rstrip(". ") or UNKNOWN


def _details(lines: list[dict[str, Any]]) -> dict[str, Any]:
    """The mean over all that was asked, how sure it is, and what happened to the records."""
    scores = [_score(line) for line in lines]
    mean = math.fsum(scores) / len(scores)
    outcomes = Counter(line["outcome"] for line in lines)
    details = {"asked": str(len(lines)), **{name: str(number) for name, number in sorted(outcomes.items())}}
    if any("passed" in line for line in lines):
        details["passed"] = str(sum(bool(line.get("passed")) for line in lines))
    uncertainty: dict[str, Any] = {"num_samples": len(scores)}
    if len(scores) > 1:
        deviation = math.sqrt(math.fsum((score - mean) ** 2 for score in scores) / (len(scores) - 1))
        uncertainty["standard_deviation"] = deviation
        uncertainty["standard_error"] = {"value": deviation / math.sqrt(len(scores)), "method": "analytic"}
    return {"score": mean, "details": details, "uncertainty": uncertainty}


def _score(line: dict[str, Any]) -> float:
    return (mark_of(line["score"]).score or 0.0) if line["outcome"] == "scored" else 0.0


def _sample(record: dict[str, Any], line: dict[str, Any], counts: Counts) -> dict[str, Any]:
    question = next((record[name] for name in QUESTIONS if name in record), "")
    references = [record["expected"]] if "expected" in record else []
    if isinstance(others := record.get("other_expected"), list):
        references += others
    answers = [as_text(record["actual"], counts.add)] if "actual" in record else []
    attribution = {"turn_idx": 0, "source": "output.raw", "extraction_method": "none", "is_terminal": True}
    score = _score(line)
    metadata = {name: as_text(value) for name, value in _groups(line).items() if value is not None}
    return {
        "sample_id": id_text(record["id"]),
        "interaction_type": "single_turn",
        "input": {
            "raw": as_text(question, counts.add),
            "reference": [as_text(each, counts.add) for each in references],
        },
        "output": {"raw": answers},
        "answer_attribution": [{**attribution, "extracted_value": answer} for answer in answers],
        "evaluation": {"score": score, "is_correct": bool(line.get("passed", score == 1))},
        "error": None if line["outcome"] == "scored" else _why(line),
        "metadata": {**metadata, "leafscore_id": id_text(record["id"])},
    }


def _why(line: dict[str, Any]) -> str:
    why = line.get("message") or line.get("reason")
    return f"{line['outcome']}: {why}" if why else str(line["outcome"])
