"""Hostile strings in every place of the data stay text: a page with them is the page without, but for these strings."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from report_testing import Page, page_of, report, write_lines

from leafscore.report.render import script_json
from leafscore.report.texts import seen

PLAIN = "Zq7x"
SHORT = ("bdi", "class", "s")  # which a name has or not by its length
HOSTILE = [
    "</script><i>",
    "<script>hit=1</script>",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<img src=x onerror=hit=1>",
    '" onfocus="hit=1" x="',
    "' onclick='hit=1",
    "</style><b>",
    "</title><b>",
    "</bdi></td></table><p>",
    "</textarea></select>",
    "javascript:hit=1",
    "{{ 7*7 }}{% raw %}",
    "${hit=1}`\\`",
    "&lt;b&gt;&amp;&#60;",
    "\u2028\u2029",
    "\\u003cb\\u003e",
    "%3Cscript%3E",
    "\u202e\u2066txt",
    "\x00\x1b[31m\x7f\x9b",
    "\u200b\ufeff",
    "שלום عربي",
    "datum.x + event",
    "__proto__",
    "=cmd|' /C calc'!A0",
]


@pytest.fixture(autouse=True)
def go_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(".")


def lines_with(text: str, score: float, *, compared: bool) -> list[dict[str, Any]]:
    """Lines that have the text in every place that holds texts."""
    groups = {"model": f"m{text}", f"g{text}": f"v{text}"}
    leaves = [
        {"path": f"p{text}", "expected": f"left {text}", "actual": f"right {text}", "similarity": 0.25},
        {"path": f"q{text}[3]", "expected": {f"k{text}": [text]}, "similarity": 0},
        {"path": f"r{text}", "actual": f"alone {text}", "similarity": 1},
    ]
    details = {f"d{text}": f"e{text}", "label": f"l{text}", "leaves": leaves}
    scored = {"outcome": "scored", "passed": score > 0.5, "details": details}
    failed = {"outcome": "error", "reason": f"n{text}", "message": f"o{text}", "text": f"t{text}", "file": f"f{text}"}
    lines = []
    for number, told in enumerate((scored, scored, scored if compared else failed)):
        own = score * (1 - number / 10)  # no two are equal, so their order is known
        if told is scored:
            told = {**scored, "score": own}
        lines.append({"id": f"i{number}{text}", "scorer": f"s{text}", "groups": groups, **told})
        calls = {"outcome": "scored", "score": own / 2, "details": calls_with(text)}
        lines.append({"id": f"i{number}{text}", "scorer": f"c{text}", "groups": groups, **calls})
    return lines


def calls_with(text: str) -> dict[str, Any]:
    expected, actual = ({"name": f"n{text}", "arguments": {f"k{text}": number}} for number in (1, 2))
    pair = {"expected": expected, "actual": actual, "actual_position": 0, "similarity": 0}
    missing = {"name": f"m{text}", "arguments": {"v": text}}
    leaves = [
        {"path": "calls[0].n", "verdict": f"w{text}", **pair, "differing": [f"k{text}"]},
        {"path": "calls[1].m", "verdict": "missing", "expected": missing, "similarity": 0},
    ]
    return {"leaves": leaves, "made": [{"call": f"made[0].n{text}", "verdict": f"w{text}"}]}


def summary_with(text: str) -> dict[str, Any]:
    rates = {"precision": 0.5, "recall": None, "f1": 0.25}
    field = {"field": f"p{text}", "true_positives": 1, "false_positives": 1, "false_negatives": 0, **rates}
    figures = {"fields": [field], "micro": rates, "macro": rates}
    group = {"field": "model", "value": f"m{text}", "kind": "value", **figures}
    return {"scorers": [{"scorer": f"s{text}", "groups": [group], **figures}]}


def scores_page(folder: Path, text: str) -> Path:
    """A page of scores, with the text in every place, also in the names of its files and in its records."""
    folder.mkdir()
    os.chdir(folder)  # so that pages of two folders name the same files
    name = text.replace("/", "").replace("\x00", "")
    scores = write_lines(Path(f"scores{name}.jsonl"), lines_with(text, 0.6, compared=False))
    sides = {"expected": {f"x{text}": [text, 1]}, "actual": {f"x{text}": [text, 2]}}
    records = [{"id": f"i{n}{text}", **sides} for n in range(3)]
    data = write_lines(Path(f"records{name}.jsonl"), records)
    summary = write_lines(Path(f"summary{name}.json"), [summary_with(text)])
    arguments = (scores, "--unverified", "--by", "model", "--data", data, "--summary", summary, "--title", f"u{text}")
    assert report(*arguments, "-o", folder / "page.html") == 0
    return folder / "page.html"


def comparison_page(folder: Path, text: str) -> Path:
    folder.mkdir()
    os.chdir(folder)
    files = []
    for name, score in (("base", 0.9), ("new", 0.3)):
        path = Path(f"{name}{text.replace('/', '')}.jsonl")
        files.append(write_lines(path, lines_with(text, score, compared=True)))
    gates = ("--max-drop", 0.01, "--max-errors", 9)
    arguments = ("--compare", files[0], "--unverified", "--by", f"g{text}", *gates)
    assert report(files[1], *arguments, "-o", folder / "page.html") == 1
    return folder / "page.html"


def expect_same(hostile: Page, plain: Page, text: str, file_text: str) -> None:
    """Compares every tag, text and attribute of a page with those of a page of harmless texts."""
    assert hostile.tags == plain.tags
    assert hostile.comments == plain.comments == []
    assert hostile.scripts == plain.scripts
    quoted = re.sub(r"\\u[0-9A-F]{4}", lambda escape: escape.group().lower(), seen(text))  # in messages of gates
    parts = (seen(text), seen(file_text), seen(json.dumps(text, ensure_ascii=False)[1:-1]), quoted)

    def of_source(value: str) -> set[str]:
        return {value.replace(PLAIN, part) for part in parts}

    assert len(hostile.texts) == len(plain.texts)
    for found, source in zip(hostile.texts, plain.texts):
        assert found in of_source(source)
    values, sources = ([value for value in page.values if value != SHORT] for page in (hostile, plain))
    assert len(values) == len(sources)
    for one, other in zip(values, sources):
        assert one[:2] == other[:2] and one[2] in of_source(other[2])
    for found, source in zip(strings(hostile.charts), strings(plain.charts), strict=True):
        assert found in of_source(source)


def strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for key, member in value.items() for text in [key, *strings(member)]]
    if isinstance(value, list):
        return [text for item in value for text in strings(item)]
    return [value] if isinstance(value, str) else [json.dumps(value)]


@pytest.fixture(scope="module", autouse=True)
def short_runtime() -> Iterator[None]:
    """Without Vega's code, which is no data, and takes most of the time to read."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("leafscore.report.render._runtime", lambda library: "0;")
        yield


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Page]:
    folder, here = tmp_path_factory.mktemp("plain"), Path.cwd()
    pages = {"scores": scores_page(folder / "scores", PLAIN), "comparison": comparison_page(folder / "comparison", PLAIN)}
    os.chdir(here)
    return {kind: page_of(path) for kind, path in pages.items()}


