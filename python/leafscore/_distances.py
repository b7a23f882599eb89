"""Distances of the texts of two columns."""

from __future__ import annotations

import operator
from typing import Any, Sequence, SupportsIndex

from . import _core
from ._arrow import is_arrow, pyarrow
from ._data import check_column


class Column:
    """Numbers, one for each row; null where either text is. Arrow's consumers take it."""

    def __init__(self, column: _core.Column) -> None:
        self._column = column

    def __len__(self) -> int:
        return len(self._column)

    def __arrow_c_schema__(self) -> object:
        return self._column.__arrow_c_schema__()

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        return self._column.__arrow_c_array__(requested_schema)

    def to_list(self) -> list[Any]:
        """Returns the numbers, None for a null."""
        return self._column.to_list()

    def to_arrow(self) -> Any:
        """Returns a pyarrow.Array."""
        return pyarrow("to_arrow").array(self)

    def to_numpy(self) -> Any:
        """Returns a numpy.ndarray, in which a null is NaN."""
        return self.to_arrow().to_numpy(zero_copy_only=False)

    def __repr__(self) -> str:
        return f"<Column of {len(self):,} numbers>"


def _texts(column: Any, name: str) -> Any:
    check_column(column, name)
    if is_arrow(column):
        return column
    texts = list(column)
    for row, text in enumerate(texts):
        if not (text is None or isinstance(text, (str, bytes))):
            raise TypeError(f"the column {name} holds str, bytes and None, and its row {row} is {text!r:.50}")
    return _core.text_column(texts)


def _threads(threads: int | None) -> int:
    if threads is None:
        return 0
    if operator.index(threads) < 0:
        raise ValueError("threads is 1 or more, or None for all")
    return operator.index(threads)


def levenshtein(
    left: Sequence[str | None] | Any,
    right: Sequence[str | None] | Any,
    cutoff: int | None = None,
    threads: int | None = 1,
) -> Column:
    """Computes the Levenshtein distances of the texts in two columns, row by row, in code points.

    >>> levenshtein(["kitten", "Oslo", None], ["sitting", "Oslo", "x"]).to_list()
    [3, 0, None]

    Args:
        left, right: lists of texts, or Arrow arrays of them (of pyarrow, polars or pandas).
        cutoff: every larger distance counts as cutoff + 1, which takes less time.
        threads: how many; None: as many as the process may use.

    Raises:
        Error: for columns of different lengths, and for texts that are not UTF-8.
    """
    if cutoff is not None:
        if not isinstance(cutoff, SupportsIndex):
            raise TypeError(f"cutoff is a whole number, or None, not {cutoff!r}")
        cutoff = operator.index(cutoff)
        if cutoff < 0:
            raise ValueError("cutoff is 0 or more, or None")
    return Column(_core.levenshtein(_texts(left, "left"), _texts(right, "right"), cutoff, _threads(threads)))


def jaro_winkler(
    left: Sequence[str | None] | Any, right: Sequence[str | None] | Any, threads: int | None = 1
) -> Column:
    """Computes the Jaro-Winkler similarities, from 0 to 1, of the texts in two columns, row by row.

    >>> [round(similarity, 4) for similarity in jaro_winkler(["MARTHA"], ["MARHTA"]).to_list()]
    [0.9611]

    Args and errors are those of `levenshtein`.
    """
    return Column(_core.jaro_winkler(_texts(left, "left"), _texts(right, "right"), _threads(threads)))
