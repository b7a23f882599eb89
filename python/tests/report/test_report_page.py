"""What a page shows, and that its figures are the command's."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable

import pytest
from report_testing import Page, line, page_of, report, write_lines

from leafscore.report import causes, charts, formats
from leafscore.report.aggregate import Aggregate
from leafscore.report.heat_map import heat_map
from leafscore.report.lines import rows_of
from leafscore.report.verdicts import verdict


@pytest.fixture(scope="module")
def repository() -> Path:
    return Path(__file__).parents[3]


def scores_page(tmp_path: Path, lines: list[dict[str, Any]], *arguments: Any) -> Page:
    scores = write_lines(tmp_path / "scores.jsonl", lines)
    assert report(scores, "--unverified", *arguments, "-o", tmp_path / "page.html") == 0
    return page_of(tmp_path / "page.html")


def test_the_verdict_and_gates_are_those_of_compare(runs: Path, run: Callable[..., str], tmp_path: Path) -> None:
    gates = ("--max-drop", "0.9", "--max-flips", "levenshtein=0")
    files = (runs / "base.jsonl", runs / "new.jsonl")
    assert report(files[1], "--compare", files[0], "--by", "model", *gates, "-o", tmp_path / "page.html") == 1
    page = page_of(tmp_path / "page.html")
    figures = json.loads(run("compare", *files, "--by", "model", "--max-drop", "0.9", "--format", "json"))
    assert figures["verdict"] == "regressed"
    worst = min((scorer["all"] for scorer in figures["files"][0]["scorers"]), key=lambda mean: mean["difference"])
    assert f"went from {worst['base']:.4f} to {worst['now']:.4f}" in page.text()
    assert "gates failed" in page.text()
    for scorer in figures["files"][0]["scorers"]:
        for row in (scorer["all"], *scorer["groups"]):
            assert formats.between(row["interval"]) in page.texts
        for fallen in scorer["worst"]:
            assert fallen["id"] in page.texts


@pytest.mark.parametrize("options", [(), ("--margin", "0.9"), ("--correction", "bh"), ("--correction", "none")])
@pytest.mark.parametrize("scorers", [(), ("--scorer", "levenshtein")])
@pytest.mark.parametrize("new", ["new", "copy"])
def test_the_sentence_is_that_of_compare(
    runs: Path, run: Callable[..., str], options: tuple[str, ...], scorers: tuple[str, ...], new: str
) -> None:
    files = (runs / "base.jsonl", runs / f"{new}.jsonl")
    told = run("compare", *files, *options, *scorers).splitlines()[0]
    figures = json.loads(run("compare", *files, *options, *scorers, "--format", "json"))
    made = verdict(figures)
    ours, theirs = f"{made.kind}: {made.sentence}".rstrip("."), told
    figure = re.compile(r"[-+−]?\d+(?:\.\d+)?")
    assert [float(text.replace("−", "-")) for text in figure.findall(ours)] == [float(x) for x in figure.findall(theirs)]
    words = [re.sub(r"[;,()]", "", figure.sub("#", text)) for text in (ours, theirs)]
    assert words[0] == words[1]


def test_gates_that_hold_are_told_and_exit_with_0(runs: Path, tmp_path: Path) -> None:
    arguments = ("--compare", runs / "base.jsonl", "--max-drop", "0.9")
    assert report(runs / "new.jsonl", *arguments, "-o", tmp_path / "page.html") == 0
    assert "All 2 gates held" in page_of(tmp_path / "page.html").text()


def test_a_gate_on_the_pass_rate_is_the_commands(runs: Path, tmp_path: Path) -> None:
    arguments = ("--compare", runs / "base.jsonl", "--max-pass-drop", "levenshtein=0.01")
    assert report(runs / "new.jsonl", *arguments, "-o", tmp_path / "page.html") == 1
    assert "max-pass-drop 0.01" in page_of(tmp_path / "page.html").texts


def test_a_comparison_in_json_is_enough(runs: Path, run: Callable[..., str], tmp_path: Path) -> None:
    told = tmp_path / "comparison.json"
    told.write_text(run("compare", runs / "base.jsonl", runs / "new.jsonl", "--by", "model", "--format", "json"))
    assert report(told, "-o", tmp_path / "page.html") == 0
    text = page_of(tmp_path / "page.html").text()
    assert "Regressed" in text
    assert "made from a comparison alone, so it has no leaderboard" in text


def test_ranks_are_those_of_the_leaderboard(runs: Path, run: Callable[..., str], tmp_path: Path) -> None:
    files = (runs / "base.jsonl", runs / "new.jsonl")
    assert report(*files, "-o", tmp_path / "page.html") == 0
    page = page_of(tmp_path / "page.html")
    for row in json.loads(run("leaderboard", *files, "--format", "json")):
        mean = formats.number(row["over_all"]["mean"])
        assert mean in page.texts
        low, high = row["rank_low"], row["rank_high"]
        assert (f"{low}" if low == high else f"{low}–{high}") in page.texts


def test_fields_have_the_means_of_compare(runs: Path, run: Callable[..., str]) -> None:
    # All records are scored and list all fields, so that both count the same.
    aggregate = Aggregate(None, 0)
    aggregate.read(str(runs / "new.jsonl"))
    found = heat_map(aggregate, "json_similarity", None)
    assert found is not None
    means = {row.field: row.cells[0].mean for row in found.rows if row.cells[0]}
    told = json.loads(run("compare", runs / "base.jsonl", runs / "new.jsonl", "--format", "json"))
    scorer = next(one for one in told["files"][0]["scorers"] if one["scorer"] == "json_similarity")
    checked = 0
    for field in scorer["fields"]:
        if field["records"] == found_records(aggregate, field["field"]):
            assert means[field["field"]] == pytest.approx(field["now"], abs=1e-12)
            checked += 1
    assert checked > 10


def found_records(aggregate: Aggregate, field: str) -> float:
    return sum(count for _, count in aggregate.fields["json_similarity"].get(field, {}).values())


def test_what_has_no_score_counts_as_asked_and_is_told(tmp_path: Path) -> None:
    lines = [line(1, 0.5), line(2, None), line(3, 1)]
    page = scores_page(tmp_path, lines)
    assert "0.5000" in page.texts  # (0.5 + 0 + 1) / 3
    assert "0.7500" in page.texts  # over scored
    assert "66.7%" in page.texts  # coverage
    assert "invalid_actual_json" in page.texts
    assert "q2" in page.texts and "q3" not in page.texts  # a full score is none of the worst


def test_figures_that_are_not_known_are_said_so(tmp_path: Path) -> None:
    text = scores_page(tmp_path, [line(1, 0.5)]).text()
    assert "Scores of scores" in text and "1 model, 1 scorer" in text
    assert "the lines list no fields" in text
    assert "This report does not have the whole texts" in text
    assert "Unverified" in text


def test_leaves_count_although_another_list_comes_first() -> None:
    rows, leaves = [{"path": "lines", "paired": 1}], [{"path": "lines[0].n", "expected": 1, "similarity": 0.5}]
    assert rows_of(line(1, details={"unwrapped": [], "rows": rows, "leaves": leaves})) == leaves


def test_a_verified_page_does_not_warn(runs: Path, tmp_path: Path) -> None:
    assert report(runs / "new.jsonl", "-o", tmp_path / "page.html") == 0
    assert "Unverified" not in page_of(tmp_path / "page.html").text()


def test_texts_of_the_records_stand_side_by_side(runs: Path, tmp_path: Path) -> None:
    data = ("--data", runs / "new.pairs.jsonl", "--data", runs / "base.pairs.jsonl")
    arguments = ("--compare", runs / "base.jsonl", "--by", "model", *data, "--worst", 5)
    assert report(runs / "new.jsonl", *arguments, "-o", tmp_path / "page.html") == 0
    page = page_of(tmp_path / "page.html")
    assert "Expected and actual" in page.texts
    assert "Answer in the base and answer now" in page.texts
    assert "ins" in page.tags and "del" in page.tags


def test_texts_of_other_records_are_not_taken(tmp_path: Path) -> None:
    lines = [line(1, 0.25, groups={"model": "a"}), line(1, 0.5, groups={"model": "b"})]
    records = [
        {"id": "q1", "model": "a", "expected": "one", "actual": "of a"},
        {"id": "q1", "model": "b", "expected": "one", "actual": "of b"},
    ]
    data = write_lines(tmp_path / "records.jsonl", records)
    page = scores_page(tmp_path, lines, "--by", "model", "--data", data)
    joined = "".join(page.texts)
    assert joined.count("of a") == joined.count("of b") == 1


def test_models_are_named_as_the_command_names_them(tmp_path: Path) -> None:
    lines = [line(1, 0.25, groups={"m": 7}), line(1, 0.5, groups={"m": None}), line(1, 0.75), line(1, 0.6, groups={"m": [1, "é"]})]
    page = scores_page(tmp_path, lines, "--by", "m")
    for name in ("7", "null", "(none)", '[1,"é"]'):
        assert page.texts.count(name) >= 3, name  # in the leaderboard, the worst records and the distributions


def test_packed_files_and_trailers_are_read(runs: Path, run: Callable[..., str], tmp_path: Path) -> None:
    plain, packed = tmp_path / "scores.jsonl", tmp_path / "scores.jsonl.gz"
    records = runs / "new.pairs.jsonl"
    run("score", records, "-s", "exact_match", "-q", "--trailer", "-o", plain)
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    pages = []
    for path in (plain, packed):
        assert report(path, "--title", "same", "-o", tmp_path / "page.html") == 0
        pages.append(page_of(tmp_path / "page.html").texts)
    assert [text.replace(".gz", "") for text in pages[1]] == pages[0]


def test_the_same_input_gives_the_same_page(runs: Path, tmp_path: Path) -> None:
    for name in ("a.html", "b.html"):
        assert report(runs / "new.jsonl", "--by", "model", "-o", tmp_path / name) == 0
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_one_record_is_enough_and_errors_alone_are_shown(tmp_path: Path) -> None:
    failed = {"outcome": "error", "reason": "missing_expected", "message": "there is nothing to compare with"}
    page = scores_page(tmp_path, [{"id": f"q{n}", "scorer": "exact_match", **failed} for n in range(3)])
    assert "there is nothing to compare with" in page.texts
    assert "Distributions" in page.texts


def test_thousands_of_fields_and_models_are_capped_with_a_note(tmp_path: Path) -> None:
    def leaves(number: int) -> dict[str, Any]:
        rows = [{"path": f"f{number}_{field}", "expected": 1, "actual": 2, "similarity": 0} for field in range(50)]
        return {"leaves": rows}

    lines = [line(n, 0.5, groups={"model": f"m{n}"}, details=leaves(n)) for n in range(300)]
    text = scores_page(tmp_path, lines, "--by", "model").text()
    assert "Showing 80 of 15,000 fields" in text
    assert "Showing 40 of 300 models" in text
    assert "Showing 200 of 300 models" in text
    assert (tmp_path / "page.html").stat().st_size < 5_000_000


def test_many_of_everything_stay_below_5_mb(tmp_path: Path) -> None:
    rows = [{"path": f"some.path.of.a.leaf{n}", "similarity": 0.123, "expected": n, "actual": "x"} for n in range(50)]
    lines = [
        line(n, 0.2, f"scorer {scorer}", groups={"m": f"model {n % 50}"}, details={"leaves": rows})
        for n in range(50)
        for scorer in range(45)
    ]
    text = scores_page(tmp_path, lines, "--by", "m", "--worst", 1000).text()
    assert "leaderboards and distributions cover 40 of 45 scorers" in text
    assert (tmp_path / "page.html").stat().st_size < 5_000_000


def test_releases_may_have_the_same_file_name(tmp_path: Path) -> None:
    (tmp_path / "before").mkdir()
    base = write_lines(tmp_path / "before" / "scores.jsonl", [line(1, 0.75), line(2, 0.5)])
    text = scores_page(tmp_path, [line(1, 0.25), line(2, 0.5)], "--compare", base).text()
    assert "went from 0.6250 to 0.3750" in text


def test_deep_and_repetitive_texts_take_no_time_to_speak_of(tmp_path: Path) -> None:
    deep = "[" * 900 + "]" * 900
    text = "".join("ab"[n * n % 7 % 2] + "\\n" for n in range(9000))
    records = [
        f'{{"id": "q1", "expected": {deep}, "actual": 1}}',
        f'{{"id": "q2", "expected": "{text}", "actual": "b{text}"}}',
    ]
    (tmp_path / "records.jsonl").write_text("\n".join(records))
    page = scores_page(tmp_path, [line(1), line(2)], "--data", tmp_path / "records.jsonl")
    assert any(deep in text for text in page.texts)
    assert "lines." in page.text()


def test_texts_of_a_megabyte_are_cut_with_a_note(tmp_path: Path) -> None:
    long = "x" * 1_000_000
    details = {"leaves": [{"path": long, "expected": "short", "actual": long, "similarity": 0}]}
    data = write_lines(tmp_path / "records.jsonl", [{"id": "q1", "expected": "short", "actual": "y" * 1_000_000}])
    lines = [line(1, 0.5, long, details=details, groups={"model": long})]
    page = scores_page(tmp_path, lines, "--by", "model", "--data", data)
    joined = "".join(page.texts)
    assert "(cut: 1,000,000 characters)" in joined
    assert (tmp_path / "page.html").stat().st_size < 1_500_000
    base = write_lines(tmp_path / "base.jsonl", [line(1, 0.75, long, groups={"model": long})])
    scores_page(tmp_path, lines, "--by", "model", "--compare", base)
    assert (tmp_path / "page.html").stat().st_size < 1_500_000


def test_pages_end_before_the_file_is_too_large(tmp_path: Path) -> None:
    rows = [{"path": f"f{n}", "expected": "a" * 900, "actual": "b" * 900, "similarity": 0} for n in range(60)]
    lines = [line(n, 0.5, details={"leaves": rows}) for n in range(60)]
    page = scores_page(tmp_path, lines, "--worst", 60)
    assert "more would make this file too large" in page.text()
    assert (tmp_path / "page.html").stat().st_size < 5_000_000


def test_numbers_stand_as_they_were_written(tmp_path: Path) -> None:
    raw = (
        '{"id": 12345678901234567890123, "scorer": "s", "outcome": "scored", "score": 5e-1, "details": {"leaves": '
        '[{"path": "a", "expected": 1.50, "actual": 1e400, "similarity": 0}, {"path": "b", "expected": -0, "similarity": 1e-7}]}}\n'
    )
    (tmp_path / "scores.jsonl").write_text(raw)
    assert report(tmp_path / "scores.jsonl", "--unverified", "-o", tmp_path / "page.html") == 0
    joined = "".join(page_of(tmp_path / "page.html").texts)
    for text in ("12345678901234567890123", "1.50", "1e400", "-0", "<0.0001"):
        assert text in joined, text


def models_page(tmp_path: Path, means: dict[str, float], *arguments: Any) -> Page:
    """A page of models whose scores lie evenly around these means."""
    lines = [
        line(number, mean + 0.01 * (number % 7 - 3) + 0.003 * (number % 5 - 2) * (number % 2), groups={"m": model})
        for model, mean in means.items()
        for number in range(60)
    ]
    return scores_page(tmp_path, lines, "--by", "m", *arguments)


def test_the_page_begins_with_the_best_model_or_those_that_tie(tmp_path: Path) -> None:
    assert "b is best" in models_page(tmp_path, {"a": 0.4, "b": 0.5}).text()
    page = models_page(tmp_path, {"a": 0.5, "b": 0.5, "c": 0.4})
    assert "a and b tie for first" in page.text()
    assert "no difference seen" in page.text() and "next is c with 0.3990" in page.text()
    assert "3 models tie for first" in models_page(tmp_path, {"a": 0.5, "b": 0.5, "c": 0.5}).text()


def test_scorers_that_disagree_on_the_best_say_so(tmp_path: Path) -> None:
    lines = [
        line(n, score + 0.01 * (n % 5), scorer, groups={"m": model})
        for n in range(40)
        for model, scores in (("a", (0.5, 0.2)), ("b", (0.3, 0.6)))
        for scorer, score in zip(("first", "second"), scores)
    ]
    text = scores_page(tmp_path, lines, "--by", "m").text()
    assert "a is best" in text and "second : b is best" in text.replace("second: ", "second : ")


def test_sections_go_from_the_answer_to_the_records(runs: Path, tmp_path: Path) -> None:
    arguments = ("--compare", runs / "base.jsonl", "--by", "model")
    assert report(runs / "new.jsonl", *arguments, "-o", tmp_path / "page.html") == 0
    ids = [value for tag, name, value in page_of(tmp_path / "page.html").values if (tag, name) == ("section", "id")]
    assert ids == ["verdict", "leaderboard", "parts", "changes", "fields", "scores", "worst", "about"]


def test_many_files_are_told_apart_and_counted_in_the_heading(runs: Path, tmp_path: Path) -> None:
    for name in ("a", "b", "c", "d"):
        shutil.copy(runs / "new.jsonl", tmp_path / f"{name}.jsonl")
        shutil.copy(runs / "new.jsonl.manifest.json", tmp_path / f"{name}.jsonl.manifest.json")
    files = [tmp_path / f"{name}.jsonl" for name in ("a", "b", "c", "d")]
    arguments = ("--compare", runs / "base.jsonl", "--max-drop", 0.01)
    assert report(*files, *arguments, "-o", tmp_path / "page.html") == 1
    text = page_of(tmp_path / "page.html").text()
    assert "4 files against base" in text
    assert "json_similarity of a ," in text and "5 more changes" in text


def test_answers_of_the_wrong_type_are_counted_by_model(tmp_path: Path) -> None:
    lines = [line(n, 0, groups={"m": "prose"}, of_other_kind=True) for n in range(7)]
    lines += [line(n, 0.5, groups={"m": "json"}) for n in range(7)]
    text = scores_page(tmp_path, lines, "--by", "m").text()
    assert "Wrong type prose 7 of 7" in text


def test_a_change_says_where_and_why(runs: Path, run: Callable[..., str], tmp_path: Path) -> None:
    arguments = ("--compare", runs / "base.jsonl", "--by", "model")
    assert report(runs / "new.jsonl", *arguments, "-o", tmp_path / "page.html") == 0
    page = page_of(tmp_path / "page.html")
    links = page.texts.index("How to read")
    top = page.texts[links : page.texts.index("Leaderboard", links)]
    told = json.loads(run("compare", runs / "base.jsonl", runs / "new.jsonl", "--by", "model", "--format", "json"))
    scorer = next(one for one in told["files"][0]["scorers"] if one["scorer"] == "json_similarity")
    field = min(scorer["fields"], key=lambda row: row["contribution"])
    assert field["field"] in top and formats.signed(field["contribution"]) in "".join(top)
    assert "Fields" in top and "Gates" in top


def test_a_score_without_shares_of_fields_has_no_table_of_them(run: Callable[..., str], tmp_path: Path) -> None:
    for name, rate in (("base", 0.1), ("new", 0.4)):
        records = tmp_path / f"{name}.pairs.jsonl"
        run("generate", "--pairs", 60, "--seed", 4, "--error-rate", rate, "-o", records)
        run("score", records, "-q", "-s", "static_json", "--details", "leaves", "-o", tmp_path / f"{name}.jsonl")
    assert report(tmp_path / "new.jsonl", "--compare", tmp_path / "base.jsonl", "-o", tmp_path / "page.html") == 0
    text = page_of(tmp_path / "page.html").text()
    assert "Where the change comes from" not in text
    assert "This score is not a sum over fields" in text


def test_files_and_models_have_the_names_that_are_given(runs: Path, tmp_path: Path) -> None:
    base, new = runs / "base.jsonl", runs / "new.jsonl"
    names = ("--name", f"{base}=Release 1", "--name", f"{new}=Release 2 = beta")
    assert report(new, "--compare", base, *names, "-o", tmp_path / "page.html") == 0
    page = page_of(tmp_path / "page.html")
    assert "Release 2 = beta against Release 1" in page.texts
    assert page.texts.count("Release 1") >= 2
    assert not [text for text in page.texts if "base.jsonl" in text or text == "new"]
    values = models_page(tmp_path, {"a": 0.5, "b": 0.3}, "--name", "a=Ours")
    assert "Ours" in values.texts and "a" not in values.texts


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (("a",), "is not KEY=NAME"),
        (("a=",), "is not KEY=NAME"),
        (("c=x",), "c is no value of m; it has a, b"),
        (("a=x", "b=x"), "two models would be called x"),
        (("a=b",), "two models would be called b"),
    ],
)
def test_names_that_fit_no_model_are_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, given: tuple[str, ...], reason: str
) -> None:
    lines = [line(n, 0.5, groups={"m": model}) for n in range(3) for model in "ab"]
    scores = write_lines(tmp_path / "scores.jsonl", lines)
    names = [part for text in given for part in ("--name", text)]
    assert report(scores, "--unverified", "--by", "m", *names, "-o", tmp_path / "page.html") == 2
    assert reason in capsys.readouterr().err


def test_of_equal_scores_no_model_is_shown_alone(tmp_path: Path) -> None:
    lines = [line(n, 0, groups={"model": model}) for model in ("first", "second") for n in range(100)]
    page = scores_page(tmp_path, lines, "--by", "model", "--worst", 20)
    shown = page.texts[page.texts.index("Where") :]
    assert shown.count("first") > 3 and shown.count("second") > 3


@pytest.fixture(scope="module")
def cut(run: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of two releases over 40 records; in the second, the last 12 answers, those of the area "east", are cut off."""
    folder = tmp_path_factory.mktemp("cut")
    for name in ("before", "after"):
        records = []
        for number in range(40):
            actual = json.dumps({"city": "Oslo", "street": f"Storgata {number}", "right": number % 2})
            area = "lone" if number == 0 else "west" if number < 28 else "east"
            actual = actual[:20] if name == "after" and area == "east" else actual
            expected = {"city": "Oslo", "street": f"Storgata {number}", "right": 1}
            records.append({"id": f"q{number}", "area": area, "expected": expected, "actual": actual})
        write_lines(folder / f"{name}.records.jsonl", records)
        options: tuple[Any, ...] = ("--details", "leaves", "--group-by", "area", "-q", "-o", folder / f"{name}.jsonl")
        run("score", folder / f"{name}.records.jsonl", "-s", "json_similarity", *options)
    return folder


