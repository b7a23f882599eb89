"""The MCP server: what its tools say, and that nothing outside its folder is read, written or executed."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable

import pytest

import leafscore as ls
from leafscore.mcp.root import Refused, Root
from leafscore.mcp.tools import COMPUTING, MAX_LINE_BYTES, Tools

RECORDS = [
    {"id": "a", "model": "m", "expected": {"city": "Oslo", "total": 20}, "actual": {"city": "Oslo", "total": 20}},
    {"id": "b", "model": "n", "expected": {"city": "Rome", "total": 30}, "actual": {"city": "Rome"}},
    {"id": "c", "model": "n", "expected": {"city": "Bonn", "total": 41}},
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a server, beside which lies a secret."""
    (tmp_path / "secret.jsonl").write_text('{"id": "s", "expected": "secret", "actual": "secret"}\n')
    made = tmp_path / "root"
    (made / "sub").mkdir(parents=True)
    for name in ("records.jsonl", "sub/records.jsonl"):
        (made / name).write_text("".join(json.dumps(record) + "\n" for record in RECORDS))
    return made


@pytest.fixture
def tools(folder: Path) -> Tools:
    return Tools(str(folder))


def test_score_keeps_scores_that_compare_and_the_command_take(tools: Tools, folder: Path) -> None:
    text = tools.score(["records.jsonl"], ["json_similarity"], output="sub/scores.jsonl", group_by=["model"])
    report = ls.score_files(folder / "records.jsonl", "json_similarity")
    [scorer] = report["scorers"]
    assert f"{scorer['over_all']['mean']:.4f}" in text and "2 of 3" in text and "model=n" in text
    assert text.endswith("scores: sub/scores.jsonl")
    lines = [json.loads(line) for line in (folder / "sub" / "scores.jsonl").read_text().splitlines()]
    assert [line.get("score") for line in lines] == [1, 0.5, None]
    compared = tools.compare("sub/scores.jsonl", "sub/scores.jsonl", margin=0.02)
    wanted = ls.compare(folder / "sub/scores.jsonl", folder / "sub/scores.jsonl", margin=0.02).to_text()
    assert compared == wanted.replace(f"{folder}/", "")
    assert str(folder) not in text + compared


def test_gold_and_a_configuration(tools: Tools, folder: Path) -> None:
    (folder / "gold.jsonl").write_text('{"id": "b", "expected": {"city": "Rome"}}\n')
    (folder / "scorers.yaml").write_text("evaluators:\n- {name: whole, type: exact_match}\n")
    (folder / "answers.jsonl").write_text('{"id": "b", "actual": {"city": "Rome"}}\n')
    text = tools.score(["answers.jsonl"], config="scorers.yaml", gold="gold.jsonl")
    assert "whole" in text and "1 of 1" in text
    text = tools.explain("answers.jsonl", "b", ["json_similarity"], gold="gold.jsonl")
    assert text.startswith("json_similarity: 1\n")


def test_explain_tells_of_each_value(tools: Tools, folder: Path) -> None:
    text = tools.explain("records.jsonl", "b", ["json_similarity", "exact_match"])
    assert text.startswith("json_similarity: 0.5000") and "total" in text and "exact_match: 0" in text
    (folder / "packed.jsonl.gz").write_bytes(gzip.compress((folder / "records.jsonl").read_bytes()))
    assert tools.explain("packed.jsonl.gz", "b", ["json_similarity", "exact_match"]) == text
    assert "unanswered" in tools.explain("records.jsonl", "c", ["json_similarity"])
    with pytest.raises(ValueError, match="no record of records.jsonl has the id 'z'"):
        tools.explain("records.jsonl", "z", ["json_similarity"])
    (folder / "broken.jsonl").write_text("{}\n{broken\n")
    with pytest.raises(ValueError, match="broken.jsonl, line 2: "):
        tools.explain("broken.jsonl", "z", ["json_similarity"])


