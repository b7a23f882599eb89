"""Hugging Face datasets: folders of `save_to_disk`, through the package `datasets`; and tables in files (arrow_tables.py).

Its columns may be named anything, so the paths of id, expected and actual are asked for where they are not these names.
A table with two of these columns holds records, and all its columns become members.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from . import arrow_tables
from .counts import Counts
from .errors import ConvertError, need_package
from .inputs import Input
from .json_text import as_text
from .outputs import is_direct, whole_path
from .records import OWN, looks_like as looks_like_records, marks_of, scorer_of
from .samples import MISSING, Options, Sample, given

NAME = "hf"
ABOUT = "Parquet, Arrow IPC, Feather (needs pyarrow), or a folder of Hugging Face's save_to_disk (needs datasets)"
IDS = "the column id, or another of --id"
OUTPUT = "table.parquet, or the name of a new folder for load_from_disk"
MARKS = ("dataset_dict.json", "state.json")


def looks_like(keys: set[str]) -> bool:
    return False  # not JSON


def is_saved_dataset(path: Path) -> bool:
    return any((path / mark).is_file() for mark in MARKS)


def package() -> Any:
    try:
        import datasets
    except ImportError:
        raise need_package("datasets", "the format hf") from None
    datasets.disable_progress_bars()
    return datasets


def read(source: Input, options: Options, counts: Counts) -> Iterator[Sample]:
    try:
        rows, columns = _rows(source, options)
        _check_columns(source, columns, options)
        holds_records = looks_like_records(set(columns))
        for number, row in enumerate(rows):
            if "id" not in row and not options.id_field:
                counts.add("no_id")
            yield Sample(
                row.get("id", f"{source.stem}:{number}"),
                expected=_present(row.get("expected")),
                actual=_present(row.get("actual")),
                model=_text(row.get("model")),
                task=_text(row.get("task")),
                error=_text(row.get("error")),
                extra=_others(row) if holds_records else {},
                source=given(row),
                scores=marks_of(row),
                family=scorer_of(row),
                named="id" in row,
            )
    except ConvertError:
        raise
    except Exception as error:  # any exception: from the packages, or the file system
        first = (str(error) or type(error).__name__).splitlines()[0]
        raise ConvertError(f"{source.name} cannot be read: {first}") from error


def _others(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in OWN and value is not None}


def _present(value: Any) -> Any:
    """A table has null where a row has nothing."""
    return MISSING if value is None else value


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _rows(source: Input, options: Options) -> tuple[Iterable[dict[str, Any]], list[str]]:
    """The rows, with few in memory at a time."""
    if not source.path.is_dir():
        return arrow_tables.rows_of(source.path)
    datasets = package()
    table = datasets.load_from_disk(str(source.path))
    if isinstance(table, datasets.DatasetDict):
        splits = ", ".join(table)
        if options.split is None and len(table) == 1:
            table = next(iter(table.values()))
        elif options.split not in table:
            raise ConvertError(f"{source.name} has the splits {splits}: choose one with --split")
        else:
            table = table[options.split]
    return table, table.column_names


def _check_columns(source: Input, columns: list[str], options: Options) -> None:
    """Refuses a table from which nothing would be scored."""
    named = options.expected_field or options.actual_field
    if not {"expected", "actual"} & set(columns) and not named and not options.for_scores:
        names = ", ".join(columns)
        raise ConvertError(
            f"{source.name} has no column expected: name one with --expected-field, of {names}"
        )


def write(records: Iterable[dict[str, Any]], output: str, counts: Counts) -> None:
    """A table with the columns id, expected, actual, error, model and task, all of texts; rows go to disk as they come."""
    if is_direct(output):
        raise ConvertError(f"a dataset cannot be written to {output}: name a new file")
    datasets = package()
    names = ("id", "expected", "actual", "error", "model", "task")
    features = datasets.Features({name: datasets.Value("large_string") for name in names})
    is_file = Path(output).suffix == ".parquet"
    if not is_file and Path(output).suffix:
        raise ConvertError(f"a dataset is a file that ends in .parquet, or a new folder; {output} is neither")
    with whole_path(output, folder=not is_file) as partial:
        from datasets.arrow_writer import ArrowWriter

        cache = partial.with_name(partial.name + ".arrow")
        try:
            with ArrowWriter(features=features, path=str(cache)) as rows:
                for record in records:
                    rows.write(_row(record, names, counts))
                rows.finalize()
            table = datasets.Dataset.from_file(str(cache))
            table.to_parquet(str(partial)) if is_file else table.save_to_disk(str(partial))
        finally:
            cache.unlink(missing_ok=True)


def _row(record: dict[str, Any], names: tuple[str, ...], counts: Counts) -> dict[str, str | None]:
    if set(record) - set(names):
        counts.add("not_written")
    for name in ("expected", "actual"):
        if name in record and not isinstance(record[name], str):
            counts.add("as_json")
    return {name: as_text(record[name], counts.add) if name in record else None for name in names}
