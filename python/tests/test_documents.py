"""What documents show must work."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Callable

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_the_readmes_example_needs_what_the_readme_installs_and_no_more() -> None:
    block = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    without = "import sys\nfor name in ('pyarrow', 'pandas', 'polars', 'orjson'): sys.modules[name] = None\n"
    ended = subprocess.run([sys.executable, "-c", without + block[1]], capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines() == [
        "1 record",
        "                   mean  scored",
        "json_similarity  0.7500  1 of 1",
        "[0.75]",
    ]


def test_the_quick_start_for_a_scorer(run: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / "docs" / "quickstart-scorer.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for kind, block in re.findall(r"```(python|yaml)\n(.*?)```", page, re.DOTALL):
        name = re.search(r"^# (\w+\.\w+)", block, re.MULTILINE)
        assert name is not None, kind
        (tmp_path / name[1]).write_text(block, encoding="utf-8")
    (tmp_path / "my_judge.py").chmod(0o755)
    # The judge starts once a record, with the python3 of these tests rather than a script that looks for one.
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    for model, rate in (("medium", "0.08"), ("large", "0.07")):
        assert f"generate --pairs 300 --seed 7 --error-rate {rate} -o {model}.jsonl" in page
        run("generate", "--pairs", 300, "--seed", 7, "--error-rate", rate, "-o", f"{model}.jsonl")
    subprocess.run([sys.executable, "score_all.py"], check=True)
    for model in ("medium", "large"):
        convert = [sys.executable, "-m", "leafscore.convert", f"{model}.own.jsonl", "--to", "scores", "-o", f"{model}.scores.jsonl"]
        subprocess.run(convert, check=True, capture_output=True)
    assert run("leaderboard", "medium.scores.jsonl", "large.scores.jsonl") in page
    assert run("compare", "medium.scores.jsonl", "large.scores.jsonl").splitlines()[0] in page
    run("score", "large.jsonl", "-q", "-c", "judge.yaml", "-o", "large.mine.jsonl")
    assert (tmp_path / "large.mine.jsonl").read_text(encoding="utf-8").splitlines()[0] in page


def test_the_notebook() -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("pyarrow")
    pytest.importorskip("polars")
    notebook = nbformat.read(ROOT / "examples" / "scoring.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    texts = "".join(output.get("text", "") or output.get("data", {}).get("text/plain", "") for output in outputs)
    assert "'improved'" in texts
    assert "[3, 2]" in texts
