"""What documents show must work."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

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