@pytest.fixture(scope="module")
def cut_page(cut: Path) -> Page:
    path = cut / "page.html"
    assert report(cut / "after.jsonl", "--compare", cut / "before.jsonl", "--by", "area", "-o", path) == 0
    return page_of(path)


def test_parts_of_one_test_are_called_by_their_field_and_not_ranked(cut_page: Page) -> None:
    text = cut_page.text()
    assert "after against before" in text
    assert "★ before is best" in text.replace("★  ", "★ ") and "next is after with" in text
    assert "2 runs, 1 scorer, 40 records each" in text
    assert "Scores by area" in text and "Fields by area" in text and "lines of scores by area" in text
    assert "Where east" in text and "(1 of 3 groups regressed)" in text
    assert "different records" not in text and "models" not in text and "Model" not in cut_page.texts


def test_parts_of_one_run_have_its_mean_on_top(cut: Path, run: Callable[..., str], tmp_path: Path) -> None:
    assert report(cut / "after.jsonl", "--by", "area", "-o", tmp_path / "page.html") == 0
    page = page_of(tmp_path / "page.html")
    whole = json.loads(run("leaderboard", cut / "after.jsonl", "--format", "json"))[0]
    assert page.texts.index(formats.number(whole["over_all"]["mean"])) < page.texts.index("Scores by area")
    assert "after: scores by area" in page.texts
    assert "different records" not in page.text() and "--common-only" not in page.text()
    parts = page.texts[page.texts.index("Scores by area") :]
    assert parts.index("east") < parts.index("west")


