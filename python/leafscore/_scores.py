"""Results: all of them, or batch by batch."""

from __future__ import annotations

import itertools
import json
import operator
import os
from typing import TYPE_CHECKING, Any, BinaryIO, Callable, Iterator, Mapping, Protocol, SupportsIndex, overload

from . import _core
from ._arrow import pyarrow, require
from ._data import SourceErrors, open_data, with_texts
from ._digest import counted, digest, figure_rows, notes
from ._errors import Error
from ._explain import Explanation, explain_row
from ._options import ScoreOptions, stream_options
from ._summary import Summary

if TYPE_CHECKING:
    from typing_extensions import Unpack

_OUTCOMES = ("outcome", "reason")  # what dictionaries shorten
_ROWS_SHOWN = 5


class ScoringPlan(Protocol):
    """The `Plan` that results came from."""

    @property
    def scorer_names(self) -> list[str]: ...

    @property
    def record_fields(self) -> list[str]: ...

    def config(self) -> str: ...

    def score(self, data: Any, **options: Unpack[ScoreOptions]) -> Scores: ...


def open_scores(plan: ScoringPlan, engine: _core.Engine, data: Any, options: dict[str, Any]) -> ScoreStream:
    """Begins to score data. `options` went through `checked`."""
    gold = options.get("gold")
    columns = _columns(plan, options)

    def is_optional(column: str) -> bool:
        return _is_optional(column, plan, options)

    source = open_data(data, columns, is_optional)
    errors = SourceErrors()
    if gold is not None:
        of_gold = {options["id"]: "name", options["expected"]: options["expected_format"]}
        gold = errors.watch(with_texts(open_data(gold, of_gold, is_optional), of_gold, ()))
    with errors:
        rows = errors.watch(with_texts(source, columns, options["group_by"]))
        stream = _core.Stream(engine, rows, stream_options(options), gold)
    return ScoreStream(plan, stream, source, errors, options)


def _columns(plan: ScoringPlan, options: Mapping[str, Any]) -> dict[str, str | None]:
    """Returns the columns that data to score have, with their formats, as `open_data` takes them."""
    columns: dict[str, str | None] = {}
    if options.get("gold") is not None:
        columns[options["id"]] = "name"
    elif options["expected"] == options["actual"]:
        raise Error(f"expected and actual are one column, {options['actual']!r}, so that every answer would be right")
    else:
        columns[options["expected"]] = options["expected_format"]
    columns[options["actual"]] = options["actual_format"]
    if options.get("calls"):
        columns.setdefault(options["calls"], "auto")
    others = (*options["keep"], *options["group_by"])
    for name in plan.record_fields:
        columns.setdefault(name, "name" if name in others else "auto")
    for name in others:
        columns.setdefault(name, None)
    return columns


def _is_optional(column: str, plan: ScoringPlan, options: Mapping[str, Any]) -> bool:
    """Tells whether no record need have a column, as the command does without its field."""
    if column == options["actual"]:
        return bool(options.get("calls"))
    if column in plan.record_fields:
        return column != options["expected"] and column not in (*options["keep"], *options["group_by"])
    needs_none = ("default_expected", "search_text", "code_judge", "json_schema")
    return column == options["expected"] and any(word in plan.config() for word in needs_none)


def _progress(wanted: Any) -> tuple[Callable[[int], object] | None, Callable[[], object]]:
    """Returns what to tell the number of records, and what to call at the end."""
    if not wanted:
        return None, lambda: None
    if callable(wanted):
        return wanted, lambda: None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return lambda records: print(f"\r{records:,} records", end="", flush=True), print
    bar = tqdm(unit=" records", unit_scale=True)
    return lambda records: bar.update(records - bar.n), bar.close


def _new_file_beside(path: str) -> BinaryIO:
    """Opens a new file to write to, with a name that says which file it is a part of."""
    for number in itertools.count(1):
        try:
            return open(f"{path}.partial" if number == 1 else f"{path}.partial-{number}", "xb")
        except FileExistsError:
            continue
    raise AssertionError("numbers do not end")


