"""The command on the PATH, where reports look for it, and runs to report on."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any, Callable

import pytest


@pytest.fixture(autouse=True, scope="session")
def command_on_path(command: str) -> None:
    os.environ["PATH"] = os.pathsep.join([str(Path(command).resolve().parent), os.environ["PATH"]])


@pytest.fixture(scope="session")
def runs(run: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of two runs over 120 generated records, the second with more wrong: their records and scores."""
    folder = tmp_path_factory.mktemp("runs")
    for name, rate in (("base", 0.1), ("new", 0.25)):
        records = folder / f"{name}.pairs.jsonl"
        run("generate", "--pairs", 120, "--seed", 4, "--error-rate", rate, "-o", records)
        options: tuple[Any, ...] = ("--details", "leaves", "--group-by", "model", "-q")
        run("score", records, "-s", "json_similarity", "-s", "levenshtein", *options, "-o", folder / f"{name}.jsonl")
    for suffix in ("", ".manifest.json"):
        shutil.copy(folder / f"base.jsonl{suffix}", folder / f"copy.jsonl{suffix}")
    return folder
