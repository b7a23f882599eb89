"""Outputs: a file appears under its name when it is whole, and an input is never written over."""

from __future__ import annotations

import gzip
import os
import shutil
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from .errors import ConvertError

STANDARD_OUTPUT = "-"


def refuse_inputs(output: str, inputs: Iterable[Path]) -> None:
    """ERRORS: ConvertError when the output is one of the inputs, or lies in one that is a folder, whatever the links."""
    if output == STANDARD_OUTPUT:
        return
    target = Path(os.path.realpath(output))
    for path in inputs:
        source = Path(os.path.realpath(path))
        same = target == source or (target.exists() and source.exists() and os.path.samefile(target, source))
        if same or (source.is_dir() and source in target.parents):
            raise ConvertError(f"the output {output} is, or lies in, the input {path}: give another name")


def is_direct(output: str) -> bool:
    """Whether the output is standard output, a pipe or a device, which are written as they are."""
    if output == STANDARD_OUTPUT:
        return True
    try:
        return not stat.S_ISREG(mode := os.stat(output).st_mode) and not stat.S_ISDIR(mode)
    except OSError:
        return False


@contextmanager
def whole_path(output: str, *, folder: bool = False) -> Iterator[Path]:
    """A path for a new file, or folder, which gets the output's name when the block ends well, and goes otherwise. It
    is alone in a folder that is made for it beside the output, as is what the block makes beside it."""
    if not output or is_direct(output):
        raise ConvertError(
            f"this format cannot be written to {output or 'a file without a name'}: name a new file"
        )
    target = Path(os.path.realpath(output))
    if target.is_dir() or (folder and target.exists()):
        raise ConvertError(f"{output} exists{' as a folder' if target.is_dir() else ''}: give another name")
    made = _new_folder(target)
    try:
        partial = made / target.name
        yield partial
        if not folder:
            _sync(partial)
        os.replace(partial, target)
    finally:
        shutil.rmtree(made, ignore_errors=True)


@contextmanager
def lines_to(output: str) -> Iterator["LineWriter"]:
    """Writes lines to a file, packed where its name ends in .gz, or straight to a pipe, device or standard output."""
    if is_direct(output):
        if output == STANDARD_OUTPUT and sys.stdout is None:
            raise ConvertError("standard output is closed")
        with open(os.dup(sys.stdout.fileno()) if output == STANDARD_OUTPUT else output, "wb") as file:
            yield LineWriter(file)
        return
    with whole_path(output) as partial, open(partial, "xb") as file:
        if not output.endswith(".gz"):
            yield LineWriter(file)
            return
        with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
            yield LineWriter(packed)


class LineWriter:
    def __init__(self, file: BinaryIO | gzip.GzipFile):
        self._file = file

    def write(self, text: str) -> None:
        self._file.write(text.encode() + b"\n")


def _new_folder(target: Path) -> Path:
    """A folder that was not there before: what lies under a name is not ours to write over or to remove."""
    for number in range(1, 1000):
        path = target.with_name(f"{target.name}.partial" + (f"-{number}" if number > 1 else ""))
        try:
            path.mkdir()
        except FileExistsError:
            continue
        return path
    raise ConvertError(f"too many files like {path} lie beside the output: remove them")


def _sync(path: Path) -> None:
    with open(path, "rb") as file:
        os.fsync(file.fileno())
