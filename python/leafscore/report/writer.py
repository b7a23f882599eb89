"""A report, from its inputs to the file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from .. import __version__
from ..convert.errors import ConvertError
from ..convert.outputs import refuse_inputs, whole_path
from . import command, verdicts
from .aggregate import Aggregate
from .answers import reasons_of_change
from .data import manifest_of, read_json
from .errors import ReportError
from .lines import model_of_file, require_files
from .names import Names, Rows, are_parts
from .options import Options
from .records_view import fallen, lowest, wanted
from .render import libraries, render
from .scores_view import Report, add_matches, add_scores
from .summaries import from_summaries
from .texts import counted

MAX_TITLE_FILES = 3  # that a heading names


def write_report(
    inputs: Sequence[str | os.PathLike[str]], output: str | os.PathLike[str], options: Options = Options()
) -> bool:
    """Writes the report of files of scores, or of one comparison in JSON, to one file of HTML.

    RETURNS: whether all gates that were asked for held.
    ERRORS: ReportError and OSError; the output then does not appear.
    """
    names = [os.fspath(name) for name in inputs]
    libraries()  # before any work for a page that cannot be written
    try:
        used = [*names, *options.data, *options.summaries, *([options.compare] if options.compare else [])]
        refuse_inputs(os.fspath(output), [Path(name + end) for name in used for end in ("", ".manifest.json")])
        report, held = _report(names, options)
        with whole_path(os.fspath(output)) as partial:
            with open(partial, "x", encoding="utf-8", newline="\n") as file:
                file.write(render(report))
    except ConvertError as error:
        raise ReportError(str(error)) from None
    except (ReportError, OSError, MemoryError):
        raise
    except Exception as error:
        if not is_comparison(names):
            raise
        # Anything can be wrong in a file that anyone may have edited.
        raise ReportError(f"{names[0]} is not the JSON of leafscore compare: {type(error).__name__}: {error}") from None
    return held


def is_comparison(names: Sequence[str]) -> bool:
    """Whether the one input is to be a comparison that has been made."""
    return len(names) == 1 and names[0].endswith(".json")


def _report(names: list[str], options: Options) -> tuple[Report, bool]:
    if not names:
        raise ReportError("no input is named: leafscore report SCORES... -o report.html")
    if is_comparison(names):
        comparison = _read_comparison(names[0])
        if options != Options(title=options.title, worst=options.worst, names=options.names):
            raise ReportError(f"{names[0]} is a comparison that has been made: only --title, --name and --worst go with it")
        files = [comparison["base"], *(file["file"] for file in comparison["files"])]
        shown = Names(options.names, files, comparison["by"] or None, compared=True)
        shown.rename_groups(comparison)
        title = options.title or f"Comparison with {_named(files[:1], shown)}"
        report = Report(title, __version__, [names[0]], names=shown)
        for file in comparison["files"]:
            for scorer in file["scorers"]:
                scorer["worst"] = scorer["worst"][: options.worst]
        _add_comparison(report, comparison, None, None, ())
        report.doubts.append(f"the verdict and the figures are those that {Path(names[0]).name} states; scores were not read")
        return report, all(gate["passed"] for gate in comparison["gates"])
    require_files([*names, *([options.compare] if options.compare else [])])
    if options.compare is None:
        if options.comparison_options:
            raise ReportError(f"{options.comparison_options[0]} needs --compare BASE")
        return _of_scores(names, options), True
    return _of_comparison(names, options.compare, options)


def _of_scores(names: list[str], options: Options) -> Report:
    shown = Names(options.names, names, options.by)
    matches, warnings, several_bases = _matches(names, options, shown)
    rows: Rows = []  # means of scores against different models do not compare
    if not several_bases:
        rows, warnings = command.leaderboard(names, options)
    shown.rename_rows(rows)
    runs: Rows = []
    if shown.noun.is_part:
        runs, warnings = _runs(rows, names, options, shown)
    aggregate = Aggregate(options.by, options.worst, names=shown)
    for name in names:
        aggregate.read(name)
    report = Report(options.title or _title(rows or matches, names, shown), __version__, names, names=shown)
    report.doubts += warnings
    add_scores(report, rows, aggregate, None, runs)
    add_matches(report, matches)
    _add_summaries(report, names, options)
    report.worst, report.pages, doubtful = lowest(aggregate, options.data)
    report.doubts += _doubt(doubtful)
    return report


def _of_comparison(names: list[str], base: str, options: Options) -> tuple[Report, bool]:
    shown = Names(options.names, [base, *names], options.by, compared=True)
    comparison, warnings, held = command.comparison(base, names, options)
    # Where each file is a model, the base can be one of them, unless it has the same name as another.
    alone = "--accept-differences" in options.comparison_options or model_of_file(base) in map(model_of_file, names)
    ranked = names if alone else [base, *names]
    rows, _ = command.leaderboard(ranked if options.by is None else names, options)
    shown.rename_rows(rows)
    shown.rename_groups(comparison)
    runs, _ = _runs(rows, ranked, options, shown)
    now = Aggregate(options.by, options.worst, set(), shown)
    before = Aggregate(options.by, options.worst, wanted(comparison, shown, base, base=True), shown)
    for name in names:
        now.want(wanted(comparison, shown, name, base=False))
        now.read(name)
    before.read(base)
    title = options.title or f"{_named(names, shown)} against {_named([base], shown)}"
    report = Report(title, __version__, names, names=shown)
    report.doubts += [warning for warning in warnings if warning not in comparison["warnings"]]
    add_scores(report, rows, now, before, runs)
    add_matches(report, _matches(ranked, options, shown)[0])
    _add_summaries(report, [*names, base], options)
    _add_comparison(report, comparison, now, before, options.data)
    return report, held


def _matches(files: list[str], options: Options, shown: Names) -> tuple[Rows, list[str], bool]:
    """Models by matches, if all files hold matches; warnings; and whether the files have different bases."""
    bases, answers = set(), {}
    for file in files:
        manifest = manifest_of(file)
        try:
            bases.add(manifest["versus"]["checksum"])
            answers[file] = model_of_file(manifest["inputs"][0]["name"])
        except (LookupError, TypeError):
            return [], [], False
    if options.by is not None:
        return [], [], False
    rows, warnings = command.matches(files, options)
    shown.rename_matches(rows, answers)
    return rows, warnings, len(bases) > 1


def _runs(rows: Rows, files: list[str], options: Options, shown: Names) -> tuple[Rows, list[str]]:
    """The leaderboard of whole files and its warnings, where a field names parts of them; else nothing."""
    if options.by is None or not are_parts(rows):
        return [], []
    runs, warnings = command.leaderboard(files, replace(options, by=None))
    shown.rename_runs(runs)
    return runs, warnings


def _add_summaries(report: Report, scores: list[str], options: Options) -> None:
    told = from_summaries(options.summaries, scores, options.by, report.names)
    report.field_rates, report.reliabilities = told.field_rates, told.reliabilities
    report.doubts += told.doubts


def _add_comparison(
    report: Report, comparison: dict[str, Any], now: Aggregate | None, base: Aggregate | None, data: tuple[str, ...]
) -> None:
    report.comparison = comparison
    report.verdict = verdicts.verdict(comparison)
    report.verdict.sentence = report.names.in_sentence(report.verdict.sentence)
    report.changes = verdicts.changes(comparison)
    report.verified = report.verified and comparison["verified"]
    report.doubts += verdicts.doubts(comparison)
    report.causes = reasons_of_change(report.changes, report.names, now, base) if report.changes else None
    report.worst, report.pages, doubtful = fallen(comparison, report.names, now, base, data)
    report.doubts += _doubt(doubtful)


def _title(rows: Rows, files: list[str], shown: Names) -> str:
    """The heading of a leaderboard: what is ranked, and of what."""
    models = {row["model"] for row in rows}
    if shown.noun.is_part:
        return f"{_named(files, shown)}: scores by {shown.noun.one}"
    if len(models) == 1:
        return f"Scores of {_named(files, shown)}"
    asked = {row["asked"] for row in rows if row["rank"] is not None and "asked" in row}
    return f"{len(models):,} models" + (f" on {counted(asked.pop(), 'record', 'records')}" if len(asked) == 1 else "")


def _named(files: list[str], shown: Names) -> str:
    if len(files) > MAX_TITLE_FILES:
        return f"{len(files)} files"
    return ", ".join(_records_of(file) if (name := shown.model_of_file(file)) == "scores" else name for file in files)


def _records_of(file: str) -> str:
    """The name of the records that were scored, as a file called scores tells nobody anything."""
    try:
        return model_of_file(manifest_of(file)["inputs"][0]["name"])
    except (LookupError, TypeError):
        return model_of_file(file)


def _doubt(files: list[str]) -> list[str]:
    return [f"it is not known whether {Path(name).name} holds the records of these scores" for name in files]


def _read_comparison(name: str) -> dict[str, Any]:
    """The comparison that a file holds. ERRORS: ReportError."""
    value = read_json(name, "the JSON of leafscore compare")
    if not isinstance(value, dict) or not {"verdict", "base", "gates", "files"} <= value.keys():
        raise ReportError(f"{name} is not the JSON of leafscore compare; give that, or files of scores in JSON Lines")
    return value