class ScoreStream:
    """Results batch by batch, each scored when it is asked for. Iterating gives pyarrow.RecordBatch.

    The columns are those kept, then for each scorer a struct with its name: outcome (string), score (double), passed
    (bool), each metric (double), reason and message (string), causes (a list of strings: what is wrong with an answer that
    earned less than half), and with details="leaves" the list `leaves`.
    """

    def __init__(
        self, plan: ScoringPlan, stream: _core.Stream, source: Any, errors: SourceErrors, options: dict[str, Any]
    ) -> None:
        self.plan = plan
        self._stream = stream
        self._source = source
        self._errors = errors
        self._options = options

    @property
    def schema(self) -> Any:
        """The pyarrow.Schema of the results."""
        return pyarrow("a schema").schema(self._stream.empty())

    def __iter__(self) -> Iterator[Any]:
        pa = pyarrow("a batch of results")
        tell, end = _progress(self._options.get("progress"))
        try:
            while (table := self._next(tell)) is not None:
                yield from pa.RecordBatchReader.from_stream(table)
        finally:
            end()

    def _next(self, tell: Callable[[int], object] | None) -> _core.Table | None:
        with self._errors:
            return self._stream.next(tell)

    def reader(self) -> Any:
        """Returns the results as a pyarrow.RecordBatchReader."""
        return pyarrow("a reader of results").RecordBatchReader.from_batches(self.schema, iter(self))

    def __arrow_c_schema__(self) -> object:
        return self._stream.empty().__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.reader().__arrow_c_stream__(requested_schema)

    def write_parquet(self, path: str | os.PathLike[str], **options: Any) -> dict[str, Any]:
        """Writes the results to a Parquet file in bounded memory. The file gets its name when it is complete; one
        that does not get so far leaves nothing.

        Args:
            path: a file, or a name for one.
            options: of pyarrow.parquet.ParquetWriter, as compression="zstd".

        Returns:
            The report.
        """
        pyarrow("a Parquet file")
        from pyarrow import parquet

        target = os.fspath(path)
        if os.path.exists(target) and not os.path.isfile(target):
            raise Error(f"{target} is no regular file, so Parquet is not written there", "output")
        with _new_file_beside(target) as file:
            try:
                with parquet.ParquetWriter(file, self.schema, **options) as writer:
                    for batch in self:
                        writer.write_batch(batch)
                os.replace(file.name, target)
            except BaseException:
                os.unlink(file.name)
                raise
        return self.report()

    def read_all(self) -> Scores:
        """Scores what is left, and returns its results."""
        tell, end = _progress(self._options.get("progress"))
        try:
            with self._errors:
                table = self._stream.rest(tell)
        finally:
            end()
        return Scores(self.plan, table, self._stream, self._source, self._options)

    def __repr__(self) -> str:
        return f"<ScoreStream of {', '.join(self.plan.scorer_names)}: iterate over its batches, or read_all()>"

    def report(self) -> dict[str, Any]:
        """Returns the figures of the batches taken so far, as the command's --summary writes them."""
        report: dict[str, Any] = json.loads(self._stream.report())
        return report


