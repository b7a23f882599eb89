"""The cookbook and the pages for agents: each block runs, and prints what the page says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from documented import Block, blocks_of, commands, environment_with, run_block

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = ["cookbook.md", "skills/leafscore/SKILL.md", "agents.md"]

pytestmark = pytest.mark.skipif(not DOCS.exists(), reason="the tests are not in leafscore's tree")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_prints_what_it_says(name: str, command: str, tmp_path: Path) -> None:
    environment = {**environment_with(command, tmp_path / "bin"), "LEAFSCORE_CLONE": str(ROOT)}
    folder = tmp_path / "page"
    folder.mkdir()
    blocks = blocks_of(DOCS / name)
    assert any(block.language == "console" for block in blocks)
    for block in blocks:
        for run, wanted, printed in run_block(block, folder, environment):
            assert printed == wanted, run


@pytest.mark.parametrize("name", PAGES)
def test_there_are_no_blocks_that_nothing_reads(name: str) -> None:
    for block in blocks_of(DOCS / name):
        assert block.title or block.language in ("console", "python", "yaml"), block


def test_parts_of_workflows_name_what_there_is() -> None:
    yaml: Any = pytest.importorskip("yaml")
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    hooks = {hook["id"] for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    blocks = [block for name in PAGES for block in blocks_of(DOCS / name)]
    parts = [block for block in blocks if block.language == "yaml" and not block.title]
    assert len(parts) == 3
    for part in parts:
        read = yaml.safe_load(part.text)
        if isinstance(read, dict):
            assert {hook["id"] for repo in read["repos"] for hook in repo["hooks"]} == hooks
        elif "leafscore" in read[0]["uses"]:
            assert set(read[0]["with"]) <= set(action["inputs"])


def test_the_skill_has_the_members_that_agents_ask_for() -> None:
    text = (DOCS / "skills" / "leafscore" / "SKILL.md").read_text(encoding="utf-8")
    head = re.match(r"---\nname: (.+)\ndescription: (.+)\n---\n", text)
    assert head is not None
    assert head[1] == "leafscore" and len(head[2]) <= 1024


def test_blocks_are_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text('a\n```jsonl title="x.jsonl"\n{}\n```\nb\n```console\n$ cat x.jsonl\n{}\n$ echo a\na\n```\n')
    first, second = blocks_of(page)
    assert first == Block("jsonl", "x.jsonl", "{}\n")
    assert list(commands(second)) == [("cat x.jsonl", "{}\n"), ("echo a", "a\n")]
    environment = environment_with("/none/leafscore", tmp_path / "bin")
    done = [each for block in (first, second) for each in run_block(block, tmp_path, environment)]
    assert done == [("cat x.jsonl", "{}\n", "{}\n"), ("echo a", "a\n", "a\n")]
    page.write_text("```\nno language\n```\n")
    with pytest.raises(ValueError, match="without a language"):
        blocks_of(page)
