"""A result in the JSON of Google Benchmark, which its tools/compare.py reads.

Each contestant is a benchmark of as many repetitions as there were rounds; times are those of one record. Facts that the
format has no place for are in the member `leafscore`, which other readers pass over.
"""

from __future__ import annotations

import dataclasses
import datetime
import json
import os
import socket
import statistics
import sys
from collections.abc import Callable, Sequence
from typing import Any

from . import machine
from .results import PERCENTILES, Outcome, Result, Timing
from .verdicts import verdict


def render(result: Result) -> str:
    benchmarks = []
    for family, outcome in enumerate(result.outcomes):
        benchmarks += _benchmarks(family, outcome)
    whole = {"context": _context(result), "benchmarks": benchmarks, "leafscore": _more(result)}
    return json.dumps(whole, indent=2, allow_nan=False) + "\n"


def _context(result: Result) -> dict[str, Any]:
    return {
        "date": datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
        "host_name": socket.gethostname(),
        "executable": sys.argv[0],
        "num_cpus": os.cpu_count() or 0,
        "mhz_per_cpu": round(machine.megahertz()),
        "cpu_scaling_enabled": result.machine["governor"] not in ("unknown", "performance"),
        "caches": [],
        "load_avg": list(os.getloadavg()),
        "library_build_type": "release",
        "busy_before": result.busy,
        **result.machine,
    }


def _benchmarks(family: int, outcome: Outcome) -> list[dict[str, Any]]:
    if not outcome.main():  # outcomes without times make compare.py fail; they are in `leafscore`
        return []
    found = []
    sets = [chosen for chosen in outcome.timings if chosen[0] == outcome.timed]
    for instance, (records, threads) in enumerate(sets):
        rounds = outcome.timings[records, threads]
        name = f"{outcome.name}/threads:{threads}"
        each = {"family": family, "instance": instance, "repetitions": len(rounds), "threads": threads}
        counters = {"records": outcome.timed, "records_in_error": outcome.errors, "label": verdict(outcome)}
        if outcome.agreement:
            counters["agreement"] = outcome.agreement.share
        for index, timing in enumerate(rounds):
            figures = _figures(timing.real_ns, timing.cpu_ns)
            iterations = {"run_type": "iteration", "repetition_index": index, "iterations": timing.passes * records}
            found.append({**_names(name, **each), **iterations, **figures, **counters})
        found += [{**_names(name, **each), **aggregate, **counters} for aggregate in _aggregates(name, rounds)]
    return found


def _names(name: str, family: int, instance: int, repetitions: int, threads: int) -> dict[str, Any]:
    numbers = {"family_index": family, "per_family_instance_index": instance, "repetitions": repetitions}
    return {"name": name, "run_name": name, **numbers, "threads": threads}


def _figures(real: float, cpu: float) -> dict[str, Any]:
    return {"real_time": real, "cpu_time": cpu, "time_unit": "ns", "items_per_second": 1e9 / real}


def _aggregates(name: str, rounds: Sequence[Timing]) -> list[dict[str, Any]]:
    """As Google Benchmark makes them: of several repetitions, mean, median, standard deviation and its share."""
    if len(rounds) < 2:
        return []
    real, cpu = [each.real_ns for each in rounds], [each.cpu_ns for each in rounds]
    figures: dict[str, tuple[Callable[[Sequence[float]], float], str]] = {
        "mean": (statistics.fmean, "time"),
        "median": (statistics.median, "time"),
        "stddev": (statistics.stdev, "time"),
        "cv": (lambda values: statistics.stdev(values) / (statistics.fmean(values) or 1), "percentage"),
    }
    return [
        {
            "name": f"{name}_{aggregate}",
            "run_type": "aggregate",
            "iterations": len(rounds),
            "aggregate_name": aggregate,
            "aggregate_unit": unit,
            "real_time": figure(real),
            "cpu_time": figure(cpu),
            "time_unit": "ns",
        }
        for aggregate, (figure, unit) in figures.items()
    ]


def _more(result: Result) -> dict[str, Any]:
    data = {name: value for name, value in vars(result.data).items() if name != "records"}
    options = {**dataclasses.asdict(result.options), "threads": list(result.options.threads)}
    outcomes = [_outcome(result, outcome) for outcome in result.outcomes]
    return {"data": {**data, "records": len(result.data.records)}, "options": options, "contestants": outcomes}


def _outcome(result: Result, outcome: Outcome) -> dict[str, Any]:
    agreement = outcome.agreement
    told: dict[str, Any] = {
        "name": outcome.name,
        "against": None,
        "verdict": verdict(outcome),
        "failed": outcome.failed,
        "answers": len(outcome.answers),
        "records_in_error": outcome.errors,
        "inputs_changed": outcome.changed,
        "answers_that_change": outcome.unlike,
        "bytes_printed": outcome.printed,
        "memory_loaded_bytes": outcome.memory[0] if outcome.memory else None,
        "memory_peak_bytes": outcome.memory[1] if outcome.memory else None,
        "pairs_per_second": _estimate(outcome.rate()),
        "time_ratio": _estimate(result.ratio(outcome)),
        "latency_ns": {f"p{percent}": _estimate(outcome.latency(percent)) for percent in PERCENTILES},
        "growth_points": outcome.growth.points(),
        "growth_exponent": _estimate(outcome.growth.exponent()),
    }
    if agreement is not None and outcome.contestant.against is not None:
        told["against"] = result.outcomes[outcome.contestant.against].name
        counts = ("compared", "equal", "neither", "differ", "only_reference", "only_contestant")
        told["agreement"] = {name: getattr(agreement, name) for name in counts}
        told["agreement"]["largest_difference"] = agreement.largest_difference
        told["agreement"]["first"] = [
            {"id": each.record.id, "place": each.record.place, "reference": each.reference, "answer": each.answer}
            for each in agreement.first
        ]
    return told


def _estimate(found: Any) -> dict[str, float] | None:
    return None if found is None else dataclasses.asdict(found)