def test_models_of_different_records_are_still_not_ranked(tmp_path: Path) -> None:
    lines = [line(n, 0.5, groups={"model": "ab"[n % 2]}) for n in range(10)]
    text = scores_page(tmp_path, lines, "--by", "model").text()
    assert "No ranking: different records" in text
    assert "the means of these models cannot be compared" in text


def test_every_cause_has_words_and_only_those(repository: Path) -> None:
    schema = json.loads((repository / "docs" / "schemas" / "score_line.json").read_text())
    known = re.findall(r'"causes": \{"type": "array", "minItems": 1, "items": \{"enum": \[([^]]*)\]', json.dumps(schema))
    of_one = list(causes.WORDS)[:-2]  # the last two are known only at the end of a run
    assert known and all(re.findall(r"\w+", one) == of_one for one in known)
    listed = re.findall(r"^\| `(\w+)` \|", (repository / "docs" / "causes.md").read_text(), re.MULTILINE)
    assert listed == list(causes.WORDS)


def test_a_change_says_in_words_what_is_wrong_with_answers(cut: Path, run: Callable[..., str], cut_page: Page) -> None:
    told = json.loads(run("compare", cut / "before.jsonl", cut / "after.jsonl", "--by", "area", "--format", "json"))
    row = told["files"][0]["scorers"][0]["causes"][0]
    share = formats.signed(row["contribution"])
    assert (row["cause"], row["base_records"], row["now_records"]) == ("cut_off", 0, 12)
    assert f"Why 12 answers break off in the middle (0 before): {share} of the mean" in cut_page.text()
    assert f"breaks off in the middle 0 12 {share}" in cut_page.text()


