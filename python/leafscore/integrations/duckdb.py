"""A function of DuckDB for each scorer.

>>> import duckdb
>>> from leafscore.integrations.duckdb import create_function
>>> connection = duckdb.connect()
>>> create_function(connection, "json_similarity")
'json_similarity'
>>> connection.sql('''SELECT json_similarity('{"a": 1, "b": 2}', '{"a": 1}').score''').fetchall()
[(0.5,)]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import leafscore
from leafscore._arrow import require
from leafscore._plan import as_plan

if TYPE_CHECKING:
    from leafscore import Plan, Scorer


def create_function(
    connection: Any, scorer: Scorer | Plan, name: str | None = None, **options: Any
) -> str:
    """Adds a function of two texts, the expected and the actual value, to a connection.

    It gives a struct, as each scorer has one in `leafscore.Scores`: outcome, score, passed, its metrics, reason and
    message. A pair without a score has a null there, which DuckDB's avg leaves out: where what was asked counts, take
    avg(coalesce(NAME(expected, actual).score, 0)).

    Args:
        connection: a duckdb.DuckDBPyConnection.
        scorer: a scorer, or a plan of one.
        name: the name of the function; None: the scorer's.
        options: those of `leafscore.score` about texts, limits and judges, as parse_texts="always".

    Returns:
        The name of the function.

    Raises:
        Error: for scorers and options that are wrong.
        ImportError: without duckdb and pyarrow.
    """
    duckdb, pa = require("a function of DuckDB", "duckdb", "pyarrow")
    plan = as_plan(scorer)
    if len(plan.scorer_names) != 1:
        raise leafscore.Error(f"a function has one scorer, not {', '.join(plan.scorer_names)}: make one for each")
    [column] = plan.scorer_names

    def score(expected: Any, actual: Any) -> Any:
        table = pa.table({"expected": expected, "actual": actual})
        return plan.score(table, **options).to_arrow().column(column).combine_chunks()

    empty = pa.array([], pa.string())
    result = score(empty, empty).type
    kinds = {pa.string(): "VARCHAR", pa.float64(): "DOUBLE", pa.bool_(): "BOOLEAN"}

    def kind_of(member: Any) -> str:
        return f"{kind_of(member.value_type)}[]" if pa.types.is_list(member) else kinds[member]

    fields = {field.name: duckdb.dtype(kind_of(field.type)) for field in result}
    texts = [duckdb.dtype("VARCHAR")] * 2
    how: dict[str, Any] = {"type": "arrow", "null_handling": "special"}
    connection.create_function(name or column, score, texts, duckdb.struct_type(fields), **how)
    return name or column
