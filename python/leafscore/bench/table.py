"""A result as text for people: answers first, then speed, threads and growth."""

from __future__ import annotations

import statistics

from ..convert.counts import printable
from .layout import GAP, grid, interval, nanoseconds, number, percent, short, times
from .results import PERCENTILES, Outcome, Result, rate, ratio
from .scoring import Answer
from .verdicts import notes, verdict

QUIET = 0.1  # up to this share of the processors may be busy with other work
LARGER = {
    "records": ("the size of records (several joined to one)", "bytes of a record"),
    "texts": ("the length of texts (each repeated)", "times as long"),
}


def render(result: Result) -> str:
    """Returns the whole text, which ends with a line break."""
    parts = [_head(result), _answers(result), _speed(result), _costs(result), _threads(result)]
    parts += [_growth(result), _notes(result)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _head(result: Result) -> str:
    data = result.data
    sizes = sorted(record.size for record in data.records)
    lines = [
        f"{data.name}: {len(data.records):,} of {data.seen:,} records, at random; "
        f"{sizes[0]:,} to {sizes[-1]:,} bytes, median {statistics.median(sizes):,.0f}"
    ]
    if data.incomplete:
        lines.append(f"left out: {data.incomplete:,} records without both values")
    if data.rejected:
        lines.append(f"left out: {data.rejected:,} lines that cannot be read, as {data.rejects[0]}")
    lines.append(", ".join(f"{name} {text}" for name, text in result.machine.items()))
    if result.busy > QUIET:
        lines.append(
            f"the machine was not quiet: {result.busy:.0%} of its processors worked on other things just before"
        )
    return "\n".join(map(printable, lines))


def _answers(result: Result) -> str:
    rows = [["", "compared", "agree", "", "differ", "one has no score", "largest difference"]]
    for outcome in result.outcomes:
        agreement = outcome.agreement
        if agreement is None:
            rows.append([outcome.name, f"{len(outcome.answers):,} answers, {outcome.errors:,} without a score"])
            continue
        agree, one = agreement.equal + agreement.neither, agreement.only_reference + agreement.only_contestant
        counts = [
            f"{agreement.compared:,}",
            f"{agree:,}",
            percent(agreement.share),
            f"{agreement.differ:,}",
            f"{one:,}",
        ]
        largest = "-"
        if agreement.largest is not None:
            where = f", id {short(agreement.largest.record.id)}" if agreement.largest_difference else ""
            largest = f"{agreement.largest_difference:.2g}{where}"
        rows.append([_indented(outcome), *counts, largest])
        for difference in agreement.first:
            theirs, ours = _answer(difference.reference), _answer(difference.answer)
            place = f"{difference.record.place}, id {short(difference.record.id)}"
            rows.append([f"{GAP * 2}{place}: {theirs} above, {ours} here"])
    title = f"ANSWERS, compared with the scorer above them; equal when no more than {result.options.tolerance:g} apart"
    return grid(title, rows, texts=(0, 6))


def _answer(answer: Answer) -> str:
    return short(answer, 60) if isinstance(answer, str) else f"{answer:.6g}"


def _speed(result: Result) -> str:
    rows = [["", "answers", "records", "pairs/s", "", "time / reference's"]]
    levels = []
    for outcome in result.outcomes:
        speed = outcome.rate()
        row = [_indented(outcome), verdict(outcome)]
        if speed is not None:
            levels.append(speed.level)
            row += [f"{outcome.timed:,}", number(speed.value), interval(speed), times(result.ratio(outcome))]
        rows.append(row)
    if not levels:
        return ""
    rounds = f"{result.options.rounds} rounds of {result.options.min_seconds:g} s or more"
    title = f"SPEED with one thread: medians of {rounds}, and their {min(levels):.0%} intervals"
    return grid(title, rows, texts=(0, 1, 4, 5))


def _costs(result: Result) -> str:
    rows = [["", "answers", *(f"p{each}" for each in PERCENTILES), "CPU time", "memory"]]
    for outcome in result.outcomes:
        row = [_indented(outcome), verdict(outcome)]
        if outcome.main():
            latencies = [outcome.latency(each) for each in PERCENTILES]
            row += ["-" if latency is None else nanoseconds(latency.value) for latency in latencies]
            row += [nanoseconds(statistics.median(each.cpu_ns for each in outcome.main())), _memory(outcome)]
        rows.append(row)
    title = "COSTS of a record, alone (percentiles) and among others (CPU time); memory before and on top while scoring"
    return grid(title, rows, texts=(0, 1)) if any(len(row) > 2 for row in rows[1:]) else ""


def _indented(outcome: Outcome) -> str:
    return outcome.name if outcome.agreement is None else GAP + outcome.name


def _memory(outcome: Outcome) -> str:
    if outcome.memory is None:
        return "-"
    loaded, peak = (size / 2**20 for size in outcome.memory)
    return f"{loaded:,.0f}+{max(peak - loaded, 0):,.0f} MiB"


def _threads(result: Result) -> str:
    rows = [["", "threads", "pairs/s", "", "times the speed of one"]]
    for outcome in result.outcomes:
        for (records, threads), rounds in outcome.timings.items():
            if threads > 1 and not outcome.failed:
                speed, gain = rate(rounds), ratio(outcome.timings[records, 1], rounds)
                rows.append([outcome.name, str(threads), number(speed.value), interval(speed), times(gain)])
    return grid("THREADS", rows, texts=(0, 3, 4)) if len(rows) > 1 else ""


def _growth(result: Result) -> str:
    if not any(outcome.growth.times for outcome in result.outcomes):
        return ""
    what, size = LARGER[result.options.growth]
    rows = [["", size, "time of a record", "grows with the power", ""]]
    for outcome in result.outcomes:
        power = outcome.growth.exponent()
        if outcome.failed or power is None:
            rows.append([outcome.name, f"not told: {outcome.growth.flaw() or verdict(outcome)}"])
            continue
        points = outcome.growth.points()
        (small, fast), (large, slow) = points[0], points[-1]
        spans = [f"{small:,.0f} to {large:,.0f}", f"{nanoseconds(fast)} to {nanoseconds(slow)}"]
        rows.append([outcome.name, *spans, f"{power.value:.2f}", f"({power.low:.2f} to {power.high:.2f})"])
    return grid(f"GROWTH with {what}", rows, texts=(0, 1, 2, 4))


def _notes(result: Result) -> str:
    return "\n".join(
        printable(f"{outcome.name}: {note}") for outcome in result.outcomes for note in notes(outcome, result)
    )
