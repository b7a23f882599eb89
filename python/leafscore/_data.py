"""What can be scored, as Arrow data."""

from __future__ import annotations

import os
import sys
from typing import AbstractSet as Set
from typing import Any, Iterable, Iterator, Mapping, Sequence

from . import _core
from ._arrow import is_arrow, pyarrow
from ._errors import Error
from ._paths import open_path
from ._values import to_json, to_texts


def open_data(data: Any, columns: Mapping[str, str | None]) -> Any:
    """Returns data with the Arrow PyCapsule interface.

    Args:
        data: such data, or a path or glob, a dict of columns, a list of records (dicts), or a pair of columns, which
            are then the expected and the actual values.
        columns: the columns that scoring needs, with the formats ("auto", "json" or "text") of those whose values are
            written as JSON; None for the others.
    """
    if isinstance(data, (str, os.PathLike)):
        return open_path(os.fspath(data), columns)
    if is_arrow(data):
        return data
    if isinstance(data, tuple) and len(data) == 2 and not all(isinstance(column, Mapping) for column in data):
        data = dict(zip((name for name, text_format in columns.items() if text_format is not None), data))
    elif isinstance(data, Sequence) and all(isinstance(record, Mapping) for record in data):
        data = {
            name: [_member(record.get(name), text_format) for record in data] for name, text_format in columns.items()
        }
    if isinstance(data, Mapping):
        return _table(data, columns)
    raise TypeError(
        "data to score have the Arrow PyCapsule interface (a table or batch of pyarrow, polars, pandas 2.2, DuckDB), "
        f"or are a path, a dict of columns, a list of dicts, or a pair of lists; not {type(data).__name__}"
    )


def _member(value: Any, text_format: str | None) -> Any:
    """Returns a member of a record: a str is what it would be in a line of JSON, unless a format says otherwise."""
    return to_json(value) if text_format == "auto" and isinstance(value, str) else value


def _table(data: Mapping[str, Any], columns: Mapping[str, str | None]) -> Any:
    missing = [name for name in columns if name not in data]
    if missing:
        raise Error(f"the data have no column {missing[0]!r}, but {', '.join(map(repr, data))}")
    texts: dict[str, list[bytes | str | None]] = {}
    arrays: dict[str, Any] = {}  # for pyarrow
    for name, text_format in columns.items():
        values = data[name]
        check_column(values, repr(name))
        if is_arrow(values):
            arrays[name] = values
        elif text_format is not None:
            texts[name] = to_texts(values, text_format)
        elif all(value is None or isinstance(value, str) for value in values):
            texts[name] = list(values)
        else:
            arrays[name] = values
    if len({len(values) for values in (*texts.values(), *arrays.values())}) > 1:
        raise ValueError("the columns of the data differ in length")
    if not arrays:
        return _core.text_table(list(texts), list(texts.values()))
    pa = pyarrow("a column of other values than texts")
    for name, values in texts.items():
        arrays[name] = pa.array(_core.text_column(values))
    return pa.table({name: _array(pa, arrays[name]) for name in columns})


def check_column(values: Any, name: str) -> None:
    """Raises TypeError for values that no column is made of, though they can be iterated."""
    if is_arrow(values) or (isinstance(values, Iterable) and not isinstance(values, (str, bytes, Mapping, Set))):
        return
    raise TypeError(f"the column {name} is a list or Arrow data, not a value of the type {type(values).__name__}")


def _array(pa: Any, values: Any) -> Any:
    return pa.chunked_array(values) if hasattr(values, "__arrow_c_stream__") else pa.array(values)


def texts_for_groups(data: Any, group_by: Sequence[str]) -> Any:
    """Returns the data with the columns to group by as texts, which they have to be."""
    if not group_by or isinstance(data, _core.Table):
        return data
    try:
        import pyarrow as pa
    except ImportError:
        return data
    reader = reader_of(pa, data)
    target = pa.schema(
        pa.field(field.name, pa.string()) if field.name in group_by and not _is_text(pa, field.type) else field
        for field in reader.schema
    )
    if target == reader.schema:
        return reader
    return pa.RecordBatchReader.from_batches(target, (batch.cast(target) for batch in reader))


class SourceErrors:
    """What readers of batches raise, which an Arrow stream hands on as a text only: as a context it raises that itself
    in place of what came of it."""

    def __init__(self) -> None:
        self._raised: BaseException | None = None

    def watch(self, data: Any) -> Any:
        """Returns the same data."""
        pa = sys.modules.get("pyarrow")
        if pa is None or not isinstance(data, pa.RecordBatchReader):
            return data
        return pa.RecordBatchReader.from_batches(data.schema, self._batches(data))

    def _batches(self, reader: Any) -> Iterator[Any]:
        try:
            yield from reader
        except BaseException as error:
            self._raised = error
            raise

    def __enter__(self) -> SourceErrors:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if error is not None and self._raised is not None:
            raise self._raised from None


def _is_text(pa: Any, kind: Any) -> bool:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def reader_of(pa: Any, data: Any) -> Any:
    """Returns a pyarrow.RecordBatchReader of data with the Arrow PyCapsule interface."""
    if hasattr(data, "__arrow_c_stream__"):
        return pa.RecordBatchReader.from_stream(data)
    batch = pa.record_batch(data)
    return pa.RecordBatchReader.from_batches(batch.schema, [batch])
