"""The findings of `leafscore lint` and `leafscore check` as SARIF 2.1.0, which code scanning shows beside lines of files.

Lint's findings are located in the gold, by the ids that they name; what check says names file and line itself.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from .counts import Counts
from .errors import ConvertError
from .inputs import Input
from .json_text import dump, parse
from .outputs import lines_to
from .samples import MISSING, Options, id_text, lookup

NAME = "sarif"
OUTPUT = "findings.sarif, also with .gz, or -: SARIF 2.1.0 from leafscore lint --format json, or from what check prints"
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LINT_RULES = {
    "unreadable_gold": "A record of the gold cannot be read",
    "missing_id": "A record of the gold has no id",
    "missing_expected": "A record of the gold has no expected value",
    "repeated_id": "An id has several records that expect the same value",
    "contradictory_id": "An id has several records that expect different values",
    "similar_id": "Ids differ only by case, blanks or leading zeros",
    "repeated_question": "A question has several records that expect the same value",
    "contradictory_question": "A question has several records that expect different values",
    "constant_path": "Leaves are the same in all records that have them",
    "rare_path": "A path is in few records",
    "empty_gold": "The expected value is null or a blank text",
    "placeholder_gold": "The expected value has a placeholder",
    "error_gold": "The expected value is left over from a failure",
    "invalid_gold": "The expected value is not valid by the schema",
    "lone_record": "A test or a group has a single record",
    "unscorable_gold": "The gold, given as its own answer, gets no score",
    "gold_not_perfect": "The gold, given as its own answer, does not get the full score",
    "nothing_compared": "A scorer compares nothing, whatever the answer",
    "absent_path": "A path in the options of a scorer leads nowhere",
    "easy_answer": "An answer given without looking at the question scores",
    "unseen_addition": "A scorer does not see what an answer adds",
    "wide_tolerance": "A tolerance accepts the values of other records",
    "zero_threshold": "A threshold is 0",
    "unreadable_answer": "Answers cannot be read",
    "answer_without_gold": "Answers have ids that the gold lacks",
    "unanswered_gold": "No input answers a record",
    "constant_answer": "An input gives one answer to everything",
    "never_answered_path": "A path of the gold is in no answer",
    "failed_by_all": "All inputs fail a record",
    "passed_by_all": "All inputs pass a record",
}
# The words of check for a part that does not run as it stands, which excludes "runs".
CHECK_RULES = {
    "cannot run here": ("cannot_run_here", "error", "A part of the configuration cannot run"),
    "differs": ("differs", "warning", "A part of the configuration scores otherwise than in its tool"),
    "skipped": ("skipped", "note", "A part of the configuration is left out"),
    "ignored": ("ignored", "note", "A member of the configuration has no effect"),
}
KINDS = "|".join(["runs", *CHECK_RULES])
CHECK_LINE = re.compile(rf"(?P<file>.+?)(?::(?P<line>\d+))?: (?P<kind>{KINDS}): (?P<text>.+)")
RECORD_NUMBER = re.compile(r"record (\d+)")
MAX_LINT_BYTES = 256 << 20


@dataclass
class _Result:
    """A finding; the first place is where it is shown."""

    rule: str
    level: str
    text: str
    places: list[dict[str, Any]]
    accepted: bool = False
    properties: dict[str, Any] = field(default_factory=dict)


def convert_to_sarif(source: Input, output: str, options: Options, counts: Counts) -> None:
    """Writes the findings in one report. ERRORS: ConvertError for a file that is none."""
    with source.open() as file:
        raw = file.read(MAX_LINT_BYTES)
    report = _lint_report(raw)
    if report is not None:
        results, rules = list(_of_lint(report, options)), LINT_RULES
    else:
        results = list(_of_check(raw.decode("utf-8", "replace"), source.name))
        rules = {rule: text for rule, _, text in CHECK_RULES.values()}
    counts.unit = "findings"
    counts.add("records", len(results))
    with lines_to(output) as lines:
        lines.write(dump(_log(results, rules), counts.add))


def _lint_report(raw: bytes) -> dict[str, Any] | None:
    """Returns the report of lint in JSON, or None for anything else."""
    try:
        report = parse(raw)
    except ValueError:
        return None
    return report if isinstance(report, dict) and isinstance(report.get("findings"), list) else None


def _of_lint(report: dict[str, Any], options: Options) -> Iterator[_Result]:
    if options.gold is None:
        raise ConvertError("SARIF shows findings in a file: name the gold that lint read with --gold FILE")
    gold = _Gold(options.gold, options.id_field or "id", _named_ids(report))
    for finding in report["findings"]:
        about = [finding[name] for name in ("scorer", "answer", "source") if name in finding]
        text = f"{finding['message']} {finding['advice']}" + (f" ({', '.join(about)})" if about else "")
        ids = finding.get("ids", {}).get("first", [])
        properties = {name: finding[name] for name in ("ids", "paths", "numbers") if finding.get(name)}
        places = [gold.place(each) for each in ids] or [gold.place(None)]
        yield _Result(finding["kind"], finding["severity"], text, places, finding["accepted"], properties)


def _named_ids(report: dict[str, Any]) -> set[str]:
    return {each for finding in report["findings"] for each in finding.get("ids", {}).get("first", [])}


class _Gold:
    """The file that was judged, and where in it the records are that findings name."""

    def __init__(self, name: str, id_field: str, wanted: set[str]):
        self._uri = _uri(name)
        self._lines: dict[str, int] = {}
        source = Input(name)
        if source.head().lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"["):
            return  # an array, whose records have no lines of their own
        told_by_lint = Counts(io.StringIO())
        values = source.rows(told_by_lint) if source.is_table else source.lines(told_by_lint)
        for record, (number, value) in enumerate(values, 1):
            found = MISSING if isinstance(value, ValueError) else lookup(value, id_field)
            key = f"record {record}" if found is MISSING else id_text(found)
            if key in wanted:
                self._lines.setdefault(key, number)

    def place(self, record_id: str | None) -> dict[str, Any]:
        """Where a record is, or the file itself."""
        line = self._lines.get(record_id or "", None)
        return _place(self._uri, line, None if record_id is None else f"id {record_id}")


def _of_check(text: str, name: str) -> Iterator[_Result]:
    lines = [line for line in text.splitlines() if line.strip()]
    found = [match for line in lines if (match := CHECK_LINE.fullmatch(line))]
    if not found:
        raise ConvertError(f"{name} is neither JSON of leafscore lint nor what leafscore check prints")
    for each in found:
        if each["kind"] in CHECK_RULES:
            rule, level, _ = CHECK_RULES[each["kind"]]
            line = int(each["line"]) if each["line"] else None
            yield _Result(rule, level, each["text"], [_place(_uri(each["file"]), line)])


def _uri(name: str) -> str:
    """A relative path as it is, for the root of the repository; an absolute one as a URI of its own."""
    path = Path(name)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())


def _place(uri: str, line: int | None, text: str | None = None) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": uri}, "region": {"startLine": line or 1}}
    return {"physicalLocation": physical} | ({"message": {"text": text}} if text else {})


def _log(results: list[_Result], rules: dict[str, str]) -> dict[str, Any]:
    used = list(dict.fromkeys(result.rule for result in results))
    driver = {
        "name": "leafscore",
        "rules": [{"id": rule, "shortDescription": {"text": rules.get(rule, rule)}} for rule in used],
    }
    found = [_result(result, used.index(result.rule)) for result in results]
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": found}]}


def _result(result: _Result, rule_index: int) -> dict[str, Any]:
    made: dict[str, Any] = {
        "ruleId": result.rule,
        "ruleIndex": rule_index,
        "level": result.level,
        "message": {"text": result.text},
        "locations": result.places[:1],
    }
    if result.places[1:]:
        made["relatedLocations"] = result.places[1:]
    if result.accepted:
        made["suppressions"] = [{"kind": "external", "justification": "named by --accept"}]
    if result.properties:
        made["properties"] = result.properties
    return made
