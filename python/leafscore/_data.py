"""Data to score, as Arrow data."""

from __future__ import annotations

import dataclasses
import io
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set  # sooner told from others than typing's
from typing import Any

from . import _core
from ._arrow import is_arrow, pyarrow
from ._errors import Error, a_kind, no_column
from ._paths import IsOptional, open_path
from ._values import to_texts

Formats = Mapping[str, "str | None"]

_KINDS = (
    "a table, batch or reader with the Arrow PyCapsule interface (pyarrow, polars, pandas, DuckDB), the path or glob of "
    "files, a dict of columns, a list of records (dicts) or of pairs (expected, actual), or a pair of lists"
)


def open_data(data: Any, columns: Formats, is_optional: IsOptional = lambda column: False) -> Any:
    """Returns data with the Arrow PyCapsule interface.

    Args:
        data: such data, or a path or glob, a dict of columns, records (dicts, data classes or models of pydantic) or
            pairs (tuples of an expected and an actual value) in a list or iterator, or a tuple of two columns, which
            are then the expected and the actual values.
        columns: the columns that scoring needs, with the formats ("auto", "json" or "text") of those whose values are
            written as JSON; "name" for ids, which are texts; None for the others.
        is_optional: tells whether no record need have a column.

    Raises:
        Error: for a column that is not there.
        TypeError, ValueError: in a sentence, for other data.
    """
    if isinstance(data, (str, os.PathLike)):
        return open_path(_path(data), columns, is_optional)
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(data, pandas.DataFrame):
        of_pandas = {name: _of_pandas(pandas, data[name]) for name in columns if name in data}
        return _table(of_pandas, columns, is_optional, data)
    if is_arrow(data):
        return data
    if isinstance(data, tuple) and len(data) == 2 and not any(map(_is_record, data)):
        data = dict(zip(_sides(columns), data))
    if isinstance(data, Mapping):
        return _table(data, columns, is_optional)
    return _table_of_records(_records(data, columns), columns, is_optional)


def _path(data: str | os.PathLike[str]) -> str:
    path = os.fspath(data)
    if not path or path.lstrip()[:1] in ("{", "[") or "\n" in path:
        text = "empty" if not path else "no path but a text of data: parse it first, as by json.loads"
        raise Error(f"the path of the data is {text}")
    return path


def _sides(columns: Formats) -> list[str]:
    """Returns the names of the two columns that pairs have."""
    names = [name for name, text_format in columns.items() if text_format not in (None, "name")]
    if "name" in columns.values():
        raise TypeError("pairs have no id to find their gold by: give records with an id and an actual value")
    return names[:2]


def _of_pandas(pandas: Any, column: Any) -> Any:
    """Returns a column of a data frame: values of Python as they are, as Arrow would mix up the keys of their dicts."""
    if not isinstance(column, pandas.Series):
        raise Error(f"the data frame has several columns {column.columns[0]!r}")
    if column.dtype != object:
        return column
    return [None if missing is True else value for value, missing in zip(column, map(pandas.isna, column))]


def _is_record(value: Any) -> bool:
    return not isinstance(value, type) and (
        isinstance(value, Mapping)
        or hasattr(value, "_asdict")
        or hasattr(value, "model_dump")
        or dataclasses.is_dataclass(value)
    )


def _records(data: Any, columns: Formats) -> list[Mapping[str, Any]]:
    if isinstance(data, io.IOBase):
        raise TypeError("the data are an open file: give its path")
    if not isinstance(data, Iterable) or isinstance(data, (bytes, bytearray)):
        raise TypeError(f"data to score are {_KINDS}; not {a_kind(data)}")
    rows = list(data)
    kinds = set(map(type, rows))
    if kinds <= {dict}:
        return rows
    if kinds == {tuple} and set(map(len, rows)) == {2}:
        sides = _sides(columns)
        return [dict(zip(sides, row)) for row in rows]
    return [_record(row, number) for number, row in enumerate(rows)]


def _record(row: Any, number: int) -> Mapping[str, Any]:
    if isinstance(row, Mapping):
        return row
    if not _is_record(row):
        hint = ""
        if isinstance(row, str):
            hint = ": columns of texts are {'expected': [...], 'actual': [...]}, and several files a glob"
        elif isinstance(row, list):
            hint = ": a pair of columns is a tuple of two lists, and so is each pair of values a tuple"
        elif isinstance(row, tuple):
            hint = f" of {len(row)}"
        raise TypeError(f"row {number} of the data is {a_kind(row)}{hint}; rows are records (dicts) or tuples of two")
    if hasattr(row, "_asdict"):
        return dict(row._asdict())
    return dict(row) if hasattr(row, "model_dump") else {m.name: getattr(row, m.name) for m in dataclasses.fields(row)}


def _table_of_records(records: list[Mapping[str, Any]], columns: Formats, is_optional: IsOptional) -> Any:
    data = {name: [record.get(name) for record in records] for name in columns}
    for name, values in data.items():
        is_absent = records and values[0] is None and not any(name in record for record in records)
        if is_absent and not is_optional(name):
            raise no_column("no record has", name, list(dict.fromkeys(key for record in records for key in record)))
    return _table(data, columns, is_optional, are_records=True)