@pytest.mark.parametrize("text", HOSTILE)
def test_scores(plain: dict[str, Page], tmp_path: Path, text: str) -> None:
    hostile = page_of(scores_page(tmp_path / "hostile", text))
    expect_same(hostile, plain["scores"], text, text.replace("/", "").replace("\x00", ""))


@pytest.mark.parametrize("text", [text for text in HOSTILE if "\x00" not in text])
def test_comparisons(plain: dict[str, Page], tmp_path: Path, text: str) -> None:
    hostile = page_of(comparison_page(tmp_path / "hostile", text))
    expect_same(hostile, plain["comparison"], text, text.replace("/", ""))


def test_halves_of_surrogate_pairs_are_escapes(tmp_path: Path) -> None:
    scores = write_lines(tmp_path / "scores.jsonl", lines_with("\ud83d", 0.6, compared=False))
    assert report(scores, "--unverified", "--by", "model", "-o", tmp_path / "page.html") == 0
    assert any("\\uD83D" in text for text in page_of(tmp_path / "page.html").texts)


def test_the_policy_lets_only_the_scripts_of_the_page_run(tmp_path: Path) -> None:
    page = page_of(scores_page(tmp_path / "page", HOSTILE[1]))
    policy = next(value for tag, name, value in page.values if tag == "meta" and value.startswith("default-src"))
    assert policy.startswith("default-src 'none';")
    assert "unsafe-eval" not in policy
    assert [script for script in policy.split(";") if "script-src" in script and "unsafe-inline" in script] == []
    assert [tag for tag, name, _ in page.values if name in ("src", "srcset", "action") or name.startswith("on")] == []
    links = [value for tag, name, value in page.values if name == "href"]
    assert all(value.startswith(("#", "data:image/svg+xml,")) for value in links)


def test_data_in_scripts_ends_no_script() -> None:
    for text in HOSTILE:
        made = script_json({text: [text]})
        assert json.loads(made) == {text: [text]}
        assert not set(made) & set("<>&\u2028\u2029") and made.isascii()
