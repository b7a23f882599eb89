"""Files as streams of record batches, through pyarrow; those of other places than this machine through fsspec."""

from __future__ import annotations

import glob
import io
import json
from json.decoder import scanstring  # type: ignore[attr-defined]
import os
import re
from typing import Any, Callable, Iterable, Iterator, Mapping

from ._arrow import pyarrow, require
from ._errors import Error, a_kind, no_column

#: Tells whether no record need have the column of this name.
IsOptional = Callable[[str], bool]

# Small enough that a stream of long answers stays within some hundred MB.
_BATCH_ROWS = 1024

_COMPRESSED = {".gz": "gzip", ".zst": "zstd", ".bz2": "bz2", ".lz4": "lz4"}
_FORMATS = {".parquet": "parquet", ".pq": "parquet", ".arrow": "ipc", ".ipc": "ipc", ".feather": "ipc"}
_FORMATS.update({".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl"})


def path_of(value: Any, what: str) -> str:
    """Returns a path as a text. Raises TypeError, which says what it was to be, for anything else."""
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    raise TypeError(f"{what}; not {a_kind(value)}")


def open_path(path: str, columns: Mapping[str, str | None], is_optional: IsOptional = lambda column: False) -> Any:
    """Returns a reader of the columns of a file, of those that a glob finds (in the order of their names), or of a
    folder of Parquet files. Names tell the format: .parquet, .arrow, .feather, .csv and .jsonl, these two also with
    .gz or .zst behind. fsspec reads a path such as s3://bucket/answers.parquet or hf://datasets/me/answers/*.jsonl."""
    pa = pyarrow("reading a file")
    files_of, paths = _places(path)
    file_format = _format_of(paths[0])
    if file_format == "jsonl":
        required = [name for name in columns if not is_optional(name)]
        return _read_json_lines(pa, files_of, paths, columns, required)
    from pyarrow import csv, dataset

    if file_format == "csv":
        # Texts stay as they are, also those that look like numbers.
        file_format = dataset.CsvFileFormat(
            parse_options=csv.ParseOptions(newlines_in_values=True),
            convert_options=csv.ConvertOptions(column_types={name: pa.string() for name in columns}),
        )
    try:
        files = dataset.dataset(paths if len(paths) > 1 else paths[0], format=file_format, filesystem=files_of)
        missing = [name for name in columns if name not in files.schema.names and not is_optional(name)]
        if missing:
            raise no_column(f"{path} has", missing[0], files.schema.names)
        columns = {name: columns[name] for name in columns if name in files.schema.names}
        for fragment in files.get_fragments() if len(paths) > 1 else ():
            lacking = [name for name in columns if name not in fragment.physical_schema.names]
            if lacking:
                raise Error(f"{fragment.path} has no column {lacking[0]!r}, as other files of {path} have", "input")
        schema = pa.schema([files.schema.field(name) for name in columns])
        if file_format == "parquet":
            return pa.RecordBatchReader.from_batches(schema, _read_parquet(pa, files.get_fragments(), schema))
        scanner = files.scanner(columns=schema.names, batch_size=_BATCH_ROWS, batch_readahead=2, fragment_readahead=1)
        return scanner.to_reader()
    except (OSError, pa.ArrowException) as error:
        raise _unreadable(path, error) from error


def _places(path: str) -> tuple[Any, list[str]]:
    """Returns the file system of fsspec, or None for this machine's, and the files that a path or glob names in it."""
    if "://" not in path:
        found = sorted(glob.glob(path, recursive=True))
        if not found:
            _format_of(path)
            what = "no file matches" if glob.has_magic(path) else "there is no such file"
            raise Error(f"{path} cannot be read: {what}{'' if os.path.isabs(path) else f' in {os.getcwd()}'}", "input")
        return None, found
    (fsspec,) = require(f"reading {path}", "fsspec")
    try:
        files_of, inner = fsspec.core.url_to_fs(path)
        return files_of, (sorted(files_of.glob(inner)) if glob.has_magic(inner) else []) or [inner]
    except ImportError as error:  # of the package for this protocol, which the message names
        raise ImportError(f"reading {path} needs another package: {error}") from error
    except (OSError, ValueError) as error:
        raise Error(f"{path} cannot be read: {error}", "input") from error


def _format_of(path: str) -> str:
    name = path.lower()
    for suffix in _COMPRESSED:
        name = name[: -len(suffix)] if name.endswith(suffix) else name
    for suffix, file_format in _FORMATS.items():
        if name.endswith(suffix):
            return file_format
    if "." in name.rsplit("/", 1)[-1]:
        cure = ""
        if name.endswith(".json"):
            cure = "; leafscore.score_files reads JSON arrays, and a file of JSON Lines is named .jsonl"
        raise Error(f"the name of {path} does not tell its format; known: {', '.join(_FORMATS)}{cure}")
    return "parquet"


