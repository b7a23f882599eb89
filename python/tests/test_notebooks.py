"""Results as notebooks show them."""

from __future__ import annotations

import html.parser
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow")

import leafscore as ls  # noqa: E402

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&amp;|\\*_`</td></table></div></style>\u202e"
VOID = {"img", "br", "meta", "link", "input"}


class Page(html.parser.HTMLParser):
    """What a browser would make of a piece of HTML: its elements, its attributes and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes += attributes
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.text += data


def shown(result: Any) -> Page:
    """Returns the view of a result, which has to be a piece of a page that harms nobody."""
    text = result._repr_html_()
    page = Page(text)
    assert set(page.elements) <= set("div style p strong table thead tbody tr th td h4 ul li pre".split())
    assert {name for name, _ in page.attributes} <= {"class", "style"}
    assert all(
        value is not None and value.startswith("--verdict: light-dark(")
        for name, value in page.attributes
        if name == "style"
    )
    assert "url(" not in text and "@import" not in text and "http" not in page.text.replace(HOSTILE, "")
    assert len(text) < 200_000
    assert text.count("<table") + text.count("<pre") == text.count('<div class="wide">')  # which scrolls
    return page


def records(right: Any, count: int = 40, name: str = "x") -> list[dict[str, Any]]:
    return [
        {"id": f"q{n}", "task": f"{name}{n % 2}", "expected": {"total": n}, "actual": {"total": n if right(n) else -1}}
        for n in range(count)
    ]


def scores(right: Any, **options: Any) -> ls.Scores:
    return ls.score(records(right, **options), ["exact_match", "json_similarity"], keep=["id", "task"], group_by="task")


def always(_: int) -> bool:
    return True


def often(n: int) -> bool:
    return n % 3 == 0


def test_scores() -> None:
    page = shown(scores(often))
    assert (
        "40 records" in page.text and "0.3500" in page.text and "task=x0" in page.text and "1.0000, passed" in page.text
    )
    assert "passed" in page.text and "not scored" not in page.text  # no empty column
    unread = shown(ls.score({"expected": ["Oslo"], "actual": ["Oslo"]}, "exact_match"))
    assert "error: invalid_json" in unread.text and 'expected_format="text"' in unread.text
    assert "0 records" in shown(ls.score([], "exact_match")).text


def test_kept_columns_of_odd_types_are_shown() -> None:
    import pyarrow as pa

    days = pa.table({"expected": ["1"], "actual": ["1"], "at": pa.array([86_400], pa.timestamp("s"))})
    assert "1970-01-02" in shown(ls.score(days, "exact_match", keep="at")).text


def test_summaries() -> None:
    summary = scores(often).summary(by="task")
    assert "task=x0 exact_match" in shown(summary).text
    assert str(summary).splitlines()[0].split() == ["mean", "scored", "passed"]
    assert "0.3500  20 of 20" in str(summary)
    assert "exact_match      0.3500  40 of 40   35.0%" in str(scores(often).summary())
    many = ls.score([{**row, "task": row["id"]} for row in records(often)], "exact_match", keep="task").summary(
        by="task"
    )
    assert "and 30 more groups" in str(many) and "and 30 more groups" in shown(many).text


def test_comparisons() -> None:
    comparison = ls.compare(scores(always), scores(often), by="task")
    page = shown(comparison)
    assert page.text.startswith("regressed: exact_match went from 1.0000 to 0.3500")
    assert "exact_match: groups by task" in page.text and "p (McNemar)" in page.text and "\\" not in page.text
    rules = [line for line in comparison.to_markdown().splitlines() if line.startswith("|---")]
    assert page.elements.count("table") == len(rules) > 0


def test_leaderboards() -> None:
    page = shown(ls.leaderboard({"large": scores(always), "small": scores(often)}))
    assert (
        "large" in page.text and "95% from" in page.text and "better" in page.text and page.elements.count("table") == 2
    )


def test_lint_reports() -> None:
    page = shown(ls.lint([*records(always, 5), records(always, 5)[3]], "json_similarity"))
    assert page.text.startswith("doubtful: ") and "repeated_id" in page.text and "What easy answers get:" in page.text


def test_evaluations(tmp_path: Path) -> None:
    runs, scenario = tmp_path / "runs", tmp_path / "scenarios" / "scenario_11"
    runs.mkdir()
    scenario.mkdir(parents=True)
    run = {"run_id": "r", "scenario_id": 11, "runner": "agent", "model": "m", "answer": '{"power": 240}'}
    (runs / "11.json").write_text(json.dumps(run))
    (scenario / "groundtruth.txt").write_text('{"power": 240}')
    assert "1 of 1" in shown(ls.evaluate(runs, tmp_path / "scenarios")).text


def test_explanations_and_pairs_and_judges() -> None:
    explanation = scores(often).explain("q1", "json_similarity")
    assert isinstance(explanation, str) and repr(explanation) == str(explanation)
    assert "total_leaves: 1" in shown(explanation).text
    pair = shown(ls.score_pair({"a": 1}, {"a": 2}, "json_similarity"))
    assert "json_similarity" in pair.text and "total_leaves" in pair.text
    judges = ls.Judges(dry_run=True)
    assert "requests" in shown(judges).text and repr(judges).startswith("<Judges: 0 requests")
    assert repr(ls.score_stream([], "exact_match")).startswith("<ScoreStream of exact_match")


def test_no_text_of_the_data_changes_the_page() -> None:
    rows = [
        {**row, "id": f"{row['id']} {HOSTILE}", "task": HOSTILE, "expected": {HOSTILE: HOSTILE}}
        for row in records(always)
    ]
    plan = [{"type": "json_similarity", "name": HOSTILE[:60]}]
    made = ls.score(rows, plan, keep=["id", "task"], group_by="task")
    results: list[Any] = [
        made,
        made.summary(by="task"),
        made.explain(0),
        ls.compare(made, made, by="task"),
        ls.leaderboard({HOSTILE: made, "other": made}),
        ls.lint(rows, plan, group_by="task"),
        ls.score_pair({HOSTILE: 1}, 1, {"type": "exact_match", "name": HOSTILE}),
    ]
    for result in results:
        page = shown(result)
        assert "<script>alert(1)</script>" in page.text
        assert "\u202e" not in page.text
    for name in ("a|b\\*_`<b>", "\\", "**x**", "@me $x$ #1 :a:", "| a |", "www.x.y", "- 1. > #", "&amp;&#32;"):
        assert name.strip() in shown(ls.leaderboard({name: made, "other": made})).text, name


