"""The blocks of docs/integrations.md run, and print what their comments say."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from importlib import util
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[3] / "docs" / "integrations.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.M | re.S) if PAGE.exists() else []
PRINTED = re.compile(r"\)  # (.*)$", re.M)


def packages(block: str) -> set[str]:
    """Returns the top-level modules that a block imports."""
    nodes = [node for node in ast.walk(ast.parse(block)) if isinstance(node, (ast.Import, ast.ImportFrom))]
    names = [alias.name if isinstance(node, ast.Import) else str(node.module) for node in nodes for alias in node.names]
    return {name.partition(".")[0] for name in names}


def test_the_page_has_blocks() -> None:
    if not PAGE.exists():
        pytest.skip("the tests are not in leafscore's tree")
    assert len(BLOCKS) == 12
    assert all(PRINTED.search(block) for block in BLOCKS)


@pytest.mark.parametrize("block", BLOCKS, ids=[" ".join(sorted(packages(block) - {"leafscore"})) or "leafscore" for block in BLOCKS])
def test_a_block_prints_what_it_says(block: str, tmp_path: Path) -> None:
    for package in packages(block):
        if util.find_spec(package) is None:
            pytest.skip(f"the package {package} is not installed")
    quiet = {"DEEPEVAL_TELEMETRY_OPT_OUT": "YES", "MLFLOW_DISABLE_TELEMETRY": "true"}
    ended = subprocess.run(
        [sys.executable, "-c", block], capture_output=True, text=True, cwd=tmp_path, env={**os.environ, **quiet}, timeout=300
    )
    assert ended.returncode == 0, ended.stderr[-3000:]
    wanted = PRINTED.findall(block)
    printed = ended.stdout.splitlines()
    assert [line for line in printed if line in wanted] == wanted, ended.stdout
