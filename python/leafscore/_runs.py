"""Files of records and of scores: what the command does with them, in this process."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any, Sequence, Union

from . import _core
from ._errors import Error
from ._judges import Judges
from ._options import Scorer, names
from ._plan import Plan, as_plan
from ._scores import Scores, _progress

_Path = Union[str, "os.PathLike[str]"]


def score_files(
    inputs: Sequence[_Path] | _Path,
    scorers: Sequence[Scorer] | Scorer | Plan,
    output: _Path | None = None,
    *,
    progress: Any = None,
    **options: Any,
) -> dict[str, Any]:
    """Scores files of records as `leafscore score` does, in bounded memory, to the same bytes.

    Args:
        inputs: JSON Lines or JSON arrays of records, .gz and .zst too.
        scorers: as in `score`.
        output: JSON Lines, or CSV when the name ends in .csv, perhaps with .gz or .zst behind; None: none.
        progress: as in `score`.
        options: those of the command, as group_by=["model"], gold="gold.jsonl", join_field="id", source_field="model",
            details="leaves", id_field, expected_field, actual_field, threads, memory_bytes, resume=True, profile=True;
            and judges, as in `score`, which write no output where they only count.

    Returns:
        The report, as the command's --summary writes it; with profile=True, `timing` has the processor time of each
        of the `stages`, in seconds: `parallel_seconds`, and `serial_seconds` where one thread at a time may be.

    Raises:
        Error: for inputs, outputs and options that are wrong. Of a run that ended early, `report` has what was known.
    """
    given = {name: value for name, value in options.items() if value is not None}
    paths = [inputs] if isinstance(inputs, (str, os.PathLike)) else inputs
    given["inputs"] = [os.fspath(path) for path in paths]
    given["output"] = os.fspath(output) if output is not None else ""
    given["group_by"] = names(given.get("group_by"))
    judges = given.get("judges")
    if isinstance(judges, Judges):
        given["judges"] = judges._judges
        if judges.dry_run:
            given["output"] = ""
    tell, end = _progress(progress)
    try:
        report: dict[str, Any] = json.loads(_core.score_files(as_plan(scorers)._plan, given, tell))
    finally:
        end()
    return report


class Comparison:
    """What two runs over the same records say of each other.

    Attributes:
        verdict: "regressed", "improved", "equivalent" or "inconclusive": the gravest of all scorers.
        figures: all figures, as `leafscore compare` writes them as JSON (docs/compare.md).
    """

    def __init__(self, comparison: _core.Comparison) -> None:
        self._comparison = comparison
        self.figures: dict[str, Any] = json.loads(comparison.render("json"))
        self.verdict: str = self.figures["verdict"]

    def to_text(self) -> str:
        """Returns the comparison as a table for a terminal."""
        return self._comparison.render("table")

    def to_markdown(self) -> str:
        return self._comparison.render("markdown")

    def to_csv(self) -> str:
        return self._comparison.render("csv")

    def to_latex(self) -> str:
        return self._comparison.render("latex")

    def to_junit(self) -> str:
        return self._comparison.render("junit")

    def __repr__(self) -> str:
        return self.to_text()


def compare(
    base: Scores | _Path, new: Scores | _Path | None = None, *, by: str | None = None, **options: Any
) -> Comparison:
    """Compares two runs over the same records, joined by their ids.

    Args:
        base, new: `Scores` that kept the column `id` (and `by`), or files of scores. With between="source" and
            values=["gpt-4", "gpt-5"], `base` alone, a file whose lines with these values of the field are compared.
        by: a kept column, or a field of the files, whose values are groups.
        options: those of the command, as margin=0.02, alpha=0.05, cluster="document", scorers=["exact_match"],
            correction="holm", common_only=True, anytime=True, repeats="all", pass_k=3, worst=10.

    Raises:
        Error: for files that cannot be compared, which says what differs.
    """
    given = {name: value for name, value in options.items() if value is not None}
    if by is not None:
        given["by"] = by
    with tempfile.TemporaryDirectory(prefix="leafscore-") as folder:
        files = []
        for name, run in (("base", base), ("new", new)):
            if run is None:
                continue
            if isinstance(run, Scores):
                given["unverified"] = True  # a table has no manifest
                path = Path(folder, f"{name}.jsonl")
                write_lines(run, path, [field for field in (by, options.get("cluster")) if field])
                files.append(str(path))
            else:
                files.append(os.fspath(run))
        try:
            return Comparison(_core.compare({**given, "base": files[0], "news": files[1:]}))
        except Error as error:  # which names a file that nobody else knows
            error.args = (error.args[0].replace(folder + os.sep, ""),)
            raise


def write_lines(scores: Scores, path: _Path, fields: Sequence[str] = ()) -> None:
    """Writes scores as the lines that `leafscore compare` and `leaderboard` read (docs/formats.md).

    Args:
        scores: with the kept column `id`.
        path: a file.
        fields: kept columns to write as groups.
    """
    table = scores.to_arrow()
    for name in ("id", *fields):
        if name not in table.schema.names:
            raise Error(f"the scores have no column {name!r}; name it in `keep`")
    ids = table.column("id").to_pylist()
    groups = {name: table.column(name).to_pylist() for name in fields}
    with open(path, "w", encoding="utf-8") as file:
        columns = [(name, table.column(name).to_pylist()) for name in scores.plan.scorer_names]
        for row, record in enumerate(ids):
            for name, results in columns:
                result = results[row]
                line = {"id": record, "scorer": name, "outcome": result["outcome"]}
                if result["outcome"] == "scored":
                    line["score"] = result["score"]
                    if result["passed"] is not None:
                        line["passed"] = result["passed"]
                else:
                    line["reason"] = result["reason"]
                if groups:
                    line["groups"] = {field: values[row] for field, values in groups.items()}
                file.write(json.dumps(line) + "\n")
