"""The tools that a client can call: scores, explanations, comparisons and a check of a test, over files below one folder."""

from __future__ import annotations

import gzip
import io
import json
import os
from typing import Any, BinaryIO, Dict, Iterator, List, Optional, Union

import leafscore
from leafscore._digest import digest
from leafscore._explain import explain_results
from leafscore._paths import members

from .root import Refused, Root

#: Scorers that compute. Others run programs or ask models, and what is new is refused until it is named here.
COMPUTING = (
    "classification",
    "contains",
    "exact_match",
    "exact_string_match",
    "field_accuracy",
    "fmea",
    "json_diff",
    "json_schema",
    "json_similarity",
    "levenshtein",
    "numeric_match",
    "records",
    "static_json",
    "strict_json",
    "tool_calls",
)
MAX_TEXT = 100_000  # longest answer in characters, as a model has to read it
MAX_LINE_BYTES = 64 << 20

# Types that pydantic turns into a schema, also in Python 3.9.
Scorers = Optional[List[Union[str, Dict[str, Any]]]]
Names = Optional[List[str]]


class Tools:
    """The tools, as functions whose arguments are what a client sends. ERRORS of all: ValueError in a sentence."""

    def __init__(self, folder: str) -> None:
        self._root = Root(folder)

    def score(
        self,
        files: List[str],
        scorers: Scorers = None,
        config: Optional[str] = None,
        gold: Optional[str] = None,
        output: Optional[str] = None,
        group_by: Names = None,
        id_field: str = "id",
        expected_field: str = "expected",
        actual_field: str = "actual",
        calls_field: Optional[str] = None,
        parse_texts: str = "auto",
    ) -> str:
        """Scores records in files of JSON Lines: means, pass rates, counts and reasons.

        Scorers are types such as "json_similarity", or objects of type, name and options; or a configuration's file. With
        gold, a file of records with the expected values, records are joined by id. With output, the name of a new file,
        the scores are kept there, for compare and explain. calls_field is the field with the messages, spans or calls of
        a run, which tool_calls judges.
        """
        with _Told(self._root):
            if not files:
                raise Refused("name at least one file")
            report = leafscore.score_files(
                [self._root.input(name) for name in files],
                self._plan(scorers, config),
                self._root.output(output) if output is not None else None,
                gold=None if gold is None else self._root.input(gold),
                group_by=group_by,
                id_field=id_field,
                expected_field=expected_field,
                actual_field=actual_field,
                calls_field=calls_field,
                parse_texts=parse_texts,
            )
            kept = f"\nscores: {output}" if output is not None else ""
            return self._text(digest(report["records_read"], report) + kept)

    def explain(
        self,
        file: str,
        id: str,
        scorers: Scorers = None,
        config: Optional[str] = None,
        gold: Optional[str] = None,
        id_field: str = "id",
        expected_field: str = "expected",
        actual_field: str = "actual",
        calls_field: Optional[str] = None,
        parse_texts: str = "auto",
    ) -> str:
        """Tells how the scores of the record with this id came about: each expected value beside the answer's.

        The file holds records in JSON Lines; the first one with the id counts. Other arguments are those of score.
        """
        with _Told(self._root):
            plan = self._plan(scorers, config)
            more = [*([calls_field] if calls_field is not None else []), *plan.record_fields]
            fields = list(dict.fromkeys((expected_field, actual_field, *more)))
            record = self._record(file, id, id_field, fields)
            if gold is not None:
                record[expected_field] = self._record(gold, id, id_field, [expected_field]).get(expected_field)
            columns = {name: [record.get(name)] for name in fields}
            options: Any = {"expected_format": "json", "actual_format": "json", "parse_texts": parse_texts}
            if calls_field is not None:
                options["calls"] = calls_field
            scores = plan.score(
                columns, expected=expected_field, actual=actual_field, details="leaves", **options
            )
            return self._text(explain_results(scores[0]))

    def compare(
        self,
        base: str,
        new: str,
        by: Optional[str] = None,
        margin: Optional[float] = None,
        alpha: Optional[float] = None,
        cluster: Optional[str] = None,
    ) -> str:
        """Tells whether a run got better or worse than another over the same records: paired tests, intervals, verdicts.

        base and new are files that score wrote. by is a field whose values are groups, margin the difference that
        matters, alpha the error that is accepted, cluster a field whose values are records that depend on each other.
        """
        with _Told(self._root):
            given = {"margin": margin, "alpha": alpha, "cluster": cluster}
            compared = leafscore.compare(self._root.scores(base), self._root.scores(new), by=by, **given)
            return self._text(compared.to_text())

    def lint(
        self,
        gold: str,
        scorers: Scorers = None,
        config: Optional[str] = None,
        answers: Names = None,
        group_by: Names = None,
        id_field: str = "id",
        expected_field: str = "expected",
        calls_field: Optional[str] = None,
        parse_texts: str = "auto",
    ) -> str:
        """Checks a test before anyone is judged by it: gold that nobody can match, wrong answers that score.

        gold is a file of records with the expected values. answers are files of the answers of one model each.
        """
        with _Told(self._root):
            report = leafscore.lint(
                self._root.input(gold),
                self._plan(scorers, config),
                [self._root.input(name) for name in answers or ()],
                group_by=group_by,
                gold_id_field=id_field,
                gold_expected_field=expected_field,
                calls_field=calls_field,
                parse_texts=parse_texts,
            )
            return self._text(report.to_text())

    def _plan(self, scorers: Scorers, config: str | None) -> leafscore.Plan:
        """ERRORS: Refused for a scorer that runs a program, asks a model, or reads a file."""
        if (scorers is None) == (config is None):
            raise Refused("give either scorers or the file of a config")
        if config is not None:
            plan = leafscore.Plan.from_config(self._root.input(config))
        else:
            for scorer in scorers or ():
                _check(scorer if isinstance(scorer, dict) else {"type": scorer})
            plan = leafscore.Plan(scorers or [])
        for scorer in json.loads(plan.config())["evaluators"]:
            _check(scorer)
        return plan

    def _record(self, name: str, wanted: str, id_field: str, fields: list[str]) -> dict[str, str | None]:
        """Returns these members of the record with an id, as they are written."""
        columns = {**dict.fromkeys(fields, "json"), id_field: None}
        with _open(self._root.input(name)) as file:
            for number, line in enumerate(_lines(file, name), 1):
                if line.isspace():
                    continue
                try:
                    found = members(line.decode(), columns)
                except ValueError as error:
                    raise Refused(f"{name}, line {number}: {error}") from None
                if found.get(id_field) == wanted:
                    return found
        raise Refused(f"no record of {name} has the {id_field} {wanted!r}")

    def _text(self, text: str) -> str:
        text = self._root.shown(text)
        return text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]}\n... cut at {MAX_TEXT:,} characters"