def test_a_record_says_what_is_wrong_with_its_answer(cut: Path, cut_page: Page, tmp_path: Path) -> None:
    assert "The answer breaks off in the middle." in cut_page.texts
    assert cut_page.texts.count("The answer breaks off in the middle.") == 12
    shown = cut_page.texts[cut_page.texts.index("Records that fell most") :]
    assert shown.count("breaks off in the middle") == 12
    assert report(cut / "after.jsonl", "-o", tmp_path / "page.html") == 0
    assert "The answer breaks off in the middle." in page_of(tmp_path / "page.html").texts


def test_the_leaderboard_has_the_costliest_cause_of_each_model(tmp_path: Path, run: Callable[..., str]) -> None:
    lines = [line(n, 0.9, groups={"m": "good"}) for n in range(10)]
    lines += [line(n, 0.1, groups={"m": "prose"}, causes=["prose"]) for n in range(7)]
    lines += [line(n, 0.7, groups={"m": "prose"}) for n in range(7, 10)]
    page = scores_page(tmp_path, lines, "--by", "m")
    rows = json.loads(run("leaderboard", tmp_path / "scores.jsonl", "--unverified", "--by", "m", "--format", "json"))
    cause = next(row["cause"] for row in rows if row["model"] == "prose")
    figures = (formats.count(cause["ids"]), formats.percent(cause["share"]), "0.2800", formats.number(cause["mean_without"]))
    assert " ".join(("prose", "is prose without JSON", *figures)) in page.text()


