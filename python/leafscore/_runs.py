"""Files of records and of scores: what the command does with them, in this process."""

from __future__ import annotations

import json
import os
import re
import tempfile
from pathlib import Path
from typing import Any, Iterator, Mapping, Sequence, Union

from . import _core
from ._errors import Error
from ._judges import Judges
from ._options import Scorer, names
from ._paths import path_of
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
            details="leaves", id_field, expected_field, actual_field, calls_field, threads, memory_bytes, limit=100,
            resume=True, profile=True; and judges, as in `score`, which write no output where they only count.

    Returns:
        The report, as the command's --summary writes it; with profile=True, `timing` has the processor time of each
        of the `stages`, in seconds: `parallel_seconds`, and `serial_seconds` where one thread at a time may be.

    Raises:
        Error: for inputs, outputs and options that are wrong. If the run ended early, `report` has the figures so far.
    """
    given = {name: value for name, value in options.items() if value is not None}
    paths = [inputs] if isinstance(inputs, (str, os.PathLike)) else inputs
    what = "inputs are paths of files; leafscore.score takes records and tables"
    given["inputs"] = [path_of(path, what) for path in paths]
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
    """The comparison of two runs over the same records.

    Attributes:
        verdict: "regressed", "improved", "equivalent" or "inconclusive": the gravest of all scorers.
        figures: all figures, as `leafscore compare` writes them as JSON (docs/compare.md).
    """

    def __init__(self, comparison: _core.Comparison, folder: str) -> None:
        self._comparison = comparison
        # Nobody else knows these files. A format may put backslashes before characters of their names.
        self._folder = re.compile("".join(rf"\\?{re.escape(character)}" for character in folder + os.sep))
        self.figures: dict[str, Any] = json.loads(self._render("json"))
        self.verdict: str = self.figures["verdict"]

    def _render(self, format_name: str) -> str:
        return self._folder.sub("", self._comparison.render(format_name))

    def to_text(self) -> str:
        """Returns the comparison as a table for a terminal."""
        return self._render("table")

    def to_markdown(self) -> str:
        return self._render("markdown")

    def to_csv(self) -> str:
        return self._render("csv")

    def to_latex(self) -> str:
        return self._render("latex")

    def to_junit(self) -> str:
        return self._render("junit")

    def __repr__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        from . import _html  # here, as most programs show nothing

        return _html.view(_html.of_markdown(self.to_markdown()), verdict=self.verdict)


def compare(
    base: Scores | _Path, new: Scores | _Path | None = None, *, by: str | None = None, **options: Any
) -> Comparison:
    """Compares two runs over the same records, joined by their ids.

    Args:
        base, new: `Scores` that kept the column `id` (and `by`), or files of scores. With between="source" and
            values=["gpt-4", "gpt-5"], `base` alone, a file whose lines with these values of the field are compared.
        by: a kept column, or a field of the files, whose values are groups.
        options: those of the command, as margin=0.02, alpha=0.05, cluster="document", scorers=["exact_match"],
            correction="holm", common_only=True, anytime=True, repeats="all", pass_k=3, worst=10,
            labels="labels.jsonl".

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
                files.append(path_of(run, f"{name} is Scores that kept the column id, or the path of a file of scores"))
        try:
            return Comparison(_core.compare({**given, "base": files[0], "news": files[1:]}), folder)
        except Error as error:  # which names a file that nobody else knows
            error.args = (error.args[0].replace(folder + os.sep, ""),)
            raise


class Leaderboard:
    """Models, ranked by their scores.

    Attributes:
        rows: a dict for each model and scorer, as `leafscore leaderboard --format json` writes it (docs/leaderboard.md):
            scorers by name, the best model of each first.
        warnings: a sentence for each doubt about comparing the models.
    """

    def __init__(self, board: _core.Leaderboard) -> None:
        self._board = board
        self.rows: list[dict[str, Any]] = self._read("ranks")
        self.warnings: list[str] = board.warnings

    @property
    def by_scorer(self) -> list[dict[str, Any]]:
        """Means by model and scorer, a dict for each cell, as --columns scorer gives them."""
        return self._read("by_scorer")

    @property
    def versus(self) -> list[dict[str, Any]]:
        """The models as their matches rank them, for outputs whose answers were compared (`versus`)."""
        return self._read("versus")

    @property
    def by_task(self) -> list[dict[str, Any]]:
        """With `task`: means by model and task, a dict for each cell, as --columns FIELD gives them."""
        return self._read("by_task")

    @property
    def by_field(self) -> list[dict[str, Any]]:
        """With `fields=True`: means by model and field or tool, as --columns field gives them."""
        return self._read("by_field")

    @property
    def sensitivity(self) -> list[dict[str, Any]]:
        """How strongly the ranks depend on the scorer and, with `task`, on single tasks, as --sensitivity gives it."""
        return self._read("sensitivity")

    def _read(self, view: str) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = json.loads(self._board.render(view, "json"))
        return rows

    def to_text(self, view: str = "ranks") -> str:
        """Returns a table for a terminal of "ranks", "versus", "by_scorer", "by_task", "by_field" or "sensitivity".

        So do the next three, for other places.
        """
        return self._board.render(view, "table")

    def to_markdown(self, view: str = "ranks") -> str:
        return self._board.render(view, "markdown")

    def to_csv(self, view: str = "ranks") -> str:
        return self._board.render(view, "csv")

    def to_latex(self, view: str = "ranks") -> str:
        return self._board.render(view, "latex")

    def __repr__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        from . import _html  # here, as most programs show nothing

        notes = [_html.paragraph(warning, "note") for warning in self.warnings[: _html.ROWS_SHOWN]]
        return _html.view(_html.of_markdown(self.to_markdown()), *notes)