class Scores:
    """The results of all rows, in their order. pyarrow, polars, pandas and DuckDB take them as Arrow data.

    Their columns are those of a `ScoreStream`. Rows are dicts: iterating gives one after the other, and an index gives one.

    >>> from leafscore import score
    >>> scores = score([{"id": "a", "expected": {"n": 1, "m": 2}, "actual": {"n": 1}}], "json_similarity", keep="id")
    >>> for row in scores:
    ...     print(row["id"], row["json_similarity"]["score"])
    a 0.5
    >>> print(scores)
    1 record
                       mean  scored
    json_similarity  0.5000  1 of 1
    """

    def __init__(
        self, plan: ScoringPlan, table: _core.Table, stream: _core.Stream, source: Any, options: Mapping[str, Any]
    ) -> None:
        self.plan = plan
        self._table = table
        self._stream = stream
        self._source = source
        self._options = options

    def __len__(self) -> int:
        return len(self._table)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return map(self._table.row, range(len(self)))

    @overload
    def __getitem__(self, index: int) -> dict[str, Any]: ...

    @overload
    def __getitem__(self, index: slice) -> list[dict[str, Any]]: ...

    def __getitem__(self, index: int | slice) -> dict[str, Any] | list[dict[str, Any]]:
        if isinstance(index, slice):
            return [self._table.row(row) for row in range(*index.indices(len(self)))]
        if not isinstance(index, SupportsIndex):
            raise TypeError(f"rows have numbers, from 0, and {index!r} is none; explain takes an id, too")
        row = operator.index(index)
        if not -len(self) <= row < len(self):
            raise IndexError(f"there is no row {row} among {len(self):,}")
        return self._table.row(row + len(self) if row < 0 else row)

    def __arrow_c_schema__(self) -> object:
        return self._table.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)

    def to_arrow(self, *, flat: bool = False, outcomes: str = "text") -> Any:
        """Returns a pyarrow.Table.

        Args:
            flat: columns as `json_similarity.score` in place of a struct for each scorer.
            outcomes: "text", or "dictionary" for outcomes and reasons as dictionaries, which take less memory.
        """
        pa = pyarrow("to_arrow")
        table = pa.table(self)
        if outcomes == "dictionary":
            table = _with_dictionaries(pa, table, self.plan.scorer_names)
        elif outcomes != "text":
            raise ValueError("outcomes is one of: text, dictionary")
        return table.flatten() if flat else table

    def to_polars(self, *, flat: bool = False) -> Any:
        """Returns a polars.DataFrame; `flat` as in `to_arrow`."""
        (polars,) = require("to_polars", "polars")
        return polars.DataFrame(self.to_arrow(flat=True) if flat else self)

    def to_pandas(self, *, flat: bool = True) -> Any:
        """Returns a pandas.DataFrame; `flat` as in `to_arrow`."""
        require("to_pandas", "pandas", "pyarrow")
        return self.to_arrow(flat=flat).to_pandas()

    def report(self) -> dict[str, Any]:
        """Returns the figures over all records and groups, as the command's --summary writes them."""
        report: dict[str, Any] = json.loads(self._stream.report())
        return report

    def summary(self, by: str | None = None) -> Summary:
        """Returns the main figures of each scorer, over all rows or for each value of a kept column.

        Summaries of parts of the rows merge exactly to the summary of all.
        """
        summary = Summary(self.plan.scorer_names, by)
        summary.add(self)
        return summary

    def explain(self, which: str | int, scorer: str | None = None) -> Explanation:
        """Returns how the scores of a row came about, for people.

        Args:
            which: the row's number, from 0, or the text in its column `id` (the option `id`).
            scorer: the name of one scorer; None: all.

        Raises:
            KeyError: when no row has this id.
            TypeError: when the data were a stream, which can be read only once.
        """
        return explain_row(self.plan.score, self._source, self._options, which, scorer)

    def __repr__(self) -> str:
        return digest(len(self), self.report())

    def _repr_html_(self) -> str:
        from . import _html  # here, as most programs show nothing

        report = self.report()
        parts = [_html.paragraph(counted(len(self))), _html.figures_table(figure_rows(report))]
        parts += [_html.paragraph(note, "note") for note in notes(report)]
        if len(self) > 0:
            parts += [_html.paragraph("The first rows:", "note"), _html.table(self._first_rows())]
        return _html.view(*parts)

    def _first_rows(self) -> list[list[str]]:
        """Returns a table of the columns kept and what became of each scorer."""
        scorers = self.plan.scorer_names
        try:
            rows = self[:_ROWS_SHOWN]
        except TypeError:  # for a kept column of an odd type, which pyarrow shows
            rows = pyarrow("to show rows").table(self).slice(0, _ROWS_SHOWN).to_pylist()
        table = [["row", *rows[0]]]
        for number, row in enumerate(rows):
            table.append([str(number), *(_outcome(row[name]) if name in scorers else str(row[name]) for name in row)])
        return table


def _outcome(result: Mapping[str, Any]) -> str:
    """Returns a score and its verdict, or why there is none."""
    if result["score"] is None:
        return f"{result['outcome']}: {result['reason']}" if result["reason"] else str(result["outcome"])
    verdict = {True: ", passed", False: ", failed", None: ""}[result["passed"]]
    return f"{result['score']:.4f}{verdict}"


def _with_dictionaries(pa: Any, table: Any, scorers: list[str]) -> Any:
    for scorer in scorers:
        index = table.schema.get_field_index(scorer)
        kind = table.schema.field(index).type
        fields = [
            pa.field(field.name, pa.dictionary(pa.int32(), pa.string()), field.nullable) if field.name in _OUTCOMES else field
            for field in kind
        ]
        chunks = [
            pa.StructArray.from_arrays(
                [chunk.field(i).cast(field.type) for i, field in enumerate(fields)], fields=fields
            )
            for chunk in table.column(index).chunks
        ]
        table = table.set_column(index, scorer, pa.chunked_array(chunks, pa.struct(fields)))
    return table