def _table(
    data: Mapping[str, Any],
    columns: Formats,
    is_optional: IsOptional,
    names: Iterable[Any] | None = None,
    are_records: bool = False,
) -> Any:
    """Makes a table of columns.

    Args:
        names: of the columns that there are; None: those of `data`.
        are_records: whether a str is the string that it is in a line of JSON, unless a format says otherwise.
    """
    missing = [name for name in columns if name not in data and not is_optional(name)]
    if missing:
        raise no_column("the data have", missing[0], list(data if names is None else names))
    columns = {name: text_format for name, text_format in columns.items() if name in data}
    texts: dict[str, list[bytes | str | None]] = {}
    arrays: dict[str, Any] = {}  # for pyarrow
    for name, text_format in columns.items():
        values = data[name]
        check_column(values, repr(name))
        if is_arrow(values):
            arrays[name] = values
            continue
        values = values if isinstance(values, list) else list(values)
        if text_format is not None:
            texts[name] = to_texts(values, name, text_format, strings_are_values=are_records and text_format == "auto")
        elif set(map(type, values)) <= {str, type(None)}:
            texts[name] = values
        else:
            arrays[name] = values
    _check_lengths({name: len(values) for name, values in (*texts.items(), *arrays.items())})
    if not arrays:
        return _core.text_table(list(texts), list(texts.values()))
    pa = pyarrow("a column of other values than texts")
    for name, values in texts.items():
        arrays[name] = pa.array(_core.text_column(values))
    return pa.table({name: _array(pa, name, arrays[name]) for name in columns})


def _check_lengths(lengths: Mapping[str, int]) -> None:
    if len(set(lengths.values())) > 1:
        each = ", ".join(f"{name!r} has {length:,}" for name, length in lengths.items())
        raise ValueError(f"the columns of the data differ in length: {each}")


def check_column(values: Any, name: str) -> None:
    """Raises TypeError for values that no column is made of, though they can be iterated."""
    if is_arrow(values) or (isinstance(values, Iterable) and not isinstance(values, (str, bytes, Mapping, Set))):
        return
    hint = "" if isinstance(values, Set) else "; one value is a list of one"
    raise TypeError(f"the column {name} is a list or Arrow data, not a value of the type {type(values).__name__}{hint}")


def _array(pa: Any, name: str, values: Any) -> Any:
    """Returns a column of pyarrow: of texts where values are of several types, or of one that Arrow does not know."""
    if hasattr(values, "__arrow_c_stream__"):
        return pa.chunked_array(values)
    try:
        return pa.array(values)
    except (pa.ArrowException, OverflowError):
        return pa.array(_core.text_column(to_texts(values, name, "name")))


def with_texts(data: Any, columns: Formats, group_by: Sequence[str]) -> Any:
    """Returns the data with texts in all columns that have to be: values to score as JSON, ids and groups as names."""
    if isinstance(data, _core.Table):
        return data
    try:
        import pyarrow as pa
    except ImportError:
        return data
    formats = {name: text_format for name, text_format in columns.items() if text_format is not None}
    formats.update((name, "name") for name in group_by if name not in formats)
    schema = data.schema if isinstance(data, (pa.Table, pa.RecordBatch, pa.RecordBatchReader)) else _schema_of(pa, data)
    if schema is not None and not any(f.name in formats and not _is_text(pa, f.type) for f in schema):
        return data
    try:
        reader = reader_of(pa, data)
    except (pa.ArrowException, TypeError, ValueError):  # of no Arrow data, about which the engine has a sentence
        return data
    wanted = {f.name: formats[f.name] for f in reader.schema if f.name in formats and not _is_text(pa, f.type)}
    target = pa.schema(pa.field(f.name, pa.large_string()) if f.name in wanted else f for f in reader.schema)
    return pa.RecordBatchReader.from_batches(target, _batches_of_texts(pa, reader, target, wanted))


def _schema_of(pa: Any, data: Any) -> Any:
    return pa.schema(data) if hasattr(data, "__arrow_c_schema__") else None


def _batches_of_texts(pa: Any, reader: Any, target: Any, wanted: Formats) -> Iterator[Any]:
    for batch in reader:
        arrays = [
            _texts_of(pa, name, array, wanted[name]) if name in wanted else array
            for name, array in zip(batch.schema.names, batch.columns)
        ]
        yield pa.RecordBatch.from_arrays(arrays, schema=target)


def _texts_of(pa: Any, name: str, array: Any, text_format: str | None) -> Any:
    if text_format == "name":
        try:
            return array.cast(pa.large_string())
        except pa.ArrowException:  # of an object or array, whose name is its JSON
            pass
    return pa.array(_core.text_column(to_texts(array.to_pylist(), name, text_format or "auto")))


class SourceErrors:
    """Keeps the error that a reader of batches raises. An Arrow stream hands on only its text, so this context raises the
    error itself instead."""

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
    """Tells whether the engine reads a column of this type as texts."""
    if isinstance(kind, pa.BaseExtensionType):
        kind = kind.storage_type
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    types = pa.types
    tests = (types.is_string, types.is_large_string, types.is_string_view, types.is_binary, types.is_large_binary)
    return any(test(kind) for test in (*tests, types.is_null))


def reader_of(pa: Any, data: Any) -> Any:
    """Returns a pyarrow.RecordBatchReader of data with the Arrow PyCapsule interface."""
    if hasattr(data, "__arrow_c_stream__"):
        return pa.RecordBatchReader.from_stream(data)
    batch = pa.record_batch(data)
    return pa.RecordBatchReader.from_batches(batch.schema, [batch])