def test_a_cause_that_this_version_does_not_know_is_named() -> None:
    row = {"cause": "of_later", "base_records": 1_000, "now_records": 1}
    assert causes.change_of(row) == "1 answer has the cause of_later (1,000 before)"
    assert causes.change_of({**row, "now_records": 2}) == "2 answers have the cause of_later (1,000 before)"


def changed(difference: float, low: float, high: float, could_fail: bool = True) -> dict[str, Any]:
    interval = {"low": low, "high": high}
    verdict_of = "inconclusive"
    return {"name": str(low), "difference": difference, "interval": interval, "verdict": verdict_of, "could_fail": could_fail}


def test_groups_of_too_few_records_do_not_set_the_axis() -> None:
    rows = [changed(-0.1, -0.2, 0), changed(0, -1, 1, could_fail=False), changed(0.5, -0.1, 0.9, could_fail=False)]
    chart, is_cut = charts.changes(rows, 3)
    values = chart["data"]["values"]
    assert is_cut and chart["layer"][1]["encoding"]["x"]["scale"]["domain"] == pytest.approx([-0.21, 0.01])
    assert [(value["left"], value["right"], value["inside"]) for value in values] == [
        (False, False, True),
        (True, True, True),
        (False, True, False),
    ]
    assert values[1]["from"] == pytest.approx(-0.21) and values[1]["to"] == pytest.approx(0.01)
    assert (values[1]["low"], values[1]["high"]) == (-1, 1)  # what a pointer is told
    assert not charts.changes(rows[:1], 3)[1]
    assert not charts.changes(rows[1:2], 3)[1]  # alone, it is shown whole


