"""Saved agent runs, scored against the ground truth of their scenarios."""

from __future__ import annotations

import json
import os
import tempfile
from typing import Any, Mapping, Sequence, Union

from . import _core
from ._digest import figure_rows
from ._errors import Error
from ._judges import Judges
from ._options import names
from ._scores import _progress

_Path = Union[str, "os.PathLike[str]"]


class Evaluation:
    """The results of an evaluation.

    Attributes:
        summary: the figures of everything that was asked for, each scenario of each runner and model, as the command
            writes them to _summary.json (docs/scorers.md#evaluate).
        aggregate: the figures of the runs that exist, as AssetOpsBench counts them, with all that was left out: the
            content of _aggregate.json. None after a dry run of judges.
    """

    def __init__(self, report: _core.EvaluationReport) -> None:
        self._report = report
        self.summary: dict[str, Any] = json.loads(report.summary())
        self.aggregate: dict[str, Any] | None = None
        if report.aggregate:
            with open(report.aggregate, encoding="utf-8") as file:
                self.aggregate = json.load(file)

    def to_text(self) -> str:
        """Returns the figures of everything that was asked for as a table for a terminal."""
        return self._report.table()

    def __repr__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        from . import _html  # here, as most programs show nothing

        parts = [_html.figures_table(figure_rows(self.summary))] if self.summary["scorers"] else []
        return _html.view(*parts, _html.preformatted(self.to_text()))


def evaluate(
    trajectories: _Path,
    scenarios: Sequence[_Path] | _Path,
    *,
    reports_dir: _Path | None = None,
    config: _Path | None = None,
    prices: Mapping[str, Mapping[str, float]] | _Path | None = None,
    judges: Judges | None = None,
    progress: Any = None,
    **options: Any,
) -> Evaluation:
    """Scores saved agent runs against the ground truth of their scenarios, as `leafscore evaluate` does.

    Args:
        trajectories: a folder, searched for *.json at any depth, or a file.
        scenarios: folders and files of ground truth.
        reports_dir: a folder for the reports, created if missing; None: no report is kept.
        config: a file of scorers with options; a scoring_method can be the name of one.
        prices: dollars per million tokens, {"my-model": {"input": 2.5, "output": 10}}, or the path of a file of them.
        judges: what models that judge are asked by (`Judges`).
        progress: as in `score`, but of files.
        options: those of the command, as default_scorer="static_json", scenario_ids=["11"], accept_unknown_methods=True,
            repeats="all", answer_field, judge_model, allow_self_judge=True, details="basic", run_reports=False, clean=True,
            threads, max_file_bytes; and generated_at, the date of the reports in seconds since 1970.

    Raises:
        Error: for files and options that are wrong, where no run matches a scenario or no run is scored, and where
            reports cannot be written.
        OSError: for files of scorers and prices that cannot be read.
    """
    given = {name: value for name, value in options.items() if value is not None}
    given["trajectories"] = os.fspath(trajectories)
    given["scenarios"] = [
        os.fspath(path) for path in ([scenarios] if isinstance(scenarios, (str, os.PathLike)) else scenarios)
    ]
    given["scenario_ids"] = names(given.get("scenario_ids"))
    if config is not None:
        given["config"], given["config_name"] = _read(config), os.fspath(config)
    if isinstance(prices, Mapping):
        given["prices"] = json.dumps(prices)
    elif prices is not None:
        given["prices"], given["prices_name"] = _read(prices), os.fspath(prices)
    if judges is not None:
        given["judges"], given["dry_run"] = judges._judges, judges.dry_run
    tell, end = _progress(progress)
    try:
        if reports_dir is not None:
            return _evaluation(_core.evaluate({**given, "reports_dir": os.fspath(reports_dir)}, tell), given)
        with tempfile.TemporaryDirectory(prefix="leafscore-") as folder:
            given["run_reports"] = False
            return _evaluation(_core.evaluate({**given, "reports_dir": folder}, tell), given)
    finally:
        end()


def _evaluation(report: _core.EvaluationReport, given: Mapping[str, Any]) -> Evaluation:
    """Raises Error where the command ends with an error, too."""
    if given.get("dry_run"):
        return Evaluation(report)
    if report.runs == 0:
        found = "no trajectory matches a scenario" if report.trajectory_files else "there is no trajectory"
        raise Error(f"{found}: {given['trajectories']}", "input")
    if report.scored == 0:
        raise Error("not one run was scored; the reports tell why, run by run", "input")
    if report.failed_reports:
        raise Error(f"{report.failed_reports} reports could not be written", "output")
    return Evaluation(report)


def _read(path: _Path) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()
