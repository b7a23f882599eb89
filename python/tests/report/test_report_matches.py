"""Wins, losses, ties, win rates and order flips of answers that were compared with those of a base."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Callable

import pytest
from report_testing import Page, page_of, report, write_lines

from leafscore.report import formats

SERVICE = Path(__file__).parents[3] / "tests" / "http" / "fake_service.py"
RECORDS = 40


@pytest.fixture(scope="module")
def port() -> Iterator[str]:
    if not SERVICE.exists():
        pytest.skip("the service of the tests is not here")
    process = subprocess.Popen([sys.executable, SERVICE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None and process.stdout is not None
    yield process.stdout.readline().strip()
    process.stdin.close()
    process.wait(10)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Answers of four models; x beats base in 30 of 40 records, y in 10, and z gives as many same answers as base."""
    folder = tmp_path_factory.mktemp("matches")
    for model, first, count, then in (("x", 9, 30, 1), ("y", 9, 10, 1), ("base", 5, 40, 5), ("z", 5, 10, 1)):
        answers = [first if number < count else then for number in range(RECORDS)]
        lines = [{"id": n, "expected": "e", "actual": f"SCORE={answer}"} for n, answer in enumerate(answers)]
        write_lines(folder / f"{model}.jsonl", lines)
    return folder


@pytest.fixture
def scored(run: Callable[..., str], folder: Path, port: str, tmp_path: Path) -> Callable[..., Path]:
    def score(model: str, base: str, steps: str = "ok") -> Path:
        judge = {"name": "j", "type": "llm_judge", "model": "m", "base_url": f"http://127.0.0.1:{port}/{steps}/v1"}
        (tmp_path / "judge.json").write_text(json.dumps({"evaluators": [judge]}))
        output = tmp_path / f"{model}-{base}.jsonl"
        files = (folder / f"{model}.jsonl", "--versus", folder / f"{base}.jsonl", "-c", tmp_path / "judge.json")
        run("score", *files, "-o", output, "--judge-cache", tmp_path / f"{steps}.db", "-q")
        return output

    return score


def page_with(tmp_path: Path, *arguments: Any) -> Page:
    assert report(*arguments, "-o", tmp_path / "page.html") == 0
    return page_of(tmp_path / "page.html")


def cells_of(row: dict[str, Any]) -> list[str]:
    low, high = row["win_rate_low"], row["win_rate_high"]
    interval = formats.DASH if low is None else f"{formats.number(low)} to {formats.number(high)}"
    counts = [str(row[name]) for name in ("wins", "losses", "ties", "identical")]
    flips = [str(row["order_flips"]), formats.percent(row["order_flip_share"])]
    return [row["model"], *counts, formats.number(row["win_rate"]), interval, *flips]


def has_row(page: Page, row: list[str]) -> bool:
    return any(page.texts[at : at + len(row)] == row for at in range(len(page.texts)))


def test_matches_stand_beside_means(scored: Callable[..., Path], run: Callable[..., str], tmp_path: Path) -> None:
    files = [scored(model, "base") for model in ("x", "y", "z")]
    page = page_with(tmp_path, *files)
    rows = json.loads(run("leaderboard", *files, "--format", "json"))
    cells = {row["model"]: cells_of(row) for row in rows}
    assert cells["x"][1:6] == ["30", "10", "0", "0", "0.7500"] and "to" in cells["x"][6]
    assert cells["z"][1:6] == ["0", "30", "10", "10", "0"]
    assert len(cells) == 4 and all(has_row(page, row) for row in cells.values())
    assert "Mean over all" in page.texts and "0.7500" in page.texts


def test_models_have_their_given_names(scored: Callable[..., Path], tmp_path: Path) -> None:
    output = scored("x", "base")
    page = page_with(tmp_path, output, "--name", f"{output}=Ours")
    assert has_row(page, ["Ours", "30", "10", "0", "0", "0.7500"])
    assert has_row(page, ["base", "10", "30", "0", "0", "0.2500"])


def test_means_against_different_models_are_not_shown(scored: Callable[..., Path], tmp_path: Path) -> None:
    page = page_with(tmp_path, scored("x", "base"), scored("y", "x"))
    assert "3 models" in page.texts
    assert "Leaderboard" not in page.texts and "Mean over all" not in page.texts
    assert "no common means" in page.text()
    assert has_row(page, ["y", "0", "20", "20", "20"])


def test_order_flips_are_shown_and_doubted(scored: Callable[..., Path], tmp_path: Path) -> None:
    page = page_with(tmp_path, scored("x", "base", "choice1"))
    assert has_row(page, ["x", "0", "0", "40", "0", formats.DASH, formats.DASH, "40", "100%"])
    assert "the judge chose by place in more than 20% of the pairs" in page.text()


def test_a_comparison_has_the_matches_of_its_files(scored: Callable[..., Path], tmp_path: Path) -> None:
    page = page_with(tmp_path, scored("x", "base"), "--compare", scored("y", "base"))
    assert has_row(page, ["x", "30", "10", "0", "0", "0.7500"])
    assert has_row(page, ["y", "10", "30", "0", "0", "0.2500"])
