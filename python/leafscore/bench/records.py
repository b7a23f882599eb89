"""The records that all contestants get: a random choice of what the data hold, in random order."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .._errors import Error
from .._paths import members, open_path
from .._values import to_json
from ..convert.errors import ConvertError
from ..convert.inputs import Input

TABLES = (".parquet", ".pq", ".arrow", ".ipc", ".feather", ".csv", ".csv.gz")
SHOWN_REJECTS = 3


@dataclass(frozen=True)
class Record:
    """A pair of JSON texts. `place` tells records apart, as ids may repeat."""

    id: str
    place: str
    expected: str
    actual: str

    @property
    def size(self) -> int:
        """The bytes of both texts."""
        return len(self.expected.encode("utf-8", "surrogatepass")) + len(self.actual.encode("utf-8", "surrogatepass"))


@dataclass
class Data:
    """The records read from `name`: `seen` have both values, and `records` were chosen from them."""

    name: str
    records: list[Record] = field(default_factory=list)
    seen: int = 0
    incomplete: int = 0  # without one of the two values
    rejected: int = 0
    rejects: list[str] = field(default_factory=list)  # what is wrong with the first of these


@dataclass(frozen=True)
class Fields:
    """The names of the members, or columns."""

    id: str = "id"
    expected: str = "expected"
    actual: str = "actual"


def read_data(name: str, fields: Fields, limit: int, seed: int) -> Data:
    """Reads JSON Lines, packed or not, standard input, or a table. ERRORS: Error where nothing can be measured.

    Memory holds only the chosen records, which are a random sample of all (Vitter's algorithm R), shuffled, so that any
    first part of them is one, too.
    """
    data = Data(name)
    chance = random.Random(seed)
    for record in _read(name, fields, data):
        data.seen += 1
        if len(data.records) < limit:
            data.records.append(record)
        elif (place := chance.randrange(data.seen)) < limit:
            data.records[place] = record
    chance.shuffle(data.records)
    if not data.records:
        raise Error(_nothing(data, fields), "input")
    return data


def _nothing(data: Data, fields: Fields) -> str:
    found = f"{data.name} holds no record with both {fields.expected!r} and {fields.actual!r}"
    if data.incomplete:
        found += f"; {data.incomplete:,} lack one of them (--expected-field, --actual-field)"
    if data.rejected:
        found += f"; {data.rejected:,} lines cannot be read, as in {data.rejects[0]}"
    return found


def _read(name: str, fields: Fields, data: Data) -> Iterator[Record]:
    columns = {fields.id: None, fields.expected: "json", fields.actual: "json"}
    rows = _rows(name, columns) if name.lower().endswith(TABLES) else _lines(name, columns, data)
    for number, row in rows:
        expected, actual = row.get(fields.expected), row.get(fields.actual)
        if expected is None or actual is None:
            data.incomplete += 1
            continue
        yield Record(str(row.get(fields.id) or number), f"record {number}", expected, actual)


def _rows(name: str, columns: dict[str, str | None]) -> Iterator[tuple[int, dict[str, Any]]]:
    number = 0
    for batch in open_path(name, columns):
        for row in batch.to_pylist():
            number += 1
            yield number, {key: _text(value) for key, value in row.items()}


def _text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else to_json(value).decode()


def _lines(name: str, columns: dict[str, str | None], data: Data) -> Iterator[tuple[int, dict[str, str | None]]]:
    try:
        with Input(name).open() as file:
            for number, line in enumerate(file, 1):
                if not line.strip():
                    continue
                try:
                    row = members(line.decode("utf-8-sig"), columns)
                except (ValueError, RecursionError) as error:
                    data.rejected += 1
                    if len(data.rejects) < SHOWN_REJECTS:
                        data.rejects.append(f"{name}:{number}: {_reason(error)}")
                    continue
                yield number, row
    except ConvertError as error:
        raise Error(str(error), "input") from None
    except OSError as error:
        raise Error(f"{name} cannot be read: {error.strerror or error}", "input") from error


def _reason(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"it is not UTF-8 at byte {error.start}"
    return "it nests too deep" if isinstance(error, RecursionError) else str(error)
