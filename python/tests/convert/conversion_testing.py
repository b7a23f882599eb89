"""What the tests of conversions share. They run without the package being built: `python3 -m unittest` finds it here."""

from __future__ import annotations

import importlib.util
import io
import json
import subprocess
import sys
import tempfile
import types
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data"
# Conversions need nothing that is compiled: where the package is not installed, its folder stands for it.
try:
    import leafscore
except ImportError:
    sys.modules["leafscore"] = leafscore = types.ModuleType("leafscore")
    leafscore.__path__ = [str(ROOT / "leafscore")]

COMMAND = [sys.executable, str(Path(__file__).with_name("run_convert.py"))]

from leafscore.convert import FORMATS, ConvertError, Counts, Options, convert  # noqa: E402


def needs(package: str):
    """Skips tests of a package that is not installed, so that they are counted as skipped."""
    return unittest.skipUnless(importlib.util.find_spec(package), f"the package {package} is not installed")


class ConversionTest(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.told = io.StringIO()
        self.counts = Counts(self.told)

    def file(self, name: str, content: str | bytes) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def records(self, *inputs: Path, source_format: str | None = None, **options) -> list[dict]:
        """The records that inputs become."""
        text = self.text(*inputs, source_format=source_format, **options)
        return [json.loads(line) for line in text.splitlines()]

    def text(self, *inputs: Path, source_format: str | None = None, **options) -> str:
        output = self.folder / "records-out.jsonl"
        convert(inputs, output, source_format=source_format, options=Options(**options), counts=self.counts)
        return output.read_text()

    def make_again(self, name: str) -> Path:
        """Runs the script that made the fixtures, with the package that is installed. RETURNS: the new fixtures."""
        made = self.folder / "made" / name
        script = DATA / f"make_{name}.py"
        ended = subprocess.run([sys.executable, script, made], capture_output=True, text=True)
        self.assertEqual(ended.returncode, 0, ended.stderr[-2000:])
        return made


def run_command(*arguments: object, **how) -> subprocess.CompletedProcess:
    """Runs leafscore-convert as a process."""
    how.setdefault("stdin", subprocess.DEVNULL)
    how.setdefault("stdout", subprocess.PIPE)
    how.setdefault("stderr", subprocess.PIPE)
    return subprocess.run([*COMMAND, *map(str, arguments)], timeout=120, **how)


__all__ = [
    "COMMAND",
    "DATA",
    "FORMATS",
    "ROOT",
    "ConversionTest",
    "ConvertError",
    "Counts",
    "Options",
    "convert",
    "needs",
    "run_command",
]
