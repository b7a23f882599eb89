"""Precision and recall by field, from the summaries of runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Callable

import pytest
from report_testing import Page, page_of, report, write_lines

from leafscore.report import formats
from leafscore.report.summaries import COUNTS, RATES


@pytest.fixture(scope="module")
def scored(run: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with scores of two models, one of which leaves out and makes up values, and the summary of the run."""
    folder = tmp_path_factory.mktemp("summaries")
    records = []
    for number in range(20):
        expected = {"total": number, "lines": [{"sku": "a", "qty": number}]}
        wrong = {"total": number + number % 2, "lines": [{"sku": "a"}], "note": "x"}
        records.append({"id": f"a{number}", "model": "good", "expected": expected, "actual": expected})
        records.append({"id": f"b{number}", "model": "bad", "expected": expected, "actual": wrong})
    del records[-1]["actual"]  # what it should hold counts as missing, though its line lists nothing
    options = ("-s", "records", "-q", "--group-by", "model", "-o", folder / "scores.jsonl")
    run("score", write_lines(folder / "records.jsonl", records), *options, "--summary", folder / "summary.json")
    return folder


def page_with(folder: Path, tmp_path: Path, *arguments: Any) -> Page:
    assert report(folder / "scores.jsonl", *arguments, "-o", tmp_path / "page.html") == 0
    return page_of(tmp_path / "page.html")


def rows_of(figures: dict[str, Any]) -> list[list[str]]:
    """The cells that a table of these figures has."""
    averages = {"Micro: from the sums of all fields": "micro", "Macro: the mean over the fields": "macro"}
    named = [(name, figures[member]) for name, member in averages.items()]
    named += [(row["field"], row) for row in figures["fields"]]
    rows = []
    for name, row in named:
        counts = [str(row[count]) for count in COUNTS if count in row]
        rows.append([name, *(formats.number(row[rate]) for rate in RATES), *counts])
    return rows


def has_row(page: Page, row: list[str]) -> bool:
    return any(page.texts[at : at + len(row)] == row for at in range(len(page.texts)))


def test_figures_are_those_of_the_summary(scored: Path, tmp_path: Path) -> None:
    page = page_with(scored, tmp_path, "--summary", scored / "summary.json")
    summary = json.loads((scored / "summary.json").read_text())["scorers"][0]
    rows = rows_of(summary)
    assert len(rows) == 6 and all(has_row(page, row) for row in rows)
    bars = [value for tag, name, value in page.values if (tag, name) == ("td", "style") and value.startswith("--v:")]
    assert f"--v:{summary['micro']['recall']:.4f}" in bars
    assert "is the summary of these scores" not in page.text()


def test_models_of_a_field_have_a_table_each(scored: Path, tmp_path: Path) -> None:
    page = page_with(scored, tmp_path, "--by", "model", "--name", "bad=Ours", "--summary", scored / "summary.json")
    for group in json.loads((scored / "summary.json").read_text())["scorers"][0]["groups"]:
        assert all(has_row(page, row) for row in rows_of(group))
    headings = [page.texts[at + 1] for at, text in enumerate(page.texts) if text == ": precision and recall of fields "]
    assert sorted(headings) == ["Ours", "good"]


def test_tools_are_the_fields_of_tool_calls(run: Callable[..., str], tmp_path: Path) -> None:
    calls = [{"name": "search"}, {"name": "fetch"}]
    records = write_lines(tmp_path / "records.jsonl", [{"id": 1, "expected": calls, "actual": calls[:1]}])
    options = ("-s", "tool_calls", "-q", "-o", tmp_path / "scores.jsonl", "--summary", tmp_path / "summary.json")
    run("score", records, *options)
    page = page_with(tmp_path, tmp_path, "--summary", tmp_path / "summary.json")
    assert "Tool" in page.texts and has_row(page, ["fetch", "–", "0", "0", "0", "0", "1"])


def test_a_summary_of_another_run_and_one_without_fields_are_noted(
    scored: Path, run: Callable[..., str], tmp_path: Path
) -> None:
    options = ("-s", "levenshtein", "-q", "-o", tmp_path / "other.jsonl", "--summary", tmp_path / "other.json")
    run("score", scored / "records.jsonl", *options)
    text = page_with(scored, tmp_path, "--summary", tmp_path / "other.json").text()
    assert "it is not known whether other.json is the summary of these scores" in text
    assert "other.json has no precision and recall by field" in text


@pytest.mark.parametrize(
    "summary",
    [
        "",
        "[]",
        "{}",
        '{"scorers": 1}',
        '{"scorers": [{"scorer": "records", "groups": [], "micro": {"precision": "1", "recall": 1, "f1": 1}}]}',
    ],
)
def test_what_is_no_summary_is_refused(
    scored: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], summary: str
) -> None:
    (tmp_path / "summary.json").write_text(summary)
    assert report(scored / "scores.jsonl", "--summary", tmp_path / "summary.json", "-o", tmp_path / "page.html") == 2
    assert "summary.json is not the summary of a run" in capsys.readouterr().err


def test_confidences_have_a_curve_and_a_table(run: Callable[..., str], tmp_path: Path) -> None:
    records = []
    for number in range(20):
        sure = {"value": number, "confidence": 0.95}
        unsure = {"value": number % 2, "confidence": 0.35}
        records.append({"id": number, "expected": {"a": number, "b": 1}, "actual": {"a": sure, "b": unsure, "c": 1}})
    options = ("-s", "records:confidence_key=confidence", "-q", "-o", tmp_path / "scores.jsonl")
    run("score", write_lines(tmp_path / "records.jsonl", records), *options, "--summary", tmp_path / "summary.json")
    told = json.loads((tmp_path / "summary.json").read_text())["scorers"][0]["calibration"]
    assert (told["values"], told["right"], told["without_confidence"]) == (40, 30, 20)
    assert told["auroc"] == (10 * 0.5 + 20) / 30
    page = page_with(tmp_path, tmp_path, "--summary", tmp_path / "summary.json")
    assert "40 values have a confidence, 20 have none." in page.text()
    assert has_row(page, ["above 0.3 to 0.4", "20", "0.3500", "0.5000"])
    assert has_row(page, ["above 0.9 to 1", "20", "0.9500", "1"])
    chart = page.charts["reliability-0"]
    assert [(one["confidence"], one["precision"]) for one in chart["data"]["values"]] == [(0.35, 0.5), (0.95, 1)]
