"""What the tests of `leafscore bench` share: records, the command as a process, and scorers timed by a clock of ours."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, Iterator

from leafscore.bench.contestants import Contestant
from leafscore.bench.measure import measure
from leafscore.bench.records import Data, Record
from leafscore.bench.results import Options, Result
from leafscore.bench.scoring import Function
from leafscore.bench.worker import Worker

COMMAND = [sys.executable, "-m", "leafscore.bench"]
QUICK = [
    "--rounds",
    "2",
    "--seconds",
    "2",
    "--min-seconds",
    "0.01",
    "--time-limit",
    "20",
    "--growth",
    "none",
    "--threads",
    "1",
]


def records(number: int) -> list[dict[str, Any]]:
    """Records whose actual values differ a little from the expected ones in every second."""
    return [
        {"id": f"r{i}", "expected": {"a": i, "b": "x" * (i % 7)}, "actual": {"a": i + i % 2, "b": "x" * (i % 7)}}
        for i in range(number)
    ]


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def run(folder: Path, *arguments: object, **how: Any) -> subprocess.CompletedProcess[str]:
    """Runs the command in a folder, whose modules it finds."""
    how.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.run(
        [*COMMAND, *map(str, arguments)],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=300,
        **how,
    )


def environment() -> dict[str, str]:
    """Its own, with the package of this process wherever the command runs."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


class Clock:
    """Nanoseconds that pass only when somebody says so."""

    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        return self.now


class Inside:
    """A player in this process, by this clock."""

    printed = 0
    children_peak = 0

    def __init__(self, function: Callable[[Any, Any], Any], pairs: list[tuple[str, str]], clock: Clock) -> None:
        self._worker = Worker(Function(function), pairs, clock, clock)

    def stream(self, request: dict[str, Any], seconds: float, while_waiting: Any = None) -> Iterator[dict[str, Any]]:
        yield from self._worker.handle(dict(request))

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        return list(self.stream(request, seconds))[-1]

    def see_children(self) -> None:
        pass

    def end(self) -> None:
        pass


def measured(functions: dict[str, Callable[[Any, Any], Any]], clock: Clock, number: int = 64, **options: Any) -> Result:
    """Measures functions in this process; the first is what the others are compared with."""
    texts = [(json.dumps(row["expected"]), json.dumps(row["actual"])) for row in records(number)]
    data = Data("data", [Record(f"r{i}", f"record {i + 1}", *pair) for i, pair in enumerate(texts)], seen=number)
    chosen = [
        Contestant(name, {"kind": "function", "name": name}, 0 if place else None, "leafscore")
        for place, name in enumerate(functions)
    ]
    return measure(
        chosen,
        data,
        Options(**{"rounds": 9, "seconds": 1e6, "min_seconds": 1e-6, **options}),
        start=lambda setup, seconds: Inside(functions[setup["name"]], texts, clock),
    )
