"""What the tests of the package share."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any, Callable

import pytest

# Whoever runs the tests may ignore Ctrl-C, as a shell does for what it starts in the background, and the programs under
# test would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def command() -> str:
    """The command that this package must agree with."""
    found = os.environ.get("LEAFSCORE_COMMAND") or shutil.which("leafscore")
    if found is None:
        pytest.skip("there is no command leafscore; name it by LEAFSCORE_COMMAND")
    return found


@pytest.fixture(scope="session")
def run(command: str) -> Callable[..., str]:
    """Runs the command, and returns what it prints."""

    def run_command(*arguments: Any) -> str:
        finished = subprocess.run([command, *map(str, arguments)], capture_output=True, text=True, check=True)
        return finished.stdout

    return run_command


@pytest.fixture(scope="session")
def pairs(run: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of 2,000 generated records."""
    path = tmp_path_factory.mktemp("pairs") / "pairs.jsonl"
    run("generate", "--pairs", 2000, "--seed", 7, "--profile", "mixed", "-o", path)
    return path
