"""Tables in files of Parquet, Arrow IPC and Feather, read a few rows at a time by pyarrow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from .errors import ConvertError, need_package

ROWS = 1024  # in memory at a time
BEGINS = (b"PAR1", b"ARROW1", b"FEA1", b"\xff\xff\xff\xff")  # the last one: a stream of Arrow IPC


def looks_like(head: bytes) -> bool:
    """Whether a file that begins like this holds such a table."""
    return head.startswith(BEGINS)


def rows_of(path: Path) -> tuple[Iterator[dict[str, Any]], list[str]]:
    """The rows of a table, and the names of its columns. ERRORS: ConvertError, and those of pyarrow."""
    try:
        import pyarrow
    except ImportError:
        raise need_package("pyarrow", f"reading {path}") from None
    with open(path, "rb") as file:
        head = file.read(8)
    if head.startswith(b"PAR1"):
        from pyarrow import parquet

        table = parquet.ParquetFile(path)
        return _rows(table.iter_batches(ROWS)), _names(path, table.schema_arrow)
    if head.startswith(b"FEA1"):  # the first version of Feather, which cannot be streamed
        from pyarrow import feather

        whole = feather.read_table(path)
        return _rows(whole.to_batches(ROWS)), _names(path, whole.schema)
    mapped = pyarrow.memory_map(str(path))
    if head.startswith(b"ARROW1"):
        opened = pyarrow.ipc.open_file(mapped)
        batches = (opened.get_batch(number) for number in range(opened.num_record_batches))
        return _rows(batches), _names(path, opened.schema)
    stream = pyarrow.ipc.open_stream(mapped)
    return _rows(stream), _names(path, stream.schema)


def _names(path: Path, schema: Any) -> list[str]:
    names: list[str] = schema.names
    if twice := {name for name in names if names.count(name) > 1}:
        raise ConvertError(f"{path} has the column {min(twice)} twice: rename one")
    return names


def _rows(batches: Iterable[Any]) -> Iterator[dict[str, Any]]:
    for batch in batches:
        for begin in range(0, batch.num_rows, ROWS):
            yield from batch.slice(begin, ROWS).to_pylist()