def _check(scorer: dict[str, Any]) -> None:
    kind = scorer.get("type")
    if kind not in COMPUTING:
        raise Refused(f"this server does not run the scorer {kind}: it has {', '.join(COMPUTING)}")
    if isinstance(scorer.get("schema"), str):  # which the engine would accept as the path of any file
        raise Refused(f"{kind}: give the schema itself, not the name of a file")


def _open(path: str) -> BinaryIO:
    if path.endswith(".gz"):
        return io.BufferedReader(gzip.open(path))
    return open(path, "rb")


def _lines(file: BinaryIO, name: str) -> Iterator[bytes]:
    while line := file.readline(MAX_LINE_BYTES + 1):
        if len(line) > MAX_LINE_BYTES:
            raise Refused(f"a line of {name} is longer than {MAX_LINE_BYTES >> 20} MiB")
        yield line


class _Told:
    """Makes a ValueError of what went wrong, without the path of the folder; a defect stays what it is."""

    def __init__(self, root: Root) -> None:
        self._root = root

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError) and error.filename:
            name = self._root.shown(os.fspath(error.filename))
            raise ValueError(f"{name}: {error.strerror}") from None
        if isinstance(error, (Refused, leafscore.Error, OSError, TypeError, ValueError)):
            raise ValueError(self._root.shown(str(error))) from None