def test_calls_in_a_field_of_their_own(tools: Tools, folder: Path) -> None:
    run = [{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": '{"n": 2}'}}]}]
    record = {"id": "a", "expected": [{"name": "f", "arguments": {"n": 1}}], "actual": "done", "run": run}
    (folder / "calls.jsonl").write_text(json.dumps(record) + "\n")
    assert "1 of 1" in tools.score(["calls.jsonl"], ["tool_calls"], calls_field="run")
    text = tools.explain("calls.jsonl", "a", ["tool_calls"], calls_field="run")
    assert text.startswith("tool_calls: 0, failed\n") and "expected_calls: 1\nactual_calls: 1\n" in text
    report = tools.lint("calls.jsonl", ["tool_calls"], answers=["calls.jsonl"], calls_field="run")
    assert "unanswered_gold" not in report and "in 1 gold record (1 can be judged)" in report


@pytest.mark.parametrize(("extra", "is_read"), [(-1, True), (0, True), (1, False)])
def test_a_line_is_as_long_as_the_limit(
    tools: Tools, folder: Path, extra: int, is_read: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert MAX_LINE_BYTES == 64 << 20
    monkeypatch.setattr("leafscore.mcp.tools.MAX_LINE_BYTES", 1 << 20)
    line = json.dumps({"id": "x", "expected": 1, "actual": 1, "more": ""})
    (folder / "long.jsonl").write_text(line.replace('""', f'"{"x" * ((1 << 20) + extra - len(line))}"'))
    if is_read:
        assert tools.explain("long.jsonl", "x", ["exact_match"]).startswith("exact_match: 1")
    else:
        with pytest.raises(ValueError, match="longer than 1 MiB"):
            tools.explain("long.jsonl", "x", ["exact_match"])


def test_lint_finds_what_the_library_finds(tools: Tools, folder: Path) -> None:
    text = tools.lint("records.jsonl", ["json_similarity"], answers=["sub/records.jsonl"])
    wanted = ls.lint(folder / "records.jsonl", "json_similarity", [folder / "sub" / "records.jsonl"]).to_text()
    assert text == wanted.replace(f"{folder}/", "") and "other_gold" in text


READERS: dict[str, Callable[[Tools, str], str]] = {
    "score": lambda tools, name: tools.score([name], ["exact_match"]),
    "second file": lambda tools, name: tools.score(["records.jsonl", name], ["exact_match"]),
    "gold": lambda tools, name: tools.score(["records.jsonl"], ["exact_match"], gold=name),
    "config": lambda tools, name: tools.score(["records.jsonl"], config=name),
    "explain": lambda tools, name: tools.explain(name, "s", ["exact_match"]),
    "explain gold": lambda tools, name: tools.explain("records.jsonl", "a", ["exact_match"], gold=name),
    "compare base": lambda tools, name: tools.compare(name, "scores.jsonl"),
    "compare new": lambda tools, name: tools.compare("scores.jsonl", name),
    "lint": lambda tools, name: tools.lint(name, ["exact_match"]),
    "lint answers": lambda tools, name: tools.lint("records.jsonl", ["exact_match"], answers=[name]),
}


@pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
def test_no_tool_reads_outside_its_folder(reader: Callable[[Tools, str], str], tools: Tools, folder: Path) -> None:
    tools.score(["records.jsonl"], ["exact_match"], output="scores.jsonl")
    os.symlink("../secret.jsonl", folder / "link.jsonl")
    os.symlink("..", folder / "up")
    os.symlink(folder.parent, folder / "sub" / "absolute")
    os.symlink("link.jsonl", folder / "link to link.jsonl")
    os.mkfifo(folder / "pipe.jsonl")
    outside = [
        "../secret.jsonl",
        "sub/../../secret.jsonl",
        str(folder.parent / "secret.jsonl"),
        str(folder / "records.jsonl"),
        "link.jsonl",
        "link to link.jsonl",
        "up/secret.jsonl",
        "sub/absolute/secret.jsonl",
        "up/root/../secret.jsonl",
        "/dev/stdin",
        "-",
        "",
        "sub",
        ".",
        "pipe.jsonl",
        "missing.jsonl",
        "records.jsonl\0",
        "file:///etc/passwd",
        "s3://bucket/records.jsonl",
        "~/records.jsonl",
        "*.jsonl",
    ]
    for name in outside:
        with pytest.raises(ValueError) as refused:
            reader(tools, name)
        assert "secret" not in str(refused.value).replace("secret.jsonl", ""), name
        assert str(folder) not in str(refused.value).replace(name or " ", ""), name


def test_links_within_the_folder_are_followed(tools: Tools, folder: Path) -> None:
    os.symlink("sub/records.jsonl", folder / "inner.jsonl")
    assert tools.score(["inner.jsonl"], ["exact_match"]) == tools.score(["records.jsonl"], ["exact_match"])


def test_a_manifest_that_is_a_link_to_outside_is_not_read(tools: Tools, folder: Path) -> None:
    tools.score(["records.jsonl"], ["exact_match"], output="scores.jsonl")
    os.rename(folder / "scores.jsonl.manifest.json", folder.parent / "manifest.json")
    os.symlink("../manifest.json", folder / "scores.jsonl.manifest.json")
    with pytest.raises(ValueError, match="scores.jsonl.manifest.json leads out"):
        tools.compare("scores.jsonl", "scores.jsonl")


def test_outputs_are_new_files_below_the_folder(tools: Tools, folder: Path) -> None:
    os.symlink("..", folder / "up")
    os.symlink("../made.jsonl", folder / "dangling.jsonl")
    os.symlink("../made.json", folder / "taken.jsonl.manifest.json")
    before = sorted(folder.parent.rglob("*"))
    refused = [
        "../made.jsonl",
        str(folder.parent / "made.jsonl"),
        str(folder / "made.jsonl"),
        "up/made.jsonl",
        "dangling.jsonl",
        "taken.jsonl",
        "records.jsonl",
        "made.sh",
        ".bashrc",
        "",
        "-",
        "none/made.jsonl",
        "records.jsonl/made.jsonl",
        "made\0.jsonl",
    ]
    for name in refused:
        with pytest.raises(ValueError):
            tools.score(["records.jsonl"], ["exact_match"], output=name)
    assert sorted(folder.parent.rglob("*")) == before
    for name in ("made.jsonl", "sub/made.csv", "made.jsonl.gz", "made.jsonl.zst"):
        tools.score(["records.jsonl"], ["exact_match"], output=name)
        assert (folder / name).stat().st_size > 0


def test_nothing_is_executed_and_no_model_is_asked(tools: Tools, folder: Path) -> None:
    run = folder / "run"
    script = {"command": ["touch", str(run)]}
    judge = {"type": "code_judge", **script}
    scripts: dict[str, Any] = {"type": "asserts", "scripts": {"s": script}}
    refused: list[Any] = [judge, scripts, "code_judge", "asserts", "llm_judge", {"type": "llm_judge_strict_json", "model": "m"}]
    for scorer in refused:
        for scorers in ([scorer], ["exact_match", scorer]):
            with pytest.raises(ValueError, match="does not run the scorer"):
                tools.score(["records.jsonl"], scorers)
            with pytest.raises(ValueError, match="does not run the scorer"):
                tools.explain("records.jsonl", "a", scorers)
            with pytest.raises(ValueError, match="does not run the scorer"):
                tools.lint("records.jsonl", scorers)
        options = scorer if isinstance(scorer, dict) else {"type": scorer}
        (folder / "c.json").write_text(json.dumps({"evaluators": [{"name": "e", **options}]}))
        with pytest.raises(ValueError):
            tools.score(["records.jsonl"], config="c.json")
    (folder / "suite.eval.yaml").write_text(f"tests:\n- id: a\n  input: q\n  assert:\n  - {{type: script, command: [touch, {run}]}}\n")
    with pytest.raises(ValueError):
        tools.score(["records.jsonl"], config="suite.eval.yaml")
    assert not run.exists()


def test_no_option_of_a_scorer_names_a_file(tools: Tools, folder: Path) -> None:
    (folder.parent / "schema.json").write_text('{"type": "object"}')
    for schema in ("records.jsonl", str(folder.parent / "schema.json"), "/etc/passwd"):
        scorer = {"type": "records", "schema": schema}
        with pytest.raises(ValueError, match="give the schema itself"):
            tools.score(["records.jsonl"], [scorer])
    (folder / "c.json").write_text(json.dumps({"evaluators": [{"name": "e", **scorer, "schema": "../schema.json"}]}))
    with pytest.raises(ValueError):
        tools.score(["records.jsonl"], config="c.json")
    assert "records" in tools.score(["records.jsonl"], [{"type": "records", "schema": {"type": "object"}}])


def test_a_configuration_in_place_of_a_scorer_is_none(tools: Tools, folder: Path) -> None:
    (folder / "c.yaml").write_text("evaluators:\n- {name: e, type: exact_match}\n")
    for scorers in (["c.yaml"], [{"type": "c.yaml"}], [{"name": "x"}], [{}]):
        with pytest.raises(ValueError, match="does not run the scorer"):
            tools.score(["records.jsonl"], scorers)  # type: ignore[arg-type]
    for both in ({}, {"scorers": ["exact_match"], "config": "c.yaml"}):
        with pytest.raises(ValueError, match="either scorers or the file of a config"):
            tools.score(["records.jsonl"], **both)  # type: ignore[arg-type]


def test_the_scorers_that_compute_exist(run: Callable[..., str]) -> None:
    """A new scorer is refused until it is named in COMPUTING."""
    listed = set(re.findall(r"^(\w+): ", run("scorers", "--all"), re.M))
    assert set(COMPUTING) < listed
    assert listed - set(COMPUTING) >= {"asserts", "code_judge", "llm_judge", "llm_judge_strict_json"}


def test_a_folder_is_wanted(folder: Path) -> None:
    for wrong in (folder / "records.jsonl", folder / "none"):
        with pytest.raises(Refused, match="is no folder"):
            Root(str(wrong))
        ended = subprocess.run(
            [sys.executable, "-m", "leafscore.mcp", "--root", str(wrong)], capture_output=True, text=True
        )
        assert ended.returncode == 2 and ended.stdout == "" and "leafscore mcp" in ended.stderr


def test_a_client_over_standard_input_and_output(folder: Path) -> None:
    pytest.importorskip("mcp")
    from mcp.client import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client

    program = ["-m", "leafscore.mcp", "--root", str(folder)]
    parameters = StdioServerParameters(command=sys.executable, args=program, env=dict(os.environ))

    async def talk() -> None:
        async with Client(stdio_client(parameters)) as client:
            tools = (await client.list_tools()).tools
            assert [tool.name for tool in tools] == ["score", "explain", "compare", "lint"]
            assert [tool.annotations.read_only_hint for tool in tools] == [False, True, True, True]
            assert all(tool.description for tool in tools)
            arguments: dict[str, Any] = {"files": ["records.jsonl"], "scorers": ["json_similarity", {"type": "exact_match"}]}
            answer = await client.call_tool("score", arguments)
            assert not answer.is_error and "2 of 3" in answer.content[0].text
            arguments["files"] = ["../secret.jsonl"]
            answer = await client.call_tool("score", arguments)
            assert answer.is_error and "without .." in answer.content[0].text

    asyncio.run(talk())
