"""The blocks of a page, run in order in one folder, and what they print compared with what the page says.

A block with a `title` is a file. In `console`, a line behind `$ ` is a command, and the lines below it are what it
prints, standard output before standard error. In `python`, `print(...)  # TEXT` prints TEXT.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator

BLOCK = re.compile(r"^```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^```$", re.M | re.S)
SPEED = re.compile(r"in [\d.]+ s: [\d,]+ records/s, [\d.]+ GB/s")
PRINTED = re.compile(r"\)  # (.*)$", re.M)


@dataclass(frozen=True)
class Block:
    language: str
    title: str | None
    text: str


def blocks_of(page: Path) -> list[Block]:
    """Returns the blocks. Raises ValueError for one that cannot be told from the text around it."""
    text = page.read_text(encoding="utf-8")
    blocks = [Block(*match.groups()) for match in BLOCK.finditer(text)]
    if 2 * len(blocks) != len(re.findall(r"^```", text, re.M)):
        raise ValueError(f"{page} has a block without a language or an end")
    return blocks


def commands(block: Block) -> Iterator[tuple[str, str]]:
    """Returns the commands, each with what it prints."""
    for part in re.split(r"^\$ ", block.text, flags=re.M)[1:]:
        command, _, printed = part.partition("\n")
        yield command, printed


def run_block(block: Block, folder: Path, environment: dict[str, str]) -> list[tuple[str, str, str]]:
    """Runs a block. Returns what was run, what it should print, and what it printed."""
    if block.title is not None:
        (folder / block.title).write_text(block.text, encoding="utf-8")
    elif block.language == "console":
        return [(command, wanted, run_command(command, folder, environment)) for command, wanted in commands(block)]
    elif block.language == "python":
        wanted = "".join(line + "\n" for line in PRINTED.findall(block.text))
        done = subprocess.run(
            [sys.executable, "-c", block.text], capture_output=True, text=True, cwd=folder, env=environment, timeout=120
        )
        return [(block.text, wanted, done.stdout if done.returncode == 0 else done.stderr)]
    return []


def run_command(command: str, folder: Path, environment: dict[str, str]) -> str:
    """Returns what a command prints, at a speed that does not vary."""
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, cwd=folder, env=environment, timeout=120
    )
    return SPEED.sub("in 0.01 s: 400 records/s, 0.00 GB/s", done.stdout + done.stderr)


def environment_with(command: str, folder: Path) -> dict[str, str]:
    """Returns an environment with this leafscore in the PATH, by a script in a new folder. Its `convert` is that of this
    Python, whose package has the compiled module also in a build folder."""
    folder.mkdir()
    script = folder / "leafscore"
    convert = f'exec "{sys.executable}" -m leafscore.convert "$@"'
    script.write_text(f'#!/bin/sh\nif [ "$1" = convert ]; then shift; {convert}; fi\nexec "{command}" "$@"\n')
    script.chmod(0o755)
    return {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "120"}


def rewritten(page: Path, folder: Path, environment: dict[str, str]) -> str:
    """Returns the page with what its commands print now."""
    text = page.read_text(encoding="utf-8")
    for block in blocks_of(page):
        done = run_block(block, folder, environment)
        if block.language == "console":
            now = "".join(f"$ {command}\n{printed}" for command, _, printed in done)
            text = text.replace(f"```console\n{block.text}```", f"```console\n{now}```", 1)
    return text


if __name__ == "__main__":  # documented.py PAGE LEAFSCORE: writes what the commands print into the page
    import tempfile

    with tempfile.TemporaryDirectory() as made:
        page, place = Path(sys.argv[1]), Path(made)
        environment = environment_with(os.path.abspath(sys.argv[2]), place / "bin")
        (place / "page").mkdir()
        page.write_text(rewritten(page, place / "page", environment), encoding="utf-8")
