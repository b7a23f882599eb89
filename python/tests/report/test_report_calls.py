"""The tool calls of a record, as its page shows them."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Callable

import pytest
from report_testing import line, page_of, report, write_lines

from leafscore.report.calls import Call, calls_of

EXPECTED = [
    {"name": "search", "arguments": {"city": "Oslo", "nights": 3}},
    {"name": "fetch", "arguments": {"url": "a"}},
    {"name": "pay"},
]
ACTUAL = [
    {"name": "fetch", "arguments": {"url": "a"}},
    {"name": "search", "arguments": {"city": "Oslo", "nights": 4}},
    {"name": "fetch", "arguments": {"url": "a"}},
    {"name": "log", "arguments": {"text": "done"}},
]


def scored(run: Callable[..., str], folder: Path, record: dict[str, Any], config: str = "type: tool_calls") -> Path:
    """The file of the scores of one record."""
    records = write_lines(folder / "records.jsonl", [{"id": "q1", **record}])
    (folder / "config.yaml").write_text(f"evaluators:\n- {{{config}}}\n")
    options = ("--config", folder / "config.yaml", "--details", "leaves", "-q")
    run("score", records, *options, "-o", folder / "scores.jsonl")
    return folder / "scores.jsonl"


def told(calls: list[Call]) -> list[tuple[str, list[int], str]]:
    return [(call.name, call.numbers, call.verdict) for call in calls]


def marked(call: Call) -> list[str]:
    return [part.text for part in call.arguments if part.changed]


class Columns(HTMLParser):
    """The texts of each column of calls."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.columns: list[list[str]] = []
        self._inside = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "h4":
            self.columns.append([])
            self._inside = True

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag != "div"

    def handle_data(self, data: str) -> None:
        if self._inside and data.strip():
            self.columns[-1].append(data.strip())


def columns_of(page: Path) -> list[list[str]]:
    return Columns(page.read_text(encoding="utf-8")).columns


def test_both_sides_are_in_order_with_the_numbers_of_pairs(run: Callable[..., str], tmp_path: Path) -> None:
    scores = scored(run, tmp_path, {"expected": EXPECTED, "actual": ACTUAL})
    found = calls_of(json.loads(scores.read_text().splitlines()[0]))
    assert found is not None and not found.is_cut
    assert told(found.expected) == [
        ("search", [1], "wrong_arguments"),
        ("fetch", [2], "matched"),
        ("pay", [3], "missing"),
    ]
    assert told(found.made) == [
        ("fetch", [2], "matched"),
        ("search", [1], "wrong_arguments"),
        ("fetch", [], "repeated"),
        ("log", [], "extra"),
    ]
    left, right = found.expected[0], found.made[1]
    assert left.differing == right.differing == ["nights"]
    assert (marked(left), marked(right)) == (["3"], ["4"])
    assert not marked(found.expected[1]) and not marked(found.made[3])
    assert [call.takes_any for call in found.expected] == [False, False, True]

    assert report(scores, "-o", tmp_path / "page.html") == 0
    expected, made = columns_of(tmp_path / "page.html")
    head = ["Expected calls", "3", "call", "1", "search", "≠", "wrong arguments"]
    assert expected[:8] == [*head, 'city: "Oslo"\nnights:']
    assert [text for text in expected if text in "✓≠−"] == ["≠", "✓", "−"]
    assert expected[-2:] == ["missing", "any arguments"]
    assert [text for text in made if text in "✓≠+↻"] == ["✓", "≠", "↻", "+"]
    assert "differs in" in made and "nights" in made
    assert "how each place was judged" not in page_of(tmp_path / "page.html").text()


def test_a_call_that_is_right_in_part_has_its_credit_and_one_out_of_order_its_number(
    run: Callable[..., str], tmp_path: Path
) -> None:
    config = "type: tool_calls, mode: in_order, argument_credit: each"
    expected = [EXPECTED[0], {"name": "pay"}, EXPECTED[1]]
    scores = scored(run, tmp_path, {"expected": expected, "actual": [ACTUAL[0], ACTUAL[1], {"name": "pay"}]}, config)
    found = calls_of(json.loads(scores.read_text().splitlines()[0]))
    assert found is not None
    assert told(found.made) == [("fetch", [3], "out_of_order"), ("search", [1], "partial"), ("pay", [2], "matched")]
    assert [call.credit for call in found.expected] == [0.5, None, None]


