"""The options of scoring, which all calls share."""

from __future__ import annotations

from typing import Any, Callable, Iterable, Mapping, Sequence, TypedDict, Union

from ._errors import nearest
from ._judges import Judges

#: A scorer: its type, or a dict of its `type`, its `name` and its options.
Scorer = Union[str, Mapping[str, Any]]


class PairOptions(TypedDict, total=False):
    """Options of `score_pair`, which mean what they mean in `ScoreOptions`."""

    strict_json: bool
    max_depth: int
    details: str
    parse_texts: str
    max_pair_cells: int
    max_details_bytes: int
    threads: int | None
    device: str
    gpu_memory_bytes: int
    judges: Judges | None


class ScoreOptions(TypedDict, total=False):
    """Options of `score`, `score_stream` and the methods of `Plan`. None stands for the default.

    expected, actual: the columns of the expected and the actual values ("expected", "actual").
    calls: the column with the messages, spans or calls of the run that gave the answer, which tool_calls and asserts of
        the type trajectory:* read in place of the actual value. None: there is none.
    expected_format, actual_format: what their texts are: "json", or "text", the text of a string. "auto" (the default)
        takes a str in a list of records for the string that it is in a line of JSON; texts of columns are JSON, but an
        actual text that is none is a string.
    keep: columns that results begin with.
    group_by: columns whose values group the report.
    gold, id: data with the columns `id` and `expected`; the data scored then need `id` instead of `expected`.
    parse_texts: "auto", "prose", "never" or "always": what becomes of objects and arrays that records hold in strings.
    details: "none", "basic" (each scorer's metrics) or "leaves" (how each expected leaf was judged, too).
    threads: how many; None: as many as the process may use.
    progress: True for a bar (with tqdm, where that is there), or a function of the number of records scored.
    strict_json: reject what only Python's json reads.
    max_depth, max_pair_cells, max_details_bytes, max_groups: limits, as of the command.
    device: "auto", "cpu", "cuda" or "cuda:N", with gpu_memory_bytes of its memory.
    judges: by what models are asked that judge (`Judges`); None: they are, without a cache and limits.
    """

    expected: str
    actual: str
    calls: str
    expected_format: str
    actual_format: str
    keep: Sequence[str] | str
    group_by: Sequence[str] | str
    gold: Any
    id: str
    parse_texts: str
    details: str
    threads: int | None
    progress: bool | Callable[[int], object] | None
    strict_json: bool
    max_depth: int
    max_pair_cells: int
    max_details_bytes: int
    max_groups: int
    device: str
    gpu_memory_bytes: int
    judges: Judges | None


ENGINE_OPTIONS = tuple(PairOptions.__annotations__)
STREAM_OPTIONS = (
    "expected",
    "actual",
    "calls",
    "expected_format",
    "actual_format",
    "keep",
    "group_by",
    "max_groups",
    "id",
)
FORMATS = ("auto", "json", "text")

def names(value: Sequence[str] | str | None) -> list[str]:
    """Returns a list of names; a single name may be given alone."""
    if value is None or isinstance(value, str):
        return [] if value is None else [value]
    several = list(value) if isinstance(value, Iterable) else [value]
    wrong = [name for name in several if not isinstance(name, str)]
    if wrong:
        raise TypeError(f"a name, or a list of names, holds str, not {wrong[0]!r}")
    return several


def checked(options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the options with all that calls look at themselves. Raises TypeError for unknown ones."""
    unknown = sorted(options.keys() - ScoreOptions.__annotations__.keys())
    if unknown:
        valid = list(ScoreOptions.__annotations__)
        meant = nearest(unknown[0], valid) or ";"
        raise TypeError(f"unknown option {unknown[0]!r}{meant} valid: {', '.join(valid)}")
    result: dict[str, Any] = {name: name for name in ("expected", "actual", "id")}
    result.update(expected_format="auto", actual_format="auto")
    result.update((name, value) for name, value in options.items() if value is not None)
    for name in ("keep", "group_by"):
        result[name] = names(result.get(name))
    for name in ("expected", "actual", "id"):
        if not isinstance(result[name], str):
            raise TypeError(f"{name} is the name of a column, not {result[name]!r}")
    for name in ("expected_format", "actual_format"):
        if result[name] not in FORMATS:
            raise ValueError(f"{name} is one of: {', '.join(FORMATS)}")
    return result


def engine_options(options: Mapping[str, Any]) -> dict[str, Any]:
    given = {name: options[name] for name in ENGINE_OPTIONS if name in options}
    if isinstance(given.get("judges"), Judges):
        given["judges"] = given["judges"]._judges
    return given


def stream_options(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: options[name] for name in STREAM_OPTIONS if name in options}
