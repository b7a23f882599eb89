"""One conversion: which format the inputs have, and their samples as records into the output."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any

from . import (
    arrow_tables,
    every_eval_ever,
    every_eval_ever_writer,
    hf_datasets,
    inspect_ai,
    lm_eval,
    openai_evals,
    otlp,
    promptfoo,
    records,
    sarif,
    scores,
)
from .counts import Counts
from .errors import ConvertError
from .inputs import STANDARD_INPUT, Input, is_spreadsheet, top_level_keys
from .outputs import refuse_inputs
from .samples import Options, RecordMaker

_MODULES = (records, lm_eval, inspect_ai, promptfoo, hf_datasets, openai_evals, every_eval_ever)
FORMATS: dict[str, ModuleType] = {module.NAME: module for module in _MODULES}
TARGETS = (*FORMATS, scores.NAME, otlp.NAME, sarif.NAME)


def convert(
    inputs: Sequence[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    *,
    source_format: str | None = None,
    target_format: str = records.NAME,
    options: Options = Options(),
    counts: Counts | None = None,
) -> Counts:
    """Writes the samples of all inputs to one output, in the order of the inputs: as records of a format, or as scores.

    RETURNS: what was counted; lines that cannot be read are in `counts["unreadable"]`.
    ERRORS: ConvertError and OSError; the output then does not appear.
    """
    counts = Counts() if counts is None else counts
    sources = list(expand([os.fspath(name) for name in inputs]))
    read = [source.path for source in sources if source.name != STANDARD_INPUT]
    read += [Path(name) for name in (options.about, options.scores, options.gold) if name is not None]
    refuse_inputs(os.fspath(output), read)
    if target_format == scores.NAME:
        module = FORMATS[source_format or guess(sources, default=records.NAME)]
        scores.convert_scores(sources, os.fspath(output), module, replace(options, for_scores=True), counts)
        return counts
    if target_format == otlp.NAME:
        if source_format not in (None, records.NAME):
            raise ConvertError("events are made from lines of scores: convert --to scores first")
        otlp.convert_to_otlp(sources, os.fspath(output), counts)
        return counts
    if target_format == sarif.NAME:
        if len(sources) != 1:
            raise ConvertError("SARIF is made from one report at a time")
        sarif.convert_to_sarif(sources[0], os.fspath(output), options, counts)
        return counts
    if target_format == every_eval_ever.NAME and options.scores is None:
        if source_format not in (None, records.NAME):
            raise ConvertError("results are made from lines of scores: name them with --scores, or as the only input")
        every_eval_ever_writer.convert_scores(sources, os.fspath(output), options, counts)
        return counts
    found = _records(sources, FORMATS[source_format or guess(sources)], options, counts)
    if target_format == every_eval_ever.NAME:
        of_records = Input(options.scores or "")
        every_eval_ever_writer.convert_records(found, of_records, os.fspath(output), options, counts)
    else:
        FORMATS[target_format].write(found, os.fspath(output), counts)
    return counts


def _records(
    sources: Sequence[Input], module: ModuleType, options: Options, counts: Counts
) -> Iterator[dict[str, Any]]:
    """The records of all inputs. ERRORS: ConvertError for none, so that no empty output is left."""
    samples = chain.from_iterable(module.read(source, options, counts) for source in sources)
    found = RecordMaker(options, counts).records(samples)
    first = next(found, None)  # before the output is opened
    if first is None:
        names = ", ".join(source.name for source in sources[:3])
        raise ConvertError(f"there is no sample in {names}")
    return chain([first], found)


def expand(names: Sequence[str]) -> Iterator[Input]:
    """The inputs, with the logs that lie in a folder in its place. ERRORS: ConvertError for none and for one named twice."""
    seen: dict[str, str] = {}
    for name in names:
        if not name:
            raise ConvertError("an input has an empty name")
        for found in _files(name):
            real = os.path.realpath(found)
            if found != STANDARD_INPUT and not os.path.exists(real):
                raise ConvertError(f"{found} does not exist")
            if real in seen:
                raise ConvertError(f"{found} is read twice: it is {seen[real]} as well")
            seen[real] = found
            yield Input(found)


def _files(name: str) -> list[str]:
    path = Path(name)
    if name == STANDARD_INPUT or not path.is_dir() or hf_datasets.is_saved_dataset(path):
        return [name]
    patterns = [pattern for module in _MODULES if (pattern := getattr(module, "FILES", None))]
    found = [[*path.rglob(pattern), *path.rglob(pattern + ".gz")] for pattern in patterns]
    kinds = [files for each in found if (files := sorted(str(file) for file in each if file.is_file()))]
    if not kinds:
        raise ConvertError(f"the folder {name} holds neither {' nor '.join(patterns)}: name the files")
    if len(kinds) > 1:
        raise ConvertError(f"the folder {name} holds files of several formats: name those of one")
    return kinds[0]


def guess(sources: list[Input], default: str | None = None) -> str:
    """The one format that all inputs look like, or the default for one that looks like none.

    ERRORS: ConvertError that says what to give where they do not tell.
    """
    formats = {source.name: _guess_one(source) or ([default] if default else []) for source in sources}
    for name, candidates in formats.items():
        if not candidates:
            raise ConvertError(f"{name} looks like no format of --list: give --from")
        if len(candidates) > 1:
            raise ConvertError(f"{name} could be {' or '.join(candidates)}: give --from")
    found = sorted({candidates[0] for candidates in formats.values()})
    if len(found) > 1:
        raise ConvertError(
            f"the inputs have several formats, {' and '.join(found)}: convert those of each apart"
        )
    return found[0]


def _guess_one(source: Input) -> list[str]:
    if source.is_stream:
        raise ConvertError(f"{source.name} can be read only once, so give --from")
    if source.path.is_dir():
        return [hf_datasets.NAME]
    if source.is_table:
        return [records.NAME]
    head = source.head()
    if is_spreadsheet(head):
        raise ConvertError(f"{source.name} is a spreadsheet: save its sheet as CSV (UTF-8), and give that file")
    if head.startswith(b"PK\x03\x04"):
        return [inspect_ai.NAME]
    if arrow_tables.looks_like(head):
        return [hf_datasets.NAME]
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"["):
        return [records.NAME]
    keys = top_level_keys(start)
    return [module.NAME for module in _MODULES if module.looks_like(keys)]