def test_nothing_made_and_nothing_expected_are_said_so(run: Callable[..., str], tmp_path: Path) -> None:
    assert report(scored(run, tmp_path, {"expected": EXPECTED, "actual": []}), "-o", tmp_path / "page.html") == 0
    assert columns_of(tmp_path / "page.html")[1] == ["Calls made", "0", "None."]
    assert report(scored(run, tmp_path, {"expected": [], "actual": ACTUAL}), "-o", tmp_path / "page.html") == 0
    assert columns_of(tmp_path / "page.html")[0] == ["Expected calls", "0", "None."]


def test_arguments_with_odd_names_and_those_that_are_no_json_are_marked(
    run: Callable[..., str], tmp_path: Path
) -> None:
    expected = [{"name": "a", "arguments": {"x.y": 1, "x": {"y": 1}}}, {"name": "b", "arguments": {"q": 1}}]
    actual = [{"name": "a", "arguments": {"x.y": 2, "x": {"y": 1}}}, {"name": "b", "arguments": '{"q": '}]
    scores = scored(run, tmp_path, {"expected": expected, "actual": actual})
    found = calls_of(json.loads(scores.read_text().splitlines()[0]))
    assert found is not None
    assert [part.text for part in found.made[0].arguments] == ["x.y: ", "2", "\nx: ", '{"y": 1}']
    assert marked(found.made[0]) == ["2"]
    assert marked(found.made[1]) == ["arguments that are no JSON object"]


@pytest.mark.parametrize("config", ["mode: counts", "revision: uipath-2026-08", "revision: adk-2026-10"])
def test_details_without_both_sides_are_shown_as_before(run: Callable[..., str], tmp_path: Path, config: str) -> None:
    expected: Any = {"search": 1} if "counts" in config else EXPECTED
    scores = scored(run, tmp_path, {"expected": expected, "actual": ACTUAL[:1]}, f"type: tool_calls, {config}")
    assert report(scores, "-o", tmp_path / "page.html") == 0
    text = page_of(tmp_path / "page.html").text()
    assert "Expected calls" not in text
    assert ("how each place was judged" in text) == ("counts" in config)


@pytest.mark.parametrize(
    "made",
    [None, 3, [3], [{"call": "made[0].a"}, {"call": "other"}], [{"call": 1}], [{"verdict": "matched"}]],
)
def test_details_of_other_forms_are_no_calls(made: Any) -> None:
    leaf = {"path": "calls[0].a", "verdict": "missing", "similarity": 0}
    assert calls_of({"details": {"leaves": [leaf], "made": made}}) is None


def test_calls_that_lack_members_break_no_page(tmp_path: Path) -> None:
    leaves = [
        {"path": "calls[0].a"},
        {"path": "calls[1].b", "actual_position": 0, "expected": [1], "differing": 7, "verdict": "partial"},
        {"path": "calls[2].c", "actual_position": "0", "expected": {"arguments": 3}, "differing": [None]},
    ]
    made = [{"call": "made[0].x"}, {"call": "made[7].y", "verdict": "strange", "expected_position": 99}]
    lines = [line(1, 0.5, details={"leaves": leaves, "made": made, "details_cut": True})]
    scores = write_lines(tmp_path / "scores.jsonl", lines)
    assert report(scores, "--unverified", "-o", tmp_path / "page.html") == 0
    text = page_of(tmp_path / "page.html").text()
    assert "strange" in text and "Its line was cut" in text


def test_both_runs_of_a_comparison_show_their_calls(run: Callable[..., str], tmp_path: Path) -> None:
    files = []
    for name, actual in (("base", EXPECTED), ("new", ACTUAL)):
        (tmp_path / name).mkdir()
        files.append(scored(run, tmp_path / name, {"expected": EXPECTED, "actual": actual}))
    assert report(files[1], "--compare", files[0], "-o", tmp_path / "page.html") == 0
    columns = columns_of(tmp_path / "page.html")
    heads = [column[0] for column in columns]
    assert heads == ["Expected calls", "Calls made now", "Expected calls", "Calls made in the base"]
    assert "repeated" in columns[1] and "repeated" not in columns[3]


def test_thousands_of_calls_are_cut_with_a_note(run: Callable[..., str], tmp_path: Path) -> None:
    calls = [{"name": "t", "arguments": {"n": number}} for number in range(1000)]
    scores = scored(run, tmp_path, {"expected": calls, "actual": calls[:999]})
    assert report(scores, "-o", tmp_path / "page.html") == 0
    text = page_of(tmp_path / "page.html").text()
    assert "Showing the first 200 of 1,000 calls" in text and "Showing the first 200 of 999 calls" in text