def test_fields_show_what_fell_first_and_no_change_of_0(cut: Path, cut_page: Page) -> None:
    names = {"fields": cut_page.texts.index("Fields by area"), "scores": cut_page.texts.index("Distributions", 20)}
    shown = cut_page.texts[names["fields"] : names["scores"]]
    assert shown.index("east") < shown.index("west") and shown.index("east") < shown.index("lone")
    assert "0" not in shown[shown.index("city") : shown.index("city") + 3]
    assert any(text.startswith("−") for text in shown)


def test_the_heading_tells_what_is_on_the_page(tmp_path: Path, runs: Path) -> None:
    assert "2 models on 60 records" in models_page(tmp_path, {"a": 0.4, "b": 0.5}).texts
    assert report(runs / "new.jsonl", "--compare", runs / "base.jsonl", "-o", tmp_path / "page.html") == 0
    assert "new against base" in page_of(tmp_path / "page.html").texts
    for suffix in ("", ".manifest.json"):
        shutil.copy(runs / f"new.jsonl{suffix}", tmp_path / f"scores.jsonl{suffix}")
    assert report(tmp_path / "scores.jsonl", "-o", tmp_path / "page.html") == 0
    assert "Scores of new.pairs" in page_of(tmp_path / "page.html").texts


def test_figures_of_a_sentence_have_the_minus_of_tables(cut_page: Page) -> None:
    sentences = [text for text in cut_page.texts if "(95% interval" in text]
    assert sentences and all("−0." in text and "-0." not in text for text in sentences)