def _read_parquet(pa: Any, fragments: Iterable[Any], schema: Any) -> Iterator[Any]:
    """Decodes some rows at a time, where a scanner of the dataset would decode whole groups of rows ahead."""
    from pyarrow import parquet

    for fragment in fragments:
        try:
            with parquet.ParquetFile(fragment.open(), buffer_size=1 << 20, pre_buffer=False) as file:
                for batch in file.iter_batches(_BATCH_ROWS, columns=schema.names, use_threads=False):
                    yield batch.select(schema.names).cast(schema)
        except (OSError, pa.ArrowException) as error:
            raise _unreadable(fragment.path, error) from error


def _unreadable(path: str, error: Exception) -> Error:
    """Returns the error about a file, with what pyarrow says of it, less what it says of itself."""
    return Error(f"{path} cannot be read: {_OF_PYARROW.sub('', str(error))}", "input")


_OF_PYARROW = re.compile(
    r"^Error creating dataset\. |Could not read schema from '[^']*'\. |Is this a '\w+' file\?: |"
    r"^\[Errno \d+\] Failed to open local file '[^']*'\. Detail: |Could not open Parquet input source '[^']*': "
)


def _read_json_lines(
    pa: Any, files_of: Any, paths: list[str], columns: Mapping[str, str | None], required: Iterable[str]
) -> Any:
    """Returns a reader of lines, which raises Error at their end if no line had one of the columns `required`."""
    schema = pa.schema([pa.field(name, pa.string()) for name in columns])

    def batches() -> Iterator[Any]:
        absent = set(required)
        first: dict[str, Any] = {}
        for path in paths:
            try:
                with _input_stream(pa, files_of, path) as file:
                    for rows in _rows_of_lines(io.BufferedReader(file), columns, path, first):
                        absent -= {name for name in absent if any(name in row for row in rows)}
                        yield pa.RecordBatch.from_pylist(rows, schema)
            except (OSError, pa.ArrowException) as error:
                raise _unreadable(path, error) from error
        if first:
            for name in columns:
                if name in absent:
                    raise no_column(f"no line of {', '.join(paths)} has", name, list(first))

    return pa.RecordBatchReader.from_batches(schema, batches())


def _input_stream(pa: Any, files_of: Any, path: str) -> Any:
    if files_of is None:
        return pa.input_stream(path, compression="detect")
    packed = next((kind for suffix, kind in _COMPRESSED.items() if path.lower().endswith(suffix)), None)
    return pa.input_stream(files_of.open(path), compression=packed)


def _rows_of_lines(
    lines: Any, columns: Mapping[str, str | None], path: str, first: dict[str, Any]
) -> Iterator[list[dict[str, str | None]]]:
    """Yields the members of some lines at a time, and fills `first` with all of the first line."""
    rows: list[dict[str, str | None]] = []
    for number, line in enumerate(lines, 1):
        if line.isspace():
            continue
        try:
            rows.append(members(line.decode(), columns))
        except ValueError as error:
            why = "the line is not UTF-8" if isinstance(error, UnicodeDecodeError) else error
            cure = "score_files reports such lines and goes on"
            if number == 1 and line.lstrip()[:1] == b"[":
                cure = "score_files reads JSON arrays"
            raise Error(f"{path}, line {number}: {why}; {cure}", "input") from None
        if not first:
            first.update(json.loads(line))
        if len(rows) == _BATCH_ROWS:
            yield rows
            rows = []
    if rows:
        yield rows


_scan = json.JSONDecoder().scan_once  # type: ignore[attr-defined]
_SPACE = " \t\r\n"


def members(line: str, columns: Mapping[str, str | None]) -> dict[str, str | None]:
    """Returns the values of these members of a JSON object: values to score as they are written, so that
    scoring sees every digit and every repeated key, others and those of the format "text" as texts.
    The last one of a repeated name counts.

    >>> members('{"id": "q7", "expected": {"a": 1.50}, "seed": 3}', {"id": None, "expected": "json"})
    {'id': 'q7', 'expected': '{"a": 1.50}'}
    """
    found: dict[str, str | None] = {}
    at = _skip(line, 0)
    if line[at : at + 1] != "{":
        raise ValueError("the line is no JSON object")
    at = _skip(line, at + 1)
    while line[at : at + 1] == '"':
        name, at = scanstring(line, at + 1, True)
        at = _skip(line, at)
        if line[at : at + 1] != ":":
            raise ValueError("a ':' after the key is missing")
        begin = _skip(line, at + 1)
        try:
            value, end = _scan(line, begin)
        except StopIteration:
            raise ValueError("a value is missing") from None
        if name in columns:
            is_plain = columns[name] in (None, "name", "text") and (value is None or isinstance(value, str))
            found[name] = value if is_plain else line[begin:end]
        at = _skip(line, end)
        if line[at : at + 1] != ",":
            break
        at = _skip(line, at + 1)
    if line[at : at + 1] != "}" or _skip(line, at + 1) != len(line):
        raise ValueError("the line is no JSON object")
    return found


def _skip(line: str, at: int) -> int:
    while at < len(line) and line[at] in _SPACE:
        at += 1
    return at
