"""What documents show must work."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

pytest.importorskip("pyarrow")

ROOT = Path(__file__).resolve().parents[2]


def test_the_readmes_example() -> None:
    pytest.importorskip("pandas")
    block = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(block[1], {})
    assert printed.getvalue().split("\n")[0].split() == ["0", "0.75"]


def test_the_notebook() -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("polars")
    notebook = nbformat.read(ROOT / "examples" / "scoring.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    texts = "".join(output.get("text", "") or output.get("data", {}).get("text/plain", "") for output in outputs)
    assert "'improved'" in texts
    assert "[3, 2]" in texts