def leaderboard(
    scores: Mapping[str, Scores] | Scores | Sequence[_Path] | _Path,
    *,
    by: str | None = None,
    cluster: str | None = None,
    task: str | None = None,
    **options: Any,
) -> Leaderboard:
    """Ranks models by their scores, as `leafscore leaderboard` does.

    >>> from leafscore import score
    >>> records = [{"id": n, "expected": {"n": n}, "actual": {"n": n}} for n in range(3)]
    >>> models = {"large": score(records, "exact_match", keep="id"),
    ...           "small": score([{**records[0], "actual": {}}, *records[1:]], "exact_match", keep="id")}
    >>> [(row["rank"], row["model"], f"{row['over_all']['mean']:.2f}") for row in leaderboard(models).rows]
    [(1, 'large', '1.00'), (2, 'small', '0.67')]

    Args:
        scores: the files of scores of several models, each named after its model, or with `by` one file; or a dict of
            `Scores` by the name of the model, or with `by` one `Scores`. `Scores` need the kept column `id`, and those
            that `by`, `cluster` and `task` name.
        by: the field that names the model.
        cluster: the field whose values are clusters of records that depend on each other.
        task: the field whose values are tasks, for `by_task` and `sensitivity`.
        options: those of the command, as min_share=0.8, common_only=True, groups=True, fields=True, repeats="all",
            pass_k=[1, 8], unverified=True, labels="labels.jsonl", threads=2.

    Raises:
        Error: for files that cannot be compared, which says what differs.
    """
    given = {name: value for name, value in options.items() if value is not None}
    if isinstance(given.get("pass_k"), int):
        given["pass_k"] = [given["pass_k"]]
    fields = [field for field in (by, cluster, task) if field]
    given.update({name: field for name, field in (("by", by), ("cluster", cluster), ("task", task)) if field})
    if isinstance(scores, (str, os.PathLike)):
        return Leaderboard(_core.rank([os.fspath(scores)], given))
    if not isinstance(scores, (Scores, Mapping)):
        return Leaderboard(_core.rank(_score_files(scores), given))
    if isinstance(scores, Mapping):
        if not scores:
            raise Error("there are no scores to rank")
        for model, of_model in scores.items():
            if not isinstance(of_model, Scores):
                cure = "files of scores are given as a list, each named after its model"
                raise TypeError(f"{model!r} is {type(of_model).__name__} and no Scores; {cure}")
    with tempfile.TemporaryDirectory(prefix="leafscore-") as folder:
        path = os.path.join(folder, "scores.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            if isinstance(scores, Scores):
                file.writelines(_score_lines(scores, fields))
            elif by is not None:
                raise Error("`by` names the models of one file or of one Scores; a dict has them as its keys")
            else:
                given["by"] = "model"
                for model, of_model in scores.items():
                    file.writelines(_score_lines(of_model, fields, {"model": model}))
        given["unverified"] = True  # a table has no manifest
        try:
            return Leaderboard(_core.rank([path], given))
        except Error as error:  # which names a file that nobody else knows
            error.args = (error.args[0].replace(folder + os.sep, ""),)
            raise


def _score_files(scores: Any) -> list[str]:
    """Raises Error where there is none."""
    what = "scores are files of scores, a dict of Scores by the name of the model, or with `by` one Scores"
    files = [path_of(path, what) for path in scores]
    if not files:
        raise Error("there are no scores to rank")
    return files


def write_lines(scores: Scores, path: _Path, fields: Sequence[str] = ()) -> None:
    """Writes scores as the lines that `leafscore compare` and `leaderboard` read (docs/formats.md).

    Args:
        scores: with the kept column `id`.
        path: a file.
        fields: kept columns to write as groups.
    """
    lines = _score_lines(scores, fields)
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(lines)


def _score_lines(scores: Scores, fields: Sequence[str], constants: Mapping[str, str] = {}) -> Iterator[str]:
    """Returns lines whose groups are the kept columns `fields` and, the same in all lines, the `constants`."""
    table = scores.to_arrow()
    for name in ("id", *fields):
        if name not in table.schema.names:
            raise Error(f"the scores have no column {name!r}; name it in `keep`, as in score(..., keep=[{name!r}])")
    return _lines_of(table, scores.plan.scorer_names, fields, constants)


def _lines_of(
    table: Any, scorers: Sequence[str], fields: Sequence[str], constants: Mapping[str, str]
) -> Iterator[str]:
    ids = table.column("id").to_pylist()
    groups = {name: table.column(name).to_pylist() for name in fields}
    columns = [(name, table.column(name).to_pylist()) for name in scorers]
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
            if groups or constants:
                line["groups"] = {**{field: values[row] for field, values in groups.items()}, **constants}
            yield json.dumps(line) + "\n"
