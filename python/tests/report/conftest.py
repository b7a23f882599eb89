"""The command on the PATH, where reports look for it, and runs to report on."""

from __future__ import annotations

import functools
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Callable

import pytest


@pytest.fixture(autouse=True, scope="session")
def templates_compiled_once() -> Iterator[None]:
    """Pages are made by the hundred here, and compiling the templates is three quarters of the work for a small one."""
    jinja2 = pytest.importorskip("jinja2")

    class Compiled(jinja2.BytecodeCache):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            self._codes: dict[str, bytes] = {}

        def load_bytecode(self, bucket: Any) -> None:
            if bucket.key in self._codes:
                bucket.bytecode_from_string(self._codes[bucket.key])

        def dump_bytecode(self, bucket: Any) -> None:
            self._codes[bucket.key] = bucket.bytecode_to_string()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jinja2, "Environment", functools.partial(jinja2.Environment, bytecode_cache=Compiled()))
        yield


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
