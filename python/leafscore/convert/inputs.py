"""Inputs: files, folders of files and standard input; lines of them, in bounded memory."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from .counts import Counts
from .errors import ConvertError
from .json_text import parse

MAX_LINE_BYTES = 64 << 20  # like --max-line-bytes of leafscore score
HEAD_BYTES = 1 << 20
BUFFER_BYTES = 1 << 18
ENDINGS = (".gz", ".jsonl", ".ndjson", ".json", ".eval", ".parquet", ".arrow", ".feather", ".csv", ".tsv")
TABLES = (".csv", ".tsv")
STANDARD_INPUT = "-"


class Input:
    """One input by its name; `stem` is the name without folder and endings."""

    def __init__(self, name: str):
        self.name = name
        self.path = Path(name)
        self.stem = "stdin" if name == STANDARD_INPUT else self.path.name
        for ending in ENDINGS:
            self.stem = self.stem.removesuffix(ending)

    @property
    def is_stream(self) -> bool:
        """Whether it is standard input, a pipe or a device, which can be read only once."""
        return self.name == STANDARD_INPUT or (
            self.path.exists() and not (self.path.is_file() or self.path.is_dir())
        )

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """The bytes, unpacked where they are gzip. ERRORS: ConvertError, also of what is read within the block."""
        try:
            if self.name == STANDARD_INPUT:
                if sys.stdin is None:
                    raise ConvertError("standard input is closed")
                with open(os.dup(sys.stdin.fileno()), "rb", BUFFER_BYTES) as file:
                    yield _unpacked(file)
            else:
                with open(self.path, "rb", BUFFER_BYTES) as file:
                    yield _unpacked(file)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise ConvertError(f"{self.name} is not whole gzip: {error}") from None

    def head(self) -> bytes:
        """How it begins; of a stream nothing, as that would be lost."""
        if self.is_stream:
            return b""
        with self.open() as file:
            return file.read(HEAD_BYTES)

    def lines(self, counts: Counts) -> Iterator[tuple[int, Any]]:
        """Numbers and values of the lines that are JSON objects; a line that is none has a `ValueError` as its value.

        Such lines are told and counted here. Empty lines are passed over.
        """
        with self.open() as file:
            for number, raw in _bounded_lines(file):
                try:
                    if raw is None:
                        raise ValueError(f"it is longer than {MAX_LINE_BYTES:,} bytes")
                    value = parse(raw)
                    if not isinstance(value, dict):
                        raise ValueError("it is no JSON object")
                except ValueError as error:
                    counts.bad_line(self.name, number, str(error))
                    value = error
                yield number, value

    def score_lines(self, counts: Counts) -> Iterator[tuple[int, Any]]:
        """Numbers and values of the lines of scores, without a manifest; other lines are told and counted here."""
        for number, line in self.lines(counts):
            if isinstance(line, ValueError) or line.keys() == {"manifest"}:
                continue
            if not isinstance(line.get("scorer"), str) or not isinstance(line.get("outcome"), str):
                counts.bad_line(self.name, number, "it is no line of scores: it lacks a scorer or an outcome")
                continue
            yield number, line

    @property
    def is_table(self) -> bool:
        """Whether the name says that it holds rows of separated values."""
        return self.name.removesuffix(".gz").lower().endswith(TABLES)

    def rows(self, counts: Counts) -> Iterator[tuple[int, Any]]:
        """Numbers and values of the rows of a table, by column; empty cells are left out. Otherwise as `lines`."""
        with self.open() as file:
            text = io.TextIOWrapper(file, "utf-8-sig", newline="")
            csv.field_size_limit(MAX_LINE_BYTES)
            try:
                yield from self._rows(csv.reader(text, delimiter=self._delimiter(), strict=True), counts)
            except UnicodeDecodeError as error:
                raise ConvertError(f"{self.name} is not UTF-8: {error.reason}") from None
            except csv.Error as error:
                raise ConvertError(f"{self.name} cannot be read as a table: {error}") from None

    def _rows(self, table: Any, counts: Counts) -> Iterator[tuple[int, Any]]:
        columns: list[str] = next(table, [])
        if twice := {name for name in columns if name and columns.count(name) > 1}:
            raise ConvertError(f"{self.name} has the column {min(twice)} twice: rename one")
        for cells in table:
            if not cells:
                continue
            value: Any = {name: cell for name, cell in zip(columns, cells) if name and cell}
            if len(cells) != len(columns):
                value = ValueError(
                    f"it has {len(cells)} cells, and the first row names {len(columns)} columns"
                )
                counts.bad_line(self.name, table.line_num, str(value))
            yield table.line_num, value

    def _delimiter(self) -> str:
        """The sign that parts most columns of the first row."""
        first = self.head().split(b"\n", 1)[0].decode("utf-8", "replace")
        return max(",;\t", key=first.count)

    def value(self) -> Any:
        """The one JSON value of the whole input, in memory."""
        with self.open() as file:
            try:
                return parse(file.read())
            except ValueError as error:
                raise ConvertError(f"{self.name} cannot be read: {error}") from None


def _unpacked(file: Any) -> BinaryIO:
    if file.peek(2)[:2] == b"\x1f\x8b":
        return cast(BinaryIO, io.BufferedReader(gzip.GzipFile(fileobj=file), BUFFER_BYTES))
    return cast(BinaryIO, file)


def _bounded_lines(file: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """Lines that hold more than spaces, with None in place of one that is too long to be held."""
    number = 0
    while raw := file.readline(MAX_LINE_BYTES + 1):
        number += 1
        if len(raw) > MAX_LINE_BYTES and not raw.endswith(b"\n"):
            while (rest := file.readline(MAX_LINE_BYTES)) and not rest.endswith(b"\n"):
                pass
            yield number, None
        elif raw.strip():
            yield number, raw


def is_spreadsheet(head: bytes) -> bool:
    """Whether a file begins like a workbook of Excel, old or new, or of OpenDocument."""
    first_name = head[30:80]
    in_zip = head.startswith(b"PK\x03\x04") and first_name.startswith(
        (b"[Content_Types].xml", b"_rels/", b"xl/", b"docProps/", b"mimetype")
    )
    return in_zip or head.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")


def top_level_keys(head: bytes) -> set[str]:
    """The keys of the JSON object that a text begins with, as far as the text goes.

    The values need not be whole, so that the head of a file tells what it is.
    """
    text = head.decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    if not text.startswith("{"):
        return set()
    keys: set[str] = set()
    depth, position, before = 0, 0, ""
    while position < len(text):
        character = text[position]
        if character == '"':
            end = _string_end(text, position)
            if depth == 1 and before in "{,":
                try:
                    keys.add(json.loads(text[position:end]))
                except ValueError:
                    break
            before, position = '"', end
            continue
        depth += (character in "{[") - (character in "}]")
        if depth == 0:
            break
        if not character.isspace():
            before = character
        position += 1
    return keys


def _string_end(text: str, start: int) -> int:
    position = start + 1
    while position < len(text) and text[position] != '"':
        position += 2 if text[position] == "\\" else 1
    return position + 1