def test_views_of_many_rows_groups_columns_and_long_texts_are_small() -> None:
    count = 1_000_000
    many = ls.score(
        {"expected": ["1"] * count, "actual": ["1"] * count, "id": ["x" * 9] * count}, "exact_match", keep="id"
    )
    page = shown(many)
    assert "1,000,000 records" in page.text and page.elements.count("tr") == 2 + 6
    wide = {f"c{number}": "y" * 10_000 for number in range(300)}
    rows = [{"expected": 1, "actual": 1, **wide, "g": f"g{number}"} for number in range(100)]
    page = shown(ls.score(rows, "exact_match", keep=list(wide), group_by="g"))
    assert "more columns" in page.text and "and 90 more groups" in page.text and "(cut: 10,000 characters)" in page.text
    boards = {f"model-{number}": scores(often, count=4) for number in range(60)}
    assert "and 30 more rows" in shown(ls.leaderboard(boards)).text


def test_views_cost_nothing_until_they_are_shown() -> None:
    program = "import sys, leafscore; print([name for name in ('jinja2', 'leafscore._html', 'leafscore.report') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "[]\n"
    program = (
        "import sys\nsys.modules['jinja2'] = None\nimport leafscore as ls\nprint(ls.score_pair(1, 1)._repr_html_()[:4])"
    )
    assert (
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "<div\n"
    )


def test_colours_are_those_of_the_report() -> None:
    from leafscore import _html

    for colour in set(_html._COLOURS.values()):
        assert re.fullmatch(r"light-dark\(#\w{6}, #\w{6}\)", _html._palette()[colour])
    assert "--verdict: light-dark(" in _html.view(verdict="regressed")
    assert "--verdict: " not in _html.view().split("<style>")[0]


def test_a_notebook_shows_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nbformat, nbclient = (pytest.importorskip(name) for name in ("nbformat", "nbclient"))
    pytest.importorskip("ipykernel")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    cells = [
        "import leafscore as ls\nscores = ls.score([(1, 1), (1, 2)], 'exact_match')",
        "scores",
        "scores.summary()",
        "print(scores)",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    outputs = [cell.outputs for cell in notebook.cells]
    assert "0.5000" in outputs[1][0]["data"]["text/html"] and "0.5000" in outputs[1][0]["data"]["text/plain"]
    assert "0.5000" in outputs[2][0]["data"]["text/html"]
    assert outputs[3][0]["text"].startswith("2 records")
