"""Tests, checked before anyone is judged by them."""

from __future__ import annotations

import json
import os
import tempfile
from typing import Any, Iterable, Mapping, Sequence, Union

from . import _core
from ._errors import Error
from ._judges import Judges
from ._options import Scorer, names
from ._paths import path_of
from ._plan import Plan, as_plan
from ._schemas import schema_of
from ._scores import _progress
from ._values import to_json

_Path = Union[str, "os.PathLike[str]"]
_Records = Union[_Path, Sequence[Mapping[str, Any]]]


class LintReport:
    """The findings about a test.

    Attributes:
        verdict: "unfit" with an error, "doubtful" with a warning, else "fine".
        findings: a dict for each finding, the most serious first: severity, kind, message, advice, and where they apply
            scorer, source, answer, ids and paths.
        figures: everything, as `leafscore lint --format json` writes it (docs/lint.md).
    """

    def __init__(self, report: _core.LintReport) -> None:
        self._report = report
        self.figures: dict[str, Any] = json.loads(report.render("json"))
        self.verdict: str = self.figures["verdict"]
        self.findings: list[dict[str, Any]] = self.figures["findings"]

    def to_text(self) -> str:
        """Returns the findings as text for a terminal."""
        return self._report.render("table")

    def to_markdown(self) -> str:
        return self._report.render("markdown")

    def __repr__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        from . import _html  # here, as most programs show nothing

        return _html.view(_html.of_markdown(self.to_markdown()), verdict=self.verdict)


def lint(
    gold: _Records,
    scorers: Sequence[Scorer] | Scorer | Plan,
    answers: Mapping[str, _Records] | Sequence[_Path] | _Path = (),
    *,
    group_by: Sequence[str] | str | None = None,
    accept: Sequence[str] | str | None = None,
    schema: Any = None,
    progress: Any = None,
    **options: Any,
) -> LintReport:
    """Checks a test before anyone is judged by it, as `leafscore lint` does: gold that nobody can match, wrong answers
    that score, thresholds that everything reaches.

    >>> report = lint([{"id": 1, "expected": {"n": 1}}, {"id": 1, "expected": {"n": 2}}], "exact_match")
    >>> report.verdict, report.findings[0]["kind"]
    ('unfit', 'contradictory_id')

    Args:
        gold: a file of records with the expected values, or a list of such records (dicts).
        scorers: as in `score`.
        answers: files of answers, each of one model; or a dict of files or lists of records by the name of the model.
        group_by: fields of the gold whose values are tests of their own.
        accept: findings that are known and do not count, as "easy_answer:superset".
        schema: a JSON Schema that the expected values should follow: a file, a dict, a model of pydantic or a data class.
        progress: as in `score`.
        options: those of the command, as question_field, pass_score, ask_judges=True, id_field, expected_field,
            actual_field, calls_field, gold_id_field, gold_expected_field, parse_texts, strict_json, threads,
            memory_bytes.

    Raises:
        Error: for files and options that are wrong, and for gold without a record to judge.
    """
    given = {name: value for name, value in options.items() if value is not None}
    given["group_by"] = names(group_by)
    given["accept"] = names(accept)
    if isinstance(given.get("judges"), Judges):
        given["judges"] = given["judges"]._judges
    plan = as_plan(scorers)._plan
    tell, end = _progress(progress)
    with tempfile.TemporaryDirectory(prefix="leafscore-") as folder:
        given["gold"] = _as_file(gold, folder, "gold")
        if schema is not None:
            given["schema"] = _as_schema_file(schema, folder)
        if isinstance(answers, Mapping):
            os.mkdir(os.path.join(folder, "answers"))
            answers = [_as_file(records, os.path.join(folder, "answers"), name) for name, records in answers.items()]
        elif isinstance(answers, (str, os.PathLike)):
            answers = [answers]
        what = "answers are files, each of one model, or a dict of files or lists of records by the name of the model"
        given["inputs"] = [path_of(path, what) for path in answers]
        try:
            return LintReport(_core.lint(plan, given, tell))
        except Error as error:  # which names a file that nobody else knows
            answer_folder = os.path.join(folder, "answers") + os.sep
            error.args = (error.args[0].replace(answer_folder, "").replace(folder + os.sep, ""),)
            raise
        finally:
            end()


def _as_schema_file(schema: Any, folder: str) -> str:
    if isinstance(schema, (str, os.PathLike)):
        return os.fspath(schema)
    path = os.path.join(folder, "schema.json")
    with open(path, "wb") as file:
        file.write(to_json(schema_of(schema)))
    return path


def _as_file(records: _Records, folder: str, name: str) -> str:
    """Returns the path of a file. Records are first written to a file of this name."""
    if isinstance(records, (str, os.PathLike)):
        return os.fspath(records)
    if not name or name.startswith(".") or os.sep in name or "\0" in name:
        raise Error(f"{name!r} cannot be the name of a file of answers; give the model another name")
    path = os.path.join(folder, f"{name}.jsonl")
    with open(path, "wb") as file:
        for row, record in enumerate(_checked(records)):
            try:
                file.write(to_json(record) + b"\n")
            except (TypeError, ValueError) as error:
                raise type(error)(f"row {row} of {name}: {error}") from None
    return path


def _checked(records: Iterable[Any]) -> Iterable[Mapping[str, Any]]:
    if hasattr(records, "to_dict") and hasattr(records, "columns"):
        raise TypeError("records are a file or a list of dicts; of a data frame, df.to_dict('records') gives these")
    if hasattr(records, "to_pylist"):
        raise TypeError("records are a file or a list of dicts; of a table, table.to_pylist() gives these")
    if isinstance(records, Mapping):
        raise TypeError("records are a file or a list of dicts; give one record as [record]")
    for row, record in enumerate(records):
        if not isinstance(record, Mapping):
            raise TypeError(f"records are dicts, not {type(record).__name__} (row {row})")
        yield record
