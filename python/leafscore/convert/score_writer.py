"""Scores of leafscore, written into a log of inspect_ai, so that its viewer and its analyses have them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from . import inspect_ai
from .counts import Counts
from .errors import ConvertError
from .inputs import Input
from .json_text import dump
from .outputs import refuse_inputs


def write_scores(log_name: str, scores_name: str, output: str, counts: Counts) -> None:
    """Adds a score of each scorer to each sample, found by the id that `convert` gives its record, and the metrics."""
    refuse_inputs(output, [Path(log_name), Path(scores_name)])
    inspect_ai.check_log_name(output)
    lines = _score_lines(Input(scores_name), counts)
    inspect = inspect_ai.package()
    try:
        log = inspect.log.read_eval_log(log_name)
    except Exception as error:  # any exception, as in inspect_ai.read
        raise ConvertError(f"inspect_ai cannot read {log_name}: {str(error).splitlines()[0]}") from error
    found: set[str] = set()
    for scorer in sorted({name for by_scorer in lines.values() for name in by_scorer}):
        made = _precomputed(log.eval.task, scorer, lines, found, counts)
        log = inspect.score(log, made, action="append", display="none")
    counts.add("records", len(log.samples or []))
    counts.add("no_sample", len(set(lines) - found))
    inspect_ai.write_log(inspect, log, output)


def _score_lines(source: Input, counts: Counts) -> dict[str, dict[str, dict[str, Any]]]:
    """The lines by id and scorer."""
    lines: dict[str, dict[str, dict[str, Any]]] = {}
    for _, line in source.lines(counts):
        if isinstance(line, dict) and "scorer" in line and "outcome" in line:
            record_id, scorer = str(line.get("id")), str(line["scorer"])
            if scorer in lines.setdefault(record_id, {}):
                raise ConvertError(
                    f"{source.name} has two scores of {scorer} for {record_id}: convert without --same-ids"
                )
            lines[record_id][scorer] = line
    if not lines:
        raise ConvertError(f"{source.name} has no lines of leafscore score")
    return lines


def _precomputed(
    task: str, name: str, lines: dict[str, dict[str, dict[str, Any]]], found: set[str], counts: Counts
) -> Any:
    """A scorer of inspect_ai that looks the scores up. A missing score counts 0, as in leafscore's figures over all."""
    from inspect_ai.scorer import Score, mean, scorer, stderr

    @scorer(metrics=[mean(), stderr()], name=name)  # type: ignore[untyped-decorator]
    def leafscore_scores() -> Any:
        async def score(state: Any, target: Any) -> Any:
            record_id = inspect_ai.record_id(task, state.metadata, state.sample_id)
            record_id = record_id if state.epoch == 1 else f"{record_id}#{state.epoch}"
            line = lines.get(record_id, {}).get(name)
            if line is None:
                counts.add("no_score")
                return None
            found.add(record_id)
            return Score(
                value=line.get("score", 0.0),
                answer=state.output.completion,
                explanation=line.get("message") or dump(line.get("details")),
                metadata={key: line[key] for key in ("outcome", "reason", "passed") if key in line},
            )

        return score

    return leafscore_scores()