def test_the_filter_lists_models_without_records_in_the_table(tmp_path: Path) -> None:
    lines = [line(n, score, groups={"m": model}) for n in range(5) for model, score in (("bad", 0.1), ("good", 1))]
    page = scores_page(tmp_path, lines, "--by", "m")
    assert "good (no records listed)" in page.texts and "bad (no records listed)" not in page.texts


def test_the_example_is_what_its_script_makes(tmp_path: Path, repository: Path) -> None:
    documents = repository / "docs" / "report"
    program = tmp_path / "leafscore-report"
    program.write_text(f"#!/bin/sh\nexec '{sys.executable}' -m leafscore.report \"$@\"\n")
    program.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run([documents / "example.sh", tmp_path], env=environment, check=True, capture_output=True)
    made, kept = page_of(tmp_path / "example.html"), page_of(documents / "example.html")
    assert made.texts == kept.texts  # the runtime of Vega-Lite is that of whoever makes it
    assert made.tags == kept.tags and made.charts == kept.charts


def test_precision_and_recall_of_fields_are_compared(run: Callable[..., str], tmp_path: Path) -> None:
    for name, every in (("base", 20), ("new", 2)):
        records = [
            {"id": n, "expected": {"a": n, "b": 1}, "actual": {"a": n + (n % every == 0), "b": 1}} for n in range(40)
        ]
        pairs = write_lines(tmp_path / f"{name}.pairs.jsonl", records)
        run("score", pairs, "-q", "-s", "records", "-o", tmp_path / f"{name}.jsonl")
    assert report(tmp_path / "new.jsonl", "--compare", tmp_path / "base.jsonl", "-o", tmp_path / "page.html") == 0
    page = page_of(tmp_path / "page.html")
    for name, base, now, change in (("all", "0.9750", "0.7500", "−0.2250"), ("a", "0.9500", "0.5000", "−0.4500")):
        for share in ("precision", "recall", "F1"):
            row = [name, share, "regressed", "40", base, now, change]
            assert any(page.texts[at : at + len(row)] == row for at in range(len(page.texts))), row
    assert ["b", "precision"] not in [page.texts[at : at + 2] for at in range(len(page.texts))]
