"""The program: its errors, its output, and what it needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any, Callable

import pytest
from report_testing import line, page_of, report, write_lines


def refused(capsys: pytest.CaptureFixture[str], *arguments: Any) -> str:
    assert report(*arguments) == 2
    return capsys.readouterr().err


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "scores.jsonl", [line(n, n / 10) for n in range(5)])


def test_a_file_without_a_manifest_is_refused_as_the_command_does(
    capsys: pytest.CaptureFixture[str], scores: Path, tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    assert "has no manifest" in refused(capsys, scores, "-o", page)
    assert not page.exists()


def test_half_a_file_is_refused(capsys: pytest.CaptureFixture[str], runs: Path, tmp_path: Path) -> None:
    whole = (runs / "new.jsonl").read_bytes()
    half = tmp_path / "new.jsonl"
    half.write_bytes(whole[: len(whole) // 2])
    (tmp_path / "new.jsonl.manifest.json").write_bytes((runs / "new.jsonl.manifest.json").read_bytes())
    assert "leafscore-report: " in refused(capsys, half, "-o", tmp_path / "page.html")
    assert not (tmp_path / "page.html").exists()


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("scores.jsonl", "", "has no scores"),
        ("scores.jsonl", '{"id": 1, "expected": 2}\n', 'no "scorer"'),
        ("scores.jsonl", "not JSON\n", "is not a line of scores"),
        ("scores.csv", "id,scorer,outcome,score\nq1,s,scored,1\n", "is CSV"),
        ("comparison.json", "{}", "is not the JSON of leafscore compare"),
        ("comparison.json", '{"verdict": ', "is not the JSON of leafscore compare"),
        ("comparison.json", "[" * 100_000, "is not the JSON of leafscore compare"),
    ],
)
def test_other_files_are_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str, text: str, reason: str
) -> None:
    (tmp_path / name).write_text(text)
    options = () if name.endswith(".json") else ("--unverified",)
    assert reason in refused(capsys, tmp_path / name, *options, "-o", tmp_path / "page.html")
    assert not (tmp_path / "page.html").exists()


@pytest.mark.parametrize("repeats", ["last", "first", "all", "error"])
def test_ranks_and_changes_have_one_rule_for_several_lines_of_an_id(tmp_path: Path, repeats: str) -> None:
    broken = {"id": "q1", "id_from": "line", "scorer": "json_similarity", "outcome": "error", "reason": "invalid_json"}
    base, new = (write_lines(tmp_path / name, [line(1, 1), broken, line(2, 1)]) for name in ("base.jsonl", "new.jsonl"))
    page = tmp_path / "page.html"
    assert report(base, new, "--compare", base, "--unverified", "--repeats", repeats, "-o", page) == 0
    text = page_of(page).text()
    assert "went from 1.0000 to 1.0000" in text
    assert "2 records, all with a score" in text
    assert "0.75" not in text


@pytest.mark.parametrize("key", ["scorers", "all", "interval", "difference", "worst", "fields", "alpha"])
def test_a_comparison_that_somebody_cut_is_refused(
    capsys: pytest.CaptureFixture[str], run: Callable[..., str], runs: Path, tmp_path: Path, key: str
) -> None:
    told = run("compare", runs / "base.jsonl", runs / "new.jsonl", "--format", "json")
    (tmp_path / "cut.json").write_text(told.replace(f'"{key}":', '"gone":'))
    assert "is not the JSON of leafscore compare" in refused(capsys, tmp_path / "cut.json", "-o", tmp_path / "page.html")
    assert [path.name for path in tmp_path.iterdir()] == ["cut.json"]


def test_what_is_not_there_and_what_is_no_file_is_refused(
    capsys: pytest.CaptureFixture[str], scores: Path, tmp_path: Path
) -> None:
    assert "nothing.jsonl" in refused(capsys, tmp_path / "nothing.jsonl", "-o", tmp_path / "page.html")
    assert "is no file" in refused(capsys, "-", "-o", tmp_path / "page.html")
    arguments = (scores, "--unverified", "-o", tmp_path / "page.html")
    assert "nothing.jsonl" in refused(capsys, *arguments, "--data", tmp_path / "nothing.jsonl")


def test_options_that_do_nothing_are_refused(capsys: pytest.CaptureFixture[str], scores: Path, tmp_path: Path) -> None:
    assert "needs --compare" in refused(capsys, scores, "--unverified", "--max-drop", "1", "-o", tmp_path / "page.html")


def test_an_output_never_takes_the_place_of_an_input(capsys: pytest.CaptureFixture[str], scores: Path) -> None:
    before = scores.read_bytes()
    assert "give another name" in refused(capsys, scores, "--unverified", "-o", scores)
    assert scores.read_bytes() == before


def test_a_page_that_fails_leaves_the_one_that_was_there(
    capsys: pytest.CaptureFixture[str], scores: Path, tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    page.write_text("before")
    refused(capsys, scores, "-o", page)
    assert page.read_text() == "before"
    assert "page.html" in refused(capsys, scores, "--unverified", "-o", tmp_path / "none" / "page.html")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["page.html", "scores.jsonl"]


@pytest.mark.parametrize("package", ["jinja2", "vl_convert"])
def test_a_missing_library_is_one_clear_error(scores: Path, tmp_path: Path, package: str) -> None:
    program = (
        f"import sys; sys.modules[{package!r}] = None\n"
        "from leafscore.report.__main__ import main; sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", program, str(scores), "--unverified", "-o", str(tmp_path / "page.html")]
    ended = subprocess.run(command, capture_output=True, text=True)
    assert ended.returncode == 2
    assert len(ended.stderr.splitlines()) == 1 and "pip install jinja2 vl-convert-python" in ended.stderr


def test_worst_is_a_number_within_its_limits(scores: Path, tmp_path: Path) -> None:
    for text in ("-1", "1001", "many", "²"):
        with pytest.raises(SystemExit) as error:
            report(scores, "--worst", text, "-o", tmp_path / "page.html")
        assert error.value.code == 2
    for number in (0, 1000):
        assert report(scores, "--unverified", "--worst", number, "-o", tmp_path / "page.html") == 0
